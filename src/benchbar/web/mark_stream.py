"""Marks of one run: followed as they come, from here or from other processes, and written one by one."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from benchbar.ledger.blinding import task_names
from benchbar.ledger.opening import ledger_of, open_store
from benchbar.ledger.reviews import Reviews, add_answer, add_assignment, add_mark, add_plan
from benchbar.ledger.store import LedgerStore
from benchbar.records import Assignment, Mark, ReviewPlan
from benchbar.records.people import PersonAnswer
from benchbar.scoring.people import renew_marks

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")
# Deriving costs more than marking: fifty reviewers mark several times a second, and one writing a second
# serves them all.
PAUSE = 1.0
"""Seconds between a mark and the writing of what all marks amount to."""


class MarkStream:
    """The reviews of one run; a thread of its own reads and writes them, so that any thread may ask."""

    def __init__(self, run: Path) -> None:
        """Nothing is opened before something is asked."""
        self._run = run
        self._store: LedgerStore | None = None
        self._reviews = Reviews()
        # One thread: a ledger's connection belongs to the thread that opened it, and marks are then written in
        # one order.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="stream")
        self._timer: threading.Timer | None = None
        self._due = False
        self._lock = threading.Lock()

    def ask(self, what: Callable[[Reviews], T]) -> T:
        """What a function makes of the reviews as they are now; it must hand nothing back that goes on changing."""
        return self._do(lambda store: what(self._reviews.follow(store)))

    def mark(self, mark: Mark, *, correct: bool = False) -> int:
        """Keep a mark; returns its number.

        Raises:
            UserError: as :func:`benchbar.ledger.reviews.add_mark`.
        """
        number = self._do(lambda store: add_mark(store, mark, correct=correct, known=self._reviews))
        self._write_soon()
        return number

    def answer(self, answer: PersonAnswer) -> None:
        """Keep what a person answered as an assistant.

        Raises:
            UserError: as :func:`benchbar.ledger.reviews.add_answer`.
        """
        self._do(lambda store: add_answer(store, answer, self._reviews))

    def assign(self, assignment: Assignment) -> None:
        """Keep that a task was given to a person by name, or taken back.

        Raises:
            UserError: as :func:`benchbar.ledger.reviews.add_assignment`.
        """
        self._do(lambda store: add_assignment(store, assignment, self._reviews))

    def plan(self, made: Callable[[Reviews, Callable[..., str]], ReviewPlan]) -> ReviewPlan:
        """Have people asked what a function makes of the reviews as they are now and of the names of tasks; returns the plan.

        Raises:
            LedgerError: the secret by which earlier tasks were named was left behind.
        """

        def kept(store: LedgerStore) -> ReviewPlan:
            plan = made(self._reviews.follow(store), task_names(store))
            if plan.tasks:
                add_plan(store, plan)
            return plan

        return self._do(kept)

    def _do(self, what: Callable[[LedgerStore], T]) -> T:
        future: Future[T] = self._thread.submit(lambda: what(self._opened()))
        return future.result()

    def _opened(self) -> LedgerStore:
        if self._store is None:
            # No session: marking is no run, and a run that goes on at the same time keeps its own.
            self._store = open_store(ledger_of(self._run), session=False)
        return self._store

    def _write_soon(self) -> None:
        with self._lock:
            # One timer for all marks of a second; a second one would write the same file twice.
            if not self._due:
                self._due = True
                self._timer = threading.Timer(PAUSE, self.write)
                # Daemon: a process that ends does not wait for it, `close` writes what is due.
                self._timer.daemon = True
                self._timer.start()

    def write(self) -> None:
        """Derive marks.json anew, which gate and reports read."""
        with self._lock:
            # Before reading: a mark that comes in meanwhile sets it again and is written by the next timer.
            self._due = False
        self._do(self._written)

    def _written(self, store: LedgerStore) -> None:
        renew_marks(self._run, store, self._reviews)

    def close(self) -> None:
        """Write what is due and close the ledger."""
        if self._timer is not None:
            # Cancelled and joined first, or it could write through a ledger that is closed below.
            self._timer.cancel()
            self._timer.join()
        if self._due:
            self.write()
        if self._store is not None:
            self._thread.submit(self._store.close).result()
        self._thread.shutdown()


class MarkStreams:
    """The streams of all runs, each made when it is first needed."""

    def __init__(self) -> None:
        """None yet."""
        self._streams: dict[Path, MarkStream] = {}
        self._lock = threading.Lock()

    def of(self, run: Path) -> MarkStream:
        """The stream of the run in a folder."""
        # One for each run in a process: two would each hold the ledger's reader, and derive marks from different
        # moments.
        with self._lock:
            if run not in self._streams:
                self._streams[run] = MarkStream(run)
            return self._streams[run]

    def forget(self, run: Path) -> None:
        """Close the stream of a run that is about to be deleted."""
        with self._lock:
            if stream := self._streams.pop(run, None):
                stream.close()

    def close(self) -> None:
        """Close them all."""
        with self._lock:
            for stream in self._streams.values():
                stream.close()
            self._streams.clear()
