"""Deleting a matter: what goes is listed before, what remains is told before and after."""

from __future__ import annotations

import secrets
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from benchbar.ledger.database import without_password
from benchbar.ledger.opening import ledger_of
from benchbar.records.errors import BenchbarError
from benchbar.web import audit, leases, matters, notes, practice_store
from benchbar.web.area import Area
from benchbar.web.folders import control_of, reviews_of
from benchbar.web.live import state_of
from benchbar.web.matters import visible_run
from benchbar.web.pages import page, words_of
from benchbar.web.run_queues import questions_id, queue_id, streams_of, wanted_in
from benchbar.web.sample_index import index_file
from benchbar.web.sessions import Owner
from benchbar.web.state import AppState, app_state
from benchbar.web.word_index import words_file

router = APIRouter(tags=["runs"], default_response_class=HTMLResponse)


@dataclass(frozen=True, slots=True)
class Content:
    """What is known of a run, for whoever is about to delete it."""

    files: int
    size: int
    """Bytes of its files."""
    marks: int
    people: int
    """Who marked in it."""
    entries: int
    """Lines of the log about it, which stay."""
    database: str
    """The address of its ledger where that is no file, which stays; empty where it is a file."""


@router.get("/runs/{name}/delete", responses={404: {}})
def delete_page(request: Request, owner: Owner, name: str) -> Response:
    """What goes and what remains."""
    return _page(request, name)


@router.post("/runs/{name}/delete", responses={303: {}, 400: {}, 404: {}, 409: {}})
def delete(request: Request, owner: Owner, name: str, confirmed: Annotated[str, Form(max_length=255)] = "") -> Response:
    """Delete a run with its ledger, derived files, marks, drafts and members; the log keeps that it was there."""
    web, folder, say = app_state(request), visible_run(request, name), words_of(request)
    if confirmed != name:
        return _page(request, name, problem=say("delete.type_name"), status=400)
    if state_of(folder) == "running":
        return _page(request, name, problem=say("delete.running"), status=409)
    found = _content(web, folder)
    streams_of(request.app).forget(folder)
    wanted_in(request.app).forget(folder)
    with web.database.transaction() as now:
        # Written before anything goes: after a crash in between, the log says what was meant, and the page deletes the rest.
        audit.note(now, owner.name, "run_deleted", name, files=found.files, marks=found.marks)
        leases.forget(now, queue_id(web, name))
        leases.forget(now, questions_id(web, name))
        practice_store.forget(now, queue_id(web, name))
        matters.forget(now, name)
        notes.forget(now, name)
    index = index_file(folder, web.config.own)
    for one in (index, words_file(index), control_of(folder), folder):
        _remove(one, web.config.own)
    web.database.wipe()
    return RedirectResponse("/runs", 303)


def _remove(path: Path, own: Path) -> None:
    """Take a file, link or folder away; what a link leads to is not ours to delete."""
    if path.is_symlink() or path.is_file():
        path.unlink(missing_ok=True)
    elif path.is_dir():
        # Moved aside first, within one file system: a page that is asked for meanwhile finds all of a run or nothing.
        aside = own / "deleted" / secrets.token_hex(8)
        aside.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.rename(aside)
        shutil.rmtree(aside)


def _content(web: AppState, folder: Path) -> Content:
    files = [one for one in folder.rglob("*") if one.is_file() and not one.is_symlink()]
    try:
        where, reviews = ledger_of(folder), reviews_of(folder)
        marks, people = len(reviews.marks), len({one.mark.rater for one in reviews.marks})
    # A run that cannot be read can still be deleted.
    except BenchbarError:
        where, marks, people = folder, 0, 0
    with web.database.transaction() as now:
        entries = len(audit.about(now, folder.name, limit=100_000))
    return Content(
        files=len(files),
        size=sum(one.stat().st_size for one in files),
        marks=marks,
        people=people,
        entries=entries,
        database=without_password(where) if isinstance(where, str) else "",
    )


def _page(request: Request, name: str, problem: str = "", status: int = 200) -> Response:
    web, folder = app_state(request), visible_run(request, name)
    with web.database.transaction() as now:
        matter = matters.matter_of(now, name)
    found = _content(web, folder)
    return page(request, "delete.html.j2", status=status, name=name, matter=matter, found=found, problem=problem)


AREA = Area("deleting", router)
