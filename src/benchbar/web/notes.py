"""What an owner writes beside a run: a note and tags, by which the list of runs is filtered."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from benchbar.records.errors import UserError
from benchbar.web import audit
from benchbar.web.area import Area
from benchbar.web.database import Transaction, one
from benchbar.web.matters import visible_run
from benchbar.web.sessions import Owner
from benchbar.web.state import app_state
from benchbar.web.visible import refuse_hidden

router = APIRouter(tags=["runs"], default_response_class=HTMLResponse)
SCHEMA = (
    "CREATE TABLE run_note (run TEXT PRIMARY KEY, note TEXT NOT NULL)",
    "CREATE TABLE run_tag (run TEXT NOT NULL, place INTEGER NOT NULL, tag TEXT NOT NULL, PRIMARY KEY (run, place))",
)
LONGEST_NOTE = 4000
LONGEST_TAG, MOST_TAGS = 40, 20
# As people of all four languages divide a list.
_BETWEEN = re.compile(r"[,;\n，；、]")


@dataclass(frozen=True, slots=True)
class Notes:
    """What stands beside a run."""

    note: str = ""
    tags: tuple[str, ...] = ()

    def fits(self, run: str, *, tag: str, text: str) -> bool:
        """Whether a run with these notes has the tag, and the text in its name, note or tags; either may be empty."""
        # Letters that look the same are compared as one, whatever keyboard they came from.
        said = unicodedata.normalize("NFKC", "\n".join((run, self.note, *self.tags))).casefold()
        return (not tag or tag in self.tags) and unicodedata.normalize("NFKC", text.strip()).casefold() in said


@router.post("/runs/{name}/notes", responses={303: {}, 400: {}, 404: {}})
def write(
    request: Request,
    owner: Owner,
    name: str,
    note: Annotated[str, Form(max_length=LONGEST_NOTE)] = "",
    tags: Annotated[str, Form(max_length=2 * MOST_TAGS * LONGEST_TAG)] = "",
) -> Response:
    """Write a note and tags in the place of those that were there."""
    visible_run(request, name)
    with app_state(request).database.transaction() as now:
        _keep(now, name, Notes(note.strip(), tags_of(tags)))
        audit.note(now, owner.name, "run_noted", name)
    return RedirectResponse(f"/runs/{quote(name, safe='')}#notes", 303)


def tags_of(text: str) -> tuple[str, ...]:
    """The tags of a list with commas or lines between them, each once however it is capitalised.

    Raises:
        UserError: there are too many, or one is too long or cannot be printed.
    """
    found: dict[str, str] = {}
    for part in _BETWEEN.split(unicodedata.normalize("NFC", text.replace("\r", "\n"))):
        tag = " ".join(part.split())
        refuse_hidden(tag)
        if len(tag) > LONGEST_TAG:
            raise UserError(f"the tag {tag[:LONGEST_TAG]!r}: a tag has at most {LONGEST_TAG} printable characters")
        if tag:
            found.setdefault(tag.casefold(), tag)
    if len(found) > MOST_TAGS:
        raise UserError(f"{len(found)} tags; a run has at most {MOST_TAGS}")
    return tuple(found.values())


def _keep(now: Transaction, run: str, notes: Notes) -> None:
    forget(now, run)
    if notes.note:
        now.run("INSERT INTO run_note (run, note) VALUES (?, ?)", run, notes.note)
    for place, tag in enumerate(notes.tags):
        now.run("INSERT INTO run_tag (run, place, tag) VALUES (?, ?, ?)", run, place, tag)


def forget(now: Transaction, run: str) -> None:
    """Take away what was written beside a run."""
    now.run("DELETE FROM run_note WHERE run = ?", run)
    now.run("DELETE FROM run_tag WHERE run = ?", run)


def notes_of(now: Transaction, run: str) -> Notes:
    """What stands beside one run."""
    note = one(now.rows("SELECT note FROM run_note WHERE run = ?", run))
    tags = now.rows("SELECT tag FROM run_tag WHERE run = ? ORDER BY place", run)
    return Notes(note[0] if note else "", tuple(row[0] for row in tags))


def all_notes(now: Transaction) -> Mapping[str, Notes]:
    """The runs beside which something stands."""
    notes: dict[str, str] = {row[0]: row[1] for row in now.rows("SELECT run, note FROM run_note")}
    tags: dict[str, tuple[str, ...]] = {}
    for run, tag in now.rows("SELECT run, tag FROM run_tag ORDER BY run, place"):
        tags[run] = (*tags.get(run, ()), tag)
    return {run: Notes(notes.get(run, ""), tags.get(run, ())) for run in {*notes, *tags}}


AREA = Area("notes", router, schema=SCHEMA)
