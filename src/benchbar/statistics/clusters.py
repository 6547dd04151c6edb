"""The standard error of a mean of values that were drawn in clusters: samples of one source document, points of one dialogue.

Source: Bell and McCaffrey, Bias reduction in standard errors for linear regression with multi-stage samples, Survey
Methodology 28 (2002); Pustejovsky and Tipton, Small-sample methods for cluster-robust variance estimation, JBES 36 (2018).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Literal, NamedTuple

import numpy as np
from msgspec import UNSET, UnsetType

from benchbar.records.errors import BadInputError
from benchbar.statistics.numbers import Floats, Integers, cluster_codes, clustered_standard_error, standard_error

Correction = Literal["CR1", "CR2"]
"""CR1 multiplies by C/(C-1) and has C - 1 degrees of freedom: right where clusters are of one size. CR2 corrects each cluster
for its own share of the mean and has Satterthwaite's degrees of freedom: right for unequal sizes too, and the same where they
are equal. CR1 remains for what belongs together within a sample, such as the citations of one dialogue."""


class ClusteredError(NamedTuple):
    """What clusters make of the precision of a mean."""

    standard_error: float
    degrees: float
    design_effect: float
    """Clustered over independent variance, at least 1; n over it is the effective number of values."""
    clusters: int


def clustered_error(array: Floats, codes: Integers, correction: Correction = "CR2") -> ClusteredError | None:
    """The clustered standard error of a mean, its degrees of freedom and the design effect; None for a single cluster."""
    shares = np.bincount(np.unique(codes, return_inverse=True)[1]) / len(array)
    count = len(shares)
    error = clustered_standard_error(array, codes) if correction == "CR1" else _cr2(array, codes, shares)
    if error is None:
        return None
    plain = standard_error(array)
    # A ratio below 1 is noise far more often than knowledge: samples of one document are alike, not opposed. Where all
    # values are equal the variance shows nothing, and each cluster counts as one value.
    effect = max((error / plain) ** 2, 1.0) if plain else len(array) / count
    if correction == "CR2" and plain:
        error = max(error, plain)
    return ClusteredError(error, _degrees(shares, correction), effect, count)


def design_effect(array: Floats, codes: Integers | None) -> float | UnsetType:
    """The design effect of clusters; unset where all values are independent, or of a single cluster."""
    found = None if codes is None or not len(array) else clustered_error(array, codes)
    return UNSET if found is None else found.design_effect


def _cr2(array: Floats, codes: Integers, shares: Floats) -> float | None:
    if len(shares) < 2:
        return None
    residuals = np.bincount(np.unique(codes, return_inverse=True)[1], weights=array - array.mean())
    # The mean is drawn towards a cluster by its share p of the values, so that its residual is too small by 1 - p.
    return sqrt(float((residuals**2 / (1 - shares)).sum())) / len(array)


def _degrees(shares: Floats, correction: Correction) -> float:
    """C - 1, or Satterthwaite's: 1 / (sum p_c^2 + sum over pairs of (p_c^2/(1-p_c)) (p_d^2/(1-p_d)))."""
    if correction == "CR1":
        return float(len(shares) - 1)
    parts = shares**2 / (1 - shares)
    # At least 1 for any sizes; rounding must not make it less.
    return max(float(1 / ((shares**2).sum() + parts.sum() ** 2 - (parts**2).sum())), 1.0)


def codes_of(clusters: Sequence[object] | None, n: int) -> Integers | None:
    """Each value's cluster as a number; None where none are named.

    Raises:
        BadInputError: not one cluster for each value.
    """
    if clusters is None:
        return None
    if len(clusters) != n:
        raise BadInputError(f"{len(clusters)} clusters for {n} values; expected one for each")
    return cluster_codes(clusters)
