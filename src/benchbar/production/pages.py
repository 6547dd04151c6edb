"""Proposals as the owner sees them in a browser: the masked trace, why it counts as a failure, the sample it would become."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi import Path as InAddress
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from benchbar.production.proposals import Proposal, accept, causes, proposals, reject, sample_of, without_question
from benchbar.production.store import ProductionStore
from benchbar.records.errors import UserError
from benchbar.suites.guidance_text import read_guidance
from benchbar.web import audit
from benchbar.web.area import Area, Entry
from benchbar.web.pages import page, words_of
from benchbar.web.people import Role
from benchbar.web.sessions import Owner
from benchbar.web.state import app_state
from benchbar.web.suite_folders import place_for, suites_of

router = APIRouter(tags=["production"], default_response_class=HTMLResponse)
LISTED = 200
"""Proposals and decisions on one page; the rest comes up as these are decided."""
LONGEST = 20_000
SUITE = "failures"
"""What a suite is called unless the owner says otherwise."""
Trace = Annotated[str, InAddress(max_length=64)]
Text = Annotated[str, Form(max_length=LONGEST)]


def _store(request: Request) -> tuple[ProductionStore, float]:
    """The folder of traces, and the pass mark by which it is sampled."""
    folder = app_state(request).config.production
    if folder is None:
        raise HTTPException(404, "there is no such page, or it is not for you")
    store = ProductionStore(folder)
    sampling = store.sampling()
    return store, 0.5 if sampling is None else sampling.pass_mark


@router.get("/production")
def proposed(request: Request, owner: Owner) -> Response:
    """Failures of the live assistant that wait for a decision, and what was decided."""
    if app_state(request).config.production is None:
        return page(request, "production.html.j2", given=False, found=[], more=0, bare=0, decided=[])
    store, mark = _store(request)
    traces, verdicts = store.traces(), store.verdicts()
    found = proposals(traces, verdicts, mark)
    return page(
        request,
        "production.html.j2",
        given=True,
        found=[(one.trace, causes(one.trace, mark)) for one in found[:LISTED]],
        more=max(0, len(found) - LISTED),
        bare=without_question(traces, mark),
        decided=verdicts[: -LISTED - 1 : -1],
        mark=mark,
    )


@router.get("/production/{trace}", responses={404: {}})
def one_proposal(request: Request, owner: Owner, trace: Trace) -> Response:
    """A proposal, and the form that decides about it."""
    return _page(request, _proposal(request, trace))


def _proposal(request: Request, trace: str) -> Proposal:
    store, mark = _store(request)
    found = next((one for one in proposals(store.traces(), store.verdicts(), mark) if one.trace.id == trace), None)
    if found is None:
        raise HTTPException(404, words_of(request)("production.none_such"))
    return found


def _page(request: Request, found: Proposal, *, status: int = 200, problem: str = "", **typed: str) -> Response:
    trace, (_, mark) = found.trace, _store(request)
    guidance, question = typed.get("guidance", ""), typed.get("question", "")
    values: dict[str, Any] = {"suite": SUITE, "reason": "", "guidance": guidance} | typed
    return page(
        request,
        "proposal.html.j2",
        status=status,
        problem=problem,
        trace=trace,
        causes=causes(trace, mark),
        mark=mark,
        sample=sample_of(trace, guidance=guidance, question=question),
        unknown=read_guidance(guidance).unknown_labels,
        suites=list(suites_of(request)),
        served=app_state(request).config.suites is not None,
        longest=LONGEST,
        typed=values | {"question": question or trace.question},
    )


@router.post("/production/{trace}/sample", responses={404: {}})
def look(
    request: Request, owner: Owner, trace: Trace, guidance: Text = "", question: Text = "", suite: Text = SUITE
) -> Response:
    """The sample as it would stand in the suite with what was typed; nothing is written."""
    return _page(request, _proposal(request, trace), guidance=guidance, question=question, suite=suite)


@router.post("/production/{trace}/accept", responses={303: {}, 400: {}, 404: {}})
def take(
    request: Request, owner: Owner, trace: Trace, guidance: Text = "", question: Text = "", suite: Text = SUITE
) -> Response:
    """Put the proposal into a suite, as `benchbar production accept` does."""
    found, say, (store, mark) = _proposal(request, trace), words_of(request), _store(request)
    typed = {"guidance": guidance, "question": question, "suite": suite}
    folder = place_for(request, suite)
    if isinstance(folder, str):
        return _page(request, found, status=400, problem=say(folder), **typed)
    # What stands behind such a label would be left out of the sample: the page shows what it was taken for.
    if read_guidance(guidance).unknown_labels:
        return _page(request, found, status=400, problem=say("production.mend_labels"), **typed)
    try:
        sample = accept(store, trace, folder, by=owner.name, guidance=guidance, question=question, pass_mark=mark)
    except UserError as error:
        return _page(request, found, status=400, problem=str(error), **typed)
    with app_state(request).database.transaction() as now:
        audit.note(now, owner.name, "proposal_accepted", sample.id, suite=folder.name)
    return RedirectResponse("/production", 303)


@router.post("/production/{trace}/reject", responses={303: {}, 400: {}, 404: {}})
def turn_down(request: Request, owner: Owner, trace: Trace, reason: Text = "") -> Response:
    """Have it proposed no more, as `benchbar production reject` does."""
    found, (store, mark) = _proposal(request, trace), _store(request)
    if not reason.strip():
        return _page(request, found, status=400, problem=words_of(request)("production.reason_needed"))
    try:
        reject(store, trace, by=owner.name, reason=reason.strip(), pass_mark=mark)
    except UserError as error:
        return _page(request, found, status=400, problem=str(error), reason=reason)
    with app_state(request).database.transaction() as now:
        audit.note(now, owner.name, "proposal_rejected", trace)
    return RedirectResponse("/production", 303)


AREA = Area("production", router, (Entry("/production", "nav.production", frozenset({Role.OWNER}), "people"),))
