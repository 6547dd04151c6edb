"""How steady a layer's scores are: noise of repeated runs, reliability, agreement, and what repeating is worth."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from benchbar.records import Estimate
from benchbar.statistics.agreement import Agreement
from benchbar.statistics.intraclass_correlation import intraclass
from benchbar.statistics.numbers import undefined
from benchbar.statistics.power import Components, best_repeats, variance_components
from benchbar.statistics.proportions import share
from benchbar.statistics.rating_table import ratings


class Stability(NamedTuple):
    """One layer's repeated scores of the same items."""

    deviation: Estimate
    """The pooled standard deviation of the runs of one item."""
    variation: Estimate
    """The same by the mean of all scores (coefficient of variation); it misleads near a mean of 0."""
    reliability: Estimate
    """ICC(1): the share of a single run's variance that lies between items."""
    reliability_of_mean: Estimate
    """ICC(1, k): the same for the mean of the k runs."""
    kappa: Estimate
    """Of good and not good: Cohen's for two runs, Fleiss' for more."""
    apart: Estimate
    """Share of items whose runs lie further apart than the limit."""
    components: Components | None
    """Variance between items and between runs; None where it cannot be split."""
    repeats: int | None
    """Best number of runs for a budget, by the costs of an item and of a run."""


def stability(
    rows: Sequence[Sequence[float]],
    generator: np.random.Generator,
    *,
    good: float = 0.5,
    limit: float = 0.2,
    item_cost: float = 1.0,
    run_cost: float = 1.0,
    confidence: float = 0.95,
) -> Stability:
    """The steadiness of repeated scores; ``rows`` holds each item's runs, on one scale.

    The interval of the deviation is that of a chi-square with sum(k_i - 1) degrees of freedom. Reliability uses the items
    that have as many runs as most. Sources: McGraw and Wong (1996) for ICC, Cohen (1960) for kappa.
    """
    several = [row for row in rows if len(row) > 1]
    deviation = _deviation(several, confidence)
    mean = float(np.mean([value for row in several for value in row])) if several else 0.0
    # The formulas of ICC and kappa are for a full table; a call that failed leaves an item with fewer
    # runs.
    full = _full(several)
    correlations = intraclass(full, confidence=confidence)
    components = variance_components(several) if len(several) > 1 else None
    return Stability(
        deviation=deviation,
        variation=_by_mean(deviation, mean),
        reliability=correlations.one_way,
        reliability_of_mean=correlations.one_way_mean,
        kappa=_kappa(full >= good, generator, confidence),
        apart=share([max(row) - min(row) > limit + 1e-9 for row in several], confidence=confidence, unit="item"),
        components=components,
        repeats=best_repeats(components, sample_cost=item_cost, judge_cost=run_cost) if components else None,
    )


def _full(rows: Sequence[Sequence[float]]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """The items with the most common number of runs, as a table."""
    sizes = [len(row) for row in rows]
    k = max(set(sizes), key=sizes.count) if sizes else 0
    chosen = [row for row in rows if len(row) == k]
    return np.array(chosen, dtype=np.float64).reshape(len(chosen), k)


def _deviation(rows: Sequence[Sequence[float]], confidence: float) -> Estimate:
    from scipy.special import chdtri

    method = "pooled standard deviation, chi-square interval"
    degrees = sum(len(row) - 1 for row in rows)
    if not degrees:
        return undefined("no item has two runs", method=method, confidence=confidence, unit="item")
    total = sum(float(((np.asarray(row) - np.mean(row)) ** 2).sum()) for row in rows)
    value, tail = sqrt(total / degrees), (1 - confidence) / 2
    return Estimate(
        value=value,
        low=sqrt(total / float(chdtri(degrees, tail))),
        high=sqrt(total / float(chdtri(degrees, 1 - tail))),
        n=len(rows),
        method=method,
        confidence=confidence,
        unit="item",
    )


def _by_mean(deviation: Estimate, mean: float) -> Estimate:
    method = "coefficient of variation of the runs"
    if deviation.value is None:
        return replace(deviation, method=method)
    # The coefficient of variation has no meaning there.
    if mean <= 0:
        return undefined("the mean is 0", method=method, n=deviation.n, confidence=deviation.confidence, unit="item")
    low, high = (None if end is None else end / mean for end in (deviation.low, deviation.high))
    return replace(deviation, value=deviation.value / mean, low=low, high=high, method=method)


def _kappa(
    good: np.ndarray[tuple[int, int], np.dtype[np.bool_]], generator: np.random.Generator, confidence: float
) -> Estimate:
    # Agreement needs two.
    if good.shape[0] < 2 or good.shape[1] < 2:
        return undefined("no two items with two runs", method="kappa", confidence=confidence, unit="item")
    columns = {str(run): ["yes" if flag else "no" for flag in good[:, run]] for run in range(good.shape[1])}
    table = ratings(columns, ("no", "yes"))
    agreement = Agreement(table, generator, confidence=confidence)
    # Two runs are two raters.
    if good.shape[1] == 2:
        return agreement.cohen_kappa(0, 1)
    return agreement.fleiss_kappa()
