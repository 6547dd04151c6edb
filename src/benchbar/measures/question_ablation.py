"""Variants of one assistant on the same questions: what each is measured at, and the differences between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from benchbar.measures.ablation import paired_differences
from benchbar.measures.passages import MEASURES
from benchbar.measures.question_answering import JUDGED, AnswerFacts, estimates
from benchbar.records import Suite, fingerprint
from benchbar.records.ablation import ContrastTable, QuestionAblation, Variant
from benchbar.suites.clusters import clusters_of

COMPARED = ("recall@5", "mrr", "ndcg@10", "faithfulness", "context_recall", "answer_correctness")


def question_ablation(
    name: str,
    suite: Suite,
    variants: Sequence[Variant],
    facts: Mapping[str, list[AnswerFacts]],
    *,
    seed: int,
    reference: str | None,
) -> QuestionAblation:
    """Every measure of every variant, and paired differences on the measures that decide.

    ``reference`` is the variant that all others are compared with; None compares every pair.
    """
    generator = np.random.default_rng(seed)
    clusters = clusters_of(suite.samples)
    results = {variant: estimates(rows, (*JUDGED, *MEASURES), clusters) for variant, rows in facts.items()}
    measured = [measure for measure in COMPARED if any(measure in found for found in results.values())]
    contrasts = []
    for measure in measured:
        outcomes = {
            variant: {row.sample: row.values[measure] for row in rows if measure in row.values}
            for variant, rows in facts.items()
        }
        alike = {sample: clusters.get(sample, f"\n{sample}") for one in outcomes.values() for sample in one}
        pairs = paired_differences(outcomes, generator, reference=reference, clusters=alike if clusters else None)
        contrasts.append(ContrastTable(outcome=measure, pairs=pairs))
    return QuestionAblation(
        name=name,
        suite=suite.card.name,
        questions=len(suite.samples),
        seed=seed,
        reference=reference,
        variants=tuple(variants),
        results=results,
        contrasts=tuple(contrasts),
        fingerprint=fingerprint([suite.fingerprint, variants]),
    )
