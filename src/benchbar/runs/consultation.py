"""The consultation benchmark: for each sample the dialogues, then the marks, then the comparisons."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from benchbar.dialogue import Protocol, hold
from benchbar.dialogue.temperaments import OFF, Assignment
from benchbar.languages.prompts import Prompts
from benchbar.ledger import SCOPE, Ledger, PlannedItem, Scope
from benchbar.records import (
    Citation,
    CitedIn,
    Comparison,
    Dialogue,
    DialogueEnd,
    DimensionScore,
    RagScore,
    Sample,
    SampleResult,
    Score,
    ScoreStatus,
    Suite,
)
from benchbar.records.protocols import (
    AnswerJudge,
    Assistant,
    CitationChecker,
    Comparer,
    Documents,
    Grader,
    Marker,
    RecordedDialogues,
    UserSimulator,
)
from benchbar.runs.ledgered import ledgered
from benchbar.scoring.judges.pairwise import ORDERS, Order

if TYPE_CHECKING:
    from benchbar.scoring.rubrics import Rubric

T = TypeVar("T")


@dataclass(frozen=True)
class Consultation:
    """Who consults whom about what, and who judges; everything that a run needs, and nothing of where it comes from."""

    suite: Suite
    assistants: dict[str, Assistant | RecordedDialogues]
    reference: str
    simulator: UserSimulator
    ledger: Ledger
    prompts: Prompts
    protocol: Protocol = field(default_factory=Protocol)
    comparer: Comparer | None = None
    marker: Marker | None = None
    repeats: int = 1
    answer_judge: AnswerJudge | None = None
    """Measures answers against their passages and the reference answer; only for questions that are asked once."""
    law: CitationChecker | None = None
    """What citations are held against; None where the run has no law."""
    documents: Documents | None = None
    """What retrieved passages are held against; None where the run has no law."""
    graders: tuple[Grader, ...] = ()
    """Judges that grade; more than one are a panel."""
    grade_repeats: int = 3
    rubric: Rubric | None = None
    assignment: Assignment = OFF
    """The temperament of each sample's user; empty where temperaments are off."""

    @cached_property
    def recorded(self) -> dict[str, RecordedDialogues]:
        """The assistants that are dialogues held elsewhere."""
        return {name: one for name, one in self.assistants.items() if isinstance(one, RecordedDialogues)}

    @cached_property
    def asked(self) -> dict[str, Assistant]:
        """The assistants that are asked, as the ledger knows them."""
        return {
            name: ledgered(one, self.ledger)
            for name, one in self.assistants.items()
            if not isinstance(one, RecordedDialogues)
        }

    @property
    def candidates(self) -> tuple[str, ...]:
        """All assistants but the reference."""
        return tuple(name for name in self.assistants if name != self.reference)


def planned(study: Consultation, samples: Sequence[Sample] | None = None) -> Iterator[PlannedItem]:
    """Every dialogue, checklist and comparison that the study has to bring about, about these samples or all."""
    for sample in study.suite.samples if samples is None else samples:
        for name in study.assistants:
            yield _dialogue_item(sample, name, recorded=name in study.recorded)
            if study.marker:
                yield from (_checklist_item(sample, name, repeat) for repeat in range(study.repeats))
            if study.answer_judge:
                yield from (_answer_item(sample, name, repeat) for repeat in range(study.repeats))
            yield from (_grade_item(sample, name, judge, repeat) for judge, repeat in _grade_runs(study))
        if study.comparer:
            for name in study.candidates:
                for order in ORDERS:
                    yield from (_comparison_item(sample, name, order, repeat) for repeat in range(study.repeats))


class Planned:
    """Every item of a study, as often as they are gone through; there may be too many to hold them all."""

    def __init__(self, study: Consultation) -> None:
        """Of this study."""
        self._study = study

    def __iter__(self) -> Iterator[PlannedItem]:
        """Each item, in the order of the suite."""
        return planned(self._study)


def planned_count(study: Consultation) -> int:
    """How many items that is: every sample has as many as the first one."""
    return sum(1 for _ in planned(study, study.suite.samples[:1])) * len(study.suite.samples)


def _dialogue_item(sample: Sample, name: str, *, recorded: bool = False) -> PlannedItem:
    return PlannedItem(
        id=f"dialogue/{sample.id}/{name}", kind="dialogue", sample=sample.id, assistant=name, calls=not recorded
    )


def _checklist_item(sample: Sample, name: str, repeat: int) -> PlannedItem:
    """No call is needed where rules decided every point."""
    id_ = f"checklist/{sample.id}/{name}/{repeat}"
    return PlannedItem(id=id_, kind="checklist", sample=sample.id, assistant=name, calls=False)


def _answer_item(sample: Sample, name: str, repeat: int) -> PlannedItem:
    """No call is needed where the dialogue failed."""
    id_ = f"rag/{sample.id}/{name}/{repeat}"
    return PlannedItem(id=id_, kind="rag", sample=sample.id, assistant=name, calls=False)


def _grade_runs(study: Consultation) -> list[tuple[int, int]]:
    """Place of the judge and its repeat: each is a call of its own."""
    return [(judge, repeat) for judge in range(len(study.graders)) for repeat in range(study.grade_repeats)]


def _grade_item(sample: Sample, name: str, judge: int, repeat: int) -> PlannedItem:
    """No call is needed where the dialogue failed."""
    id_ = f"grade/{sample.id}/{name}/{judge}/{repeat}"
    return PlannedItem(id=id_, kind="grade", sample=sample.id, assistant=name, calls=False)


def _comparison_item(sample: Sample, name: str, order: Order, repeat: int) -> PlannedItem:
    id_ = f"comparison/{sample.id}/{name}/{order}/{repeat}"
    return PlannedItem(id=id_, kind="comparison", sample=sample.id, assistant=name)


async def consult(study: Consultation, sample: Sample, done: Callable[[str], None]) -> SampleResult:
    """Hold the dialogues about one sample, mark them, and compare the candidates' with the reference's.

    ``done`` is told the kind of each planned item as it is finished.
    """
    # Numerical libraries take longer to load than the first answers take to come.
    talks = {name: Scope(sample.id) for name in study.assistants}
    dialogues = await _all(_dialogue(study, sample, name, talks[name], done) for name in study.assistants)
    marks = await _all(_marks(study, sample, dialogue, talks[dialogue.assistant], done) for dialogue in dialogues)
    assessed = await _all(
        _assessed(study, study.answer_judge, sample, dialogue, talks[dialogue.assistant], done)
        for dialogue in dialogues
        if study.answer_judge
    )
    by_name = {dialogue.assistant: dialogue for dialogue in dialogues}
    comparisons = await _all(
        _comparison(
            study,
            sample,
            by_name[name],
            by_name[study.reference],
            order,
            repeat,
            (talks[name], talks[study.reference]),
            done,
        )
        for name in study.candidates
        if study.comparer
        for order in ORDERS
        for repeat in range(study.repeats)
    )
    grades = await _all(
        _graded(study, sample, dialogue, judge, repeat, talks[dialogue.assistant], done)
        for dialogue in dialogues
        for judge, repeat in _grade_runs(study)
    )
    # Here, since numerical libraries take longer to load than first answers take to come.
    from benchbar.measures.values import measured

    scores = tuple(score for scores in [*marks, *grades] for score in scores)
    cited = tuple(one for dialogue in dialogues for one in _cited(study, sample, dialogue))
    by_name_cited = {name: tuple(one.citation for one in cited if one.assistant == name) for name in study.assistants}
    checked = by_name_cited if study.law else None
    dimensions = {dialogue.assistant: _dimensions(study, sample, dialogue, scores, checked) for dialogue in dialogues}
    return SampleResult(
        sample=sample.id,
        dialogues=tuple(dialogues),
        scores=scores,
        comparisons=tuple(comparisons),
        citations=cited,
        measures=measured(sample, dialogues, scores, comparisons, checked, study.reference, study.rubric, dimensions),
        rag=tuple(score for scores in assessed for score in scores),
        dimensions=tuple(one for of in dimensions.values() for one in of),
    )


def _cited(study: Consultation, sample: Sample, dialogue: Dialogue) -> Iterator[CitedIn]:
    """The citations of every reply, held against the law on the day of the matter."""
    if study.law is None:
        return
    for index, turn in enumerate(dialogue.turns):
        if turn.role == "assistant":
            for citation in study.law.check(turn.content, on=sample.on, language=sample.language):
                day = sample.on or study.law.today
                yield CitedIn(sample=sample.id, assistant=dialogue.assistant, turn=index, on=day, citation=citation)


def _dimensions(
    study: Consultation,
    sample: Sample,
    dialogue: Dialogue,
    scores: tuple[Score, ...],
    cited: dict[str, tuple[Citation, ...]] | None,
) -> tuple[DimensionScore, ...]:
    """The rubric's dimensions of one dialogue; none of a dialogue that failed."""
    if study.rubric is None or dialogue.ended is DialogueEnd.ERROR:
        return ()
    from benchbar.scoring.rubrics import Subject, apply

    name = dialogue.assistant
    subject = Subject(
        sample=sample,
        dialogue=dialogue,
        scores=tuple(score for score in scores if score.assistant == name),
        citations=None if cited is None else cited[name],
    )
    return apply(study.rubric, subject, sample=sample.id, assistant=name)


async def _all(coroutines: Iterator[Coroutine[Any, Any, T]]) -> list[T]:
    """All results; where one fails, the others are finished first: a paid call is not thrown away."""
    work = list(coroutines)
    results = await asyncio.gather(*work, return_exceptions=True) if work else []
    good = [result for result in results if not isinstance(result, BaseException)]
    if len(good) < len(results):
        raise next(result for result in results if isinstance(result, BaseException))
    return good


async def _dialogue(
    study: Consultation, sample: Sample, name: str, scope: Scope, done: Callable[[str], None]
) -> Dialogue:
    SCOPE.set(scope)
    if name in study.recorded:
        dialogue = _recorded(study.recorded[name], sample, name)
    else:
        dialogue = await hold(
            study.suite.tasks[sample.task],
            sample,
            name,
            study.asked[name],
            study.simulator,
            protocol=study.protocol,
            prompts=study.prompts,
            temperament=study.assignment(sample),
        )
    item = _dialogue_item(sample, name)
    await study.ledger.settle(item, scope, dialogue, failed=dialogue.ended is DialogueEnd.ERROR)
    done("dialogue")
    return dialogue


def _recorded(assistant: RecordedDialogues, sample: Sample, name: str) -> Dialogue:
    found = assistant.dialogue(sample)
    if found is None:
        return Dialogue(
            sample=sample.id,
            assistant=name,
            turns=(),
            ended=DialogueEnd.ERROR,
            error="assistant: missing: no answer recorded",
        )
    return msgspec.structs.replace(found, assistant=name)


async def _marks(
    study: Consultation, sample: Sample, dialogue: Dialogue, talk: Scope, done: Callable[[str], None]
) -> tuple[Score, ...]:
    """The rules' marks, and the judge's for the points that rules left; both are kept."""
    from benchbar.scoring.points import mark_points

    by_rule = mark_points(sample, dialogue)
    if study.marker is None:
        return by_rule
    open_ids = {score.dimension for score in by_rule if score.status is ScoreStatus.ABSTAINED}
    points = [point for point in sample.guidance.points if point.id in open_ids]
    marked = list(by_rule)
    for repeat in range(study.repeats):
        SCOPE.set(scope := Scope(sample.id, talk))
        task = study.suite.tasks[sample.task]
        scores = await study.marker.mark(task, sample, dialogue, points, repeat=repeat) if points else ()
        marked.extend(scores)
        failed = any(score.status is ScoreStatus.FAILED for score in scores)
        item = _checklist_item(sample, dialogue.assistant, repeat)
        await study.ledger.settle(
            item, scope, SampleResult(sample=sample.id, dialogues=(), scores=scores, comparisons=()), failed=failed
        )
        done("checklist")
    return tuple(marked)


async def _assessed(
    study: Consultation,
    judge: AnswerJudge,
    sample: Sample,
    dialogue: Dialogue,
    talk: Scope,
    done: Callable[[str], None],
) -> tuple[RagScore, ...]:
    """The answer's measures in each repeat."""
    found: list[RagScore] = []
    for repeat in range(study.repeats):
        SCOPE.set(scope := Scope(sample.id, talk))
        scores = await judge.assess(sample, dialogue, repeat=repeat)
        found.extend(scores)
        failed = any(score.status is ScoreStatus.FAILED for score in scores)
        record = SampleResult(sample=sample.id, dialogues=(), scores=(), comparisons=(), rag=scores)
        await study.ledger.settle(_answer_item(sample, dialogue.assistant, repeat), scope, record, failed=failed)
        done("rag")
    return tuple(found)


async def _graded(
    study: Consultation,
    sample: Sample,
    dialogue: Dialogue,
    judge: int,
    repeat: int,
    talk: Scope,
    done: Callable[[str], None],
) -> tuple[Score, ...]:
    """The grades of one run of one judge."""
    SCOPE.set(scope := Scope(sample.id, talk))
    scores = await study.graders[judge].grade(study.suite.tasks[sample.task], sample, dialogue, repeat=repeat)
    failed = any(score.status is ScoreStatus.FAILED for score in scores)
    record = SampleResult(sample=sample.id, dialogues=(), scores=scores, comparisons=())
    await study.ledger.settle(_grade_item(sample, dialogue.assistant, judge, repeat), scope, record, failed=failed)
    done("grade")
    return scores


async def _comparison(
    study: Consultation,
    sample: Sample,
    left: Dialogue,
    right: Dialogue,
    order: Order,
    repeat: int,
    talks: tuple[Scope, Scope],
    done: Callable[[str], None],
) -> Comparison:
    if study.comparer is None:
        raise ValueError("a comparison was asked for without a judge that compares")
    SCOPE.set(scope := Scope(sample.id, *talks))
    task = study.suite.tasks[sample.task]
    comparison = await study.comparer.compare(task, sample, left, right, order=order, repeat=repeat)
    item = _comparison_item(sample, left.assistant, order, repeat)
    await study.ledger.settle(item, scope, comparison, failed=comparison.status is ScoreStatus.FAILED)
    done("comparison")
    return comparison
