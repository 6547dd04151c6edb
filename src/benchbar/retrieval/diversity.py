"""Choosing passages that are relevant and differ from one another: maximal marginal relevance.

Carbonell and Goldstein (1998), "The Use of MMR, Diversity-Based Reranking for Reordering Documents and Producing
Summaries".
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray


class Rows(Protocol):
    """A matrix by its rows: an array, a list of lists, or rows that are worked out when they are asked for."""

    def __len__(self) -> int:
        """How many rows there are."""
        ...

    def __getitem__(self, place: int, /) -> Any:
        """One row."""
        ...


# All similarities of n candidates would be n² products; MMR looks at k rows.
class LazyRows:
    """Rows that are worked out when they are asked for: to choose k passages takes k rows of their similarities."""

    def __init__(self, size: int, row: Callable[[int], ArrayLike]) -> None:
        """``row`` gives row i of a matrix with ``size`` rows."""
        self._size, self._row = size, row

    def __len__(self) -> int:
        """How many rows there are."""
        return self._size

    def __getitem__(self, place: int) -> NDArray[Any]:
        """One row."""
        if not 0 <= place < self._size:
            raise IndexError(place)
        return np.asarray(self._row(place))


def maximal_marginal_relevance(relevance: ArrayLike, similarity: Rows, k: int, *, balance: float = 0.5) -> list[int]:
    """Places of up to k items in the order of choice, each maximising the balance of relevance against likeness.

    The first is the most relevant. Each further one has the highest
    ``balance * relevance - (1 - balance) * (greatest similarity to those already chosen)``.

    Args:
        relevance: shape (n,), on the scale of the similarities (cosines, or 0 to 1).
        similarity: n rows of n; only those of chosen items are looked at.
        k: how many to choose.
        balance: lambda; 1 keeps the order of relevance, 0 looks at difference alone.

    Raises:
        ValueError: the shapes do not fit, or lambda is not from 0 to 1.
    """
    relevant = np.asarray(relevance, dtype=float)
    if len(similarity) != len(relevant):
        raise ValueError(f"similarity has {len(similarity)} rows; expected {len(relevant)}")
    if not 0 <= balance <= 1:
        raise ValueError(f"lambda is {balance}; expected 0 to 1")
    if not len(relevant) or k < 1:
        return []
    wanted, place = balance * relevant, int(relevant.argmax())
    # The greatest similarity so far is kept: each step then adds one row instead of comparing with all
    # chosen.
    chosen, nearest = [place], np.full(len(relevant), -math.inf)
    for _ in range(min(k, len(relevant)) - 1):
        np.maximum(nearest, _row(similarity, place, len(relevant)), out=nearest)
        # Chosen ones can never win again.
        wanted[place] = -math.inf
        place = int((wanted - (1 - balance) * nearest).argmax())
        chosen.append(place)
    return chosen


def _row(similarity: Rows, place: int, size: int) -> NDArray[np.float64]:
    row = np.asarray(similarity[place], dtype=float)
    if row.shape != (size,):
        raise ValueError(f"row {place} of the similarity has shape {row.shape}; expected {(size,)}")
    return row
