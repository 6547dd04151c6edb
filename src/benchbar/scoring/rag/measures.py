"""The formulas of RAGAS over a judge's verdicts; each gives a number from 0 to 1, or None where it is undefined.

Es, James, Espinosa Anke and Schockaert (2024), RAGAS: Automated Evaluation of Retrieval Augmented Generation, and the
definitions of the library of that name.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet


def borne_share(borne: Sequence[bool]) -> float | None:
    """Share of claims that are borne out: faithfulness of an answer's claims, context recall of a reference's."""
    return sum(borne) / len(borne) if borne else None


def rank_weighted_precision(useful: Sequence[bool]) -> float:
    """Precision at the rank of each useful passage, averaged over the useful ones; 0 where none is."""
    found, total = 0, 0.0
    for rank, one in enumerate(useful, start=1):
        if one:
            found += 1
            total += found / rank
    return total / found if found else 0.0


def relevancy(similarities: Sequence[float], *, noncommittal: bool) -> float | None:
    """Mean similarity of the questions generated back from an answer to the one asked; 0 for an evasive answer."""
    if noncommittal:
        return 0.0
    return min(1.0, max(0.0, sum(similarities) / len(similarities))) if similarities else None


def claim_f1(true_positives: int, false_positives: int, false_negatives: int) -> float | None:
    """F1 over claims: right ones, ones that the reference does not bear, and ones of the reference left unsaid."""
    whole = true_positives + 0.5 * (false_positives + false_negatives)
    return true_positives / whole if whole else None


def correctness(f1: float, similarity: float, weights: tuple[float, float]) -> float:
    """Weighted mean of claim F1 and similarity to the reference answer."""
    return (weights[0] * f1 + weights[1] * similarity) / sum(weights)


def noise_sensitivity(
    right: Sequence[bool], claims_of: Sequence[Sequence[bool]], reference_of: Sequence[Sequence[bool]]
) -> tuple[float, float] | None:
    """Share of an answer's claims that are wrong and come from a relevant passage, and from irrelevant ones alone.

    RAGAS' noise sensitivity in its two modes. A passage is relevant that bears out a claim of the reference.

    Args:
        right: for each claim of the answer whether the reference bears it out.
        claims_of: for each passage, which claims of the answer it bears out.
        reference_of: for each passage, which claims of the reference it bears out.
    """
    if not right:
        return None
    relevant = [any(claims) for claims in reference_of]
    by_relevant = [any(own[i] for own, one in zip(claims_of, relevant, strict=True) if one) for i in range(len(right))]
    by_other = [any(own[i] for own, one in zip(claims_of, relevant, strict=True) if not one) for i in range(len(right))]
    noisy = sum(found and not true for found, true in zip(by_relevant, right, strict=True))
    astray = sum(
        found and not first and not true for found, first, true in zip(by_other, by_relevant, right, strict=True)
    )
    return noisy / len(right), astray / len(right)


def entity_recall(reference: AbstractSet[str], passages: AbstractSet[str]) -> float | None:
    """Share of the reference's entities that the passages name: RAGAS' context entity recall."""
    return len(reference & passages) / len(reference) if reference else None


def groundedness(ratings: Sequence[int]) -> float | None:
    """Mean of ratings 0 (not), 1 (partly) and 2 (fully grounded), as a share: RAGAS' response groundedness."""
    return sum(ratings) / (2 * len(ratings)) if ratings else None
