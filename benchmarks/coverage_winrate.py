"""Coverage of the win-rate intervals: `python benchmarks/coverage_winrate.py [--trials N]`.

A trinomial with rate .1 to .9 and tie shares 0 to .5. The lattice of outcomes makes coverage at one point
wander around the nominal level whatever the interval; it is therefore summed exactly and not sampled.
"""

from __future__ import annotations

import argparse
from functools import cache

import numpy as np
from scipy.stats import multinomial

from benchbar.statistics.numbers import normal_quantile
from benchbar.statistics.tango import soft_interval, tango_interval

SIZES = (10, 20, 50, 200)
RATES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
HALF_WIDTH = 0.01
TIES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)


@cache
def limits(n: int) -> np.ndarray:
    """Rows of wins, losses, low, high for every outcome of n samples."""
    z = normal_quantile(0.95)
    return np.array([(w, c, *tango_interval(w, c, n, z)) for w in range(n + 1) for c in range(n + 1 - w)], dtype=float)


def coverage(n: int, rate: float, ties: float) -> float:
    """Exact probability that the interval holds the true rate."""
    win, loss = max(rate - ties / 2, 0.0), max(1 - rate - ties / 2, 0.0)
    table = limits(n)
    counts = np.column_stack([table[:, 0], table[:, 1], n - table[:, 0] - table[:, 1]])
    mass = multinomial.pmf(counts, n, [win, loss, 1 - win - loss])
    inside = (table[:, 2] <= win - loss + 1e-9) & (win - loss - 1e-9 <= table[:, 3])
    return float(mass[inside].sum())


def soft_coverage(n: int, trials: int, generator: np.random.Generator) -> list[float]:
    """Coverage for outcomes averaged over two orders (0, .25, .5, .75, 1), by simulation."""
    z = normal_quantile(0.95)
    found = []
    for weights in ([0.1, 0.1, 0.3, 0.2, 0.3], [0.4, 0.05, 0.1, 0.05, 0.4], [0.02, 0.03, 0.15, 0.3, 0.5]):
        values = np.array([-1, -0.5, 0, 0.5, 1])
        truth = float(values @ weights)
        samples = generator.choice(values, p=weights, size=(trials, n))
        inside = [low <= truth <= high for low, high in (soft_interval(row, z) for row in samples)]
        found.append(float(np.mean(inside)))
    return found


def main() -> None:
    """Print the coverage at every point."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--trials", type=int, default=2000)
    trials = parser.parse_args().trials
    for n in SIZES:
        points = [
            (coverage(n, rate, ties), rate, ties)
            for rate in RATES
            for ties in TIES
            if ties / 2 <= min(rate, 1 - rate) + 1e-12
        ]
        values = np.array([p[0] for p in points])
        low, near = min(points), np.mean(np.abs(values - 0.95) <= HALF_WIDTH)
        print(f"n={n:4d}  {len(points)} points, mean {values.mean():.4f}, highest {values.max():.4f}")
        print(f"        lowest {low[0]:.4f} at rate {low[1]} and ties {low[2]}; in 94-96%: {near:.0%}")
        soft = soft_coverage(n, trials, np.random.default_rng(11))
        print("        two orders averaged, simulated: " + ", ".join(f"{value:.3f}" for value in soft))


if __name__ == "__main__":
    main()
