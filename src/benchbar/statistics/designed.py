"""A designed sample: which units to draw, with what chance, and what the drawn ones say of all.

Source: Särndal, Swensson and Wretman, Model Assisted Survey Sampling (1992), sections 3.4 (systematic), 5.6 (ratios) and 8.4
(clusters).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

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
) -> TestResult:
    """Whether the share of yes in the population is another one among the ``later`` units than among those before.

    A test of both weighted shares against one pooled share: counts are scaled to as many units of equal weight, drawn singly,
    as would say no more (Kish's effective n, divided by the design effect of clusters), and compared by the hypergeometric
    distribution with mid-p. Where clusters are few its quantile is read as one of t, with the number of clusters less two.
    Clusters are whole in one of the two, or count once in each.

    Sources: Kish, Survey Sampling (1965), 8.2 and 11.7; Rao and Scott, Biometrics 48 (1992), effective counts; Lancaster,
    JASA 56 (1961), mid-p.
    """
    array, weights = gapped(flags, "flags"), 1 / gapped(chances, "chances")
    late = np.asarray(later, bool)
    codes, count = cluster_codes(clusters), len(array)
    method = "mid-p test of weighted shares on effective counts, clustered"
    if not late.any() or late.all():
        return TestResult(None, count, method, "nothing to compare with")
    # A cluster that reaches into both counts once in each.
    codes = np.unique(2 * codes + late, return_inverse=True)[1]
    groups = int(codes.max()) + 1
    if groups <= 2:
        return TestResult(None, groups, method, "one cluster on each side")
    if array.min() == array.max():
        return TestResult(None, groups, method, "all alike")
    gain = _unequal_by_outcome(array, weights) / _clustering(array, weights, codes)
    sizes, yes = [], []
    for side in (late, ~late):
        total = weights[side].sum()
        size = max(1, round(float(total**2 / (weights[side] ** 2).sum() * gain)))
        sizes.append(size)
        yes.append(round(float((weights[side] * array[side]).sum() / total * size)))
    return TestResult(_two_sided(sizes, yes, groups - 2), groups, method)


SHRINKING = 5
"""Units of average weight that are added to those of each outcome: weights of two failures alone say little."""


def _unequal_by_outcome(array: Floats, weights: Floats) -> float:
    """How many times Kish's effective n both samples are worth, where one outcome was drawn with another chance.

    Kish takes weights to have nothing to do with outcomes. Where all failures are drawn and a tenth of the rest, the share of
    failures is known several times better than that. Taken from both samples together: a week without a failure has no variance
    of its own to show, and a test by it would call every perfect week a change.
    """
    squares, total = float((weights**2).sum()), float(weights.sum())
    share = float((weights * array).sum() / total)
    mean_square, mean = squares / len(weights), total / len(weights)

    def weight_of(outcome: int) -> float:
        own = weights[array == outcome]
        return float(((own**2).sum() + SHRINKING * mean_square) / (own.sum() + SHRINKING * mean))

    return squares / total / (share * weight_of(0) + (1 - share) * weight_of(1))


def _clustering(array: Floats, weights: Floats, codes: Integers) -> float:
    """The design effect of clusters under one pooled share; at least 1, as units alike within clusters make it."""
    parts = weights * (array - (weights * array).sum() / weights.sum())
    return max(1.0, float((np.bincount(codes, weights=parts) ** 2).sum() / (parts**2).sum()))


def _two_sided(sizes: Sequence[int], yes: Sequence[int], degrees: int) -> float:
    from scipy.stats import hypergeom, norm, t

    table = hypergeom(sum(sizes), sum(yes), sizes[0])
    half = table.pmf(yes[0]) / 2
    tail = float(min(table.sf(yes[0]) + half, table.cdf(yes[0] - 1) + half, 0.5))
    return float(min(1.0, 2 * t.sf(norm.isf(tail), degrees)))


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
