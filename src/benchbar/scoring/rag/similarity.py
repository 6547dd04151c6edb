"""How alike two texts are: by their terms without a model; any other measure may be passed in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from inspect import isawaitable
from math import log, sqrt
from typing import NamedTuple, Protocol

from benchbar.languages.overlap import shingles


class Compared(NamedTuple):
    """How alike a text is to others."""

    values: Sequence[float]
    note: str = ""
    """What a reader has to know of them, such as that a text was too long for the encoder."""


class Similarity(Protocol):
    """Compares one text with others."""

    identity: str

    def __call__(self, text: str, others: Sequence[str]) -> Sequence[float] | Awaitable[Compared]:
        """One number from 0 (nothing in common) to 1 (the same) for each of the others; at once, or where an endpoint is asked, later."""
        ...


async def compared(similarity: Similarity, text: str, others: Sequence[str]) -> Compared:
    """What a similarity says, whichever way it says it.

    Raises:
        ModelError: the endpoint that it asks gives nothing that can be compared.
    """
    found = similarity(text, others)
    return await found if isawaitable(found) else Compared(found)


class TermSimilarity:
    """Cosine of damped term counts (1 + ln tf): by what texts say in the same words, not by what they mean."""

    def __init__(self, terms: Callable[[str], Iterable[str]] = shingles, *, identity: str = "terms") -> None:
        """``terms`` cuts a text; the default takes bigrams of Chinese characters and words of other scripts."""
        self._terms, self.identity = terms, identity

    def __call__(self, text: str, others: Sequence[str]) -> list[float]:
        """The cosine with each of the others; 0 where one of the two has no terms."""
        own = self._vector(text)
        return [_cosine(own, self._vector(other)) for other in others]

    def _vector(self, text: str) -> dict[str, float]:
        return {term: 1 + log(count) for term, count in Counter(self._terms(text)).items()}


def _cosine(one: dict[str, float], other: dict[str, float]) -> float:
    product = sum(weight * other.get(term, 0.0) for term, weight in one.items())
    lengths = sqrt(sum(w * w for w in one.values()) * sum(w * w for w in other.values()))
    return min(1.0, product / lengths) if lengths else 0.0
