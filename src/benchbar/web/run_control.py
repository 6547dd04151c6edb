"""What an owner does to a run that is made here: stop it, go on with it, ask one sample anew, take its spec along."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

import tomli_w
from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from benchbar.clients.pinning import as_variable
from benchbar.records.errors import UserError
from benchbar.records.files import read_bounded, write_atomically
from benchbar.runs import background
from benchbar.runs.allowed import addresses, used
from benchbar.runs.intake import SPEC
from benchbar.runs.spec_reading import as_spec
from benchbar.web import audit
from benchbar.web.area import Area
from benchbar.web.folders import control_of
from benchbar.web.matters import visible_run
from benchbar.web.pages import words_of
from benchbar.web.sessions import Owner, Reader
from benchbar.web.state import AppState, app_state

router = APIRouter(tags=["runs"], default_response_class=HTMLResponse)
Money = Annotated[str, Form(pattern=r"^(\d{1,9}([.,]\d{1,6})?)?$")]
"""A sum as people write it, or nothing."""
MOST_AT_ONCE = 4
"""Runs that are under way at once: each is a process, and answers are limited by the endpoints and not by their number."""


def start(web: AppState, name: str, hosts: Mapping[str, tuple[str, ...]], again: Sequence[str] = ()) -> None:
    """Start a run, or go on with it, held to these hosts and addresses.

    Raises:
        UserError: as :func:`benchbar.runs.background.start`, or too many are under way.
    """
    folder = web.config.runs / name
    root = control_of(folder).parent
    going = sum(background.under_way(one) for one in root.iterdir()) if root.is_dir() else 0
    if going >= MOST_AT_ONCE:
        raise UserError(f"{going} runs are under way; wait for one to end, or stop one")
    background.start(folder, control_of(folder), again=again, environment=as_variable(hosts))


def money(text: str) -> float:
    """The sum, whichever mark stands before its decimals."""
    return float(text.replace(",", "."))


def may_go_on(folder: Path) -> bool:
    """Whether a run was made so that it can be gone on with from here."""
    return (folder / SPEC).is_file()


@router.post("/runs/{name}/stop", responses={303: {}, 404: {}})
def stop(request: Request, owner: Owner, name: str) -> Response:
    """Ask a run to end: what is in flight is finished and kept."""
    control = control_of(visible_run(request, name))
    if not background.under_way(control):
        raise HTTPException(409, words_of(request)("live.not_ours"))
    background.stop(control)
    _note(app_state(request), owner.name, "run_stopped", name)
    return _to(name)


def given_spec(run: Path) -> dict[str, Any]:
    """The fields of the spec that a run was made from here, as they are written."""
    return tomllib.loads(read_bounded(run / SPEC).decode())


def rewrite_spec(run: Path, given: Mapping[str, Any]) -> None:
    """Put these fields in the place of the spec's, under the comments at its head."""
    lines = read_bounded(run / SPEC).decode().splitlines(keepends=True)
    head = "".join(line for line in lines if line.startswith("#"))
    write_atomically(run / SPEC, f"{head}{tomli_w.dumps(given)}".encode())


@router.post("/runs/{name}/go-on", responses={303: {}, 400: {}, 404: {}})
def go_on(request: Request, owner: Owner, name: str, max_cost: Money = "") -> Response:
    """Go on where a run was stopped, under another budget where one is named; nothing is paid twice."""
    folder = visible_run(request, name)
    budget = {"max_cost": money(max_cost)} if max_cost else {}
    if budget and may_go_on(folder) and not background.under_way(control_of(folder)):
        given = given_spec(folder)
        rewrite_spec(folder, given | {"limits": given.get("limits", {}) | budget})
    _started(request, name, ())
    _note(app_state(request), owner.name, "run_gone_on", name, **budget)
    return _to(name)


@router.post("/runs/{name}/again/{sample:path}", responses={303: {}, 400: {}, 404: {}})
def again(request: Request, owner: Owner, name: str, sample: str) -> Response:
    """Ask and judge one sample once more."""
    _started(request, name, (sample,))
    _note(app_state(request), owner.name, "sample_again", name, sample=sample[:200])
    return _to(name)


@router.get("/runs/{name}/spec.toml", response_class=Response, responses={404: {}})
def spec_file(request: Request, reader: Reader, name: str) -> Response:
    """The spec that the run was made from, as the command line takes it."""
    folder = visible_run(request, name)
    if not may_go_on(folder):
        raise HTTPException(404, words_of(request)("live.no_spec"))
    return toml_response(read_bounded(folder / SPEC))


def toml_response(data: bytes) -> Response:
    """A spec to take along."""
    return Response(
        data, media_type="application/toml", headers={"content-disposition": 'attachment; filename="spec.toml"'}
    )


def go_on_with(request: Request, name: str) -> None:
    """Start a run that was made here once more: what is new in its spec is done, and nothing is paid twice."""
    _started(request, name, ())


def _started(request: Request, name: str, samples: Sequence[str]) -> None:
    web = app_state(request)
    folder = visible_run(request, name)
    if not may_go_on(folder):
        raise UserError(words_of(request)("live.no_spec"))
    spec, _ = as_spec(folder / SPEC)
    start(web, name, addresses(used(spec, web.config.allowed)), samples)


def _note(web: AppState, person: str, action: str, name: str, **detail: Any) -> None:
    with web.database.transaction() as now:
        audit.note(now, person, action, name, **detail)


def _to(name: str) -> Response:
    return RedirectResponse(f"/runs/{quote(name, safe='')}", 303)


AREA = Area("run_control", router)
