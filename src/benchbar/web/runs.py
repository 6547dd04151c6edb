"""The pages of runs."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from benchbar.web.area import Area, Entry
from benchbar.web.folders import names_in
from benchbar.web.pages import page
from benchbar.web.people import Role
from benchbar.web.sessions import Reader
from benchbar.web.web import web_of

router = APIRouter(tags=["runs"], default_response_class=HTMLResponse)


@router.get("/runs")
def runs(request: Request, reader: Reader) -> Response:  # noqa: ARG001 - asked for its check
    """Every run in the folder."""
    return page(request, "runs.html.j2", names=names_in(web_of(request).config.runs))


AREA = Area("runs", router, (Entry("/runs", "nav.runs", frozenset({Role.OWNER, Role.VIEWER})),))
