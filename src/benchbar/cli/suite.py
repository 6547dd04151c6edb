"""`benchbar suite`: list, show, check, import and make suites."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from benchbar.cli.suite_questions import accept, make_questions
from benchbar.errors import UnknownNameError

EXIT_PROBLEMS = 1


@click.group()
def command() -> None:
    """List, show, check and import suites; have test questions written."""


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
def list_(*, as_json: bool) -> None:
    """The bundled suites, and the readers for public benchmarks."""
    from benchbar.plugins import known
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
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
def show(name: str, sample: str | None, *, as_json: bool) -> None:
    """Show a suite's card and tasks, or one SAMPLE of it with its guidance.

    \b
      benchbar suite show model-jurisdiction-zh
      benchbar suite show model-jurisdiction-zh 3-1-001
    """  # noqa: D301 - click reads the backspace
    from benchbar.records import encode
    from benchbar.suites.load import load

    suite = load(name)
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
        click.echo(f"{field}: {value}")
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


@command.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
def check(name: str, *, as_json: bool) -> None:
    """Look through a suite for what makes its results doubtful.

    Broken rows, double ids, guidance that stands in the information, nearly equal samples. Exit code 1 where there is any.
    """
    from benchbar.suites.check import findings
    from benchbar.suites.load import load

    suite = load(name)
    summary = suite.summary()
    summary["problems"] = [json.loads(_encoded(problem)) for problem in findings(suite)]
    _say(summary, as_json=as_json)
    if summary["problems"]:
        sys.exit(EXIT_PROBLEMS)


@command.command("import")
@click.argument("reader")
@click.argument("file", type=click.Path(path_type=Path, exists=True))
@click.option("--out", type=click.Path(path_type=Path), help="Write the suite as a folder in Benchbar's own form.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
def import_(reader: str, file: Path, out: Path | None, *, as_json: bool) -> None:
    """Read FILE with the reader of a public benchmark, say what is in it, and write it as a suite with --out.

    Samples that cannot be used are skipped and listed with file, line and field.

    \b
      benchbar suite import ucl-bench samples.jsonl --out suites/ucl
    """  # noqa: D301 - click reads the backspace
    from benchbar.plugins import load as load_plugin
    from benchbar.suites.write import write

    suite = load_plugin("suites", reader)(file)
    if out is not None:
        write(suite, out)
    _say(suite.summary(), as_json=as_json)
    if out is not None and not as_json:
        click.echo(f"written: {out}")


command.add_command(make_questions)
command.add_command(accept)


def _say(summary: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(summary, ensure_ascii=False))
        return
    click.echo(f"{summary['suite']}: {summary['samples']} samples, {summary['tasks']} tasks")
    click.echo(f"guidance points: {_listed(summary['points'])}")
    click.echo(f"decided by: {_listed(summary['kinds'])}")
    if summary["without_guidance"]:
        click.echo(f"without guidance: {', '.join(summary['without_guidance'])}")
    for problem in summary["problems"]:
        place = ":".join(str(problem[part]) for part in ("file", "line") if problem[part] is not None)
        click.echo(f"problem: {place}: {problem['field'] or ''}: {problem['message']}")


def _listed(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items())


def _encoded(value: object) -> bytes:
    from benchbar.records import encode

    return encode(value)
