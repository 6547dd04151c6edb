"""The owner's pages: who may do what, and what was done."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path as FilePath
from typing import Annotated

import msgspec
from fastapi import APIRouter, FastAPI, Form, HTTPException, Path, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from benchbar.assistants.person import KIND as PERSON
from benchbar.assistants.person import people_of
from benchbar.records.errors import BenchbarError, UserError
from benchbar.runs.manifest import read_manifest
from benchbar.web import audit, matters
from benchbar.web.area import Area, Entry
from benchbar.web.folders import names_in
from benchbar.web.pages import page
from benchbar.web.people import LONGEST_NAME, Person, Role, everybody, insert_person, new_token, renew_token, revoke
from benchbar.web.sessions import Owner
from benchbar.web.state import app_state
from benchbar.web.words import Words

router = APIRouter(tags=["people"], default_response_class=HTMLResponse)
OWNER_ALONE = frozenset({Role.OWNER})
# Beyond it JSON numbers of browsers lose digits, and SQLite's integers are not far.
LARGEST = 2**53
Number = Annotated[int, Path(ge=1, le=LARGEST)]
# As many runs as one page can list with their boxes.
LONGEST_LIST = 5000
SHOWN = 200
"""Entries of the audit log on one page."""


@router.get("/people")
def people(request: Request, owner: Owner) -> Response:
    """Everybody, and a form that lets one more in."""
    return _people(request)


@router.post("/people", status_code=200)
def add(
    request: Request,
    owner: Owner,
    name: Annotated[str, Form(max_length=LONGEST_NAME)],
    role: Annotated[Role, Form()],
) -> Response:
    """Let somebody in; the page shows their link, this once."""
    web, token, name = app_state(request), new_token(), name.strip()
    # Read before the transaction, which others wait for.
    asked = _runs_asking(web.config.runs, name) if role is Role.REVIEWER else []
    try:
        with web.database.transaction() as now:
            added = insert_person(now, name, role, token)
            audit.note(now, owner.name, "person_added", name, role=role.value, **({"runs": asked} if asked else {}))
            for run in asked:
                matters.add_member(now, added, run)
    except UserError as error:
        return _people(request, status=400, problem=str(error))
    # An owner sees every run; everybody else those whose spec names them to answer, until they are let into others.
    return _people(request, made=(name, token))


def _runs_asking(runs: FilePath, name: str) -> list[str]:
    """The runs in which somebody of this name answers as an assistant: whoever wrote the spec wants them there."""
    found = []
    for run in names_in(runs):
        with suppress(BenchbarError):
            made = read_manifest(runs / run)
            kinds = made.spec.assistants.values() if made else ()
            if any(one.get("kind") == PERSON and name in people_of(one) for one in kinds):
                found.append(run)
    return found


@router.post("/people/{number}/link")
def new_link(request: Request, owner: Owner, number: Number) -> Response:
    """A new link for somebody; the old one ends."""
    person, web = known_person(request, number), app_state(request)
    token = renew_token(web.database, number)
    with web.database.transaction() as now:
        audit.note(now, owner.name, "link_renewed", person.name)
    return _people(request, made=(person.name, token))


@router.post("/people/{number}/revoke", responses={303: {}})
def leave_out(request: Request, owner: Owner, number: Number) -> Response:
    """Let somebody in no more."""
    person, web = known_person(request, number), app_state(request)
    # Nobody could let them in again.
    if person.id == owner.id:
        raise HTTPException(400, "the owner cannot leave themselves out")
    revoke(web.database, number)
    with web.database.transaction() as now:
        audit.note(now, owner.name, "person_revoked", person.name)
    return RedirectResponse("/people", 303)


@router.get("/people/{number}/runs")
def runs_of_person(request: Request, owner: Owner, number: Number) -> Response:
    """The runs that somebody belongs to, to be changed."""
    person, web = known_person(request, number), app_state(request)
    with web.database.transaction() as now:
        own = matters.runs_of(now, number)
    # A run whose folder was moved away is still shown: letting somebody out must not need the folder.
    names = list(dict.fromkeys([*names_in(web.config.runs), *own]))
    return page(request, "person_runs.html.j2", one=person, names=names, own=set(own))


@router.post("/people/{number}/runs", responses={303: {}})
def let_into_runs(
    request: Request,
    owner: Owner,
    number: Number,
    run: Annotated[list[str] | None, Form(max_length=LONGEST_LIST)] = None,
    every: Annotated[bool, Form()] = False,  # noqa: FBT002 - a box in a form
) -> Response:
    """Let somebody into these runs and no others."""
    person, web = known_person(request, number), app_state(request)
    with web.database.transaction() as now:
        known = {*names_in(web.config.runs), *matters.runs_of(now, number)}
        chosen = [name for name in run or () if name in known]
        matters.set_runs(now, number, chosen, every=every)
        audit.note(now, owner.name, "runs_set", person.name, runs=chosen, every=every)
    return RedirectResponse("/people", 303)


@router.get("/log")
def log(request: Request, owner: Owner, before: Annotated[int | None, Query(ge=1, le=LARGEST)] = None) -> Response:
    """Who did what, the newest first."""
    with app_state(request).database.transaction() as now:
        found = audit.entries(now, SHOWN, before)
    return page(
        request, "log.html.j2", found=found, details=_details, older=found[-1].number if len(found) == SHOWN else None
    )


def _details(entry: audit.Entry, say: Words) -> list[tuple[str, str]]:
    """What an entry says beside person, action and subject: key and value as people read it."""
    held = msgspec.json.decode(entry.detail, type=dict[str, object])
    if isinstance(said := held.get("said"), dict):
        # Why a provider's word was not enough: the owner reads the same sentence as whoever was not let in.
        return [("cause", say(f"oidc.{held['cause']}", **said))]
    return [(key, _value(key, value, say)) for key, value in held.items() if value not in ("", [], False, None)]


NAMED = {"role": "role_of", "gate": "gate", "policy": "policy", "verdict": "brief", "form": "ask"}
"""Details whose values are words of the app, and the section of their texts."""


def _value(key: str, value: object, say: Words) -> str:
    if isinstance(value, list):
        return say.listed(map(str, value))
    if value is True:
        return "✓"
    text = f"verdict_{value}" if key == "verdict" else str(value)
    found = say.name(NAMED[key], text) if key in NAMED else text
    return say.day(str(value)) if found == text else found


@router.get("/openapi.json", include_in_schema=False)
def openapi(request: Request, owner: Owner) -> Response:
    """Every address of the app as an OpenAPI document."""
    app: FastAPI = request.app
    return JSONResponse(app.openapi())


def _people(
    request: Request, *, status: int = 200, problem: str = "", made: tuple[str, str] | None = None
) -> HTMLResponse:
    web = app_state(request)
    everyone = everybody(web.database)
    with web.database.transaction() as now:
        runs = {one.id: len(matters.runs_of(now, one.id)) for one in everyone}
    return page(
        request,
        "people.html.j2",
        runs=runs,
        status=status,
        people=everyone,
        roles=[role.value for role in Role],
        problem=problem,
        made=made,
        base=str(request.base_url),
    )


def known_person(request: Request, number: Number) -> Person:
    """The person of a number.

    Raises:
        HTTPException: there is none.
    """
    person = next((one for one in everybody(app_state(request).database) if one.id == number), None)
    if person is None:
        raise HTTPException(404, f"there is no person {number}")
    return person


AREA = Area(
    "people_pages",
    router,
    (Entry("/people", "nav.people", OWNER_ALONE, "people"), Entry("/log", "nav.log", OWNER_ALONE, "people")),
    matters.SCHEMA,
)
