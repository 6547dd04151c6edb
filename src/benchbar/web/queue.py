"""The queue of one run: gives tasks to people so that no two collide, keeps drafts, and takes marks."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from statistics import median

from msgspec.structs import replace

from benchbar.ledger.reviews import Count, Reviews, counted
from benchbar.records import KINDS, Assignment, Mark, MarkedSpan, ReviewTask
from benchbar.records.errors import UserError
from benchbar.web import leases, practice_store
from benchbar.web.audit import note
from benchbar.web.database import Database, Transaction
from benchbar.web.leases import Lease
from benchbar.web.mark_stream import MarkStream
from benchbar.web.marks_wanted import EVERYTHING, Wanted

HOLD = 15 * 60.0
# As long as one reads a long dialogue without writing anything; shorter, and readers lose their task.
"""Seconds for which a task is kept for somebody after they last wrote something."""
LONGEST_REASON = 4000
# A reason at its longest, every tick and a page of marked passages, as JSON with escapes.
LONGEST_DRAFT = 40_000


class TakenError(UserError):
    """The task went to somebody else, or was settled, while its lease had run out."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a person said of the dialogues that they were shown."""

    value: float | None
    """0 to 1; of two dialogues 1 where the first is better, 0.5 for a tie, 0; None where it cannot be decided."""
    reason: str = ""
    criteria: Mapping[str, float] = field(default_factory=dict)
    met: tuple[tuple[str, ...], ...] = ()
    """Ids of the guidance points ticked, for each dialogue in the order shown."""
    referred: bool | None = None
    """Whether a judge speaks of the guidance point, where that was asked."""
    error: str = ""
    """The type of error of what is wrong."""
    spans: tuple[tuple[MarkedSpan, ...], ...] = ()
    """Marked passages, for each dialogue in the order shown."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far one person and the whole queue are."""

    own: Count
    """Marks of this person."""
    open: Count
    """Tasks that this person may still mark."""
    skipped: int
    """Tasks that this person passed over and may take up again."""
    conflicting: int
    """Tasks that this person may not mark, since they answer the same sample as an assistant."""
    settled: int
    tasks: int
    seconds: float | None
    """Median time of one mark of this person; None before the first."""
    kinds: Mapping[str, int] = field(default_factory=dict)
    """What the open tasks are about, to their number."""
    ended: bool = False
    """Whether the decision stands, so that tasks which would not change it are given out no more."""
    asked: Mapping[str, int] = field(default_factory=dict)
    """Who gave this person tasks by name, to the number of those that are open."""

    @property
    def left(self) -> float | None:
        """Seconds that the rest would take this person alone."""
        return None if self.seconds is None else self.seconds * self.open.all


def next_task(
    reviews: Reviews,
    held: Mapping[str, Collection[str]],
    rater: str,
    skipped: Collection[str] = (),
    kind: str = "",
    needless: Callable[[ReviewTask], bool] = lambda _: False,
) -> ReviewTask | None:
    """The first task, in the queue's random order, that wants one more person and that this one has not marked.

    ``held`` says who holds which task now; whoever holds one counts as if they had marked it. Tasks of the ``kind`` that is named
    come before all others: who checks a judge's points goes on with them. Of one kind, ``needless`` tasks come last.
    """
    best: ReviewTask | None = None
    least = (True, True)
    for task in reviews.waiting.values():
        rank = (bool(kind) and task.kind != kind, needless(task))
        if (best is None or rank < least) and wants(reviews, held, task, rater, skipped):
            best, least = task, rank
            if least == (False, False):
                break
    return best


def wants(
    reviews: Reviews,
    held: Mapping[str, Collection[str]],
    task: ReviewTask,
    rater: str,
    skipped: Collection[str] = (),
) -> bool:
    """Whether this person may mark this task."""
    if task.id not in reviews.waiting or task.id in skipped or task.sample in reviews.asked.concerns(rater):
        return False
    marked = {one.mark.rater for one in reviews.standing(task.id)}
    # Holders count as if they had marked: otherwise three people could work on a task that wants two.
    return rater not in marked and len((marked | set(held.get(task.id, ()))) - {rater}) < task.annotators


def with_assigned(
    reviews: Reviews, held: Mapping[str, Collection[str]], present: Collection[str], skips: Collection[tuple[str, str]]
) -> dict[str, set[str]]:
    """Who holds which task, with those whom it was given to by name: their place is kept for them.

    Not for whoever is not ``present`` any more, or passed the task over: nobody should wait for them.
    """
    found = {task: set(people) for task, people in held.items()}
    for task, person, _ in reviews.assigned.all():
        if person in present and (task, person) not in skips:
            found.setdefault(task, set()).add(person)
    return found


class Queue:
    """What people are asked about one run."""

    def __init__(
        self,
        id_: str,
        stream: MarkStream,
        database: Database,
        *,
        hold: float = HOLD,
        clock: Callable[[], float] = time.time,
        wanted: Callable[[], Wanted] = lambda: EVERYTHING,
        ends: bool = False,
        present: Callable[[Transaction], Collection[str]] = lambda _: (),
    ) -> None:
        """Tasks are given out for ``hold`` seconds, longer while somebody is writing.

        What is ``wanted`` comes first; where marking ``ends`` by itself, what is not wanted any more is not given out. Tasks that
        were given by name are kept for those who are ``present``: who may mark here now.
        """
        self.id, self.marks, self._database = id_, stream, database
        self._hold, self._clock = hold, clock
        self._wanted, self._ends, self._present = wanted, ends, present

    def take(
        self, rater: str, kind: str = "", closed: Collection[str] = frozenset()
    ) -> tuple[Lease, ReviewTask] | None:
        """The task in this person's hands, else the next one, of this ``kind`` if there is one; None where nothing is left.

        ``closed`` are samples that the person answers as an assistant in another run.
        """
        # Decided before the transaction, which everybody else waits for.
        wanted = self._wanted()
        ended = self._ended(wanted) - self._given(rater)
        with self._database.transaction() as now:
            # What is this person's own is read before everybody else has to wait.
            passed = leases.passed_over(now, self.id, rater) | self._about(closed)
            # A task whose key somebody is told, or soon will be, tells nothing of what they think of it.
            passed |= practice_store.withheld(now, self.id, rater)
            leases.lock(now, self._database.dialect, self.id)
            at = self._clock()
            held, mine = leases.held(now, self.id, at), leases.own(now, self.id, rater)
            present, skips = self._present(now), leases.skips(now, self.id)
            # A task in somebody's hands is theirs to finish, though marking has ended meanwhile.
            passed |= ended - {one.task for one in mine}
            # The other order could miss a mark that is written between the two, and give the task out once too often.
            # Read after the leases: a mark is written before its lease ends, so that one of the two is always seen.
            lease, task, stale = self.marks.ask(
                lambda reviews: _choice(
                    reviews, with_assigned(reviews, held, present, skips), mine, rater, passed, kind, wanted.needless
                )
            )
            leases.give_back(now, self.id, stale, rater)
            if task is None:
                return None
            if lease is None:
                lease = leases.grant(now, self.id, task.id, rater, at, at + self._hold)
            else:
                leases.prolong(now, lease, at + self._hold)
            return lease, task

    def save(self, rater: str, nonce: str, draft: str) -> None:
        """Keep a draft, and the task for as long again.

        Raises:
            TakenError: the task went to somebody else meanwhile.
            UserError: the draft is too long.
        """
        if len(draft) > LONGEST_DRAFT:
            raise UserError(f"a draft of {len(draft)} characters; at most {LONGEST_DRAFT} are kept")
        with self._database.transaction() as now:
            lease = self._held(now, rater, nonce)
            leases.prolong(now, lease, self._clock() + self._hold, draft)

    def mark(self, rater: str, nonce: str, judgement: Judgement, seconds: float | None = None) -> str:
        """Write a mark into the ledger; returns the task's id. The same sent twice is written once.

        Raises:
            TakenError: the task went to somebody else meanwhile.
            UserError: the value is none for this task, or the reason too long.
        """
        with self._database.transaction() as now:
            # Asked before the lease: a form sent twice comes with a nonce whose lease has ended.
            if (before := leases.finished(now, self.id, rater, nonce)) is not None:
                return before
            try:
                lease = self._held(now, rater, nonce)
            except TakenError:
                # The lease may have ended between the two questions, by the same form sent from another tab.
                if (before := leases.finished(now, self.id, rater, nonce)) is not None:
                    return before
                raise
            at = self._clock()
            # A crash between the ledger and this database leaves the mark without its row: it is not written twice.
            if not self.marks.ask(lambda reviews: rater in reviews.of_rater and lease.task in reviews.of_rater[rater]):
                number = self.marks.mark(self._mark(lease.task, rater, judgement))
                note(now, rater, "mark", lease.task, number=number)
            whole = at - lease.began
            # The browser's count leaves out pauses; the server's is its upper bound, for the browser's is only
            # claimed.
            leases.finish(now, self.id, lease, min(whole, seconds) if seconds is not None else whole, at)
            return lease.task

    def correct(self, rater: str, task: str, judgement: Judgement) -> int:
        """Put a mark in the place of one's own mark; both are kept."""
        number = self.marks.mark(self._mark(task, rater, judgement), correct=True)
        with self._database.transaction() as now:
            note(now, rater, "mark_corrected", task, number=number)
        return number

    def skip(self, rater: str, nonce: str, reason: str) -> None:
        """Pass a task over; it goes to others, and the owner sees why."""
        if not reason.strip() or len(reason) > LONGEST_REASON:
            raise UserError(f"say in at most {LONGEST_REASON} characters why the task is passed over")
        with self._database.transaction() as now:
            lease = leases.by_nonce(now, self.id, rater, nonce)
            if lease is not None:
                leases.skip(now, self.id, lease, reason.strip(), self._clock())
                note(now, rater, "skip", lease.task)

    def give_back(self, rater: str, nonce: str) -> None:
        """End this person's lease of a task, with its draft: others may have it at once."""
        with self._database.transaction() as now:
            lease = leases.by_nonce(now, self.id, rater, nonce)
            if lease is not None:
                leases.give_back(now, self.id, [lease.task], rater)

    def take_up(self, rater: str) -> int:
        """Have the tasks that this person passed over again; how many."""
        with self._database.transaction() as now:
            return leases.unskip(now, self.id, rater)

    def adjudicate(self, owner: str, task: str, judgement: Judgement) -> int:
        """Settle a task on which others differ, or leave it disputed where nothing can be said; a later one corrects it.

        Raises:
            UserError: the person has marked the task.
        """
        given = replace(self._mark(task, owner, judgement), adjudication=True)
        before = self.marks.ask(lambda reviews: [one.mark for one in reviews.standing(task)])
        number = self.marks.mark(given, correct=any(one.adjudication and one.rater == owner for one in before))
        with self._database.transaction() as now:
            note(now, owner, "adjudication", task, number=number)
        return number

    def _mark(self, task: str, rater: str, judgement: Judgement) -> Mark:
        """What was said of the dialogues as they were shown, as a mark of the task's assistant.

        Raises:
            UserError: there is no such task, or the reason is too long.
        """
        if len(judgement.reason) > LONGEST_REASON:
            raise UserError(f"a reason of {len(judgement.reason)} characters; at most {LONGEST_REASON} are kept")

        def marked(reviews: Reviews) -> Mark:
            asked = reviews.tasks.get(task)
            if asked is None:
                raise UserError("there is no such task in this queue")
            # A person marks "the first shown"; which assistant that is only the task's coin knows.
            value = (
                judgement.value
                if judgement.value is None or not asked.compared
                else reviews.outcome(asked, judgement.value)
            )
            sides = reviews.sides(asked)
            met = judgement.met if sides[0] == asked.assistant else judgement.met[::-1]
            return Mark(
                task=task,
                rater=rater,
                value=value,
                reason=judgement.reason.strip(),
                criteria=dict(judgement.criteria),
                met=met[0] if met else (),
                met_against=met[1] if len(met) > 1 else (),
                referred=judgement.referred,
                error=judgement.error,
                spans=tuple(
                    replace(span, against=name != asked.assistant)
                    for name, spans in zip(sides, judgement.spans, strict=False)
                    for span in spans
                ),
            )

        return self.marks.ask(marked)

    def _about(self, samples: Collection[str]) -> set[str]:
        """The tasks about these samples."""
        if not samples:
            return set()
        return self.marks.ask(lambda reviews: {one.id for one in reviews.tasks.values() if one.sample in samples})

    def _ended(self, wanted: Wanted) -> set[str]:
        """The tasks that are given out no more, since marking ends by itself."""
        if not self._ends or not wanted.decided:
            return set()
        return self.marks.ask(lambda reviews: {one.id for one in reviews.waiting.values() if wanted.needless(one)})

    def _given(self, rater: str) -> set[str]:
        """The tasks that were given to this person by name."""
        return self.marks.ask(lambda reviews: set(reviews.assigned.to(rater)))

    def admit(self, person: str) -> None:
        """Let pass who may mark here now.

        Raises:
            UserError: this person may not.
        """
        with self._database.transaction() as now:
            _admit(self._present(now), person)

    def give(self, assignment: Assignment, closed: Collection[str] = frozenset()) -> None:
        """Give a task to one person by name; ``closed`` as in :meth:`take`.

        Raises:
            UserError: the person may not mark it, or others have it in their hands.
        """
        task, person = assignment.task, assignment.person
        about = self._about(closed)
        with self._database.transaction() as now:
            present = self._present(now)
            _admit(present, person)
            passed = leases.passed_over(now, self.id, person) | about | practice_store.withheld(now, self.id, person)
            if task in passed | {key.task for key in practice_store.keys(now, self.id)}:
                raise UserError(
                    f"{person} passed this task over, practises on it, or answers its sample in another run"
                )
            # As in `take`: whoever takes a task meanwhile is waited for, or waits.
            leases.lock(now, self._database.dialect, self.id)
            held, skips = leases.held(now, self.id, self._clock()), leases.skips(now, self.id)
            if not self.marks.ask(
                lambda reviews: (
                    task not in reviews.tasks
                    or wants(reviews, with_assigned(reviews, held, present, skips), reviews.tasks[task], person)
                )
            ):
                raise UserError("this task is in others' hands or was given to others, and wants nobody more")
            self.marks.assign(assignment)
            note(now, assignment.by, "task_given", task, to=person)

    def take_back(self, owner: str, task: str, person: str) -> None:
        """Take a task back that was given by name, out of the person's hands as well; others may have it.

        Raises:
            UserError: it was not given to this person, or is marked.
        """
        with self._database.transaction() as now:
            leases.lock(now, self._database.dialect, self.id)
            self.marks.assign(Assignment(task=task, person=person, by=owner, back=True))
            leases.give_back(now, self.id, [task], person)
            note(now, owner, "task_taken_back", task, to=person)

    def progress(self, rater: str, closed: Collection[str] = frozenset()) -> Progress:
        """How far this person and the queue are; ``closed`` as in :meth:`take`."""
        about, ended = self._about(closed), self._ended(self._wanted()) - self._given(rater)
        with self._database.transaction() as now:
            held = leases.held(now, self.id, self._clock())
            passed = leases.passed_over(now, self.id, rater)
            took = leases.times(now, self.id, rater)
            mine = {lease.task for lease in leases.own(now, self.id, rater)}
            practice = practice_store.withheld(now, self.id, rater)
            present, skips = self._present(now), leases.skips(now, self.id)
        return self.marks.ask(
            lambda reviews: _progress(
                *(reviews, with_assigned(reviews, held, present, skips), rater, passed, took, about, ended - mine),
                practice,
            )
        )

    def _held(self, now: Transaction, rater: str, nonce: str) -> Lease:
        """The lease under this name; one that ran out is taken up again if nobody else has the task."""
        lease = leases.by_nonce(now, self.id, rater, nonce)
        late = lease is not None and lease.until <= self._clock()
        if late:
            # Before the lease's own row, as in `take`: two orders of locks would wait for each other.
            leases.lock(now, self._database.dialect, self.id)
        if lease is None or not leases.fix(now, lease):
            raise TakenError("this task is no longer yours: it was marked, passed over or given to somebody else")
        if not late:
            return lease
        held, present, skips = leases.held(now, self.id, self._clock()), self._present(now), leases.skips(now, self.id)
        if not self.marks.ask(
            lambda reviews: wants(
                reviews, with_assigned(reviews, held, present, skips), reviews.tasks[lease.task], rater
            )
        ):
            raise TakenError("you left this task alone for so long that it went to somebody else; take the next one")
        return lease


def _admit(present: Collection[str], person: str) -> None:
    if person not in present:
        raise UserError(f"{person} may not mark in this run; invite them first")


def _choice(
    reviews: Reviews,
    held: Mapping[str, Collection[str]],
    mine: Collection[Lease],
    rater: str,
    passed: Collection[str],
    kind: str = "",
    needless: Callable[[ReviewTask], bool] = lambda _: False,
    # A lease is kept through a restart of the browser: the same person gets the same task with its draft.
) -> tuple[Lease | None, ReviewTask | None, list[str]]:
    """The lease to go on with or None, the task, and own leases that are of no use any more."""
    kept = [
        one
        for one in mine
        if one.task in reviews.tasks and wants(reviews, held, reviews.tasks[one.task], rater, passed)
    ]
    stale = [one.task for one in mine if one not in kept]
    # What somebody was asked for by name comes first; other tasks in their hands stay there with their drafts.
    given = reviews.assigned.to(rater)
    first = next((reviews.tasks[id_] for id_ in given if _may(reviews, held, id_, rater, passed)), None)
    if first is not None:
        return next((one for one in kept if one.task == first.id), None), first, stale
    own = next((one for one in kept if not kind or reviews.tasks[one.task].kind == kind), None)
    # Who asks for another kind than what lies in their hands keeps that with its draft, and gets one of the kind.
    found = None if own else next_task(reviews, held, rater, passed, kind, needless)
    if own is None and kept and (found is None or found.kind != kind):
        own = kept[0]
    return (own, reviews.tasks[own.task], stale) if own else (None, found, stale)


def _may(reviews: Reviews, held: Mapping[str, Collection[str]], task: str, rater: str, passed: Collection[str]) -> bool:
    return task in reviews.waiting and wants(reviews, held, reviews.waiting[task], rater, passed)


def _progress(
    reviews: Reviews,
    held: Mapping[str, Collection[str]],
    rater: str,
    passed: Collection[str],
    took: list[float],
    closed: Collection[str],
    ended: Collection[str],
    practice: Collection[str],
) -> Progress:
    mine = reviews.of_rater.get(rater, {})
    # Tasks that others hold to the last place are not open to this person now, and may become so.
    full = (task for task in held if task in reviews.waiting and not wants(reviews, held, reviews.tasks[task], rater))
    answers = reviews.asked.concerns(rater)
    conflicting = {task.id for task in reviews.waiting.values() if task.sample in answers or task.id in closed}
    shut = {task for task in (*mine, *passed, *full, *conflicting, *ended, *practice) if task in reviews.waiting}
    asked = len(reviews.tasks)
    left = [task for task in reviews.waiting.values() if task.id not in shut]
    kinds = Counter(task.kind for task in left)
    return Progress(
        own=reviews.marks_by(rater),
        open=counted(left),
        conflicting=len(conflicting),
        skipped=sum(task in reviews.waiting for task in passed),
        settled=asked - len(reviews.waiting),
        tasks=asked,
        seconds=median(took) if took else None,
        kinds={kind: kinds[kind] for kind in KINDS if kinds[kind]},
        ended=bool(ended),
        asked=Counter(by for one in left if (by := reviews.assigned.people(one.id).get(rater))),
    )
