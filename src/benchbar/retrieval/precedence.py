"""Of passages that are about as relevant, those with more authority first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")

ABOUT_AS_RELEVANT = 0.95
"""Share of a score from which another one is equal relevance: a word in the heading changes a score by as much."""


def weightier_first(
    found: Sequence[T],
    score: Callable[[T], float],
    weight: Callable[[T], float],
    share: float = ABOUT_AS_RELEVANT,
) -> list[T]:
    """What was found, in its order; of each stretch of equal relevance those with more weight before the others.

    Args:
        found: best first.
        score: of one of them.
        weight: of one of them; the greater, the more authority.
        share: of the score of the first one of a stretch, from which the ones after it belong to it.
    """
    ordered: list[T] = []
    at = 0
    while at < len(found):
        end = at + 1
        while end < len(found) and score(found[end]) >= share * score(found[at]) > 0:
            end += 1
        ordered += sorted(found[at:end], key=lambda one: -weight(one))
        at = end
    return ordered
