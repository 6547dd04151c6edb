"""`benchbar law list`: what each file of an index was taken for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchbar.cli.command import Command
from benchbar.cli.options import json_option, law_option

if TYPE_CHECKING:
    from benchbar.law.index import FileReport
    from benchbar.law.legal_texts import Understood

_NAME = 100
"""Characters of a name in one line of a terminal; the whole name stands in the JSON."""


@click.command("list", cls=Command)
@law_option(required=True)
@click.option(
    "--doubtful", is_flag=True, help="Only documents with notes: signs of another kind, missing numbers or dates."
)
@click.option("--corrections", is_flag=True, help="Print it as a `law.toml`, to be mended and laid beside the files.")
@json_option
def command(corpus: Path, *, doubtful: bool, corrections: bool, as_json: bool) -> None:
    """Print what each file of an index was taken for: act or decision, name, number, dates and where they were read.

    benchbar law list --law indexes/ours
    benchbar law list --law indexes/ours --corrections > statutes/law.toml
    """
    from benchbar.cli.printing import print_json
    from benchbar.law.index import read_report

    report = read_report(corpus)
    if doubtful:
        report = tuple(file for file in report if file.skipped or any(one.notes for one in file.documents))
    if as_json:
        print_json({"files": report})
    elif corrections:
        click.echo(as_corrections(report), nl=False)
    else:
        print_documents(report)
        for file in report:
            for one in file.skipped:
                click.echo(f"skipped {one.file}: {one.reason}")


def print_documents(report: Sequence[FileReport], *, most: int | None = None) -> None:
    """A line for each document, its file and where its facts were read below it."""
    rows = [(file, one) for file in report for one in file.documents]
    for file, one in rows[:most]:
        click.echo(_line(one))
        read = ", ".join(f"{name}: {where}" for name, where in one.origins.items())
        click.echo(f"          {Path(file.file).name}, {one.form}; {read or 'facts as the file states them'}")
        for note in one.notes:
            click.secho(f"          {note}", fg="yellow")
    if most is not None and len(rows) > most:
        click.echo(f"… and {len(rows) - most} more documents: `benchbar law list` prints them all")
    for file in report:
        if not file.documents and (file.laws or file.decisions or file.articles):
            click.echo(
                f"rows      {Path(file.file).name}: {file.laws} laws, {file.articles} articles, {file.decisions} decisions"
            )


def _line(one: Understood) -> str:
    days = [f"{name.replace('_', ' ')} {day}" for name, day in one.dates.items()]
    parts = [one.name[:_NAME], one.number if one.number not in one.name else "", *days]
    parts += [f"{one.articles} articles"] if one.kind == "act" else [one.court[:60]]
    parts += [one.language, f"labels {', '.join(one.labels)}" if one.labels else ""]
    return f"{one.kind:9} " + "; ".join(part for part in parts if part)


def as_corrections(report: Sequence[FileReport]) -> str:
    """The report as a file of corrections: every entry says what was read, and may be changed or deleted."""
    import tomli_w

    tables = {
        Path(file.file).name: {
            "kind": one.kind,
            "name": one.name,
            **({"case_number": one.number} if one.kind == "decision" and one.number else {}),
            **{("date" if name == "decided" else name): day for name, day in one.dates.items()},
        }
        for file in report
        for one in file.documents
        # Of a file with several documents single facts cannot be corrected.
        if len(file.documents) == 1
    }
    return tomli_w.dumps(tables)
