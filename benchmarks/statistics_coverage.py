"""Coverage of clustered and corrected intervals, and a gate's errors: `python
benchmarks/statistics_coverage.py`.
"""

from __future__ import annotations

import argparse

import numpy as np

from benchbar.statistics import (
    correct,
    macro_win_rate,
    mean,
    non_inferior,
    paired_difference,
    share,
    win_rate,
)
from benchbar.statistics.resampling import bootstrapped


def clustered(generator: np.random.Generator, trials: int) -> dict[str, float]:
    """15 clusters of 4 to 12 samples whose rates differ."""
    held = {"win rate": 0, "share": 0, "mean": 0, "win rate without clusters": 0}
    for _ in range(trials):
        sizes = generator.integers(4, 13, size=15)
        names = np.repeat(np.arange(15), sizes)
        level = generator.beta(3, 2, size=15)[names]
        won = (generator.random(len(names)) < level).astype(float)
        tied = generator.random(len(names)) < 0.2
        outcome = np.where(tied, 0.5, won)
        found = {
            "win rate": (win_rate(outcome, clusters=names.tolist()), 0.8 * 0.6 + 0.1),
            "share": (share(won, clusters=names.tolist()), 0.6),
            "mean": (mean(outcome, clusters=names.tolist()), 0.8 * 0.6 + 0.1),
            "win rate without clusters": (win_rate(outcome), 0.8 * 0.6 + 0.1),
        }
        for name, (estimate, truth) in found.items():
            held[name] += estimate.low <= truth <= estimate.high
    return {name: count / trials for name, count in held.items()}


def corrected(generator: np.random.Generator, trials: int, labels: int) -> dict[str, float]:
    """A judge with sensitivity .9 and specificity .75 on 1,000 items, people on some."""
    held = {"corrected": 0, "rogan_gladen": 0, "human_only": 0, "judge_only": 0}
    for _ in range(trials):
        human = (generator.random(1000) < 0.65).astype(float)
        chance = np.where(human == 1, 0.9, 0.25)
        judge = (generator.random(1000) < chance).astype(float)
        marks = [float(y) if i < labels else None for i, y in enumerate(human)]
        found = correct(judge, marks)
        for name in held:
            estimate = getattr(found, name)
            held[name] += estimate.low is not None and estimate.low <= 0.65 <= estimate.high
    return {name: count / trials for name, count in held.items()}


def false_passes(generator: np.random.Generator, trials: int) -> float:
    """A candidate exactly 5 points worse, at a margin of 5 points: how often a 90% interval lets it pass."""
    passed = 0
    for _ in range(trials):
        first = generator.choice([0, 0.5, 1], p=[0.4, 0.2, 0.4], size=100)
        worse = generator.random(100) < 0.1
        second = np.where(worse, np.minimum(first + 0.5, 1), first)
        margin = 0.1 * 0.6 * 0.5
        noise = generator.choice([-0.5, 0, 0.5], p=[0.15, 0.7, 0.15], size=100)
        shifted = np.clip(first + np.where((first > 0) & (first < 1), noise, 0), 0, 1)
        passed += non_inferior(paired_difference(shifted, second, confidence=0.9), margin) == "pass"
    return passed / trials


def macro(generator: np.random.Generator, trials: int) -> dict[str, float]:
    """22 tasks of 20 samples: the macro average of these tasks, and of tasks like these."""
    held = {"these tasks": 0, "tasks like these": 0}
    fixed = generator.beta(6, 4, size=22)
    for _ in range(trials):
        drawn = generator.beta(6, 4, size=22)
        these = macro_win_rate({str(i): (generator.random(20) < p).astype(float) for i, p in enumerate(fixed)})[0]
        like = macro_win_rate({str(i): (generator.random(20) < p).astype(float) for i, p in enumerate(drawn)})[1]
        held["these tasks"] += these.low <= fixed.mean() <= these.high
        held["tasks like these"] += like.low <= 0.6 <= like.high
    return {name: count / trials for name, count in held.items()}


def bootstrap(generator: np.random.Generator, trials: int) -> float:
    """A ratio over 60 clusters, by the percentile bootstrap."""
    held = 0
    for _ in range(trials):
        pairs = generator.integers(1, 4, size=60).astype(float)
        same = generator.binomial(pairs.astype(int), generator.beta(4, 2, size=60)).astype(float)
        found = bootstrapped(
            np.column_stack([same, pairs]),
            lambda s: s[:, 0] / s[:, 1],
            generator,
            method="ratio",
            resamples=500,
        )
        held += found.low <= 4 / 6 <= found.high
    return held / trials


def main() -> None:
    """Print all coverages."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--trials", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=5)
    options = parser.parse_args()
    generator = np.random.default_rng(options.seed)
    print("clustered, 15 clusters:", clustered(generator, options.trials))
    for labels in (25, 50, 100, 200):
        print(f"corrected judge, {labels} labels:", corrected(generator, options.trials, labels))
    print("macro, 22 tasks of 20:", macro(generator, options.trials // 2))
    print("agreement ratio over 60 items:", bootstrap(generator, options.trials // 2))
    print("gate at its margin, false passes:", false_passes(generator, options.trials))


if __name__ == "__main__":
    main()
