"""The charts of all reports and pages: rows of name, line and number, a matrix, and one plot; templates draw them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from benchbar.languages.packs import Labels
from benchbar.records import Cell, Estimate, RunResults
from benchbar.reports.numbers import LocalLabels, rate
from benchbar.reports.plot_labels import Placed, placed
from benchbar.reports.verdicts import EVEN, GROUPINGS, categories, cells, labelled, standings

WIDTH = 520.0
"""Pixels of the axis."""
Show = Callable[[Estimate], str]


@dataclass(frozen=True, slots=True)
class Mark:
    """A point with its interval, in pixels of its row."""

    label: str
    x: float
    low: float | None
    high: float | None
    shown: str
    standing: str = "plain"
    """``better``, ``worse``, ``tied`` or ``undefined``, which colour it; ``plain`` where it is held against nothing.

    Decided by whoever made the chart: an interval beside a line tells neither of how many it is one nor whether the judge is to be
    relied on.
    """


@dataclass(frozen=True, slots=True)
class Chart:
    """Rows of marks on one axis."""

    title: str
    marks: tuple[Mark, ...]
    ticks: tuple[tuple[float, str], ...]
    zero: float | None = None


def shares_chart(
    title: str,
    estimates: Mapping[str, Estimate],
    show: Show = rate,
    zero: float | None = None,
    standing_of: Mapping[str, str] | None = None,
) -> Chart:
    """Shares on an axis from 0 to 100%; estimates without a value are left out.

    ``zero`` is a share to compare with, ``standing_of`` how each stands against it.
    """
    # All of the scale, never a cut axis: half a point must not look like half the chart.
    known = standing_of or {}
    marks = [marked(name, one, 0.0, 1.0, show, known.get(name, "plain")) for name, one in estimates.items()]
    ticks = tuple((WIDTH * tick / 100, f"{tick}%") for tick in range(0, 101, 20))
    return Chart(title, tuple(mark for mark in marks if mark), ticks, None if zero is None else WIDTH * zero)


def marked(label: str, one: Estimate, least: float, most: float, show: Show, standing_of: str = "plain") -> Mark | None:
    """An estimate on an axis from ``least`` to ``most``; None where it has no value."""
    if one.value is None:
        return None

    def place(value: float | None) -> float | None:
        return None if value is None else WIDTH * (value - least) / (most - least)

    return Mark(label, place(one.value) or 0.0, place(one.low), place(one.high), show(one), standing_of)


def win_rate_bars(
    results: RunResults, rates: Mapping[str, Estimate], say: LocalLabels, standing_of: Mapping[str, str]
) -> Chart:
    """Win rates with a line at one half, where an assistant is as good as the reference; each in the colour of its standing."""
    return shares_chart(say("chart.win_rate", reference=results.reference), rates, say.rate, EVEN, standing_of)


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """One assistant on one group of samples."""

    assistant: str
    cell: Cell | None
    standing: str


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """One task, level or scenario."""

    id: str
    label: str
    cells: tuple[MatrixCell, ...]


class Matrix(NamedTuple):
    """Win rates by group and assistant."""

    kind: str
    rows: tuple[MatrixRow, ...]
    reason: str
    """Why no cell has a value, since a grid of dashes tells nothing; empty where one has."""

    @property
    def has_marks(self) -> bool:
        """Whether a table of it tells something: guidance may be marked where nothing is compared."""
        cells = [one.cell for row in self.rows for one in row.cells if one.cell is not None]
        return any(one["point_score"].value is not None for one in cells)


def matrices(
    results: RunResults, say: LocalLabels, names: Sequence[str], tasks: Sequence[str] | None = None
) -> list[Matrix]:
    """By task, level and scenario; narrowed to tasks only by task, for the other groups mix them."""
    kinds = GROUPINGS if tasks is None else ("task",)
    found = [Matrix(kind, _rows(results, say, kind, names, tasks), "") for kind in kinds] if names else []
    return [one._replace(reason=_why_empty(one.rows, say)) for one in found if one.rows]


def _rows(
    results: RunResults, say: Labels, kind: str, names: Sequence[str], tasks: Sequence[str] | None
) -> tuple[MatrixRow, ...]:
    by_name = {name: cells(results, name, kind) for name in names}
    # Of the whole matrix, however much of it is looked at: who narrows a page has still seen the rest.
    sure = standings(results, kind)
    return tuple(
        MatrixRow(
            id_,
            label,
            tuple(MatrixCell(name, by_name[name].get(id_), sure.get((name, id_), "undefined")) for name in names),
        )
        for id_, label in labelled(results, say, kind).items()
        if tasks is None or id_ in tasks
    )


def _why_empty(rows: Sequence[MatrixRow], say: LocalLabels) -> str:
    rates = [one.cell["win_rate"] for row in rows for one in row.cells if one.cell]
    if any(rate.value is not None for rate in rates):
        return ""
    return say("gate_reason.between").join(dict.fromkeys(say.reason(rate) for rate in rates)) or "–"


def grouped(results: RunResults, say: LocalLabels, names: Sequence[str]) -> list[tuple[str, list[Chart]]]:
    """Key of a title to a chart for each group: guidance met by category, level and scenario; groups without a value are left out."""
    coverage = [
        shares_chart(
            say.name("category", one),
            {name: found for name in names if (found := results.assistants[name].coverage.get(one))},
            say.rate,
        )
        for one in categories(results)
    ]
    by_key = {"coverage": coverage} | {kind: _met(results, say, names, kind) for kind in ("level", "scenario")}
    # An empty frame would look like a fault of the page.
    return [(key, drawn) for key, found in by_key.items() if (drawn := [chart for chart in found if chart.marks])]


def _met(results: RunResults, say: LocalLabels, names: Sequence[str], kind: str) -> list[Chart]:
    return [
        shares_chart(
            label,
            {name: found["point_score"] for name in names if (found := cells(results, name, kind).get(id_))},
            say.rate,
        )
        for id_, label in labelled(results, say, kind).items()
    ]


PLOT_LEFT, PLOT_WIDTH, PLOT_FOOT, PLOT_HEIGHT = 50, 640, 250, 240
"""Pixels of the plot: where it begins, how far it reaches, where a share of 0 lies, and how high one of 1 stands above it."""


class Point(NamedTuple):
    """One assistant in the plot of exchanges against win rate, ``x`` and ``y`` in its pixels, the interval in shares."""

    name: str
    x: float
    y: float
    low: float | None
    high: float | None
    label: Placed


class Plot(NamedTuple):
    """Exchanges against win rate, and the range of exchanges."""

    points: tuple[Point, ...]
    least: float
    most: float


def exchanges(results: RunResults, names: Sequence[str]) -> Plot | None:
    """The plot over half an exchange beyond what was seen; None where fewer than two assistants were."""
    found = [
        (name, turns, one["win_rate"])
        for name in names
        if (turns := (one := results.assistants[name])["turns"].value) is not None and one["win_rate"].value is not None
    ]
    # One point shows how nothing goes with anything.
    if len(found) < 2:
        return None
    seen = [turns for _, turns, _ in found]
    # Half an exchange of air, so that no point stands on the edge and one value alone has a range.
    least, most = max(0.0, min(seen) - 0.5), max(seen) + 0.5
    at = [
        (PLOT_LEFT + PLOT_WIDTH * (turns - least) / (most - least), PLOT_FOOT - PLOT_HEIGHT * (rate.value or 0.0))
        for _, turns, rate in found
    ]
    labels = placed([name for name, *_ in found], at)
    points = [
        Point(name, x, y, rate.low, rate.high, label)
        for (name, _, rate), (x, y), label in zip(found, at, labels, strict=True)
    ]
    return Plot(tuple(points), least, most)
