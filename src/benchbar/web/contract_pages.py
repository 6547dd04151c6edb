"""Contract review in the browser: a file comes in, its clauses come back with findings in place, and a DOCX to take away."""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import shutil
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import quote

import msgspec
from fastapi import APIRouter, HTTPException, Request, UploadFile
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from benchbar.contracts.bundled import NO_LAW_USED, OWN_RULES_HELP
from benchbar.contracts.form import form_words, level_names
from benchbar.contracts.html_report import clause_rows
from benchbar.contracts.report import ContractReport, law_of
from benchbar.contracts.source import SUFFIXES
from benchbar.languages.packs import FALLBACK, pack
from benchbar.records.errors import BenchbarError
from benchbar.records.files import write_atomically
from benchbar.suites.load import bundled
from benchbar.web import audit
from benchbar.web.area import Area, Entry
from benchbar.web.config import ContractReader
from benchbar.web.pages import DOCX, page, words_of
from benchbar.web.people import Person, Role
from benchbar.web.sessions import Reader
from benchbar.web.state import AppState, app_state
from benchbar.web.words import Words

router = APIRouter(tags=["contracts"], default_response_class=HTMLResponse)
# Contracts are kilobytes as DOCX; scanned ones in PDF grow to some megabytes.
MOST = 16 * 1024 * 1024
"""Bytes of a contract."""
KEPT = 3600.0
"""Seconds for which the reviewed DOCX can be fetched."""
AT_ONCE = threading.BoundedSemaphore(2)
# The ending is the sender's word; the first bytes decide whether a parser is started at all.
BEGINNINGS = {".docx": b"PK\x03\x04", ".pdf": b"%PDF-"}
"""What a file of this kind begins with."""
LONGEST_NAME = 100
EXAMPLE = "lease-1.md"
"""A contract of each bundled suite."""


@router.get("/contracts")
def contracts(request: Request, reader: Reader) -> Response:
    """The place where a file is dropped."""
    _reviewer(request)
    return _contract_page(request)


@router.post("/contracts", max_body_size=MOST + 100_000, responses={400: {}, 413: {}})
async def review_contract(request: Request, reader: Reader, file: UploadFile) -> Response:
    """The contract with its findings in place; nothing of it is kept but the DOCX, and that for an hour."""
    say = words_of(request)
    _reviewer(request)
    name = shown_name(file.filename or "")
    # One byte more than allowed: enough to know that it is too large, without reading the rest.
    data = await file.read(MOST + 1)
    if len(data) > MOST:
        raise HTTPException(413, say("contract.too_large", most=MOST // 1024 // 1024))
    ending = Path(name).suffix.lower()
    if ending not in SUFFIXES or not data.startswith(BEGINNINGS.get(ending, b"")):
        told = say("contract.wrong_kind", name=name, kinds=", ".join(SUFFIXES))
        return _contract_page(request, problem=told, status=400)
    return await _review_page(request, reader, name, data)


@router.post("/contracts/example", responses={400: {}})
async def review_example(request: Request, reader: Reader) -> Response:
    """The same with a lease of the model jurisdiction, in the reader's language where there is one."""
    _reviewer(request)
    languages = (pack(words_of(request).language).root, FALLBACK)
    suites = bundled()
    found = next(suites[name] for one in languages if (name := f"model-jurisdiction-{one}") in suites)
    return await _review_page(request, reader, EXAMPLE, (found / "contracts" / EXAMPLE).read_bytes())


@router.get("/contracts/{nonce}/docx", response_class=Response)
def download(request: Request, reader: Reader, nonce: str) -> Response:
    """The contract as DOCX with comments at the words that they are about."""
    folder = _folder(app_state(request), reader.id, nonce)
    if not (folder / "reviewed.docx").is_file():
        raise HTTPException(404, words_of(request)("contract.expired"))
    # The client's own name comes back here alone, in the form that RFC 6266 has for names beyond ASCII.
    name = Path((folder / "name").read_text("utf-8")).stem + ".reviewed.docx"
    with app_state(request).database.transaction() as now:
        audit.note(now, reader.name, "export", nonce[:8], form="docx")
    disposition = f"attachment; filename=\"reviewed.docx\"; filename*=UTF-8''{quote(name, safe='')}"
    return Response(
        (folder / "reviewed.docx").read_bytes(), media_type=DOCX, headers={"content-disposition": disposition}
    )


@router.post("/contracts/{nonce}/delete", responses={303: {}})
def delete(request: Request, reader: Reader, nonce: str) -> Response:
    """Take the DOCX away before its hour is over."""
    shutil.rmtree(_folder(app_state(request), reader.id, nonce), ignore_errors=True)
    return RedirectResponse("/contracts", 303)


async def _review_page(request: Request, reader: Person, name: str, data: bytes) -> Response:
    web = app_state(request)
    try:
        report, docx = await asyncio.to_thread(_reviewed, _reviewer(request), name, data)
    except BenchbarError as error:
        return _contract_page(request, problem=_told(error, name), status=400)
    kept = await asyncio.to_thread(_keep, web, reader.id, name, docx)
    with web.database.transaction() as now:
        audit.note(now, reader.name, "contract_reviewed", kept[:8], clauses=len(report.clauses))
    # Of the name only the first characters go into the log: the whole of it opens the file.
    return _contract_page(request, report=report, kept=kept)


def shown_name(name: str) -> str:
    """The last part of a file's name, as it may be shown: printable, and not too long."""
    last = re.split(r"[/\\]", name)[-1]
    clean = "".join(character for character in last if character.isprintable()).strip()
    stem, dot, ending = clean.rpartition(".")
    return f"{stem[:LONGEST_NAME]}{dot}{ending[:10]}" if dot else clean[:LONGEST_NAME]


def _reviewed(reviewer: ContractReader, name: str, data: bytes) -> tuple[ContractReport, bytes]:
    with AT_ONCE, tempfile.TemporaryDirectory() as folder:
        # A name of ours: the file's own never reaches the file system.
        path, docx = Path(folder) / f"contract{Path(name).suffix.lower()}", Path(folder) / "reviewed.docx"
        path.write_bytes(data)
        report = reviewer(path, docx)
        # The user knows the file by their name, and a path of the server tells strangers about the machine.
        return msgspec.structs.replace(report, file=name), docx.read_bytes()


def _told(error: BenchbarError, name: str) -> str:
    """The message with the user's own name of the file in the place of ours."""
    return re.sub(r"\S*contract\.(?:docx|pdf|md|markdown|txt|text)", lambda _: name, str(error))


def _keep(web: AppState, person: int, name: str, docx: bytes) -> str:
    """Keep the DOCX for an hour; what is older goes."""
    root = web.config.own / "contracts"
    root.mkdir(parents=True, exist_ok=True)
    # On the way in and not by a timer: nothing is kept longer because nobody asks, and no thread is needed.
    for old in root.iterdir():
        try:
            if old.stat().st_mtime < time.time() - KEPT:
                shutil.rmtree(old, ignore_errors=True)
        except OSError:
            continue
    nonce = secrets.token_hex(16)
    folder = _folder(web, person, nonce)
    folder.mkdir(mode=0o700)
    write_atomically(folder / "name", name.encode())
    write_atomically(folder / "reviewed.docx", docx)
    # Files written into a folder change its time; set at the end, the hour counts from when the review stood.
    os.utime(folder)
    return nonce


def _folder(web: AppState, person: int, nonce: str) -> Path:
    # Checked before it becomes part of a path: nothing but our own names leads to a folder.
    if not re.fullmatch(r"[0-9a-f]{32}", nonce):
        raise HTTPException(404, "there is no such review")
    # The person is part of the name: whoever learns another one's nonce still finds no folder.
    return web.config.own / "contracts" / f"{person}-{nonce}"


def _reviewer(request: Request) -> ContractReader:
    found = app_state(request).config.contract_reviewer
    if found is None:
        raise HTTPException(404, "the app was started without a reviewer of contracts")
    return found


def _contract_page(
    request: Request, *, report: ContractReport | None = None, kept: str = "", problem: str = "", status: int = 200
) -> Response:
    language = report.language if report is not None else FALLBACK
    return page(
        request,
        "contracts.html.j2",
        status=status,
        report=report,
        rows=[] if report is None else clause_rows(report),
        kept=kept,
        problem=problem,
        kinds=",".join(SUFFIXES),
        most=MOST // 1024 // 1024,
        warnings=[] if report is None else _warnings(report, words_of(request)),
        counts={} if report is None else _counts(report),
        levels=level_names(language),
        labels=form_words(language),
        law_of=law_of,
    )


def _warnings(report: ContractReport, say: Words) -> list[str]:
    """What was not used or not read, in the reader's language and with the option of this app that mends it."""
    cures = {NO_LAW_USED: "contract.cure_law"} | dict.fromkeys(OWN_RULES_HELP, "contract.cure_rules")
    # That no law was used changes how every clause below is to be read.
    first = sorted(report.warnings, key=lambda one: one != NO_LAW_USED)
    return [f"{say.why(one)}. {say(cures[one])}" if one in cures else say.why(one) for one in first]


def _counts(report: ContractReport) -> dict[str, int]:
    """The counts that a page shows: those that are not zero, and the high ones always."""
    return {name: number for name, number in report.counts.items() if number or name == "high"}


READERS = frozenset({Role.OWNER, Role.VIEWER})
AREA = Area("contracts", router, (Entry("/contracts", "nav.contracts", READERS, "law"),))
