"""The questions of one run to people who answer as an assistant: given out so that no two collide, with drafts and times."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass

import msgspec
from msgspec.structs import replace

from benchbar.ledger.reviews import Reviews
from benchbar.records import Record
from benchbar.records.errors import UserError
from benchbar.records.people import PersonAnswer, PersonQuestion
from benchbar.web import leases
from benchbar.web.audit import note
from benchbar.web.database import Database, Transaction
from benchbar.web.leases import Lease
from benchbar.web.mark_stream import MarkStream
from benchbar.web.queue import LONGEST_REASON, TakenError

HOLD = 24 * 3600.0
"""Seconds for which a question stays with somebody after they last wrote: a memorandum is left overnight and gone on with."""
LONGEST_ANSWER = 100_000
"""Characters: a hundred pages are no answer to a client, and everybody's drafts are kept."""
MOST_VISITS = 500
LONGEST_VISIT = 32


class AnswerDraft(Record, frozen=True):
    """What is written so far, and how long it took."""

    text: str = ""
    visits: dict[str, float] = {}
    """Each opening of the page to the seconds of work that it counted; the browser names them."""

    @property
    def seconds(self) -> float:
        """Of all visits."""
        return sum(self.visits.values())

    def after(self, text: str, visit: str, seconds: float) -> AnswerDraft:
        """The draft after one more report of a visit."""
        if len(text) > LONGEST_ANSWER:
            raise UserError(f"an answer of {len(text)} characters; at most {LONGEST_ANSWER} are kept")
        visits = dict(self.visits)
        if len(visit) <= LONGEST_VISIT and (visit in visits or len(visits) < MOST_VISITS):
            # A report that was overtaken by a later one takes nothing back.
            visits[visit] = max(seconds, visits.get(visit, 0.0))
        return replace(self, text=text, visits=visits)


def read_draft(kept: str) -> AnswerDraft:
    """The draft of a lease; an empty one where there is none yet."""
    return msgspec.json.decode(kept, type=AnswerDraft) if kept else AnswerDraft()


@dataclass(frozen=True, slots=True)
class QuestionProgress:
    """How far one person is."""

    answered: int
    open: int
    passed: int
    """Left to colleagues."""
    conflicting: int
    """Questions whose answers this person has marked: they saw the guidance and are not asked."""


class QuestionQueue:
    """What people are asked in one run."""

    def __init__(
        self,
        id_: str,
        stream: MarkStream,
        database: Database,
        closed: Collection[str] = frozenset(),
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """``closed`` are samples whose guidance the person who asks has seen in another run."""
        self.id, self._stream, self._database, self._closed, self._clock = id_, stream, database, closed, clock

    def take(self, person: str) -> tuple[Lease, PersonQuestion] | None:
        """The question in this person's hands, else the next one; None where nothing is left for them."""
        with self._database.transaction() as now:
            leases.lock(now, self._database.dialect, self.id)
            at = self._clock()
            held, mine = leases.held(now, self.id, at), leases.own(now, self.id, person)
            passed = leases.passed_over(now, self.id, person)
            open_ = self._stream.ask(lambda reviews: self._mine(reviews, person, passed))
            lease = next((one for one in mine if one.task in open_), None)
            # What lies in the same hands and is not open any more was answered, or is asked no longer.
            leases.give_back(now, self.id, [one.task for one in mine if one.task not in open_], person)
            if lease is None:
                free = [id_ for id_ in open_ if not held.get(id_, set()) - {person}]
                if not free:
                    return None
                lease = leases.grant(now, self.id, free[0], person, at, at + HOLD)
            else:
                leases.prolong(now, lease, at + HOLD)
            return lease, open_[lease.task]

    def _mine(self, reviews: Reviews, person: str, passed: Collection[str]) -> dict[str, PersonQuestion]:
        seen = reviews.marked_by(person) | set(self._closed)
        return {
            id_: one
            for id_, one in reviews.asked.open.items()
            if person in one.people and one.sample not in seen and id_ not in passed
        }

    def save(self, person: str, nonce: str, text: str, visit: str, seconds: float) -> None:
        """Keep a draft and its time.

        Raises:
            TakenError: the question went to somebody else meanwhile.
            UserError: the draft is too long.
        """
        with self._database.transaction() as now:
            self._kept(now, self._held(now, person, nonce), text, visit, seconds)

    def _kept(self, now: Transaction, lease: Lease, text: str, visit: str, seconds: float) -> AnswerDraft:
        draft = read_draft(lease.draft).after(text, visit, seconds)
        leases.prolong(now, lease, self._clock() + HOLD, msgspec.json.encode(draft).decode())
        return draft

    def answer(self, person: str, nonce: str, text: str, visit: str, seconds: float, *, declined: str = "") -> None:
        """Write the answer, or why there is none, into the run's ledger; the same sent twice is written once.

        Raises:
            TakenError: the question went to somebody else meanwhile.
            UserError: nothing is written, or too much.
        """
        with self._database.transaction() as now:
            # Asked before the lease: a form sent twice comes with a nonce whose lease has ended.
            if leases.finished(now, self.id, person, nonce) is not None:
                return
            lease = self._held(now, person, nonce)
            draft = self._kept(now, lease, text, visit, seconds)
            at = self._clock()
            # The browser's count is only claimed: nobody worked longer than the question lay with them.
            took = min(draft.seconds, at - lease.began)
            self._stream.answer(
                PersonAnswer(lease.task, person, "" if declined else text.strip(), took, declined[:LONGEST_REASON])
            )
            note(now, person, "question_declined" if declined else "question_answered", lease.task)
            leases.finish(now, self.id, lease, took, at)

    def leave(self, person: str, nonce: str, reason: str) -> None:
        """Leave a question to the colleagues who are asked it, too."""
        with self._database.transaction() as now:
            lease = leases.by_nonce(now, self.id, person, nonce)
            if lease is not None:
                leases.skip(now, self.id, lease, reason[:LONGEST_REASON], self._clock())
                note(now, person, "question_left", lease.task)

    def progress(self, person: str) -> QuestionProgress:
        """How far this person is."""
        with self._database.transaction() as now:
            passed = leases.passed_over(now, self.id, person)

        def counted(reviews: Reviews) -> QuestionProgress:
            named = [one for one in reviews.asked.open.values() if person in one.people]
            open_ = self._mine(reviews, person, passed)
            return QuestionProgress(
                answered=sum(one.person == person for one in reviews.asked.answers.values()),
                open=len(open_),
                passed=sum(one.id in passed for one in named),
                conflicting=sum(one.id not in open_ and one.id not in passed for one in named),
            )

        return self._stream.ask(counted)

    def _held(self, now: Transaction, person: str, nonce: str) -> Lease:
        """The lease under this name; one that ran out is taken up again if nobody else has the question."""
        lease = leases.by_nonce(now, self.id, person, nonce)
        if lease is not None and lease.until <= self._clock():
            # Before the lease's own row, as in `take`: two orders of locks would wait for each other.
            leases.lock(now, self._database.dialect, self.id)
            if leases.held(now, self.id, self._clock()).get(lease.task, set()) - {person}:
                lease = None
        if lease is None or not leases.fix(now, lease):
            raise TakenError("this question is no longer yours: it was answered, or given to somebody else")
        return lease
