"""The pages of people who answer as an assistant: one question after another, blind to guidance and to all other answers."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from markupsafe import Markup

from benchbar.ledger.opening import ledger_of
from benchbar.records import Turn
from benchbar.records.errors import BenchbarError, UserError
from benchbar.runs.manifest import read_manifest
from benchbar.web.area import Area, Entry
from benchbar.web.independence import marked_elsewhere
from benchbar.web.markdown import as_html, as_text
from benchbar.web.masking import masked
from benchbar.web.matters import matter_of, visible_names
from benchbar.web.pages import page, words_of
from benchbar.web.people import Person, Role
from benchbar.web.question_queue import LONGEST_ANSWER, QuestionProgress, QuestionQueue, read_draft
from benchbar.web.queue import LONGEST_REASON, TakenError
from benchbar.web.run_queues import questions_id, streams_of
from benchbar.web.sessions import allowed
from benchbar.web.state import app_state

router = APIRouter(tags=["questions"], default_response_class=HTMLResponse)
# Owners and viewers see samples with their guidance: what they wrote would be no blind answer.
Respondent = Annotated[Person, Depends(allowed(Role.REVIEWER))]
Text = Annotated[str, Form(max_length=2 * LONGEST_ANSWER)]
Visit = Annotated[str, Form(min_length=1, max_length=32)]
# A day at one page without a pause of a minute is a counter that is broken, not work.
Seconds = Annotated[float, Form(ge=0, le=24 * 3600)]


@dataclass(frozen=True)
class RunQuestions:
    """A run that asks people."""

    queue: QuestionQueue
    title: str
    """Of the matter, else the suite's name: the run's own may tell what is compared."""
    due: str
    progress: QuestionProgress


@router.get("/questions")
def questions(request: Request, person: Respondent) -> Response:
    """The runs that ask this person; where there is but one, its next question."""
    found = [one for name in visible_names(request) if (one := _of_run(request, name, person)) is not None]
    if len(found) == 1:
        return RedirectResponse(f"/questions/{found[0].queue.id}", 303)
    return page(request, "question_queues.html.j2", queues=found)


@router.get("/questions/{queue}")
def next_one(request: Request, person: Respondent, queue: str) -> Response:
    """The next question of this person, or word that nothing is left."""
    asked = _known(request, queue, person)
    found = asked.queue.take(person.name)
    if found is None:
        return page(request, "question_done.html.j2", asked=asked)
    lease, question = found
    draft = read_draft(lease.draft)
    return page(
        request,
        "question.html.j2",
        asked=asked,
        turns=_shown(request, question.turns),
        colleagues=len(question.people) > 1,
        nonce=lease.nonce,
        text=draft.text,
        seconds=draft.seconds,
        longest=LONGEST_ANSWER,
    )


@router.post("/questions/{queue}/{nonce}", responses={303: {}, 400: {}, 409: {}})
def answer(
    request: Request, person: Respondent, queue: str, nonce: str, text: Text, visit: Visit, seconds: Seconds
) -> Response:
    """Keep an answer and go on to the next question."""
    if not text.strip():
        raise UserError(words_of(request)("questions.empty"))
    return _given(request, person, queue, nonce, text, visit, seconds)


@router.post("/questions/{queue}/{nonce}/decline", responses={303: {}, 409: {}})
def decline(
    request: Request,
    person: Respondent,
    queue: str,
    nonce: str,
    reason: Annotated[str, Form(min_length=1, max_length=LONGEST_REASON)],
    visit: Visit,
    seconds: Seconds,
) -> Response:
    """Give no answer: the run counts it as one that failed, and goes on."""
    return _given(request, person, queue, nonce, "", visit, seconds, declined=reason)


@router.post("/questions/{queue}/{nonce}/leave", responses={303: {}})
def leave(
    request: Request,
    person: Respondent,
    queue: str,
    nonce: str,
    reason: Annotated[str, Form(min_length=1, max_length=LONGEST_REASON)],
) -> Response:
    """Leave the question to a colleague."""
    _known(request, queue, person).queue.leave(person.name, nonce, reason)
    return RedirectResponse(f"/questions/{queue}", 303)


@router.post("/questions/{queue}/{nonce}/draft", status_code=204, responses={409: {}})
def draft(
    request: Request, person: Respondent, queue: str, nonce: str, visit: Visit, seconds: Seconds, text: Text = ""
) -> Response:
    """Keep what is written so far, and how long it took."""
    try:
        _known(request, queue, person).queue.save(person.name, nonce, text, visit, seconds)
    except TakenError as error:
        raise HTTPException(409, words_of(request)("questions.taken")) from error
    return Response(status_code=204)


def _given(
    request: Request,
    person: Person,
    queue: str,
    nonce: str,
    text: str,
    visit: str,
    seconds: float,
    *,
    declined: str = "",
) -> Response:
    try:
        _known(request, queue, person).queue.answer(person.name, nonce, text, visit, seconds, declined=declined)
    except UserError as error:
        # With what was written: it went nowhere else, and its author may want it.
        problem = words_of(request)("questions.taken") if isinstance(error, TakenError) else str(error)
        return page(request, "question_taken.html.j2", status=409, queue=queue, text=text, problem=problem)
    return RedirectResponse(f"/questions/{queue}", 303)


def _shown(request: Request, turns: tuple[Turn, ...]) -> list[tuple[str, Markup]]:
    """What a model in the person's place would be sent, and nothing else."""
    masker = app_state(request).masker
    found = masked(turns, masker) if masker else turns
    return [(one.role, (as_html if one.role == "assistant" else as_text)(one.content, [])) for one in found]


def _known(request: Request, queue: str, person: Person) -> RunQuestions:
    """The questions of this name.

    Raises:
        HTTPException: there are none for this person; the answer is the same whether or not there is such a run.
    """
    web = app_state(request)
    for name in visible_names(request):
        if hmac.compare_digest(questions_id(web, name).encode(), queue.encode()):
            found = _of_run(request, name, person)
            if found is not None:
                return found
    raise HTTPException(404, words_of(request)("questions.none"))


def _of_run(request: Request, name: str, person: Person) -> RunQuestions | None:
    """What a run asks this person; None where it never did, or cannot be read."""
    web = app_state(request)
    run = web.config.runs / name
    try:
        ledger, manifest = ledger_of(run), read_manifest(run)
        # Opening a ledger that is not there would make it; one in a database costs a connection, also where nobody is asked.
        there = manifest is not None and (bool(manifest.spec.people) if isinstance(ledger, str) else ledger.is_file())
        if manifest is None or not there:
            return None
        stream = streams_of(request.app).of(run)
        closed = marked_elsewhere(request, person.name, name)
        queue = QuestionQueue(questions_id(web, name), stream, web.database, closed)
        progress = queue.progress(person.name)
    except BenchbarError:
        return None
    if not (progress.answered or progress.open or progress.passed or progress.conflicting):
        return None
    with web.database.transaction() as now:
        matter = matter_of(now, name)
    return RunQuestions(queue, matter.title or manifest.spec.suite.rpartition("/")[2], matter.due, progress)


AREA = Area("questions", router, (Entry("/questions", "nav.questions", frozenset({Role.REVIEWER}), "mark"),))
