"""Options and notes that the commands over a corpus share."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click

from benchbar.records.errors import UserError

corpus_option = click.option(
    "--corpus",
    required=True,
    type=click.Path(path_type=Path),
    metavar="INDEX",
    help="Folder made by `benchbar law index`.",
)
retriever_option = click.option(
    "--retriever",
    default="learned",
    show_default=True,
    metavar="NAME",
    help="learned, lexical, engine, tfidf, lsa, encoder, hub:MODEL, or a registered one.",
)


def _day(_context: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
    if value is not None and value != "any" and not re.fullmatch(r"\d{4}-\d{2}-\d{2}", value):
        raise UserError(f"--on {value!r}: expected a date as YYYY-MM-DD, or any")
    return value


day_option = click.option(
    "--on",
    metavar="DATE",
    callback=_day,
    help="Search the law in force on YYYY-MM-DD (default: today), or in all its versions (any).",
)


def note(doing: str) -> None:
    """Say on stderr what takes a while, if someone is looking."""
    if sys.stderr.isatty():
        click.echo(f"{doing} …", err=True)
