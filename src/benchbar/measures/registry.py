"""Every measure that Benchbar reports, each defined once.

Results, terminal, pages, tables, charts, gate and comparison take name, unit, direction and label from here. To add a measure
of single dialogues, add one line to ``CONSULTATION`` with a ``value``: it then stands in measures.jsonl and results.json, a gate
may decide on it, and every format shows it. Measures of scoring rules from outside are declared by the rule itself
(:class:`~benchbar.records.measures.MeasureDefinition`) and need no line here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from statistics import fmean
from typing import TYPE_CHECKING, TypedDict

from benchbar.measures.facts import known_mean
from benchbar.measures.passages import BY_STORE, CUTS
from benchbar.records import UNANSWERABLE, UNDECIDED, Category, CitationStatus, Dialogue, DialogueEnd, Estimate, Sample
from benchbar.records.measures import SHARE, Better, MeasureDefinition
from benchbar.scoring.silence import SILENT, Stance, stance_of
from benchbar.statistics import (
    MacroWinRate,
    OrderedOutcome,
    PositionTest,
    macro_win_rate,
    mean,
    position_test,
    share,
    win_rate,
)

if TYPE_CHECKING:
    from benchbar.measures.facts import DialogueFacts
    from benchbar.scoring.weighing import Weighing
    from benchbar.statistics.clusters import Correction


class Clustered(TypedDict, total=False):
    """The arguments by which an estimator treats values that belong together; none where all are independent."""

    clusters: Sequence[str]
    correction: Correction


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of one assistant's dialogues, from which its measures are estimated."""

    name: str
    facts: Sequence[DialogueFacts]
    """Of each sample; where dialogues are repeated, averaged over its trials."""
    outcomes: Sequence[float | None]
    """Of each sample against the reference: 1 won, 0 lost, None where nothing was decided."""
    is_reference: bool
    tasks: tuple[str, ...] = ()
    """The tasks of these dialogues in the order of the suite."""
    orders: Sequence[OrderedOutcome] = ()
    """Outcomes under both orders of presentation, of each trial; none where no judge compared."""
    order_samples: Sequence[str] = ()
    """The sample of each of them."""
    dialogues: Sequence[DialogueFacts] = ()
    """Of each single dialogue: as many as there are trials."""
    clusters: Mapping[str, str] = field(default_factory=dict)
    """Sample to what it shares with others; empty where all samples are independent."""

    def narrowed(self, wanted: Callable[[DialogueFacts], bool]) -> Known:
        """The same of some of the dialogues; outcomes under both orders are known of all of them only."""
        kept = [(fact, outcome) for fact, outcome in zip(self.facts, self.outcomes, strict=True) if wanted(fact)]
        facts, outcomes = [fact for fact, _ in kept], [outcome for _, outcome in kept]
        dialogues = [one for one in self.dialogues if wanted(one)]
        return Known(self.name, facts, outcomes, self.is_reference, clusters=self.clusters, dialogues=dialogues)

    @property
    def repeated(self) -> bool:
        """Whether some sample has several trials."""
        return len(self.dialogues) > len(self.facts)

    def clustered(self, samples: Iterable[str] | None = None) -> Clustered:
        """How an estimate over these samples, else over all dialogues, has to treat what belongs together."""
        if not self.clusters:
            return {}
        samples = (fact.sample for fact in self.facts) if samples is None else samples
        # One that stands alone is a cluster of its own, under a name that no tag can have.
        return {"clusters": [self.clusters.get(one, f"\n{one}") for one in samples], "correction": "CR2"}

    def positions(self) -> PositionTest:
        """What the two orders of presentation say about the judge."""
        # The trials of one sample belong together, as do samples of one source.
        together = self.within if self.repeated else self.clustered
        clusters = together(self.order_samples).get("clusters") if self.orders else None
        return position_test(self.orders, clusters=clusters)

    def within(self, samples: Iterable[str]) -> Clustered:
        """The same of several values a sample: those of one sample belong together in any case."""
        return self.clustered(samples) if self.clusters else {"clusters": list(samples), "correction": "CR1"}


@dataclass(frozen=True, slots=True)
class Measure:
    """A definition, and how its estimate comes about."""

    definition: MeasureDefinition
    estimate: Callable[[Known], Estimate] | None = None
    """From all dialogues; None where results carry no estimate of their own, as for conditions of a gate."""
    value: Callable[[Sample, Dialogue], float | None] | None = None
    """Of one dialogue, for measures that need nothing but what was said; None means missing."""
    groups: bool = False
    """Whether each task, level and scenario gets an estimate too."""
    temperaments: bool = False
    """Whether each temperament of the simulated users gets one."""
    summary: bool = False
    """Whether the short tables of terminal, Markdown and LaTeX have a column for it."""


def estimated(known: Known, definition: MeasureDefinition) -> Estimate:
    """The mean over dialogues of values that stand in measures.jsonl; shares stay between 0 and 1."""
    values = [fact.values.get(definition.name) for fact in known.facts]
    together = known.clustered()
    return mean(values, low=0, high=1, **together) if definition.is_share else mean(values, **together)


def _define(
    name: str,
    label: str,
    estimate: Callable[[Known], Estimate] | None = None,
    *,
    unit: str = SHARE,
    better: Better = "higher",
    value: Callable[[Sample, Dialogue], float | None] | None = None,
    groups: bool = False,
    temperaments: bool = False,
    summary: bool = False,
) -> Measure:
    definition = MeasureDefinition(name=name, unit=unit, better=better, label=label)
    if value is not None and estimate is None:

        def estimate(known: Known) -> Estimate:
            return estimated(known, definition)

    return Measure(definition, estimate, value, groups, temperaments, summary)


def _win_rate(known: Known) -> Estimate:
    return ITSELF if known.is_reference else win_rate(known.outcomes, **known.clustered())


def _these_tasks(known: Known) -> Estimate:
    return ITSELF if known.is_reference else _over_tasks(known).these_tasks


def _tasks_like_these(known: Known) -> Estimate:
    return ITSELF if known.is_reference else _over_tasks(known).tasks_like_these


def _over_tasks(known: Known) -> MacroWinRate:
    parts = {task: known.narrowed(partial(_is_of, task)) for task in known.tasks}
    clusters = {task: part.clustered()["clusters"] for task, part in parts.items()} if known.clusters else None
    return macro_win_rate({task: part.outcomes for task, part in parts.items()}, clusters=clusters)


def _is_of(task: str, fact: DialogueFacts) -> bool:
    return fact.task == task


ITSELF = Estimate(value=None, reason="it is the reference itself")
"""What stands for a comparison of the reference with itself."""


def _point_score(known: Known) -> Estimate:
    return mean([fact.weighing.value for fact in known.facts], low=0, high=1, **known.clustered())


def _by_rule(known: Known) -> Estimate:
    return _weight_share(known, lambda weighing: weighing.by_rule)


def _decided(known: Known) -> Estimate:
    return _weight_share(known, lambda weighing: weighing.decided)


def _weight_share(known: Known, part: Callable[[Weighing], float]) -> Estimate:
    """Share of the guidance weight of a sample that was decided, averaged over samples that have guidance."""
    # Averaged over samples and not over weight: one sample with long guidance must not decide the figure.
    facts = [fact for fact in known.facts if fact.weighing.weight]
    values = [part(fact.weighing) / fact.weighing.weight for fact in facts]
    return mean(values, low=0, high=1, **known.clustered(fact.sample for fact in facts))


def _validity(known: Known) -> Estimate:
    """Citations of one sample are drawn together; those that the law at hand cannot decide are missing."""
    cited = [(status, fact.sample) for fact in known.facts for status, _ in fact.citations]
    # The corpus cannot say, so neither may the measure: counted as wrong, a small corpus would make every
    # assistant look bad.
    flags = [None if status in UNDECIDED else status == CitationStatus.VERIFIED for status, _ in cited]
    return share(flags, unit="citation", **known.within(sample for _, sample in cited))


def _quotes(known: Known) -> Estimate:
    quoted = [(score, fact.sample) for fact in known.facts for _, score in fact.citations if score is not None]
    together = known.within(sample for _, sample in quoted)
    return mean([score for score, _ in quoted], low=0, high=1, unit="quotation", **together)


def _turns(known: Known) -> Estimate:
    # A dialogue that an error cut short has few exchanges for no merit of the assistant's.
    return mean([None if fact.failed else fact.exchanges for fact in known.facts], **known.clustered())


def _satisfied(known: Known) -> Estimate:
    values = [None if fact.failed else fact.satisfied for fact in known.facts]
    if known.repeated:
        # Shares of trials, not yes or no any more.
        return mean(values, low=0, high=1, **known.clustered())
    return share(values, **known.clustered())


def _reply_length(_: Sample, dialogue: Dialogue) -> float | None:
    """Judges tend to prefer long answers: who reads a win rate should see what it may owe to length."""
    lengths = [len(turn.content) for turn in dialogue.turns if turn.role == "assistant"]
    # The length of a reply that broke off says nothing.
    return fmean(lengths) if lengths and dialogue.ended is not DialogueEnd.ERROR else None


def _refusal(sample: Sample, dialogue: Dialogue) -> float | None:
    stance = stance_of(dialogue, sample.language)
    return None if stance in {None, Stance.OPEN} else float(stance in SILENT)


def answerable(sample: Sample) -> bool | None:
    """Whether the question has an answer; None where nobody says so: no expected answer, no evidence, no tag."""
    if UNANSWERABLE in sample.tags:
        return False
    return True if sample.guidance.points or sample.guidance.text or sample.reference or sample.evidence else None


def _wrong_refusal(sample: Sample, dialogue: Dialogue) -> float | None:
    return _refusal(sample, dialogue) if answerable(sample) else None


def _right_refusal(sample: Sample, dialogue: Dialogue) -> float | None:
    return _refusal(sample, dialogue) if answerable(sample) is False else None


def _answered_score(known: Known) -> Estimate:
    """Guidance met by dialogues whose last reply answers: silence is left out, since it is no wrong answer."""
    answered = [one for one in known.dialogues if one.values.get("wrong_refusal") == 0.0]
    by_sample = groupby(answered, key=lambda one: one.sample)
    return mean([known_mean(one.weighing.value for one in trials) for _, trials in by_sample], low=0, high=1)


CONSULTATION: tuple[Measure, ...] = (
    _define("win_rate", "win rate", _win_rate, groups=True, temperaments=True),
    _define("win_rate_these_tasks", "mean over tasks, these very tasks", _these_tasks),
    _define("win_rate_tasks_like_these", "mean over tasks, tasks drawn like these", _tasks_like_these),
    _define("point_score", "guidance met", _point_score, groups=True, temperaments=True, summary=True),
    _define("answered_score", "guidance met where answered", _answered_score),
    _define("wrong_refusal", "answerable questions not answered", better="lower", value=_wrong_refusal),
    _define("right_refusal", "unanswerable questions not answered", value=_right_refusal),
    _define("rule_share", "guidance weight decided by rules", _by_rule, better="neither"),
    _define("decided_share", "guidance weight decided at all", _decided),
    _define("citation_validity", "valid citations", _validity, summary=True),
    _define("quote_fidelity", "quotations true to the law", _quotes),
    _define(
        "order_inconsistency",
        "samples where the judge's orders disagree",
        lambda known: known.positions().inconsistency,
        better="lower",
    ),
    _define("turns", "exchanges", _turns, unit="exchanges", better="neither", temperaments=True, summary=True),
    _define("satisfied", "satisfied", _satisfied, temperaments=True, summary=True),
    _define("reply_length", "characters of a reply", unit="characters", better="neither", value=_reply_length),
)
"""What results.json holds of each assistant, in the order of reports."""

OF_DIALOGUES: tuple[Measure, ...] = (
    _define("overall", "overall"),
    _define("undecided", "guidance weight undecided", better="lower"),
    _define("failed", "failed dialogues", better="lower"),
    _define("forbidden_said", "dialogues in which something forbidden was said", better="lower"),
    _define("invented_citation", "dialogues with invented citations", better="lower"),
    _define("contradicted_citation", "dialogues with citations that contradict what is said", better="lower"),
    _define(
        "judged_contradiction",
        "dialogues with claims that a judge says their article contradicts, of those it looked at",
        better="lower",
    ),
    _define("wrong_authority_citation", "dialogues with citations of another country, court or field", better="lower"),
    _define("open_citations", "citations that the law at hand leaves open", unit="citations", better="neither"),
    _define("coverage", "guidance met by category"),
    *(
        _define(f"coverage/{one}", f"guidance met: {one}", better="lower" if one is Category.FORBIDDEN else "higher")
        for one in Category
    ),
)
"""Further measures that measures.jsonl holds: gates decide on them and comparisons compare them."""

QUESTIONS: tuple[Measure, ...] = (
    _define("faithfulness", "faithfulness", summary=True),
    _define("answer_relevancy", "answer relevancy", summary=True),
    _define("context_precision", "context precision", summary=True),
    _define("context_recall", "context recall", summary=True),
    _define("answer_correctness", "answer correctness", summary=True),
    _define("right_abstention", "right abstention"),
    _define("context_utilisation", "context utilisation"),
    _define("noise_sensitivity", "noise sensitivity", better="lower"),
    _define("noise_sensitivity_irrelevant", "noise sensitivity, irrelevant passages", better="lower"),
    _define("context_entity_recall", "context entity recall"),
    _define("factual_correctness", "factual correctness"),
    _define("response_groundedness", "response groundedness"),
    *(_define(f"recall@{k}", f"recall@{k}", summary=k in {1, 5, 10}) for k in CUTS),
    *(
        _define(f"{store}_recall@{k}", f"recall@{k} in {store}", summary=k == cuts[-1])
        for store, cuts in BY_STORE.items()
        for k in cuts
    ),
    _define("mrr", "MRR", summary=True),
    _define("ndcg@10", "nDCG@10", summary=True),
    _define("map", "MAP"),
    _define("span_precision", "character precision", summary=True),
    _define("span_recall", "character recall", summary=True),
    _define("citation_validity", "valid citations"),
    _define("quote_faithfulness", "quote faithfulness"),
    _define("outcome_right", "answers that are right", summary=True),
    _define("outcome_not_retrieved", "errors: evidence not retrieved", better="lower", summary=True),
    _define("outcome_ignored", "errors: evidence retrieved and not used", better="lower", summary=True),
    _define("outcome_contradicted", "errors: contradicted by what is cited", better="lower"),
    _define("outcome_outdated", "errors: law not in force", better="lower"),
    _define("outcome_rightly_silent", "rightly silent"),
    _define("outcome_wrongly_silent", "errors: silent though there is an answer", better="lower"),
    _define("outcome_wrongly_answered", "errors: answered though there is none", better="lower", summary=True),
)
"""Of answers to questions and the passages they rest on, in the order of reports."""

CONTRACTS: tuple[Measure, ...] = (
    _define("accuracy", "Accuracy", summary=True),
    _define("weighted_accuracy", "Weighted accuracy", summary=True),
    _define("high_f2", "F2 of high risk", summary=True),
    _define("macro_f1", "Macro F1"),
    _define("high_risk_leakage", "High-risk leakage", better="lower", summary=True),
    _define("high_to_low", "High called low", better="lower"),
    _define("high_to_medium", "High called medium", better="lower"),
    _define("high_unreadable", "High without a level", better="lower"),
    _define("parse_rate", "Parse rate"),
    _define("task_success", "Task success", summary=True),
    _define("raw_clause_hallucination", "Excerpts not in the clause, as first given", better="lower"),
    _define("clause_hallucination", "Excerpts not in the clause, after the check", better="lower"),
    _define("law_hallucination", "Cited articles that do not exist", better="lower"),
    _define("hallucination", "Both together", better="lower", summary=True),
    _define("rule_recall", "Rule recall", summary=True),
    _define("rule_precision", "Rule precision"),
    _define("risk_id_accuracy", "Risk id accuracy (first hit)"),
    _define("risk_id_recall", "Risk id recall"),
    _define("doubtful", "Handed to a person", better="lower"),
    _define("linear_kappa", "Linear weighted kappa", unit="kappa"),
    _define("quadratic_kappa", "Quadratic weighted kappa", unit="kappa"),
    _define("weighted_score", "weighted score"),
    _define("correct", "level right"),
)
"""Of contract reviews on labelled clauses, in the order of reports; the last two are of single clauses."""

BY_NAME: Mapping[str, Measure] = {
    one.definition.name: one for one in (*CONTRACTS, *QUESTIONS, *OF_DIALOGUES, *CONSULTATION)
}
VALUED: Mapping[str, Callable[[Sample, Dialogue], float | None]] = {
    one.definition.name: one.value for one in CONSULTATION if one.value is not None
}
"""Measures whose value is worked out from the dialogue alone."""


def definition(name: str, declared: Mapping[str, MeasureDefinition] | None = None) -> MeasureDefinition:
    """The measure of a name: one that a scoring rule declared, else ours.

    A name that nobody defined is a dimension of a rubric: a share, and higher is better.
    """
    if declared and name in declared:
        return declared[name]
    found = BY_NAME.get(name)
    return found.definition if found else MeasureDefinition(name=name, label=name)


def ordered(names: Iterable[str]) -> list[str]:
    """Names in the order of reports; those that are not ours come last, by name."""
    places = {one.definition.name: place for place, one in enumerate(CONSULTATION)}
    return sorted(names, key=lambda name: (places.get(name, len(places)), name))
