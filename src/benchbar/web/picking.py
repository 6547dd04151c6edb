"""Answers that an owner picks by hand from the list of samples, to be read and marked by people."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from benchbar.ledger.reviews import Reviews
from benchbar.records import COMPARED, ReviewPlan, RunResults
from benchbar.runs.reviewing import picked_by_hand
from benchbar.web import audit
from benchbar.web.area import Area
from benchbar.web.mark_stream import MarkStream
from benchbar.web.matters import visible_run
from benchbar.web.pages import words_of
from benchbar.web.run_queues import streams_of
from benchbar.web.sample_index import SampleIndex, Wanted
from benchbar.web.samples import LAST_PAGE, LONGEST, PER_PAGE, Chosen, asked_for, samples_page
from benchbar.web.sessions import Owner
from benchbar.web.state import app_state

router = APIRouter(tags=["samples"], default_response_class=HTMLResponse)
# More than people mark in a month; a slip of the finger should not fill a queue with 100,000 tasks.
MOST = 500
"""Answers that are added at a time."""
Id = Annotated[str, Form(max_length=LONGEST)]


@router.post("/runs/{name}/queue", responses={303: {}, 400: {}, 404: {}})
def pick(
    request: Request,
    owner: Owner,
    name: str,
    filters: Chosen,
    sample: Annotated[list[Id] | None, Form(max_length=PER_PAGE)] = None,
    every: Annotated[bool, Form()] = False,  # noqa: FBT002 - a field of a form
    number: Annotated[int, Form(alias="page", ge=1, le=LAST_PAGE)] = 1,
) -> Response:
    """Have people mark one assistant's answers to the samples that are ticked, or to all that the list holds."""
    folder, say = visible_run(request, name), words_of(request)
    results, index, wanted = asked_for(request, folder, filters)
    if not every:
        wanted = Wanted(ids=tuple(sample or ()))
    total = index.count(wanted)
    if not total:
        return samples_page(request, name, filters, number, problem=say("picked.none"))
    if total > MOST:
        return samples_page(request, name, filters, number, problem=say("picked.too_many", most=say.count(MOST)))
    ids = [one.id for one in index.page(wanted, 0, MOST)]
    of = filters.of(results)
    plan, answers = into_queue(streams_of(request.app).of(folder), results, index, ids, of)
    with app_state(request).database.transaction() as now:
        audit.note(now, owner.name, "answers_picked", folder.name, samples=len(plan.tasks))
    # Led back to the list as it was: an answer to the form itself would be sent anew by a reload, and lost by a change of language.
    told = {
        "added": len(plan.tasks),
        "known": answers - len(plan.tasks),
        "unreadable": len(ids) - answers,
        "page": number,
    }
    query = f"{filters.query}&" if filters.query else "?"
    return RedirectResponse(f"/runs/{quote(name, safe='')}/samples{query}{urlencode(told)}", 303)


def into_queue(
    stream: MarkStream, results: RunResults, index: SampleIndex, ids: list[str], of: str
) -> tuple[ReviewPlan, int]:
    """Have people asked about one assistant's answers to these samples, where they are not yet; how many can be read."""
    against = results.reference if stream.ask(_compared) and of != results.reference else ""
    readable = _readable(index, ids, (of, against) if against else (of,))
    answers = [(id_, of) for id_ in ids if id_ in readable]
    plan = stream.plan(
        lambda reviews, name: picked_by_hand(answers, reviews.tasks.values(), name=name, against=against)
    )
    return plan, len(answers)


def _compared(reviews: Reviews) -> bool:
    """Whether people hold two dialogues beside each other in this run: then they do so with what is picked as well."""
    return any(plan.measure == COMPARED for plan in reviews.plans)


def _readable(index: SampleIndex, ids: list[str], names: Iterable[str]) -> set[str]:
    """The samples of which each of these assistants has an answer to read."""
    found = set(ids)
    for name in names:
        listed = index.page(Wanted(ids=tuple(ids), assistant=name, of=name), 0, len(ids))
        found &= {one.id for one in listed if one.figures["exchanges"] and "failed" not in one.found}
    return found


AREA = Area("picking", router)
