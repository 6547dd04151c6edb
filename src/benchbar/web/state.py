"""What every page has at hand: settings, database, secret."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import Request

from benchbar.languages.personal_data import Masker
from benchbar.web.config import Config
from benchbar.web.database import Database
from benchbar.web.limits import SignInLimits


@dataclass(frozen=True)
class AppState:
    """One app's state."""

    config: Config
    database: Database
    secret: bytes
    sign_ins: SignInLimits
    masker: Masker | None = None
    """Hides personal data in texts that are shown or exported; None where nothing is to be hidden."""


def app_state(request: Request) -> AppState:
    """The state of the app that a request came to."""
    found = request.app.state.web
    assert isinstance(found, AppState)  # noqa: S101 - a fault of ours, not of the user
    return found
