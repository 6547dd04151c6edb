"""The cluster bootstrap, for statistics that are functions of sums over units."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec.structs import replace

from benchbar.records import Estimate
from benchbar.statistics.numbers import Floats, Integers, undefined

RESAMPLES = 2000
CHUNK = 4_000_000
"""Weights held in memory at once."""
MOST_CLUSTERS = 16_384
"""More clusters than these, all different, are first thrown together at random: quotients of sums vary as before, in less time."""
MOST_UNDEFINED = 0.05
"""Share of resamples without a value above which an interval would be read from a selected rest."""

Statistic = Callable[[Floats], Floats]
"""From rows of sums (resamples x columns) to one number a row; NaN where it is undefined."""


def summed_by_cluster(contributions: Floats, codes: Integers | None) -> Floats:
    """The contributions (units x columns) added up within each cluster."""
    if codes is None:
        return contributions
    order = np.argsort(codes, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(codes[order]) != 0])
    return np.add.reduceat(contributions[order], starts, axis=0)


def resampled_sums(
    contributions: Floats,
    generator: np.random.Generator,
    *,
    codes: Integers | None = None,
    resamples: int = RESAMPLES,
) -> Floats:
    """Sums (resamples x columns) over clusters drawn with replacement.

    Clusters with equal sums are drawn together by their multinomial counts, which is the same distribution:
    verdicts have few distinct values, so a hundred thousand rows cost no more than a handful.
    """
    sums = summed_by_cluster(contributions, codes)
    kinds, counts = _distinct(sums)
    total = len(sums)
    # Few distinct rows: a multinomial draw over them replaces a draw of every cluster.
    if len(kinds) < total // 2:
        weights = generator.multinomial(total, counts / total, size=resamples)
        return np.asarray(weights @ kinds, dtype=np.float64)
    # Random groups of independent clusters are independent again. How many fall into one varies, which cancels in a
    # quotient of two sums, as every statistic here is.
    if total > MOST_CLUSTERS:
        sums = summed_by_cluster(sums, generator.integers(0, MOST_CLUSTERS, size=total))
    return _drawn(sums, generator, resamples)


def _distinct(sums: Floats) -> tuple[Floats, Integers]:
    """The distinct rows and how often each occurs, compared as bytes."""
    # Compared as bytes: one sort of opaque keys, instead of numpy's comparison column by column.
    rows = np.ascontiguousarray(sums + 0.0)  # -0.0 and 0.0 are the same sum
    keys = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).reshape(-1)
    _, first, counts = np.unique(keys, return_index=True, return_counts=True)
    return rows[first], counts


def _drawn(sums: Floats, generator: np.random.Generator, resamples: int) -> Floats:
    total = len(sums)
    step = max(1, CHUNK // total)
    found = np.empty((resamples, sums.shape[1]))
    for start in range(0, resamples, step):
        rows = min(step, resamples - start)
        # 32 bits are half of the memory and hold every position: a chunk has at most CHUNK of them.
        drawn = generator.integers(0, total, size=(rows, total), dtype=np.int32)
        drawn += (np.arange(rows, dtype=np.int32) * total)[:, None]
        weights = np.bincount(drawn.reshape(-1), minlength=rows * total).reshape(rows, total)
        found[start : start + rows] = weights @ sums
    return found


def bootstrapped(
    contributions: Floats,
    statistic: Statistic,
    generator: np.random.Generator,
    *,
    method: str,
    codes: Integers | None = None,
    resamples: int = RESAMPLES,
    confidence: float = 0.95,
    n_missing: int = 0,
    unit: str = "sample",
    why_undefined: str = "the statistic is undefined for these data",
) -> Estimate:
    """The statistic of the summed contributions, with the percentile interval of the cluster bootstrap.

    ``contributions`` has a row a unit; ``codes`` its cluster. Source: Davison and Hinkley, Bootstrap
    Methods and their Application (1997), section 3.8 for clusters. ``why_undefined`` becomes the reason
    where there is no value.
    """
    n = len(contributions)
    label = f"{method}, {'cluster ' if codes is not None else ''}bootstrap percentile interval"
    unit = unit if codes is None else "cluster"
    if not n:
        return undefined("nothing was measured", method=label, n_missing=n_missing, confidence=confidence, unit=unit)
    value = float(statistic(contributions.sum(axis=0, keepdims=True))[0])
    if not np.isfinite(value):
        return undefined(why_undefined, method=label, n=n, n_missing=n_missing, confidence=confidence, unit=unit)
    found = Estimate(value=value, n=n, n_missing=n_missing, method=label, confidence=confidence, unit=unit)
    # Nothing to draw from.
    if (n if codes is None else len(np.unique(codes))) < 2:
        return replace(found, reason="a single unit: no interval can be given")
    drawn = statistic(resampled_sums(contributions, generator, codes=codes, resamples=resamples))
    return _with_interval(found, drawn, confidence)


def _with_interval(found: Estimate, drawn: Floats, confidence: float) -> Estimate:
    known = drawn[np.isfinite(drawn)]
    # Resamples without a value are not missing at random: they are those in which, say, a label did not
    # occur.
    if len(known) < (1 - MOST_UNDEFINED) * len(drawn):
        share = 1 - len(known) / len(drawn)
        return replace(found, reason=f"undefined in {share:.0%} of the resamples: no interval can be given")
    # Equal resamples mean equal data. An interval of width 0 would claim a certainty that ten equal
    # values do not give.
    if np.ptp(known) == 0:
        return replace(found, reason="all resamples are equal: the bootstrap shows no variance to build on")
    low, high = np.quantile(known, [(1 - confidence) / 2, (1 + confidence) / 2])
    # A few resamples that differ change nothing of that: who says Yes to everything has a balanced accuracy of 0.5 in each
    # resample that holds both labels.
    if low == high:
        return replace(found, reason="nearly all resamples are equal: an interval would have no width")
    return replace(found, low=float(low), high=float(high), standard_error=float(known.std(ddof=1)))
