"""Correlation of two lists of numbers, with an interval that few pairs cannot make narrow."""

from __future__ import annotations

from math import atanh, sqrt, tanh

import numpy as np

from benchbar.records import Estimate
from benchbar.records.errors import BadInputError
from benchbar.statistics.numbers import Floats, Values, gapped, normal_quantile, undefined

SMALLEST = 4
"""Pairs below which Fisher's z has no variance: 1/(n - 3)."""


def pearson(first: Values, second: Values, *, confidence: float = 0.95, unit: str = "pair") -> Estimate:
    """Pearson's r over pairs that have both values; the interval is Fisher's z with SE 1/sqrt(n - 3).

    Source: Fisher, On the "probable error" of a coefficient of correlation deduced from a small sample
    (1921).
    """
    one, two, n_missing = _pairs(first, second)
    return _correlation(one, two, n_missing, "Pearson r, Fisher z interval", confidence, unit, ranked=False)


def spearman(first: Values, second: Values, *, confidence: float = 0.95, unit: str = "pair") -> Estimate:
    """Spearman's rank correlation (mean ranks for ties); Fisher's z with SE sqrt((1 + r^2/2)/(n - 3)).

    Source: Bonett and Wright, Sample size requirements for estimating Pearson, Kendall and Spearman
    correlations (2000).
    """
    one, two, n_missing = _pairs(first, second)
    method = "Spearman rho, Bonett-Wright interval"
    return _correlation(_ranks(one), _ranks(two), n_missing, method, confidence, unit, ranked=True)


def _pairs(first: Values, second: Values) -> tuple[Floats, Floats, int]:
    one, two = gapped(first, "first"), gapped(second, "second")
    if len(one) != len(two):
        raise BadInputError(f"{len(one)} and {len(two)} values; expected pairs")
    both = ~(np.isnan(one) | np.isnan(two))
    return one[both], two[both], int((~both).sum())


def _ranks(values: Floats) -> Floats:
    """Ranks from 1, equal values sharing the mean of theirs."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[inverse], dtype=np.float64)


def _correlation(
    one: Floats, two: Floats, n_missing: int, method: str, confidence: float, unit: str, *, ranked: bool
) -> Estimate:
    n = len(one)
    reason = _why_undefined(one, two)
    if reason:
        return undefined(reason, method=method, n=n, n_missing=n_missing, confidence=confidence, unit=unit)
    a, b = one - one.mean(), two - two.mean()
    r = float(a @ b) / sqrt(float(a @ a) * float(b @ b))
    # Rounding may pass 1, and atanh has no value there.
    r = max(-1.0, min(1.0, r))
    low, high, error = _fisher(r, n, confidence, ranked=ranked)
    return Estimate(
        value=r,
        low=low,
        high=high,
        standard_error=error,
        n=n,
        n_missing=n_missing,
        method=method,
        confidence=confidence,
        reason="" if low is not None else "a perfect correlation: Fisher's z is infinite, no interval",
        unit=unit,
    )


def _why_undefined(one: Floats, two: Floats) -> str:
    if len(one) < SMALLEST:
        return f"{len(one)} pairs; at least {SMALLEST} are needed"
    constant = [name for name, values in (("first", one), ("second", two)) if np.ptp(values) == 0]
    return f"the {' and the '.join(constant)} values are all equal" if constant else ""


def _fisher(r: float, n: int, confidence: float, *, ranked: bool) -> tuple[float | None, float | None, float | None]:
    if abs(r) > 1 - 1e-12:
        return None, None, None
    scale = sqrt((1 + r * r / 2 if ranked else 1.0) / (n - 3))
    half = normal_quantile(confidence) * scale
    return tanh(atanh(r) - half), tanh(atanh(r) + half), (1 - r * r) * scale
