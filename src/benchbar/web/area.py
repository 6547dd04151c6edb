"""An area of the app: pages that belong together, their tables, and their place in the navigation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from fastapi import APIRouter, FastAPI

from benchbar.web.people import Role

Group = Literal["decide", "mark", "law", "people"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A link in the navigation."""

    path: str
    word: str
    """Key of its text."""
    roles: frozenset[Role]
    group: Group = "decide"
    """What a person comes for who looks for it."""


@dataclass(frozen=True, slots=True)
class Area:
    """What one module of pages brings along."""

    name: str
    router: APIRouter
    entries: tuple[Entry, ...] = ()
    schema: tuple[str, ...] = ()
    """SQL statements, each run once and in this order; a change of a table is one more statement at the end."""
    # Opened with the app and not at import: two apps in one process (tests, workers) must not share ledgers.
    opened: Callable[[FastAPI], None] | None = None
    """Called with each new app, for what its pages share."""
    closed: Callable[[FastAPI], None] | None = None
    """Called when the app ends, before its database is closed."""
