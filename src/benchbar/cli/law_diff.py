"""`benchbar law diff`: what changed in an act between two days."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchbar.cli.command import Command
from benchbar.cli.options import json_option, labels_option, law_option
from benchbar.records.errors import UserError

if TYPE_CHECKING:
    from click.decorators import FC

    from benchbar.law.amendments import ActChanges, ArticleChange
    from benchbar.law.corpus import Corpus
    from benchbar.law.history import Act

_SHOWN = {"removed": ("[-", "-]", "red"), "added": ("{+", "+}", "green"), "same": ("", "", None)}


def between_days(function: FC) -> FC:
    """``ACT --from DATE --to DATE --law INDEX``: what a command on an amendment is asked about."""
    last = click.option("--to", "last", required=True, metavar="DATE", help="The later day, YYYY-MM-DD.")
    first = click.option("--from", "first", required=True, metavar="DATE", help="The earlier day, YYYY-MM-DD.")
    return click.argument("act")(first(last(law_option(required=True)(labels_option(function)))))


@click.command("diff", cls=Command)
@between_days
@click.option("--summary", is_flag=True, help="Only which articles changed, without their texts.")
@json_option
def command(
    act: str, first: str, last: str, corpus: Path, labels: tuple[str, ...], *, summary: bool, as_json: bool
) -> None:
    """Print what changed in ACT between two days: articles added, removed, changed and renumbered.

    benchbar law diff 公司法 --from 2020-01-01 --to 2024-07-01 --law indexes/prc
    """
    from benchbar.cli.printing import print_json, warn_of_invented_law
    from benchbar.law.index import load_corpus

    law = load_corpus(corpus, labels=labels)
    found = compared(act, first, last, law)[1]
    warn_of_invented_law(law, act)
    if as_json:
        print_json(found)
        return
    click.echo(heading(found))
    for one in found.unsure:
        click.secho(f"not certain: {one}", fg="yellow")
    for change in found.changes:
        click.secho(_title(change), bold=True)
        if not summary and change.kind != "renumbered":
            click.echo(_difference(change))


def compared(act: str, first: str, last: str, law: Corpus) -> tuple[Act, ActChanges]:
    """The act of that name and what changed in it.

    Raises:
        UserError: the days are none, or in the wrong order; or the name is of no act, or of several.
    """
    from benchbar.law.amendments import changes_of
    from benchbar.law.dates import is_day

    for name, day in (("--from", first), ("--to", last)):
        if not is_day(day):
            raise UserError(f"{name} {day!r}: expected a date as YYYY-MM-DD")
    if last < first:
        raise UserError(f"--to {last} lies before --from {first}")
    acts = law.acts_named(act)
    if len(acts) != 1:
        names = ", ".join(one.name for one in acts) or "none"
        raise UserError(f"{act!r} has to name one act of the law; it names {names}")
    return acts[0], changes_of(acts[0], law, first, last)


def heading(found: ActChanges) -> str:
    """How many articles changed, in one line."""
    counts = {
        kind: sum(one.kind == kind for one in found.changes) for kind in ("added", "removed", "changed", "renumbered")
    }
    told = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count) or "nothing changed"
    texts = f"{', '.join(found.before)} → {', '.join(found.after)}"
    return f"{found.law}, {found.first} to {found.last} ({texts}): {told}; {found.unchanged} articles the same"


def _title(change: ArticleChange) -> str:
    if change.kind == "added":
        return f"{change.after} added"
    moved = f" → {change.after}" if change.after and change.after != change.before else ""
    return f"{change.before}{moved} {change.kind}"


def _difference(change: ArticleChange) -> str:
    from benchbar.law.amendments import spans_of

    parts = []
    for kind, text in spans_of(change.old, change.new):
        opening, closing, colour = _SHOWN[kind]
        # Brackets as well as colours: colours are lost in files.
        parts.append(click.style(f"{opening}{text}{closing}", fg=colour) if colour else text)
    return "".join(parts)
