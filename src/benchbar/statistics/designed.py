"""A designed sample: which units to draw, with what chance, and what the drawn ones say of all.

Source: Särndal, Swensson and Wretman, Model Assisted Survey Sampling (1992), sections 3.4 (systematic), 5.6 (ratios) and 8.4
(clusters).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from benchbar.records import Estimate
from benchbar.records.errors import BadInputError
from benchbar.statistics.comparing import TestResult
from benchbar.statistics.numbers import Floats, Integers, Values, cluster_codes, gapped, t_quantile, undefined
from benchbar.statistics.proportions import wilson_interval

METHOD = "weighted share, Wilson interval of a stratified sample of clusters"


class Drawn(NamedTuple):
    """A draw without replacement."""

    chance: float
    """Of every unit, drawn or not."""
    chosen: list[int]
    """Positions of the drawn units, in random order."""


def stratified_draw(strata: Sequence[Hashable], size: int, generator: np.random.Generator) -> Drawn:
    """``size`` units, from each stratum in proportion to its units, or all where there are no more.

    Systematic: the units are put in order of their strata, at random within each, and every N/size-th is taken from a random
    start. So each unit has the same chance, size/N, also where there are more strata than units to draw, and no stratum has
    more or fewer than its share by one unit.

    Raises:
        BadInputError: a size below 1.
    """
    if size < 1:
        raise BadInputError(f"{size}; expected at least 1", field="size")
    count = min(size, len(strata))
    if not count:
        return Drawn(0.0, [])
    ranks = {stratum: rank for rank, stratum in enumerate(dict.fromkeys(strata))}
    shuffled = generator.permutation(len(strata)).tolist()
    ordered = sorted(shuffled, key=lambda place: ranks[strata[place]])
    start = generator.random()
    # The last place may fall on N by rounding alone.
    taken = [ordered[min(int((start + step) * len(strata) / count), len(strata) - 1)] for step in range(count)]
    return Drawn(count / len(strata), [taken[place] for place in generator.permutation(count).tolist()])


def designed_share(
    flags: Values | Sequence[bool | None],
    chances: Sequence[float],
    *,
    clusters: Sequence[object],
    strata: Sequence[object] | None = None,
    confidence: float = 0.95,
    unit: str = "cluster",
) -> Estimate:
    """The share of yes in the population that the units were drawn from; None is missing.

    ``chances`` are the recorded chances of being drawn: sum(y/pi)/sum(1/pi). Its variance is that of a ratio under
    stratified clusters, without a correction for how much of the population was drawn: the figure is to hold for further
    dialogues too. The interval is Wilson's with n divided by the design effect, and t in the place of z. With equal chances
    and one stratum it is that of :func:`~benchbar.statistics.share` with clusters.

    Raises:
        BadInputError: lists of different lengths, a flag other than 0 and 1, or a chance that is none.
    """
    array, pi = gapped(flags, "flags"), gapped(chances, "chances")
    names = strata if strata is not None else [0] * len(array)
    if len({len(array), len(pi), len(clusters), len(names)}) != 1:
        raise BadInputError("expected one flag, chance, cluster and stratum for each unit")
    if not ((pi > 0) & (pi <= 1)).all():
        raise BadInputError("a chance was not above 0 and at most 1", field="chances")
    there = ~np.isnan(array)
    known, weights = array[there], 1 / pi[there]
    if ((known != 0) & (known != 1)).any():
        raise BadInputError("expected 0 or 1 (False or True), or None where it is missing", field="flags")
    missing = int((~there).sum())
    if not len(known):
        return undefined("nothing was measured", method=METHOD, n_missing=missing, confidence=confidence, unit=unit)
    value = float((weights * known).sum() / weights.sum())
    codes, of_stratum = cluster_codes(clusters)[there], cluster_codes(names)[there]
    variance, degrees, count = _variance(weights * (known - value) / weights.sum(), codes, of_stratum)
    found = Estimate(value=value, n=len(known), n_missing=missing, method=METHOD, confidence=confidence, unit=unit)
    if degrees < 1:
        return replace(found, reason="one cluster: no interval can be given")
    # Clusters count as single values where all flags are equal: their variance shows nothing then.
    effective = value * (1 - value) / variance if variance > 0 else float(count)
    low, high = wilson_interval(value, min(effective, float(len(known))), t_quantile(confidence, degrees))
    return replace(found, low=low, high=high, standard_error=variance**0.5)


def designed_change(
    flags: Sequence[bool],
    chances: Sequence[float],
    *,
    clusters: Sequence[object],
    later: Sequence[bool],
    generator: np.random.Generator,
) -> TestResult:
    """Whether the share of yes in the population is another one among the ``later`` units than among those before.

    A permutation test: which clusters are the later ones is drawn anew, and the difference of both weighted shares is held against
    those of the drawings, each divided by its standard error under one pooled share. Where nothing changes, neither shares nor how units
    are drawn, every drawing is as likely as what was seen, so that the test keeps its level whatever weights and clusters are. Drawing
    ends at the twentieth difference that is as large, so that a quiet week costs little. Clusters are whole in one of the two, or
    count once in each.

    Sources: Besag and Clifford, Biometrika 78 (1991), sequential p-values; Kish, Survey Sampling (1965), 8.2, unequal weights.
    """
    array, weights = gapped(flags, "flags"), 1 / gapped(chances, "chances")
    late = np.asarray(later, bool)
    method = "permutation test of weighted shares, clustered"
    if not late.any() or late.all():
        return TestResult(None, len(array), method, "nothing to compare with")
    # A cluster that reaches into both counts once in each.
    names, codes = np.unique(2 * cluster_codes(clusters) + late, return_inverse=True)
    if len(names) <= 2:
        return TestResult(None, len(names), method, "one cluster on each side")
    if array.min() == array.max():
        return TestResult(None, len(names), method, "all alike")
    pooled = (weights * array).sum() / weights.sum()
    totals, gaps = np.bincount(codes, weights), np.bincount(codes, weights * (array - pooled))
    parts = np.column_stack([totals, gaps, totals**2])
    return TestResult(_permuted(parts, names % 2 == 1, generator), len(names), method)


LARGE_ENOUGH, MOST_DRAWN = 20, 50_000
"""Differences as large as the one seen at which drawing ends, and drawings after which it does in any case: enough for a thousand
weeks and measures, of which the first has to be below 0.05 in a thousand."""
AT_ONCE = 2_000_000
"""Numbers held in memory."""


def _permuted(parts: Floats, late: NDArray[np.bool_], generator: np.random.Generator) -> float:
    """The p-value of the clusters called late; ``parts`` are each cluster's weight, its gap from the pooled share, the squared weight."""
    size, every = int(late.sum()), parts.sum(axis=0)
    # Whatever the shares are, a hair less: sums in another order differ in their last digit.
    seen = float(_squared(parts[late].sum(axis=0), every)) * (1 - 1e-9)
    # Clusters of one kind are told apart by nobody: how many of each kind are drawn is all that counts.
    kinds, counts = np.unique(parts, axis=0, return_counts=True)
    large, drawn, count = 0, 0, LARGE_ENOUGH
    while large < LARGE_ENOUGH and drawn < MOST_DRAWN:
        # Half of all drawings are as large where nothing changed: the first ones are few.
        count = min(4 * count, max(1, AT_ONCE // len(kinds)), MOST_DRAWN - drawn)
        sums = generator.multivariate_hypergeometric(counts, size, count, method="marginals") @ kinds
        so_far = large + np.cumsum(_squared(sums.T, every) >= seen)
        if so_far[-1] >= LARGE_ENOUGH:
            return LARGE_ENOUGH / (drawn + int(np.searchsorted(so_far, LARGE_ENOUGH)) + 1)
        large, drawn = int(so_far[-1]), drawn + count
    return (large + 1) / (drawn + 1)


def _squared(late: Floats, every: Floats) -> Floats:
    """The squared difference of two shares over what its variance is in proportion to, from the sums of the later clusters and of all."""
    (weight, gap, square), (all_weight, _, all_square) = late, every
    before = all_weight - weight
    variance = square / weight**2 + (all_square - square) / before**2
    # The gaps of both sides sum to nothing, so that one side's tells the difference.
    return np.asarray((gap * (1 / weight + 1 / before)) ** 2 / variance)


def _variance(parts: Floats, clusters: Integers, strata: Integers) -> tuple[float, int, int]:
    """Variance of the sum of parts, its degrees of freedom and the number of clusters.

    A stratum with a single cluster has no variance of its own to show: all such strata are taken as one (collapsed strata),
    which makes the variance too large rather than too small.
    """
    found, first = np.unique(clusters, return_index=True)
    sums = np.bincount(np.searchsorted(found, clusters), weights=parts)
    of = strata[first]
    alone = [stratum for stratum in np.unique(of) if (of == stratum).sum() == 1]
    of = np.where(np.isin(of, alone), -1, of)
    variance, groups = 0.0, np.unique(of)
    for group in groups:
        own = sums[of == group]
        # A last single one is held against 0, the mean of all parts.
        spread = own - own.mean() if len(own) > 1 else own
        variance += float((spread**2).sum()) * len(own) / max(len(own) - 1, 1)
    return variance, len(sums) - len(groups), len(sums)
