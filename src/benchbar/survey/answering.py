"""The questionnaire as a page: consent first, then scenario and background, then use cases; no account, one submission."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from msgspec.structs import replace
from starlette.datastructures import FormData

from benchbar.survey.records import BackgroundQuestion, Questionnaire, SurveyScenario
from benchbar.survey.store import Draft, Link, Survey, link_of, saved, survey_of
from benchbar.web.area import Area
from benchbar.web.database import Transaction
from benchbar.web.pages import page, words_of
from benchbar.web.state import app_state

router = APIRouter(tags=["answering"], default_response_class=HTMLResponse)
LONGEST_OPEN = 5000
LONGEST_NUMBER = 20
CONSENT, ABOUT, WISHES = 0, 1, 2


async def _fields(request: Request) -> FormData:
    """The form, whose fields depend on the questionnaire."""
    return await request.form(max_fields=500, max_files=0)


Fields = Annotated[FormData, Depends(_fields)]


def _known(now: Transaction, token: str) -> tuple[Link, Survey]:
    link = link_of(now, token)
    survey = survey_of(now, link.survey) if link else None
    if link is None or survey is None:
        raise HTTPException(404, "this link leads to no questionnaire; ask whoever sent it for a new one")
    return link, survey


@router.get("/answer/{token}")
def answering(request: Request, token: str) -> Response:
    """The page that the respondent is to go on with."""
    with app_state(request).database.transaction() as now:
        link, survey = _known(now, token)
        # Opening a page is a sign of life: without it the time until the first form would not count.
        if link.submitted is None and survey.closed is None:
            saved(now, link, link.draft, posted=False)
    return _shown(request, link, survey, link.draft)


@router.post("/answer/{token}", responses={303: {}, 400: {}})
def answer(request: Request, token: str, fields: Fields) -> Response:
    """Keep what a page says; the last one submits it."""
    say = words_of(request)
    with app_state(request).database.transaction() as now:
        link, survey = _known(now, token)
        if link.submitted is not None or survey.closed is not None:
            # Sent twice by a double click, or from a second window: the page there says that it is done.
            return RedirectResponse(f"/answer/{token}", 303)
        draft, problem = _taken(link.draft, survey.questionnaire, fields)
        wanted = str(fields.get("do", ""))
        submit = wanted == "submit" and link.draft.step == WISHES and not problem
        # It would be excluded as empty later; now the respondent can still be asked.
        if submit and not (draft.selected or draft.none or draft.open):
            problem, submit = "answering.nothing", False
        if not problem and not submit:
            draft = replace(draft, step=_step(draft, wanted))
        saved(now, link, draft, posted=True, submit=submit)
    if problem:
        return _shown(request, link, survey, draft, problem=say(problem))
    later = "?kept=1" if wanted == "later" else ""
    return RedirectResponse(f"/answer/{token}{later}", 303)


def _step(draft: Draft, wanted: str) -> int:
    # Consent was given once; whoever withdraws it does not submit.
    if wanted == "back":
        return max(ABOUT, draft.step - 1)
    return min(WISHES, draft.step + 1) if wanted == "next" else draft.step


def _taken(draft: Draft, questionnaire: Questionnaire, fields: FormData) -> tuple[Draft, str]:
    """The draft with what the page of its step says, and the key of what is wrong with that."""
    if draft.step == CONSENT:
        agreed = str(fields.get("consent", "")) == "yes"
        return replace(draft, consent=agreed), "" if agreed else "answering.consent_needed"
    if draft.step == ABOUT:
        return _about(draft, questionnaire, fields)
    return _wishes(draft, questionnaire, fields), ""


def _about(draft: Draft, questionnaire: Questionnaire, fields: FormData) -> tuple[Draft, str]:
    known = {one.id: one for one in questionnaire.scenarios}
    scenario = str(fields.get("scenario", ""))
    given = {one.id: str(fields.get(f"about-{one.id}", "")).strip() for one in questionnaire.background}
    fit = {one.id: given[one.id] for one in questionnaire.background if _fits(one, given[one.id])}
    offered = {case.id for case in known[scenario].use_cases} if scenario in known else set()
    # With another scenario other use cases are offered; ticks of the first would make the response contradictory.
    kept = tuple(one for one in draft.selected if one in offered)
    found = replace(draft, scenario=scenario if scenario in known else "", background=fit, selected=kept)
    if scenario not in known:
        return found, "answering.scenario_needed"
    # Empty is allowed: questions on the person are voluntary.
    wrong = any(said and one not in fit for one, said in given.items())
    return found, "answering.number_needed" if wrong else ""


def _fits(question: BackgroundQuestion, said: str) -> bool:
    if question.kind == "choice":
        return said in question.options
    try:
        value = float(said.replace(",", ".")) if len(said) <= LONGEST_NUMBER else float("nan")
    except ValueError:
        return False
    # NaN lies within no bounds, so that comparing refuses it; infinity is beyond these.
    low = -1e9 if question.low is None else question.low
    return low <= value <= (1e9 if question.high is None else question.high)


def _wishes(draft: Draft, questionnaire: Questionnaire, fields: FormData) -> Draft:
    scenario = _scenario(questionnaire, draft)
    ticked = {str(one) for one in fields.getlist("selected")}
    return replace(
        draft,
        selected=tuple(case.id for case in scenario.use_cases if case.id in ticked) if scenario else (),
        none=str(fields.get("none", "")) == "yes",
        open=str(fields.get("open", "")).strip()[:LONGEST_OPEN],
    )


def _scenario(questionnaire: Questionnaire, draft: Draft) -> SurveyScenario | None:
    return next((one for one in questionnaire.scenarios if one.id == draft.scenario), None)


def _shown(request: Request, link: Link, survey: Survey, draft: Draft, *, problem: str = "") -> Response:
    state = "done" if link.submitted is not None else "closed" if survey.closed is not None else "open"
    return page(
        request,
        "answer.html.j2",
        status=400 if problem else 200,
        asked=survey.questionnaire,
        scenario=_scenario(survey.questionnaire, draft),
        draft=draft,
        state=state,
        kept=request.query_params.get("kept") == "1",
        problem=problem,
        longest=LONGEST_OPEN,
    )


AREA = Area("answering", router)
