"""The two orders in which a pair was shown to the judge: averaged into one outcome a sample, and compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import comb
from statistics import NormalDist, fmean
from typing import NamedTuple

import numpy as np

from benchbar.records import Comparison, Estimate, ScoreStatus, Winner
from benchbar.records.errors import BadInputError
from benchbar.statistics.numbers import FEW
from benchbar.statistics.proportions import share

OUTCOME = {Winner.LEFT: 1.0, Winner.TIE: 0.5, Winner.RIGHT: 0.0}
"""What a verdict is worth to the left side, which is the candidate."""


class OrderedOutcome(NamedTuple):
    """A sample's outcome for the candidate in either order; None where no verdict could be had."""

    candidate_first: float | None
    reference_first: float | None


def outcomes_by_sample(comparisons: Iterable[Comparison]) -> dict[str, OrderedOutcome]:
    """Each sample's outcome per order, repeats averaged; for comparisons of one candidate with one
    reference.
    """
    found: dict[str, dict[str, list[float]]] = {}
    for comparison in comparisons:
        orders = found.setdefault(comparison.sample, {"left_first": [], "right_first": []})
        # A verdict that could not be read is missing; counting it as a tie would draw rates to 0.5.
        if comparison.status is ScoreStatus.SCORED and comparison.winner is not None:
            soft = comparison.value
            orders[comparison.order].append(OUTCOME[comparison.winner] if soft is None else soft)
    return {
        sample: OrderedOutcome(
            *(fmean(orders[name]) if orders[name] else None for name in ("left_first", "right_first"))
        )
        for sample, orders in found.items()
    }


def averaged(outcomes: Iterable[OrderedOutcome], *, tie_margin: float | None = None) -> list[float | None]:
    """One outcome a sample: the mean of both orders, None where either is missing.

    A single order is not used in the place of both: it would carry the judge's preference for a position. With a
    ``tie_margin`` a mean so near to a half is a tie, and any other a win or a loss.
    """
    means = [None if one is None or two is None else (one + two) / 2 for one, two in outcomes]
    return means if tie_margin is None else [decided(mean, tie_margin) for mean in means]


def decided(outcome: float | None, tie_margin: float = 0.0) -> float | None:
    """1, 0.5 or 0: an outcome as a win, a tie within the margin around a half, or a loss."""
    if outcome is None:
        return None
    apart = outcome - 0.5
    # Outcomes are means of halves: rounding must not turn a tie into a win.
    return 0.5 if abs(apart) <= tie_margin + 1e-9 else float(apart > 0)


class PositionTest(NamedTuple):
    """What the two orders say about the judge rather than about the assistants."""

    inconsistency: Estimate
    """Share of samples whose verdict changed with the order."""
    first_share: Estimate
    """Of samples won by the same position in both orders, the share won by the first; 0.5 without a
    preference.
    """
    always_first: int
    always_second: int
    other: int
    """Verdicts that changed between a tie and a win."""
    p_value: float | None
    """Exact two-sided sign test of always-first against always-second; None where neither occurred."""


def position_test(
    outcomes: Sequence[OrderedOutcome], *, clusters: Sequence[object] | None = None, confidence: float = 0.95
) -> PositionTest:
    """Order inconsistency (Wilson) and the sign test of always-first against always-second.

    Each outcome is the candidate's, 0 to 1, in either order; above 0.5 is a win. Samples that lack an order
    are missing. With ``clusters`` the signs of complete clusters are exchanged, see :func:`clustered_sign_test`.
    """
    signs = [None if one is None or two is None else (_sign(one), _sign(two)) for one, two in outcomes]
    # 1 where the first was named in both orders, -1 where the second was, 0 otherwise.
    leans = [{(1, -1): 1, (-1, 1): -1}.get(pair, 0) if pair else 0 for pair in signs]
    first, second = leans.count(1), leans.count(-1)
    changed = [None if pair is None else pair[0] != pair[1] for pair in signs]
    named = [None if lean == 0 else lean == 1 for lean in leans]
    return PositionTest(
        inconsistency=share(changed, clusters=clusters, confidence=confidence),
        first_share=_among(named, clusters, confidence),
        always_first=first,
        always_second=second,
        other=changed.count(True) - first - second,
        p_value=sign_test(first, second) if clusters is None else clustered_sign_test(leans, clusters),
    )


def _among(flags: Sequence[bool | None], clusters: Sequence[object] | None, confidence: float) -> Estimate:
    """The share of those that are there, of which the others are no part."""
    there = [place for place, flag in enumerate(flags) if flag is not None]
    return share(
        [flags[place] for place in there],
        clusters=None if clusters is None else [clusters[place] for place in there],
        confidence=confidence,
    )


MOST_EXACT = 2000
"""Clusters up to which every sum of signs is counted; beyond, the normal distribution has the same three digits."""


def clustered_sign_test(signs: Sequence[int], clusters: Sequence[object]) -> float | None:
    """The two-sided p-value of a sum of signs, if the sign of each complete cluster might as well be the other.

    ``signs`` are 1, -1 or 0, one a sample; None where all are 0. All patterns of signs are counted, by adding one cluster
    after the other to the distribution of the sum. With clusters of one sample it is :func:`sign_test`.
    """
    sums: Counter[object] = Counter()
    for sign, cluster in zip(signs, clusters, strict=True):
        sums[cluster] += sign
    if not any(signs):
        return None
    sizes = [abs(total) for total in sums.values() if total]
    observed = abs(sum(sums.values()))
    if len(sizes) > MOST_EXACT:
        return 2 * (1 - NormalDist().cdf(observed / sum(size * size for size in sizes) ** 0.5))
    # Place k of the table is the chance that the sum is k less than the largest one.
    chances = np.ones(1)
    for size in sizes:
        longer = np.zeros(len(chances) + 2 * size)
        longer[: len(chances)] += chances / 2
        longer[2 * size :] += chances / 2
        chances = longer
    most = sum(sizes)
    far = np.abs(np.arange(len(chances)) - most) >= observed
    return min(1.0, float(chances[far].sum()))


def sign_test(positive: int, negative: int) -> float | None:
    """The exact two-sided p-value of ``positive`` against ``negative`` under equal chances; None where both
    are 0.
    """
    if positive < 0 or negative < 0:
        raise BadInputError(f"{positive} and {negative}; expected counts")
    n, least = positive + negative, min(positive, negative)
    # Twice the smaller tail; with equal counts both tails hold the middle, and their sum passes 1.
    return min(1.0, 2 * _at_most(least, n)) if n else None


def _at_most(count: int, n: int) -> float:
    """The chance of at most so many heads in n tosses."""
    if n <= FEW:
        return sum(comb(n, heads) for heads in range(count + 1)) / (1 << n)
    from scipy.special import bdtr

    return float(bdtr(count, n, 0.5))


def _sign(outcome: float) -> int:
    # A tie.
    return (outcome > 0.5) - (outcome < 0.5)
