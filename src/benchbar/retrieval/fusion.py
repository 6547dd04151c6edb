"""Several rankings made one: weighted reciprocal rank fusion.

Cormack, Clarke and Büttcher (2009), "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning
Methods"; with a weight for each ranking.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeVar

K = TypeVar("K", bound=Hashable)

CONSTANT = 60
# The constant of the paper. Larger ones make ranks nearly equal, smaller ones let one ranking decide.
"""What is added to each rank; the larger, the less the first places stand out."""


def weighted_rrf(
    rankings: Sequence[Sequence[K]], weights: Sequence[float] | None = None, *, constant: float = CONSTANT
) -> list[tuple[K, float]]:
    """Every item of the rankings with the sum of weight / (rank + constant), highest first; ranks begin at 1.

    Equal sums keep the order in which the items were first met. An item that one ranking names twice counts once
    there, at its better rank.

    Raises:
        ValueError: there is not one weight for each ranking, or a weight is negative.
    """
    shares = [1.0] * len(rankings) if weights is None else list(weights)
    if len(shares) != len(rankings) or any(share < 0 for share in shares):
        raise ValueError(f"weights {shares} for {len(rankings)} rankings; expected one for each, none negative")
    sums: dict[K, float] = {}
    for ranking, share in zip(rankings, shares, strict=True):
        # An item named twice in one ranking must not gain by it.
        for rank, item in enumerate(dict.fromkeys(ranking), start=1):
            sums[item] = sums.get(item, 0.0) + share / (rank + constant)
    return sorted(sums.items(), key=lambda item: -item[1])
