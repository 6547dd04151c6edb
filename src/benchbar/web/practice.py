"""Practice on tasks whose right marks the owner has set: what differs from the key, by field, and who may go on to the queue."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from fastapi import Request
from msgspec.structs import replace

from benchbar.ledger.reviews import Reviews
from benchbar.records import POINT, KeptMark, ReviewTask
from benchbar.web import practice_store
from benchbar.web.blind import BlindTask, blind
from benchbar.web.mark_form import (
    CANNOT,
    CHOICES,
    IncompleteFormError,
    MarkForm,
    draft_of,
    judgement_of,
    of_draft,
    of_mark,
)
from benchbar.web.practice_store import Answer, Key
from benchbar.web.queue import Judgement
from benchbar.web.run_queues import RunQueue
from benchbar.web.state import app_state

SLACK = 1e-9


@dataclass(frozen=True, slots=True)
class Field:
    """One field of the form, as somebody filled it in and as the key has it."""

    kind: str
    """verdict, criterion, point, referred or error."""
    name: str
    """Of the criterion, or the words of the guidance point."""
    side: int | None
    """Of two dialogues the one that the point is ticked in, from 0; None of a single one."""
    given: object
    key: object
    same: bool

    @property
    def counts(self) -> bool:
        """Whether the field says anything: a point that neither ticks does not.

        Most points are ticked by nobody; counted as agreement, they would let whoever ticks nothing pass.
        """
        return self.kind != "point" or bool(self.given or self.key)


@dataclass(frozen=True, slots=True)
class Share:
    """How many fields are as the key, of those that say something."""

    same: int = 0
    fields: int = 0
    """Mark, criteria and errors that both gave, and points that either ticked."""
    done: int = 0
    """Practice tasks answered."""
    tasks: int = 0

    @property
    def value(self) -> float | None:
        """The share; None before the first answer."""
        return self.same / self.fields if self.fields else None


@dataclass(frozen=True)
class PracticeTask:
    """A task with its key, as it is shown."""

    key: Key
    task: ReviewTask
    shown: BlindTask
    agree: float
    """How far a grade may be from the key's and count as the same, 0 to 1: as far as two marks of the run may be."""

    def said(self, form: MarkForm) -> Judgement:
        """What a form says of it.

        Raises:
            IncompleteFormError: it says nothing that could be a mark.
        """
        return judgement_of(form, measure=self.task.measure, criteria=self.shown.criteria, points=self.shown.points)

    def compared(self, form: str) -> tuple[Field, ...]:
        """Each field of a kept form beside the key; empty where either says nothing of the task as it is shown today."""
        try:
            given, key = self.said(of_draft(form)), self.said(of_draft(self.key.form))
        except IncompleteFormError:
            return ()
        return tuple(_fields(self, given, key))


def kept(form: MarkForm) -> str:
    """The form as practice keeps it: without reason and passages, which are held against nothing."""
    return draft_of(replace(form, reason="", spans=[]))


def _fields(one: PracticeTask, given: Judgement, key: Judgement) -> Iterable[Field]:
    yield Field("verdict", "", None, given.value, key.value, _near(given.value, key.value, _apart(one)))
    for name, most in one.shown.criteria.items():
        # Who gave the grade alone, or could not decide, said nothing of criteria.
        if name in given.criteria and name in key.criteria:
            theirs, right = given.criteria[name], key.criteria[name]
            yield Field("criterion", name, None, theirs, right, _near(theirs, right, one.agree * most))
    two = len(one.shown.dialogues) > 1
    for side, (theirs_met, key_met) in enumerate(zip(given.met, key.met, strict=False)):
        for point in one.shown.points:
            ticked, wanted = point.id in theirs_met, point.id in key_met
            yield Field("point", point.text, side if two else None, ticked, wanted, ticked == wanted)
    if one.task.measure == POINT:
        yield Field("referred", "", None, given.referred, key.referred, given.referred == key.referred)
    if given.error or key.error:
        yield Field("error", "", None, given.error, key.error, given.error == key.error)


def _apart(one: PracticeTask) -> float:
    return 0.0 if one.task.compared or one.task.voted else one.agree


def _near(given: float | None, key: float | None, apart: float) -> bool:
    if given is None or key is None:
        return given is key
    return abs(given - key) <= apart + SLACK


def practice_tasks(request: Request, asked: RunQueue) -> list[PracticeTask]:
    """The practice tasks of a queue in their order; one whose dialogue is not in the run any more is left out."""
    web = app_state(request)
    with web.database.transaction() as now:
        known = practice_store.keys(now, asked.queue.id)
    return [found for key in known if (found := _task(request, asked, key)) is not None] if known else []


def _task(request: Request, asked: RunQueue, key: Key) -> PracticeTask | None:
    def read(reviews: Reviews) -> tuple[ReviewTask, tuple[str, ...], float] | None:
        task = reviews.tasks.get(key.task)
        return None if task is None else (task, reviews.sides(task), reviews.agree(task.id))

    found = asked.queue.marks.ask(read)
    if found is None:
        return None
    task, sides, agree = found
    shown = blind(app_state(request), asked.run, task, sides)
    return None if shown is None else PracticeTask(key, task, shown, agree)


def own_tasks(request: Request, asked: RunQueue, rater: str, closed: Collection[str]) -> list[PracticeTask]:
    """The practice tasks of one person: not those that they marked, whose key may be their own word, nor those closed to them.

    ``closed`` are samples that the person answers as an assistant in another run.
    """
    tasks = practice_tasks(request, asked)
    if not tasks:
        return []
    marked, answers = asked.queue.marks.ask(
        lambda reviews: (set(reviews.of_rater.get(rater, ())), set(reviews.asked.concerns(rater)))
    )
    return [one for one in tasks if one.task.id not in marked and one.task.sample not in answers | set(closed)]


def share_of(tasks: Sequence[PracticeTask], answers: Mapping[str, Answer]) -> Share:
    """How many fields of somebody's first answers are as the keys, of those that count."""
    given = [one.compared(answers[one.task.id].first) for one in tasks if one.task.id in answers]
    fields = [field for found in given for field in found if field.counts]
    return Share(sum(field.same for field in fields), len(fields), len(given), len(tasks))


@dataclass(frozen=True)
class Practice:
    """Where one person stands."""

    tasks: tuple[PracticeTask, ...]
    answers: Mapping[str, Answer]
    share: Share
    least: int | None
    """In percent; None where none is required."""
    passed: bool
    """Whether the owner let them through."""

    @property
    def waiting(self) -> PracticeTask | None:
        """The first that they have not answered."""
        return next((one for one in self.tasks if one.task.id not in self.answers), None)

    @property
    def below(self) -> bool:
        """Whether they have answered all, and too few fields are as the key."""
        value = self.share.value
        if self.least is None or self.passed or self.waiting is not None or value is None:
            return False
        return 100 * value < self.least - SLACK


def practice_of(request: Request, asked: RunQueue, rater: str, closed: Collection[str]) -> Practice:
    """One person's practice in a queue."""
    tasks, queue = own_tasks(request, asked, rater, closed), asked.queue.id
    if not tasks:
        # Most queues: nothing more is read before each task.
        return Practice((), {}, Share(), None, passed=False)
    with app_state(request).database.transaction() as now:
        answers = practice_store.answers(now, queue).get(rater, {})
        least, passed = practice_store.least(now, queue), rater in practice_store.passed(now, queue)
    return Practice(tuple(tasks), answers, share_of(tasks, answers), least, passed)


def settled_form(one: PracticeTask, marks: Sequence[KeptMark], value: float | None, *, swapped: bool) -> MarkForm:
    """The key that a task's settled marks make; ``value`` is that of the dialogue shown first.

    What an adjudicator said is the key as it stands. Of several marks: the settled value, the points that more than half ticked,
    the means of the criteria where all gave them.
    """
    given = [mark for mark in marks if mark.mark.adjudication][-1:] or list(marks)
    measure, points = one.task.measure, one.shown.points
    # A mean of "better" and "a tie" is no answer of the form.
    if not given or (one.task.compared and value not in CHOICES.values()):
        return MarkForm()
    forms = [of_mark(mark, value, points, measure=measure, swapped=swapped) for mark in given]
    if one.task.voted:
        # Whoever was outvoted named an error, or none, of another answer.
        same = [form for form, mark in zip(forms, given, strict=True) if mark.mark.value == value]
        return replace((same or forms)[0], reason="", spans=[])
    ticked = [tick for form in forms for tick in form.met]
    met = [tick for tick in dict.fromkeys(ticked) if 2 * ticked.count(tick) > len(forms)]
    return MarkForm(forms[0].choice, forms[0].score, _means(forms), met)


def _means(forms: Sequence[MarkForm]) -> list[str]:
    if forms[0].choice == CANNOT or not all(form.criteria for form in forms):
        return []
    columns = zip(*(form.criteria for form in forms), strict=False)
    return [f"{round(fmean(float(text) for text in column), 4):g}" for column in columns]
