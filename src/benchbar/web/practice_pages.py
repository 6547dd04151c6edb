"""The pages of practice before a queue: a task in the form of a mark, then what differs from its key, and why the key is right."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Path, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from benchbar.records import ERRORS
from benchbar.web import practice_store
from benchbar.web.area import Area
from benchbar.web.independence import answered_elsewhere
from benchbar.web.mark_form import IncompleteFormError, MarkForm, sent_form
from benchbar.web.pages import page, words_of
from benchbar.web.practice import Practice, PracticeTask, kept, practice_of, share_of
from benchbar.web.review_pages import SPAN_KEYS
from benchbar.web.run_queues import RunQueue, queue_of
from benchbar.web.sessions import Rater
from benchbar.web.state import app_state

router = APIRouter(tags=["review"], default_response_class=HTMLResponse)
Number = Annotated[int, Path(ge=1, le=100_000)]


@router.get("/review/{queue}/practice", responses={303: {}})
def practice_page(request: Request, rater: Rater, queue: str) -> Response:
    """The next practice task; after the last one, how all of them went, and the way on to the queue."""
    _, found = _of(request, rater.name, queue)
    if found.waiting is not None:
        return RedirectResponse(f"/review/{queue}/practice/{found.waiting.key.place}", 303)
    if not found.tasks:
        return RedirectResponse(f"/review/{queue}", 303)
    rows = [(number, one, share_of([one], found.answers)) for number, one in enumerate(found.tasks, start=1)]
    return page(request, "practice.html.j2", queue=queue, rows=rows, found=found)


@router.get("/review/{queue}/practice/{number}", responses={404: {}})
def practice_task(request: Request, rater: Rater, queue: str, number: Number) -> Response:
    """One practice task, to be marked, also once more."""
    asked, found = _of(request, rater.name, queue)
    return _task_page(request, asked, found, _numbered(found, number), MarkForm())


@router.post("/review/{queue}/practice/{number}", responses={303: {}, 400: {}, 404: {}})
def answer(
    request: Request, rater: Rater, queue: str, number: Number, given: Annotated[MarkForm, Depends(sent_form)]
) -> Response:
    """Keep what was said, apart from all marks, and show it beside the key."""
    asked, found = _of(request, rater.name, queue)
    one = _numbered(found, number)
    try:
        one.said(given)
    except IncompleteFormError as error:
        return _task_page(request, asked, found, one, given, problem=words_of(request)(str(error)))
    with app_state(request).database.transaction() as now:
        practice_store.answer(now, asked.queue.id, one.task.id, rater.name, kept(given))
    return RedirectResponse(f"/review/{queue}/practice/{number}/feedback", 303)


@router.get("/review/{queue}/practice/{number}/feedback", responses={404: {}})
def feedback(request: Request, rater: Rater, queue: str, number: Number) -> Response:
    """Their marks beside the key, field by field, and the owner's sentence; for nobody who has not answered."""
    asked, found = _of(request, rater.name, queue)
    one = _numbered(found, number)
    if one.task.id not in found.answers:
        raise HTTPException(404, "there is no such practice task")
    fields = one.compared(found.answers[one.task.id].latest)
    return page(
        request,
        "practice_feedback.html.j2",
        queue=queue,
        one=one,
        shown=one.shown,
        measure=one.task.measure,
        errors=ERRORS,
        span_keys=SPAN_KEYS,
        fields=fields,
        place=_place(found, one),
        guidelines=asked.matter.guidelines,
    )


def _of(request: Request, rater: str, queue: str) -> tuple[RunQueue, Practice]:
    asked = queue_of(request, queue)
    return asked, practice_of(request, asked, rater, answered_elsewhere(request, rater, asked.run.name))


def _numbered(found: Practice, number: int) -> PracticeTask:
    one = next((one for one in found.tasks if one.key.place == number), None)
    if one is None:
        raise HTTPException(404, "there is no such practice task")
    return one


def _place(found: Practice, one: PracticeTask) -> tuple[int, int]:
    """Which of how many it is."""
    return found.tasks.index(one) + 1, len(found.tasks)


def _task_page(
    request: Request, asked: RunQueue, found: Practice, one: PracticeTask, form: MarkForm, problem: str = ""
) -> Response:
    return page(
        request,
        "review_task.html.j2",
        status=400 if problem else 200,
        queue=asked.queue.id,
        shown=one.shown,
        measure=one.task.measure,
        errors=ERRORS,
        span_keys=SPAN_KEYS,
        last="",
        guidelines=asked.matter.guidelines,
        kind=one.task.kind,
        form=form,
        action=f"/review/{asked.queue.id}/practice/{one.key.place}",
        lease="",
        problem=problem,
        practice=_place(found, one),
        asked_by="",
    )


AREA = Area("practice", router, schema=practice_store.SCHEMA)
