"""What money buys: more samples, more trials of each, or more runs of the judge on each trial."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from benchbar.records.errors import BadInputError

MOST = 20
"""Trials, and runs of the judge, that a design may have: what would need more is not worth repeating but mending."""


class Noise(NamedTuple):
    """The variance of what each stage adds to a value."""

    sample: float
    answer: float
    mark: float
    """Of one run of the judge on one trial; where both orders are judged, of the mean of both."""


class Prices(NamedTuple):
    """What one more of each costs, in one currency."""

    sample: float
    """To find, write and check one more question; its trials come on top."""
    answer: float
    """One dialogue with everybody who takes part in it."""
    mark: float
    """One run of the judge on it."""


class Design(NamedTuple):
    """How many of each."""

    samples: int
    trials: int = 1
    runs: int = 1


def error_of(noise: Noise, design: Design) -> float:
    """The standard error of the mean: sqrt((s + (a + m / runs) / trials) / samples) for variances s, a and m.

    Source: Cochran, Sampling Techniques (1977), chapter 10: three stages, from populations without end.
    """
    _check(noise, design)
    return sqrt(_variance(noise, design.trials, design.runs) / design.samples)


def cost_of(prices: Prices, design: Design) -> float:
    """Samples * (c_s + trials * (c_a + runs * c_m))."""
    return design.samples * _cost(prices, design.trials, design.runs)


def best_design(noise: Noise, prices: Prices, budget: float) -> Design | None:
    """The design with the smallest standard error that the budget carries; None where it carries no sample.

    As both the variance times n and the cost by n are free of n, the best trials and runs minimise their product, whatever the
    budget is. Without rounding they are sqrt(a/s * c_s/c_a) and sqrt(m/a * c_a/c_m) (Cochran, the same chapter).
    """
    _check(noise, Design(1))
    found = [
        (_variance(noise, trials, runs) * _cost(prices, trials, runs), Design(int(budget / each), trials, runs))
        for trials in range(1, MOST + 1)
        for runs in range(1, MOST + 1)
        if 0 < (each := _cost(prices, trials, runs)) <= budget
    ]
    return min(found, default=(0.0, None))[1]


def worth_repeating_above(noise: Noise, prices: Prices, design: Design) -> float | None:
    """The price of a sample above which one more trial of each buys more than the same money in samples; None where none does.

    One more trial of n samples costs n * t with t = c_a + runs * c_m. For that, samples of k trials at c_s + k t each lower the
    variance V_k / n by the factor 1 + t / (c_s + k t), and the trial lowers it to V_{k+1} / n. Both are equal at
    c_s = t / (V_k / V_{k+1} - 1) - k t.
    """
    _check(noise, design)
    now, then = (_variance(noise, trials, design.runs) for trials in (design.trials, design.trials + 1))
    if now <= then:
        return None
    each = prices.answer + design.runs * prices.mark
    # At noise.sample = 0 this is 0: a further trial is then as good as a further sample. Rounding may give -1e-17.
    return max(each * (then / (now - then) - design.trials), 0.0)


def _variance(noise: Noise, trials: int, runs: int) -> float:
    return noise.sample + (noise.answer + noise.mark / runs) / trials


def _cost(prices: Prices, trials: int, runs: int) -> float:
    return prices.sample + trials * (prices.answer + runs * prices.mark)


def _check(noise: Noise, design: Design) -> None:
    if min(noise) < 0 or min(design) < 1:
        raise BadInputError(f"{noise}, {design}; expected variances of 0 or more and at least one of each")
