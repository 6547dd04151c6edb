"""Whether a row can be a running total of counts, by whole numbers alone: no smoothness, no chance of an order.

A program that never resets its counter prints, for task k of n samples each, the count so far over k n. Then each cell must be
a whole number of k n steps, each count must exceed the one before by something between 0 and n, some cells must be
impossible as rates of n samples of their own, and no other number of samples may explain all cells as plain rates.
``benchmarks/audit_running_totals.py`` measures power and false alarms.
"""

from __future__ import annotations

import numpy as np

from benchbar.statistics.numbers import Floats, Integers

FEWEST_EXACT = 10
"""Cells below which honest rows are sometimes taken for totals."""
OTHER_SIZES = range(5, 401)
"""Numbers of samples that may explain a row plainly."""
COINCIDENCE = 1e-6
"""A size that would fit random cells more often than this explains nothing: at n = 400 nearly every rate is possible."""
FEWEST_IMPOSSIBLE = 3
"""Cells that must be impossible as plain rates: of one or two, a misprint is the better explanation."""


def running_totals(values: Floats, half: float, steps: int) -> Integers:
    """For each row of shares from 0 to 1: how many of its cells are impossible as plain rates; 0 where the row is no total.

    ``steps`` are the points that one task can give: n, or 2n where ties count half; ``half`` is how far a printed share may be
    from the true one.
    """
    rows, width = values.shape
    impossible = np.zeros(rows, dtype=np.int64)
    # The counts that are possible so far: between these, every whole number can be reached.
    least, most = np.zeros(rows), np.zeros(rows)
    slack = 1e-9 * steps * width
    for place in range(width):
        whole = steps * (place + 1)
        low = np.ceil((values[:, place] - half) * whole - slack)
        high = np.floor((values[:, place] + half) * whole + slack)
        least, most = np.maximum(low, least), np.minimum(high, most + steps)
        # An empty range stays empty: the next cell has no count to go on from.
        least = np.where(least > most, np.inf, least)
        plain_low = np.ceil((values[:, place] - half) * steps - slack)
        plain_high = np.floor((values[:, place] + half) * steps + slack)
        impossible += plain_low > plain_high
    found = np.where(np.isfinite(least), impossible, 0)
    for row in np.flatnonzero(found >= FEWEST_IMPOSSIBLE):
        if plain_sizes(values[row], half):
            found[row] = 0
    return found


def plain_sizes(values: Floats, half: float) -> list[int]:
    """Numbers of points (n, or 2n with ties) of which all these shares are plain rates, where that is no coincidence."""
    sizes = np.array([n for n in OTHER_SIZES if min(1.0, 2 * half * n) ** len(values) < COINCIDENCE])
    if not len(sizes):
        return []
    low = np.ceil((values[:, None] - half) * sizes - 1e-9 * sizes)
    high = np.floor((values[:, None] + half) * sizes + 1e-9 * sizes)
    return [int(n) for n in sizes[(low <= high).all(axis=0)]]
