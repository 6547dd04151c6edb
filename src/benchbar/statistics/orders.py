"""The two orders in which a pair was shown to the judge: averaged into one outcome a sample, and compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import comb
from statistics import fmean
from typing import NamedTuple

from benchbar.records import Comparison, Estimate, ScoreStatus, Winner
from benchbar.records.errors import BadInputError
from benchbar.statistics.numbers import FEW
from benchbar.statistics.proportions import proportion

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


def averaged(outcomes: Iterable[OrderedOutcome]) -> list[float | None]:
    """One outcome a sample: the mean of both orders, None where either is missing.

    A single order is not used in the place of both: it would carry the judge's preference for a position.
    """
    return [None if one is None or two is None else (one + two) / 2 for one, two in outcomes]


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


def position_test(outcomes: Sequence[OrderedOutcome], *, confidence: float = 0.95) -> PositionTest:
    """Order inconsistency (Wilson) and the sign test of always-first against always-second.

    Each outcome is the candidate's, 0 to 1, in either order; above 0.5 is a win. Samples that lack an order
    are missing.
    """
    signs = [(_sign(one), _sign(two)) for one, two in outcomes if one is not None and two is not None]
    first = sum(pair == (1, -1) for pair in signs)
    second = sum(pair == (-1, 1) for pair in signs)
    changed = sum(one != two for one, two in signs)
    return PositionTest(
        inconsistency=proportion(changed, len(signs), n_missing=len(outcomes) - len(signs), confidence=confidence),
        first_share=proportion(first, first + second, confidence=confidence),
        always_first=first,
        always_second=second,
        other=changed - first - second,
        p_value=sign_test(first, second),
    )


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
