"""`benchbar suite new` and `suite add`: an empty suite, and samples from documents."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path

import click

from benchbar.cli.command import Command
from benchbar.cli.languages import language_option
from benchbar.cli.options import encoding_option, json_option, map_option, pairs, sheet_option
from benchbar.records import Problem

EXIT_PROBLEMS = 1


@click.command(cls=Command)
@click.argument("folder", type=click.Path(path_type=Path))
@language_option("Of the samples.", default="zh")
@click.option("--jurisdiction", default="", help="Whose law is asked about, e.g. PRC.")
@click.option(
    "--task", "tasks", multiple=True, help="A task of UCL-Bench by id or name; several times.  [default: all]"
)
@json_option
def new(folder: Path, *, language: str, jurisdiction: str, tasks: tuple[str, ...], as_json: bool) -> None:
    """Create a suite in FOLDER: card, sources, tasks, and an example sample.

    The example goes when `benchbar suite add` takes the first samples. Tasks of your own are lines in tasks.jsonl.

    benchbar suite new my-suite --language zh --jurisdiction PRC --task 4-3 --task 2-1
    """
    from benchbar.suites.authoring.layout import lay_out

    suite = lay_out(folder, language=language, jurisdiction=jurisdiction, tasks=tasks)
    files = sorted(path.name for path in folder.iterdir())
    if as_json:
        click.echo(json.dumps({"suite": str(folder), "tasks": list(suite.tasks), "files": files}, ensure_ascii=False))
        return
    click.echo(f"{folder}: {', '.join(files)}; {len(suite.tasks)} tasks")
    click.echo(f"next: fill in card.toml and sources.toml, then `benchbar suite add {folder} FILE`")


@click.command(cls=Command)
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@map_option
@click.option(
    "--default", "defaults", multiple=True, metavar="FIELD=VALUE", help="What a field is where the file does not say."
)
@encoding_option
@sheet_option
@click.option("--dry-run", is_flag=True, help="Say what would be taken, and write nothing.")
@json_option
def add(
    folder: Path,
    file: Path,
    *,
    columns: dict[str, str],
    defaults: tuple[str, ...],
    encoding: str | None,
    sheet: str | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Add samples from FILE (CSV, TSV, XLSX, DOCX, JSON, JSONL, Parquet) to the suite in FOLDER.

    Columns are known by name (id, task, information, needs, guidance, language, on, tags, source, reference, evidence, and
    usual Chinese and Russian heads) or named with --map. Adding a file again takes nothing twice. What cannot be used is named by file,
    row and column, and the exit code is 1; good rows are taken all the same.

    benchbar suite add my-suite cases.csv --map information=案情 --map needs=问题 --default task=4-3
    benchbar suite add my-suite interviews.docx --dry-run
    """
    from benchbar.suites.authoring.adding import add as take

    found = take(
        folder, file, columns=columns, defaults=pairs(defaults, "--default"), encoding=encoding, sheet=sheet, dry_run=dry_run,
    )  # fmt: skip
    if as_json:
        document = {
            "added": [sample.id for sample in found.samples],
            "there_already": found.there,
            "unread_columns": list(found.unread),
            "encoding": found.encoding,
            "read_as": found.understood,
            "notes": list(found.notes),
            "written": bool(found.samples) and not dry_run,
            "problems": [problem_of(one) for one in found.problems],
        }
        click.echo(json.dumps(document, ensure_ascii=False))
    else:
        verb = "would be added" if dry_run else "added"
        click.echo(f"{len(found.samples)} samples {verb} to {folder} (read as {found.understood})")
        for note in found.notes:
            click.echo(note)
        if found.there:
            click.echo(f"there already: {', '.join(found.there)}")
        if found.unread:
            click.echo(f"columns not read: {', '.join(found.unread)}; name what they fill with --map FIELD=COLUMN")
        tell(found.problems)
    if found.problems:
        sys.exit(EXIT_PROBLEMS)


def problem_of(one: Problem) -> dict[str, object]:
    """A problem as JSON has it."""
    return {"file": one.file, "row": one.line, "column": one.field, "message": one.message}


def tell(problems: Iterable[Problem]) -> None:
    """Each problem by file, row and column."""
    for one in problems:
        row = "" if one.line is None else f", row {one.line}"
        column = f", column {one.field}" if one.field else ""
        click.echo(f"problem: {one.file}{row}{column}: {one.message}")
