"""Running totals by whole numbers: power on totals, false alarms on honest rows: `python benchmarks/audit_running_totals.py`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np

from benchbar.audit.totals import FEWEST_IMPOSSIBLE, running_totals
from benchbar.statistics.numbers import Floats

STATED = 50
TRUE = (15, 17, 20, 23, 25, 30, 33, 37, 40, 47, 50, 60, 64, 75, 100)
WIDTHS = (8, 10, 14, 22)
BLOCK = 10_000


def shares(generator: np.random.Generator, rows: int, width: int, n: int, *, ties: bool, trend: bool) -> Floats:
    """Honest rates: each task's own share of points, tasks of unlike difficulty, sorted by it where there is a trend."""
    chance = np.clip(generator.normal(0.55, 0.12, size=(rows, width)), 0.02, 0.98)
    if trend:
        chance = np.sort(chance, axis=1)
    tied = generator.binomial(n, 0.2, size=chance.shape) if ties else np.zeros(chance.shape, dtype=np.int64)
    return np.asarray((generator.binomial(n - tied, chance) + tied / 2) / n, dtype=np.float64)


def honest(generator: np.random.Generator, rows: int, width: int, *, trend: bool) -> Iterator[tuple[int, int]]:
    """Alarms and rows, for true sizes that are not the stated one and for the stated one."""
    for n in TRUE:
        for ties in (False, True):
            for decimals in (3, 4):
                count = max(1, rows // (len(TRUE) * 4))
                values = np.round(shares(generator, count, width, n, ties=ties, trend=trend), decimals)
                steps = STATED * (2 if ties else 1)
                found = running_totals(values, 0.5 * 10.0**-decimals + 1e-12, steps)
                yield int((found >= FEWEST_IMPOSSIBLE).sum()), count


def power(generator: np.random.Generator, rows: int, width: int, decimals: int) -> float:
    """Share of rows of running totals of the stated size that are found; half of them count ties."""
    found = 0
    for ties in (False, True):
        own = shares(generator, rows // 2, width, STATED, ties=ties, trend=False)
        totals = np.cumsum(own, axis=1) / np.arange(1, width + 1)
        seen = running_totals(np.round(totals, decimals), 0.5 * 10.0**-decimals + 1e-12, STATED * (1 + ties))
        found += int((seen >= FEWEST_IMPOSSIBLE).sum())
    return found / (rows // 2 * 2)


def main() -> None:
    """Print power and alarms by the number of cells."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=420_000, help="honest rows, shared among widths")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    generator = np.random.default_rng(options.seed)
    for width in WIDTHS:
        found = [power(generator, BLOCK, width, decimals) for decimals in (3, 4)]
        print(f"{width} cells: found {found[0]:.2%} (one decimal of percent), {found[1]:.2%} (two)")
        for trend in (False, True):
            alarms = list(honest(generator, options.rows // len(WIDTHS), width, trend=trend))
            print(
                f"  honest rows{', sorted by difficulty' if trend else ''}:"
                f" {sum(count for count, _ in alarms)} alarms in {sum(rows for _, rows in alarms)}"
            )


if __name__ == "__main__":
    main()
