"""Printed averages against the cells they should be the average of."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from benchbar.audit.printed import (
    Certainty,
    Finding,
    Printed,
    PrintedTable,
    counts_in,
    is_average,
    is_count,
    is_plain_average,
    rounded,
    sizes_in,
)

SIMULATIONS = 20_000
MARGIN = 1.5
"""Rates of few samples repeat, and so do their rounding errors: the simulation takes them for independent."""
FEW = 2
"""Averages that may all be wrong without another reading suggesting itself."""


class _Average(NamedTuple):
    """One printed average beside what its cells give."""

    name: str
    """What calls itself an average: a column or a row."""
    row: str
    column: str
    printed: Printed
    cells: list[Printed]
    missing: int
    weights: list[float] | None

    @property
    def recomputed(self) -> float:
        return float(np.mean([cell.value for cell in self.cells]))

    @property
    def weighted(self) -> float | None:
        return None if self.weights is None else float(np.average([c.value for c in self.cells], weights=self.weights))

    @property
    def spread(self) -> float:
        """The standard deviation that rounding the cells leaves in their mean."""
        return sqrt(sum((2 * cell.half) ** 2 for cell in self.cells) / 12) / len(self.cells)

    @property
    def bound(self) -> float:
        """No honest rounding leads further than this from the recomputed mean."""
        return self.printed.half + float(np.mean([cell.half for cell in self.cells]))

    @property
    def distance(self) -> float:
        """From the recomputed mean to the numbers that would be printed so."""
        near = [self.recomputed] + ([] if self.weighted is None else [self.weighted])
        return max(min(abs(self.printed.value - x) for x in near) - self.printed.half, 0.0)

    @property
    def excluded(self) -> bool:
        """Whether no rounding explains it."""
        return self.distance > self.bound - self.printed.half


def check_averages(table: PrintedTable, generator: np.random.Generator) -> tuple[list[Finding], int]:
    """Averages that their cells do not give, and the number that were checked.

    An average further off than rounding can lead is certain. Averages that merely round the other way are
    reported where the table as a whole is wrong: another average is certainly wrong, or rounding would lead
    so far in fewer than one of 20,000 simulated tables (as when digits were cut off). Where not one of
    several averages is the plain mean, weights that were not printed may be behind them: an ``overall`` is
    then left alone, and an average only possible.
    """
    found: list[Finding] = []
    checked = 0
    for averages in (*_of_rows(table), *_of_columns(table)):
        checked += len(averages)
        wrong = [average for average in averages if average.excluded]
        weighted = len(wrong) > len(averages) / 2
        if weighted and (not is_plain_average(averages[0].name) or _weights_explain(averages)):
            continue
        certainty: Certainty = "possible" if weighted and len(averages) > FEW else "certain"
        found += [_finding(table, average, certainty) for average in wrong]
        kept = [average for average in averages if not average.excluded]
        unlikely = _unlikely(kept, generator)
        if wrong or unlikely:
            near = [average for average in kept if _misprinted(average)]
            found += [_finding(table, average, "likely" if unlikely else "possible") for average in near]
    return found, checked


def _weights_explain(averages: list[_Average]) -> bool:
    """Whether one set of weights, all at least 0 and of sum 1, gives every average within rounding.

    Means over questions, not over tasks, are weighted by numbers of questions that tables seldom print.
    """
    sizes = {len(average.cells) for average in averages}
    # With fewer rows almost any average can be reached by some weights.
    if len(averages) <= FEW or len(sizes) != 1:
        return False
    from scipy.optimize import linprog

    cells = np.array([[cell.value for cell in average.cells] for average in averages])
    printed = np.array([average.printed.value for average in averages])
    # Rounding of cell and average, at its widest: each cell's half weighs in by its weight, and these sum to 1.
    slack = np.array([average.printed.half + max(cell.half for cell in average.cells) for average in averages])
    found = linprog(
        np.zeros(cells.shape[1]),
        A_ub=np.vstack([cells, -cells]),
        b_ub=np.concatenate([printed + slack, slack - printed]),
        A_eq=np.ones((1, cells.shape[1])),
        b_eq=[1.0],
    )
    return bool(found.success)


def _of_rows(table: PrintedTable) -> list[list[_Average]]:
    """For each column that calls itself an average, the averages over the other cells of the rows."""
    groups = []
    for place, name in enumerate(table.columns):
        if is_average(name) and not is_count(name):
            readings = [_over(table, place, parts) for parts in _readings(table, place)]
            best = max(readings, key=_fitting, default=[])
            # A reading that explains only a few rows does so by chance: then it is the average over all columns.
            groups.append(best if 2 * _fitting(best) > len(best) else readings[0] if readings else [])
    return [group for group in groups if group]


def _fitting(averages: list[_Average]) -> int:
    return sum(not average.excluded for average in averages)


def _readings(table: PrintedTable, place: int) -> list[list[int]]:
    """Columns that an average may be meant over: all others, or the run before it, or all but one.

    A table may hold a model's size or rank among its rates, or several blocks with an average each. The first reading
    under which most rows fit is taken.
    """
    columns, counts = table.columns, counts_in(table, sizes_in(table))
    others = [i for i, name in enumerate(columns) if not is_average(name) and i not in counts]
    before = [i for i in others if i < place]
    start = max((i for i in range(place) if is_average(columns[i])), default=-1)
    blocks = [[i for i in before if i > start], [i for i in others if i > place]]
    without_one = [[i for i in others if i != left] for left in others]
    return [parts for parts in [others, *blocks, *without_one] if len(parts) > 1]


def _over(table: PrintedTable, place: int, parts: list[int]) -> list[_Average]:
    """A column's printed averages as averages over some columns."""
    name = table.columns[place]
    counts = next((cells for row, cells in zip(table.rows, table.cells, strict=True) if is_count(row)), None)
    sizes = [size.value for i in parts if (size := counts[i]) is not None] if counts else []
    found = []
    for row, cells in zip(table.rows, table.cells, strict=True):
        printed, known = cells[place], [cell for i in parts if (cell := cells[i]) is not None]
        if printed is not None and len(known) > 1 and not is_average(row) and not is_count(row):
            weights = sizes if len(sizes) == len(known) and sum(sizes) > 0 else None
            found.append(_Average(name, row, name, printed, known, len(parts) - len(known), weights))
    return _on_scale(found)


def _of_columns(table: PrintedTable) -> list[list[_Average]]:
    """For each row that calls itself an average, those of the columns, weighted where counts are printed."""
    groups = []
    counts = next((i for i, name in enumerate(table.columns) if is_count(name)), None)
    rows = [i for i, name in enumerate(table.rows) if not is_average(name)]
    for place, row in enumerate(table.rows):
        if not is_average(row):
            continue
        found = []
        for column, name in enumerate(table.columns):
            printed = table.cells[place][column]
            parts = [(cell, i) for i in rows if (cell := table.cells[i][column]) is not None]
            # An average of two or more.
            if printed is None or len(parts) < 2 or column == counts:
                continue
            sizes = [table.cells[i][counts] for _, i in parts] if counts is not None else []
            weights = [size.value for size in sizes if size is not None]
            usable = len(weights) == len(parts) and sum(weights) > 0
            cells = [cell for cell, _ in parts]
            found.append(_Average(row, row, name, printed, cells, len(rows) - len(parts), weights if usable else None))
        groups.append(_on_scale(found))
    return [group for group in groups if group]


def _on_scale(averages: list[_Average]) -> list[_Average]:
    """All of them, unless most lie outside their cells: then they are sums, ranks or something else of that name."""
    inside = 0
    for average in averages:
        values = [cell.value for cell in average.cells]
        inside += min(values) - average.bound <= average.printed.value <= max(values) + average.bound
    return averages if inside > len(averages) / 2 else []


def _misprinted(average: _Average) -> bool:
    values = [average.recomputed] + ([] if average.weighted is None else [average.weighted])
    return all(
        rounded(x, average.printed.decimals) != rounded(average.printed.value, average.printed.decimals) for x in values
    )


def _unlikely(averages: list[_Average], generator: np.random.Generator) -> bool:
    """Whether the distances together far exceed all that rounding gives in simulation."""
    if not averages or not any(average.distance > 0 for average in averages):
        return False
    spreads = np.array([average.spread for average in averages])
    units = np.array([2 * average.printed.half for average in averages])
    means = np.array([average.recomputed for average in averages])
    observed = sum((average.distance / average.spread) ** 2 for average in averages)
    true = means + spreads * generator.standard_normal((SIMULATIONS, len(averages)))
    printed = np.round(true / units) * units
    distance = np.maximum(np.abs(printed - means) - units / 2, 0)
    return bool(observed > MARGIN * ((distance / spreads) ** 2).sum(axis=1).max())


def _finding(table: PrintedTable, average: _Average, certainty: Certainty) -> Finding:
    decimals = average.printed.decimals
    recomputed = average.recomputed
    text = f"the {len(average.cells)} cells give {recomputed:.{decimals + 2}f}"
    if average.weighted is not None:
        text += f", weighted by their counts {average.weighted:.{decimals + 2}f}"
    if average.missing:
        empty = average.printed.value * (len(average.cells) + average.missing) - recomputed * len(average.cells)
        needed = f"{empty / average.missing:.{decimals}f}"
        text += f"; {average.missing} cells are empty and would need a mean of {needed}"
    cut = int(recomputed * 10**decimals) / 10**decimals
    if abs(cut - average.printed.value) < average.printed.half:
        text += "; the digits were cut off, not rounded"
    return Finding(
        check="average",
        table=table.name,
        row=average.row,
        column=average.column,
        printed=str(average.printed),
        recomputed=f"{recomputed:.{decimals + 2}f}",
        evidence=text,
        certainty=certainty,
    )
