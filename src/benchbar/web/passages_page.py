"""The passages of answers that reviewers marked: counted, listed, taken along as CSV, and made guidance points of."""

from __future__ import annotations

import time
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from benchbar.measures.marked_spans import Passage, counted_passages, passages
from benchbar.records import SPANS, Category
from benchbar.tables.reading import csv_text
from benchbar.web import audit
from benchbar.web.area import Area
from benchbar.web.folders import results_of
from benchbar.web.matters import visible_run
from benchbar.web.pages import page
from benchbar.web.run_queues import streams_of
from benchbar.web.sessions import Owner
from benchbar.web.state import app_state
from benchbar.web.suite_folders import suites_of

router = APIRouter(tags=["marks"], default_response_class=HTMLResponse)
SHOWN = 500
COLUMNS = ("assistant", "sample", "turn", "kind", "quote", "rater", "at", "mark", "picked")


@router.get("/queues/{run}/passages", responses={404: {}})
def passages_page(request: Request, owner: Owner, run: str) -> Response:
    """All passages by kind and assistant, and each with a way to make a point of the guidance of it."""
    folder = visible_run(request, run)
    stream = streams_of(request.app).of(folder)
    found, counts = stream.ask(lambda reviews: (list(passages(reviews)), counted_passages(reviews)))
    suite = results_of(folder).suite
    return page(
        request,
        "passages.html.j2",
        run=run,
        found=found[:SHOWN],
        count=len(found),
        counts=counts,
        kinds=SPANS,
        # Guidance is written in the folder of suites; a suite that is not there is nobody's to change here.
        suite=suite if _editable(request, suite) else "",
        point_of=lambda one: _point_of(suite, one),
    )


@router.get("/queues/{run}/passages.csv", response_class=Response, responses={404: {}})
def passages_file(request: Request, owner: Owner, run: str) -> Response:
    """The same as a table; that somebody took it is written down."""
    web, folder = app_state(request), visible_run(request, run)
    rows = streams_of(request.app).of(folder).ask(lambda reviews: [_row(one) for one in passages(reviews)])
    with web.database.transaction() as now:
        audit.note(now, owner.name, "export", run, format="csv")
    disposition = {"content-disposition": 'attachment; filename="passages.csv"'}
    return Response(csv_text([COLUMNS, *rows]), media_type="text/csv; charset=utf-8", headers=disposition)


def _row(one: Passage) -> tuple[object, ...]:
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(one.kept.at))
    span, mark = one.span, one.kept.mark
    return one.assistant, one.sample, span.turn, span.kind, span.quote, mark.rater, at, one.kept.number, int(one.picked)


def _editable(request: Request, suite: str) -> bool:
    return not app_state(request).config.mask and suite in suites_of(request)


def _point_of(suite: str, one: Passage) -> str:
    """Where a point of these words is added to the guidance of the sample: a good passage has to be said, another must not be."""
    category = Category.MANDATORY if one.span.kind == "good" else Category.FORBIDDEN
    asked = urlencode({"sample": one.sample, "category": category, "point": one.span.quote})
    return f"/annotate/{suite}/sample?{asked}"


AREA = Area("passages", router)
