"""Draws what people check a judge or a simulated user by: a stratified sample with recorded chances.

Whole judgements and whole dialogues are drawn, since reading them is what costs a person time; of each, every guidance point
or every turn of the user is asked about. Strata are the tasks of the suite.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

import numpy as np
from msgspec.structs import replace

from benchbar.records import (
    COMPARED,
    POINT,
    TURN,
    Comparison,
    DialogueEnd,
    JudgedPoint,
    Layer,
    Record,
    ReviewPlan,
    ReviewTask,
    Sample,
    SampleResult,
    Score,
    ScoreStatus,
    Suite,
    fingerprint,
)
from benchbar.records.errors import UserError
from benchbar.statistics import stratified_draw

Ask = Literal["points", "preferences", "turns"]
MEASURES: dict[Ask, str] = {"points": POINT, "preferences": COMPARED, "turns": TURN}
VALIDATION = "validation"
"""The reason of the tasks that are drawn here."""
AGREE = 0.15
"""As for other tasks: of a comparison it says that two people agree only where they say the same."""


class SampleDesign(Record, frozen=True, kw_only=True):
    """What is drawn, and by how many people it is marked."""

    ask: Ask
    size: int = 60
    """Judgements, pairs or dialogues."""
    raters: int = 3
    seed: int = 0
    judge: str = ""
    """The judge that is checked, by a part of its identity; left out, the first one."""

    def __post_init__(self) -> None:
        """Refuse a sample of nothing."""
        if min(self.size, self.raters) < 1:
            raise UserError(f"size {self.size} and raters {self.raters}: at least 1 of each was expected")


class _Unit(NamedTuple):
    """What is drawn as one: a pair of assistant and sample, with the ways in which it may be asked about."""

    sample: Sample
    assistant: str
    variants: tuple[tuple[ReviewTask, ...], ...]
    """Of a judge's orders and repeats one is drawn, each with the same chance."""


def draw_sample(
    samples: Iterable[SampleResult],
    suite: Suite,
    design: SampleDesign,
    *,
    reference: str,
    name: Callable[..., str],
) -> ReviewPlan:
    """The tasks of a designed sample, in random order, and the chance of everything that might have been drawn.

    ``name`` makes ids that nobody can guess. The points of one judgement, and the turns of one dialogue, stay together.

    Raises:
        UserError: the run holds nothing to ask about, or no such judge.
    """
    known = {sample.id: sample for sample in suite.samples}
    results = [one for one in samples if one.sample in known]
    judge = _judge(results, design) if design.ask == "points" else ""
    units = [
        unit
        for one in results
        for unit in (
            _judgements(one, known[one.sample], judge)
            if design.ask == "points"
            else _pairs(one, known[one.sample], reference)
            if design.ask == "preferences"
            else _dialogues(one, known[one.sample])
        )
    ]
    if not units:
        raise UserError(f"the run holds no {design.ask} to ask about: {_NEEDED[design.ask]}")
    generator = np.random.default_rng([design.seed, 0x7661])
    drawn = stratified_draw([unit.sample.task for unit in units], design.size, generator)
    frame: dict[str, dict[str, float]] = {}
    for unit in units:
        frame.setdefault(unit.assistant, {})[unit.sample.id] = drawn.chance / len(unit.variants)
    stamp = fingerprint([suite.fingerprint, design])
    tasks: list[ReviewTask] = []
    for place in drawn.chosen:
        unit = units[place]
        variant = unit.variants[int(generator.integers(len(unit.variants)))]
        chance = frame[unit.assistant][unit.sample.id]
        tasks += [_asked(task, chance, design.raters, name, suite.fingerprint) for task in variant]
    return ReviewPlan(
        tasks=tuple(tasks),
        frame=frame,
        seed=design.seed,
        fingerprint=fingerprint([stamp, judge, frame]),
        agree=AGREE,
        measure=MEASURES[design.ask],
        judge=judge,
    )


_NEEDED: Mapping[Ask, str] = {
    "points": "a judge of the kind pairwise or checklist has to have judged samples with guidance points",
    "preferences": "two assistants, of whom one is the reference, have to have answered the same sample",
    "turns": "a simulated user has to have spoken",
}


def _asked(task: ReviewTask, chance: float, raters: int, name: Callable[..., str], stamp: str) -> ReviewTask:
    one = task.judged
    # Comparisons are named as the routing names them: a pair that it asks about too is one task, not two.
    what = (
        ("compare", stamp, task.sample, task.assistant)
        if task.measure == COMPARED
        else (task.measure, stamp, task.sample, task.assistant, str(task.turn))
        if one is None
        else (task.measure, stamp, task.sample, task.assistant, one.judge, str(one.order), str(one.repeat), one.point)
    )
    return replace(task, id=name(*what)[:12], probability=chance, annotators=raters)


def _judge(results: Iterable[SampleResult], design: SampleDesign) -> str:
    found = dict.fromkeys(judge for result in results for judge in _judges(result))
    # Two dialogues side by side first: that is what Table 11 of UCL-Bench's paper is about.
    ordered = sorted(found, key=lambda judge: not judge.startswith("pairwise:"))
    fitting = [judge for judge in ordered if design.judge in judge]
    if ordered and not fitting:
        raise UserError(f"no judge {design.judge!r} spoke of guidance points; the run has {', '.join(ordered)}")
    return fitting[0] if fitting else ""


def _judges(result: SampleResult) -> Iterator[str]:
    yield from (one.judge for one in result.comparisons)
    yield from (one.scorer for one in result.scores if one.layer is Layer.LLM and one.scorer.startswith("checklist:"))


def _judgements(result: SampleResult, sample: Sample, judge: str) -> Iterator[_Unit]:
    """Each assistant's judgements by one judge that could be read, with all points that it had to speak of."""
    variants: dict[str, list[tuple[ReviewTask, ...]]] = defaultdict(list)
    for one in result.comparisons:
        if one.judge == judge and one.status is ScoreStatus.SCORED:
            variants[one.left].append(tuple(_of_comparison(one, sample)))
    marks: dict[tuple[str, int], list[Score]] = defaultdict(list)
    for score in result.scores:
        if score.scorer == judge and score.status is ScoreStatus.SCORED:
            marks[score.assistant, score.repeat].append(score)
    for (assistant, _), own in marks.items():
        variants[assistant].append(tuple(_of_marks(own, sample)))
    for assistant, found in variants.items():
        if filled := tuple(one for one in found if one):
            yield _Unit(sample, assistant, filled)


def _of_comparison(one: Comparison, sample: Sample) -> Iterator[ReviewTask]:
    for point in sample.guidance.points:
        judged = JudgedPoint(
            point=point.id,
            category=str(point.category),
            form="pairwise",
            judge=one.judge,
            order=one.order,
            repeat=one.repeat,
        )
        yield _task(sample, one.left, against=one.right, judged=judged)


def _of_marks(scores: Iterable[Score], sample: Sample) -> Iterator[ReviewTask]:
    categories = {point.id: str(point.category) for point in sample.guidance.points}
    for one in scores:
        if one.dimension in categories:
            judged = JudgedPoint(
                point=one.dimension,
                category=categories[one.dimension],
                form="checklist",
                judge=one.scorer,
                repeat=one.repeat,
            )
            yield _task(sample, one.assistant, judged=judged)


def _pairs(result: SampleResult, sample: Sample, reference: str) -> Iterator[_Unit]:
    held = [one.assistant for one in result.dialogues if one.ended is not DialogueEnd.ERROR]
    if reference in held:
        for name in held:
            if name != reference:
                yield _Unit(sample, name, ((_task(sample, name, against=reference),),))


def _dialogues(result: SampleResult, sample: Sample) -> Iterator[_Unit]:
    for one in result.dialogues:
        turns = [place for place, turn in enumerate(one.turns) if turn.role == "user"]
        if turns and one.ended is not DialogueEnd.ERROR:
            yield _Unit(sample, one.assistant, (tuple(_task(sample, one.assistant, turn=place) for place in turns),))


def _task(
    sample: Sample, assistant: str, *, against: str = "", judged: JudgedPoint | None = None, turn: int | None = None
) -> ReviewTask:
    # Name and chance follow once it is drawn.
    return ReviewTask(
        id="-",
        sample=sample.id,
        assistant=assistant,
        reasons=(VALIDATION,),
        probability=1.0,
        against=against,
        judged=judged,
        turn=turn,
    )
