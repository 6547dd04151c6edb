"""New run: from a file of questions to a run that is under way, in five steps that an owner goes through and may come back to."""

from __future__ import annotations

import re
import threading
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

import msgspec
from fastapi import APIRouter, Depends, Form, HTTPException, Query, Request, UploadFile
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.datastructures import FormData

from benchbar.languages.packs import known, pack
from benchbar.records import Sample, Suite
from benchbar.records.bundled import bundled
from benchbar.records.errors import BenchbarError, UserError
from benchbar.runs.allowed import addresses, used
from benchbar.runs.intake import Intake, placed, put_down, written
from benchbar.runs.planning import plan_of
from benchbar.runs.receivers import receivers
from benchbar.suites.columns import Columns
from benchbar.suites.guidance_text import read_guidance
from benchbar.suites.personal import personal_data
from benchbar.tables.reading import ENDINGS
from benchbar.web import audit, drafts, run_control
from benchbar.web.area import Area, Entry
from benchbar.web.drafted_points import drafted
from benchbar.web.drafts import MENDED, SHOWN_ROWS, Draft, Understood
from benchbar.web.pages import page, words_of
from benchbar.web.people import Role
from benchbar.web.sessions import Owner
from benchbar.web.state import AppState, app_state
from benchbar.web.visible import refuse_hidden

router = APIRouter(tags=["new run"], default_response_class=HTMLResponse)
MOST = 16 * 1024 * 1024
"""Bytes of all files together: a hundred thousand questions with their guidance."""
MOST_FILES = 10
PER_PAGE = 20
"""Questions whose guidance is shown at once; so many are drafted for at one press of a button, which takes seconds."""
LONGEST_GUIDANCE = 20_000
LONGEST_SHEET = 100
"""Characters of a sheet's name; Excel takes 31."""
EXAMPLE = "vendor.xlsx"
STEPS = ("questions", "guidance", "assistants", "start")
"""After the file itself; the fifth is the page of the run."""
AT_ONCE = threading.BoundedSemaphore(2)
"""Files that are read, and plans that are made, at once: both take a processor, which marking needs as well."""
Number = Annotated[int, Query(alias="page", ge=1, le=10_000)]


async def _sent(request: Request) -> FormData:
    """The form as it was sent: its fields are named after columns and questions."""
    return await request.form()


Sent = Annotated[FormData, Depends(_sent)]
_NAME = re.compile(r"\w[\w.-]{0,99}")


@router.get("/new")
def new(request: Request, owner: Owner) -> Response:
    """Where files are dropped, and what was begun before."""
    return _new_page(request)


@router.post("/new", max_body_size=MOST + 100_000, responses={303: {}, 400: {}, 413: {}})
def bring(request: Request, owner: Owner, file: UploadFile, answers: list[UploadFile] | None = None) -> Response:
    """Keep the files, and go on to what they are taken for."""
    given = [one for one in (file, *(answers or ())) if one.filename]
    if len(given) > MOST_FILES:
        return _new_page(request, problem=words_of(request)("new.too_many", most=MOST_FILES))
    contents = [(one.filename or "", one.file.read(MOST + 1)) for one in given]
    if sum(len(data) for _, data in contents) > MOST:
        raise HTTPException(413, words_of(request)("new.too_large", most=MOST // 1024 // 1024))
    return _brought(request, owner.name, contents)


@router.post("/new/example", responses={303: {}})
def bring_example(request: Request, owner: Owner) -> Response:
    """The same with a small file of ours, for whoever wants to see the steps first."""
    return _brought(request, owner.name, [(EXAMPLE, (bundled("examples") / EXAMPLE).read_bytes())])


def _brought(request: Request, owner: str, contents: list[tuple[str, bytes]]) -> Response:
    web = app_state(request)
    if not contents:
        return _new_page(request, problem=words_of(request)("new.no_file"))
    try:
        draft = drafts.begun(web.config.own, contents[0], contents[1:])
    except UserError as error:
        return _new_page(request, problem=str(error))
    with web.database.transaction() as now:
        # Without the name of the file, which may be a client's.
        audit.note(now, owner, "draft_begun", draft.id[:8], files=len(contents))
    return RedirectResponse(_step(draft, "questions"), 303)


@router.post("/new/{id_}/delete", responses={303: {}})
def discard(request: Request, owner: Owner, id_: str) -> Response:
    """Take a draft away with its files."""
    web = app_state(request)
    draft = drafts.read(web.config.own, id_)
    drafts.delete(web.config.own, id_)
    with web.database.transaction() as now:
        audit.note(now, owner.name, "draft_deleted", draft.id[:8])
    return RedirectResponse("/new", 303)


@router.get("/new/{id_}/questions")
def questions(request: Request, owner: Owner, id_: str) -> Response:
    """What the file is taken for: columns, language, the first rows."""
    draft = drafts.read(app_state(request).config.own, id_)
    return _questions_page(request, draft)


@router.post("/new/{id_}/questions", responses={303: {}})
def mend_columns(request: Request, owner: Owner, id_: str, form: Sent) -> Response:
    """Take columns and language as the person says, and show what comes of it or go on."""
    own = app_state(request).config.own
    draft = drafts.read(own, id_)
    chosen = {field: head for field in MENDED if (head := _text(form, f"column-{field}"))}
    language = _text(form, "language")
    heads = _understood(app_state(request), draft).heads
    changed = msgspec.structs.replace(
        draft,
        columns=chosen,
        answer_columns=tuple(
            head for place, head in enumerate(heads) if f"answers-{place}" in form and head not in chosen.values()
        ),
        language=language if language in known() else "",
    )
    drafts.save(own, changed)
    return RedirectResponse(_step(draft, "guidance" if _text(form, "go") else "questions"), 303)


@router.post("/new/{id_}/sheet", responses={303: {}, 400: {}})
def choose_sheet(
    request: Request, owner: Owner, id_: str, sheet: Annotated[str, Form(max_length=LONGEST_SHEET)]
) -> Response:
    """Read another sheet of the workbook, and show what it is taken for."""
    web = app_state(request)
    draft = drafts.read(web.config.own, id_)
    if sheet not in _understood(web, draft).sheets:
        raise HTTPException(400, words_of(request)("new.no_sheet"))
    drafts.save(web.config.own, drafts.with_sheet(draft, sheet))
    return RedirectResponse(_step(draft, "questions"), 303)


@router.get("/new/{id_}/guidance")
def guidance(request: Request, owner: Owner, id_: str, number: Number = 1) -> Response:
    """What good answers hold, question by question: from the file, typed, or drafted and waiting to be accepted."""
    return _guidance_page(request, drafts.read(app_state(request).config.own, id_), number)


@router.post("/new/{id_}/guidance", responses={303: {}, 400: {}})
def write_guidance(request: Request, owner: Owner, id_: str, form: Sent, number: Number = 1) -> Response:
    """Keep what was typed and accepted; draft points from the law, or go on."""
    web = app_state(request)
    draft = drafts.read(web.config.own, id_)
    suite = _suite(web, draft)
    if suite is None:
        return RedirectResponse(_step(draft, "questions"), 303)
    part = _part(suite, number)
    draft = _typed(draft, part, form)
    problem = ""
    if _text(form, "draft"):
        try:
            draft = _drafted(web, draft, part)
        except BenchbarError as error:
            problem = str(error)
    drafts.save(web.config.own, draft)
    unread = [line for sample in part for line in _unread(draft, sample)]
    if problem or unread:
        return _guidance_page(request, draft, number, problems=[problem, *unread] if problem else unread, status=400)
    if _text(form, "go"):
        return RedirectResponse(_step(draft, "assistants"), 303)
    return RedirectResponse(f"{_step(draft, 'guidance')}?page={number}", 303)


@router.get("/new/{id_}/assistants")
def assistants(request: Request, owner: Owner, id_: str) -> Response:
    """Who answers, who judges, what decides, and what it may cost."""
    return _assistants_page(request, drafts.read(app_state(request).config.own, id_))


@router.post("/new/{id_}/assistants", responses={303: {}, 400: {}})
def choose(
    request: Request,
    owner: Owner,
    id_: str,
    model: Annotated[list[str] | None, Form(max_length=100)] = None,
    answers: Annotated[list[str] | None, Form(max_length=100)] = None,
    judge: Annotated[str, Form(max_length=300)] = "",
    simulator: Annotated[str, Form(max_length=300)] = "",
    decides: Annotated[str, Form(max_length=20)] = "",
    share: Annotated[float, Form(ge=0, le=100)] = 80,
    limit: Annotated[str, Form(pattern=r"^\d{0,6}$")] = "",
    max_cost: run_control.Money = "",
    people: Annotated[str, Form(pattern=r"^(100|\d{0,2})$")] = "",
    annotators: Annotated[int, Form(ge=1, le=3)] = 1,
    *,
    mask: Annotated[bool, Form()] = False,
) -> Response:
    """Keep the choice, and go on to what it takes."""
    web = app_state(request)
    draft, allowed = drafts.read(web.config.own, id_), web.config.allowed
    if unknown := [one for one in (*(model or ()), judge, simulator) if one and one not in allowed]:
        # No address of anybody's own can be named here: the list is the server's.
        raise HTTPException(400, words_of(request)("new.not_allowed", name=unknown[0]))
    held = _held(draft, _understood(web, draft).columns)
    draft = msgspec.structs.replace(
        draft,
        models=tuple(dict.fromkeys(model or ())),
        without=tuple(name for name in held if name not in (answers or ())),
        judge=judge,
        simulator=simulator,
        good_enough=share / 100 if decides == "share" else None,
        limit=int(limit) if limit.strip("0") else None,
        max_cost=run_control.money(max_cost) if max_cost else None,
        mask=mask,
        audit=int(people) / 100 if people else None,
        annotators=annotators,
    )
    drafts.save(web.config.own, draft)
    return RedirectResponse(_step(draft, "start"), 303)


@router.get("/new/{id_}/start", responses={303: {}})
def ready(request: Request, owner: Owner, id_: str) -> Response:
    """What the run will take and can show, before anything is sent; where nobody answers yet, the step that says who does."""
    web = app_state(request)
    draft = drafts.read(web.config.own, id_)
    if not draft.models and not set(_held(draft, _understood(web, draft).columns)) - set(draft.without):
        return RedirectResponse(_step(draft, "assistants"), 303)
    return _start_page(request, draft)


@router.get("/new/{id_}/spec.toml", response_class=Response)
def spec_file(request: Request, owner: Owner, id_: str) -> Response:
    """The spec as it will stand in the folder of the run."""
    web = app_state(request)
    found = _intake(web, drafts.read(web.config.own, id_))
    return run_control.toml_response(written(placed(found)).encode())


@router.post("/new/{id_}/start", responses={303: {}, 400: {}})
def begin(request: Request, owner: Owner, id_: str, name: Annotated[str, Form(max_length=100)] = "") -> Response:
    """Write suite, answers and spec into a folder, and start the run in a process of its own."""
    web = app_state(request)
    draft = drafts.read(web.config.own, id_)
    folder = web.config.runs / name
    if not _NAME.fullmatch(name) or folder.exists():
        return _start_page(request, draft, problem=_name_problem(request, name), status=400)
    try:
        found = _intake(web, draft)
        # Looked up and looked at before anything is written: a run that may not be sent leaves no folder behind.
        hosts = addresses(used(found.spec, web.config.allowed))
        put_down(found, folder)
        run_control.start(web, name, hosts)
    except BenchbarError as error:
        told = drafts.without_folder(str(error), drafts.folder_of(web.config.own, id_))
        return _start_page(request, draft, problem=told, status=400)
    with web.database.transaction() as now:
        audit.note(now, owner.name, "run_started", name, samples=len(found.suite.samples), hosts=sorted(hosts))
    drafts.delete(web.config.own, id_)
    return RedirectResponse(f"/runs/{quote(name, safe='')}", 303)


def _name_problem(request: Request, name: str) -> str:
    try:
        refuse_hidden(name)
    except UserError as error:
        return str(error)
    return words_of(request)("new.name_taken")


def _step(draft: Draft, step: str) -> str:
    return f"/new/{draft.id}/{step}"


def _text(form: FormData, name: str) -> str:
    value = form.get(name)
    return value.strip() if isinstance(value, str) else ""


def _understood(web: AppState, draft: Draft) -> Understood:
    with AT_ONCE:
        return drafts.understood(web.config.own, draft)


def _suite(web: AppState, draft: Draft) -> Suite | None:
    return _understood(web, draft).suite


def _intake(web: AppState, draft: Draft) -> Intake:
    with AT_ONCE:
        return drafts.intake_of(web.config.own, draft, web.config.allowed, secret=web.secret.hex(), law=web.config.law)


def _part(suite: Suite, number: int) -> tuple[Sample, ...]:
    return suite.samples[PER_PAGE * (number - 1) : PER_PAGE * number]


def _text_of(draft: Draft, sample: Sample) -> str:
    """The guidance of a sample as it stands now: what a person wrote, else what the file says."""
    return draft.guidance.get(sample.id, sample.guidance.text)


def _typed(draft: Draft, part: tuple[Sample, ...], form: FormData) -> Draft:
    """The draft with what the page of these samples said of them."""
    written, waiting = dict(draft.guidance), dict(draft.suggested)
    for number, sample in enumerate(part):
        before = _text_of(draft, sample)
        if f"text-{number}" not in form:
            continue
        text = _text(form, f"text-{number}").replace("\r\n", "\n")[:LONGEST_GUIDANCE]
        points = waiting.get(sample.id, ())
        accepted = [point for place, point in enumerate(points) if f"accept-{number}-{place}" in form]
        if points and (accepted or f"drop-{number}" in form):
            # What was not accepted beside what was is thereby declined.
            del waiting[sample.id]
        text = "\n".join(filter(None, [text, *accepted]))
        if text != before.strip():
            written[sample.id] = text
    return msgspec.structs.replace(draft, guidance=written, suggested=waiting)


def _drafted(web: AppState, draft: Draft, part: tuple[Sample, ...]) -> Draft:
    """The draft with points from the law for those of these samples that have no guidance; they wait to be accepted."""
    consultant = web.config.consultant
    if consultant is None:
        return draft
    waiting = dict(draft.suggested)
    for sample in part:
        if not _text_of(draft, sample).strip() and not sample.reference and sample.id not in waiting:
            found = drafted(consultant, sample.needs)
            # Kept even where it is empty, so that the page can say that the law is silent.
            waiting[sample.id] = found
    return msgspec.structs.replace(draft, suggested=waiting)


def _unread(draft: Draft, sample: Sample) -> list[str]:
    return read_guidance(draft.guidance.get(sample.id, "")).problems(sample.id)


def _new_page(request: Request, problem: str = "") -> Response:
    return page(
        request,
        "new_run.html.j2",
        status=400 if problem else 200,
        problem=problem,
        drafts=drafts.all_drafts(app_state(request).config.own),
        kinds=",".join(ENDINGS),
        most=MOST // 1024 // 1024,
        most_files=MOST_FILES,
    )


def _questions_page(request: Request, draft: Draft) -> Response:
    found = _understood(app_state(request), draft)
    samples = found.suite.samples if found.suite else ()
    return page(
        request,
        "new_questions.html.j2",
        draft=draft,
        step="questions",
        found=found,
        rows=samples[:SHOWN_ROWS],
        count=len(samples),
        with_points=sum(bool(one.guidance.points or one.reference) for one in samples),
        answer_heads={head: name for name, head in _held(draft, found.columns).items()},
        fields=MENDED,
        languages_known={tag: pack(tag).about.name for tag in known()},
        steps=STEPS,
    )


def _guidance_page(
    request: Request, draft: Draft, number: int, problems: list[str] | None = None, status: int = 200
) -> Response:
    web = app_state(request)
    suite = _suite(web, draft)
    if suite is None:
        return RedirectResponse(_step(draft, "questions"), 303)
    waiting = sum(bool(points) for points in draft.suggested.values())
    guided = sum(bool(_text_of(draft, one).strip() or one.reference) for one in suite.samples)
    return page(
        request,
        "new_guidance.html.j2",
        status=status,
        draft=draft,
        step="guidance",
        rows=[(place, one, _text_of(draft, one)) for place, one in enumerate(_part(suite, number))],
        number=number,
        pages=max(1, -(-len(suite.samples) // PER_PAGE)),
        first=PER_PAGE * (number - 1),
        count=len(suite.samples),
        guided=guided,
        waiting=waiting,
        problems=problems or [],
        law=(web.config.consultant.name or words_of(request)("ask.bundled")) if web.config.consultant else "",
        longest=LONGEST_GUIDANCE,
        steps=STEPS,
    )


def _assistants_page(request: Request, draft: Draft) -> Response:
    web = app_state(request)
    found = _understood(web, draft)
    if found.suite is None:
        return RedirectResponse(_step(draft, "questions"), 303)
    return page(
        request,
        "new_assistants.html.j2",
        draft=draft,
        step="assistants",
        held=_held(draft, found.columns),
        allowed=web.config.allowed,
        personal=_kinds_of_personal_data(found.suite),
        steps=STEPS,
    )


def _held(draft: Draft, columns: Columns) -> dict[str, str]:
    """Assistant whose answers were brought to the column or file that they are in."""
    return {**columns.answers, **{name.rpartition(".")[0]: name for name in draft.files[1:]}}


def _kinds_of_personal_data(suite: Suite) -> int:
    return sum(1 for _ in personal_data(suite))


def _start_page(request: Request, draft: Draft, problem: str = "", status: int = 200) -> Response:
    web, plan, spec, found = app_state(request), None, "", None
    try:
        found = _intake(web, draft)
        with AT_ONCE:
            plan = plan_of(found.spec, found.suite, drafts.folder_of(web.config.own, draft.id))
        spec = written(placed(found))
    except BenchbarError as error:
        problem = problem or drafts.without_folder(str(error), drafts.folder_of(web.config.own, draft.id))
    return page(
        request,
        "new_start.html.j2",
        status=status,
        draft=draft,
        step="start",
        plan=plan,
        hosts=_hosts(found) if found else {},
        spec=spec,
        judged=bool(found and found.spec.judge),
        guided=sum(bool(one.guidance.points) for one in found.suite.samples) if found else 0,
        waiting=sum(bool(points) for points in draft.suggested.values()),
        name=_free_name(web, found) if found else "",
        problem=problem,
        steps=STEPS,
        law=Path(web.config.law).name,
    )


def _hosts(found: Intake) -> dict[str, list[str]]:
    """Address to the parts of the run that send it texts."""
    named: dict[str, list[str]] = {}
    for one in receivers(found.spec):
        named.setdefault(one.address, []).append(one.role)
    return named


def _free_name(web: AppState, found: Intake) -> str:
    taken = {one.name for one in web.config.runs.iterdir()} if web.config.runs.is_dir() else set()
    names = (found.name if number == 1 else f"{found.name}-{number}" for number in range(1, len(taken) + 2))
    return next(name for name in names if name not in taken)


OWNERS = frozenset({Role.OWNER})
AREA = Area("new_run", router, (Entry("/new", "nav.new", OWNERS),))
