"""Practice tasks of a queue as the database keeps them: keys, what people said of them, and who has to practise well."""

from __future__ import annotations

import time
from dataclasses import dataclass

from benchbar.web.database import Transaction, one

SCHEMA = (
    """CREATE TABLE practice_key (
  queue TEXT NOT NULL, task TEXT NOT NULL, place INTEGER NOT NULL, form TEXT NOT NULL, sentence TEXT NOT NULL,
  PRIMARY KEY (queue, task))""",
    # The first answer is what somebody knew by themselves; the latest is what they are shown beside the key.
    """CREATE TABLE practice_answer (
  queue TEXT NOT NULL, task TEXT NOT NULL, rater TEXT NOT NULL, first_form TEXT NOT NULL, last_form TEXT NOT NULL,
  at {float} NOT NULL, PRIMARY KEY (queue, task, rater))""",
    "CREATE TABLE practice_rule (queue TEXT PRIMARY KEY, least INTEGER NOT NULL)",
    "CREATE TABLE practice_pass (queue TEXT NOT NULL, rater TEXT NOT NULL, PRIMARY KEY (queue, rater))",
)
TABLES = ("practice_key", "practice_answer", "practice_rule", "practice_pass")
MOST = 10
"""Practice tasks of a queue: an hour before the first mark that counts is long enough."""
LONGEST_SENTENCE = 500


@dataclass(frozen=True, slots=True)
class Key:
    """What the right marks of a task are."""

    task: str
    place: int
    """Its number in the address; it stays when others are taken out."""
    form: str
    """The form of a mark as it is kept, in the order in which the dialogues are shown."""
    sentence: str
    """Why, in the owner's words."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What somebody said of a practice task."""

    first: str
    """The form that they sent first, which alone counts."""
    latest: str


def keys(now: Transaction, queue: str) -> list[Key]:
    """The practice tasks of a queue in their order."""
    found = now.rows("SELECT task, place, form, sentence FROM practice_key WHERE queue = ? ORDER BY place", queue)
    return [Key(*row) for row in found]


def set_key(now: Transaction, queue: str, task: str, form: str, sentence: str) -> bool:
    """Make a task a practice task, or put another key in the place of its key; False where there are ten others."""
    others = [one for one in keys(now, queue) if one.task != task]
    if len(others) >= MOST:
        return False
    now.run(
        "INSERT INTO practice_key (queue, task, place, form, sentence) VALUES (?, ?, ?, ?, ?) ON CONFLICT (queue, task)"
        " DO UPDATE SET form = excluded.form, sentence = excluded.sentence",
        *(queue, task, 1 + max((one.place for one in others), default=0), form, sentence),
    )
    return True


def take_out(now: Transaction, queue: str, task: str) -> bool:
    """Make it no practice task any more; whoever practised on it has seen its key, which is remembered."""
    return now.run("DELETE FROM practice_key WHERE queue = ? AND task = ?", queue, task) > 0


def answers(now: Transaction, queue: str) -> dict[str, dict[str, Answer]]:
    """Person to task to what they said of it."""
    found: dict[str, dict[str, Answer]] = {}
    query = "SELECT rater, task, first_form, last_form FROM practice_answer WHERE queue = ? ORDER BY rater"
    for rater, task, first, latest in now.rows(query, queue):
        found.setdefault(rater, {})[task] = Answer(first, latest)
    return found


def answer(now: Transaction, queue: str, task: str, rater: str, form: str) -> None:
    """Keep what somebody said; the first answer stays beside each later one."""
    now.run(
        "INSERT INTO practice_answer (queue, task, rater, first_form, last_form, at) VALUES (?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (queue, task, rater) DO UPDATE SET last_form = excluded.last_form, at = excluded.at",
        *(queue, task, rater, form, form, time.time()),
    )


def withheld(now: Transaction, queue: str, rater: str) -> set[str]:
    """The tasks that this person is not given as real ones: those of practice now, and those whose key they have seen."""
    rows = [
        *now.rows("SELECT task FROM practice_key WHERE queue = ?", queue),
        *now.rows("SELECT task FROM practice_answer WHERE queue = ? AND rater = ?", queue, rater),
    ]
    return {str(task) for (task,) in rows}


def seen(now: Transaction, queue: str, rater: str) -> set[str]:
    """The tasks of which this person has seen guidance and key."""
    found = now.rows("SELECT task FROM practice_answer WHERE queue = ? AND rater = ?", queue, rater)
    return {str(task) for (task,) in found}


def least(now: Transaction, queue: str) -> int | None:
    """The share of fields as the key, in percent, below which nobody marks; None where none is required."""
    row = one(now.rows("SELECT least FROM practice_rule WHERE queue = ?", queue))
    return None if row is None else int(row[0])


def require(now: Transaction, queue: str, percent: int | None) -> None:
    """Require a share, or none."""
    now.run("DELETE FROM practice_rule WHERE queue = ?", queue)
    if percent is not None:
        now.run("INSERT INTO practice_rule (queue, least) VALUES (?, ?)", queue, percent)


def let_through(now: Transaction, queue: str, rater: str) -> None:
    """Let somebody mark whatever their practice was like."""
    now.run(
        "INSERT INTO practice_pass (queue, rater) VALUES (?, ?) ON CONFLICT (queue, rater) DO NOTHING", queue, rater
    )


def passed(now: Transaction, queue: str) -> set[str]:
    """Who was let through."""
    return {str(rater) for (rater,) in now.rows("SELECT rater FROM practice_pass WHERE queue = ?", queue)}


def forget(now: Transaction, queue: str) -> None:
    """Take away everything about the practice of a queue."""
    for table in TABLES:
        now.run(f"DELETE FROM {table} WHERE queue = ?", queue)  # noqa: S608 - constants
