"""Surveys as their owner sees them: questionnaires, links, responses, what they say."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Path, Request, UploadFile
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from markupsafe import Markup

from benchbar.languages.packs import known
from benchbar.records.errors import BadInputError, UserError
from benchbar.survey.analysis import analysed
from benchbar.survey.questionnaire import questionnaire_of, template
from benchbar.survey.records import Questionnaire
from benchbar.survey.report import survey_document
from benchbar.survey.responses import Collected
from benchbar.survey.store import (
    MOST_LINKS,
    SCHEMA,
    Survey,
    add_links,
    add_survey,
    as_lines,
    close,
    links,
    responses,
    survey_of,
    surveys,
)
from benchbar.web import audit
from benchbar.web.area import Area, Entry
from benchbar.web.database import Transaction
from benchbar.web.pages import page, words_of
from benchbar.web.people import Role
from benchbar.web.sessions import Owner
from benchbar.web.state import app_state

router = APIRouter(tags=["surveys"], default_response_class=HTMLResponse)
MAX_QUESTIONNAIRE = 500_000
LONGEST_LABEL = 80
THRESHOLD = 0.10
Number = Annotated[int, Path(ge=1, le=2**31 - 1)]
"""Of a survey, as the database counts them."""


@router.get("/surveys")
def all_surveys(request: Request, owner: Owner) -> Response:
    """Every survey with its numbers."""
    return _all(request)


def _all(request: Request, *, status: int = 200, problem: str = "") -> Response:
    with app_state(request).database.transaction() as now:
        found = surveys(now)
    return page(request, "surveys.html.j2", status=status, found=found, templates=known(), problem=problem)


@router.post("/surveys", responses={303: {}, 400: {}})
def begin(
    request: Request,
    owner: Owner,
    language: Annotated[str, Form(max_length=35)] = "",
    file: UploadFile | None = None,
) -> Response:
    """Begin a survey with a questionnaire of one's own, or with a template."""
    web = app_state(request)
    try:
        questionnaire = _given(file, language)
    except UserError as error:
        return _all(request, status=400, problem=str(error))
    if questionnaire is None:
        return _all(request, status=400, problem=words_of(request)("surveys.no_file"))
    with web.database.transaction() as now:
        number = add_survey(now, questionnaire)
        audit.note(now, owner.name, "survey_begun", questionnaire.name)
    return RedirectResponse(f"/surveys/{number}", 303)


def _given(file: UploadFile | None, language: str) -> Questionnaire | None:
    """The questionnaire that was sent or chosen; None where neither was done."""
    if file is not None and file.filename:
        return questionnaire_of(_text(file), file.filename[:200])
    # Only a language with a pack: the name comes from a form and would else be part of a path.
    return questionnaire_of(template(language), f"{language}.toml") if language in known() else None


def _text(file: UploadFile) -> str:
    # One byte more than allowed tells that there is more, without reading it all.
    data = file.file.read(MAX_QUESTIONNAIRE + 1)
    if len(data) > MAX_QUESTIONNAIRE:
        raise BadInputError(f"more than {MAX_QUESTIONNAIRE} bytes", file=file.filename)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInputError(f"not UTF-8 at byte {error.start}", file=file.filename) from error


def _known(now: Transaction, number: int) -> Survey:
    found = survey_of(now, number)
    if found is None:
        raise HTTPException(404, f"there is no survey {number}")
    return found


@router.get("/surveys/{number}")
def one_survey(request: Request, owner: Owner, number: Number) -> Response:
    """A survey: its links, who has answered, and what has been said so far."""
    return _one(request, number)


def _one(
    request: Request, number: int, *, made: list[tuple[str, str]] | None = None, status: int = 200, problem: str = ""
) -> Response:
    with app_state(request).database.transaction() as now:
        survey, listed = _known(now, number), links(now, number)
        given = responses(now, number)
    language = words_of(request).language
    collected = Collected(tuple(given), {}, (), (), ())
    found = analysed(collected, survey.questionnaire, threshold=THRESHOLD) if given else None
    document = survey_document(found, language) if found else None
    return page(
        request,
        "survey.html.j2",
        status=status,
        survey=survey,
        links=listed,
        made=made or [],
        base=str(request.base_url),
        most=MOST_LINKS,
        document=document,
        chart=Markup(document.chart) if document else "",  # noqa: S704 - escaped when it was drawn
        problem=problem,
    )


@router.post("/surveys/{number}/links")
def make_links(
    request: Request,
    owner: Owner,
    number: Number,
    count: Annotated[int, Form(ge=0, le=MOST_LINKS)] = 0,
    labels: Annotated[str, Form(max_length=200_000)] = "",
) -> Response:
    """Links for as many respondents, or one for each label; they are shown this once."""
    named = [" ".join(line.split())[:LONGEST_LABEL] for line in labels.splitlines() if line.strip()]
    try:
        with app_state(request).database.transaction() as now:
            survey = _known(now, number)
            made = add_links(now, number, named or [""] * count)
            audit.note(now, owner.name, "survey_links", survey.questionnaire.name, links=len(made))
    except UserError as error:
        return _one(request, number, status=400, problem=str(error))
    return _one(request, number, made=made)


@router.post("/surveys/{number}/close", responses={303: {}})
def end(request: Request, owner: Owner, number: Number) -> Response:
    """Take no more answers."""
    with app_state(request).database.transaction() as now:
        survey = _known(now, number)
        close(now, number)
        audit.note(now, owner.name, "survey_closed", survey.questionnaire.name)
    return RedirectResponse(f"/surveys/{number}", 303)


@router.get("/surveys/{number}/responses.jsonl")
def download(request: Request, owner: Owner, number: Number) -> Response:
    """The responses, for `benchbar survey analyse`."""
    with app_state(request).database.transaction() as now:
        survey = _known(now, number)
        found = responses(now, number)
        audit.note(now, owner.name, "survey_download", survey.questionnaire.name, responses=len(found))
    headers = {"content-disposition": f'attachment; filename="{survey.questionnaire.name}-{number}.jsonl"'}
    return Response(as_lines(found), media_type="application/jsonl", headers=headers)


AREA = Area("surveys", router, (Entry("/surveys", "nav.surveys", frozenset({Role.OWNER}), "mark"),), schema=SCHEMA)
