"""`benchbar run`: put assistants through the consultations of a suite and compare them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchbar.cli.command import Command, section
from benchbar.cli.options import (
    InputPath,
    concurrency_option,
    json_option,
    limit_option,
    map_option,
    max_cost_option,
    quiet_option,
    set_option,
    sheet_option,
    spec_seed_option,
    suite_language_option,
    tasks_option,
)
from benchbar.records.errors import UserError

if TYPE_CHECKING:
    from benchbar.runs.run import Run
    from benchbar.runs.spec import Spec


@click.command(cls=Command, context_settings={"show_default": True})
@click.argument("spec", metavar="[SPEC|QUESTIONS]", required=False, type=InputPath(path_type=Path, exists=True))
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the run.  [default: runs/SUITE]")
@section(
    "What is run",
    click.option(
        "--suite", help="A bundled name, a suite folder or file, or READER:PATH as in ucl-bench:samples.jsonl."
    ),
    click.option(
        "--assistant",
        "assistants",
        multiple=True,
        metavar="NAME=KIND[:…]",
        help="An assistant under test; may be given several times. Kinds: openai:MODEL@URL, anthropic:MODEL,"
        " gemini:MODEL, http:URL,"
        " python:MODULE:OBJECT, recorded:FILE, extractive, closed-book, or one of a plugin.",
    ),
    click.option(
        "--judge",
        metavar="MODEL@URL",
        help="The judge model, also anthropic:MODEL or gemini:MODEL; without an address that of OPENAI_BASE_URL, else OpenAI's. Its forms: pairwise and checklist.",
    ),
    click.option(
        "--simulator",
        metavar="MODEL@URL",
        help="A model plays the user.  [default: rules do, or questions are asked once]",
    ),
    suite_language_option,
    map_option,
    sheet_option,
    click.option(
        "--reference", metavar="NAME", help="The assistant that all others are compared with.  [default: the first]"
    ),
    click.option(
        "--scorer",
        "scorers",
        multiple=True,
        metavar="NAME",
        help="A scoring rule in addition to the built-in ones: one of a plugin, or module:object; may be given several times.",
    ),
    limit_option,
    click.option(
        "--repeats",
        type=int,
        help="Hold and mark each dialogue this often: shows how much answers vary.  [default: the spec's, else 1]",
    ),
    tasks_option,
    spec_seed_option,
    set_option("Any field of the spec, such as exchanges=5 or judge.repeats=3; may be given several times."),
)
@section(
    "Cost and machines",
    max_cost_option,
    click.option(
        "--no-preflight",
        "preflight",
        flag_value=False,
        default=None,
        help="Do not try each endpoint once before the first call.",
    ),
    click.option("--local-only", is_flag=True, default=None, help="Refuse every address that is not on this machine."),
    concurrency_option(None, "  [default: the spec's, else 16]"),
    click.option(
        "--ledger",
        metavar="postgresql://…",
        help="Keep calls and marks in PostgreSQL: the same command on several machines shares the work, and many may"
        " review.  [default: ledger.sqlite in the run's folder]",
    ),
    click.option(
        "--engine",
        metavar="ray[://HOST:PORT]",
        help="Spread the run over a Ray cluster: one of this machine's own, or that at the address. Needs --ledger"
        " postgresql://…",
    ),
    click.option(
        "--workers", type=click.IntRange(min=1), help="Processes on the cluster.  [default: one for each core]"
    ),
)
@click.option("--dry-run", is_flag=True, help="Say calls, tokens, cost and time of each role, and send nothing.")
@click.option(
    "--accept-changes", is_flag=True, help="Continue in a run folder that was made from another suite or spec."
)
@click.option(
    "--again",
    multiple=True,
    metavar="SAMPLE",
    help="Ask and judge this sample once more; what was answered before stays in the ledger. May be given several times.",
)
@click.option("--keep-going", is_flag=True, help="Go on although most of the judge's first 20 verdicts cannot be read.")
@click.option(
    "--full", is_flag=True, help="Print the rows of all tasks and every condition of the gate with its reason."
)
@json_option
@quiet_option
def command(
    spec: Path | None,
    out: Path | None,
    assistants: tuple[str, ...],
    *,
    engine: str | None,
    workers: int | None,
    dry_run: bool,
    accept_changes: bool,
    again: tuple[str, ...],
    full: bool,
    as_json: bool,
    quiet: bool,
    settings: dict[str, Any],
    **flags: Any,
) -> None:
    r"""Put assistants through the consultations of a suite and compare them.

    Without a SPEC and without assistants, the bundled suite is run offline with two assistants that quote its statutes
    and one that answers from no law at all. Rerun the command to resume: answers are never paid for
    twice.

    QUESTIONS is a table of your own (XLSX, CSV, JSONL, DOCX) or a suite folder; only a column of questions is needed, and
    columns of answers become recorded assistants.

    benchbar run
    benchbar run questions.xlsx --assistant new=openai:m1@http://127.0.0.1:8000/v1 --judge m2@http://127.0.0.1:8000/v1
    benchbar run --suite ucl-bench:samples.jsonl --assistant base=openai:m1@http://127.0.0.1:8000/v1 \
                 --assistant new=openai:m2@http://127.0.0.1:8000/v1 --reference base
    benchbar run spec.toml --max-cost 5 --set exchanges=5
    benchbar run --suite my-questions --assistant lp=law-practice --judge m2@http://127.0.0.1:8000/v1 --set judge.kind=rag \
                 --set judge.rag.embeddings.model=m3 --set judge.rag.embeddings.base_url=http://127.0.0.1:8100/v1
    """
    from benchbar.cli.progress import watched
    from benchbar.runs.running import run
    from benchbar.runs.spec_reading import read_spec

    spec = _spec_file(spec, flags)
    if dry_run:
        with _every_fault(spec, flags, assistants, settings):
            _say_plan(read_spec(spec, flags, assistants, settings), spec.parent if spec else Path(), as_json=as_json)
        return
    with watched(show=not quiet) as (on_progress, cancel), _every_fault(spec, flags, assistants, settings):
        done = run(
            read_spec(spec, flags, assistants, settings),
            out=out,
            base=spec.parent if spec else None,
            on_progress=on_progress,
            on_note=lambda note: click.echo(note, err=True),
            on_results=lambda found: _print(found, as_json=as_json, full=full),
            cancel=cancel,
            accept_changes=accept_changes,
            engine=engine,
            workers=workers,
            again=again,
        )
    _tell_end(done, as_json=as_json)


def _spec_file(given: Path | None, flags: dict[str, Any]) -> Path | None:
    """The spec's file, if one was given: any other file, and a folder, is the suite. The flags get the form that a spec has."""
    flags["keep_going"] = flags["keep_going"] or None
    flags["tasks"] = tuple(filter(None, (flags["tasks"] or "").split(",")))
    if given is None or (given.suffix.lower() == ".toml" and not given.is_dir()):
        return given
    if flags["suite"]:
        raise UserError(f"{given} and --suite {flags['suite']}: two suites are named; leave one out")
    flags["suite"] = str(given)
    return None


def _tell_end(done: Run, *, as_json: bool) -> None:
    """Where everything was written; a run that is not to be believed ends with code 1."""
    if not as_json:
        from benchbar.reports.terminal import show_end

        show_end(done.results, done.report, done.numbers)
    if fatal := [finding.message for finding in done.results.health if finding.fatal]:
        # Last as well as first: a long table may have moved the first line off the screen.
        click.echo("\n".join(f"benchbar: {message}" for message in fatal), err=True)
        sys.exit(1)


@contextmanager
def _every_fault(
    file: Path | None, flags: dict[str, Any], assistants: tuple[str, ...], settings: dict[str, Any]
) -> Iterator[None]:
    """A block in which a fault of the spec is told with its place, and with all others that the spec has."""
    try:
        yield
    except UserError as error:
        if file is None:
            raise
        # Only a faulty spec pays for the import and for the search.
        from benchbar.runs.checking import every_fault
        from benchbar.runs.spec_reading import given_spec

        raise every_fault(error, given_spec(file, flags, assistants, settings), file) from error


def _print(found: Run, *, as_json: bool, full: bool) -> None:
    """The results, at once: whoever waits for them need not wait for the report."""
    if found.unchanged:
        click.echo("nothing has changed since this run was finished: these are its results", err=True)
    if as_json:
        from benchbar.cli.printing import print_bytes

        print_bytes(found.document)
    else:
        from benchbar.reports.terminal import show

        show(found.results, found.folder, full=full)
        sys.stdout.flush()
    if not found.unchanged:
        from benchbar.cli.progress import note

        note("writing the report")


def _say_plan(spec: Spec, base: Path, *, as_json: bool) -> None:
    """What the run would take: nothing is sent, and no folder is made."""
    from benchbar.cli.printing import print_json
    from benchbar.runs.assembling import chosen_suite
    from benchbar.runs.planning import plan_of
    from benchbar.runs.receivers import price_notes, sent_to
    from benchbar.runs.running import understood_of

    suite = chosen_suite(spec, base)
    for line in understood_of(spec, suite, base):
        click.echo(line, err=True)
    plan = plan_of(spec, suite, base)
    if as_json:
        print_json({**plan._asdict(), "calls": plan.calls, "cost": plan.cost})
        return
    for line in (*sent_to(spec), *price_notes(spec), *plan.lines()):
        click.echo(line)
