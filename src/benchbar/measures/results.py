"""From accumulated facts to results: every number an Estimate over samples, missing ones counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TypedDict

import msgspec
from msgspec import UNSET

from benchbar.dialogue.temperaments import OFF, Assignment
from benchbar.law.shown import measured_in
from benchbar.measures.accumulator import FactAccumulator
from benchbar.measures.facts import DialogueFacts, averaged_trials, known_mean
from benchbar.measures.fidelity import ALIGNED, off_guidance
from benchbar.measures.health import POSITION_ONLY, UNEVEN, findings, position_only, uneven, unevenly_decided
from benchbar.measures.lean import NO_FAMILIES, Families, favouring, leans
from benchbar.measures.multiplicity import with_ranks
from benchbar.measures.panel import panel_results
from benchbar.measures.probes import fooled, rates
from benchbar.measures.registry import CONSULTATION, Known, Measure, estimated
from benchbar.measures.temperaments import by_temperament
from benchbar.records import (
    LEVELS,
    QUESTION_ANSWERING,
    SCENARIOS,
    AssistantResults,
    Category,
    Cell,
    Estimate,
    RunResults,
    Spending,
    Suite,
)
from benchbar.records.measures import MeasureDefinition
from benchbar.records.protocols import CitationChecker
from benchbar.records.results import Fidelity, HealthFinding, JudgeLean
from benchbar.scoring.rubrics import Rubric
from benchbar.scoring.weighing import compared
from benchbar.statistics import mean, pearson, share, spearman
from benchbar.suites.clusters import clusters_of


def results(
    suite: Suite,
    accumulator: FactAccumulator,
    *,
    simulator: str,
    judge: str,
    decided_by: str,
    law: CitationChecker | None,
    spending: dict[str, Spending],
    rubric: Rubric | None = None,
    assignment: Assignment = OFF,
    families: Families = NO_FAMILIES,
    aligned: float = ALIGNED,
) -> RunResults:
    """Everything a run found; ``aligned`` is the share of the user's turns that has to be true to the person it plays."""
    used = {sample.task for sample in suite.samples}
    clusters = clusters_of(suite.samples)
    every = {name: known(accumulator, name, clusters) for name in accumulator.dialogues}
    assistants = {name: _assistant(accumulator, whole) for name, whole in every.items()}
    shares = {name: one["rule_share"].value for name, one in assistants.items()} if decided_by == "rules" else {}
    assistants = {
        name: _believed(
            accumulator, name, one, uneven=unevenly_decided(shares.get(name), shares.get(accumulator.reference))
        )
        for name, one in assistants.items()
    }
    return RunResults(
        suite=suite.card.name,
        suite_fingerprint=suite.fingerprint,
        reference=accumulator.reference,
        decided_by=decided_by,
        simulator=simulator,
        judge=judge,
        law=law.identity if law else "",
        invented_law=(law.invented if law else "") or UNSET,
        on=law.today if law else "",
        samples=len(suite.samples),
        without_guidance=accumulator.without_guidance,
        languages=tuple(sorted({sample.language for sample in suite.samples})),
        accusations=measured_in(sorted({sample.language for sample in suite.samples})) if law else UNSET,
        left_out=suite.card.left_out,
        tasks={id_: task.name for id_, task in suite.tasks.items() if id_ in used},
        levels=tuple(level for level in LEVELS if any(suite.tasks[id_].level == level for id_ in used)),
        scenarios=tuple(name for name in SCENARIOS if any(name in suite.tasks[id_].scenarios for id_ in used)),
        assistants=with_ranks(assistants, every),
        turns_and_win_rate=_turns_and_win_rate(assistants),
        spending=spending,
        failures=dict(sorted(accumulator.failures.items())),
        panel=panel_results(accumulator.panel, accumulator.reduction, clusters),
        tie_margin=accumulator.tie_margin,
        rubric=rubric.name if rubric else "",
        dimensions=rubric.bars() if rubric else {},
        declared=accumulator.declared,
        temperaments=by_temperament(suite, assignment, every),
        **_trust(suite, accumulator, clusters, families=families, aligned=aligned, shares=shares),
    )


class _Trust(TypedDict):
    """What speaks for and against believing the results, by the fields that it stands in."""

    judges: dict[str, JudgeLean]
    probes: dict[str, dict[str, Estimate]]
    fidelity: tuple[Fidelity, ...]
    health: tuple[HealthFinding, ...]


def _trust(
    suite: Suite,
    accumulator: FactAccumulator,
    clusters: Mapping[str, str],
    *,
    families: Families,
    aligned: float,
    shares: Mapping[str, float | None],
) -> _Trust:
    probes = rates(accumulator.probes, clusters)
    fidelity = () if suite.card.protocol == QUESTION_ANSWERING else accumulator.fidelity.found()
    judges = leans(accumulator.lean, families, accumulator.reference, clusters)
    return {
        "judges": judges,
        "probes": probes,
        "fidelity": fidelity,
        "health": (
            *findings(accumulator.health, accumulator.outcomes),
            *uneven(shares, accumulator.reference),
            *fooled(probes),
            *favouring(judges),
            *off_guidance(fidelity, aligned),
        ),
    }


def _believed(accumulator: FactAccumulator, name: str, found: AssistantResults, *, uneven: bool) -> AssistantResults:
    """The results; where who compared is not to be believed, with the reason why its win rates show no winner."""
    reason = POSITION_ONLY if position_only(accumulator.outcomes.get(name, ())) else UNEVEN if uneven else ""
    if not reason:
        return found

    def doubted(one: AssistantResults | Cell) -> dict[str, Estimate]:
        rate = one["win_rate"]
        return one.measures | {"win_rate": msgspec.structs.replace(rate, reason=rate.reason or reason)}

    def cells(groups: dict[str, Cell]) -> dict[str, Cell]:
        return {group: msgspec.structs.replace(cell, measures=doubted(cell)) for group, cell in groups.items()}

    return msgspec.structs.replace(
        found,
        measures=doubted(found),
        by_task=cells(found.by_task),
        by_level=cells(found.by_level),
        by_scenario=cells(found.by_scenario),
    )


def _outcomes(accumulator: FactAccumulator, name: str) -> list[float | None]:
    """One outcome a sample: the judge's over both orders, or the comparison of decided points where no judge compared.

    Where dialogues are repeated, the mean over the trials that have one.
    """
    own = _trials(accumulator.dialogues[name])
    if name == accumulator.reference:
        return [None] * len(own)
    # Where a judge compared, its verdicts decide for all samples: two ways of comparing must not be mixed
    # in one rate.
    if accumulator.outcomes:
        verdicts = zip(accumulator.compared[name], accumulator.decided[name], strict=True)
        return [known_mean(value for _, value in of) for _, of in groupby(verdicts, key=lambda one: one[0])]
    pairs = zip(own, _trials(accumulator.dialogues[accumulator.reference]), strict=True)
    return [known_mean(_by_points(trials, others)) for trials, others in pairs]


def _trials(facts: Iterable[DialogueFacts]) -> list[list[DialogueFacts]]:
    """The dialogues of each sample."""
    return [list(trials) for _, trials in groupby(facts, key=lambda one: one.sample)]


def _by_points(trials: Sequence[DialogueFacts], others: Sequence[DialogueFacts]) -> Iterator[float | None]:
    """The outcome of each trial against the same trial of the reference; one that was recorded has only its first."""
    for place, own in enumerate(trials):
        yield compared(own.weighing.value, others[min(place, len(others) - 1)].weighing.value)


def known(accumulator: FactAccumulator, name: str, clusters: Mapping[str, str]) -> Known:
    """What is known of an assistant's dialogues; ``clusters`` are those of the suite."""
    dialogues = accumulator.dialogues[name]
    facts = [averaged_trials(trials) for trials in _trials(dialogues)]
    used = {fact.task for fact in facts}
    return Known(
        name=name,
        facts=facts,
        outcomes=_outcomes(accumulator, name),
        is_reference=name == accumulator.reference,
        tasks=tuple(task for task in accumulator.tasks if task in used),
        orders=accumulator.outcomes.get(name, ()),
        order_samples=accumulator.compared.get(name, ()),
        dialogues=dialogues,
        clusters=clusters,
    )


def _assistant(accumulator: FactAccumulator, whole: Known) -> AssistantResults:
    facts, outcomes = whole.dialogues, whole.outcomes
    held = [fact for fact in facts if not fact.failed]
    costs = [fact.cost for fact in held if fact.cost is not None]
    return AssistantResults(
        measures=estimates(whole, CONSULTATION) | _declared(accumulator, whole),
        **_won(outcomes),
        by_task=_groups(accumulator, whole, lambda task: (task,)),
        by_level=_groups(accumulator, whole, lambda task: (accumulator.tasks[task].level,)),
        by_scenario=_groups(accumulator, whole, lambda task: accumulator.tasks[task].scenarios),
        coverage={str(category): found for category in Category if (found := _coverage(whole, category))},
        position_test=whole.positions().p_value,
        tied_with=(),
        citations=dict(sorted(Counter(status for fact in facts for status, _ in fact.citations).items())),
        failed_dialogues=len(facts) - len(held),
        guards=dict(sorted(Counter(guard for fact in facts for guard in fact.guards).items())),
        spending=_spending(facts),
        cost=sum(costs) if costs else None,
    )


def estimates(of: Known, measures: Iterable[Measure]) -> dict[str, Estimate]:
    """Measure to its estimate, for those that results carry one of."""
    return {one.definition.name: one.estimate(of) for one in measures if one.estimate is not None}


MIXED_METRICS = "tasks have metrics of their own: read it by task"


def _declared(accumulator: FactAccumulator, of: Known) -> dict[str, Estimate]:
    """The measures that scoring rules declare."""
    return {name: _with_interval(of, definition) for name, definition in accumulator.declared.items()}


def _with_interval(of: Known, definition: MeasureDefinition) -> Estimate:
    """The estimate; of a rule that said yes always, or never, by Wilson: values without spread have no interval of a mean."""
    if not definition.is_defined_over({fact.task for fact in of.facts}):
        return Estimate(value=None, reason=MIXED_METRICS)
    found = estimated(of, definition)
    if not definition.is_share or found.interval is not None or found.value not in (0.0, 1.0):
        return found
    return share([fact.values.get(definition.name) for fact in of.facts], **of.clustered())


class _Won(TypedDict):
    wins: float
    ties: float
    losses: float


def _won(outcomes: Iterable[float | None]) -> _Won:
    """Wins, ties and losses; a sample whose two orders disagree counts half for each side of the disagreement."""
    wins = ties = losses = 0.0
    for outcome in outcomes:
        if outcome is None:
            continue
        part = abs(outcome - 0.5) * 2
        # A tie.
        wins += part if outcome > 0.5 else 0.0
        losses += part if outcome < 0.5 else 0.0
        ties += 1 - part
    return {"wins": wins, "ties": ties, "losses": losses}


def _groups(accumulator: FactAccumulator, whole: Known, groups_of: Callable[[str], Iterable[str]]) -> dict[str, Cell]:
    """A cell for each group of tasks that the suite has, in the order of the tasks."""
    members: dict[str, set[str]] = {}
    for task in whole.tasks:
        for group in groups_of(task):
            members.setdefault(group, set()).add(task)
    return {group: _cell(accumulator, whole, tasks) for group, tasks in members.items()}


def _cell(accumulator: FactAccumulator, whole: Known, tasks: set[str]) -> Cell:
    part = whole.narrowed(lambda fact: fact.task in tasks)
    failed = sum(one.failed for one in part.dialogues)
    failed += sum(one.failed_marks for one in part.dialogues if not one.failed)
    failed += sum(accumulator.failed_comparisons[whole.name][task] for task in tasks)
    return Cell(
        measures=estimates(part, (one for one in CONSULTATION if one.groups)) | _declared(accumulator, part),
        **_won(part.outcomes),
        abstained=sum(one.abstained for one in part.dialogues),
        failed=failed,
    )


def _coverage(of: Known, category: Category) -> Estimate | None:
    """Mean value of a category's points, those of one sample drawn together; None where the suite has none."""
    values = [(value, fact.sample) for fact in of.facts for value in fact.coverage.get(category, ())]
    if not values:
        return None
    return mean([value for value, _ in values], low=0, high=1, **of.within(sample for _, sample in values))


def _spending(facts: Sequence[DialogueFacts]) -> Spending:
    read = [fact.input_tokens for fact in facts if fact.input_tokens is not None]
    written = [fact.output_tokens for fact in facts if fact.output_tokens is not None]
    known = [fact.cost for fact in facts if fact.cost is not None]
    return Spending(
        calls=int(sum(fact.exchanges for fact in facts)),
        without_usage=int(sum(fact.exchanges for fact in facts if fact.input_tokens is None)),
        input_tokens=sum(read) if read else None,
        output_tokens=sum(written) if written else None,
        cost=sum(known) if known else None,
    )


def _turns_and_win_rate(assistants: dict[str, AssistantResults]) -> dict[str, Estimate]:
    turns = [one["turns"].value for one in assistants.values()]
    rates = [one["win_rate"].value for one in assistants.values()]
    return {"pearson": pearson(turns, rates, unit="assistant"), "spearman": spearman(turns, rates, unit="assistant")}
