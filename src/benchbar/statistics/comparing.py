"""Is one better than the other: paired tests, corrections for many tests, and non-inferiority."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np

from benchbar.records import Estimate
from benchbar.records.errors import BadInputError
from benchbar.statistics.numbers import Floats, Values, cluster_codes, gapped
from benchbar.statistics.orders import sign_test
from benchbar.statistics.resampling import summed_by_cluster

EXACT = 14
"""Clusters up to which all 2^n sign patterns are tried."""


class TestResult(NamedTuple):
    """A p-value with what produced it."""

    p_value: float | None
    """None where nothing differs, or nothing was measured."""
    n: int
    """Clusters (samples, where none were named) with a difference other than zero."""
    method: str
    reason: str = ""


def sign_flip_test(
    differences: Values,
    generator: np.random.Generator,
    *,
    clusters: Sequence[object] | None = None,
    permutations: int = 10_000,
) -> TestResult:
    """Two-sided p-value of a mean paired difference under exchange of the two candidates within each cluster.

    All sign patterns are tried up to 14 clusters; beyond, ``permutations`` drawn ones with the observed one
    added. Source: Edgington and Onghena, Randomization Tests (2007).
    """
    array = gapped(differences, "differences")
    there = ~np.isnan(array)
    codes = None if clusters is None else cluster_codes(clusters)[there]
    sums = summed_by_cluster(array[there][:, None], codes)[:, 0]
    # A cluster that does not differ stays 0 under every flip: leaving it out changes no p-value, and more
    # patterns can be tried exactly.
    moved = sums[sums != 0]
    if not len(moved):
        return TestResult(None, 0, "sign-flip permutation", "no pair differs")
    # The observed pattern is among those that are counted; sums in another order may fall short of it by
    # rounding.
    observed = abs(float(moved.sum())) * (1 - 1e-12)
    if len(moved) <= EXACT:
        patterns = 1 - 2.0 * ((np.arange(2 ** len(moved))[:, None] >> np.arange(len(moved))) & 1)
        return TestResult(float(np.mean(np.abs(patterns @ moved) >= observed)), len(moved), "sign-flip, all patterns")
    extreme = _extreme(moved, observed, generator, permutations)
    # The observed pattern counts as drawn: without it a p-value of 0 could be printed, and the test would
    # reject too often (Phipson and Smyth 2010).
    return TestResult((extreme + 1) / (permutations + 1), len(moved), f"sign-flip, {permutations} drawn permutations")


def _extreme(moved: Floats, observed: float, generator: np.random.Generator, permutations: int) -> int:
    # Four million signs at a time: 4 MB, however many clusters there are.
    count, step = 0, max(1, 4_000_000 // len(moved))
    for start in range(0, permutations, step):
        rows = min(step, permutations - start)
        flips = generator.integers(0, 2, size=(rows, len(moved)), dtype=np.int8)
        totals = moved.sum() - 2 * (flips @ moved)
        count += int((np.abs(totals) >= observed).sum())
    return count


def mcnemar(first: Values, second: Values) -> TestResult:
    """The exact McNemar test of two binary outcomes on the same samples (McNemar 1947)."""
    one, two = gapped(first, "first"), gapped(second, "second")
    if len(one) != len(two):
        raise BadInputError(f"{len(one)} and {len(two)} values; expected one of each per sample")
    both = ~(np.isnan(one) | np.isnan(two))
    values = np.concatenate([one[both], two[both]])
    if ((values != 0) & (values != 1)).any():
        raise BadInputError("McNemar's test needs outcomes of 0 and 1")
    gained, lost = int((one[both] > two[both]).sum()), int((one[both] < two[both]).sum())
    reason = "" if gained + lost else "no pair differs"
    return TestResult(sign_test(gained, lost), gained + lost, "exact McNemar", reason)


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """P-values adjusted so that the chance of any false alarm stays at the level (Holm 1979)."""
    ordered = sorted(p_values.items(), key=lambda item: item[1])
    found, highest = {}, 0.0
    for place, (name, p_value) in enumerate(ordered):
        # The running maximum keeps the order: a larger p-value must not get a smaller adjusted one.
        highest = max(highest, min(1.0, (len(ordered) - place) * p_value))
        found[name] = highest
    return {name: found[name] for name in p_values}


def benjamini_hochberg(p_values: Mapping[str, float]) -> dict[str, float]:
    """P-values adjusted so that the expected share of false alarms among alarms stays at the level (1995)."""
    ordered = sorted(p_values.items(), key=lambda item: item[1], reverse=True)
    found, lowest = {}, 1.0
    for place, (name, p_value) in enumerate(ordered):
        lowest = min(lowest, p_value * len(ordered) / (len(ordered) - place))
        found[name] = lowest
    return {name: found[name] for name in p_values}


class RankSet(NamedTuple):
    """The ranks that the data leave open for one competitor."""

    low: int
    """The best: one more than those who are surely better."""
    high: int
    """The worst."""


def rank_sets(
    names: Sequence[str], pairs: Mapping[tuple[str, str], tuple[float, float | None]], *, level: float = 0.05
) -> dict[str, RankSet]:
    """Name to its rank set; with chance 1 - ``level`` all of them hold the true ranks at once.

    ``pairs`` has the difference, first less second, and its two-sided p-value for each pair that was compared; a pair without a
    p-value is open. Holm's method over all pairs says who is surely better. Source: Mogstad, Romano, Shaikh and Wilhelm,
    Inference for ranks, Review of Economic Studies 91 (2024), section 3: stepwise, two-sided, simultaneous.
    """
    better, worse = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    for (one, two), (difference, _) in told_apart(pairs, level=level).items():
        higher, lower = (one, two) if difference > 0 else (two, one)
        worse[higher] += 1
        better[lower] += 1
    return {name: RankSet(1 + better[name], len(names) - worse[name]) for name in names}


def told_apart(
    pairs: Mapping[tuple[str, str], tuple[float, float | None]], *, level: float = 0.05
) -> dict[tuple[str, str], tuple[float, float]]:
    """Those pairs whose difference is sure, with their adjusted p-values, so that the chance of any wrong one is ``level``."""
    # By number, as holm() takes any names.
    adjusted = holm({str(place): p for place, (_, p) in enumerate(pairs.values()) if p is not None})
    found = {}
    for place, (pair, (difference, _)) in enumerate(pairs.items()):
        p_value = adjusted.get(str(place))
        if p_value is not None and p_value <= level and difference:
            found[pair] = (difference, p_value)
    return found


Verdict = Literal["pass", "fail", "insufficient_evidence"]


def non_inferior(difference: Estimate, margin: float) -> Verdict:
    """Pass where the whole interval is above -margin, fail where it is wholly below, else not enough
    evidence.

    The interval should have 90% confidence for a one-sided test at 5%.
    """
    if margin < 0:
        raise BadInputError(f"{margin}; expected a margin of 0 or more", field="margin")
    if difference.low is None or difference.high is None:
        return "insufficient_evidence"
    # The whole interval, not the point: see docs/gate.md.
    if difference.low > -margin:
        return "pass"
    return "fail" if difference.high < -margin else "insufficient_evidence"
