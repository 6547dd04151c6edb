"""From a tally to results: every number an Estimate over samples, missing ones counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import msgspec

from benchbar.dialogue.temperaments import OFF, Assignment
from benchbar.measures.tally import DialogueFacts, Tally
from benchbar.measures.temperaments import by_temperament
from benchbar.records import (
    LEVELS,
    SCENARIOS,
    AssistantResults,
    Category,
    Cell,
    CitationStatus,
    Estimate,
    RunResults,
    Spending,
    Suite,
)
from benchbar.records.protocols import CitationChecker
from benchbar.scoring.rubrics import Rubric
from benchbar.scoring.weighing import compared
from benchbar.statistics import (
    averaged,
    macro_win_rate,
    mean,
    pearson,
    position_test,
    share,
    spearman,
    win_rate,
)


def results(
    suite: Suite,
    tally: Tally,
    *,
    simulator: str,
    judge: str,
    decided_by: str,
    law: CitationChecker | None,
    spending: dict[str, Spending],
    rubric: Rubric | None = None,
    assignment: Assignment = OFF,
) -> RunResults:
    """Everything a run found."""
    used = {sample.task for sample in suite.samples}
    assistants = {name: _assistant(tally, name) for name in tally.dialogues}
    return RunResults(
        suite=suite.card.name,
        suite_fingerprint=suite.fingerprint,
        reference=tally.reference,
        decided_by=decided_by,
        simulator=simulator,
        judge=judge,
        law=law.identity if law else "",
        on=law.today if law else "",
        samples=len(suite.samples),
        without_guidance=tally.without_guidance,
        tasks={id_: task.name for id_, task in suite.tasks.items() if id_ in used},
        levels=tuple(level for level in LEVELS if any(suite.tasks[id_].level == level for id_ in used)),
        scenarios=tuple(name for name in SCENARIOS if any(name in suite.tasks[id_].scenarios for id_ in used)),
        assistants=_with_ties(assistants, tally.reference),
        turns_and_win_rate=_turns_and_win_rate(assistants),
        spending=spending,
        failures=dict(sorted(tally.failures.items())),
        rubric=rubric.name if rubric else "",
        dimensions=rubric.bars() if rubric else {},
        temperaments=by_temperament(
            suite, tally, assignment, {name: _outcomes(tally, name) for name in tally.dialogues}
        ),
    )


def _outcomes(tally: Tally, name: str) -> list[float | None]:
    """One outcome a sample: the judge's over both orders, or the comparison of decided points where no judge compared."""
    if name == tally.reference:
        return [None] * len(tally.dialogues[name])
    if tally.outcomes:
        return averaged(tally.outcomes[name])
    pairs = zip(tally.dialogues[name], tally.dialogues[tally.reference], strict=True)
    return [compared(own.worth.value, other.worth.value) for own, other in pairs]


def _assistant(tally: Tally, name: str) -> AssistantResults:
    facts, outcomes = tally.dialogues[name], _outcomes(tally, name)
    is_reference = name == tally.reference
    by_task = _groups(tally, name, outcomes, lambda task: (task,))
    macro = macro_win_rate({task: _of(facts, outcomes, {task}) for task in by_task})
    orders = position_test(tally.outcomes.get(name, []))
    held = [fact for fact in facts if not fact.failed]
    known = [fact.cost for fact in held if fact.cost is not None]
    return AssistantResults(
        win_rate=_rate(outcomes, is_reference=is_reference),
        win_rate_these_tasks=_itself() if is_reference else macro.these_tasks,
        win_rate_tasks_like_these=_itself() if is_reference else macro.tasks_like_these,
        **_won(outcomes),
        by_task=by_task,
        by_level=_groups(tally, name, outcomes, lambda task: (tally.tasks[task].level,)),
        by_scenario=_groups(tally, name, outcomes, lambda task: tally.tasks[task].scenarios),
        point_score=mean([fact.worth.value for fact in facts], low=0, high=1),
        coverage={str(category): found for category in Category if (found := _coverage(facts, category))},
        rule_share=_weight_share(facts, "by_rule"),
        decided_share=_weight_share(facts, "decided"),
        order_inconsistency=orders.inconsistency,
        position_test=orders.p_value,
        turns=mean([None if fact.failed else fact.exchanges for fact in facts]),
        satisfied=share([None if fact.failed else fact.satisfied for fact in facts]),
        tied_with=(),
        citations=dict(sorted(Counter(status for fact in facts for status, _ in fact.citations).items())),
        citation_validity=_validity(facts),
        quote_fidelity=_quotes(facts),
        failed_dialogues=len(facts) - len(held),
        guards=dict(sorted(Counter(guard for fact in facts for guard in fact.guards).items())),
        spending=_spending(facts),
        cost=sum(known) if known else None,
    )


_UNDECIDED = {CitationStatus.AMBIGUOUS, CitationStatus.OUTSIDE_CORPUS}


def _validity(facts: Sequence[DialogueFacts]) -> Estimate:
    """Citations of one sample are drawn together; those that the law at hand cannot decide are missing."""
    cited = [(status, fact.sample) for fact in facts for status, _ in fact.citations]
    flags = [None if status in _UNDECIDED else status == CitationStatus.VERIFIED for status, _ in cited]
    return share(flags, clusters=[sample for _, sample in cited], unit="citation")


def _quotes(facts: Sequence[DialogueFacts]) -> Estimate:
    quoted = [(score, fact.sample) for fact in facts for _, score in fact.citations if score is not None]
    clusters = [sample for _, sample in quoted]
    return mean([score for score, _ in quoted], clusters=clusters, low=0, high=1, unit="quotation")


def _itself() -> Estimate:
    return Estimate(value=None, reason="it is the reference itself")


def _rate(outcomes: Sequence[float | None], *, is_reference: bool) -> Estimate:
    return _itself() if is_reference else win_rate(outcomes)


def _won(outcomes: Iterable[float | None]) -> dict[str, float]:
    """Wins, ties and losses; a sample whose two orders disagree counts half for each side of the disagreement."""
    wins = ties = losses = 0.0
    for outcome in outcomes:
        if outcome is None:
            continue
        part = abs(outcome - 0.5) * 2
        wins += part if outcome > 0.5 else 0.0  # noqa: PLR2004 - a tie
        losses += part if outcome < 0.5 else 0.0  # noqa: PLR2004
        ties += 1 - part
    return {"wins": wins, "ties": ties, "losses": losses}


def _groups(
    tally: Tally, name: str, outcomes: list[float | None], groups_of: Callable[[str], Iterable[str]]
) -> dict[str, Cell]:
    """A cell for each group of tasks that the suite has, in the order of the tasks."""
    members: dict[str, set[str]] = {}
    used = {fact.task for fact in tally.dialogues[name]}
    for task in tally.tasks:
        if task in used:
            for group in groups_of(task):
                members.setdefault(group, set()).add(task)
    return {group: _cell(tally, name, outcomes, tasks) for group, tasks in members.items()}


def _of(facts: Sequence[DialogueFacts], outcomes: Sequence[float | None], tasks: set[str]) -> list[float | None]:
    return [outcome for fact, outcome in zip(facts, outcomes, strict=True) if fact.task in tasks]


def _cell(tally: Tally, name: str, outcomes: list[float | None], tasks: set[str]) -> Cell:
    facts = [fact for fact in tally.dialogues[name] if fact.task in tasks]
    own = _of(tally.dialogues[name], outcomes, tasks)
    failed = sum(fact.failed for fact in facts) + sum(fact.failed_marks for fact in facts if not fact.failed)
    failed += sum(tally.failed_comparisons[name][task] for task in tasks)
    return Cell(
        win_rate=_rate(own, is_reference=name == tally.reference),
        **_won(own),
        point_score=mean([fact.worth.value for fact in facts], low=0, high=1),
        abstained=sum(fact.abstained for fact in facts),
        failed=failed,
    )


def _coverage(facts: Sequence[DialogueFacts], category: Category) -> Estimate | None:
    """Mean value of a category's points, those of one sample drawn together; None where the suite has none."""
    values = [(value, fact.sample) for fact in facts for value in fact.coverage.get(category, ())]
    if not values:
        return None
    return mean([value for value, _ in values], clusters=[sample for _, sample in values], low=0, high=1)


def _weight_share(facts: Sequence[DialogueFacts], what: str) -> Estimate:
    """Share of the guidance weight of a sample that was decided, averaged over samples that have guidance."""
    shares = [getattr(fact.worth, what) / fact.worth.weight for fact in facts if fact.worth.weight]
    return mean(shares, low=0, high=1)


def _spending(facts: Sequence[DialogueFacts]) -> Spending:
    read = [fact.input_tokens for fact in facts if fact.input_tokens is not None]
    written = [fact.output_tokens for fact in facts if fact.output_tokens is not None]
    known = [fact.cost for fact in facts if fact.cost is not None]
    return Spending(
        calls=sum(fact.exchanges for fact in facts),
        without_usage=sum(fact.exchanges for fact in facts if fact.input_tokens is None),
        input_tokens=sum(read) if read else None,
        output_tokens=sum(written) if written else None,
        cost=sum(known) if known else None,
    )


def _with_ties(assistants: dict[str, AssistantResults], reference: str) -> dict[str, AssistantResults]:
    """Who cannot be told apart: assistants whose intervals overlap, and the reference where one's holds a half."""
    return {
        name: msgspec.structs.replace(
            one,
            tied_with=tuple(
                other for other in assistants if other != name and _overlap(assistants, name, other, reference)
            ),
        )
        for name, one in assistants.items()
    }


def _overlap(assistants: dict[str, AssistantResults], one: str, other: str, reference: str) -> bool:
    (a, b), (c, d) = (_interval(assistants, name, reference) for name in (one, other))
    if a is None or b is None or c is None or d is None:
        return False
    return not (b < c or d < a)


def _interval(assistants: dict[str, AssistantResults], name: str, reference: str) -> tuple[float | None, float | None]:
    rate = assistants[name].win_rate
    return (0.5, 0.5) if name == reference else (rate.low, rate.high)


def _turns_and_win_rate(assistants: dict[str, AssistantResults]) -> dict[str, Estimate]:
    turns = [one.turns.value for one in assistants.values()]
    rates = [one.win_rate.value for one in assistants.values()]
    return {"pearson": pearson(turns, rates, unit="assistant"), "spearman": spearman(turns, rates, unit="assistant")}
