"""A confidence sequence for means of values without bounds, such as characters or seconds.

Nothing exact exists where a single value may be arbitrarily large. This one holds at every look from a few dozen values on,
as the t interval does at one look: value +- SD sqrt(2 (n r + 1)/(n^2 r) log(sqrt(n r + 1)/alpha)).

Source: Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, Time-uniform central limit theory and asymptotic confidence
sequences, Annals of Statistics 52 (2024), equation 14.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt

import numpy as np

from benchbar.records import Estimate
from benchbar.statistics.clusters import clustered_error, codes_of, design_effect
from benchbar.statistics.numbers import Values, gapped, standard_error, undefined

METHOD = "asymptotic confidence sequence"
_TIGHTEST = 100
"""Samples at which the interval is narrowest for its length: a usual size of a suite."""


def asymptotic_interval(
    values: Values,
    *,
    clusters: Sequence[object] | None = None,
    confidence: float = 0.95,
    unit: str = "sample",
) -> Estimate:
    """The mean of values of any size with the asymptotic confidence sequence; None is missing and counted.

    With ``clusters`` the error is the clustered one, and clusters are what is counted.

    Below two values, or where all are equal, there is no interval, and the reason says so.
    """
    array = gapped(values)
    known = array[~np.isnan(array)]
    n, n_missing = len(known), len(array) - len(known)
    if not n:
        return undefined("nothing was measured", method=METHOD, n_missing=n_missing, confidence=confidence, unit=unit)
    codes = codes_of(clusters, len(array))
    own = None if codes is None else codes[~np.isnan(array)]
    found = None if own is None else clustered_error(known, own)
    error = standard_error(known) if own is None else found and found.standard_error
    value = float(known.mean())
    half = None if not error else half_width(error, found.clusters if found else n, confidence)
    return Estimate(
        value=value,
        low=None if half is None else value - half,
        high=None if half is None else value + half,
        standard_error=error,
        n=n,
        n_missing=n_missing,
        method=METHOD,
        confidence=confidence,
        reason="" if half is not None else "no spread among the values: no interval can be given",
        unit=unit if own is None else "cluster",
        design_effect=design_effect(known, own),
    )


def half_width(error: float, n: int, confidence: float) -> float:
    """Half of the interval, for a standard error from ``n`` values."""
    alpha = 1 - confidence
    scale = (-2 * log(alpha) + log(-2 * log(alpha) + 1)) / _TIGHTEST
    return error * sqrt(n) * sqrt(2 * (n * scale + 1) / (n * n * scale) * log(sqrt(n * scale + 1) / alpha))
