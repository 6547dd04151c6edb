"""Times of the statistics on large input: `python benchmarks/statistics_speed.py`."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from benchbar.statistics import Agreement, macro_win_rate, rank, ratings, win_rate
from benchbar.statistics.resampling import bootstrapped


def timed(name: str, work: Callable[[], object]) -> None:
    """Print how long the work took."""
    start = time.perf_counter()
    work()
    print(f"{time.perf_counter() - start:7.2f} s  {name}")


def matrix(generator: np.random.Generator) -> None:
    """22 tasks x 20 models, 1,100 samples a model, every interval."""
    for _ in range(20):
        outcomes = generator.choice([0, 0.25, 0.5, 0.75, 1.0], size=(22, 50))
        macro_win_rate({str(task): row for task, row in enumerate(outcomes)})
        win_rate(outcomes.reshape(-1))


def cluster_bootstrap(generator: np.random.Generator, clusters: int, *, continuous: bool) -> None:
    """10,000 resamples over 100,000 rows."""
    rows = 100_000
    values = generator.normal(size=rows) if continuous else generator.choice([0, 0.5, 1.0], size=rows)
    codes = generator.integers(0, clusters, size=rows) if clusters < rows else None
    bootstrapped(
        np.column_stack([values, np.ones(rows)]),
        lambda sums: sums[:, 0] / sums[:, 1],
        generator,
        method="mean",
        codes=codes,
        resamples=10_000,
    )


def bradley_terry(generator: np.random.Generator, ties: str) -> None:
    """1,000,000 comparisons of 100 models in 20,000 clusters."""
    count = 1_000_000
    strength = generator.normal(size=100)
    left = generator.integers(0, 100, size=count)
    right = (left + generator.integers(1, 100, size=count)) % 100
    won = generator.random(count) < 1 / (1 + np.exp(strength[right] - strength[left]))
    outcome = np.where(generator.random(count) < 0.2, 0.5, won.astype(float))
    names = np.array([f"m{i}" for i in range(100)])
    clusters = generator.integers(0, 20_000, size=count).tolist()
    timed(
        f"Bradley-Terry ({ties}), 1,000,000 comparisons of 100 models",
        lambda: rank(names[left].tolist(), names[right].tolist(), outcome, clusters=clusters, ties=ties),
    )


def agreement(generator: np.random.Generator) -> None:
    """Every measure of five raters on 20,000 items with 2,000 resamples."""
    columns = {str(i): generator.choice(["a", "b", "tie"], size=20_000).tolist() for i in range(5)}
    measures = Agreement(ratings(columns), generator, tie="tie")
    measures.fleiss_kappa()
    measures.gwet()
    measures.krippendorff_alpha()
    measures.cohen_kappa(0, 1)


def main() -> None:
    """Print all times."""
    generator = np.random.default_rng(1)
    timed("win rates of 22 tasks x 20 models with all intervals", lambda: matrix(generator))
    for clusters in (1_000, 10_000, 100_000):
        for continuous in (False, True):
            kind = "continuous" if continuous else "win, tie, loss"
            timed(
                f"bootstrap, 10,000 resamples, 100,000 rows in {clusters:,} clusters, {kind}",
                lambda c=clusters, k=continuous: cluster_bootstrap(generator, c, continuous=k),
            )
    for ties in ("half", "davidson"):
        bradley_terry(generator, ties)
    timed("agreement of 5 raters on 20,000 items", lambda: agreement(generator))


if __name__ == "__main__":
    main()
