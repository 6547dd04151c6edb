"""What people were asked to mark and what they said, as the ledger keeps it: appended to, never overwritten."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from msgspec.structs import replace

from benchbar.ledger.asked import Asked
from benchbar.ledger.assigned import Assigned
from benchbar.ledger.blinding import coin, made_secret, missing, secret_of
from benchbar.ledger.packing import unpack
from benchbar.ledger.schema import ANSWER, ASSIGNED
from benchbar.ledger.store import LedgerStore
from benchbar.records import ERRORS, POINT, Assignment, KeptMark, Mark, ReviewPlan, ReviewTask, decode
from benchbar.records.errors import LedgerError, UserError
from benchbar.records.people import PersonAnswer

Status = Literal["open", "differ", "settled", "disputed"]
STATES: tuple[Status, ...] = ("open", "differ", "settled", "disputed")


@dataclass(frozen=True, slots=True)
class Count:
    """A number of tasks or of marks; every page that counts either counts so."""

    drawn: int = 0
    """Of tasks that chance chose, on which estimates rest."""
    picked: int = 0
    """Of tasks that somebody picked by hand, which count in no estimate."""

    @property
    def all(self) -> int:
        """Both: what a reviewer is asked, who is not told which tasks were picked."""
        return self.drawn + self.picked


def counted(tasks: Iterable[ReviewTask]) -> Count:
    """How many there are of each."""
    picked = [task.picked for task in tasks]
    return Count(picked.count(False), picked.count(True))


class Reviews:
    """All plans and marks of one ledger, which it can follow as the ledger grows."""

    def __init__(self, plans: Iterable[ReviewPlan] = (), marks: Iterable[KeptMark] = ()) -> None:
        """What is known so far, in the order in which it was written."""
        self.plans: list[ReviewPlan] = []
        self.marks: list[KeptMark] = []
        self.number = 0
        """Of the last row that was read."""
        self.asked = Asked()
        """What people were asked who answer as an assistant."""
        self.assigned = Assigned()
        """Which tasks were given to whom by name."""
        self._secret: bytes | None = None
        self._missing: LedgerError | None = None
        self.tasks: dict[str, ReviewTask] = {}
        """Task id to task, in the order of the plans."""
        self.waiting: dict[str, ReviewTask] = {}
        """The tasks that too few people have marked, in the same order: what pages hand out."""
        self.of_rater: dict[str, dict[str, KeptMark]] = {}
        """Person to task id to the mark that stands, adjudications left out."""
        self._agree: dict[str, float] = {}
        self._standing: dict[str, dict[int, KeptMark]] = {}
        for plan in plans:
            self.add_plan(plan)
        for mark in marks:
            self.add_mark(mark)

    def add_plan(self, plan: ReviewPlan) -> None:
        """Know one more plan; a task that was planned before keeps its first bounds."""
        self.plans.append(plan)
        for task in plan.tasks:
            self.tasks[task.id] = task
            if len(self.standing(task.id)) < task.annotators:
                self.waiting[task.id] = task
            self._agree.setdefault(task.id, plan.agree)

    def add_mark(self, kept: KeptMark) -> None:
        """Know one more mark."""
        self.marks.append(kept)
        standing = self._standing.setdefault(kept.mark.task, {})
        if kept.mark.corrects is not None:
            standing.pop(kept.mark.corrects, None)
        standing[kept.number] = kept
        if not kept.mark.adjudication:
            self.of_rater.setdefault(kept.mark.rater, {})[kept.mark.task] = kept
        task = self.tasks.get(kept.mark.task)
        if task is not None and (kept.mark.adjudication or len(standing) >= task.annotators):
            self.waiting.pop(task.id, None)

    def follow(self, store: LedgerStore) -> Reviews:
        """Read what was written since; returns itself."""
        self._secret = self._secret or secret_of(store)
        self._missing = missing(store)
        for number, kind, at, record, _ in store.reviews(after=self.number):
            data = unpack(record)
            if kind == "plan":
                self.add_plan(decode(data, ReviewPlan))
            elif kind == "mark":
                self.add_mark(KeptMark(number=number, at=at, mark=decode(data, Mark)))
            elif kind == ASSIGNED:
                self.assigned.add(data)
            else:
                self.asked.add(kind, data)
            self.number = number
        return self

    def marked_by(self, person: str) -> set[str]:
        """The samples of which this person has marked an answer; whoever settled a disagreement did, too."""
        tasks = [self.tasks.get(one.mark.task) for one in self.marks if one.mark.rater == person]
        return {task.sample for task in tasks if task is not None}

    def sides(self, task: ReviewTask) -> tuple[str, ...]:
        """The assistants in the order in which their dialogues are shown.

        Raises:
            LedgerError: the secret of the order was left behind; no other order is put in its place.
        """
        if not task.against:
            return (task.assistant,)
        if task.judged is not None:
            # The judge speaks of "assistant 1" and "assistant 2": people who check it see what it saw.
            pair = (task.assistant, task.against)
            return pair if task.judged.order == "left_first" else pair[::-1]
        if self._secret is None:
            raise self._missing or LedgerError("the blind order belongs to a ledger: follow one first")
        return (task.against, task.assistant) if coin(self._secret, task.id) else (task.assistant, task.against)

    def outcome(self, task: ReviewTask, value: float) -> float:
        """What a value for the dialogue shown first is for the task's assistant, and the other way round."""
        return value if self.sides(task)[0] == task.assistant else 1 - value

    def agree(self, task: str) -> float:
        """How far apart marks of this task may be."""
        return self._agree[task]

    def drawn(self) -> Iterator[ReviewTask]:
        """The tasks that chance chose: whatever is estimated from people's marks is estimated from these.

        What somebody picked by hand was picked for what it looked like: the worst answers, say. Its marks say nothing of the
        others.
        """
        return (task for task in self.tasks.values() if not task.picked)

    def states(self, *, voted: bool = False) -> dict[Status, Count]:
        """State to the number of tasks, of those about dialogues or of those that the majority settles."""
        found: dict[Status, list[ReviewTask]] = {state: [] for state in STATES}
        for task in self.tasks.values():
            if task.voted == voted:
                found[self.status(task)[0]].append(task)
        return {state: counted(tasks) for state, tasks in found.items()}

    def marks_of(self) -> dict[str, Count]:
        """Person to the number of their marks, adjudications left out."""
        return {name: self.marks_by(name) for name in sorted(self.of_rater)}

    def marks_by(self, person: str) -> Count:
        """The number of this person's marks, adjudications left out."""
        return counted(self.tasks[task] for task in self.of_rater.get(person, ()) if task in self.tasks)

    def standing(self, task: str) -> list[KeptMark]:
        """The marks of a task that no later mark corrects."""
        return list(self._standing.get(task, {}).values())

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
        if task.voted:
            yes, no = (sum(value == answer for value in values) for answer in (1, 0))
            return ("differ", None) if yes == no else ("settled", float(yes > no))
        if len(values) < len(given) or max(values) - min(values) > self.agree(task.id) + 1e-9:
            return "differ", None
        return "settled", fmean(values)


def read_reviews(store: LedgerStore) -> Reviews:
    """Every plan and mark, in the order in which they were written."""
    return Reviews().follow(store)


def add_plan(store: LedgerStore, plan: ReviewPlan) -> bool:
    """Keep a plan; False where the same one is kept already.

    Raises:
        LedgerError: the secret by which earlier tasks were named was left behind.
    """
    with store.reviewing():
        for old in read_reviews(store).plans:
            if old.fingerprint == plan.fingerprint or (old.tasks, old.frame) == (plan.tasks, plan.frame):
                return False
        if made_secret(store) is None:
            raise missing(store)
        store.append_reviews("plan", [plan])
        return True


def add_mark(store: LedgerStore, mark: Mark, *, correct: bool = False, known: Reviews | None = None) -> int:
    """Keep a mark; returns its number. Several processes may do so at once.

    ``known`` is what was read before: then only what is newer is read.

    Raises:
        UserError: the task is unknown, the person marked it before and does not correct, there is nothing to correct,
            who adjudicates has marked the task already, or who marks answers the same sample as an assistant.
    """
    with store.reviewing():
        same = _checked((known or Reviews()).follow(store), mark, correct=correct)
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


def add_answer(store: LedgerStore, answer: PersonAnswer, known: Reviews) -> None:
    """Keep what a person answered as an assistant; the same person's answer sent twice is kept once.

    ``known`` is what was read before: then only what is newer is read. Several processes may do so at once.

    Raises:
        UserError: the question is not open, or not this person's, or the person marked answers to its sample.
    """
    with store.reviewing():
        asked = known.follow(store).asked
        before, question = asked.answers.get(answer.question), asked.open.get(answer.question)
        if before is not None and before.person == answer.person:
            return
        if question is None:
            raise UserError("this question is not open any more: somebody else answered it, or the run changed")
        if answer.person not in question.people:
            raise UserError(f"{answer.person} is not among those who are asked this question")
        if question.sample in known.marked_by(answer.person):
            raise UserError(
                f"{answer.person} marked answers to this question and saw its guidance; somebody else has to answer"
            )
        store.append_reviews(ANSWER, [answer])


def add_assignment(store: LedgerStore, assignment: Assignment, known: Reviews) -> None:
    """Keep that a task was given to a person by name, or taken back; the same sent twice is kept once.

    ``known`` is what was read before: then only what is newer is read. Several processes may do so at once.

    Raises:
        UserError: the task is unknown, wants nobody more, or is not this person's to mark; or what is taken back was not
            given, or is marked.
    """
    with store.reviewing():
        reviews = known.follow(store)
        people = reviews.assigned.people(assignment.task)
        if not assignment.back and assignment.person in people:
            return
        _check_assignment(reviews, assignment, set(people))
        store.append_reviews(ASSIGNED, [assignment])


def _check_assignment(reviews: Reviews, one: Assignment, people: set[str]) -> None:
    task = reviews.tasks.get(one.task)
    if task is None:
        raise UserError(f"unknown task {one.task!r}: no review of this run asked about it")
    marked = {kept.mark.rater for kept in reviews.standing(task.id)}
    if one.person in marked:
        raise UserError(f"{one.person} has marked task {task.id}: it is neither given again nor taken back")
    if one.back:
        if one.person not in people:
            raise UserError(f"task {task.id} is not given to {one.person}")
        return
    if task.sample in reviews.asked.concerns(one.person):
        raise UserError(f"{one.person} answers sample {task.sample} as an assistant; somebody else has to mark it")
    if task.id not in reviews.waiting or len(marked | people) >= task.annotators:
        raise UserError(
            f"task {task.id} wants {task.annotators} and has or waits for as many: {', '.join(sorted(marked | people))}"
        )


def _checked(reviews: Reviews, mark: Mark, *, correct: bool) -> list[KeptMark]:
    """The person's own marks that this one would correct."""
    task = reviews.tasks.get(mark.task)
    if task is None:
        raise UserError(f"unknown task {mark.task!r}: no review of this run asked about it")
    if task.sample in reviews.asked.concerns(mark.rater):
        raise UserError(
            f"{mark.rater} answers sample {task.sample} as an assistant and cannot mark what anybody answered to it; somebody else"
            " has to"
        )
    if task.compared and mark.value not in {None, 0.0, 0.5, 1.0}:
        raise UserError(
            f"task {mark.task} compares two dialogues: a score of {100 * (mark.value or 0):g};"
            " expected 100 (the first is better), 50 (a tie) or 0 (the second)"
        )
    _check_vote(task, mark)
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


def _check_vote(task: ReviewTask, mark: Mark) -> None:
    """Refuse what does not answer the question of a task; a judge's silence on a point may still be right or wrong."""
    known = ERRORS.get(task.measure, ())
    if known and mark.value not in {None, 0.0, 1.0}:
        raise UserError(f"task {task.id} asks for right or wrong; {mark.value} is neither")
    if mark.error and mark.error not in known:
        raise UserError(f"error {mark.error!r} of task {task.id}; expected one of {', '.join(known) or 'none'}")
    if mark.error and mark.value != 0:
        raise UserError(f"task {task.id}: an error is named of something that is not marked wrong")
    if mark.referred is not None and task.measure != POINT:
        raise UserError(f"task {task.id} is about no judge: leave `referred` empty")
