"""Intervals for the mean of values from 0 to 1 that hold however skewed the values are, and however often one looks.

Whoever doubts that the mean exceeds m may bet against it. On each unit x, stake a fraction b of the capital so that it grows
by the factor 1 - b + b x/m. If the mean is at most m, no strategy is expected to gain, so the chance that the capital ever
reaches 2/alpha is at most alpha/2 (Ville 1939). Every m at which the capital got that far is excluded. The interval needs
no normality, no variance and no fixed n: it may be looked at after every unit.

The capital here is spread over 60 fractions, the quantiles of Beta(1/2, 1/2), as in Cover's universal portfolio. Unlike bets
that adapt to earlier units, this does not depend on the order of the units, and a bound never falls when a value rises.

Sources: Waudby-Smith and Ramdas, Estimating means of bounded random variables by betting, JRSS B 86 (2024); Orabona and
Jun, Tight concentrations and confidence sequences from the regret of universal portfolio, IEEE Trans. Inf. Theory 70 (2024).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt
from typing import Literal, NamedTuple

import numpy as np

from benchbar.records import Estimate
from benchbar.records.errors import BadInputError
from benchbar.statistics.clusters import codes_of, design_effect
from benchbar.statistics.further import EVEN, Further, drift, fewest_more
from benchbar.statistics.numbers import (
    Floats,
    Integers,
    Values,
    cluster_codes,
    clustered_standard_error,
    gapped,
    standard_error,
    undefined,
    within,
)

METHOD = "betting confidence sequence"
WORST = f"{METHOD}, missing values as the worst"
_BETS = np.sin(np.pi * (np.arange(60) + 0.5) / 120) ** 2
"""Beta(1/2, 1/2) puts more capital on timid and on bold bets than on middling ones: timid ones pay for values that scatter,
bold ones for values that are nearly all equal. Its price against the best single bet is about half the logarithm of n."""
STEPS = 4096
"""Values are rounded to this many steps, away from the bound that is sought: it costs at most 1/4096 of the scale, and 100,000
units take no longer than 4,096."""

Missing = Literal["omitted", "worst"]
"""What is taken for a missing value: nothing, or 0 for the lower bound and 1 for the upper one."""


class Units(NamedTuple):
    """What is bet on: equal units once, with how often each occurs."""

    totals: Floats
    """Sum of the values of a unit, as a share of the size of the largest unit."""
    sizes: Floats
    """Number of values of a unit, as a share of the same."""
    counts: Floats
    shift: float = 0.0
    """What was added to each value so that none is below 0; as much is added to the mean that is bet against."""


def betting_interval(
    values: Values,
    *,
    clusters: Sequence[object] | None = None,
    n_missing: int = 0,
    missing: Missing = "omitted",
    confidence: float = 0.95,
    unit: str = "sample",
) -> Estimate:
    """The mean of values from 0 to 1 with the betting confidence sequence: valid at every n at once.

    With ``missing="worst"`` the interval holds whatever the missing values are; the mean is that of the others.

    With ``clusters`` the units of the bet are clusters (their totals, against their sizes): values of one cluster may
    depend on each other in any way. Their sizes have to be known before their values, as a suite's are.

    Raises:
        BadInputError: a value outside 0 to 1, or not one cluster for each value.
    """
    array = gapped(values)
    within(array, 0, 1, "value")
    if clusters is not None and len(clusters) != len(array):
        raise BadInputError(f"{len(clusters)} clusters for {len(array)} values; expected one for each")
    there = ~np.isnan(array)
    known = array[there]
    n_missing += len(array) - len(known)
    if not len(known):
        return undefined("nothing was measured", method=METHOD, n_missing=n_missing, confidence=confidence, unit=unit)
    codes = None if clusters is None else cluster_codes(clusters)
    worst = missing == "worst" and len(known) < len(array)
    if worst:
        low, high = limits(
            np.nan_to_num(array, nan=0.0), codes, best=np.nan_to_num(array, nan=1.0), confidence=confidence
        )
    else:
        low, high = limits(known, None if codes is None else codes[there], confidence=confidence)
    error = standard_error(known) if codes is None else clustered_standard_error(known, codes[there])
    return Estimate(
        value=float(known.mean()),
        low=low,
        high=high,
        standard_error=error,
        n=len(known),
        n_missing=n_missing,
        method=WORST if worst else METHOD,
        confidence=confidence,
        unit=unit if codes is None else "cluster",
        design_effect=design_effect(known, None if codes is None else codes[there]),
    )


def betting_difference(
    first: Values,
    second: Values,
    *,
    clusters: Sequence[object] | None = None,
    missing: Missing = "omitted",
    confidence: float = 0.95,
    unit: str = "sample",
) -> Estimate:
    """The mean of first less second over pairs of values from 0 to 1, by the betting confidence sequence of (1 + d)/2.

    ``clusters`` as in :func:`betting_interval`.

    Raises:
        BadInputError: a value outside 0 to 1, or lists of different lengths.
    """
    one, two = gapped(first, "first"), gapped(second, "second")
    if len(one) != len(two):
        raise BadInputError(f"{len(one)} first and {len(two)} second values; expected pairs")
    for array, name in ((one, "first"), (two, "second")):
        within(array, 0, 1, name)
    both = ~(np.isnan(one) | np.isnan(two))
    n_missing = int((~both).sum())
    if not both.any():
        return undefined(
            "no pair has both values", method=METHOD, n_missing=n_missing, confidence=confidence, unit=unit
        )
    differences = (one - two)[both]
    codes = codes_of(clusters, len(one))
    own = None if codes is None else codes[both]
    if missing == "worst":
        worst, best = difference_bounds(one, two)
        low, high = limits(worst, codes, best=best, confidence=confidence)
    else:
        low, high = limits((1 + differences) / 2, own, confidence=confidence)
    return Estimate(
        value=float(differences.mean()),
        low=2 * low - 1,
        high=2 * high - 1,
        standard_error=standard_error(differences) if own is None else clustered_standard_error(differences, own),
        n=len(differences),
        n_missing=n_missing,
        method=WORST if missing == "worst" and n_missing else METHOD,
        confidence=confidence,
        unit=unit if own is None else "cluster",
        design_effect=design_effect(differences, own),
    )


def difference_bounds(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """(1 + d)/2 of each pair at its lowest and its highest, where NaN may be anything from 0 to 1."""
    lowest = np.nan_to_num(first, nan=0.0) - np.nan_to_num(second, nan=1.0)
    highest = np.nan_to_num(first, nan=1.0) - np.nan_to_num(second, nan=0.0)
    return (1 + lowest) / 2, (1 + highest) / 2


def limits(
    known: Floats,
    codes: Integers | None = None,
    *,
    best: Floats | None = None,
    confidence: float = 0.95,
    times: float = 1.0,
) -> tuple[float, float]:
    """Lower and upper bound of the mean, if each unit had occurred ``times`` as often.

    Where some values are known within bounds only, ``known`` holds their lowest and ``best`` their highest ones.
    """
    goal = log(2 / (1 - confidence))
    return (
        lower_bound(units_of(known, codes), goal, times),
        # An upper bound is a lower bound of what is missing to 1.
        1 - lower_bound(units_of(1 - (known if best is None else best), codes), goal, times),
    )


def units_needed(
    values: Sequence[float] | Floats,
    threshold: float,
    codes: Integers | None = None,
    *,
    best: Sequence[float] | Floats | None = None,
    margin: float = 0.0,
    confidence: float = 0.95,
    power: float = EVEN,
) -> Further | None:
    """How many further values like these would put the whole interval on one side of the threshold, and on which.

    0 where it lies there already; None where ten million would not do. ``best`` as in :func:`limits`; the interval has to
    stay clear of the threshold by ``margin``. So many decide with chance ``power``: at .5 if the mean stays exactly as it is.
    """
    known = np.asarray(values, dtype=np.float64)
    mirrored = 1 - (known if best is None else np.asarray(best, dtype=np.float64))
    goal, n = log(2 / (1 - confidence)), len(known)
    low, high = units_of(known, codes), units_of(mirrored, codes)
    spread = [_deviation(one, codes) for one in (known, mirrored)]

    # The bounds themselves are not needed: the threshold is excluded where the capital reaches the goal there.
    def above(total: int) -> bool:
        return _reached(low, threshold + margin + drift(spread[0], n, total, power), goal, total / n)

    def below(total: int) -> bool:
        return _reached(high, 1 - threshold + margin + drift(spread[1], n, total, power), goal, total / n)

    more = fewest_more(lambda total: above(total) or below(total), n)
    return None if more is None else Further(more, above(n + more))


def _deviation(values: Floats, codes: Integers | None) -> float | None:
    """Of one unit, with what units of one cluster have in common; None for a single one."""
    error = standard_error(values) if codes is None else clustered_standard_error(values, codes)
    return None if error is None else error * sqrt(len(values))


def units_of(known: Floats, codes: Integers | None = None, shift: float = 0.0) -> Units:
    """Equal values once, or the totals of clusters; rounded down, which can only lower a lower bound.

    ``shift`` is added to values that may lie below 0.
    """
    known = known + shift
    if codes is None:
        levels, counts = np.unique(np.floor(known * STEPS), return_counts=True)
        return Units(levels / STEPS, np.ones(len(levels)), counts.astype(np.float64), shift)
    places = np.unique(codes, return_inverse=True)[1]
    sizes = np.bincount(places)
    totals = np.floor(np.bincount(places, weights=known) / sizes.max() * STEPS)
    pairs, counts = np.unique(np.column_stack([totals, sizes]), axis=0, return_counts=True)
    return Units(pairs[:, 0] / STEPS, pairs[:, 1] / sizes.max(), counts.astype(np.float64), shift)


def lower_bound(units: Units, goal: float, times: float = 1.0, *, least: float = 0.0) -> float:
    """The smallest mean from ``least`` to 1 at which the capital has not reached the goal; it falls as the mean rises."""
    weight = float(units.sizes @ units.counts)
    if not weight:
        return least
    low, high = least, min(max(float(units.totals @ units.counts) / weight - units.shift, least), 1.0)
    # 40 halvings leave less than the rounding of the values.
    for _ in range(40):
        middle = (low + high) / 2
        if middle + units.shift <= 0 or _log_capital(units, middle, times) < goal:
            high = middle
        else:
            low = middle
    return low


def _reached(units: Units, mean: float, goal: float, times: float) -> bool:
    """Whether this mean lies at or below the lower bound."""
    if mean > 1:
        return False
    if mean <= 0:
        return bool(units.totals.any())
    return _log_capital(units, mean, times) >= goal


def _log_capital(units: Units, mean: float, times: float) -> float:
    """Logarithm of the mean capital over all fractions, each begun with 1."""
    gains = np.outer(_BETS, units.totals / (mean + units.shift) - units.sizes)
    return _log_mean(np.log1p(gains) @ (units.counts * times))


def _log_mean(grown: Sequence[float] | Floats) -> float:
    # Capital grows beyond any float after some thousand units: only its logarithm is held.
    array = np.asarray(grown)
    most = array.max()
    return float(most + np.log(np.exp(array - most).mean()))
