"""What people were asked to mark and what they said, as the ledger keeps it: appended to, never overwritten."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Literal

from msgspec.structs import replace

from benchbar.errors import UserError
from benchbar.ledger.packing import unpack
from benchbar.ledger.store import LedgerStore
from benchbar.records import HumanMarks, KeptMark, Mark, ReviewPlan, ReviewTask, decode

Status = Literal["open", "differ", "settled", "disputed"]


@dataclass
class Reviews:
    """All plans and marks of one ledger."""

    plans: list[ReviewPlan] = field(default_factory=list)
    marks: list[KeptMark] = field(default_factory=list)

    @property
    def tasks(self) -> dict[str, ReviewTask]:
        """Task id to task, in the order of the plans."""
        return {task.id: task for plan in self.plans for task in plan.tasks}

    def agree(self, task: str) -> float:
        """How far apart marks of this task may be."""
        return next(plan.agree for plan in self.plans if any(one.id == task for one in plan.tasks))

    def standing(self, task: str) -> list[KeptMark]:
        """The marks of a task that no later mark corrects."""
        corrected = {one.mark.corrects for one in self.marks}
        return [one for one in self.marks if one.mark.task == task and one.number not in corrected]

    def status(self, task: ReviewTask) -> tuple[Status, float | None]:
        """Whether a task is settled, and at which value; an adjudicator without a value leaves it disputed."""
        marks = self.standing(task.id)
        final = [one.mark for one in marks if one.mark.adjudication]
        if final:
            return ("disputed", None) if final[-1].value is None else ("settled", final[-1].value)
        given = [one.mark.value for one in marks]
        if len(given) < task.annotators:
            return "open", None
        values = [value for value in given if value is not None]
        if len(values) < len(given) or max(values) - min(values) > self.agree(task.id) + 1e-9:
            return "differ", None
        return "settled", fmean(values)


def read_reviews(store: LedgerStore) -> Reviews:
    """Every plan and mark, in the order in which they were written."""
    found = Reviews()
    for number, kind, at, record, _ in store.reviews():
        data = unpack(record)
        if kind == "plan":
            found.plans.append(decode(data, ReviewPlan))
        else:
            found.marks.append(KeptMark(number=number, at=at, mark=decode(data, Mark)))
    return found


def add_plan(store: LedgerStore, plan: ReviewPlan) -> bool:
    """Keep a plan; False where the same one is kept already."""
    with store.reviewing():
        if any(old.fingerprint == plan.fingerprint for old in read_reviews(store).plans):
            return False
        store.append_reviews("plan", [plan])
        return True


def add_mark(store: LedgerStore, mark: Mark, *, correct: bool = False) -> int:
    """Keep a mark; returns its number.

    Raises:
        UserError: the task is unknown, the person marked it before and does not correct, there is nothing to correct, or
            who adjudicates has marked the task already.
    """
    with store.reviewing():
        same = _checked(read_reviews(store), mark, correct=correct)
        return store.append_reviews("mark", [replace(mark, corrects=same[-1].number if same else None)])[0]


def add_marks(store: LedgerStore, marks: Sequence[Mark]) -> None:
    """Keep all of the marks, or none.

    Raises:
        UserError: as :func:`add_mark`, or one person marks a task twice in them.
    """
    with store.reviewing():
        reviews = read_reviews(store)
        seen: set[tuple[str, str]] = set()
        for mark in marks:
            _checked(reviews, mark, correct=False)
            if (mark.task, mark.rater) in seen:
                raise UserError(f"{mark.rater} marks task {mark.task} twice in this file")
            seen.add((mark.task, mark.rater))
        store.append_reviews("mark", marks)


def _checked(reviews: Reviews, mark: Mark, *, correct: bool = False) -> list[KeptMark]:
    """The person's own marks that this one would correct."""
    if mark.task not in reviews.tasks:
        raise UserError(f"unknown task {mark.task!r}: no review of this run asked about it")
    standing = reviews.standing(mark.task)
    own = [one for one in standing if one.mark.rater == mark.rater]
    same = [one for one in own if one.mark.adjudication == mark.adjudication]
    if mark.adjudication and len(own) > len(same):
        raise UserError(f"{mark.rater} has marked task {mark.task} and cannot settle it; somebody else has to")
    if same and not correct:
        raise UserError(f"{mark.rater} has marked task {mark.task} before; correct it with --correct")
    if correct and not same:
        raise UserError(f"{mark.rater} has no mark of task {mark.task} to correct")
    return same


def human_marks(reviews: Reviews) -> dict[str, HumanMarks]:
    """Assistant to what people's marks amount to; disputed ones apart, those that wait counted."""
    names = dict.fromkeys(name for plan in reviews.plans for name in plan.frame)
    return {name: _of(reviews, name) for name in names}


def _of(reviews: Reviews, name: str) -> HumanMarks:
    probability: dict[str, float] = {}
    for plan in reviews.plans:
        for sample, chance in plan.frame.get(name, {}).items():
            # Chosen in either of two drawings.
            probability[sample] = 1 - (1 - probability.get(sample, 0.0)) * (1 - chance)
    values: dict[str, float] = {}
    disputed, waiting = [], 0
    tasks = _own(reviews.tasks.values(), name)
    for task in tasks:
        status, value = reviews.status(task)
        if value is not None:
            values[task.sample] = value
        elif status == "disputed":
            disputed.append(task.sample)
        else:
            waiting += 1
    if waiting and values:
        # The queue is in random order: what is settled of it is a random part of what was drawn.
        settled = len(values) / (len(values) + waiting)
        probability = {sample: chance * settled for sample, chance in probability.items()}
    return HumanMarks(values=values, probability=probability, disputed=tuple(disputed), waiting=waiting)


def _own(tasks: Iterable[ReviewTask], name: str) -> list[ReviewTask]:
    return [task for task in tasks if task.assistant == name]
