"""An owner gives one assistant's answer to a sample to one person by name, to be marked first, and takes it back while nothing is marked."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from benchbar.ledger.reviews import Reviews
from benchbar.records import Assignment, ReviewTask
from benchbar.records.errors import UserError
from benchbar.reports.verdicts import everyone
from benchbar.web.area import Area
from benchbar.web.folders import results_of
from benchbar.web.independence import answered_elsewhere
from benchbar.web.matters import visible_run
from benchbar.web.people import LONGEST_NAME
from benchbar.web.picking import Id, into_queue
from benchbar.web.run_queues import RunQueue, queue_in
from benchbar.web.sample_index import index_of
from benchbar.web.sessions import Owner
from benchbar.web.state import app_state

router = APIRouter(tags=["samples"], default_response_class=HTMLResponse)
PersonName = Annotated[str, Form(max_length=LONGEST_NAME)]


@router.post("/runs/{name}/give", responses={303: {}, 400: {}, 404: {}})
def give(request: Request, owner: Owner, name: str, sample: Id, assistant: Id, person: PersonName) -> Response:
    """Give an answer to one person; one that nobody is asked about yet comes into the queue, picked by hand."""
    folder = visible_run(request, name)
    results = results_of(folder)
    index = index_of(folder, app_state(request).config.own, results)
    if index.find(sample) is None or assistant not in everyone(results):
        raise HTTPException(404, "this run has no such answer")
    asked = queue_in(request, name)
    # Before anything comes into the queue: nobody gets a task of a matter that they are not let into.
    asked.queue.admit(person)
    plan, readable = into_queue(asked.queue.marks, results, index, [sample], assistant)
    if not readable:
        raise UserError("there is no answer to read: this dialogue failed, or the one beside it")
    task = plan.tasks[0] if plan.tasks else _known(asked, sample, assistant, person)
    closed = answered_elsewhere(request, person, folder.name)
    asked.queue.give(Assignment(task=task.id, person=person, by=owner.name), closed)
    return _to_sample(folder.name, sample)


@router.post("/runs/{name}/take-back", responses={303: {}, 400: {}, 404: {}})
def take_back(request: Request, owner: Owner, name: str, task: Id, person: PersonName) -> Response:
    """Take a task back that was given by name, while that person has marked nothing; it stays in the queue for all."""
    asked = queue_in(request, name)
    known = asked.queue.marks.ask(lambda reviews: reviews.tasks.get(task))
    if known is None:
        raise HTTPException(404, "there is no such task")
    asked.queue.take_back(owner.name, task, person)
    return _to_sample(asked.run.name, known.sample)


def _known(asked: RunQueue, sample: str, assistant: str, person: str) -> ReviewTask:
    """The task about an answer that people are asked about already: one that this person may still mark, if there is one."""

    def found(reviews: Reviews) -> list[ReviewTask]:
        about = [
            task
            for task in reviews.tasks.values()
            if (task.sample, task.assistant, task.kind) == (sample, assistant, "dialogues")
        ]
        # One that was drawn counts in estimates; one that was picked counts nowhere.
        return sorted(about, key=lambda task: (not _open(reviews, task, person), task.picked))

    return asked.queue.marks.ask(found)[0]


def _open(reviews: Reviews, task: ReviewTask, person: str) -> bool:
    return task.id in reviews.waiting and all(one.mark.rater != person for one in reviews.standing(task.id))


def _to_sample(run: str, sample: str) -> Response:
    return RedirectResponse(f"/runs/{quote(run, safe='')}/samples/{quote(sample, safe='')}#given", 303)


AREA = Area("giving", router)
