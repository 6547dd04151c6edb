"""What every statistic needs first: values set apart from gaps, quantiles, and a way to say "undefined"."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan, cos, exp, gamma, isinf, lgamma, log1p, pi, sin, sqrt
from statistics import NormalDist
from typing import TypeAlias

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from benchbar.records import Estimate
from benchbar.records.errors import BadInputError

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Values: TypeAlias = Sequence[float | None] | Floats
"""Numbers in which None, and nothing else, stands for a missing one."""
FEW = 1000
"""Units up to which sums are quick: importing scipy.special would take a run of usual size longer than they do."""
LEAST_OVERFLOWING = 340
"""Degrees of freedom from which on the gamma function of their half may be too large for a float."""
_RATIO = (1.0, -1 / 8, 1 / 128, 5 / 1024, -21 / 32768, -399 / 262144)
"""Of the expansion of gamma(x + 1/2) / gamma(x) / sqrt(x) in powers of 1/x."""


def gapped(values: Values, name: str = "value") -> Floats:
    """The values as an array in which missing ones are NaN, for use inside a formula and never outside.

    Raises:
        BadInputError: a value is infinite or NaN (a missing one is None).
    """
    # None becomes NaN here; a NaN of the caller's is refused below, so that inside a formula NaN means
    # missing and nothing else.
    array = np.asarray(values, dtype=np.float64).reshape(-1)
    # Looked at only where something is not finite: most lists have no gap, and are checked at array
    # speed.
    given = ~np.isfinite(array)
    if given.any():
        places = np.flatnonzero(given)
        odd = [i for i in places.tolist() if values[i] is not None]
        if odd:
            raise BadInputError(
                f"{array[odd[0]]} at position {odd[0] + 1}; expected a finite number, or None",
                field=name,
            )
    return array


def within(array: Floats, low: float, high: float, name: str) -> None:
    """Refuse values outside ``low`` to ``high``.

    Raises:
        BadInputError: names the first such value and its position.
    """
    outside = np.flatnonzero((array < low) | (array > high))
    if len(outside):
        raise BadInputError(
            f"{array[outside[0]]:g} at position {outside[0] + 1}; expected {low:g} to {high:g}", field=name
        )


def undefined(
    reason: str,
    *,
    method: str,
    n: int = 0,
    n_missing: int = 0,
    confidence: float = 0.95,
    unit: str = "sample",
) -> Estimate:
    """An estimate without a value, which says why."""
    return Estimate(
        value=None, n=n, n_missing=n_missing, method=method, confidence=confidence, reason=reason, unit=unit
    )


def rescaled(estimate: Estimate, scale: float, shift: float = 0.0) -> Estimate:
    """``scale * estimate + shift`` for a positive scale, interval and standard error with it."""

    def moved(value: float | None) -> float | None:
        return None if value is None else scale * value + shift

    error = estimate.standard_error
    return replace(
        estimate,
        value=moved(estimate.value),
        low=moved(estimate.low),
        high=moved(estimate.high),
        standard_error=None if error is None else scale * error,
    )


def sigmoid(values: Floats) -> Floats:
    """The logistic function 1/(1 + exp(-x)); beyond 500 it is 0 or 1 in every digit, and the exponential would overflow."""
    return np.asarray(1 / (1 + np.exp(-np.clip(values, -500, 500))), dtype=np.float64)


def normal_quantile(confidence: float) -> float:
    """The z that leaves (1 - confidence)/2 above it, such as 1.96 for 0.95."""
    if not 0 < confidence < 1:
        raise BadInputError(f"{confidence}; expected a number between 0 and 1", field="confidence")
    return NormalDist().inv_cdf((1 + confidence) / 2)


def t_quantile(confidence: float, degrees: float) -> float:
    """The quantile of Student's t that leaves (1 - confidence)/2 above it."""
    if degrees <= FEW and degrees == int(degrees):
        return _t_of_few(confidence, int(degrees))
    if degrees > 1:
        return normal_quantile(confidence) if isinf(degrees) else _t_between(confidence, degrees)
    from scipy.special import stdtrit

    return float(stdtrit(degrees, (1 + confidence) / 2))


def _t_of_few(confidence: float, degrees: int) -> float:
    """The same by Newton's method; the probability is concave, so that no step from the normal quantile goes too far."""
    # The density's constant by logarithms: the gamma function itself overflows above 340 degrees.
    constant = exp(lgamma((degrees + 1) / 2) - lgamma(degrees / 2)) * 2 / sqrt(degrees * pi)
    t, step = normal_quantile(confidence), 1.0
    # From below each step is positive and the last ones are only rounding: a bound below that would not
    # end.
    while step > t * 1e-13:
        density = constant * (1 + t * t / degrees) ** (-(degrees + 1) / 2)
        step = (confidence - _t_probability(t, degrees)) / density
        t += step
    return t


def _t_probability(t: float, degrees: int) -> float:
    """P(|T| < t) as a finite sum. Source: Abramowitz and Stegun (1964), 26.7.3 and 26.7.4."""
    odd = degrees % 2
    angle = atan(t / sqrt(degrees))
    square = cos(angle) ** 2
    term = cos(angle) if odd else 1.0
    total = 0.0 if degrees == 1 else term
    for k in range(2 + odd, degrees - 1, 2):
        term *= square * (k - 1) / k
        total += term
    return (angle + sin(angle) * total) * 2 / pi if odd else sin(angle) * total


def _t_between(confidence: float, degrees: float) -> float:
    """The quantile for degrees between whole numbers, by the same steps: the incomplete beta function has no finite sum there.

    Source: Abramowitz and Stegun (1964), 26.7.1 with 26.5.4 near the middle and, by 26.5.2, in the tail.
    """
    # Not by logarithms, whose rounding would be seen in the twelfth digit of an interval.
    constant = _gamma_ratio(degrees / 2) * 2 / sqrt(degrees * pi)
    t, step = normal_quantile(confidence), 1.0
    while step > t * 1e-13:
        square = t * t
        # Not as a power: the rounding of its base would be multiplied by the degrees.
        density = constant * exp(-(degrees + 1) / 2 * log1p(square / degrees))
        # Of both series the one whose terms fall by half or more in the end: the other may take a million of them.
        if square <= degrees:
            step = confidence / density - t * _series(square / (degrees + square), (degrees + 1) / 2, 1.5)
        else:
            tail = t / degrees * _series(degrees / (degrees + square), (degrees + 1) / 2, degrees / 2 + 1)
            step = tail - (1 - confidence) / density
        t += step
    return t


def _gamma_ratio(x: float) -> float:
    """gamma(x + 1/2) / gamma(x). Source: DLMF 5.11.13, whose first term left out is below 1e-13 where it is used."""
    if 2 * x < LEAST_OVERFLOWING:
        return gamma(x + 0.5) / gamma(x)
    return sqrt(x) * sum(part / x**power for power, part in enumerate(_RATIO))


def _series(x: float, above: float, below: float) -> float:
    """The sum of (above)_n/(below)_n x^n: Gauss's hypergeometric function of above, 1 and below."""
    term = total = 1.0
    while term > total * 1e-18:
        term *= x * above / below
        total += term
        above += 1
        below += 1
    return total


def standard_error(array: Floats) -> float | None:
    """SD/sqrt(n) with n - 1 in the variance; None below two values."""
    return float(array.std(ddof=1)) / sqrt(len(array)) if len(array) > 1 else None


def cluster_codes(clusters: Sequence[object]) -> Integers:
    """Each unit's cluster as a number from 0, in order of first appearance."""
    # By first appearance and not sorted: names may be of types that cannot be compared.
    codes = {cluster: code for code, cluster in enumerate(dict.fromkeys(clusters))}
    return np.fromiter(map(codes.__getitem__, clusters), dtype=np.int64, count=len(clusters))


def clustered_standard_error(array: Floats, codes: Integers) -> float | None:
    """sqrt(C/(C-1) * sum_c (sum_{i in c}(y_i - mean))^2)/n over C clusters; None for a single cluster.

    Source: Cameron and Miller, A Practitioner's Guide to Cluster-Robust Inference (2015), for a mean.
    """
    # Codes are numbered anew: clusters whose values are all missing would else count as clusters of sum
    # 0.
    totals = np.bincount(np.unique(codes, return_inverse=True)[1], weights=array - array.mean())
    count = len(totals)
    return sqrt(count / (count - 1) * float(totals @ totals)) / len(array) if count > 1 else None
