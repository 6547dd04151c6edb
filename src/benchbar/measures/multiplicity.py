"""What many comparisons in one report control: who is told apart from whom, and which arrows of a matrix are sure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import sqrt
from statistics import NormalDist

import msgspec
import numpy as np
from msgspec import UNSET

from benchbar.measures.registry import Known
from benchbar.records import AssistantResults, Cell, Estimate
from benchbar.statistics import (
    benjamini_hochberg,
    paired_difference,
    rank_sets,
    sign_flip_test,
    told_apart,
)
from benchbar.statistics.numbers import normal_quantile

LEVEL = 0.05
"""Chance of any wrong order among assistants, and expected share of wrong arrows in a matrix."""
EVEN = 0.5
MOST_FLIPPED = 2000
"""Samples up to which signs are flipped; beyond, a normal p-value has the same two digits and costs nothing."""
Pair = tuple[str, str]


def with_ranks(assistants: Mapping[str, AssistantResults], every: Mapping[str, Known]) -> dict[str, AssistantResults]:
    """The results with each assistant's rank set, and with those it is not told apart from.

    Pairs are compared on the samples that both have an outcome on; the reference stands at a half on each. Holm's method over
    all pairs keeps the chance of any wrong order at 5%. Assistants whose win rate is not to be believed, and says why, are told
    apart from nobody.
    """
    names = list(assistants)
    pairs = {
        (one, two): (0.0, 1.0) if _doubted(assistants[one], assistants[two]) else _compared(every[one], every[two])
        for one, two in combinations(names, 2)
    }
    apart = told_apart(pairs, level=LEVEL)
    ranks = rank_sets(names, pairs, level=LEVEL)
    tied = {pair for pair, (_, p_value) in pairs.items() if p_value is not None and pair not in apart}
    return {
        name: msgspec.structs.replace(
            own,
            tied_with=tuple(other for other in names if {(name, other), (other, name)} & tied),
            ranks=(ranks[name].low, ranks[name].high),
        )
        for name, own in assistants.items()
    }


def _doubted(*pair: AssistantResults) -> bool:
    return any(one["win_rate"].reason and one["win_rate"].value is not None for one in pair)


def _compared(one: Known, two: Known) -> tuple[float, float | None]:
    """The difference of the win rates of two assistants, and its two-sided p-value."""
    first, second = (_outcomes(side) for side in (one, two))
    together = one.clustered()
    found = paired_difference(first, second, **together)
    if found.value is None:
        return 0.0, None
    # An interval that holds 0 is shown beside the order: it must not contradict it.
    if found.low is None or found.high is None or found.low <= 0 <= found.high:
        return found.value, 1.0
    if found.n > MOST_FLIPPED and found.standard_error:
        return found.value, 2 * NormalDist().cdf(-abs(found.value) / found.standard_error)
    differences = [None if a is None or b is None else a - b for a, b in zip(first, second, strict=True)]
    # Seeded: equal ledgers give equal bytes.
    test = sign_flip_test(differences, np.random.default_rng(0), clusters=together.get("clusters"))
    return found.value, test.p_value


def _outcomes(of: Known) -> Sequence[float | None]:
    return [EVEN] * len(of.facts) if of.is_reference else of.outcomes


def adjusted(cells: Mapping[Pair, Cell]) -> dict[Pair, float]:
    """Cell of a matrix to its p-value against a half, adjusted so that 5% of the arrows at most are false (1995)."""
    found = {str(place): p for place, one in enumerate(cells.values()) if (p := _p_value(one)) is not None}
    by_place = benjamini_hochberg(found)
    return {pair: by_place[str(place)] for place, pair in enumerate(cells) if str(place) in by_place}


def _p_value(cell: Cell) -> float | None:
    """Of the score test for wins against losses, and of the interval where that says less; None without an interval."""
    rate = cell["win_rate"]
    if rate.value is None or rate.reason or rate.low is None or rate.high is None:
        return None
    effect = 1.0 if rate.design_effect is UNSET else rate.design_effect
    decided = cell.wins + cell.losses
    score = abs(cell.wins - cell.losses) / sqrt(decided * effect) if decided else 0.0
    return 2 * NormalDist().cdf(-min(score, _of_interval(rate)))


def _of_interval(rate: Estimate) -> float:
    """How many normal quantiles a half lies from the value, by the interval: it holds t of few clusters."""
    value, end = rate.value or 0.0, rate.low if (rate.value or 0.0) > EVEN else rate.high
    width = abs(value - (end or 0.0))
    return normal_quantile(rate.confidence) * abs(value - EVEN) / width if width else 0.0
