"""How many further units decide: the search for it, on which side the interval then lies, and how far chance may carry their mean."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

MOST = 10_000_000
"""Units beyond which a threshold is said to be out of reach."""
EVEN = 0.5
"""The power of the number after which the interval would lie on one side if the mean stayed as it is: as often as not it moves away."""


class Further(NamedTuple):
    """So many more units, and the whole interval lies on one side of the threshold."""

    more: int
    above: bool
    """Whether that is the upper side. More units of the same kind do not bring the other one."""


def fewest_more(decided: Callable[[int], bool], n: int) -> int | None:
    """The least number of units beyond ``n`` that decides, to a thousandth; None where ten million do not."""
    if decided(n):
        return 0
    if not decided(MOST):
        return None
    few, many = n, MOST
    # To a thousandth: more digits of a forecast say nothing, and each step evaluates the whole interval.
    while many - few > max(1, few // 1000):
        # Halves the ratio first: the answer lies anywhere between ten and ten million.
        middle = round(sqrt(few * many)) if many > 2 * few else (few + many) // 2
        few, many = (few, middle) if decided(middle) else (middle, many)
    return many - n


def drift(deviation: float | None, n: int, total: int, power: float) -> float:
    """How far the mean of ``total`` units lies on the unlucky side of that of the first ``n``, in all but 1 - power of the cases.

    z_power SD sqrt(total - n)/total: only the further units vary, and they have the mean and the spread of those at hand.
    """
    if not deviation or total <= n or power == EVEN:
        return 0.0
    return NormalDist().inv_cdf(power) * deviation * sqrt(total - n) / total
