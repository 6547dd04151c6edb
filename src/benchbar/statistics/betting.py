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
from typing import NamedTuple

import numpy as np

from benchbar.records import Estimate
from benchbar.records.errors import BadInputError
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
_BETS = np.sin(np.pi * (np.arange(60) + 0.5) / 120) ** 2
"""Beta(1/2, 1/2) puts more capital on timid and on bold bets than on middling ones: timid ones pay for values that scatter,
bold ones for values that are nearly all equal. Its price against the best single bet is about half the logarithm of n."""
STEPS = 4096
"""Values are rounded to this many steps, away from the bound that is sought: it costs at most 1/4096 of the scale, and 100,000
units take no longer than 4,096."""
MOST = 10_000_000
"""Units beyond which a threshold is said to be out of reach."""


class Units(NamedTuple):
    """What is bet on: equal units once, with how often each occurs."""

    totals: Floats
    """Sum of the values of a unit, as a share of the size of the largest unit."""
    sizes: Floats
    """Number of values of a unit, as a share of the same."""
    counts: Floats


def betting_interval(
    values: Values,
    *,
    clusters: Sequence[object] | None = None,
    n_missing: int = 0,
    confidence: float = 0.95,
    unit: str = "sample",
) -> Estimate:
    """The mean of values from 0 to 1 with the betting confidence sequence: valid at every n at once.

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
    codes = None if clusters is None else cluster_codes(clusters)[there]
    low, high = limits(known, codes, confidence=confidence)
    return Estimate(
        value=float(known.mean()),
        low=low,
        high=high,
        standard_error=standard_error(known) if codes is None else clustered_standard_error(known, codes),
        n=len(known),
        n_missing=n_missing,
        method=METHOD,
        confidence=confidence,
        unit=unit if codes is None else "cluster",
    )


def limits(
    known: Floats, codes: Integers | None = None, *, confidence: float = 0.95, times: float = 1.0
) -> tuple[float, float]:
    """Lower and upper bound of the mean, if each unit had occurred ``times`` as often."""
    goal = log(2 / (1 - confidence))
    return (
        _lower(_units(known, codes), goal, times),
        # An upper bound is a lower bound of what is missing to 1.
        1 - _lower(_units(1 - known, codes), goal, times),
    )


def units_needed(
    values: Sequence[float] | Floats, threshold: float, codes: Integers | None = None, *, confidence: float = 0.95
) -> int | None:
    """How many further values like these would put the whole interval on one side of the threshold.

    0 where it lies there already; None where ten million would not do.
    """
    known = np.asarray(values, dtype=np.float64)
    goal = log(2 / (1 - confidence))
    low, high = _units(known, codes), _units(1 - known, codes)

    def decided(n: int) -> bool:
        # The bounds themselves are not needed: the threshold is excluded where the capital reaches the goal there.
        times = n / len(known)
        return _reached(low, threshold, goal, times) or _reached(high, 1 - threshold, goal, times)

    if decided(len(known)):
        return 0
    if not decided(MOST):
        return None
    few, many = len(known), MOST
    # To a thousandth: more digits of a forecast say nothing, and each step evaluates the whole interval.
    while many - few > max(1, few // 1000):
        # Halves the ratio first: the answer lies anywhere between ten and ten million.
        middle = round(sqrt(few * many)) if many > 2 * few else (few + many) // 2
        few, many = (few, middle) if decided(middle) else (middle, many)
    return many - len(known)


def _units(known: Floats, codes: Integers | None) -> Units:
    """Rounded down, which can only lower a lower bound."""
    if codes is None:
        levels, counts = np.unique(np.floor(known * STEPS), return_counts=True)
        return Units(levels / STEPS, np.ones(len(levels)), counts.astype(np.float64))
    places = np.unique(codes, return_inverse=True)[1]
    sizes = np.bincount(places)
    totals = np.floor(np.bincount(places, weights=known) / sizes.max() * STEPS)
    pairs, counts = np.unique(np.column_stack([totals, sizes]), axis=0, return_counts=True)
    return Units(pairs[:, 0] / STEPS, pairs[:, 1] / sizes.max(), counts.astype(np.float64))


def _lower(units: Units, goal: float, times: float) -> float:
    """The smallest mean at which the capital has not reached the goal; the capital falls as the mean rises."""
    high = float(units.totals @ units.counts / (units.sizes @ units.counts))
    low = 0.0
    # 40 halvings leave less than the rounding of the values.
    for _ in range(40):
        middle = (low + high) / 2
        if middle <= 0 or _log_capital(units, middle, times) < goal:
            high = middle
        else:
            low = middle
    return low


def _reached(units: Units, mean: float, goal: float, times: float) -> bool:
    """Whether this mean lies at or below the lower bound."""
    if mean <= 0:
        return bool(units.totals.any())
    return _log_capital(units, mean, times) >= goal


def _log_capital(units: Units, mean: float, times: float) -> float:
    """Logarithm of the mean capital over all fractions, each begun with 1."""
    gains = np.outer(_BETS, units.totals / mean - units.sizes)
    grown = np.log1p(gains) @ (units.counts * times)
    # Capital grows beyond any float after some thousand units: only its logarithm is held.
    most = grown.max()
    return float(most + np.log(np.exp(grown - most).mean()))
