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


class Study(NamedTuple):
    """What is planned: so many samples, in so many clusters, marked so often and by whom."""

    n: int
    """Samples."""
    deviation: float
    """Standard deviation of the true values, or paired differences, over samples."""
    clusters: int | None = None
    """Sources, documents or templates that the samples come from; None where all are independent."""
    correlation: float = 0.0
    """Within a cluster: the share of the variance that lies between clusters."""
    repeats: int = 1
    """Runs of the judge, or raters, for each sample."""
    noise: float = 0.0
    """Standard deviation of one run, or rater, around a sample's true value."""
    validity: float = 1.0
    """Correlation of the marks with what people would say: the effect shrinks by it."""

    @property
    def design_effect(self) -> float:
        """1 + (m - 1) rho for clusters of m samples each (Kish 1965)."""
        return 1.0 if self.clusters is None else 1 + max(self.n / self.clusters - 1, 0.0) * self.correlation

    @property
    def standard_error(self) -> float:
        """Of the mean: true values by their design effect, noise by all marks."""
        return sqrt((self.deviation**2 * self.design_effect + self.noise**2 / self.repeats) / self.n)

    @property
    def degrees(self) -> int:
        """Of t: clusters, or samples, less one."""
        return min(self.n, self.clusters or self.n) - 1


def power_of(study: Study, effect: float, *, level: float = 0.05, tests: int = 1) -> float:
    """The chance that a two-sided t test sees a true effect: the noncentral t beyond its critical values.

    Source: Cohen, Statistical Power Analysis for the Behavioral Sciences (1988), chapter 2.
    """
    _check(0.5, level, tests)
    if study.degrees < 1 or study.standard_error <= 0:
        raise BadInputError("at least two samples, or clusters, and some spread are needed to see anything")
    from scipy.stats import nct, t

    critical = float(t.isf(level / 2 / tests, study.degrees))
    shift = effect * study.validity / study.standard_error
    # Far from 0 scipy's series for the lower tail gives NaN; the tail itself is 0 there.
    below = 0.0 if shift > critical else float(nct.cdf(-critical, study.degrees, shift))
    return float(nct.sf(critical, study.degrees, shift)) + below


def detectable_effect(study: Study, *, power: float = 0.8, level: float = 0.05, tests: int = 1) -> float:
    """The smallest true effect that the t test of the study sees with that power.

    :func:`minimum_detectable_effect` takes the normal distribution in place of t and promises too much below some 30 samples:
    .446 at n = 8 where .520 is right.
    """
    _check(power, level, tests)
    low, high = 0.0, study.standard_error / study.validity
    while power_of(study, high, level=level, tests=tests) < power:
        low, high = high, 2 * high
    # 50 halvings are below the precision of a float.
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if power_of(study, middle, level=level, tests=tests) < power else (low, middle)
    return high


class Price(NamedTuple):
    """What one more unit of a study costs, in one currency."""

    sample: float
    """A dialogue, with everything that every sample needs."""
    mark: float
    """A run of the judge, or a person's mark, on one sample."""


class Plan(NamedTuple):
    """A study that decides, and its cost."""

    study: Study
    cost: float
    power: float


def cheapest_plan(
    study: Study,
    effect: float,
    price: Price,
    *,
    power: float = 0.8,
    level: float = 0.05,
    tests: int = 1,
    most_repeats: int = 10,
    most_samples: int = 100_000,
) -> Plan | None:
    """The cheapest numbers of samples and repeats that see ``effect``; None where even the most would not.

    Clusters grow with the samples, as new samples come from new documents of the same size.
    """
    if price.sample <= 0 or price.mark < 0:
        raise BadInputError(
            f"prices {price.sample} and {price.mark}; expected a positive one of a sample, and no negative one"
        )
    size = study.n / study.clusters if study.clusters else 1.0

    def planned(n: int, repeats: int) -> Study:
        return study._replace(n=n, repeats=repeats, clusters=max(2, round(n / size)) if study.clusters else None)

    def sees(n: int, repeats: int) -> bool:
        return power_of(planned(n, repeats), effect, level=level, tests=tests) >= power

    found: list[Plan] = []
    # Without noise repeats are thrown away.
    for repeats in range(1, (most_repeats if study.noise else 1) + 1):
        if not sees(most_samples, repeats):
            continue
        low, high = 2, most_samples
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if sees(middle, repeats) else (middle + 1, high)
        one = planned(low, repeats)
        cost = low * (price.sample + repeats * price.mark)
        found.append(Plan(one, cost, power_of(one, effect, level=level, tests=tests)))
    return min(found, key=lambda plan: plan.cost, default=None)


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
