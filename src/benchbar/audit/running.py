"""Running totals printed as if they were each column's own rate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log, log10
from typing import NamedTuple

import numpy as np

from benchbar.audit.printed import Finding, Printed, PrintedTable, is_average, is_count
from benchbar.audit.totals import FEWEST_EXACT, FEWEST_IMPOSSIBLE, running_totals
from benchbar.statistics.numbers import Floats

FEWEST = 8
"""Cells below which smoothness is too easily chance."""
PERMUTATIONS = 100_000
LEVEL = 3e-5
MOST_ODD = 0.1
"""Share of steps that may leave the scale: a repeated cell or a task moved in the order spoils two."""
SIZES = range(5, 101)
STANDS_OUT = -5
"""Log10 of the chance at which one of the sizes is named."""
SHRINKING = 1.0
"""Log likelihood by which steps that shrink as 1/k must beat steps that stay alike; more where steps are
odd.
"""
PER_ODD = 20


class Totals(NamedTuple):
    """What was found of running totals."""

    findings: list[Finding]
    checked: int
    """Rows."""
    by_counts: frozenset[str]
    """Rows that are totals of the stated number of samples in whole numbers."""


class Order(NamedTuple):
    """An order in which the columns may have been computed."""

    name: str
    places: tuple[int, ...]


def orders_of(columns: Sequence[str], names: Mapping[str, str]) -> list[Order]:
    """The printed order, the alphabetical one, and that in which ``names`` lists the tasks that columns
    stand for.
    """
    kept = [place for place, name in enumerate(columns) if not is_average(name) and not is_count(name)]
    found = [Order("the printed order", tuple(kept))]
    alphabetical = sorted(kept, key=lambda place: columns[place].lower())
    listed = list(names) + list(names.values())
    known = [place for place in kept if columns[place] in listed]
    own = sorted(known, key=lambda place: listed.index(columns[place]) % len(names)) if len(known) == len(kept) else []
    for name, places in (
        ("alphabetical order", alphabetical),
        ("the order of the benchmark's own task files", own),
    ):
        if places and all(tuple(places) != order.places for order in found):
            found.append(Order(name, tuple(places)))
    return found


def check_running_totals(
    table: PrintedTable,
    orders: Sequence[Order],
    generator: np.random.Generator,
    *,
    n: int | None = None,
    ties_half: bool = False,
) -> Totals:
    """Rows whose cells, in some order, are running totals.

    Where ``n`` is stated and a row has ten cells, whole numbers decide it (:mod:`benchbar.audit.totals`). Else it is how the
    cells move.

    A running mean moves by (x_k - m_{k-1})/k: ever less. The sum of k^2 times its squared steps is compared
    with that of the same cells in random order; a row is reported where fewer than one order in 10,000 is
    as smooth, where steps shrink with k rather than staying alike (as along a trend), and where every
    implied task rate lies in 0 to 100.
    """
    found, checked, by_counts = [], 0, set()
    high = 100.0 if max((c.value for row in table.cells for c in row if c is not None), default=0) > 1 else 1.0
    for row, cells in zip(table.rows, table.cells, strict=True):
        counted = next((one for order in orders if (one := _by_counts(order, row, table, n, high, ties_half))), None)
        if counted is not None:
            found.append(counted)
            by_counts.add(row)
            checked += 1
            continue
        best: tuple[float, Order, Floats] | None = None
        for order in orders:
            known = [cell for place in order.places if (cell := cells[place]) is not None]
            if len(known) < FEWEST or not all(0 <= cell.value <= high for cell in known):
                continue
            checked += order is orders[0]
            values = np.array([cell.value for cell in known])
            half = max(cell.half for cell in known)
            if not _moves_like_a_mean(values, half, high):
                continue
            p_value = _smoothness(values, generator)
            if p_value <= LEVEL and (best is None or p_value < best[0]):
                best = (p_value, order, values)
        if best is not None:
            found.append(_finding(table, row, cells, best, high))
    return Totals(found, checked, frozenset(by_counts))


def _by_counts(
    order: Order, row: str, table: PrintedTable, n: int | None, high: float, ties_half: bool
) -> Finding | None:
    """The row as running totals of n samples a task, in whole numbers; None where it is none."""
    cells = table.cells[table.rows.index(row)]
    known = [cell for place in order.places if (cell := cells[place]) is not None]
    if n is None or len(known) < FEWEST_EXACT or not all(0 <= cell.value <= high for cell in known):
        return None
    shares = np.array([[cell.value / high for cell in known]])
    impossible = int(running_totals(shares, max(cell.half for cell in known) / high, n * (2 if ties_half else 1))[0])
    if impossible < FEWEST_IMPOSSIBLE:
        return None
    rates = implied(shares[0] * high)
    return Finding(
        check="running_total",
        table=table.name,
        row=row,
        column=table.columns[next(place for place in reversed(order.places) if cells[place] is not None)],
        printed=", ".join(str(cell) for cell in known),
        recomputed=str(known[-1]),
        evidence=(
            f"in {order.name} all {len(known)} cells are whole counts of running totals of {n} samples a task, with"
            f" {'half-points for ties and ' if ties_half else ''}every task's own rate possible ({max(rates.min(), 0):.3g} to"
            f" {min(rates.max(), high):.3g}); {impossible} of them no {n} samples can give, and no other number of"
            f" samples gives all; the last total, {known[-1]}, is then the rate of all samples together"
        ),
        certainty="likely",
    )


def _steps(values: Floats) -> tuple[Floats, Floats]:
    places = np.arange(2.0, len(values) + 1)
    return places, np.diff(values)


def implied(values: Floats) -> Floats:
    """The rates of the single tasks whose running mean the values would be."""
    places, steps = _steps(values)
    return np.concatenate([values[:1], values[:-1] + places * steps])


def _moves_like_a_mean(values: Floats, half: float, high: float) -> bool:
    """Implied rates on the scale (within rounding), and steps that shrink as 1/k rather than staying
    alike.
    """
    places, steps = _steps(values)
    slack = half * (2 * places - 1)
    rates = implied(values)[1:]
    fits = (rates >= -slack) & (rates <= high + slack)
    if (~fits).mean() > MOST_ODD or not steps[fits].any():
        return False
    kept, at = np.abs(steps[fits]), places[fits]
    shrinking = float(np.log(at).sum()) - len(kept) * log(float((at * kept).mean()))
    alike = -len(kept) * log(float(kept.mean()))
    return shrinking > alike + SHRINKING * (1 + PER_ODD * float((~fits).mean()))


def _smoothness(values: Floats, generator: np.random.Generator) -> float:
    """The share of random orders that are at least as smooth, the given one counted in."""
    places, steps = _steps(values)
    observed = float((places * np.abs(steps)).sum()) * (1 + 1e-12)
    below = 0
    for _ in range(0, PERMUTATIONS, 10_000):
        drawn = generator.permuted(np.broadcast_to(values, (10_000, len(values))), axis=1)
        below += int(((places * np.abs(np.diff(drawn, axis=1))).sum(axis=1) <= observed).sum())
    return (below + 1) / (PERMUTATIONS + 1)


def common_size(cells: Sequence[Printed], high: float) -> tuple[int, int, float] | None:
    """The sample size of a task at which the first running totals are whole half-points: n, cells, log10
    chance.

    None where no size stands out from the 96 tried.
    """
    best: tuple[int, int, float] | None = None
    for n in SIZES:
        fits, chance = 0, 0.0
        for place, cell in enumerate(cells, start=1):
            unit = high / (2 * n * place)
            if abs(cell.value - round(cell.value / unit) * unit) > cell.half:
                break
            fits += 1
            chance += min(0.0, log10(2 * cell.half / unit))
        if best is None or chance < best[2]:
            best = (n, fits, chance)
    return best if best is not None and best[2] < STANDS_OUT else None


def _finding(
    table: PrintedTable,
    row: str,
    cells: Sequence[Printed | None],
    best: tuple[float, Order, Floats],
    high: float,
) -> Finding:
    p_value, order, values = best
    known = [cell for place in order.places if (cell := cells[place]) is not None]
    rates = implied(values)
    last = next(place for place in reversed(order.places) if cells[place] is not None)
    text = (
        f"in {order.name} the cells move as a running mean: about one random order in {int(1 / p_value)} "
        f"is as smooth (permutation p {p_value:.1g})"
    )
    size = common_size(known, high)
    if size is not None:
        text += f"; the first {size[1]} cells are whole half-points of running totals of {size[0]} samples a task"
    text += f"; the task rates would range from {max(rates.min(), 0):.0f} to {min(rates.max(), high):.0f}"
    text += f"; the last total, {known[-1]}, is then the rate of all samples together"
    return Finding(
        check="running_total",
        table=table.name,
        row=row,
        column=table.columns[last],
        printed=", ".join(str(cell) for cell in known),
        recomputed=str(known[-1]),
        evidence=text,
        certainty="likely",
    )
