"""How tasks stand that an owner gave to people by name, for the pages that show them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fastapi import Request

from benchbar.ledger.reviews import Reviews
from benchbar.records import ReviewTask
from benchbar.web import leases
from benchbar.web.folders import reviews_of
from benchbar.web.people import raters
from benchbar.web.run_queues import queue_id
from benchbar.web.state import app_state


@dataclass(frozen=True, slots=True)
class GivenTask:
    """A task that waits for one person, or that they have marked or passed over."""

    task: ReviewTask
    person: str
    by: str
    """Who asks."""
    state: Literal["waits", "marked", "passed", "gone", "settled"]
    """``gone``: the person is let into the run no more; ``settled``: others settled it without them."""
    reason: str = ""
    """Why it was passed over."""

    @property
    def may_go_back(self) -> bool:
        """Whether it can be taken back: while this person has marked nothing."""
        return self.state != "marked"


@dataclass(frozen=True, slots=True)
class GivenTasks:
    """What was given, and to whom more can be given."""

    rows: tuple[GivenTask, ...]
    people: tuple[str, ...]
    """Those who may mark in the run."""


def given_tasks(request: Request, run: str, sample: str | None = None) -> GivenTasks:
    """The tasks of a run that were given by name, of one sample alone where it is named."""
    web = app_state(request)
    reviews, queue = reviews_of(web.config.runs / run), queue_id(web, run)
    with web.database.transaction() as now:
        passed = {(task, rater): reason for task, rater, reason in leases.skipped(now, queue)}
        people = tuple(one.name for one in raters(now, run))
    rows = tuple(
        _row(reviews, reviews.tasks[id_], person, by, passed, people)
        for id_, person, by in reviews.assigned.all()
        if id_ in reviews.tasks and sample in {None, reviews.tasks[id_].sample}
    )
    return GivenTasks(rows, people)


def _row(
    reviews: Reviews,
    task: ReviewTask,
    person: str,
    by: str,
    passed: dict[tuple[str, str], str],
    people: tuple[str, ...],
) -> GivenTask:
    if any(one.mark.rater == person for one in reviews.standing(task.id)):
        return GivenTask(task, person, by, "marked")
    if (task.id, person) in passed:
        return GivenTask(task, person, by, "passed", passed[task.id, person])
    if task.id not in reviews.waiting:
        return GivenTask(task, person, by, "settled")
    return GivenTask(task, person, by, "waits" if person in people else "gone")
