"""Makes the app from its settings."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import as_file, files
from pathlib import Path

from fastapi import Depends, FastAPI
from fastapi.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from benchbar import __version__
from benchbar.languages.personal_data import Masker
from benchbar.web import audit, people
from benchbar.web.config import MAX_BODY, Config
from benchbar.web.database import Database, migrate, open_database
from benchbar.web.failures import HANDLERS
from benchbar.web.limits import SignInLimits
from benchbar.web.navigation import AREAS
from benchbar.web.people import app_secret, let_owner_in
from benchbar.web.security import Guard, TooLarge
from benchbar.web.sessions import check_csrf
from benchbar.web.state import AppState

REPORT_STYLE = "report.css"


def create_app(config: Config) -> FastAPI:
    """The app over a folder of runs.

    Raises:
        UserError: the database cannot be reached.
    """
    database = open_database(config.database, config.own / "web.sqlite")
    # Once, before any page: a page that met a table of an older version would fail in the middle of its work.
    migrate(database, {"people": people.SCHEMA, "audit": audit.SCHEMA, **{area.name: area.schema for area in AREAS}})
    # At every start: the token is in the environment, and changing it there has to be enough to change it
    # here.
    let_owner_in(database, config.owner_token)
    with database.transaction() as now:
        secret = app_secret(now)
    app = _App(
        title="Benchbar",
        version=__version__,
        summary="Runs, samples side by side, and what people do with them.",
        docs_url=None,
        redoc_url=None,
        # The list of every address is for the owner alone: see people_pages.
        openapi_url=None,
        # For every route, those of plugins as well: a page cannot forget it.
        dependencies=[Depends(check_csrf)],
        exception_handlers=HANDLERS,
        lifespan=_lifespan,
        max_body_size=MAX_BODY,
    )
    masker = Masker(secret.hex()) if config.mask else None
    app.state.web = AppState(config, database, secret, SignInLimits(), masker)
    app.state.navigation = [entry for area in AREAS for entry in area.entries]
    # Outside everything else, so that refused requests reach neither routes nor session.
    app.add_middleware(Guard, hosts=config.hosts)
    for area in AREAS:
        app.include_router(area.router)
        if area.opened:
            area.opened(app)
    app.add_api_route(f"/style/{REPORT_STYLE}", _report_style, include_in_schema=False)
    with as_file(files(__package__) / "static") as folder:
        app.mount("/static", StaticFiles(directory=Path(folder)))
    return app


class _App(FastAPI):
    def build_middleware_stack(self) -> ASGIApp:
        return TooLarge(super().build_middleware_stack())


def close(app: FastAPI) -> None:
    """Write what is due and let go of files and connections."""
    for area in AREAS:
        if area.closed:
            area.closed(app)
    database: Database = app.state.web.database
    database.close()


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    yield
    close(app)


def _report_style() -> Response:
    """The style of the report: runs look the same in the app and in report.html."""
    text = (files("benchbar.reports") / "templates" / REPORT_STYLE).read_text("utf-8")
    return Response(text, media_type="text/css", headers={"cache-control": "max-age=3600"})
