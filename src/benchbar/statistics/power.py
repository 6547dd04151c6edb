"""How much a study can see: detectable effects, samples needed, repeats worth paying, and looks on the
way.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from benchbar.records.errors import BadInputError
from benchbar.statistics.numbers import Floats, gapped

NORMAL = NormalDist()


def outcome_deviation(ties: float = 0.2, rate: float = 0.5) -> float:
    """The standard deviation of win, tie and loss at a win rate and a share of ties."""
    wins = rate - ties / 2
    if not (0 <= ties <= 1 and wins >= 0 and rate + ties / 2 <= 1):
        raise BadInputError(f"a rate of {rate} and {ties} ties cannot be; expected ties/2 <= rate <= 1 - ties/2")
    return sqrt(wins + ties / 4 - rate**2)


def minimum_detectable_effect(
    n: int, deviation: float, *, power: float = 0.8, level: float = 0.05, tests: int = 1
) -> float:
    """(z_{1 - level/(2 tests)} + z_power) SD/sqrt(n): the smallest true effect that is seen with that power.

    ``tests`` divides the level, as Holm's first step does.
    """
    _check(power, level, tests)
    if n < 1 or deviation <= 0:
        raise BadInputError(f"n = {n}, SD = {deviation}; expected n of 1 or more and a positive SD")
    return _quantiles(power, level, tests) * deviation / sqrt(n)


def samples_needed(effect: float, deviation: float, *, power: float = 0.8, level: float = 0.05, tests: int = 1) -> int:
    """The number of samples at which ``effect`` becomes the minimum detectable one."""
    _check(power, level, tests)
    if effect <= 0 or deviation <= 0:
        raise BadInputError(f"effect = {effect}, SD = {deviation}; expected positive numbers")
    # Rounding must not turn exactly 50 samples into 51.
    return ceil((_quantiles(power, level, tests) * deviation / effect) ** 2 - 1e-9)


def _check(power: float, level: float, tests: int) -> None:
    if not (0 < power < 1 and 0 < level < 1 and tests >= 1):
        raise BadInputError(f"power {power}, level {level}, {tests} tests; expected two shares and a count")


def _quantiles(power: float, level: float, tests: int) -> float:
    return NORMAL.inv_cdf(1 - level / 2 / tests) + NORMAL.inv_cdf(power)


class Components(NamedTuple):
    """Variance between samples, and between repeated judgements of one sample."""

    between: float
    within: float


def variance_components(repeats: Sequence[Sequence[float]]) -> Components:
    """The components of a one-way analysis of variance; rows are samples, entries their repeated marks.

    Source: Searle, Casella and McCulloch, Variance Components (1992), unbalanced one-way layout.

    Raises:
        BadInputError: fewer than two samples, or no sample with two marks.
    """
    rows = [gapped(row, "repeats") for row in repeats if len(row)]
    sizes = np.array([len(row) for row in rows])
    total = int(sizes.sum())
    # Variances need two.
    if len(rows) < 2 or total == len(rows):
        raise BadInputError("at least two samples, and two marks of one of them, are needed")
    means = np.array([row.mean() for row in rows])
    grand = float((means * sizes).sum() / total)
    within = sum(float(((row - row.mean()) ** 2).sum()) for row in rows) / (total - len(rows))
    rows_square = float((sizes * (means - grand) ** 2).sum()) / (len(rows) - 1)
    # With unequal numbers of repeats this, and not their mean, makes the estimate unbiased.
    typical = (total - float((sizes**2).sum()) / total) / (len(rows) - 1)
    return Components(max((rows_square - within) / typical, 0.0), within)


def best_repeats(components: Components, *, sample_cost: float, judge_cost: float) -> int | None:
    """k* = sqrt(var_within/var_between * cost_sample/cost_judge), at least 1; None where samples do not
    differ.
    """
    if sample_cost <= 0 or judge_cost <= 0:
        raise BadInputError(f"costs {sample_cost} and {judge_cost}; expected positive numbers")
    # Where samples do not differ no number of repeats is best: each further run only measures the same
    # noise.
    if components.between <= 0:
        return None
    return max(1, round(sqrt(components.within / components.between * sample_cost / judge_cost)))


class InterimAnalysis(NamedTuple):
    """One interim look: stop where |z| reaches the boundary."""

    look: int
    fraction: float
    boundary: float
    level: float
    """The two-sided p-value that |z| at the boundary has."""


def obrien_fleming(looks: int = 4, *, level: float = 0.05) -> list[InterimAnalysis]:
    """Boundaries c sqrt(K/k) for K equally spaced looks with the given two-sided chance of any false stop.

    Source: O'Brien and Fleming, A multiple testing procedure for clinical trials (1979); crossing chances
    by the recursive integration of Armitage, McPherson and Rowe (1969).
    """
    # Nobody looks more often.
    if not 1 <= looks <= 50 or not 0 < level < 1:
        raise BadInputError(f"{looks} looks at level {level}; expected 1 to 50 looks and a share")
    # Holds every constant for up to 50 looks at any level in use; 60 halvings leave rounding.
    low, high = 0.5, 8.0
    for _ in range(60):
        middle = (low + high) / 2
        if _false_stop(middle, looks) > level:
            low = middle
        else:
            high = middle
    return [
        InterimAnalysis(k, k / looks, high * sqrt(looks / k), 2 * NORMAL.cdf(-high * sqrt(looks / k)))
        for k in range(1, looks + 1)
    ]


# 401 points: the four-look boundary agrees with the published 2.024 in all its digits.
def _false_stop(constant: float, looks: int, points: int = 401) -> float:
    """The chance that a sum of K standard normal steps ever leaves +-c sqrt(K)."""
    bound = constant * sqrt(looks)
    grid = np.linspace(-bound, bound, points)
    weights = _simpson(points, grid[1] - grid[0])
    step = np.exp(-((grid[:, None] - grid[None, :]) ** 2) / 2) / sqrt(2 * np.pi)
    density = np.exp(-(grid**2) / 2) / sqrt(2 * np.pi)
    for _ in range(looks - 1):
        density = step @ (weights * density)
    return float(1 - (weights * density).sum())


def _simpson(points: int, width: float) -> Floats:
    weights = np.full(points, 2.0)
    # Simpson's rule needs an odd number of points.
    weights[1::2] = 4.0
    weights[[0, -1]] = 1.0
    return weights * width / 3
