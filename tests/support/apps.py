"""Apps for tests, which make many in one process."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.routing import BaseRoute

from benchbar.web.app import create_app
from benchbar.web.config import Config

_ROUTES: list[BaseRoute] = []


def app_over(config: Config) -> FastAPI:
    """The app of these settings, with the routes of the first one.

    They are the same for every app, and FastAPI reads the signature of each anew at an app's first request: that takes longer than
    most tests.
    """
    app = create_app(config)
    if not _ROUTES:
        _ROUTES.extend(app.router.routes)
    app.router.routes = list(_ROUTES)
    return app
