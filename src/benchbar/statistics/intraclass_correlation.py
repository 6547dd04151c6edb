"""Intraclass correlations: how far raters give the same numbers to the same items."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from benchbar.records import Estimate
from benchbar.statistics.numbers import Floats, undefined


class IntraclassCorrelations(NamedTuple):
    """One-way, absolute agreement and consistency; of one rating, and of the mean of the k raters."""

    one_way: Estimate
    agreement: Estimate
    consistency: Estimate
    one_way_mean: Estimate
    agreement_mean: Estimate
    consistency_mean: Estimate


NAMES = ("ICC(1)", "ICC(A,1)", "ICC(C,1)", "ICC(1,k)", "ICC(A,k)", "ICC(C,k)")


class _Squares(NamedTuple):
    """Mean squares of the two-way table."""

    rows: float
    within: float
    columns: float
    error: float
    n: int
    k: int


def intraclass(table: Floats, *, confidence: float = 0.95) -> IntraclassCorrelations:
    """ICC(1), ICC(A,1), ICC(C,1) and their k-rater forms of items x raters, NaN where a rating is missing.

    Only items that all raters rated are used, the others are counted as missing. Intervals by F
    distributions. Source: McGraw and Wong, Forming inferences about some intraclass correlation
    coefficients (1996).
    """
    # The F intervals hold for a full table alone; a model for gaps would be another estimate.
    complete = table[~np.isnan(table).any(axis=1)]
    n_missing = len(table) - len(complete)
    reason = _why_undefined(complete)
    if reason:
        return IntraclassCorrelations(
            *(
                undefined(reason, method=name, n=len(complete), n_missing=n_missing, confidence=confidence, unit="item")
                for name in NAMES
            )
        )
    squares = _mean_squares(complete)
    single = [rule(squares, confidence) for rule in (_one_way, _agreement, _consistency)]
    means = [tuple(_spearman_brown(value, squares.k) for value in found) for found in single]
    return IntraclassCorrelations(
        *(
            _named(name, found, squares.n, n_missing, confidence)
            for name, found in zip(NAMES, [*single, *means], strict=True)
        )
    )


def _named(name: str, found: tuple[float | None, ...], n: int, n_missing: int, confidence: float) -> Estimate:
    value, low, high = found
    method = f"{name}, F interval"
    if value is None:
        reason = "raters agree less than by chance, or no item differs from another: there is no reliability"
        return undefined(reason, method=method, n=n, n_missing=n_missing, confidence=confidence, unit="item")
    bounded = low is not None and high is not None
    return Estimate(
        value=value,
        low=low if bounded else None,
        high=high if bounded else None,
        n=n,
        n_missing=n_missing,
        method=method,
        confidence=confidence,
        reason="" if bounded else "no error variance, or a limit outside the scale: no interval can be given",
        unit="item",
    )


def _why_undefined(table: Floats) -> str:
    # Variances need two.
    if len(table) < 2 or table.shape[1] < 2:
        return f"{len(table)} items rated by all of {table.shape[1]} raters; at least 2 of each are needed"
    return "all ratings are equal: there is no variance to share out" if np.ptp(table) == 0 else ""


def _mean_squares(table: Floats) -> _Squares:
    n, k = table.shape
    grand = table.mean()
    rows = k * float(((table.mean(axis=1) - grand) ** 2).sum())
    columns = n * float(((table.mean(axis=0) - grand) ** 2).sum())
    total = float(((table - grand) ** 2).sum())
    # A difference of large sums: rounding may leave it just below 0.
    error = max(total - rows - columns, 0.0)
    return _Squares(
        rows=rows / (n - 1),
        within=(total - rows) / (n * (k - 1)),
        columns=columns / (k - 1),
        error=error / ((n - 1) * (k - 1)),
        n=n,
        k=k,
    )


_Found = tuple[float | None, float | None, float | None]


def _one_way(s: _Squares, confidence: float) -> _Found:
    return _ratio_form(s.rows, s.within, s.n - 1, s.n * (s.k - 1), s.k, confidence)


def _consistency(s: _Squares, confidence: float) -> _Found:
    return _ratio_form(s.rows, s.error, s.n - 1, (s.n - 1) * (s.k - 1), s.k, confidence)


def _ratio_form(rows: float, error: float, first: float, second: float, k: int, confidence: float) -> _Found:
    total = rows + (k - 1) * error
    # Raters who differ by the same step on every item leave neither error nor a difference between items.
    if total <= 0:
        return None, None, None
    value = (rows - error) / total
    if error <= 0:
        return value, None, None
    ratio = rows / error
    low = ratio / _f_quantile(confidence, first, second)
    high = ratio * _f_quantile(confidence, second, first)
    return value, (low - 1) / (low + k - 1), (high - 1) / (high + k - 1)


def _agreement(s: _Squares, confidence: float) -> _Found:
    """Satterthwaite's degrees of freedom stand for the mixture of the columns' and the error's variance."""
    n, k = s.n, s.k
    total = s.rows + (k - 1) * s.error + k / n * (s.columns - s.error)
    # Two raters who rank two items in opposite order may estimate the whole variance as nothing or less.
    if total <= 0:
        return None, None, None
    value = (s.rows - s.error) / total
    if s.error <= 0 or value >= 1:
        return value, None, None
    a = k * value / (n * (1 - value))
    b = 1 + k * value * (n - 1) / (n * (1 - value))
    mixture = (a * s.columns) ** 2 / (k - 1) + (b * s.error) ** 2 / ((n - 1) * (k - 1))
    degrees = (a * s.columns + b * s.error) ** 2 / mixture
    rest = k * s.columns + (k * n - k - n) * s.error
    upper = _f_quantile(confidence, n - 1, degrees)
    lower = _f_quantile(confidence, degrees, n - 1)
    low = n * (s.rows - upper * s.error) / (upper * rest + n * s.rows)
    high = n * (lower * s.rows - s.error) / (rest + n * lower * s.rows)
    return value, low, high


def _f_quantile(confidence: float, first: float, second: float) -> float:
    from scipy.special import fdtri

    return float(fdtri(first, second, (1 + confidence) / 2))


def _spearman_brown(value: float | None, k: int) -> float | None:
    """The reliability of the mean of k ratings, each with reliability ``value``."""
    if value is None or 1 + (k - 1) * value <= 0:
        return None
    return k * value / (1 + (k - 1) * value)
