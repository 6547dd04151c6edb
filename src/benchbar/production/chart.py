"""The weeks as one page that opens offline: a line of points with intervals for each measure."""

from __future__ import annotations

from itertools import groupby

from benchbar.production.drift import Drift, Week
from benchbar.records.templates import environment
from benchbar.reports.numbers import rate

WIDTH, HEIGHT, EDGE = 720.0, 160.0, 12.0
"""Pixels."""


def as_html(found: Drift) -> bytes:
    """A chart and a table of each measure; nothing runs and nothing is loaded."""
    charts = [
        (measure, [_point(place, len(own), one) for place, one in enumerate(own)])
        for measure, weeks in groupby(found.weeks, key=lambda one: one.measure)
        for own in [list(weeks)]
    ]
    page = environment("benchbar.production").get_template("drift.html.j2")
    return page.render(charts=charts, width=WIDTH, height=HEIGHT, edge=EDGE, undated=found.undated).encode()


def _point(place: int, count: int, one: Week) -> dict[str, object]:
    def y(share: float | None) -> float | None:
        # All of the scale, never a cut axis: half a point must not look like half the chart.
        return None if share is None else EDGE + (HEIGHT - 2 * EDGE) * (1 - share)

    return {
        "x": EDGE + (WIDTH - 2 * EDGE) * (place + 0.5) / count,
        "y": y(one.share.value),
        "low": y(one.share.low),
        "high": y(one.share.high),
        "week": one.week,
        "shown": rate(one.share),
        "changed": one.changed,
        "tested": one.reason if one.p_value is None else f"p = {one.p_value:.3g}",
    }
