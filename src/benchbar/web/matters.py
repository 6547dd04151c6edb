"""Matters: which runs a person belongs to. Denied by default, so that work for one client is not seen by another's people."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from fastapi import HTTPException, Request

from benchbar.records.errors import UserError
from benchbar.web.database import Database, Transaction, one
from benchbar.web.folders import folder_of, names_in
from benchbar.web.people import Person, Role
from benchbar.web.sessions import NotSignedInError, person_asking
from benchbar.web.state import app_state
from benchbar.web.visible import refuse_hidden

SCHEMA = (
    "CREATE TABLE member (person INTEGER NOT NULL, run TEXT NOT NULL, since {float} NOT NULL, PRIMARY KEY (person, run))",
    "CREATE TABLE matter (run TEXT PRIMARY KEY, title TEXT NOT NULL, due TEXT NOT NULL)",
    # Empty in matters of before: they are kept until somebody says otherwise.
    "ALTER TABLE matter ADD COLUMN keep_until TEXT",
    "ALTER TABLE matter ADD COLUMN ends INTEGER",
    "ALTER TABLE matter ADD COLUMN guidelines TEXT",
)
LONGEST_TITLE = 120
LONGEST_GUIDELINES = 8000


@dataclass(frozen=True, slots=True)
class Matter:
    """What the people of a run are told of it; never the run's name, which may tell whose answers they mark."""

    title: str = ""
    due: str = ""
    """The day by which the marks are wanted, as YYYY-MM-DD; empty where none was set."""
    keep_until: str = ""
    """The day after which the run is to be deleted; its owner is reminded, and nothing is deleted by itself."""
    ends: bool = False
    """Whether no more tasks are given out once people's marks have decided the gate."""
    guidelines: str = ""
    """How reviewers are to mark, in the owner's words; empty for what the page says by itself."""

    @property
    def overdue(self) -> bool:
        """Whether that day is past."""
        return bool(self.keep_until) and self.keep_until < _today()


def may_see(database: Database, person: Person) -> Callable[[str], bool]:
    """Whether a person belongs to the run of a name."""
    if person.role is Role.OWNER or person.every_run:
        return lambda _: True
    with database.transaction() as now:
        own = {row[0] for row in now.rows("SELECT run FROM member WHERE person = ?", person.id)}
    return own.__contains__


def visible_names(request: Request) -> list[str]:
    """Names of the runs that the person who asks belongs to, the latest first."""
    web = app_state(request)
    allowed = may_see(web.database, _asking(request))
    return [name for name in names_in(web.config.runs) if allowed(name)]


def visible_run(request: Request, name: str) -> Path:
    """The folder of a run that the person who asks belongs to.

    Raises:
        HTTPException: there is no such run, or it is another's; the answer is the same, so that names cannot be tried.
    """
    web = app_state(request)
    run = folder_of(web.config.runs, name)
    if not may_see(web.database, _asking(request))(name):
        raise HTTPException(404, "there is no such run here")
    return run


def _asking(request: Request) -> Person:
    person = person_asking(request)
    if person is None:
        raise NotSignedInError
    return person


def members(now: Transaction, run: str) -> set[int]:
    """Ids of the people who were let into a run by name."""
    return {int(row[0]) for row in now.rows("SELECT person FROM member WHERE run = ?", run)}


def add_member(now: Transaction, person: int, run: str) -> None:
    """Let a person into a run."""
    now.run(
        "INSERT INTO member (person, run, since) VALUES (?, ?, ?) ON CONFLICT (person, run) DO NOTHING",
        *(person, run, time.time()),
    )


def set_runs(now: Transaction, person: int, runs: Iterable[str], *, every: bool) -> None:
    """Let a person into these runs and no others, or into every run, those to come as well."""
    now.run("UPDATE person SET every_run = ? WHERE id = ?", int(every), person)
    now.run("DELETE FROM member WHERE person = ?", person)
    for run in runs:
        add_member(now, person, run)


def runs_of(now: Transaction, person: int) -> list[str]:
    """The runs that a person was let into by name."""
    return [row[0] for row in now.rows("SELECT run FROM member WHERE person = ? ORDER BY run", person)]


def matter_of(now: Transaction, run: str) -> Matter:
    """What the owner called a run's matter, and by when it is due."""
    row = one(now.rows("SELECT title, due, keep_until, ends, guidelines FROM matter WHERE run = ?", run))
    return Matter(row[0], row[1], row[2] or "", bool(row[3]), row[4] or "") if row else Matter()


def overdue(now: Transaction) -> list[str]:
    """The runs that should have been deleted by now, in the order of their days."""
    found = now.rows("SELECT run, title, due, keep_until FROM matter WHERE keep_until <> ? ORDER BY keep_until", "")
    return [row[0] for row in found if Matter(row[1], row[2], row[3] or "").overdue]


def forget(now: Transaction, run: str) -> None:
    """Take away what a run was called and who belonged to it."""
    now.run("DELETE FROM matter WHERE run = ?", run)
    now.run("DELETE FROM member WHERE run = ?", run)


def describe(now: Transaction, run: str, matter: Matter) -> None:
    """Call a run's matter something.

    Raises:
        UserError: the title is too long or cannot be printed, a day is none, or the run was to be kept until a day that is past.
    """
    refuse_hidden(matter.title)
    if len(matter.title) > LONGEST_TITLE:
        raise UserError(f"a matter's title has at most {LONGEST_TITLE} printable characters")
    for day in filter(None, (matter.due, matter.keep_until)):
        _check_day(day)
    # A day that passed since it was set stays: a new title must not need a new day.
    if matter.overdue and matter.keep_until != matter_of(now, run).keep_until:
        raise UserError(
            f"the day {matter.keep_until} until which the run is kept is past; enter today ({_today()}) or a later day,"
            " or delete the matter now"
        )
    now.run(
        "INSERT INTO matter (run, title, due, keep_until, ends, guidelines) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (run)"
        " DO UPDATE SET title = excluded.title, due = excluded.due, keep_until = excluded.keep_until, ends = excluded.ends,"
        " guidelines = excluded.guidelines",
        *(run, matter.title, matter.due, matter.keep_until, int(matter.ends), matter.guidelines),
    )


def _today() -> str:
    return time.strftime("%Y-%m-%d")


def _check_day(text: str) -> None:
    from datetime import date

    try:
        date.fromisoformat(text)
    except ValueError as error:
        raise UserError(f"the day {text[:20]!r}: expected YYYY-MM-DD") from error
