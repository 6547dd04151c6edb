"""`benchbar law nickname`: says once which law a name stands for."""

from __future__ import annotations

from pathlib import Path

import click

from benchbar.cli.command import Command
from benchbar.cli.options import law_option
from benchbar.records.errors import UserError


@click.command("nickname", cls=Command)
@click.argument("name")
@click.argument("meant")
@click.option(
    "--to",
    "place",
    required=True,
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Folder of a suite or of a corpus, in which nicknames.toml is made or extended; or such a file.",
)
@law_option()
def command(name: str, meant: str, place: Path, corpus: Path | None) -> None:
    """Say that NAME is a nickname for the law MEANT.

    Runs of the suite, and checks against the corpus, then read NAME as MEANT. A name that no law has is otherwise
    `not_recognised`, which counts neither for nor against an assistant. With --law, MEANT has to be a law that it holds.

    benchbar law nickname 交通法 道路交通安全法 --to my-suite
    benchbar law nickname 交通法 道路交通安全法 --to indexes/prc --law indexes/prc
    """
    from benchbar.law.index import load_corpus
    from benchbar.law.nicknames import add_nickname

    # A nickname for a law that is misspelt would only move the question to the other name.
    if corpus is not None and not load_corpus(corpus).acts_named(meant):
        raise UserError(f"{corpus} holds no law named {meant!r}: give the name that the corpus has")
    file = add_nickname(place, name, meant)
    click.echo(f"{file}: {name} is {meant}")
