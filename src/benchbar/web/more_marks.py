"""An owner has people mark more of a run that was made here: a greater share of its answers, or more people for each."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from benchbar.records.errors import UserError
from benchbar.scoring.routing import Routing
from benchbar.web import audit
from benchbar.web.area import Area
from benchbar.web.folders import reviews_of
from benchbar.web.live import state_of
from benchbar.web.matters import visible_run
from benchbar.web.pages import words_of
from benchbar.web.run_control import given_spec, go_on_with, may_go_on, rewrite_spec
from benchbar.web.sessions import Owner
from benchbar.web.state import app_state

router = APIRouter(tags=["marks"], default_response_class=HTMLResponse)


def asked_now(run: Path) -> tuple[int, int] | None:
    """The share of the answers that people mark, in percent, and the people for each; None where that cannot be changed here."""
    if not may_go_on(run):
        return None
    review = given_spec(run).get("review", {})
    usual = Routing()
    return round(100 * review.get("audit", usual.audit)), review.get("annotators", usual.annotators)


@router.post("/queues/{run}/more", responses={303: {}, 400: {}, 404: {}, 409: {}})
def more(
    request: Request,
    owner: Owner,
    run: str,
    people: Annotated[int, Form(ge=1, le=100)],
    annotators: Annotated[int, Form(ge=1, le=3)] = 1,
) -> Response:
    """Draw the queue anew with this share and so many people for each; what was drawn and marked before stays, and nothing is asked again."""
    folder, say = visible_run(request, run), words_of(request)
    if not may_go_on(folder):
        raise UserError(say("live.no_spec"))
    if state_of(folder) != "finished":
        raise HTTPException(409, say("queues.more_unfinished"))
    given = given_spec(folder)
    given["review"] = given.get("review", {}) | _review(folder, given, people / 100, annotators)
    rewrite_spec(folder, given)
    go_on_with(request, run)
    web = app_state(request)
    with web.database.transaction() as now:
        audit.note(now, owner.name, "more_marks", run, share=f"{people}%", people=annotators)
    return RedirectResponse(f"/runs/{quote(run, safe='')}", 303)


def _review(run: Path, given: dict[str, Any], share: float, annotators: int) -> dict[str, Any]:
    found: dict[str, Any] = {"audit": share, "annotators": annotators}
    if annotators > 1:
        # As in a new run: one more person for some would wait for somebody whom nobody invited.
        found["double"] = 0.0
    if not reviews_of(run).tasks and "win_rate" in given.get("gate", {}).get("at_least", {}):
        # Marks have to be of what decides; what people began to grade they go on grading.
        found["protocol"] = "compare"
    return found


AREA = Area("more_marks", router)
