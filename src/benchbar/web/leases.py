"""Who holds which task, until when, with what draft; who skipped one and why; what was done and how long it took."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from benchbar.web.database import Row, Transaction, one

SCHEMA = (
    """CREATE TABLE lease (
  queue TEXT NOT NULL, task TEXT NOT NULL, rater TEXT NOT NULL, nonce TEXT NOT NULL UNIQUE, began {float} NOT NULL,
  until {float} NOT NULL, draft TEXT NOT NULL, PRIMARY KEY (queue, task, rater))""",
    """CREATE TABLE skipped (
  queue TEXT NOT NULL, task TEXT NOT NULL, rater TEXT NOT NULL, reason TEXT NOT NULL, at {float} NOT NULL,
  PRIMARY KEY (queue, task, rater))""",
    """CREATE TABLE done (
  nonce TEXT PRIMARY KEY, queue TEXT NOT NULL, task TEXT NOT NULL, rater TEXT NOT NULL, seconds {float} NOT NULL,
  at {float} NOT NULL)""",
    # For the median time on every reviewer's page, which would otherwise read the whole table.
    "CREATE INDEX done_rater ON done (queue, rater)",
)
WEEK = 7 * 24 * 3600.0
"""Seconds."""
FIELDS = "task, rater, nonce, began, until, draft"


@dataclass(frozen=True, slots=True)
class Lease:
    """A task in the hands of one person."""

    task: str
    rater: str
    nonce: str
    """What the page calls it by: it says nothing about run, sample or task."""
    began: float
    until: float
    draft: str
    """JSON, as it was saved last."""


def lock(now: Transaction, dialect: str, queue: str) -> None:
    """One at a time gives out tasks of a queue; SQLite has a single writer anyway."""
    if dialect == "postgresql":
        # Named by the queue: reviewers of different runs do not wait for each other.
        number = int.from_bytes(hashlib.blake2b(queue.encode(), digest_size=8).digest(), signed=True)
        now.rows("SELECT pg_advisory_xact_lock(?)", number)


def held(now: Transaction, queue: str, at: float) -> dict[str, set[str]]:
    """Task to those who hold it now."""
    found: dict[str, set[str]] = {}
    for task, rater in now.rows("SELECT task, rater FROM lease WHERE queue = ? AND until > ?", queue, at):
        found.setdefault(task, set()).add(rater)
    return found


def own(now: Transaction, queue: str, rater: str) -> list[Lease]:
    """All leases of one person, those that ran out as well, the latest first."""
    # The latest first: after a lost connection the person goes on with the task that they wrote in last.
    query = f"SELECT {FIELDS} FROM lease WHERE queue = ? AND rater = ? ORDER BY until DESC"  # noqa: S608 - a constant
    return [Lease(*row) for row in now.rows(query, queue, rater)]


def by_nonce(now: Transaction, queue: str, rater: str, nonce: str) -> Lease | None:
    """The lease that a page speaks of."""
    query = f"SELECT {FIELDS} FROM lease WHERE queue = ? AND rater = ? AND nonce = ?"  # noqa: S608 - a constant
    row = one(now.rows(query, queue, rater, nonce))
    return Lease(*row) if row else None


def fix(now: Transaction, lease: Lease) -> bool:
    """Lock the lease for everybody else until the end of the transaction; False where it is gone."""
    # An update that changes nothing takes the row's lock, in both databases and without a statement of its
    # own for each.
    return now.run("UPDATE lease SET nonce = nonce WHERE nonce = ?", lease.nonce) > 0


def grant(now: Transaction, queue: str, task: str, rater: str, at: float, until: float) -> Lease:
    """Give a task out, under a new name."""
    # A new name each time: an old page of the same task then cannot write into a later lease.
    nonce = secrets.token_urlsafe(16)
    now.run(
        "INSERT INTO lease (queue, task, rater, nonce, began, until, draft) VALUES (?, ?, ?, ?, ?, ?, ?)",
        *(queue, task, rater, nonce, at, until, ""),
    )
    return Lease(task, rater, nonce, at, until, "")


def prolong(now: Transaction, lease: Lease, until: float, draft: str | None = None) -> None:
    """Hold it longer, and keep a draft where one is given."""
    text = lease.draft if draft is None else draft
    now.run("UPDATE lease SET until = ?, draft = ? WHERE nonce = ?", until, text, lease.nonce)


def give_back(now: Transaction, queue: str, tasks: Iterable[str], rater: str) -> None:
    """End somebody's leases of these tasks."""
    for task in tasks:
        now.run("DELETE FROM lease WHERE queue = ? AND task = ? AND rater = ?", queue, task, rater)


def finish(now: Transaction, queue: str, lease: Lease, seconds: float, at: float) -> None:
    """The task was marked: its lease ends, and how long it took is kept."""
    now.run(
        "INSERT INTO done (nonce, queue, task, rater, seconds, at) VALUES (?, ?, ?, ?, ?, ?)",
        *(lease.nonce, queue, lease.task, lease.rater, seconds, at),
    )
    # In the same transaction: the lease ends when the mark is known, or not at all.
    give_back(now, queue, [lease.task], lease.rater)


def finished(now: Transaction, queue: str, rater: str, nonce: str) -> str | None:
    """The task that was marked under this name, if it was."""
    row = one(now.rows("SELECT task FROM done WHERE queue = ? AND rater = ? AND nonce = ?", queue, rater, nonce))
    return None if row is None else str(row[0])


def times(now: Transaction, queue: str, rater: str) -> list[float]:
    """How many seconds somebody took for each of their marks."""
    found = now.rows("SELECT seconds FROM done WHERE queue = ? AND rater = ?", queue, rater)
    return [float(seconds) for (seconds,) in found]


@dataclass(frozen=True, slots=True)
class Pace:
    """How somebody gets on."""

    seconds: float
    """Median time of one mark."""
    timed: int
    """Marks that the median is of."""
    last: float
    """When the last one was given, in seconds since 1970."""
    week: int
    """Marks of the last seven days."""


def paces(now: Transaction, queue: str, at: float) -> dict[str, Pace]:
    """Person to how they get on in a queue, of those who marked here; marks brought from elsewhere have no times."""
    times: dict[str, list[tuple[float, float]]] = {}
    for rater, seconds, when in now.rows("SELECT rater, seconds, at FROM done WHERE queue = ?", queue):
        times.setdefault(rater, []).append((float(seconds), float(when)))
    return {
        rater: Pace(
            median(seconds for seconds, _ in found),
            len(found),
            max(when for _, when in found),
            sum(when > at - WEEK for _, when in found),
        )
        for rater, found in times.items()
    }


def forget(now: Transaction, queue: str) -> None:
    """Take away what is known of a queue: who held, passed over and did what, drafts included."""
    for table in ("lease", "skipped", "done"):
        now.run(f"DELETE FROM {table} WHERE queue = ?", queue)  # noqa: S608 - names of ours


def skip(now: Transaction, queue: str, lease: Lease, reason: str, at: float) -> None:
    """Pass a task over, for a reason."""
    now.run(
        "INSERT INTO skipped (queue, task, rater, reason, at) VALUES (?, ?, ?, ?, ?)",
        *(queue, lease.task, lease.rater, reason, at),
    )
    give_back(now, queue, [lease.task], lease.rater)


def skipped(now: Transaction, queue: str) -> list[Row]:
    """Task, rater and reason of everything that was passed over, the oldest first."""
    return now.rows("SELECT task, rater, reason FROM skipped WHERE queue = ? ORDER BY at", queue)


def passed_over(now: Transaction, queue: str, rater: str) -> set[str]:
    """The tasks that one person passed over."""
    return {str(task) for (task,) in now.rows("SELECT task FROM skipped WHERE queue = ? AND rater = ?", queue, rater)}


def skips(now: Transaction, queue: str) -> set[tuple[str, str]]:
    """Task and person of everything that was passed over."""
    return {(task, rater) for task, rater in now.rows("SELECT task, rater FROM skipped WHERE queue = ?", queue)}


def unskip(now: Transaction, queue: str, rater: str) -> int:
    """Let somebody see again what they passed over; how many tasks."""
    return now.run("DELETE FROM skipped WHERE queue = ? AND rater = ?", queue, rater)
