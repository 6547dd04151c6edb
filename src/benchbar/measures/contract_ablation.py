"""Runs an ablation of clause review: every variant on the same clauses, then results and differences."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence

import numpy as np

from benchbar.measures.ablation import Outcomes, interactions, main_effects, paired_differences
from benchbar.measures.review_metrics import Pair, pair, review_results, review_timing, task_success, weighted_score
from benchbar.records import fingerprint
from benchbar.records.ablation import AblationResults, ContrastTable, ReviewTiming, Variant
from benchbar.records.contracts import ClauseReview, LabelledClause

Reviews = Mapping[str, Sequence[ClauseReview]]
"""Variant name to its reviews."""
ReviewOne = Callable[[LabelledClause], Awaitable[ClauseReview]]
MOST_PAIRS = 8
"""Variants up to which every pair is compared where no reference is named; beyond, effects say it better."""


async def review_variants(
    variants: Mapping[str, ReviewOne],
    clauses: Sequence[LabelledClause],
    *,
    at_once: int = 16,
    done: Callable[[], None] | None = None,
) -> dict[str, list[ClauseReview]]:
    """All reviews; calls that two variants share are made once, by the ledger behind the reviewers."""
    gate = asyncio.Semaphore(at_once)

    async def one(review: ReviewOne, clause: LabelledClause) -> ClauseReview:
        async with gate:
            found = await review(clause)
        if done:
            done()
        return found

    found = {}
    for name, review in variants.items():
        found[name] = list(await asyncio.gather(*(one(review, clause) for clause in clauses)))
    return found


def ablation_results(
    name: str,
    variants: Sequence[Variant],
    clauses: Sequence[LabelledClause],
    reviews: Reviews,
    *,
    reviewer: str,
    seed: int,
    reference: str | None = None,
    notes: Sequence[str] = (),
    identity: object = None,
) -> AblationResults:
    """Every measure of every variant, and the paired differences in three outcomes.

    ``identity`` is whatever else the study rests on (rules, law); it goes into the fingerprint.
    """
    pairs = {variant.name: pair(clauses, reviews[variant.name]) for variant in variants}
    return AblationResults(
        name=name,
        reviewer=reviewer,
        clauses=len(clauses),
        by_level={level: sum(clause.level == level for clause in clauses) for level in ("low", "medium", "high")},
        seed=seed,
        reference=reference,
        variants=tuple(variants),
        results={key: review_results(rows, np.random.default_rng(seed)) for key, rows in pairs.items()},
        contrasts=tuple(
            _table(outcome, measure, variants, clauses, pairs, seed, reference) for outcome, measure in OUTCOMES.items()
        ),
        fingerprint=fingerprint([clauses, variants, identity]),
        notes=tuple(notes),
    )


def ablation_timing(clauses: Sequence[LabelledClause], reviews: Reviews) -> dict[str, ReviewTiming]:
    """Variant to how long its reviews took."""
    return {name: review_timing(pair(clauses, rows)) for name, rows in reviews.items()}


def _weighted(clause: LabelledClause, review: ClauseReview) -> float:
    return weighted_score(clause.level, review.level)


def _correct(clause: LabelledClause, review: ClauseReview) -> float:
    return float(review.level is clause.level)


def _success(clause: LabelledClause, review: ClauseReview) -> float:
    return float(task_success(clause, review))


OUTCOMES: dict[str, Callable[[LabelledClause, ClauseReview], float]] = {
    "weighted_score": _weighted,
    "correct": _correct,
    "task_success": _success,
}


def _table(
    outcome: str,
    measure: Callable[[LabelledClause, ClauseReview], float],
    variants: Sequence[Variant],
    clauses: Sequence[LabelledClause],
    pairs: Mapping[str, Sequence[Pair]],
    seed: int,
    reference: str | None,
) -> ContrastTable:
    outcomes: Outcomes = {
        name: {clause.id: measure(clause, one) for clause, one in rows} for name, rows in pairs.items()
    }
    groups = {clause.id: clause.group or clause.id for clause in clauses}
    rng = np.random.default_rng(seed)
    compare = reference is not None or len(variants) <= MOST_PAIRS
    return ContrastTable(
        outcome=outcome,
        pairs=paired_differences(outcomes, rng, reference=reference, clusters=groups) if compare else (),
        main_effects=main_effects(variants, outcomes, rng, clusters=groups),
        interactions=interactions(variants, outcomes, rng, clusters=groups),
    )
