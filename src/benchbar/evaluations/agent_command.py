"""`benchbar agent`."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchbar.cli.command import Command, section
from benchbar.cli.options import FILE, concurrency_option, json_option, max_cost_option, quiet_option, seed_option
from benchbar.records.errors import UserError

if TYPE_CHECKING:
    import threading

    from benchbar.clients import Endpoint
    from benchbar.clients.session import OnProgress
    from benchbar.evaluations.agent_tasks import AgentTask, Attempt
    from benchbar.evaluations.auditing import Reading
    from benchbar.records import Estimate

RUBRIC = "agent-trace"


@click.command(
    cls=Command, part="Numbers", short_help="Give agents tasks with documents, and mark the files they leave."
)
@click.argument("tasks", nargs=-1, required=True)
@click.option(
    "--assistant", "assistants", multiple=True, metavar="NAME=KIND:...", help="Such as a=agent:MODEL@URL,image=IMAGE."
)
@click.option("--spec", type=FILE, help="A TOML file with [assistants.NAME] tables.")
@section(
    "Marks",
    click.option(
        "--judge", "judges", multiple=True, metavar="MODEL@URL", help="Marks each criterion; several are a panel."
    ),
    click.option("--rubric", default=RUBRIC, show_default=True, help="What is said of the steps of each agent."),
)
@click.option("--repeats", type=click.IntRange(1, 20), default=1, show_default=True, help="Goes at each task.")
@click.option(
    "--at-once", type=click.IntRange(1, 64), default=2, show_default=True, help="Containers that run together."
)
@click.option("--inspect", is_flag=True, help="Write what each agent did as a log of Inspect too (.eval).")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder of the files, traces and scores.")
@seed_option
@concurrency_option(16)
@max_cost_option
@json_option
@quiet_option
def command(
    tasks: tuple[str, ...], *, out: Path, as_json: bool, quiet: bool, rubric: str, inspect: bool, **options: Any
) -> None:
    r"""Give agents TASKS, folders with a task.json and documents/, and mark the files that they leave.

    Agents work in containers of podman or docker and nowhere else. Calls of models and tools are kept: the same command
    goes on where it was stopped, and pays nothing twice. Files lie in OUT/results, what each agent did in OUT/traces.

    benchbar agent lease-en --assistant a=agent:qwen@http://127.0.0.1:8000/v1,image=python:3.12-slim --out agents
    benchbar agent lab/tasks --spec agents.toml --judge m2@http://127.0.0.1:8000/v1 --out agents --max-cost 20
    """
    from benchbar.cli.printing import print_json
    from benchbar.cli.progress import watched
    from benchbar.evaluations.agent_tasks import tasks_of
    from benchbar.evaluations.commands import endpoints
    from benchbar.scoring.rubrics import read_rubric

    settings, base = _settings(options.pop("assistants"), options.pop("spec"))
    chosen, judges = tasks_of(tasks), endpoints(options.pop("judges"))
    steps = read_rubric(rubric)
    with watched(show=not quiet) as (on_progress, cancel):
        found, lost = asyncio.run(
            _worked(chosen, settings, base, out, judges, on_progress=on_progress, cancel=cancel, **options)
        )
    if inspect:
        _write_logs(found, out)
    reading = _reading(found, out) if judges else None
    traces = _traces(found, steps)
    if as_json:
        print_json(_document(found, reading, traces, out, lost))
        return
    # First: with such a judge no criterion has a mark, and the tables below only show a dash.
    for line in lost:
        click.echo(line)
    _show(found, reading, traces, out)


def _settings(given: Sequence[str], spec: Path | None) -> tuple[dict[str, dict[str, Any]], Path]:
    """Name to settings of each assistant, and the folder that paths in them start from."""
    from benchbar.assistants.build import parse_assistant
    from benchbar.records.toml import read_toml

    settings = dict(parse_assistant(one) for one in given)
    if spec is not None:
        named = read_toml(spec, dict[str, Any]).get("assistants", {})
        if not isinstance(named, dict) or not all(isinstance(one, dict) for one in named.values()):
            raise UserError(f"{spec}: expected tables [assistants.NAME]")
        settings = named | settings
    if not settings:
        raise UserError(
            "no assistant: name one with --assistant NAME=agent:MODEL@URL,image=IMAGE, or in the file of --spec"
        )
    return settings, spec.parent if spec else Path()


async def _worked(
    tasks: Sequence[AgentTask],
    settings: Mapping[str, Mapping[str, Any]],
    base: Path,
    out: Path,
    judges: Mapping[str, Endpoint],
    *,
    repeats: int,
    at_once: int,
    on_progress: OnProgress | None,
    cancel: threading.Event | None,
    **limits: Any,
) -> tuple[list[Attempt], list[str]]:
    from benchbar.artefacts.layout import RunFolder
    from benchbar.clients.session import open_session
    from benchbar.evaluations.agent_tasks import attempted, marked, workers

    async with open_session(RunFolder(out).ledger, cancel=cancel, **limits) as session:
        assistants = workers(session, settings, base, out)
        found = await attempted(
            session, assistants, tasks, out, repeats=repeats, at_once=at_once, on_progress=on_progress
        )
        lost = await marked(session, judges, found, out, on_progress=on_progress) if judges else []
        return found, lost


def _write_logs(found: Sequence[Attempt], out: Path) -> None:
    from datetime import UTC, datetime

    from benchbar.evaluations.agent_log import as_inspect
    from benchbar.evaluations.agent_tasks import TRACES
    from benchbar.records.files import write_atomically

    made = datetime.now(UTC)
    for name in dict.fromkeys(one.assistant for one in found):
        own = [one for one in found if one.assistant == name]
        write_atomically(out / TRACES / f"{name}.eval", as_inspect(own, made))


def _reading(found: Sequence[Attempt], out: Path) -> Reading | None:
    """The marks as `benchbar judge` reads them: figures with intervals, and what of the files stands in the documents."""
    from benchbar.evaluations.auditing import read

    scores = [path for one in found if one.work for path in sorted(one.folder(out).glob("scores_*.json"))]
    return read(scores) if scores else None


def _traces(found: Sequence[Attempt], rubric: Any) -> dict[str, dict[str, Estimate]]:
    """Assistant to each dimension of the rubric for traces; goes that failed, or whose steps are not seen, are missing."""
    from benchbar.assistants.agents.traces import as_messages
    from benchbar.scoring.rubrics import Subject, apply, read_trace
    from benchbar.statistics import bounded_mean

    values: dict[str, dict[str, list[float | None]]] = {}
    for one in found:
        own = values.setdefault(one.assistant, {name: [] for name in rubric.dimensions})
        if one.work is None or one.work.errored or not one.work.seen:
            # Rules that are full where nothing was called would give the highest mark to what nobody saw.
            for missing in own.values():
                missing.append(None)
            continue
        trace = read_trace(as_messages(one.work, sample=one.task.name, assistant=one.assistant))
        for score in apply(rubric, Subject(trace=trace), sample=one.task.name, assistant=one.assistant):
            own.setdefault(score.dimension, []).append(score.value)
    return {name: {of: bounded_mean(given) for of, given in own.items()} for name, own in values.items()}


def _rows(found: Sequence[Attempt]) -> list[tuple[str, ...]]:
    from benchbar.records.numbers import counted

    rows: list[tuple[str, ...]] = []
    for one in found:
        if one.work is None:
            rows.append((one.assistant, one.task.name, str(one.repeat + 1), "failed", one.error, "–", "–"))
            continue
        calls = sum(1 for turn in one.work.answered if turn.model)
        files = ", ".join(file.name for file in one.work.files) or "none"
        cost = "not known" if one.work.cost is None else f"{one.work.cost:.4f}"
        rows.append(
            (one.assistant, one.task.name, str(one.repeat + 1), one.work.ended, files, counted(calls, "call"), cost)
        )
    return rows


def _show(
    found: Sequence[Attempt], reading: Reading | None, traces: Mapping[str, Mapping[str, Estimate]], out: Path
) -> None:
    from benchbar.cli.printing import print_table
    from benchbar.evaluations.commands import show_figures
    from benchbar.evaluations.report import shown

    print_table(("assistant", "task", "go", "ended", "files", "asked", "cost"), _rows(found))
    rows = [(name, of, shown(one)) for name, own in traces.items() for of, one in own.items()]
    if rows:
        print_table(("assistant", "steps", "value"), rows)
    if reading is not None:
        show_figures(reading, [], [])
    click.echo(f"written: {out}/results, {out}/traces; `benchbar judge {out}/results` reads them again")


def _document(
    found: Sequence[Attempt],
    reading: Reading | None,
    traces: Mapping[str, Mapping[str, Estimate]],
    out: Path,
    lost: Sequence[str],
) -> dict[str, Any]:
    from benchbar.evaluations.report import document

    goes = [
        {
            "assistant": one.assistant,
            "task": one.task.name,
            "go": one.repeat + 1,
            "ended": one.work.ended if one.work else None,
            "error": one.error or None,
            "files": {file.name: file.sha256 for file in one.work.files} if one.work else {},
            "left_out": list(one.work.left_out) if one.work else [],
            "cost": one.work.cost if one.work else None,
            "folder": str(one.folder(out)),
        }
        for one in found
    ]
    return {"goes": goes, "traces": traces, "marks": document(reading, [], lost) if reading else None}
