"""Contract review in the browser: a file or two come in, findings, changes and proposals come back, and files to take away."""

from __future__ import annotations

import asyncio
import datetime as dt
import re
import shutil
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Form, HTTPException, Request, UploadFile
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from benchbar.contracts.bundled import NO_LAW_USED, OWN_RULES_HELP
from benchbar.contracts.html_report import review_words
from benchbar.contracts.parties import parties
from benchbar.contracts.report import ContractReport
from benchbar.contracts.source import SUFFIXES
from benchbar.contracts.taking_away import COMMENTED, COMPARED, DOCUMENT, PAGE, PROPOSED
from benchbar.languages.packs import FALLBACK, known, labels, pack
from benchbar.records.errors import BenchbarError
from benchbar.suites.load import bundled
from benchbar.web import audit
from benchbar.web.area import Area, Entry
from benchbar.web.config import ContractAsked, ContractReader
from benchbar.web.contract_files import (
    MOST,
    MOST_PLAYBOOK,
    PLAYBOOKS,
    Taken,
    UnusableFileError,
    keep,
    kept_folder,
    taken,
)
from benchbar.web.pages import DOCX, page, words_of
from benchbar.web.people import Person, Role
from benchbar.web.sessions import Reader
from benchbar.web.state import app_state
from benchbar.web.words import Words, names

router = APIRouter(tags=["contracts"], default_response_class=HTMLResponse)
AT_ONCE = threading.BoundedSemaphore(2)
LONGEST = 60
"""Characters of a side or a type of contract."""
DEMO, NO_LAW = "demo", "none"
"""What the field of the law says where it is not the app's own."""
EXAMPLE = "lease-1.md"
"""A contract of each bundled suite."""
# A page is given as a file, never shown: it is made of words that strangers wrote.
GIVEN = {
    "docx": (COMMENTED, DOCX, ".reviewed.docx"),
    "proposals": (PROPOSED, DOCX, ".proposals.docx"),
    "changes": (COMPARED, DOCX, ".changes.docx"),
    "html": (PAGE, "application/octet-stream", ".review.html"),
    "json": (DOCUMENT, "application/json", ".review.json"),
}
"""What can be taken away: the address's last part, to the file, its media type and how its name ends."""


@dataclass(frozen=True, slots=True)
class _Wish:
    """How a contract is to be reviewed, as the form says it."""

    side: str = ""
    contract_type: str = ""
    on: str = ""
    language: str = ""
    demo: bool = False
    without_law: bool = False
    earlier: Taken | None = None
    playbook: Taken | None = None


@router.get("/contracts")
def contracts(request: Request, reader: Reader) -> Response:
    """The place where a file is dropped."""
    _reviewer(request)
    return _contract_page(request)


@router.post("/contracts", max_body_size=2 * MOST + MOST_PLAYBOOK + 100_000, responses={400: {}, 413: {}})
async def review_contract(
    request: Request,
    reader: Reader,
    file: UploadFile,
    earlier: UploadFile | None = None,
    playbook: UploadFile | None = None,
    side: Annotated[str, Form(max_length=LONGEST)] = "",
    contract_type: Annotated[str, Form(max_length=LONGEST)] = "",
    on: Annotated[str, Form(max_length=10)] = "",
    language: Annotated[str, Form(max_length=10)] = "",
    law: Annotated[str, Form(max_length=10)] = "",
) -> Response:
    """The contract with its findings in place; nothing of it is kept but the files to take away, and those for an hour."""
    say = words_of(request)
    _reviewer(request)
    wish = _Wish(
        side.strip(), contract_type.strip(), on.strip(), language.strip(), demo=law == DEMO, without_law=law == NO_LAW
    )
    try:
        contract = await taken(file, say)
        # A field that was left empty comes as a file without a name.
        if earlier is not None and earlier.filename:
            wish = replace(wish, earlier=await taken(earlier, say))
        if playbook is not None and playbook.filename:
            wish = replace(wish, playbook=await taken(playbook, say, kinds=PLAYBOOKS, most=MOST_PLAYBOOK))
    except UnusableFileError as error:
        return _contract_page(request, wish, problem=str(error), status=400)
    if wish.language and wish.language not in known():
        return _contract_page(request, wish, problem=say("contract.no_language", name=wish.language), status=400)
    if wish.on and not _is_day(wish.on):
        return _contract_page(request, wish, problem=say("contract.no_day", day=wish.on), status=400)
    return await _review_page(request, reader, contract, wish)


@router.post("/contracts/example", responses={400: {}})
async def review_example(request: Request, reader: Reader) -> Response:
    """The same with a lease of the model jurisdiction, in the reader's language where there is one."""
    _reviewer(request)
    languages = (pack(words_of(request).language).root, FALLBACK)
    suites = bundled()
    found = next(suites[name] for one in languages if (name := f"model-jurisdiction-{one}") in suites)
    return await _review_page(request, reader, Taken(EXAMPLE, (found / "contracts" / EXAMPLE).read_bytes()), _Wish())


@router.get("/contracts/{nonce}/{form}", response_class=Response)
def download(request: Request, reader: Reader, nonce: str, form: str) -> Response:
    """One of the files of a review: the contract with comments, with proposals, the changes, a page, or a document of data."""
    if form not in GIVEN:
        raise HTTPException(404, "there is no such file")
    own, media, ending = GIVEN[form]
    folder = kept_folder(app_state(request), reader.id, nonce)
    if not (folder / own).is_file():
        raise HTTPException(404, words_of(request)("contract.expired"))
    # The client's own name comes back here alone, in the form that RFC 6266 has for names beyond ASCII.
    name = Path((folder / "name").read_text("utf-8")).stem + ending
    with app_state(request).database.transaction() as now:
        audit.note(now, reader.name, "export", nonce[:8], form=form)
    disposition = f"attachment; filename=\"{own}\"; filename*=UTF-8''{quote(name, safe='')}"
    return Response((folder / own).read_bytes(), media_type=media, headers={"content-disposition": disposition})


@router.post("/contracts/{nonce}/delete", responses={303: {}})
def delete(request: Request, reader: Reader, nonce: str) -> Response:
    """Take the files away before their hour is over."""
    shutil.rmtree(kept_folder(app_state(request), reader.id, nonce), ignore_errors=True)
    return RedirectResponse("/contracts", 303)


async def _review_page(request: Request, reader: Person, contract: Taken, wish: _Wish) -> Response:
    web, reviewer = app_state(request), _reviewer(request)

    def reviewed() -> tuple[ContractReport, str, tuple[str, ...]]:
        with AT_ONCE, tempfile.TemporaryDirectory() as place:
            incoming, outgoing = Path(place) / "in", Path(place) / "out"
            incoming.mkdir()
            outgoing.mkdir()
            report = reviewer(_asked(contract, wish, incoming), outgoing)
            forms = tuple(form for form, (own, _, _) in GIVEN.items() if (outgoing / own).is_file())
            return report, keep(web, reader.id, contract.name, outgoing), forms

    try:
        report, kept, forms = await asyncio.to_thread(reviewed)
    except BenchbarError as error:
        return _contract_page(request, wish, problem=_told(error, contract, wish), status=400)
    with web.database.transaction() as now:
        audit.note(now, reader.name, "contract_reviewed", kept[:8], clauses=len(report.clauses))
    # Of the name only the first characters go into the log: the whole of it opens the files.
    return _contract_page(request, wish, report=report, kept=kept, forms=forms)


def _asked(contract: Taken, wish: _Wish, folder: Path) -> ContractAsked:
    return ContractAsked(
        contract=contract.put(folder, "contract"),
        name=contract.name,
        earlier=wish.earlier.put(folder, "earlier") if wish.earlier else None,
        playbook=wish.playbook.put(folder, "playbook") if wish.playbook else None,
        side=wish.side,
        contract_type=wish.contract_type,
        on=wish.on,
        language=wish.language,
        demo=wish.demo,
        without_law=wish.without_law,
    )


def _told(error: BenchbarError, contract: Taken, wish: _Wish) -> str:
    """The message with the user's own names of the files in the place of ours."""
    names = {"contract": contract, "earlier": wish.earlier, "playbook": wish.playbook}

    def own(match: re.Match[str]) -> str:
        found = names[match[1]]
        return found.name if found else match[0]

    return re.sub(r"\S*\b(contract|earlier|playbook)\.(?:docx|pdf|md|markdown|txt|text|toml)", own, str(error))


def _is_day(text: str) -> bool:
    try:
        return dt.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _reviewer(request: Request) -> ContractReader:
    found = app_state(request).config.contract_reviewer
    if found is None:
        raise HTTPException(404, "the app was started without a reviewer of contracts")
    return found


def _contract_page(
    request: Request,
    wish: _Wish | None = None,
    *,
    report: ContractReport | None = None,
    kept: str = "",
    forms: tuple[str, ...] = (),
    problem: str = "",
    status: int = 200,
) -> Response:
    say = words_of(request)
    return page(
        request,
        "contracts.html.j2",
        status=status,
        wish=wish or _Wish(),
        report=report,
        reviewed_by=_reviewed_by(report, words_of(request)) if report else "",
        kept=kept,
        forms=forms,
        problem=problem,
        kinds=",".join(SUFFIXES),
        playbooks=",".join(sorted(PLAYBOOKS)),
        types=_types(say),
        sides=_sides(say),
        tongues=names(),
        law=app_state(request).config.contract_law,
        most=MOST // 1024 // 1024,
        warnings=[] if report is None else _warnings(report, say),
        counts={} if report is None else _counts(report),
        **({} if report is None else review_words(report)),
    )


def _types(say: Words) -> Mapping[str, str]:
    """The types of contract that rules are kept for, in the reader's language."""
    return {id_: name for id_, name in labels(say.language, "contract").section("kind").items() if id_ != "general"}


def _sides(say: Words) -> list[str]:
    """The roles that a party may have, in the reader's language; any other is the contract's own word for it."""
    spoken = pack(say.language).root
    return [one.name.get(spoken, one.id) for one in parties().values() if not one.unspoken]


def _reviewed_by(report: ContractReport, say: Words) -> str:
    """Rules, or the model by its name: the identity in the file to take away tells version and settings as well."""
    _, _, generator = report.reviewer.partition(":")
    model, asked, _ = generator.partition("@")
    return say("contract.by_model", name=model) if asked else say("contract.by_rules")


def _warnings(report: ContractReport, say: Words) -> list[str]:
    """What was not used or not read, in the reader's language and with the option of this app that mends it."""
    cures = {NO_LAW_USED: "contract.cure_law"} | dict.fromkeys(OWN_RULES_HELP, "contract.cure_rules")
    # That no law was used changes how every clause below is to be read.
    first = sorted(report.warnings, key=lambda one: one != NO_LAW_USED)
    return [
        say("contract.with_cure", why=say.why(one), cure=say(cures[one])) if one in cures else say.why(one)
        for one in first
    ]


def _counts(report: ContractReport) -> dict[str, int]:
    """The counts that a page shows: those that are not zero, and the high ones always."""
    return {name: number for name, number in report.counts.items() if number or name == "high"}


READERS = frozenset({Role.OWNER, Role.VIEWER})
AREA = Area("contracts", router, (Entry("/contracts", "nav.contracts", READERS, "law"),))
