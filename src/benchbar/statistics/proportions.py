"""Shares of yes among yes and no: coverage, parse rates, failure rates."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from msgspec import UNSET

from benchbar.records import Estimate
from benchbar.records.errors import BadInputError
from benchbar.statistics.clusters import Correction, clustered_error, codes_of
from benchbar.statistics.numbers import (
    Floats,
    Integers,
    Values,
    gapped,
    normal_quantile,
    t_quantile,
    undefined,
)

WILSON = "Wilson score interval"


def proportion(
    successes: int,
    n: int,
    *,
    n_missing: int = 0,
    confidence: float = 0.95,
    unit: str = "sample",
) -> Estimate:
    """``successes / n`` with Wilson's score interval.

    Source: Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927).

    Raises:
        BadInputError: a negative count, or more successes than units.
    """
    if not 0 <= successes <= n:
        raise BadInputError(f"{successes} of {n}; expected a count between 0 and n", field="successes")
    if n == 0:
        return undefined("nothing was measured", method=WILSON, n_missing=n_missing, confidence=confidence, unit=unit)
    value = successes / n
    low, high = wilson_interval(value, n, normal_quantile(confidence))
    return Estimate(
        value=value,
        low=low,
        high=high,
        standard_error=sqrt(value * (1 - value) / n),
        n=n,
        n_missing=n_missing,
        method=WILSON,
        confidence=confidence,
        unit=unit,
    )


def share(
    flags: Values | Sequence[bool | None],
    *,
    clusters: Sequence[object] | None = None,
    correction: Correction = "CR2",
    n_missing: int = 0,
    confidence: float = 0.95,
    unit: str = "sample",
) -> Estimate:
    """The share of 1 (True) among values of 0 and 1; None is missing.

    With ``clusters`` (points of one dialogue, dialogues of one document) Wilson's interval is computed from
    n divided by the design effect, with t in the place of z; ``correction`` is that of
    :mod:`benchbar.statistics.clusters`.
    """
    array = gapped(flags, "flags")
    there = array == array  # noqa: PLR0124 - NaN marks what is missing
    known = array[there]
    if ((known != 0) & (known != 1)).any():
        raise BadInputError("expected 0 or 1 (False or True), or None where it is missing", field="flags")
    n_missing += len(array) - len(known)
    found = proportion(int(known.sum()), len(known), n_missing=n_missing, confidence=confidence, unit=unit)
    codes = codes_of(clusters, len(array))
    if codes is None or found.value is None:
        return found
    return _clustered(known, codes[there], n_missing, confidence, correction)


def _clustered(known: Floats, codes: Integers, n_missing: int, confidence: float, correction: Correction) -> Estimate:
    n, value = len(known), float(known.mean())
    found = clustered_error(known, codes, correction)
    if found is None:
        return Estimate(
            value=value,
            n=n,
            n_missing=n_missing,
            method=f"{WILSON}, clustered (1 clusters)",
            confidence=confidence,
            reason="one cluster: no interval can be given",
            unit="cluster",
        )
    effect = found.design_effect
    if correction == "CR1":
        # The variance of a share with n, not n - 1, in it: figures of stored runs rest on it.
        plain = sqrt(value * (1 - value) / n)
        effect = max((found.standard_error / plain) ** 2, 1.0) if plain else n / found.clusters
    # t in the place of z: the design effect is itself estimated, from as few as two clusters.
    low, high = wilson_interval(value, n / effect, t_quantile(confidence, found.degrees))
    return Estimate(
        value=value,
        low=low,
        high=high,
        standard_error=found.standard_error,
        n=n,
        n_missing=n_missing,
        method=f"{WILSON}, clustered ({found.clusters} clusters)",
        confidence=confidence,
        unit="cluster",
        design_effect=effect if correction == "CR2" else UNSET,
    )


def wilson_interval(value: float, n: float, z: float) -> tuple[float, float]:
    """The score limits of a share ``value`` of ``n`` units, which may be an effective, fractional number."""
    centre = (value + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(value * (1 - value) / n + z * z / (4 * n * n))
    # Rounding would leave 3e-18 where the limit is 0, and a reader would be shown the least number above it.
    return (max(centre - half, 0.0) if value > 0 else 0.0), (min(centre + half, 1.0) if value < 1 else 1.0)


def upper_bound_of_failures(failures: int, n: int, *, confidence: float = 0.95) -> Estimate:
    """The exact one-sided upper bound on a failure rate (Clopper and Pearson 1934): 0 of 60 bounds it at
    4.9%.
    """
    from scipy.special import betaincinv

    method = "Clopper-Pearson one-sided upper bound"
    if not 0 <= failures <= n:
        raise BadInputError(f"{failures} of {n}; expected a count between 0 and n", field="failures")
    if n == 0:
        return undefined("nothing was measured", method=method, confidence=confidence)
    # The beta quantile has a parameter of 0 there.
    high = 1.0 if failures == n else float(betaincinv(failures + 1, n - failures, confidence))
    return Estimate(value=failures / n, low=0.0, high=high, n=n, method=method, confidence=confidence)
