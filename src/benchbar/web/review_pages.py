"""The pages of somebody who marks: the next task, drafts, marks, corrections; blind in everything that is sent."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

from fastapi import APIRouter, Depends, Form, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from benchbar.ledger.reviews import Reviews
from benchbar.records import ERRORS, SPANS, KeptMark, ReviewTask
from benchbar.web import leases
from benchbar.web.area import Area, Entry
from benchbar.web.blind import BlindTask, blind
from benchbar.web.independence import answered_elsewhere
from benchbar.web.mark_form import IncompleteFormError, MarkForm, draft_of, judgement_of, of_draft, of_mark, sent_form
from benchbar.web.pages import page, words_of
from benchbar.web.people import Role
from benchbar.web.practice import practice_of, practice_tasks
from benchbar.web.queue import TakenError
from benchbar.web.run_queues import RunQueue, all_queues, close_streams, open_streams, queue_of
from benchbar.web.sessions import Rater
from benchbar.web.state import app_state

router = APIRouter(tags=["review"], default_response_class=HTMLResponse)
GIVEN = Annotated[MarkForm, Depends(sent_form)]
# A laptop left open overnight would make the median useless; a longer day at one task is not believed.
LONGEST_TIME = 6 * 3600.0
# Letters that do nothing else while a task is marked, the same in every language: keyboards differ, and so do words.
SPAN_KEYS = dict(zip(SPANS, "woifxk", strict=True))
"""What a passage is marked as, to the key that does so."""
SHOWN = 200
"""Own marks on one page."""


@router.get("/review", responses={303: {}})
def review(request: Request, rater: Rater) -> Response:
    """The queues; where there is but one, its next task."""
    # Most reviewers have a single queue: a list of one is a click for nothing.
    queues = all_queues(request)
    if len(queues) == 1:
        return RedirectResponse(f"/review/{queues[0].queue.id}", 303)
    shown = [
        (asked, asked.queue.progress(rater.name, answered_elsewhere(request, rater.name, asked.run.name)))
        for asked in queues
    ]
    titles = Counter(asked.matter.title or asked.suite for asked, _ in shown)
    return page(request, "review_queues.html.j2", queues=shown, titles=titles, owns=rater.role is Role.OWNER)


@router.get("/review/{queue}", responses={303: {}})
def next_one(request: Request, rater: Rater, queue: str, kind: Annotated[str, Query(max_length=10)] = "") -> Response:
    """The next task of this person, of the kind that was asked for if there is one, or word that nothing is left."""
    asked = queue_of(request, queue)
    closed = answered_elsewhere(request, rater.name, asked.run.name)
    practice = practice_of(request, asked, rater.name, closed)
    # An owner knows the keys.
    if rater.role is Role.REVIEWER and (practice.waiting is not None or practice.below):
        return RedirectResponse(f"/review/{queue}/practice", 303)
    found = asked.queue.take(rater.name, kind, closed)
    if found is None:
        progress = asked.queue.progress(rater.name, closed)
        return page(request, "review_done.html.j2", queue=asked.queue.id, progress=progress, practised=practice.tasks)
    lease, task = found
    form = of_draft(lease.draft)
    return _task_page(
        request, asked, task, form, rater.name, action=f"/review/{queue}/{lease.nonce}", lease=lease.nonce
    )


@router.post("/review/{queue}/{nonce}", responses={303: {}, 400: {}, 409: {}})
def mark(
    request: Request,
    rater: Rater,
    queue: str,
    nonce: str,
    given: GIVEN,
    seconds: Annotated[float | None, Form(ge=0, le=LONGEST_TIME)] = None,
) -> Response:
    """Keep a mark and go on to the next task."""
    asked = queue_of(request, queue)
    task = _task_of(request, asked, rater.name, nonce)
    if task is None:
        # Sent twice, or after the lease had gone: the queue tells which.
        return _lost(request, asked, rater.name, nonce)
    shown = _shown(request, asked, task)
    # Read with what was shown: criteria and points decide what the fields mean.
    try:
        what = judgement_of(
            given, measure=task.measure, criteria=shown.criteria, points=shown.points, dialogues=shown.plain
        )
    except IncompleteFormError as error:
        problem = words_of(request)(str(error))
        action = f"/review/{queue}/{nonce}"
        # The same page with what was written: a wrong number must not cost a long reason.
        return _task_page(
            request, asked, task, given, rater.name, action=action, lease=nonce, problem=problem, status=400
        )
    try:
        asked.queue.mark(rater.name, nonce, what, seconds)
    except TakenError:
        return _lost(request, asked, rater.name, nonce)
    return _onwards(queue, task)


def _onwards(queue: str, task: ReviewTask | None) -> Response:
    """To the next task of the same kind: to change from a judge's decisions to advice and back costs more than either."""
    kind = f"?kind={task.kind}" if task and task.voted else ""
    return RedirectResponse(f"/review/{queue}{kind}", 303)


@router.post("/review/{queue}/{nonce}/draft", status_code=204, responses={409: {}})
def draft(request: Request, rater: Rater, queue: str, nonce: str, given: GIVEN) -> Response:
    """Keep what is written so far, and the task for longer."""
    try:
        queue_of(request, queue).queue.save(rater.name, nonce, draft_of(given))
    except TakenError as error:
        raise HTTPException(409, words_of(request)("review.taken")) from error
    return Response(status_code=204)


@router.post("/review/{queue}/{nonce}/skip", responses={303: {}})
def skip(
    request: Request,
    rater: Rater,
    queue: str,
    nonce: str,
    reason: Annotated[str, Form(min_length=1, max_length=4000)],
) -> Response:
    """Pass a task over and go on to the next."""
    asked = queue_of(request, queue)
    task = _task_of(request, asked, rater.name, nonce)
    asked.queue.skip(rater.name, nonce, reason)
    return _onwards(queue, task)


@router.post("/review/{queue}/{nonce}/back", responses={303: {}})
def give_back(request: Request, rater: Rater, queue: str, nonce: str) -> Response:
    """Give a task back as if it had never been taken; the person sees their marks, and others may have it at once."""
    queue_of(request, queue).queue.give_back(rater.name, nonce)
    return RedirectResponse(f"/review/{queue}/mine", 303)


@router.post("/review/{queue}/take/again", responses={303: {}})
def again(request: Request, rater: Rater, queue: str) -> Response:
    """Have the tasks that were passed over once more."""
    queue_of(request, queue).queue.take_up(rater.name)
    return RedirectResponse(f"/review/{queue}", 303)


@router.get("/review/{queue}/mine")
def mine(request: Request, rater: Rater, queue: str) -> Response:
    """The marks that this person has made, the latest first."""
    asked = queue_of(request, queue)

    def own(reviews: Reviews) -> list[tuple[KeptMark, ReviewTask, float | None]]:
        kept = sorted(reviews.of_rater.get(rater.name, {}).values(), key=lambda one: -one.number)[:SHOWN]
        return [(one, reviews.tasks[one.mark.task], _as_shown(reviews, one)) for one in kept]

    rows = [(one, task, value, _needs(request, asked, task)) for one, task, value in asked.queue.marks.ask(own)]
    practised = practice_tasks(request, asked)
    return page(request, "review_mine.html.j2", queue=queue, rows=rows, errors=ERRORS, practised=practised)


@router.get("/review/{queue}/mine/{task}")
def own_mark(request: Request, rater: Rater, queue: str, task: str) -> Response:
    """One's own mark, to be corrected."""
    asked = queue_of(request, queue)
    kept, known, value, swapped = _own(asked, rater.name, task)
    points = _shown(request, asked, known).points
    form = of_mark(kept, value, points, measure=known.measure, swapped=swapped)
    return _task_page(request, asked, known, form, rater.name, action=f"/review/{queue}/mine/{task}")


@router.post("/review/{queue}/mine/{task}", responses={303: {}, 400: {}})
def correct(request: Request, rater: Rater, queue: str, task: str, given: GIVEN) -> Response:
    """Put another mark in its place; both are kept."""
    asked = queue_of(request, queue)
    _, known, _, _ = _own(asked, rater.name, task)
    shown = _shown(request, asked, known)
    try:
        what = judgement_of(
            given, measure=known.measure, criteria=shown.criteria, points=shown.points, dialogues=shown.plain
        )
    except IncompleteFormError as error:
        problem, action = words_of(request)(str(error)), f"/review/{queue}/mine/{task}"
        return _task_page(request, asked, known, given, rater.name, action=action, problem=problem, status=400)
    asked.queue.correct(rater.name, task, what)
    return RedirectResponse(f"/review/{queue}/mine", 303)


def _task_page(
    request: Request,
    asked: RunQueue,
    task: ReviewTask,
    form: MarkForm,
    rater: str,
    *,
    action: str,
    lease: str = "",
    problem: str = "",
    status: int = 200,
) -> Response:
    return page(
        request,
        "review_task.html.j2",
        status=status,
        queue=asked.queue.id,
        shown=_shown(request, asked, task),
        measure=task.measure,
        errors=ERRORS,
        span_keys=SPAN_KEYS,
        last=_last(asked, rater),
        guidelines=asked.matter.guidelines,
        kind=task.kind,
        form=form,
        action=action,
        lease=lease,
        problem=problem,
        practice=None,
        asked_by=asked.queue.marks.ask(lambda reviews: reviews.assigned.people(task.id).get(rater, ""))
        if lease
        else "",
        progress=asked.queue.progress(rater, answered_elsewhere(request, rater, asked.run.name)),
    )


def _last(asked: RunQueue, rater: str) -> str:
    """The task that this person marked last, to be taken back; empty before the first."""
    own = asked.queue.marks.ask(lambda reviews: list(reviews.of_rater.get(rater, {}).values()))
    return max(own, key=lambda one: one.number).mark.task if own else ""


def _shown(request: Request, asked: RunQueue, task: ReviewTask) -> BlindTask:
    sides = asked.queue.marks.ask(lambda reviews: reviews.sides(task))
    found = blind(app_state(request), asked.run, task, sides)
    if found is None:
        raise HTTPException(410, words_of(request)("review.gone"))
    return found


def _needs(request: Request, asked: RunQueue, task: ReviewTask) -> str:
    sample = _shown(request, asked, task).sample
    return sample.needs if sample else ""


def _task_of(request: Request, asked: RunQueue, rater: str, nonce: str) -> ReviewTask | None:
    """The task that a lease of this person is of."""
    with app_state(request).database.transaction() as now:
        lease = leases.by_nonce(now, asked.queue.id, rater, nonce)
    return asked.queue.marks.ask(lambda reviews: reviews.tasks.get(lease.task)) if lease else None


def _lost(request: Request, asked: RunQueue, rater: str, nonce: str) -> Response:
    with app_state(request).database.transaction() as now:
        done = leases.finished(now, asked.queue.id, rater, nonce)
    # The form was sent twice and the mark is kept: no reason to frighten anybody.
    if done is not None:
        return RedirectResponse(f"/review/{asked.queue.id}", 303)
    return page(request, "review_taken.html.j2", status=409, queue=asked.queue.id)


def _own(asked: RunQueue, rater: str, task: str) -> tuple[KeptMark, ReviewTask, float | None, bool]:
    """One's own mark, its task, its value for the dialogue shown first, and whether the reference is shown first."""

    def find(reviews: Reviews) -> tuple[KeptMark, ReviewTask, float | None, bool] | None:
        kept, known = reviews.of_rater.get(rater, {}).get(task), reviews.tasks.get(task)
        if kept is None or known is None:
            return None
        return kept, known, _as_shown(reviews, kept), reviews.sides(known)[0] != known.assistant

    found = asked.queue.marks.ask(find)
    if found is None:
        raise HTTPException(404, "you have no mark of this task")
    return found


def _as_shown(reviews: Reviews, kept: KeptMark) -> float | None:
    """The value of a mark for the dialogue that is shown first."""
    task, value = reviews.tasks[kept.mark.task], kept.mark.value
    return value if value is None or not task.compared else reviews.outcome(task, value)


RATERS = frozenset({Role.OWNER, Role.REVIEWER})
AREA = Area(
    "review",
    router,
    (Entry("/review", "nav.review", RATERS, "mark"),),
    leases.SCHEMA,
    opened=open_streams,
    closed=close_streams,
)
