"""The page on which a run's decision is read, signed and taken along."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import quote

import msgspec
from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from benchbar.artefacts.folder import read_material, read_measures
from benchbar.artefacts.layout import RunFolder
from benchbar.ledger.fingerprinting import ledger_fingerprint
from benchbar.records import Dialogue
from benchbar.records.errors import BenchbarError
from benchbar.reports.decision import DecisionBrief, Signature, brief, decision_docx
from benchbar.reports.html import GATE_CLASSES
from benchbar.web import audit
from benchbar.web.area import Area
from benchbar.web.folders import REMEMBERED, from_ledger, results_of, reviews_of
from benchbar.web.gating import gate_now
from benchbar.web.masking import masked
from benchbar.web.matters import matter_of, visible_run
from benchbar.web.pages import DOCX, page, words_of
from benchbar.web.people import Role
from benchbar.web.sessions import Owner, Reader
from benchbar.web.state import AppState, app_state
from benchbar.web.words import Words

router = APIRouter(tags=["decision"], default_response_class=HTMLResponse)
LONGEST_STATEMENT = 1000
SHOWN_ENTRIES = 40
SIGNED = "decision_signed"
"""The action under which signatures stand in the audit log, which is their only home: nothing in it is ever changed."""
Verdict = Literal["release", "hold", "more"]


class _Given(msgspec.Struct):
    """What the log holds of a signature."""

    verdict: str
    statement: str
    fingerprint: str


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
    if fingerprint != _fingerprint(folder):
        # Somebody marked while the page was read: the signature would be under what its owner has not seen.
        return _decision_page(request, owner.role, name, problem=words_of(request)("decision.changed"), status=409)
    with web.database.transaction() as now:
        said = {"verdict": verdict, "statement": statement.strip(), "fingerprint": fingerprint}
        audit.note(now, owner.name, SIGNED, name, gate=gate.decision, policy=gate.policy, **said)
    return RedirectResponse(f"/runs/{quote(name, safe='')}/decision", 303)


@router.get("/runs/{name}/decision.docx", response_class=Response, responses={404: {}})
def as_docx(request: Request, reader: Reader, name: str) -> Response:
    """The page as a DOCX; that somebody took it is written down."""
    web, say, folder = app_state(request), words_of(request), visible_run(request, name)
    found, signatures = _brief(web, folder, say), _signatures(web, folder, say)
    with web.database.transaction() as now:
        title = matter_of(now, name).title or name
        audit.note(now, reader.name, "export", name, format="decision.docx")
    data = decision_docx(title, found, signatures, say)
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
        found=found,
        # Asked of the results alone: with people's marks of now a gate is decided anew, but none is added.
        own_gate=results_of(folder).gate is not None,
        signatures=_signatures(web, folder, say),
        fingerprint=_fingerprint(folder),
        # The log names people; those who may not see it elsewhere do not see it here.
        log=entries if role is Role.OWNER else [],
        problem=problem,
        gate_classes=GATE_CLASSES,
        longest=LONGEST_STATEMENT,
    )


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
        return brief(results, gate, measures, dialogue_of, reviews.counted(), say, say.local)

    key = ("brief", folder, say.language, len(reviews.marks), web.masker is None)
    return REMEMBERED.get(key, RunFolder(folder).states(), made)


def _fingerprint(folder: Path) -> str:
    # Not a second old: a signature is under the marks as they are.
    return from_ledger(folder, "fingerprint", ledger_fingerprint)


def _signatures(web: AppState, folder: Path, say: Words) -> list[Signature]:
    with web.database.transaction() as now:
        entries = audit.about(now, folder.name, SHOWN_ENTRIES, action=SIGNED)
    present = _fingerprint(folder) if entries else ""
    return [_signature(one, present, say) for one in entries]


def _signature(entry: audit.Entry, present: str, say: Words) -> Signature:
    given = msgspec.json.decode(entry.detail, type=_Given)
    return Signature(
        name=entry.person,
        at=say.date(entry.at),
        verdict=given.verdict,
        statement=given.statement,
        fingerprint=given.fingerprint,
        current=given.fingerprint == present,
    )


AREA = Area("decision", router)
