"""Is a mean of values from 0 to 1 above a threshold, below it, or is more evidence needed - and how much more."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, log, sqrt
from typing import NamedTuple

import numpy as np

from benchbar.records import Estimate
from benchbar.records.errors import BadInputError
from benchbar.statistics.asymptotic import METHOD as ASYMPTOTIC
from benchbar.statistics.asymptotic import half_width
from benchbar.statistics.comparing import Verdict
from benchbar.statistics.further import EVEN, MOST, Further, drift
from benchbar.statistics.means import mean
from benchbar.statistics.numbers import Values, gapped, normal_quantile, t_quantile, undefined, within
from benchbar.statistics.proportions import share, wilson_interval


class ThresholdDecision(NamedTuple):
    """How an estimate stands to a threshold."""

    verdict: Verdict
    more: int | None
    """How many further units like those at hand would decide it; None where it is decided, or no number would."""


def bounded_mean(values: Values, *, confidence: float = 0.95, unit: str = "sample") -> Estimate:
    """The mean of values from 0 to 1 with an interval that is never empty.

    Wilson's for values of 0 and 1; Student's t for others; where all n values are one v, the exact bound on the share b
    of values that may differ, b = 1 - (1 - confidence)^(1/n) (Clopper and Pearson 1934), which leaves the mean between
    v(1 - b) and v(1 - b) + b.

    Raises:
        BadInputError: a value outside 0 to 1.
    """
    array = gapped(values)
    within(array, 0, 1, "value")
    known = array[~np.isnan(array)]
    n_missing = len(array) - len(known)
    if not len(known):
        reason = "nothing was measured"
        return undefined(reason, method="mean", n_missing=n_missing, confidence=confidence, unit=unit)
    if ((known == 0) | (known == 1)).all():
        return share(known, n_missing=n_missing, confidence=confidence, unit=unit)
    if np.ptp(known) > 0:
        return mean(known, n_missing=n_missing, confidence=confidence, unit=unit, low=0, high=1)
    low, high = _constant(float(known[0]), len(known), confidence)
    return Estimate(
        value=float(known[0]),
        low=low,
        high=high,
        standard_error=0.0,
        n=len(known),
        n_missing=n_missing,
        method="equal values, exact bound on the share that may differ",
        confidence=confidence,
        unit=unit,
    )


def _constant(value: float, n: int, confidence: float) -> tuple[float, float]:
    other = 1 - (1 - confidence) ** (1 / n)
    return value * (1 - other), value * (1 - other) + other


def decide_threshold(
    estimate: Estimate, threshold: float, *, at_least: bool = True, minimum_n: int = 1
) -> ThresholdDecision:
    """Whether the whole interval lies on the right side of ``threshold``, on the wrong side, or on both.

    Fewer than ``minimum_n`` units are never enough to pass. They are enough to fail: the interval already says so.
    """
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return ThresholdDecision("insufficient_evidence", max(1, minimum_n - estimate.n))
    side = _side(estimate.low, estimate.high, threshold, at_least=at_least)
    if side == "fail" or (side == "pass" and estimate.n >= minimum_n):
        return ThresholdDecision(side, None)
    least = max(minimum_n - estimate.n, 0)
    # With the fewest allowed the interval may still lie on both sides: whoever pays for samples has to hear of both.
    found = None if side == "pass" else more_needed(estimate, threshold, at_least=at_least)
    more = least if side == "pass" else None if found is None else max(found.more, least)
    return ThresholdDecision("insufficient_evidence", more)


def _side(low: float, high: float, threshold: float, *, at_least: bool) -> Verdict:
    if at_least:
        return "pass" if low >= threshold else "fail" if high < threshold else "insufficient_evidence"
    return "pass" if high <= threshold else "fail" if low > threshold else "insufficient_evidence"


def more_needed(estimate: Estimate, threshold: float, *, at_least: bool = True, power: float = EVEN) -> Further | None:
    """Further units of the same mean and spread after which the interval lies on one side of the threshold, and on which.

    None where the value lies so close to the threshold that ten million units would not tell. ``power`` as in
    :func:`~benchbar.statistics.betting.units_needed`.
    """
    limits = _limits_at(estimate)
    if limits is None:
        return None
    spread = (estimate.standard_error or 0.0) * sqrt(estimate.n)

    def side(n: int) -> Verdict:
        low, high = limits(n)
        unlucky = drift(spread, estimate.n, n, power)
        return _side(low - unlucky, high + unlucky, threshold, at_least=at_least)

    def decided(n: int) -> bool:
        return side(n) != "insufficient_evidence"

    # Looked at first: the search would otherwise climb to it by doubling, only to give up.
    if not decided(MOST):
        return None
    low, high = estimate.n, max(estimate.n, 1)
    while not decided(high):
        low, high = high, min(high * 2, MOST)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if decided(middle) else (middle, high)
    # The caller found it undecided at n, so it takes at least one more, whatever rounding says.
    return Further(max(high - estimate.n, 1), (side(high) == "pass") == at_least)


def _limits_at(estimate: Estimate) -> Callable[[int], tuple[float, float]] | None:
    """The interval as a function of n, all else equal."""
    value, n, confidence = estimate.value, estimate.n, estimate.confidence
    if value is None or estimate.standard_error is None or not n:
        return None
    if estimate.method.startswith("Wilson"):
        return lambda units: wilson_interval(value, units, normal_quantile(confidence))
    if estimate.method.startswith("equal values"):
        return lambda units: _constant(value, units, confidence)
    if estimate.standard_error == 0:  # Tango's interval where no pair differs
        square = normal_quantile(confidence) ** 2
        return lambda units: (value - square / (units + square), value + square / (units + square))
    deviation = estimate.standard_error * sqrt(n)
    if estimate.method == ASYMPTOTIC:

        def at_every_look(units: int) -> tuple[float, float]:
            half = half_width(deviation / sqrt(units), units, confidence)
            return value - half, value + half

        return at_every_look

    def limits(units: int) -> tuple[float, float]:
        half = t_quantile(confidence, max(units - 1, 1)) * deviation / sqrt(units)
        return value - half, value + half

    return limits


def clean_needed(bound: float, *, confidence: float = 0.95) -> int:
    """Units without a single failure after which the failure rate is below ``bound``: ln(1 - confidence)/ln(1 - bound).

    Raises:
        BadInputError: a bound outside 0 to 1.
    """
    if not 0 < bound < 1:
        raise BadInputError(f"{bound}; expected a rate between 0 and 1", field="bound")
    # Rounding must not add a unit where the quotient is whole.
    return ceil(log(1 - confidence) / log(1 - bound) - 1e-9)
