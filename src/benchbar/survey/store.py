"""Surveys in the app's database: questionnaires, links, what respondents have said so far."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from benchbar.records import Record, decode, encode
from benchbar.records.errors import UserError
from benchbar.survey.records import Questionnaire, Response
from benchbar.web.database import Transaction, one

SCHEMA = (
    "CREATE TABLE survey (id {serial}, questionnaire TEXT NOT NULL, created {float} NOT NULL, closed {float})",
    """CREATE TABLE survey_link (
  id {serial}, survey INTEGER NOT NULL, label TEXT NOT NULL, digest TEXT NOT NULL UNIQUE, seen {float},
  active {float} NOT NULL, draft TEXT NOT NULL, submitted {float})""",
)
TOKEN_BYTES = 24
# Without a bound a night away would count, and hide that the rest was clicked through.
IDLE = 600.0
"""Seconds between two requests beyond which a respondent is taken to have done something else."""
# They are shown on one page, once, to be copied.
MOST_LINKS = 2000
"""Links made at once."""


class Draft(Record, frozen=True):
    """What a respondent has said so far."""

    consent: bool = False
    step: int = 0
    """The page to go on with: 0 consent, 1 scenario and background, 2 use cases."""
    scenario: str = ""
    selected: tuple[str, ...] = ()
    none: bool = False
    open: str = ""
    background: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class Survey:
    """A questionnaire that people are asked to fill in."""

    id: int
    questionnaire: Questionnaire
    created: float
    closed: float | None


@dataclass(frozen=True, slots=True)
class Link:
    """One respondent's way in."""

    id: int
    survey: int
    label: str
    """What the owner calls it; it goes into no response."""
    seen: float | None
    active: float
    """Seconds spent on the pages."""
    draft: Draft
    submitted: float | None


def add_survey(now: Transaction, questionnaire: Questionnaire) -> int:
    """Keep a questionnaire; its number."""
    text = encode(questionnaire).decode()
    found = now.rows("INSERT INTO survey (questionnaire, created) VALUES (?, ?) RETURNING id", text, time.time())
    return int(found[0][0])


def surveys(now: Transaction) -> list[tuple[Survey, int, int]]:
    """Every survey with how many links it has and how many of them were submitted, the newest first."""
    counts = {
        int(row[0]): (int(row[1]), int(row[2]))
        for row in now.rows("SELECT survey, COUNT(*), COUNT(submitted) FROM survey_link GROUP BY survey")
    }
    rows = now.rows("SELECT id, questionnaire, created, closed FROM survey ORDER BY id DESC")
    return [(_survey(row), *counts.get(int(row[0]), (0, 0))) for row in rows]


def survey_of(now: Transaction, number: int) -> Survey | None:
    """The survey of this number."""
    row = one(now.rows("SELECT id, questionnaire, created, closed FROM survey WHERE id = ?", number))
    return _survey(row) if row else None


def _survey(row: Sequence[object]) -> Survey:
    id_, text, created, closed = row
    return Survey(int(str(id_)), decode(str(text), Questionnaire), float(str(created)), _moment(closed))


def _moment(value: object) -> float | None:
    return None if value is None else float(str(value))


def close(now: Transaction, number: int) -> None:
    """Take no more answers; what was submitted stays."""
    now.run("UPDATE survey SET closed = ? WHERE id = ?", time.time(), number)


def add_links(now: Transaction, survey: int, labels: Sequence[str]) -> list[tuple[str, str]]:
    """A link for each label, with its token, which is shown once: what is kept of it is a digest.

    Raises:
        UserError: there are too many.
    """
    if not 0 < len(labels) <= MOST_LINKS:
        raise UserError(f"{len(labels)} links; expected 1 to {MOST_LINKS}")
    made = [(label, secrets.token_urlsafe(TOKEN_BYTES)) for label in labels]
    for label, token in made:
        now.run(
            "INSERT INTO survey_link (survey, label, digest, active, draft) VALUES (?, ?, ?, ?, ?)",
            *(survey, label, _digest(token), 0.0, encode(Draft()).decode()),
        )
    return made


def _digest(token: str) -> str:
    """Of 192 random bits: a plain hash is enough, and can be looked up."""
    return hashlib.sha256(token.encode()).hexdigest()


_LINK = "SELECT id, survey, label, seen, active, draft, submitted FROM survey_link"


def links(now: Transaction, survey: int) -> list[Link]:
    """All links of a survey, in the order in which they were made."""
    return [_link(row) for row in now.rows(f"{_LINK} WHERE survey = ? ORDER BY id", survey)]


def link_of(now: Transaction, token: str) -> Link | None:
    """The link that a token belongs to."""
    row = one(now.rows(f"{_LINK} WHERE digest = ?", _digest(token)))
    return _link(row) if row else None


def _link(row: Sequence[object]) -> Link:
    id_, survey, label, seen, active, draft, submitted = row
    return Link(
        int(str(id_)),
        int(str(survey)),
        str(label),
        _moment(seen),
        float(str(active)),
        decode(str(draft), Draft),
        _moment(submitted),
    )


def saved(now: Transaction, link: Link, draft: Draft, *, posted: bool, submit: bool = False) -> bool:
    """Keep what was said and the time that it took; False where the link was submitted before.

    The time between two requests counts up to ``IDLE`` where a form was sent; where a page is opened anew after
    longer than that, the respondent was away and nothing counts.
    """
    moment = time.time()
    gap = max(0.0, moment - link.seen) if link.seen is not None else 0.0
    # A form that is sent was being read, however long ago it was opened; a page opened again was not.
    spent = min(gap, IDLE) if posted or gap <= IDLE else 0.0
    active = link.active + (spent if link.draft.consent else 0.0)
    changed = now.run(
        # Decided by the database: two requests at once cannot both submit, and none changes what was submitted.
        "UPDATE survey_link SET seen = ?, active = ?, draft = ?, submitted = ? WHERE id = ? AND submitted IS NULL",
        *(moment, active, encode(draft).decode(), moment if submit else None, link.id),
    )
    return changed == 1


def responses(now: Transaction, survey: int) -> list[Response]:
    """What was submitted, without labels: a response carries the number of its link alone."""
    return [_response(link) for link in links(now, survey) if link.submitted is not None]


def _response(link: Link) -> Response:
    draft = link.draft
    return Response(
        id=f"link-{link.id}",
        scenario=draft.scenario,
        selected=draft.selected,
        none=draft.none,
        open=draft.open,
        minutes=round(link.active / 60, 2),
        respondent=f"link-{link.id}",
        consent=draft.consent,
        background=draft.background,
    )


def as_lines(found: Sequence[Response]) -> bytes:
    """The responses as JSONL, which `benchbar survey analyse` reads."""
    return b"".join(msgspec.json.encode(one) + b"\n" for one in found)
