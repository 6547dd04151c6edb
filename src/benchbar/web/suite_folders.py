"""The suites of the folder that the app was started with, and what a new one there may be called."""

from __future__ import annotations

import re
from pathlib import Path

from fastapi import Request

from benchbar.records import Suite
from benchbar.suites.folder import read
from benchbar.web.folders import REMEMBERED
from benchbar.web.state import app_state

# A new folder's name comes from a form: nothing in it may lead elsewhere, nor hide the folder.
_NAME = re.compile(r"[^\W_][\w.-]{0,79}")


def suites_of(request: Request) -> dict[str, Path]:
    """The suites that are here, by the name of their folder."""
    place = app_state(request).config.suites
    if place is None or not place.is_dir():
        return {}
    return {folder.name: folder for folder in sorted(place.iterdir()) if (folder / "card.toml").is_file()}


def suite_at(folder: Path) -> Suite:
    """The suite in a folder, read anew when one of its files has changed."""
    files = tuple(folder / name for name in ("card.toml", "tasks.jsonl", "samples.jsonl", "samples.csv"))
    return REMEMBERED.get(("suite", folder), files, lambda: read(folder))


def place_for(request: Request, name: str) -> Path | str:
    """The folder of the suite that somebody named, there or new; else the key of the words that say what is wrong."""
    place = app_state(request).config.suites
    if place is None:
        return "production.no_suites"
    return place / name.strip() if _NAME.fullmatch(name.strip()) else "production.suite_name"
