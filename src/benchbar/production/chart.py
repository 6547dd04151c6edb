"""The weeks as one page that opens offline: a line of points with intervals for each measure."""

from __future__ import annotations

from itertools import groupby

from benchbar.production.drift import P_VALUE, Drift, Week
from benchbar.records.templates import environment

WIDTH, HEIGHT, EDGE, LEFT, BELOW = 720.0, 180.0, 12.0, 48.0, 22.0
"""Pixels; to the left stand percents, below weeks."""
NAMED = 10
"""Weeks with a name below the axis: more of them overlap."""


def as_html(found: Drift, came: int) -> bytes:
    """A chart and a table of each measure, of ``came`` traces; nothing runs and nothing is loaded."""
    charts = [
        (own[0].title, [_point(place, len(own), one) for place, one in enumerate(own)])
        for _, weeks in groupby(found.weeks, key=lambda one: one.measure)
        for own in [list(weeks)]
    ]
    scale = [(f"{share:.0%}", _height(share)) for share in (0.0, 0.5, 1.0)]
    page = environment("benchbar.production").get_template("drift.html.j2")
    return page.render(
        charts=charts, scale=scale, width=WIDTH, height=HEIGHT, left=LEFT, found=found, came=came, p_value=P_VALUE
    ).encode()


def _height(share: float) -> float:
    # All of the scale, never a cut axis: half a point must not look like half the chart.
    return EDGE + (HEIGHT - EDGE - BELOW) * (1 - share)


def _point(place: int, count: int, one: Week) -> dict[str, object]:
    def y(share: float | None) -> float | None:
        return None if share is None else _height(share)

    return {
        "x": LEFT + (WIDTH - LEFT - EDGE) * (place + 0.5) / count,
        "y": y(one.share.value),
        "low": y(one.share.low),
        "high": y(one.share.high),
        "week": one.week,
        "named": place % -(-count // NAMED) == 0,
        "shown": one.in_words(),
        "changed": one.changed,
        "tested": one.tested(),
    }
