"""Who did what and when: rows are added and never changed."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import msgspec

from benchbar.web.database import Transaction

SCHEMA = (
    """CREATE TABLE audit (
  id {serial}, at {float} NOT NULL, person TEXT NOT NULL, action TEXT NOT NULL, subject TEXT NOT NULL,
  detail TEXT NOT NULL)""",
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that somebody did."""

    number: int
    at: float
    """Seconds since 1970."""
    person: str
    action: str
    """sign_in, sign_in_refused, person_added, link_renewed, person_revoked, mark, export and so on."""
    subject: str
    detail: str
    """JSON."""


def note(now: Transaction, person: str, action: str, subject: str = "", **detail: Any) -> None:
    """Write it down, in the same transaction as what was done."""
    text = msgspec.json.encode(detail).decode()
    now.run(
        # Appended alone: no statement of the app updates or deletes a row of this table.
        "INSERT INTO audit (at, person, action, subject, detail) VALUES (?, ?, ?, ?, ?)",
        *(time.time(), person, action, subject, text),
    )


def entries(now: Transaction, limit: int = 200, before: int | None = None) -> list[Entry]:
    """The latest entries, the newest first; those numbered below ``before`` where it is given."""
    found = now.rows(
        "SELECT id, at, person, action, subject, detail FROM audit WHERE id < ? ORDER BY id DESC LIMIT ?",
        # An id above every other stands for "from the newest": one statement serves both cases.
        *(2**62 if before is None else before, limit),
    )
    return [Entry(*row) for row in found]


def about(now: Transaction, subject: str, limit: int, action: str = "") -> list[Entry]:
    """The latest entries about one thing, the newest first; of one action alone where it is named."""
    only, values = ("AND action = ?", (action,)) if action else ("", ())
    found = now.rows(
        f"SELECT id, at, person, action, subject, detail FROM audit WHERE subject = ? {only} ORDER BY id DESC LIMIT ?",  # noqa: S608 - constants
        *(subject, *values, limit),
    )
    return [Entry(*row) for row in found]
