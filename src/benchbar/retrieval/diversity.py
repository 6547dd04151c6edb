"""Choosing passages that are relevant and differ from one another: maximal marginal relevance.

Carbonell and Goldstein (1998), "The Use of MMR, Diversity-Based Reranking for Reordering Documents and Producing
Summaries".
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike


def maximal_marginal_relevance(
    relevance: ArrayLike, similarity: ArrayLike, k: int, *, balance: float = 0.5
) -> list[int]:
    """Places of up to k items in the order of choice, each maximising the balance of relevance against likeness.

    The first is the most relevant. Each further one has the highest
    ``balance * relevance - (1 - balance) * (greatest similarity to those already chosen)``.

    Args:
        relevance: shape (n,), on the scale of the similarities (cosines, or 0 to 1).
        similarity: shape (n, n).
        k: how many to choose.
        balance: lambda; 1 keeps the order of relevance, 0 looks at difference alone.

    Raises:
        ValueError: the shapes do not fit, or lambda is not from 0 to 1.
    """
    relevant = np.asarray(relevance, dtype=float)
    alike = np.asarray(similarity, dtype=float)
    if alike.shape != (len(relevant), len(relevant)):
        raise ValueError(f"similarity has shape {alike.shape}; expected {(len(relevant), len(relevant))}")
    if not 0 <= balance <= 1:
        raise ValueError(f"lambda is {balance}; expected 0 to 1")
    if not len(relevant) or k < 1:
        return []
    # Plain lists: with the few dozen passages that are fetched, each call into numpy would cost more than the arithmetic.
    wanted, rows = (balance * relevant).tolist(), ((1 - balance) * alike).tolist()
    chosen = [int(np.argmax(relevant))]
    nearest = rows[chosen[0]]
    for _ in range(min(k, len(wanted)) - 1):
        wanted[chosen[-1]] = -math.inf
        marginal = [own - likeness for own, likeness in zip(wanted, nearest, strict=True)]
        following = marginal.index(max(marginal))
        chosen.append(following)
        nearest = list(map(max, nearest, rows[following]))
    return chosen
