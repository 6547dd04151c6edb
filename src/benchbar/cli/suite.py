"""`benchbar suite`: list, show, check, import and make suites."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from benchbar.cli.command import Group
from benchbar.cli.options import json_option, map_option, sheet_option, suite_language_option, suite_out_option
from benchbar.cli.suite_annotate import annotate
from benchbar.cli.suite_authoring import add, new
from benchbar.cli.suite_card import card, export
from benchbar.cli.suite_check import check, say
from benchbar.cli.suite_get import get, score
from benchbar.cli.suite_items import items
from benchbar.cli.suite_questions import accept, make_questions
from benchbar.records.errors import UnknownNameError


@click.group(cls=Group)
def command() -> None:
    """List, show, check and import suites; have test questions written."""


@command.command("list")
@json_option
def list_(*, as_json: bool) -> None:
    """List the bundled suites, and the readers for public benchmarks.

    benchbar suite list --json
    """
    from benchbar.records.plugins import known
    from benchbar.suites.load import bundled, load

    suites = {name: load(name).summary() | {"description": load(name).card.description} for name in bundled()}
    readers = sorted(known("suites"))
    if as_json:
        click.echo(json.dumps({"suites": suites, "readers": readers}, ensure_ascii=False))
        return
    for name, summary in suites.items():
        click.echo(f"{name}: {summary['samples']} samples, {summary['tasks']} tasks. {summary['description']}")
    click.echo(f"readers: {', '.join(f'{reader}:PATH' for reader in readers)}")


@command.command()
@click.argument("name")
@click.argument("sample", required=False)
@suite_language_option
@map_option
@sheet_option
@json_option
def show(name: str, sample: str | None, *, language: str, columns: dict[str, str], sheet: str, as_json: bool) -> None:
    """Show a suite's card and tasks, or one SAMPLE of it with its guidance.

    benchbar suite show model-jurisdiction-zh
    benchbar suite show model-jurisdiction-zh 3-1-001
    """
    from benchbar.records import encode
    from benchbar.suites.load import load

    suite = load(name, language=language, columns=columns, sheet=sheet)
    if sample is not None:
        chosen = {one.id: one for one in suite.samples}
        if sample not in chosen:
            raise UnknownNameError("sample", sample, list(chosen)[:20])
        click.echo(encode(chosen[sample]).decode() if as_json else _sample_text(chosen[sample]))
        return
    document = {"card": json.loads(encode(suite.card)), "tasks": json.loads(encode(list(suite.tasks.values())))}
    if as_json:
        click.echo(json.dumps(document | suite.summary(), ensure_ascii=False))
        return
    for field, value in document["card"].items():
        click.echo(f"{field}: {value}" if field != "language" else f"{field}: {suite.language or value}")
    for line in suite.understood:
        click.echo(line)
    counts = {id_: sum(one.task == id_ for one in suite.samples) for id_ in suite.tasks}
    for task in suite.tasks.values():
        click.echo(f"  {task.id}  {task.name} ({task.level}; {', '.join(task.scenarios)}): {counts[task.id]} samples")


def _sample_text(sample: Any) -> str:
    lines = [
        f"{sample.id} (task {sample.task})",
        f"information: {sample.information}",
        f"needs: {sample.needs}",
        "guidance:",
    ]
    lines += [
        f"  {point.id} {point.category} [{point.kind}, weight {point.weight:g}]: {point.text}"
        + (f"  | {' / '.join(point.alternatives)}" if point.alternatives else "")
        for point in sample.guidance.points
    ]
    return "\n".join(lines)


@command.command("import")
@click.argument("reader")
@click.argument("file", type=click.Path(path_type=Path, exists=True))
@suite_out_option
@json_option
def import_(reader: str, file: Path, out: Path | None, *, as_json: bool) -> None:
    """Read FILE with the reader of a public benchmark, say what is in it, and write it as a suite with --out.

    A clone of UCL-Bench may be named as a folder: dialogues that its scripts held become recorded assistants. Samples that cannot be used are skipped and listed with file, line and field.

    benchbar suite import ucl-bench UCL-bench --out suites/ucl
    benchbar suite import ucl-bench samples.jsonl --out suites/ucl
    """
    from benchbar.records.plugins import load as load_plugin
    from benchbar.suites.write import ANSWERS, write

    suite = load_plugin("suites", reader)(file)
    if out is not None:
        write(suite, out)
    say(suite.summary(), as_json=as_json)
    if out is not None and not as_json:
        click.echo(f"written: {out}")
        recorded = [f"--assistant {name}=recorded:{out / ANSWERS / name}.jsonl" for name in suite.answers]
        click.echo(f"next: benchbar run --suite {out} {' '.join(recorded) or '--assistant NAME=openai:MODEL@URL'}")


command.add_command(get)
command.add_command(score)
command.add_command(check)
command.add_command(new)
command.add_command(add)
command.add_command(annotate)
command.add_command(items)
command.add_command(card)
command.add_command(export)
command.add_command(make_questions)
command.add_command(accept)
