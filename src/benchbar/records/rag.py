"""How well questions are answered from retrieved passages: single marks, and what they come to."""

from __future__ import annotations

from benchbar.records.base import Record
from benchbar.records.numbers import Estimate
from benchbar.records.scoring import ScoreStatus

FURTHER = (
    "context_utilisation",
    "noise_sensitivity",
    "noise_sensitivity_irrelevant",
    "context_entity_recall",
    "factual_correctness",
    "response_groundedness",
)
"""Measures of a RAG judge that cost further calls (the fourth none), and are taken where they are asked for."""


class RagVerdict(Record, frozen=True):
    """What a judge decided about one part of an answer: a claim, a passage, a question."""

    text: str
    holds: bool | None = None
    """Whether the claim is borne out or the passage useful; None for a question, which has only a value."""
    value: float | None = None
    """Similarity of a question to the one that was asked."""
    reason: str = ""


class RagScore(Record, frozen=True):
    """One measure of one answer, with the verdicts that it was computed from."""

    sample: str
    assistant: str
    measure: str
    """``faithfulness``, ``answer_relevancy``, ``context_precision``, ``context_recall``, ``answer_correctness``,
    ``right_abstention`` or one of those that ``[judge.rag] further`` names."""
    status: ScoreStatus
    """``abstained`` where the measure is not defined for this answer, ``failed`` where no verdict could be read."""
    value: float | None = None
    verdicts: tuple[RagVerdict, ...] = ()
    reason: str = ""
    scorer: str = ""
    version: str = "1"
    repeat: int = 0

    def __post_init__(self) -> None:
        """A value exactly where the status says so."""
        if (self.value is None) == (self.status is ScoreStatus.SCORED):
            raise ValueError(f"status {self.status} does not fit value {self.value}")


class RagMeasures(Record, frozen=True):
    """One assistant's answers: each measure an Estimate over questions."""

    judged: dict[str, Estimate]
    """Measure to its estimate; empty where the run had no judge of this kind."""
    retrieval: dict[str, Estimate]
    """``recall@5``, ``mrr``, ``ndcg@10``, ``map``, ``span_precision`` and so on; empty where no sample names evidence."""
    citation_validity: Estimate
    quote_faithfulness: Estimate
    by_task: dict[str, dict[str, Estimate]]
    """Task id to measure to estimate."""
    with_contexts: int
    """Answers that said which passages they were written from, none found included."""
    outcomes: dict[str, Estimate] = {}
    """``outcome_right``, ``outcome_not_retrieved`` and so on: the share of answers that each became; empty in older runs."""


class RagResults(Record, frozen=True):
    """The part of a run's results that its question-answering protocol adds."""

    questions: int
    with_reference: int
    with_evidence: int
    unverified: int
    """Questions that a model wrote and no person has accepted yet."""
    judge: str
    """Identity of the judge, its similarity and weights; empty where there was none."""
    assistants: dict[str, RagMeasures]
    compared_by: str = ""
    """What compared the meaning of texts in ``answer_relevancy`` and ``answer_correctness``; empty where nothing did, and in older
    runs, where ``judge`` names it."""
