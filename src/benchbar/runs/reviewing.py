"""Draws what people should mark: what has to be seen, and a random audit with recorded chances."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from msgspec import structs

from benchbar.measures.panel import GRADES, TURNS, judged_twice
from benchbar.records import (
    COMPARED,
    GRADED,
    PICKED,
    Dialogue,
    DialogueEnd,
    DimensionScore,
    Record,
    ReviewPlan,
    ReviewTask,
    Sample,
    SampleResult,
    fingerprint,
)
from benchbar.scoring.routing import Routing, Runs, disagrees, runs_of, typical_deviation
from benchbar.scoring.rubrics import Rubric


class Doubt(Record, frozen=True):
    """What speaks for letting a person look at one dialogue."""

    sample: str
    assistant: str
    stratum: str
    """The task: the audit is drawn from each."""
    groups: tuple[str, ...]
    """Task and tags, by which high risk and new features are named."""
    runs: Runs | None = None
    conflict: float | None = None
    """The widest gap between rules and judge on one dimension."""
    undecided: float = 0.0
    """Share of the dimensions that nobody decided."""
    panel: bool = False
    """Whether the judges of a panel say different things of it."""


@dataclass(frozen=True, slots=True)
class _Choice:
    doubt: Doubt
    reasons: tuple[str, ...]
    expected: float
    """How far off the automatic value may be, by what is seen of it."""


def doubt_of(
    sample: Sample, dialogue: Dialogue, dimensions: Iterable[DimensionScore], runs: Runs | None
) -> Doubt | None:
    """The grounds for review of one dialogue; None where it failed and there is nothing to read."""
    if dialogue.ended is DialogueEnd.ERROR:
        return None
    own = [one for one in dimensions if one.assistant == dialogue.assistant]
    gaps = [
        abs(one.rule_value - one.judge_value)
        for one in own
        if one.rule_value is not None and one.judge_value is not None
    ]
    return Doubt(
        sample=sample.id,
        assistant=dialogue.assistant,
        stratum=sample.task,
        groups=_groups(sample.task, sample.tags),
        runs=runs,
        conflict=max(gaps, default=None),
        undecided=_share(sum(one.value is None for one in own), len(own)) if own else 1.0,
    )


@lru_cache(maxsize=1024)
def _share(part: int, whole: int) -> float:
    """The same number for all dialogues, as below."""
    return part / whole


@lru_cache(maxsize=1024)
def _groups(task: str, tags: tuple[str, ...]) -> tuple[str, ...]:
    """The same ones for all dialogues that have them: a large run keeps a doubt of each."""
    return (task, *tags)


def doubts_of(sample: Sample, result: SampleResult, rubric: Rubric | None) -> Iterator[Doubt]:
    """The grounds for review of each dialogue about one sample."""
    runs = runs_of(result.scores, rubric.criteria) if rubric else {}
    split = _split(result)
    for dialogue in result.dialogues:
        found = doubt_of(sample, dialogue, result.dimensions, runs.get((sample.id, dialogue.assistant)))
        if found:
            yield structs.replace(found, panel=dialogue.assistant in split)


def _split(result: SampleResult) -> set[str]:
    """The assistants of whom two judges say different things.

    Grades are told apart by the spread of their runs; marks of the user's turns say nothing of the assistant.
    """
    return {one.assistant for one in judged_twice(result) if one.disagree and one.form not in {GRADES, TURNS}}


def draw(
    doubts: Sequence[Doubt],
    routing: Routing,
    *,
    seed: int,
    name: Callable[..., str],
    stamp: str = "",
    reference: str = "",
) -> ReviewPlan:
    """What people should mark of these dialogues, and each dialogue's chance of being chosen.

    What has to be seen has chance 1. Of dialogues in which nothing but a conflict of rules and judge speaks for it, at most
    ``conflict_share`` of all are drawn: a mediocre judge is in conflict nearly everywhere. The others are audited task by
    task: chances in proportion to the expected error, mixed with a uniform floor, adding up to the audit's share of the
    task's dialogues; each is drawn on its own. Where that costs more marks than the budget, all chances are drawn anew from
    what a mark is worth, see :func:`_within_budget`. ``name`` makes
    ids from content that nobody can guess; ``stamp`` tells two runs apart. Where people compare, each candidate's dialogue
    is drawn together with the ``reference``'s about the sample.
    """
    against = reference if routing.protocol == "compare" else ""
    doubts = _comparable(doubts, against) if against else doubts
    generator = np.random.default_rng([seed, 0x7265])
    typical = typical_deviation(one.runs for one in doubts if one.runs)
    choices = [_Choice(one, _reasons(one, routing, typical), _expected(one)) for one in doubts]
    chances = _chances(choices, routing)
    frame: dict[str, dict[str, float]] = {}
    tasks = []
    for choice, chance in zip(choices, chances, strict=True):
        one = choice.doubt
        frame.setdefault(one.assistant, {})[one.sample] = chance
        drawn, double = generator.random(2)
        if drawn < chance:
            tasks.append(
                ReviewTask(
                    id=name("compare" if against else "review", stamp, one.sample, one.assistant)[:12],
                    sample=one.sample,
                    assistant=one.assistant,
                    reasons=choice.reasons or ("audit",),
                    probability=chance,
                    annotators=routing.annotators + int(double < routing.double),
                    against=against,
                )
            )
    order = generator.permutation(len(tasks))
    return ReviewPlan(
        tasks=tuple(tasks[place] for place in order),
        frame=frame,
        seed=seed,
        fingerprint=fingerprint([routing, frame, seed, stamp]),
        agree=routing.agree,
        measure=COMPARED if against else GRADED,
    )


def picked_by_hand(
    answers: Iterable[tuple[str, str]], known: Iterable[ReviewTask], *, name: Callable[..., str], against: str = ""
) -> ReviewPlan:
    """What people should mark because somebody picked it: each answer, a pair of sample and assistant, once and by one person.

    Its frame is empty, since nothing of it was drawn. Answers that are asked about already are left out; ``against`` is the
    reference that they are held beside, where people compare.
    """
    asked = {(task.sample, task.assistant) for task in known if task.kind == "dialogues"}
    tasks = tuple(
        ReviewTask(
            # A name of its own: were the answer drawn later, a mark that was given because somebody picked it would be taken for
            # one of the first marks of a queue in random order.
            id=name(PICKED, against, sample, assistant)[:12],
            sample=sample,
            assistant=assistant,
            reasons=(PICKED,),
            probability=0.0,
            against=against if assistant != against else "",
        )
        for sample, assistant in answers
        if (sample, assistant) not in asked
    )
    stamp = fingerprint([PICKED, [task.id for task in tasks]])
    return ReviewPlan(tasks=tasks, frame={}, seed=0, fingerprint=stamp, measure=COMPARED if against else GRADED)


def _comparable(doubts: Sequence[Doubt], reference: str) -> list[Doubt]:
    """The candidates' dialogues about samples on which the reference has one to read."""
    readable = {one.sample for one in doubts if one.assistant == reference}
    return [one for one in doubts if one.assistant != reference and one.sample in readable]


def _reasons(one: Doubt, routing: Routing, typical: float | None) -> tuple[str, ...]:
    found = {
        "spread": one.runs is not None and disagrees(one.runs, routing, typical),
        "panel": one.panel,
        "conflict": one.conflict is not None and one.conflict > routing.conflict,
        "high_risk": not set(one.groups).isdisjoint(routing.high_risk),
        "new": not set(one.groups).isdisjoint(routing.new),
        "disputed_before": one.sample in routing.disputed,
    }
    return tuple(name for name, holds in found.items() if holds)


def _expected(one: Doubt) -> float:
    """The judge's spread, the gap between layers and what nobody decided, all on the scale of 0 to 1."""
    spread = (one.runs.spread or 0.0) / 100 if one.runs else 0.0
    return spread + (one.conflict or 0.0) + one.undecided


def _chances(choices: Sequence[_Choice], routing: Routing) -> list[float]:
    by_stratum: dict[str, list[int]] = {}
    for place, choice in enumerate(choices):
        if not choice.reasons:
            by_stratum.setdefault(choice.doubt.stratum, []).append(place)
    chances = [1.0] * len(choices)
    for places in by_stratum.values():
        for place, chance in _proportional(choices, places, routing.audit * len(places), routing.floor):
            chances[place] = chance
    conflicts = [place for place, choice in enumerate(choices) if choice.reasons == ("conflict",)]
    # One at least: in a small run the share would be none, and the widest gap is worth a look. And never fewer than the audit
    # would draw of them: a conflict must not protect a dialogue from being seen.
    most = max(1.0, routing.conflict_share * len(choices), routing.audit * len(conflicts))
    for place, chance in _proportional(choices, conflicts, min(most, len(conflicts)), routing.floor):
        chances[place] = chance
    return _within_budget(choices, chances, routing)


def _within_budget(choices: Sequence[_Choice], chances: list[float], routing: Routing) -> list[float]:
    """The same chances where the budget covers them; else the budget, spent where marks move the estimate most.

    The variance that a mark removes grows with the error that it may find, so that chances in proportion to the expected
    error are best for a given number of marks (Neyman 1934). What the policy names (high risk, new, disputed) keeps chance
    1 as long as the budget covers that alone. Every chance that was above 0 stays above it, so that the estimate stays
    unbiased.
    """
    if routing.budget is None:
        return chances
    size = routing.budget / (routing.annotators + routing.double)
    if sum(chances) <= size:
        return chances
    named = {place for place, choice in enumerate(choices) if _NAMED.intersection(choice.reasons)}
    kept = named if len(named) < size else set()
    open_ = [place for place, chance in enumerate(chances) if chance > 0 and place not in kept]
    found = [1.0 if place in kept else 0.0 for place in range(len(choices))]
    for place, chance in _proportional(choices, open_, size - len(kept), max(routing.floor, _LEAST_FLOOR)):
        found[place] = chance
    return found


_NAMED = frozenset({"high_risk", "new", "disputed_before"})
_LEAST_FLOOR = 0.05
"""A floor of 0 would leave dialogues without any doubt no chance at all, and the estimate would never learn of them."""


def _proportional(
    choices: Sequence[_Choice], places: Sequence[int], size: float, floor: float
) -> Iterator[tuple[int, float]]:
    """Each place with its chance; they add up to ``size``."""
    expected = [choices[place].expected for place in places]
    yield from zip(places, _audited(expected, size, floor), strict=True)


def _audited(expected: Sequence[float], size: float, floor: float) -> list[float]:
    """The size times floor/N + (1 - floor) e_i/sum(e); what goes beyond 1 is given to the others."""
    n, total = len(expected), sum(expected)
    weights = [floor / n + (1 - floor) * (one / total if total > 0 else 1 / n) for one in expected]
    chances = [0.0] * n
    left = set(range(n))
    while left:
        whole = sum(weights[place] for place in left)
        over = {place for place in left if weights[place] * size >= whole} if whole > 0 else set()
        if not over:
            for place in left:
                chances[place] = weights[place] * size / whole if whole > 0 else 0.0
            break
        for place in over:
            chances[place] = 1.0
        left -= over
        size -= len(over)
    return chances


def reasons_counted(plan: ReviewPlan) -> Mapping[str, int]:
    """Reason to how many tasks have it."""
    counted: dict[str, int] = {}
    for task in plan.tasks:
        for reason in task.reasons:
            counted[reason] = counted.get(reason, 0) + 1
    return counted
