"""What a question-answering run adds to the tables: measures in rows, assistants in columns."""

from __future__ import annotations

from collections.abc import Sequence

from benchbar.records import Estimate, RagMeasures, RunResults
from benchbar.reports.verdicts import everyone

JUDGED = {
    "faithfulness": "faithfulness",
    "answer_relevancy": "answer relevancy",
    "context_precision": "context precision",
    "context_recall": "context recall",
    "answer_correctness": "answer correctness",
    "right_abstention": "right abstention",
}
RETRIEVAL = {
    **{f"recall@{k}": f"recall@{k}" for k in (1, 3, 5, 10)},
    **{f"law_recall@{k}": f"recall@{k} in law" for k in (1, 3)},
    **{f"practice_recall@{k}": f"recall@{k} in practice" for k in (1, 5)},
    "mrr": "MRR",
    "ndcg@10": "nDCG@10",
    "map": "MAP",
    "span_precision": "character precision",
    "span_recall": "character recall",
}
LAW = {"citation_validity": "valid citations", "quote_faithfulness": "quote faithfulness"}
NAMES = {**JUDGED, **RETRIEVAL, **LAW}
"""Measure, as results.json names it, to what it is called."""
Line = tuple[str, list[Estimate | None]]


def measured(one: RagMeasures) -> dict[str, Estimate]:
    """Every measure of an assistant under its name."""
    law = {"citation_validity": one.citation_validity, "quote_faithfulness": one.quote_faithfulness}
    return {**one.judged, **one.retrieval, **law}


def question_lines(results: RunResults) -> list[Line]:
    """The measures that any assistant has a value of, each with an estimate for every assistant; none in other runs."""
    if results.rag is None:
        return []
    by_name = {name: measured(results.rag.assistants[name]) for name in everyone(results)}
    lines = [(measure, [found.get(measure) for found in by_name.values()]) for measure in NAMES]
    return [line for line in lines if any(one is not None and one.value is not None for one in line[1])]


def question_notes(results: RunResults) -> Sequence[str]:
    """What a reader has to know to read these measures right."""
    rag = results.rag
    if rag is None:
        return []
    found = [
        f"{name} does not say which passages it answered from: measures of passages are missing, not zero"
        for name, one in rag.assistants.items()
        if not one.with_contexts
    ]
    if not rag.judge:
        found.append('no judge of the kind "rag": faithfulness, relevancy and correctness were not measured')
    if rag.judge and rag.with_reference < rag.questions:
        found.append(f"{rag.questions - rag.with_reference} of {rag.questions} questions have no reference answer")
    if rag.with_evidence < rag.questions:
        found.append(f"{rag.questions - rag.with_evidence} of {rag.questions} questions name no evidence")
    if rag.unverified:
        found.append(f"{rag.unverified} of {rag.questions} questions were written by a model and accepted by nobody")
    return found


def only_answers(results: RunResults) -> bool:
    """Whether questions were asked, and nothing was compared: no guidance, no judge that compares."""
    return results.rag is not None and all(one.win_rate.value is None for one in results.assistants.values())
