"""Running totals printed as if they were each column's own rate."""

from __future__ import annotations

from collections.abc import Sequence
from math import log, log10
from typing import NamedTuple

import numpy as np

from benchbar.statistics.audit.printed import Finding, Printed, PrintedTable, is_average, is_count
from benchbar.statistics.numbers import Floats

FEWEST = 8
"""Cells below which smoothness is too easily chance."""
PERMUTATIONS = 50_000
LEVEL = 1e-4
SIZES = range(5, 101)


class Order(NamedTuple):
    """An order in which the columns may have been computed."""

    name: str
    places: tuple[int, ...]


def orders_of(columns: Sequence[str], names: dict[str, str]) -> list[Order]:
    """The printed order, and the alphabetical ones of the columns and of the tasks they stand for."""
    kept = [place for place, name in enumerate(columns) if not is_average(name) and not is_count(name)]
    found = [Order("the printed order", tuple(kept))]
    keys = {"alphabetical order": [columns[i] for i in kept]}
    if any(columns[i] in names for i in kept):
        keys["alphabetical order of the tasks' names"] = [names.get(columns[i], columns[i]) for i in kept]
    for name, labels in keys.items():
        places = tuple(place for _, place in sorted(zip((x.lower() for x in labels), kept, strict=True)))
        if all(places != order.places for order in found):
            found.append(Order(name, places))
    return found


def check_running_totals(
    table: PrintedTable, orders: Sequence[Order], generator: np.random.Generator
) -> tuple[list[Finding], int]:
    """Rows whose cells, in some order, move as a running mean does, and the number of rows checked.

    A running mean moves by (x_k - m_{k-1})/k: ever less. The sum of k^2 times its squared steps is compared
    with that of the same cells in random order; a row is reported where fewer than one order in 10,000 is
    as smooth, where steps shrink with k rather than staying alike (as along a trend), and where every
    implied task rate lies in 0 to 100.
    """
    found, checked = [], 0
    high = (
        100.0 if max((c.value for row in table.cells for c in row if c is not None), default=0) > 1 else 1.0
    )
    for row, cells in zip(table.rows, table.cells, strict=True):
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
    return found, checked


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
    if ((rates < -slack) | (rates > high + slack)).any() or not steps.any():
        return False
    shrinking = -len(steps) / 2 * log(float(np.mean((places * steps) ** 2))) + float(np.log(places).sum())
    alike = -len(steps) / 2 * log(float(np.mean(steps**2)))
    return shrinking > alike + 2


def _smoothness(values: Floats, generator: np.random.Generator) -> float:
    """The share of random orders that are at least as smooth, the given one counted in."""
    places, steps = _steps(values)
    observed = float(((places * steps) ** 2).sum()) * (1 + 1e-12)
    below = 0
    for _ in range(0, PERMUTATIONS, 10_000):
        drawn = generator.permuted(np.broadcast_to(values, (10_000, len(values))), axis=1)
        below += int((((places * np.diff(drawn, axis=1)) ** 2).sum(axis=1) <= observed).sum())
    return (below + 1) / (PERMUTATIONS + 1)


def common_size(cells: Sequence[Printed], high: float) -> tuple[int, int, float] | None:
    """The sample size per task at which most running totals are whole half-points: n, cells that fit, log10
    chance.

    A cell is only asked where chance would not fit it anyway; None where no size stands out.
    """
    best: tuple[int, int, float] | None = None
    for n in SIZES:
        fits, chance = 0, 0.0
        for place, cell in enumerate(cells, start=1):
            unit = high / (2 * n * place)
            odds = min(1.0, 2 * cell.half / unit)
            if odds > 0.9:  # noqa: PLR2004 - says nothing
                continue
            if abs(cell.value - round(cell.value / unit) * unit) > cell.half:
                break
            fits += 1
            chance += log10(odds)
        else:
            if fits > 2 and (best is None or chance < best[2]):  # noqa: PLR2004 - fewer are no pattern
                best = (n, fits, chance)
    return best if best is not None and best[2] < -4 else None  # noqa: PLR2004 - 96 sizes were tried


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
        text += f"; {size[1]} cells are whole half-points of running totals of {size[0]} samples a task"
    text += f"; the task rates would range from {max(rates.min(), 0):.0f} to {min(rates.max(), high):.0f}"
    return Finding(
        check="running_total",
        table=table.name,
        row=row,
        column=table.columns[last],
        printed=", ".join(str(cell) for cell in known),
        recomputed=f"pooled rate {known[-1]}",
        evidence=text,
        certainty="likely",
    )
