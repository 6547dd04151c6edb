"""The owner's side of practice: tasks with their keys, how each reviewer did on them, and how well they have to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Depends, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from msgspec.structs import replace

from benchbar.ledger.reviews import Reviews
from benchbar.records import ERRORS, KeptMark, ReviewTask
from benchbar.records.errors import UserError
from benchbar.web import audit, practice_store
from benchbar.web.area import Area
from benchbar.web.blind import blind
from benchbar.web.independence import answered_elsewhere
from benchbar.web.mark_form import IncompleteFormError, MarkForm, of_draft, sent_form
from benchbar.web.pages import page, words_of
from benchbar.web.practice import Practice, PracticeTask, kept, practice_of, practice_tasks, settled_form
from benchbar.web.practice_store import LONGEST_SENTENCE, Key
from benchbar.web.review_pages import SPAN_KEYS
from benchbar.web.run_queues import RunQueue, queue_id, queue_of
from benchbar.web.sessions import Owner
from benchbar.web.state import app_state

router = APIRouter(tags=["marks"], default_response_class=HTMLResponse)
LISTED = 100
"""Tasks of either kind to choose from on one page."""


@dataclass(frozen=True)
class PracticeStanding:
    """What the owner sees of a queue's practice."""

    tasks: tuple[PracticeTask, ...]
    people: dict[str, Practice]
    """Of everybody who answered a practice task."""
    least: int | None
    settled: tuple[ReviewTask, ...]
    """Tasks that may be made practice tasks: the settled ones, whose marks fill the key in."""
    unmarked: tuple[ReviewTask, ...]
    """Those that nobody has marked yet, which are then given out for practice alone."""


def practice_standing(request: Request, asked: RunQueue) -> PracticeStanding:
    """How the practice of a queue stands."""
    with app_state(request).database.transaction() as now:
        names = list(practice_store.answers(now, asked.queue.id))
        least = practice_store.least(now, asked.queue.id)
    tasks = practice_tasks(request, asked)
    known = {one.task.id for one in tasks}

    def free(reviews: Reviews) -> tuple[tuple[ReviewTask, ...], tuple[ReviewTask, ...]]:
        found = [task for task in reviews.tasks.values() if task.id not in known]
        settled = [task for task in found if reviews.status(task)[0] == "settled"]
        unmarked = [task for task in found if not reviews.standing(task.id)]
        return tuple(settled[:LISTED]), tuple(unmarked[:LISTED])

    people = {
        name: practice_of(request, asked, name, answered_elsewhere(request, name, asked.run.name)) for name in names
    }
    return PracticeStanding(tuple(tasks), people, least, *asked.queue.marks.ask(free))


@router.get("/queues/{run}/practice/{task}", responses={404: {}, 410: {}})
def key_page(request: Request, owner: Owner, run: str, task: str) -> Response:
    """The key of one task: as it was set, else what its settled marks say, else an empty form."""
    asked = _asked(request, run)
    before = _key(request, asked, task)
    one, form = _found(request, asked, task, before)
    if before is not None:
        form = replace(of_draft(before.form), reason=before.sentence)
    return _key_page(request, run, one, form, known=before is not None)


@router.post("/queues/{run}/practice/{task}", responses={303: {}, 400: {}, 404: {}, 410: {}})
def set_key(
    request: Request,
    owner: Owner,
    run: str,
    task: str,
    given: Annotated[MarkForm, Depends(sent_form)],
) -> Response:
    """Make it a practice task with this key; the reason is the sentence that reviewers read beside it."""
    asked = _asked(request, run)
    before = _key(request, asked, task)
    one, _ = _found(request, asked, task, before)
    if problem := _problem(one, given):
        return _key_page(request, run, one, given, known=before is not None, problem=words_of(request)(problem))
    with app_state(request).database.transaction() as now:
        fits = practice_store.set_key(now, asked.queue.id, task, kept(given), _sentence(given))
        if fits:
            # Without the sentence, which may say of a client what the log would outlive.
            audit.note(now, owner.name, "practice_key", task)
    if not fits:
        return _key_page(request, run, one, given, known=False, problem=words_of(request)("practice.most"))
    return _back(run)


def _sentence(given: MarkForm) -> str:
    return " ".join(given.reason.split())


def _problem(one: PracticeTask, given: MarkForm) -> str:
    """The key of the words that say why this can be no key; empty where it can."""
    try:
        one.said(given)
    except IncompleteFormError as error:
        return str(error)
    return "" if 0 < len(_sentence(given)) <= LONGEST_SENTENCE else "practice.sentence_first"


@router.post("/queues/{run}/practice/{task}/out", responses={303: {}, 404: {}})
def take_out(request: Request, owner: Owner, run: str, task: str) -> Response:
    """Make it no practice task any more."""
    queue = _asked(request, run).queue.id
    with app_state(request).database.transaction() as now:
        if practice_store.take_out(now, queue, task):
            audit.note(now, owner.name, "practice_out", task)
    return _back(run)


@router.post("/queues/{run}/practice-least", responses={303: {}, 400: {}, 404: {}})
def require(request: Request, owner: Owner, run: str, least: Annotated[str, Form(max_length=5)] = "") -> Response:
    """Require a share of fields as the key before anybody marks; nothing requires none."""
    queue, text = _asked(request, run).queue.id, least.strip()
    if text and not (text.isascii() and text.isdigit() and int(text) <= 100):
        raise UserError(words_of(request)("practice.least_range"))
    with app_state(request).database.transaction() as now:
        practice_store.require(now, queue, int(text) if text else None)
        audit.note(now, owner.name, "practice_required", run, least=text or "–")
    return _back(run)


@router.post("/queues/{run}/practice-pass", responses={303: {}, 404: {}})
def let_through(
    request: Request, owner: Owner, run: str, name: Annotated[str, Form(min_length=1, max_length=80)]
) -> Response:
    """Let somebody go on to the queue whose practice was below what is required."""
    queue = _asked(request, run).queue.id
    with app_state(request).database.transaction() as now:
        if name not in practice_store.answers(now, queue):
            raise HTTPException(404, "nobody of this name practised here")
        practice_store.let_through(now, queue, name)
        audit.note(now, owner.name, "practice_let_through", name, run=run)
    return _back(run)


def _back(run: str) -> Response:
    return RedirectResponse(f"/queues/{quote(run, safe='')}#practice", 303)


def _asked(request: Request, run: str) -> RunQueue:
    return queue_of(request, queue_id(app_state(request), run))


def _key(request: Request, asked: RunQueue, task: str) -> Key | None:
    with app_state(request).database.transaction() as now:
        return next((one for one in practice_store.keys(now, asked.queue.id) if one.task == task), None)


def _found(request: Request, asked: RunQueue, task: str, key: Key | None) -> tuple[PracticeTask, MarkForm]:
    """The task as practice would show it, and the key that its settled marks make."""

    def read(reviews: Reviews) -> tuple[ReviewTask, tuple[str, ...], float, list[KeptMark], float | None] | None:
        known = reviews.tasks.get(task)
        if known is None:
            return None
        status, value = reviews.status(known)
        marks = reviews.standing(task) if status == "settled" else []
        shown = value if value is None or not known.compared else reviews.outcome(known, value)
        return known, reviews.sides(known), reviews.agree(task), marks, shown

    found = asked.queue.marks.ask(read)
    if found is None:
        raise HTTPException(404, "there is no such task")
    known, sides, agree, marks, value = found
    shown = blind(app_state(request), asked.run, known, sides)
    if shown is None:
        raise HTTPException(410, words_of(request)("review.gone"))
    one = PracticeTask(key or Key(task, 0, "", ""), known, shown, agree)
    return one, settled_form(one, marks, value, swapped=sides[0] != known.assistant)


def _key_page(
    request: Request,
    run: str,
    one: PracticeTask,
    form: MarkForm,
    *,
    known: bool,
    problem: str = "",
) -> Response:
    return page(
        request,
        "practice_key.html.j2",
        status=400 if problem else 200,
        run=run,
        task=one.task.id,
        shown=one.shown,
        measure=one.task.measure,
        errors=ERRORS,
        span_keys=SPAN_KEYS,
        form=form,
        known=known,
        problem=problem,
    )


AREA = Area("practice_keys", router)
