"""From answers to questions to the part of the results that this protocol adds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from benchbar.measures.answer_outcomes import OUTCOMES, outcome_measures
from benchbar.measures.facts import known_mean
from benchbar.measures.passages import MEASURES, passage_measures
from benchbar.records import (
    UNVERIFIED,
    Estimate,
    RagMeasures,
    RagResults,
    RagScore,
    Reduction,
    RunResults,
    Sample,
    SampleResult,
    ScoreStatus,
    Suite,
)
from benchbar.records.protocols import Documents
from benchbar.records.rag import FURTHER
from benchbar.scoring.panels import reduced_value
from benchbar.statistics import mean
from benchbar.suites.clusters import clusters_of

JUDGED = (
    "faithfulness",
    "answer_relevancy",
    "context_precision",
    "context_recall",
    "answer_correctness",
    "right_abstention",
    *FURTHER,
)


@dataclass(frozen=True, slots=True)
class AnswerFacts:
    """What counts of one answer."""

    sample: str
    task: str
    said_contexts: bool
    values: Mapping[str, float | None]
    """Measure to value; a measure that does not apply to the sample is not in it."""


class RagAccumulator:
    """Facts of each answer by assistant, in the order of the suite."""

    def __init__(self, suite: Suite, documents: Documents | None, reduction: Reduction = "mean") -> None:
        """``documents`` are what evidence and passages are looked up in, ``reduction`` is that of a panel's judges."""
        self._suite, self._documents, self._reduction = suite, documents, reduction
        self.facts: dict[str, list[AnswerFacts]] = defaultdict(list)

    def add(self, sample: Sample, result: SampleResult) -> dict[str, dict[str, float | None]]:
        """Take in what came of one sample, the mean of its trials where it has several; the outcome of each assistant's answer."""
        trials: dict[str, list[AnswerFacts]] = defaultdict(list)
        for trial in result.each():
            for dialogue in trial.dialogues:
                scores = [score for score in trial.rag if score.assistant == dialogue.assistant]
                values = _judged(scores, self._reduction)
                if sample.evidence:
                    values |= passage_measures(sample, dialogue.contexts, self._documents)
                cited = [one for one in trial.citations if one.assistant == dialogue.assistant]
                values |= outcome_measures(sample, dialogue, cited, self._documents, values)
                said = dialogue.contexts is not None
                trials[dialogue.assistant].append(AnswerFacts(sample.id, sample.task, said, values))
        for name, own in trials.items():
            self.facts[name].append(_averaged(own))
        return {
            name: {key: value for key, value in self.facts[name][-1].values.items() if key in OUTCOMES}
            for name in trials
        }

    def extended(self, run: RunResults, *, judge: str, compared_by: str = "") -> RunResults:
        """The run's results with the part that questions add; nobody was there to be satisfied."""
        nobody = Estimate(value=None, reason="each question is asked once: no user says whether it is satisfied")
        assistants = {
            name: replace(one, measures=one.measures | {"satisfied": nobody}) for name, one in run.assistants.items()
        }
        return replace(run, assistants=assistants, rag=self._results(run, judge, compared_by))

    def _results(self, run: RunResults, judge: str, compared_by: str) -> RagResults:
        samples = self._suite.samples
        clusters = clusters_of(samples)
        return RagResults(
            questions=len(samples),
            with_reference=sum(bool(sample.reference) for sample in samples),
            with_evidence=sum(bool(sample.evidence) for sample in samples),
            unverified=sum(UNVERIFIED in sample.tags for sample in samples),
            judge=judge,
            compared_by=compared_by,
            assistants={
                name: RagMeasures(
                    judged=estimates(facts, JUDGED, clusters),
                    retrieval=estimates(facts, MEASURES, clusters),
                    outcomes=estimates(facts, OUTCOMES, clusters),
                    citation_validity=run.assistants[name]["citation_validity"],
                    quote_faithfulness=run.assistants[name]["quote_fidelity"],
                    by_task=_by_task(facts, clusters),
                    with_contexts=sum(one.said_contexts for one in facts),
                )
                for name, facts in self.facts.items()
            },
        )


def _averaged(trials: Sequence[AnswerFacts]) -> AnswerFacts:
    first = trials[0]
    if len(trials) == 1:
        return first
    names = dict.fromkeys(name for one in trials for name in one.values)
    values = {name: known_mean(one.values[name] for one in trials if name in one.values) for name in names}
    return AnswerFacts(first.sample, first.task, any(one.said_contexts for one in trials), values)


def _judged(scores: Iterable[RagScore], reduction: Reduction) -> dict[str, float | None]:
    """Each measure's mean over the repeats that gave a value, several judges' by the reduction; None where none did."""
    found: dict[str, dict[str, list[float]]] = defaultdict(dict)
    for score in scores:
        values = found[score.measure].setdefault(score.scorer, [])
        if score.status is ScoreStatus.SCORED and score.value is not None:
            values.append(score.value)
    return {measure: _of_judges(list(by_judge.values()), reduction) for measure, by_judge in found.items()}


def _of_judges(by_judge: Sequence[Sequence[float]], reduction: Reduction) -> float | None:
    if reduction == "mean" or len(by_judge) == 1:
        return known_mean(value for values in by_judge for value in values)
    return reduced_value([known_mean(values) for values in by_judge], reduction)


def estimates(
    facts: Iterable[AnswerFacts], measures: Iterable[str], clusters: Mapping[str, str] | None = None
) -> dict[str, Estimate]:
    """Means over the questions that a measure applies to; those without a value are missing, never 0.

    ``clusters`` are the suite's: sample to what it shares with others.
    """
    facts = list(facts)
    found: dict[str, Estimate] = {}
    for measure in measures:
        asked = [one for one in facts if measure in one.values]
        # A question that stands alone is a cluster of its own, under a name that no tag can have.
        together = [clusters.get(one.sample, f"\n{one.sample}") for one in asked] if clusters else None
        if asked:
            values = [one.values[measure] for one in asked]
            found[measure] = mean(values, clusters=together, low=0.0, high=1.0, unit="question")
    return found


def _by_task(facts: list[AnswerFacts], clusters: Mapping[str, str]) -> dict[str, dict[str, Estimate]]:
    tasks = dict.fromkeys(one.task for one in facts)
    return {
        task: estimates((one for one in facts if one.task == task), (*JUDGED, *MEASURES, *OUTCOMES), clusters)
        for task in tasks
    }
