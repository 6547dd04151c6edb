"""The owner's page of one person: how they get on in each matter, whom they agree with, and a reminder to copy."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, Response

from benchbar.artefacts.folder import read_comparisons, read_measures
from benchbar.artefacts.layout import RunFolder
from benchbar.ledger.reviews import Reviews
from benchbar.measures.health import looker
from benchbar.measures.reviewers import ReviewerAgreement, with_judge, with_other_people
from benchbar.measures.validation.preferences import JudgedPair, judged_pairs
from benchbar.records import GRADED
from benchbar.records.errors import BenchbarError
from benchbar.web import audit, leases
from benchbar.web.area import Area
from benchbar.web.folders import REMEMBERED
from benchbar.web.independence import answered_elsewhere
from benchbar.web.leases import Pace
from benchbar.web.matters import Matter, may_see
from benchbar.web.pages import page, words_of
from benchbar.web.people import Person, Role, renew_token
from benchbar.web.people_pages import Number, known_person
from benchbar.web.queue import Progress
from benchbar.web.run_queues import RunQueue, all_queues
from benchbar.web.sessions import Owner
from benchbar.web.state import app_state
from benchbar.web.words import Words, names, words

router = APIRouter(tags=["people"], default_response_class=HTMLResponse)
LEAST_TIMED = 3
"""Marks from which on a person's own pace says how long the rest will take."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How one person stands in one matter."""

    run: str
    matter: Matter
    suite: str
    progress: Progress
    pace: Pace | None
    """None before the first mark here."""
    others: tuple[ReviewerAgreement, ...]
    judge: tuple[ReviewerAgreement, ...]
    problem: str
    """Why nothing is said of the judge; empty where it is, or where there is none."""
    reminder: str
    """Empty where nothing waits for them."""


@router.get("/people/{number}")
def person_page(
    request: Request,
    owner: Owner,
    number: Number,
    language: Annotated[str, Query(max_length=35)] = "",
) -> Response:
    """How somebody gets on; reminders in their language, or in the one that is asked for."""
    return _person_page(request, known_person(request, number), language)


@router.post("/people/{number}/reminder", responses={404: {}})
def reminder_with_link(
    request: Request, owner: Owner, number: Number, language: Annotated[str, Form(max_length=35)] = ""
) -> Response:
    """The same with reminders that sign the person in, by a link that is shown this once and ends the one before."""
    person, web = known_person(request, number), app_state(request)
    token = renew_token(web.database, number)
    with web.database.transaction() as now:
        audit.note(now, owner.name, "link_renewed", person.name)
    return _person_page(request, known_person(request, number), language, token)


def _person_page(request: Request, person: Person, language: str, token: str = "") -> Response:
    tongue = next((one for one in (language, person.language, words_of(request).language) if one in names()), "en")
    standings = [] if person.role is Role.VIEWER else _standings(request, person, words(tongue), token)
    return page(
        request,
        "person.html.j2",
        one=person,
        standings=standings,
        tongue=tongue,
        least_timed=LEAST_TIMED,
        # With an identity provider everybody has a way in; without one, a link that was never used is the only one.
        needs_link=person.seen is None and app_state(request).config.oidc is None,
        linked=bool(token),
        looker=looker,
    )


def _standings(request: Request, person: Person, say: Words, token: str) -> list[Standing]:
    inside = may_see(app_state(request).database, person)
    found = []
    for asked in all_queues(request):
        if not inside(asked.run.name):
            continue
        # As on the person's own page: without what they answer as an assistant elsewhere.
        progress = asked.queue.progress(person.name, answered_elsewhere(request, person.name, asked.run.name))
        # An owner belongs to every run: one with nothing for them to mark, and nothing marked, is none of theirs.
        if person.role is Role.REVIEWER or progress.own.all or progress.open.all:
            found.append(_standing(request, person, asked, progress, say, token))
    return found


def _standing(
    request: Request, person: Person, asked: RunQueue, progress: Progress, say: Words, token: str
) -> Standing:
    with app_state(request).database.transaction() as now:
        pace = leases.paces(now, asked.queue.id, time.time()).get(person.name)
    others, judge, problem = asked.queue.marks.ask(lambda reviews: _agreement(asked.run, reviews, person.name))
    waits = progress.open.all and person.role is Role.REVIEWER and person.revoked is None
    return Standing(
        run=asked.run.name,
        matter=asked.matter,
        suite=asked.suite,
        progress=progress,
        pace=pace,
        others=others,
        judge=judge,
        problem=problem,
        reminder=_reminder(request, person, asked, progress, pace, say, token) if waits else "",
    )


def _reminder(
    request: Request,
    person: Person,
    asked: RunQueue,
    progress: Progress,
    pace: Pace | None,
    say: Words,
    token: str,
) -> str:
    """What the owner may send; it names the matter and never the run, which may tell whose answers are marked."""
    lines = [say("reminder.greeting", name=person.name), ""]
    title = asked.matter.title or asked.suite
    lines.append(say("reminder.tasks", title=title, n=say.count(progress.open.all)))
    if asked.matter.due:
        lines.append(say("reminder.due", day=say.day(asked.matter.due)))
    if pace and pace.timed >= LEAST_TIMED:
        lines.append(say("reminder.time", minutes=say.count(max(1, round(pace.seconds * progress.open.all / 60)))))
    lines += ["", *_way_in(request, person, f"review/{asked.queue.id}", say, token), "", say("reminder.thanks")]
    return "\n".join(lines)


def _way_in(request: Request, person: Person, path: str, say: Words, token: str) -> list[str]:
    """The address of the queue; for whoever has not come in yet, how they do."""
    base = str(request.base_url)
    if token:
        # Behind the # neither a server nor a log sees it; the form signs in and leads on to the queue.
        return [say("reminder.link"), f"{base}sign-in?next=/{path}#{urlencode({'name': person.name, 'token': token})}"]
    if person.seen is None and app_state(request).config.oidc is None:
        return [say("reminder.sign_in"), f"{base}{path}"]
    # Who is not signed in is led to the form and from there to the queue.
    return [f"{base}{path}"]


def _agreement(
    run: Path, reviews: Reviews, rater: str
) -> tuple[tuple[ReviewerAgreement, ...], tuple[ReviewerAgreement, ...], str]:
    """With the others, with the judge, and why the latter is not known; computed once for each further mark."""
    files = RunFolder(run).states("comparisons", "measures")

    def found() -> tuple[tuple[ReviewerAgreement, ...], tuple[ReviewerAgreement, ...], str]:
        others = with_other_people(reviews, rater)
        try:
            judged, grades = _said_by_run(run, reviews)
        # A run of an older version may lack a file; what people agree on is worth showing all the same.
        except BenchbarError as error:
            return others, (), str(error)
        return others, with_judge(reviews, rater, judged, grades), ""

    return REMEMBERED.get(("reviewer", run, rater, reviews.number), files, found)


Judged = dict[tuple[str, str], JudgedPair]
Grades = dict[tuple[str, str], float | None]


def _said_by_run(run: Path, reviews: Reviews) -> tuple[Judged, Grades]:
    """The verdicts and grades of the run on the dialogues that people are asked about, and no others."""
    asked = {(task.sample, task.assistant) for task in reviews.tasks.values()}

    def read() -> tuple[Judged, Grades]:
        verdicts = (one for one in read_comparisons(run) if (one.sample, one.left) in asked)
        graded = ((one.sample, one.assistant, one.values.get(GRADED)) for one in read_measures(run))
        return (
            judged_pairs(verdicts, {}),
            {(sample, name): value for sample, name, value in graded if (sample, name) in asked},
        )

    return REMEMBERED.get(
        ("said by run", run, len(reviews.plans)), RunFolder(run).states("comparisons", "measures"), read
    )


AREA = Area("reviewer_page", router)
