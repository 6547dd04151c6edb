"""The page on which a run's decision is read, signed and taken along."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import quote

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from benchbar.artefacts.folder import read_material, read_measures
from benchbar.artefacts.layout import RunFolder
from benchbar.measures.beside_people import beside_people
from benchbar.records import Dialogue
from benchbar.records.errors import BenchbarError
from benchbar.reports.decision import DecisionBrief, brief, decision_docx
from benchbar.reports.html import GATE_CLASSES
from benchbar.scoring.people import human_marks
from benchbar.web import audit
from benchbar.web.area import Area
from benchbar.web.folders import REMEMBERED, results_of, reviews_of
from benchbar.web.gating import gate_now
from benchbar.web.masking import masked
from benchbar.web.matters import matter_of, visible_run
from benchbar.web.pages import DOCX, page, words_of
from benchbar.web.people import Role
from benchbar.web.sessions import Owner, Reader
from benchbar.web.signatures import SIGNED, fingerprint_of, signatures_of
from benchbar.web.state import AppState, app_state
from benchbar.web.words import Words

router = APIRouter(tags=["decision"], default_response_class=HTMLResponse)
LONGEST_STATEMENT = 1000
SHOWN_ENTRIES = 40
Verdict = Literal["release", "hold", "more"]


@router.get("/runs/{name}/decision", responses={404: {}})
def decision(request: Request, reader: Reader, name: str) -> Response:
    """One sentence, three reasons with the worst answers, what would change it, who marked, what is not known."""
    return _decision_page(request, reader.role, name)


@router.post("/runs/{name}/decision", responses={303: {}, 404: {}, 409: {}})
def sign(
    request: Request,
    owner: Owner,
    name: str,
    verdict: Annotated[Verdict, Form()],
    fingerprint: Annotated[str, Form(max_length=32)],
    statement: Annotated[str, Form(max_length=LONGEST_STATEMENT)] = "",
) -> Response:
    """Write down, for good, who decided what on which state of the ledger."""
    web, folder = app_state(request), visible_run(request, name)
    gate = gate_now(folder, reviews_of(folder))
    if fingerprint != fingerprint_of(folder):
        # Somebody marked while the page was read: the signature would be under what its owner has not seen.
        return _decision_page(request, owner.role, name, problem=words_of(request)("decision.changed"), status=409)
    if verdict == "release" and gate.decision != "pass" and not statement.strip():
        # Whoever lets through what the gate held back is asked for it one day; then the reason has to be there.
        why = words_of(request)("decision.reason_needed")
        return _decision_page(request, owner.role, name, problem=why, status=422)
    with web.database.transaction() as now:
        said = {"verdict": verdict, "statement": statement.strip(), "fingerprint": fingerprint}
        audit.note(now, owner.name, SIGNED, name, gate=gate.decision, policy=gate.policy, **said)
    return RedirectResponse(f"/runs/{quote(name, safe='')}/decision", 303)


@router.get("/runs/{name}/decision.docx", response_class=Response, responses={404: {}})
def as_docx(request: Request, reader: Reader, name: str) -> Response:
    """The page as a DOCX; that somebody took it is written down."""
    web, say, folder = app_state(request), words_of(request), visible_run(request, name)
    found, signatures = _brief(web, folder, say), signatures_of(web, folder, say)
    with web.database.transaction() as now:
        title = matter_of(now, name).title or name
        audit.note(now, reader.name, "export", name, format="decision.docx")
    data = decision_docx(title, _of(folder, say), found, signatures, say)
    return Response(data, media_type=DOCX, headers={"content-disposition": 'attachment; filename="decision.docx"'})


def _decision_page(request: Request, role: Role, name: str, problem: str = "", status: int = 200) -> Response:
    web, say, folder = app_state(request), words_of(request), visible_run(request, name)
    found = _brief(web, folder, say)
    with web.database.transaction() as now:
        matter, entries = matter_of(now, name), audit.about(now, name, SHOWN_ENTRIES)
    return page(
        request,
        "decision.html.j2",
        status=status,
        name=name,
        matter=matter,
        of=_of(folder, say),
        found=found,
        # Asked of the results alone: with people's marks of now a gate is decided anew, but none is added.
        own_gate=results_of(folder).gate is not None,
        signatures=signatures_of(web, folder, say),
        fingerprint=fingerprint_of(folder),
        # The log names people; those who may not see it elsewhere do not see it here.
        log=entries if role is Role.OWNER else [],
        problem=problem,
        gate_classes=GATE_CLASSES,
        longest=LONGEST_STATEMENT,
    )


def _of(folder: Path, say: Words) -> str:
    """Which run is decided on, and on which state of it: on paper nothing else tells."""
    at = say.date(RunFolder(folder).results.stat().st_mtime)
    return say("decision.of", name=folder.name, at=at, fingerprint=fingerprint_of(folder))


def _brief(web: AppState, folder: Path, say: Words) -> DecisionBrief:
    """The decision of this moment in the reader's words.

    Raises:
        HTTPException: the run has none.
    """
    reviews = reviews_of(folder)
    if not RunFolder(folder).results.is_file():
        raise HTTPException(404, say("decision.unfinished"))
    try:
        results, gate = results_of(folder), gate_now(folder, reviews)
    except BenchbarError as error:
        raise HTTPException(404, say("decision.none", why=str(error))) from error
    files = RunFolder(folder).states("measures")
    measures = REMEMBERED.get(("measures", folder), files, lambda: list(read_measures(folder)))

    def dialogue_of(sample: str, assistant: str) -> Dialogue | None:
        found = read_material(folder, frozenset({sample})).dialogues.get(sample, {}).get(assistant)
        return masked(found, web.masker) if found and web.masker else found

    def made() -> DecisionBrief:
        marks = {name: count.drawn for name, count in reviews.marks_of().items() if count.drawn}
        said = human_marks(reviews)
        beside = beside_people(said, measures, reviews)
        return brief(results, gate, measures, dialogue_of, marks, say, say.local, said, beside)

    key = ("brief", folder, say.language, len(reviews.marks), web.masker is None)
    return REMEMBERED.get(key, RunFolder(folder).states(), made)


AREA = Area("decision", router)
