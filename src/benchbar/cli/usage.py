"""What click finds wrong with a command line, as one sentence like every other error of ours."""

from __future__ import annotations

import os
import re
from pathlib import Path

import click

from benchbar.records.errors import did_you_mean

MOST_NAMES = 2000
"""Names of a folder that a missing one is held against: in a larger folder a near name is no hint any more."""
_MISSING = re.compile(r"(?:File|Directory|Path) '(?P<name>.*)' does not exist\.?$", re.DOTALL)
_OTHER = re.compile(r"(?:File|Directory|Path) '(?P<name>.*)' is a (?P<what>directory|file)\.?$", re.DOTALL)


def sentence_of(error: click.UsageError) -> str:
    """What is wrong and where to read what would be right."""
    # Not the name that the program was started by, which may be `python -m benchbar`.
    command = " ".join(["benchbar", *(_words(error.ctx) if error.ctx else [])])
    return f"{_message(error)}\n  (what to do: {command} --help)"


def _words(context: click.Context) -> list[str]:
    return [*_words(context.parent), context.info_name or ""] if context.parent else []


def _message(error: click.UsageError) -> str:
    plain = error.message
    if isinstance(error, click.BadParameter):
        if missing := _MISSING.search(plain):
            return _missing(missing["name"], _WHAT.get(plain.partition(" ")[0], "file or folder"))
        if other := _OTHER.search(plain):
            found, wanted = ("folder", "file") if other["what"] == "directory" else ("file", "folder")
            return f"{other['name']}: this is a {found}; a {wanted} was expected"
    text = error.format_message().rstrip(".")
    return text[:1].lower() + text[1:]


_WHAT = {"Directory": "folder", "File": "file"}
"""What click calls a path that must be one of the two; it says `Path` where either will do."""


def _missing(name: str, what: str) -> str:
    path = Path(name)
    parent = path.parent
    if not parent.is_dir():
        return f"{name}: there is no such {what}, nor a folder {parent}"
    with os.scandir(parent) as entries:
        there = [entry.name for entry, _ in zip(entries, range(MOST_NAMES), strict=False)]
    return f"{name}: there is no such {what}{did_you_mean(path.name, there)}"
