"""The formulas of RAGAS over a judge's verdicts; each gives a number from 0 to 1, or None where it is undefined.

Es, James, Espinosa Anke and Schockaert (2024), RAGAS: Automated Evaluation of Retrieval Augmented Generation, and the
definitions of the library of that name.
"""

from __future__ import annotations

from collections.abc import Sequence


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
