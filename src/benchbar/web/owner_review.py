"""The owner's pages of a review: who is how far, how far people agree, the gate with their marks, and what they differ on."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Depends, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from benchbar.artefacts.layout import RunFolder
from benchbar.ledger.reviews import Count, Reviews, Status
from benchbar.measures.marked_spans import counted_passages
from benchbar.measures.raters import PeopleAgreement, agreement, with_others
from benchbar.records import ERRORS, Estimate, GateDecision, KeptMark, ReviewTask
from benchbar.records.errors import BenchbarError, UserError
from benchbar.reports.pages import called
from benchbar.web import audit, leases, matters, practice_store
from benchbar.web.area import Area, Entry
from benchbar.web.blind import blind
from benchbar.web.folders import REMEMBERED, folder_of, results_of
from benchbar.web.gating import GATE_TEXTS, gate_now
from benchbar.web.given_tasks import given_tasks
from benchbar.web.leases import Pace
from benchbar.web.mark_form import IncompleteFormError, MarkForm, judgement_of, of_mark, sent_form
from benchbar.web.marking_trail import ending
from benchbar.web.more_marks import asked_now
from benchbar.web.pages import page, words_of
from benchbar.web.people import Person, Role, add_person, everybody
from benchbar.web.practice_keys import practice_standing
from benchbar.web.queue import Queue
from benchbar.web.review_pages import SPAN_KEYS
from benchbar.web.run_queues import RunQueue, all_queues, queue_id, queue_of
from benchbar.web.sessions import Owner
from benchbar.web.state import app_state

router = APIRouter(tags=["marks"], default_response_class=HTMLResponse)
MOST_INVITED = 50


@dataclass(frozen=True)
class Picked:
    """A task that somebody picked by hand."""

    task: str
    sample: str
    assistant: str
    compared: bool
    status: str
    value: float | None


@dataclass(frozen=True)
class Standing:
    """How a review stands."""

    number: int
    """Of the last mark."""
    states: dict[Status, Count]
    """Of tasks about dialogues: open, differ, settled or disputed, to their number."""
    checks: dict[Status, Count]
    """The same of checks of a judge's decisions and of the simulated user's turns, which the majority settles."""
    raters: dict[str, Count]
    """Marks of each person."""
    with_others: dict[str, Estimate]
    """How often each person is of one mind with the others."""
    agreement: dict[str, PeopleAgreement]
    gate: GateDecision | None
    problem: str
    """Why there is no gate."""
    differing: tuple[str, ...]
    """Ids of tasks on which people differ."""
    picked: tuple[Picked, ...]
    """What was picked by hand, and counts in nothing above."""
    passages: dict[str, Counter[str]]
    """Assistant to kind to the number of passages that people marked."""
    invented: str
    """The jurisdiction of the law that citations were held against, where it is an invented one."""


@router.get("/queues")
def queues(request: Request, owner: Owner) -> Response:
    """All runs about which people are asked."""
    rows = [(asked.run.name, asked.queue.marks.ask(Reviews.states)) for asked in all_queues(request)]
    return page(request, "queues.html.j2", rows=rows)


@router.get("/queues/{run}")
def standing_page(request: Request, owner: Owner, run: str) -> Response:
    """How one review stands."""
    return _standing_page(request, run, made=())


@router.get("/queues/{run}/panel")
def panel(request: Request, owner: Owner, run: str) -> Response:
    """The numbers of the page alone, which it asks for again and again."""
    asked = _asked(request, run)
    paces = _paces(request, asked)
    return page(
        request,
        "queue_panel.html.j2",
        run=run,
        standing=_standing(asked),
        ending=ending(asked.run, asked.queue.marks),
        waits=_waiting(request, asked, _inside(request, run)),
        paces=paces,
        called=called,
        **GATE_TEXTS,
    )


@router.post("/queues/{run}/invite")
def invite(request: Request, owner: Owner, run: str, names: Annotated[str, Form(max_length=5000)]) -> Response:
    """Let several reviewers into this run at once; the page shows the links of those who are new, this once."""
    wanted = [name.strip() for name in names.splitlines() if name.strip()][:MOST_INVITED]
    _asked(request, run)
    return _standing_page(request, run, made=[_let_in(request, owner.name, run, name) for name in wanted])


def _let_in(request: Request, owner: str, run: str, name: str) -> tuple[str, str, str]:
    """Name, token of whoever is new, and why somebody was not let in."""
    web = app_state(request)
    # Only who marks already: a viewer of this name is told to be here, and keeps their role.
    known = next((one for one in everybody(web.database) if one.name == name and one.role is Role.REVIEWER), None)
    try:
        token = "" if known and known.revoked is None else add_person(web.database, name, Role.REVIEWER)
    except UserError as error:
        # The other names are still let in; the page says which was not.
        return name, "", str(error)
    with web.database.transaction() as now:
        number = known.id if known and not token else int(now.rows("SELECT id FROM person WHERE name = ?", name)[0][0])
        matters.add_member(now, number, run)
        audit.note(now, owner, "run_opened" if known else "person_added", name, role=Role.REVIEWER.value, run=run)
    return name, token, ""


@router.post("/queues/{run}/matter", responses={303: {}, 400: {}})
def describe(
    request: Request,
    owner: Owner,
    run: str,
    title: Annotated[str, Form(max_length=matters.LONGEST_TITLE)] = "",
    due: Annotated[str, Form(max_length=10)] = "",
    keep_until: Annotated[str, Form(max_length=10)] = "",
    guidelines: Annotated[str, Form(max_length=matters.LONGEST_GUIDELINES)] = "",
    *,
    ends: Annotated[bool, Form()] = False,
) -> Response:
    """Say what reviewers are to read of this run in place of its name, and by when their marks are wanted."""
    _asked(request, run)
    with app_state(request).database.transaction() as now:
        matters.describe(now, run, matters.Matter(title.strip(), due, keep_until, ends, guidelines.strip()))
        # Without the title, which may name a client: the log outlives the matter.
        said = {"due": due, "keep_until": keep_until, "ends": ends}
        audit.note(now, owner.name, "matter_described", run, **said)
    return RedirectResponse(f"/queues/{quote(run, safe='')}", 303)


@router.get("/queues/{run}/differ", responses={303: {}})
def differing(request: Request, owner: Owner, run: str) -> Response:
    """The first task on which people differ and that the owner may settle."""
    asked = _asked(request, run)

    def first(reviews: Reviews) -> str | None:
        return next(
            (
                task.id
                for task in reviews.tasks.values()
                # Whoever marked a task is a party to the difference, and cannot settle it.
                if not task.voted
                and reviews.status(task)[0] == "differ"
                and task.id not in reviews.of_rater.get(owner.name, {})
            ),
            None,
        )

    found = asked.queue.marks.ask(first)
    return RedirectResponse(f"/queues/{run}/differ/{found}" if found else f"/queues/{run}", 303)


@router.get("/queues/{run}/differ/{task}")
def difference(request: Request, owner: Owner, run: str, task: str) -> Response:
    """One task with everything that was said of it, to be settled."""
    return _difference(request, _asked(request, run), task, owner.name)


@router.post("/queues/{run}/differ/{task}", responses={303: {}, 400: {}})
def settle(
    request: Request, owner: Owner, run: str, task: str, given: Annotated[MarkForm, Depends(sent_form)]
) -> Response:
    """Settle it, and go on to the next."""
    asked = _asked(request, run)
    known = _task(asked.queue, task)
    shown = blind(app_state(request), asked.run, known, asked.queue.marks.ask(lambda all_: all_.sides(known)))
    if shown is None:
        raise HTTPException(410, words_of(request)("review.gone"))
    try:
        what = judgement_of(
            given, measure=known.measure, criteria=shown.criteria, points=shown.points, dialogues=shown.plain
        )
        asked.queue.adjudicate(owner.name, task, what)
    except IncompleteFormError as error:
        return _difference(request, asked, task, owner.name, given, words_of(request)(str(error)))
    except UserError as error:
        return _difference(request, asked, task, owner.name, given, str(error))
    return RedirectResponse(f"/queues/{run}/differ", 303)


def _standing_page(request: Request, run: str, made: object) -> Response:
    asked, web = _asked(request, run), app_state(request)
    with web.database.transaction() as now:
        skipped = leases.skipped(now, asked.queue.id)
    inside = _inside(request, run)
    return page(
        request,
        "queue.html.j2",
        run=run,
        standing=_standing(asked),
        ending=ending(asked.run, asked.queue.marks),
        waits=_waiting(request, asked, inside),
        paces=_paces(request, asked),
        skipped=skipped,
        given=given_tasks(request, run),
        practice=practice_standing(request, asked),
        matter=asked.matter,
        inside=inside,
        more=asked_now(asked.run),
        made=made,
        base=str(request.base_url),
        called=called,
        **GATE_TEXTS,
    )


def _inside(request: Request, run: str) -> list[Person]:
    """The reviewers who see this run's queue."""
    database = app_state(request).database
    with database.transaction() as now:
        own = matters.members(now, run)
    return [
        one
        for one in everybody(database)
        if one.role is Role.REVIEWER and one.revoked is None and (one.every_run or one.id in own)
    ]


@dataclass(frozen=True, slots=True)
class Waiting:
    """Tasks that wait and that nobody will mark as things are."""

    practice: int
    """Practice tasks, which are given to nobody as real ones."""
    short: int
    """Others that want more people than the reviewers of the run who may still mark them."""


def _waiting(request: Request, asked: RunQueue, inside: Sequence[Person]) -> Waiting:
    """How many of the tasks that wait will go on waiting."""
    names = [one.name for one in inside]
    answering: dict[str, set[str]] = {}
    with app_state(request).database.transaction() as now:
        keys = {one.task for one in practice_store.keys(now, asked.queue.id)}

    def short(reviews: Reviews, task: ReviewTask) -> bool:
        marked = {one.mark.rater for one in reviews.standing(task.id)}
        # Of a long queue most tasks need no closer look: there are people enough, whoever of them is left out.
        if len(names) - len(marked) > task.annotators + len(answering):
            return False
        free = [name for name in names if name not in marked and task.sample not in answering.get(name, ())]
        return len(free) < task.annotators - len(marked)

    def count(reviews: Reviews) -> Waiting:
        answering.update({name: found for name in names if (found := reviews.asked.concerns(name))})
        practice = sum(task in keys for task in reviews.waiting)
        return Waiting(practice, sum(short(reviews, one) for one in reviews.waiting.values() if one.id not in keys))

    return asked.queue.marks.ask(count)


def _paces(request: Request, asked: RunQueue) -> dict[str, Pace]:
    with app_state(request).database.transaction() as now:
        return leases.paces(now, asked.queue.id, time.time())


def _asked(request: Request, run: str) -> RunQueue:
    web = app_state(request)
    folder_of(web.config.runs, run)
    return queue_of(request, queue_id(web, run))


def _standing(asked: RunQueue) -> Standing:
    """Numbers of this moment, computed once for each further mark."""
    return asked.queue.marks.ask(
        lambda reviews: REMEMBERED.get(
            ("standing", asked.run, reviews.number),
            (RunFolder(asked.run).results,),
            lambda: _stands(asked.run, reviews),
        )
    )


def _stands(run: Path, reviews: Reviews) -> Standing:
    gate, problem = None, ""
    try:
        gate = gate_now(run, reviews)
    except BenchbarError as error:
        problem = str(error)
    return Standing(
        number=reviews.number,
        states=reviews.states(),
        checks=reviews.states(voted=True),
        picked=tuple(
            Picked(task.id, task.sample, task.assistant, task.compared, *reviews.status(task))
            for task in reviews.tasks.values()
            if task.picked
        ),
        raters=reviews.marks_of(),
        with_others=with_others(reviews),
        agreement=agreement(reviews),
        passages=counted_passages(reviews),
        gate=gate,
        problem=problem,
        differing=tuple(
            task.id for task in reviews.tasks.values() if not task.voted and reviews.status(task)[0] == "differ"
        ),
        # Without results there is no gate, and no citation was counted.
        invented=(results_of(run).invented_law or "") if gate else "",
    )


def _task(queue: Queue, task: str) -> ReviewTask:
    found = queue.marks.ask(lambda reviews: reviews.tasks.get(task))
    if found is None:
        raise HTTPException(404, "there is no such task")
    return found


def _difference(
    request: Request, asked: RunQueue, task: str, owner: str, given: MarkForm | None = None, problem: str = ""
) -> Response:
    known = _task(asked.queue, task)

    def look(reviews: Reviews) -> tuple[tuple[str, ...], list[tuple[KeptMark, float | None]]]:
        compared = known.compared
        marks = [
            (one, reviews.outcome(known, one.mark.value) if compared and one.mark.value is not None else one.mark.value)
            for one in reviews.standing(task)
        ]
        return reviews.sides(known), marks

    sides, marks = asked.queue.marks.ask(look)
    shown = blind(app_state(request), asked.run, known, sides)
    if shown is None:
        raise HTTPException(410, words_of(request)("review.gone"))
    before = [one for one in marks if one[0].mark.adjudication]
    form = given or MarkForm()
    if given is None and before:
        form = of_mark(*before[-1], shown.points, measure=known.measure, swapped=sides[0] != known.assistant)
    return page(
        request,
        "difference.html.j2",
        status=400 if problem else 200,
        run=asked.run.name,
        task=task,
        shown=shown,
        measure=known.measure,
        errors=ERRORS,
        span_keys=SPAN_KEYS,
        form=form,
        marks=[one for one in marks if not one[0].mark.adjudication],
        # The template then says why there is no form.
        own=any(one.mark.rater == owner and not one.mark.adjudication for one, _ in marks),
        problem=problem,
    )


AREA = Area("owner_review", router, (Entry("/queues", "nav.queues", frozenset({Role.OWNER}), "mark"),))
