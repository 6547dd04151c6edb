"""How often a candidate is preferred to the reference assistant, with intervals that are right with ties."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
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
    rescaled,
    standard_error,
    t_quantile,
    undefined,
    within,
)
from benchbar.statistics.tango import soft_interval

TANGO = "Tango score interval"


def win_rate(
    outcomes: Values,
    *,
    clusters: Sequence[object] | None = None,
    correction: Correction = "CR2",
    n_missing: int = 0,
    confidence: float = 0.95,
) -> Estimate:
    """The mean outcome: one value a sample, 1 a win of the candidate, 0.5 a tie, 0 a loss, None missing.

    Soft values between (orders averaged to 0.25 or 0.75, a judge's probability) are used as they are, see
    :func:`benchbar.statistics.tango.soft_interval`. ``clusters`` names what each sample was drawn with (a
    source document): the interval then uses the clustered variance and t with the degrees of freedom of the
    ``correction`` (:mod:`benchbar.statistics.clusters`).
    ``n_missing`` adds samples that are not in ``outcomes``. ``standard_error`` is the plug-in SD/sqrt(n),
    or the clustered one.

    Raises:
        BadInputError: an outcome outside 0 to 1, or clusters of another length.
    """
    array = gapped(outcomes, "outcomes")
    within(array, 0, 1, "outcomes")
    # Tango's interval is for wins minus losses; the rate is that difference moved to 0 to 1.
    return rescaled(_signed_mean(2 * array - 1, clusters, n_missing, confidence, correction), 0.5, 0.5)


def paired_difference(
    first: Values,
    second: Values,
    *,
    clusters: Sequence[object] | None = None,
    correction: Correction = "CR2",
    confidence: float = 0.95,
) -> Estimate:
    """The mean of ``first - second`` over samples on which both have a value in 0 to 1.

    Each position is one sample on which two candidates were measured (win, tie or loss against the
    reference, or a point met or not). The interval is Tango's for paired proportions; samples that lack
    either value are missing.
    """
    one, two = gapped(first, "first"), gapped(second, "second")
    if len(one) != len(two):
        raise BadInputError(f"{len(one)} and {len(two)} values; expected one of each per sample")
    within(one, 0, 1, "first")
    within(two, 0, 1, "second")
    return _signed_mean(one - two, clusters, 0, confidence, correction)


def _signed_mean(
    differences: Floats,
    clusters: Sequence[object] | None,
    n_missing: int,
    confidence: float,
    correction: Correction,
) -> Estimate:
    """The mean of values in -1 to 1, NaN where one is missing, with Tango's interval."""
    there = ~np.isnan(differences)
    array = differences[there]
    n_missing += int((~there).sum())
    codes = codes_of(clusters, len(differences))
    if not len(array):
        return undefined(
            "nothing was measured",
            method=TANGO,
            n_missing=n_missing,
            confidence=confidence,
            unit="sample" if codes is None else "cluster",
        )
    if codes is None:
        low, high = soft_interval(array, normal_quantile(confidence))
        return Estimate(
            value=float(array.mean()),
            low=low,
            high=high,
            standard_error=standard_error(array),
            n=len(array),
            n_missing=n_missing,
            method=TANGO,
            confidence=confidence,
        )
    return _clustered(array, codes[there], n_missing, confidence, correction)


def _clustered(array: Floats, codes: Integers, n_missing: int, confidence: float, correction: Correction) -> Estimate:
    found = clustered_error(array, codes, correction)
    if found is None:
        return Estimate(
            value=float(array.mean()),
            n=len(array),
            n_missing=n_missing,
            method=f"{TANGO}, clustered (1 clusters)",
            confidence=confidence,
            reason="one cluster: no interval can be given",
            unit="cluster",
        )
    low, high = soft_interval(array, t_quantile(confidence, found.degrees), found.design_effect)
    return Estimate(
        value=float(array.mean()),
        low=low,
        high=high,
        standard_error=found.standard_error,
        n=len(array),
        n_missing=n_missing,
        method=f"{TANGO}, clustered ({found.clusters} clusters)",
        confidence=confidence,
        unit="cluster",
        design_effect=found.design_effect if correction == "CR2" else UNSET,
    )
