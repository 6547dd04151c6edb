"""How often the gate passes what stands exactly at its threshold, however often it is looked at; and what that costs.

20,000 runs a cell; Monte Carlo errors are those of a share. Student's t (or the t interval of the difference estimator, with
marks) is looked at just as often. The results are in docs/results-gate.md.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from math import comb, log, sqrt

import numpy as np
from numpy.typing import NDArray

from benchbar.statistics.betting import _BETS as BETS
from benchbar.statistics.betting import STEPS
from benchbar.statistics.numbers import t_quantile

Floats = NDArray[np.float64]
RUNS, CHUNK = 20_000, 1_000
GOAL = 40.0
"""2/alpha at 95%: a wrong pass may have a chance of 2.5%."""
FIRST = 30


def skewed(mean: float) -> tuple[Floats, Floats]:
    """Levels and their chances: .97 to 1 with rare zeros."""
    zero = 1 - mean / 0.985
    return np.array([0, 0.97, 0.98, 0.99, 1.0]), np.array([zero, *[(1 - zero) / 4] * 4])


def spread(mean: float) -> tuple[Floats, Floats]:
    """Grades in steps of 5 points around the mean, where t is right."""
    k = np.arange(21)
    return k / 20, np.array([comb(20, int(i)) * mean**i * (1 - mean) ** (20 - i) for i in k])


def binary(mean: float) -> tuple[Floats, Floats]:
    """Zeros and ones."""
    return np.array([0.0, 1.0]), np.array([1 - mean, mean])


SHAPES = {"rare zeros": skewed, "grades": spread, "yes and no": binary}


def drawn(generator: np.random.Generator, chances: Floats, shape: tuple[int, int]) -> NDArray[np.int64]:
    """The number of the level of each value."""
    edges = np.cumsum(chances)
    return np.minimum(np.searchsorted(edges, generator.random(shape) * edges[-1], side="right"), len(edges) - 1)


def capitals(places: NDArray[np.int64], levels: Floats, mean: float) -> Iterator[tuple[int, Floats]]:
    """After each value, the capital of every run that bets the mean to lie above ``mean``."""
    # A product and no sum of logarithms: five times as fast, and an overflow is far above any goal.
    factors = 1 - BETS + BETS * (np.floor(levels * STEPS) / STEPS)[:, None] / mean
    capital = np.ones((len(places), len(BETS)))
    for n in range(places.shape[1]):
        capital *= factors[places[:, n]]
        yield n + 1, capital.mean(axis=1)


def t_lower(values: Floats) -> Floats:
    """The lower end of the t interval after each value."""
    n = np.arange(1, values.shape[1] + 1)
    mean = np.cumsum(values, axis=1) / n
    variance = np.maximum(np.cumsum(values**2, axis=1) - n * mean**2, 0) / np.maximum(n - 1, 1)
    quantile = np.array([t_quantile(0.95, max(k - 1, 1)) for k in n])
    # As the gate did: without spread there is no t interval, and the exact one of equal values passes hardly ever.
    return np.where(variance > 1e-12, mean - quantile * np.sqrt(variance / n), 0.0)


def shown(share: float, runs: int = RUNS) -> str:
    """A share in percent with its Monte Carlo error."""
    return f"{100 * share:5.2f} ± {100 * sqrt(share * (1 - share) / runs):.2f}"


def every_sample(n: int) -> None:
    """Wrong passes and wrong fails where each of ``n`` samples is followed by a look, from the 30th on."""
    print(f"\nlooked at after every sample, 30 to {n}; truth at the threshold; % of runs ever passed (nominal 2.5)")
    print("| values | threshold | betting: pass | betting: fail | t: pass |\n| --- | --- | --- | --- | --- |")
    for name, shape in SHAPES.items():
        for threshold in (0.80, 0.90, 0.95):
            generator = np.random.default_rng([n, round(100 * threshold), len(name)])
            passed = failed = by_t = 0
            levels, chances = shape(threshold)
            for _ in range(RUNS // CHUNK):
                places = drawn(generator, chances, (CHUNK, n))
                for given, mean in ((levels, threshold), (1 - levels, 1 - threshold)):
                    ever = np.zeros(CHUNK, dtype=bool)
                    for k, capital in capitals(places, given, mean):
                        if k >= FIRST:
                            ever |= capital >= GOAL
                    passed, failed = (
                        (passed + ever.sum(), failed) if mean == threshold else (passed, failed + ever.sum())
                    )
                by_t += (t_lower(levels[places])[:, FIRST - 1 :] >= threshold).any(axis=1).sum()
            cells = " | ".join(shown(x / RUNS) for x in (passed, failed, by_t))
            print(f"| {name} | {threshold:.2f} | {cells} |", flush=True)


def bound(counts: Floats, n: int, goal: float) -> Floats:
    """The lower bound of a share, for how many of ``n`` were yes: worked out once for each number."""
    low, high = np.zeros(n + 1), np.arange(n + 1) / n
    yes = np.arange(n + 1)[:, None]
    for _ in range(30):
        middle = np.maximum((low + high) / 2, 1e-12)
        grown = yes * np.log(1 - BETS + BETS / middle[:, None]) + (n - yes) * np.log(1 - BETS)
        most = grown.max(axis=1)
        reached = most + np.log(np.exp(grown - most[:, None]).mean(axis=1)) >= goal
        low, high = np.where(reached, middle, low), np.where(reached, high, middle)
    return low[counts.astype(int)]


JUDGES = {"good": (0.98, 0.2), "lenient": (0.98, 0.6), "coin": (0.9, 0.9)}
"""The chance that the judge says yes where people do, and where they do not."""


def adding_marks(waves: tuple[int, ...], title: str) -> None:
    """People's mean at the threshold; a look after each mark, of half the samples of each wave, in random order."""
    print(f"\n{title}; % of runs ever passed (nominal 2.5)")
    print("| judge | threshold | betting | t of the difference estimator |\n| --- | --- | --- | --- |")
    for judge, (yes, no) in JUDGES.items():
        for threshold in (0.80, 0.90):
            generator = np.random.default_rng([len(waves), round(100 * threshold), len(judge)])
            total = [0, 0]
            for _ in range(RUNS // CHUNK):
                y = (generator.random((CHUNK, waves[-1])) < threshold).astype(np.float64)
                f = (generator.random(y.shape) < np.where(y == 1, yes, no)).astype(np.float64)
                bets, t = _marked_wave(y, f, waves, threshold)
                total = [total[0] + bets, total[1] + t]
            print(f"| {judge} | {threshold:.2f} | {shown(total[0] / RUNS)} | {shown(total[1] / RUNS)} |", flush=True)


def _marked_wave(y: Floats, f: Floats, waves: tuple[int, ...], threshold: float) -> tuple[int, int]:
    """How many runs pass at some look, by bets and by t. Every second sample is marked, in the order of the samples: they
    are drawn independently, so any order is random.
    """
    alpha = 0.025
    said, errors = y[:, ::2].astype(int), (y - f)[:, ::2]
    placed = (errors + 1).astype(int)
    passed, by_t, begun = np.zeros(len(y), bool), np.zeros(len(y), bool), 0
    rows, people = np.arange(len(y)), np.ones((len(y), len(BETS)))
    of_people = np.stack([1 - BETS, 1 - BETS + BETS / threshold])
    for n in waves:
        low = bound(f[:, :n].sum(axis=1), n, log(4 / alpha))
        # The errors have to make up for what the automatic values leave; their mean is shifted by 1, as its floor is -1.
        wanted = np.maximum(threshold - low + 1, 1e-9)
        factors = 1 - BETS + BETS * np.arange(3)[None, :, None] / wanted[:, None, None]
        counts = np.stack([(placed[:, :begun] == level).sum(axis=1) for level in range(3)], axis=1)
        of_errors = np.exp(np.einsum("rl,rlb->rb", counts, np.log(factors)))
        mean_f, spread_f = f[:, :n].mean(axis=1), f[:, :n].var(axis=1, ddof=1) / n
        for k in range(begun + 1, (n + 1) // 2 + 1):
            people *= of_people[said[:, k - 1]]
            of_errors *= factors[rows, placed[:, k - 1]]
            passed |= (people.mean(axis=1) >= 2 / alpha) | (of_errors.mean(axis=1) >= 4 / alpha)
            if k >= 10:
                mean_e, spread_e = errors[:, :k].mean(axis=1), errors[:, :k].var(axis=1, ddof=1) / k
                by_t |= mean_f + mean_e - t_quantile(0.95, k - 1) * np.sqrt(spread_f + spread_e) >= threshold
        begun = (n + 1) // 2
    return int(passed.sum()), int(by_t.sum())


def releases(count: int) -> None:
    """Many releases under one policy, all exactly at the threshold, each looked at after every one of 200 samples."""
    print(f"\n{count} releases in a row, all at the threshold, yes and no, looked at after every sample, 30 to 200")
    print("| threshold | any wrong pass, record % | any wrong pass, each alone % |\n| --- | --- | --- |")
    for threshold in (0.80, 0.90, 0.95):
        generator = np.random.default_rng([count, round(100 * threshold)])
        levels, chances = binary(threshold)
        with_record = alone = 0
        for _ in range(RUNS // CHUNK):
            passes, ever, single = np.zeros(CHUNK), np.zeros(CHUNK, bool), np.zeros(CHUNK, bool)
            for number in range(1, count + 1):
                level = 0.05 * (passes + 1) / (number * (number + 1))
                best = np.zeros(CHUNK)
                for k, capital in capitals(drawn(generator, chances, (CHUNK, 200)), levels, threshold):
                    best = np.maximum(best, capital) if k >= FIRST else best
                wrong = best >= 1 / level
                passes, ever, single = passes + wrong, ever | wrong, single | (best >= GOAL)
            with_record, alone = with_record + ever.sum(), alone + single.sum()
        print(f"| {threshold:.2f} | {shown(with_record / RUNS)} | {shown(alone / RUNS)} |", flush=True)


def power() -> None:
    """Samples for a pass with 80% chance at a single look, and the median at which a gate that is followed passes."""
    print("\nsamples for 80% power at one look, and the median look at which a followed gate passes")
    print("| values | threshold | truth | t | betting | ratio | betting, followed: median |\n" + "| --- " * 7 + "|")
    for name in ("grades", "yes and no"):
        for threshold, truth in ((0.80, 0.85), (0.80, 0.90), (0.85, 0.90), (0.90, 0.95)):
            generator = np.random.default_rng([round(100 * truth), round(100 * threshold), len(name)])
            most = 1500
            levels, chances = SHAPES[name](truth)
            by_bets, by_t, first = np.zeros(most), np.zeros(most), []
            for _ in range(RUNS // CHUNK):
                places = drawn(generator, chances, (CHUNK, most))
                by_t += (t_lower(levels[places]) >= threshold).sum(axis=0)
                when = np.full(CHUNK, np.inf)
                for k, capital in capitals(places, levels, threshold):
                    reached = capital >= GOAL
                    by_bets[k - 1] += reached.sum()
                    when = np.where(reached & (k >= FIRST) & np.isinf(when), k, when)
                first.append(when)
            needed = [_first_above(found / RUNS) for found in (by_t, by_bets)]
            ratio = "" if None in needed else f"{needed[1] / needed[0]:.2f}"
            print(
                f"| {name} | {threshold:.2f} | {truth:.2f} | {needed[0]} | {needed[1]} | {ratio}"
                f" | {np.median(np.concatenate(first)):.0f} |",
                flush=True,
            )


def _first_above(shares: Floats) -> int | None:
    """The first n from 10 on from which the power stays at 80%."""
    good = shares >= 0.8
    stays = np.flatnonzero(~good[9:])
    n = 10 + (int(stays[-1]) + 1 if len(stays) else 0)
    return n if n <= len(shares) else None


PARTS = {
    "samples": lambda: every_sample(300),
    "marks": lambda: adding_marks((300,), "300 samples, a look after each of 150 marks"),
    "both": lambda: adding_marks(
        tuple(range(50, 501, 50)), "ten waves of 50 samples, each half marked, a look after each mark"
    ),
    "releases": lambda: releases(12),
    "power": power,
}


def main() -> None:
    """Print the parts that are named, or all."""
    for name in sys.argv[1:] or PARTS:
        PARTS[name]()


if __name__ == "__main__":
    main()
