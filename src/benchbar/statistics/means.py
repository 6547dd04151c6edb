"""A mean and its t interval."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET

from benchbar.records import Estimate
from benchbar.statistics.clusters import Correction, clustered_error, codes_of
from benchbar.statistics.numbers import (
    Values,
    gapped,
    standard_error,
    t_quantile,
    undefined,
)


def mean(
    values: Values,
    *,
    clusters: Sequence[object] | None = None,
    correction: Correction = "CR2",
    n_missing: int = 0,
    confidence: float = 0.95,
    unit: str = "sample",
    low: float | None = None,
    high: float | None = None,
) -> Estimate:
    """The mean with Student's t interval, or with the cluster-robust one where ``clusters`` are given.

    ``correction`` is that of :mod:`benchbar.statistics.clusters`.
    ``low`` and ``high`` are the scale's own ends: the interval is cut there. A single value, and values
    that are all equal, have no interval: the reason says so, since a spread of zero in a few values proves
    no certainty.
    """
    array = gapped(values)
    codes = codes_of(clusters, len(array))
    there = array == array  # noqa: PLR0124 - NaN marks what is missing
    known = array[there]
    n_missing += len(array) - len(known)
    method = "mean, t interval" if clusters is None else "mean, cluster-robust t interval"
    if not len(known):
        return undefined("nothing was measured", method=method, n_missing=n_missing, confidence=confidence, unit=unit)
    found = None if codes is None else clustered_error(known, codes[there], correction)
    degrees: float
    if codes is None:
        error, degrees = standard_error(known), len(known) - 1
    else:
        error, degrees = (None, 0) if found is None else (found.standard_error, found.degrees)
        unit = "cluster"
    value = float(known.mean())
    reason = _no_interval(error, degrees)
    # A value without an interval is better than one of width 0, which a gate would take for certainty.
    half = None if reason or error is None else t_quantile(confidence, degrees) * error
    return Estimate(
        value=value,
        low=None if half is None else max(value - half, -float("inf") if low is None else low),
        high=None if half is None else min(value + half, float("inf") if high is None else high),
        standard_error=error,
        n=len(known),
        n_missing=n_missing,
        method=method,
        confidence=confidence,
        reason=reason,
        unit=unit,
        design_effect=found.design_effect if found is not None and correction == "CR2" else UNSET,
    )


def _no_interval(error: float | None, degrees: float) -> str:
    if error is None or degrees < 1:
        return "a single unit: no interval can be given"
    if error == 0:
        return "all values are equal: a t interval would have no width"
    return ""
