"""Test questions that a model wrote, as the owner sees them: each with its articles, to accept, to mend or to drop."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Depends, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from benchbar.records import UNANSWERABLE, UNVERIFIED, Suite
from benchbar.records.errors import UserError
from benchbar.suites.question_material import KINDS
from benchbar.suites.written_questions import WrittenQuestion, WrittenQuestions, broken_rule, reworded
from benchbar.web import audit
from benchbar.web.area import Area, Entry
from benchbar.web.pages import page, words_of
from benchbar.web.people import Role
from benchbar.web.sessions import Owner
from benchbar.web.state import app_state
from benchbar.web.suite_folders import place_for, suite_at, suites_of

router = APIRouter(tags=["written questions"], default_response_class=HTMLResponse)
LISTED = 200
"""Questions and decisions on one page; the rest comes up as these are decided."""
LONGEST = 20_000
Text = Annotated[str, Form(max_length=LONGEST)]
Id = Annotated[str, Form(max_length=500)]


def _written(request: Request, name: str) -> WrittenQuestions:
    folder = None if app_state(request).config.mask else suites_of(request).get(name)
    if folder is None:
        raise HTTPException(404, words_of(request)("written.none_such"))
    return WrittenQuestions(folder, suite_at(folder))


def _one(request: Request, written: WrittenQuestions, id_: str) -> WrittenQuestion:
    try:
        return written.one(id_)
    except UserError as error:
        raise HTTPException(404, words_of(request)("written.none_such")) from error


@router.get("/written")
def folders(request: Request, owner: Owner) -> Response:
    """The folders with questions that a model wrote, and how many of them wait for a decision."""
    rows: list[tuple[str, int, str]] = []
    masked = app_state(request).config.mask
    for name, folder in suites_of(request).items() if not masked else ():
        # One suite that cannot be read must not hide the others; its row says why.
        try:
            suite = suite_at(folder)
            if _by_a_model(suite):
                rows.append((name, len(WrittenQuestions(folder, suite).open()), ""))
        except UserError as error:
            rows.append((name, 0, str(error)))
    given = app_state(request).config.suites is not None
    return page(request, "written.html.j2", rows=rows, given=given, masked=masked)


def _kinds(request: Request, suite: Suite) -> dict[str, str]:
    """What each kind of question is called; a task that is none of these goes by its own name."""
    say = words_of(request)
    return {id_: say(f"written_kind.{id_}") if id_ in KINDS else task.name or id_ for id_, task in suite.tasks.items()}


def _by_a_model(suite: Suite) -> bool:
    return any(UNVERIFIED in sample.tags for sample in suite.samples)


@router.get("/written/{name}", responses={404: {}})
def questions(request: Request, owner: Owner, name: str) -> Response:
    """The questions of a folder that wait, and what was decided."""
    written = _written(request, name)
    waiting = written.open()
    return page(
        request,
        "written_questions.html.j2",
        name=name,
        waiting=waiting[:LISTED],
        more=max(0, len(waiting) - LISTED),
        decided=written.log.all()[: -LISTED - 1 : -1],
        kinds=_kinds(request, written.suite),
    )


@router.get("/written/{name}/question", responses={404: {}})
def question_page(request: Request, owner: Owner, name: str, id: str) -> Response:  # noqa: A002 - the field of the address
    """One question with its articles, and the form that decides about it."""
    written = _written(request, name)
    return _page(request, name, _one(request, written, id))


def _page(
    request: Request,
    name: str,
    found: WrittenQuestion,
    typed: Mapping[str, str] = MappingProxyType({}),
    *,
    status: int = 200,
    problem: str = "",
) -> Response:
    values: dict[str, Any] = {
        "question": found.sample.needs,
        "answer": found.sample.reference,
        "suite": f"{name}-accepted",
        "reason": "",
        **typed,
    }
    broken = broken_rule(found, reworded(found.sample, values["question"], values["answer"]))
    return page(
        request,
        "written_question.html.j2",
        status=status,
        problem=problem,
        name=name,
        sample=found.sample,
        material=found.material,
        broken=broken,
        kind=_kinds(request, suite_at(suites_of(request)[name]))[found.sample.task],
        unanswerable=UNANSWERABLE in found.sample.tags,
        suites=[one for one in suites_of(request) if one != name],
        longest=LONGEST,
        typed=values,
    )


@dataclass(frozen=True)
class _Typed:
    """What somebody typed into the form of a question, and where it is to go."""

    id: Id
    question: Text = ""
    answer: Text = ""
    suite: Text = ""

    @property
    def words(self) -> dict[str, str]:
        """What the form shows again."""
        return {"question": self.question, "answer": self.answer, "suite": self.suite}


Typed = Annotated[_Typed, Depends()]


@router.post("/written/{name}/look", responses={404: {}})
def look(request: Request, owner: Owner, name: str, typed: Typed) -> Response:
    """The question with what was typed held against the rules; nothing is written."""
    found = _one(request, _written(request, name), typed.id)
    return _page(request, name, found, typed.words)


@router.post("/written/{name}/accept", responses={303: {}, 400: {}, 404: {}})
def take(request: Request, owner: Owner, name: str, typed: Typed) -> Response:
    """Put the question into a suite, as `benchbar suite accept --into` does."""
    written = _written(request, name)
    found = _one(request, written, typed.id)
    into = place_for(request, typed.suite)
    if isinstance(into, str):
        return _page(request, name, found, typed.words, status=400, problem=words_of(request)(into))
    try:
        sample = written.accept(typed.id, into, by=owner.name, question=typed.question, answer=typed.answer)
    except UserError as error:
        return _page(request, name, found, typed.words, status=400, problem=str(error))
    with app_state(request).database.transaction() as now:
        audit.note(now, owner.name, "question_accepted", f"{name}/{sample.id}", suite=into.name)
    return _following(name, written)


@router.post("/written/{name}/reject", responses={303: {}, 400: {}, 404: {}})
def turn_down(request: Request, owner: Owner, name: str, id: Id, reason: Text = "") -> Response:  # noqa: A002
    """Have it wait no more, as `benchbar suite accept --refuse` does."""
    written = _written(request, name)
    found = _one(request, written, id)
    try:
        written.reject(id, by=owner.name, reason=reason.strip())
    except UserError as error:
        return _page(request, name, found, {"reason": reason}, status=400, problem=str(error))
    with app_state(request).database.transaction() as now:
        audit.note(now, owner.name, "question_rejected", f"{name}/{id}")
    return _following(name, written)


def _following(name: str, written: WrittenQuestions) -> Response:
    """On to the next question that waits; back to the list after the last one."""
    path = f"/written/{quote(name, safe='')}"
    waiting = written.open()
    return RedirectResponse(f"{path}/question?id={quote(waiting[0].sample.id, safe='')}" if waiting else path, 303)


AREA = Area("written", router, (Entry("/written", "nav.written", frozenset({Role.OWNER}), "people"),))
