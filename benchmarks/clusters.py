"""Samples that share a source: coverage of intervals, and false early stops: `python benchmarks/clusters.py`.

Everything is simulated under a known truth. Printed errors are Monte Carlo standard errors.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from math import sqrt

import numpy as np

from benchbar.records.numbers import Estimate
from benchbar.statistics import mean, obrien_fleming, paired_difference, win_rate
from benchbar.statistics.numbers import Floats, Integers

# Shape of the Beta distribution of a source's rate: 1 gives samples of one source a correlation of .33, 4 of .11.
STRENGTHS = {"strong": 1.0, "mild": 4.0}


def outcomes(generator: np.random.Generator, runs: int, names: Integers, shape: float) -> Floats:
    """Runs by samples: wins of 1 and losses of 0, each source with its own rate of mean one half."""
    rates = generator.beta(shape, shape, size=(runs, int(names.max()) + 1))[:, names]
    return (generator.random(rates.shape) < rates).astype(np.float64)


def false_stops(generator: np.random.Generator, runs: int, n: int, shape: float) -> tuple[float, float]:
    """Share of runs of equal assistants that stop at any look, samples in random order: as independent, and by clusters."""
    names = np.arange(n) // 5
    won = 2 * outcomes(generator, runs, names, shape) - 1
    order = generator.permutation(n)
    stopped = np.zeros((2, runs), dtype=bool)
    for look in obrien_fleming(4):
        seen = order[: max(1, int(np.ceil(n * look.fraction)))]
        part = won[:, seen]
        sums = part @ np.eye(int(names.max()) + 1)[names[seen]]
        total = part.sum(axis=1)
        square = (sums**2).sum(axis=1)
        stopped[0] |= np.abs(total) / sqrt(len(seen)) >= look.boundary
        stopped[1] |= np.abs(total) >= look.boundary * np.sqrt(np.maximum(square, 1e-12))
    return float(stopped[0].mean()), float(stopped[1].mean())


def coverage(generator: np.random.Generator, runs: int, clusters: int, shape: float) -> Iterator[tuple[str, float]]:
    """Share of 95% intervals that hold the truth of one half; sizes of clusters are unequal, from 1 to 16."""
    sizes = np.minimum(generator.geometric(0.25, size=clusters), 16)
    sizes[0] = 16
    names = np.repeat(np.arange(clusters), sizes)
    held = dict.fromkeys(("samples as independent", "CR1", "CR2", "CR2, mean", "CR2, paired difference"), 0)
    labels = names.tolist()
    for won, other in zip(
        outcomes(generator, runs, names, shape), outcomes(generator, runs, names, shape), strict=True
    ):
        held["samples as independent"] += _holds(win_rate(won), 0.5)
        held["CR1"] += _holds(win_rate(won, clusters=labels), 0.5)
        held["CR2"] += _holds(win_rate(won, clusters=labels, correction="CR2"), 0.5)
        held["CR2, mean"] += _holds(mean(won, clusters=labels, correction="CR2"), 0.5)
        held["CR2, paired difference"] += _holds(paired_difference(won, other, clusters=labels, correction="CR2"), 0.0)
    for name, count in held.items():
        yield name, count / runs


def _holds(estimate: Estimate, truth: float) -> bool:
    return estimate.low is not None and estimate.high is not None and estimate.low <= truth <= estimate.high


def _shown(share: float, runs: int) -> str:
    return f"{share:6.1%} ±{sqrt(share * (1 - share) / runs):.1%}"


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    generator = np.random.default_rng(options.seed)
    print("False early stops, 5 samples a source, nominal 5%")
    for strength, shape in STRENGTHS.items():
        for n in (20, 40, 100, 400):
            found = false_stops(generator, options.runs, n, shape)
            print(f"  {strength} n={n}: " + ", ".join(_shown(one, options.runs) for one in found))
    runs = options.runs // 10
    print("Coverage of 95% intervals")
    for strength, shape in STRENGTHS.items():
        for clusters in (5, 8, 15, 40):
            for name, share in coverage(generator, runs, clusters, shape):
                print(f"  {strength} {clusters} sources, {name}: {_shown(share, runs)}")


if __name__ == "__main__":
    main()
