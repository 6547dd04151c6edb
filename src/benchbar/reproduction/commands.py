"""`benchbar reproduce`."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchbar.cli.command import Command, Group, section
from benchbar.cli.options import (
    concurrency_option,
    json_option,
    limit_option,
    max_cost_option,
    quiet_option,
    seed_option,
    tasks_option,
)

if TYPE_CHECKING:
    from benchbar.records.suite import Suite
    from benchbar.reproduction.table import ReplayResults
    from benchbar.suites.ucl_files import Clone

PUBLISHED = "docs/audits/ucl-bench-table-3.csv"
"""The rates of the paper's Table 3."""
AUDITED = "The published table (Table 3 of the paper), audited"
UNPUBLISHED = "its dialogues and verdicts were not published, so that it cannot be replayed"


@click.group(
    cls=Group, part="Numbers", short_help="Replay another benchmark's protocol, beside the audit of its table."
)
def command() -> None:
    """Replay another benchmark's protocol, beside the audit of its table."""


@command.command("ucl-bench", cls=Command, context_settings={"show_default": True})
@click.argument("clone", type=click.Path(path_type=Path, exists=True))
@section(
    "Who takes part",
    click.option(
        "--assistant",
        "assistants",
        multiple=True,
        metavar="NAME=MODEL@URL",
        help="A model under test; several times. Without any, only verdicts that lie in the clone are counted.",
    ),
    click.option("--reference", metavar="MODEL@URL", help="What all are compared with; the paper took ChatGPT."),
    click.option("--simulator", metavar="MODEL@URL", help="Who plays the user; the paper took GPT-4."),
    click.option("--judge", metavar="MODEL@URL", help="Who compares; the paper took GPT-4."),
)
@section(
    "What is replayed",
    limit_option,
    tasks_option,
    click.option("--language", default="zh", help="Which of the clone's languages."),
    seed_option,
)
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("runs/ucl-bench-replay"), help="Folder of the replay."
)
@concurrency_option(16, "")
@max_cost_option
@json_option
@quiet_option
def ucl_bench(clone: Path, *, as_json: bool, **options: Any) -> None:
    r"""Replay UCL-Bench's scripts on a CLONE of its repository, with its own prompts and turn rule and one order drawn by seed.

    Prints win rates with their intervals, and beside them what an audit finds in the table that was published. That table
    itself cannot be replayed: its dialogues and verdicts were not published. Rerun the command to resume.

    benchbar reproduce ucl-bench UCL-bench
    benchbar reproduce ucl-bench UCL-bench --assistant mine=m1@http://127.0.0.1:8000/v1 \
                       --reference m0@http://127.0.0.1:8000/v1 --simulator m2@http://127.0.0.1:8000/v1 \
                       --judge m2@http://127.0.0.1:8000/v1
    """
    from benchbar.cli.printing import print_json
    from benchbar.reproduction.table import of_files, show
    from benchbar.suites.ucl_bench import read
    from benchbar.suites.ucl_files import read_clone

    files, suite = read_clone(clone), read(clone)
    tasks = {id_: task.name for id_, task in suite.tasks.items()}
    task_of = {sample.id: sample.task for sample in suite.samples}
    found = _replayed(files, suite, **options)
    counted = dict(of_files(files, task_of))
    if as_json:
        print_json({"replay": found, "verdicts": counted, "audit": _audit()})
        return
    for line in suite.understood:
        click.echo(line)
    if found is not None:
        show(_title(found), found.assistants, tasks)
    for name, one in counted.items():
        show(f"Win rate, %, from the verdicts in {name} (95% interval)", {name: one}, tasks)
    _say_audit()


def _title(found: ReplayResults) -> str:
    return (
        f"UCL-Bench replayed: win rate against {found.reference}, % (ties count half; 95% interval); {found.samples} samples;"
        f" judge {found.judge}, one order drawn with seed {found.seed}"
    )


def _replayed(
    files: Clone,
    suite: Suite,
    *,
    assistants: tuple[str, ...],
    limit: int | None,
    tasks: str | None,
    language: str,
    **options: Any,
) -> ReplayResults | None:
    """The results of the replay; None where no assistant is named."""
    from benchbar.cli.progress import watched
    from benchbar.records.errors import UserError
    from benchbar.reproduction.running import Parties, replay

    parties = {name: options.pop(name) for name in ("reference", "simulator", "judge")}
    quiet = options.pop("quiet")
    if not assistants:
        if given := [f"--{name}" for name, value in parties.items() if value]:
            raise UserError(f"{', '.join(given)} without --assistant NAME=MODEL@URL: nothing would be asked")
        return None
    if missing := [f"--{name} MODEL@URL" for name, value in parties.items() if not value]:
        raise UserError(
            f"a replay needs {', '.join(missing)} as well: simulator, judge and reference are part of the protocol"
        )
    own = dataclasses.replace(suite, samples=tuple(one for one in suite.samples if one.language == language))
    samples = own.narrowed(tasks=frozenset(tasks.split(",")) if tasks else None, limit=limit).samples
    if not samples:
        raise UserError(
            f"no sample is left: language {language}, tasks {tasks or 'all'}; see `benchbar suite import ucl-bench`"
        )
    with watched(show=not quiet) as (on_progress, cancel):
        who = Parties.of(assistants, **parties)
        return replay(files, samples, who, on_progress=on_progress, cancel=cancel, **options)


def _audit() -> dict[str, Any]:
    """What an audit of the published table finds: findings by kind, and how many numbers were checked."""
    import numpy as np

    from benchbar.audit.auditing import TASK_NAMES, audit
    from benchbar.audit.published import read_published
    from benchbar.records.bundled import bundled

    published = read_published(bundled(PUBLISHED))
    found = audit(
        published.tables,
        published.records,
        np.random.default_rng(0),
        n=50,
        ties_half=True,
        rate_columns=frozenset(),
        order=[],
        task_names=TASK_NAMES,
        text=published.text,
    )
    return {"checked": found.checked, "findings": len(found.findings), "groups": found.groups}


def _say_audit() -> None:
    from benchbar.records.bundled import bundled
    from benchbar.reports.printing import console

    found, out = _audit(), console()
    lines = [
        f"{AUDITED}; {UNPUBLISHED}:",
        *(f"  {group.certainty} {group.check}: {group.summary}" for group in found["groups"]),
        f"  {found['findings']} findings, {found['checked']} numbers checked; each with its evidence:",
        f"  benchbar audit {bundled(PUBLISHED)} --n 50 --ties half",
    ]
    for line in lines:
        out.print(line, markup=False, highlight=False, soft_wrap=line.startswith("  benchbar"))
