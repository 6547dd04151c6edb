"""`benchbar run`: put assistants through the consultations of a suite and compare them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from benchbar.cli.command import Command


@click.command(cls=Command, context_settings={"show_default": True})
@click.argument("spec", required=False, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the run.  [default: runs/SUITE]")
@click.option("--suite", help="A bundled name, a suite folder or file, or READER:PATH as in ucl-bench:samples.jsonl.")
@click.option(
    "--assistant",
    "assistants",
    multiple=True,
    metavar="NAME=KIND[:…]",
    help="An assistant under test; may be given several times. Kinds: openai:MODEL@URL, http:URL, python:MODULE:OBJECT,"
    " recorded:FILE, extractive, closed-book, or one of a plugin.",
)
@click.option(
    "--reference", metavar="NAME", help="The assistant that all others are compared with.  [default: the first]"
)
@click.option("--limit", type=int, help="At most this many samples, taken from the tasks in turn.")
@click.option("--tasks", metavar="IDS", help="Only these tasks, e.g. 1-1,4-5.")
@click.option("--exchanges", type=int, help="Exchanges in a dialogue at most.  [default: 3]")
@click.option("--concurrency", type=int, help="Requests in flight at one address at most.  [default: 16]")
@click.option("--max-cost", type=float, help="Hard budget in the currency of the prices, judge and simulator included.")
@click.option("--seed", type=int, help="Of everything that draws by chance.  [default: 0]")
@click.option(
    "--ledger",
    metavar="postgresql://…",
    help="Keep calls and marks in PostgreSQL: the same command on several machines shares the work, and many may review."
    "  [default: ledger.sqlite in the run's folder]",
)
@click.option(
    "--engine",
    metavar="ray[://HOST:PORT]",
    help="Spread the run over a Ray cluster: one of this machine's own, or that at the address. Needs --ledger postgresql://…",
)
@click.option("--workers", type=click.IntRange(min=1), help="Processes on the cluster.  [default: one for each core]")
@click.option("--prompts", help="Folder whose files take the place of the built-in prompts.")
@click.option(
    "--stop-early",
    is_flag=True,
    help="Look at the win rates after each quarter of the samples, and stop once every candidate is told apart from the"
    " reference (O'Brien-Fleming boundaries, 5% in all).",
)
@click.option("--accept-changes", is_flag=True, help="Go on in a run folder that was made from another suite or spec.")
@click.option("--json", "as_json", is_flag=True, help="Print results.json, and nothing else, on stdout.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def command(
    spec: Path | None,
    out: Path | None,
    assistants: tuple[str, ...],
    *,
    stop_early: bool,
    engine: str | None,
    workers: int | None,
    accept_changes: bool,
    as_json: bool,
    quiet: bool,
    **flags: Any,
) -> None:
    r"""Put assistants through the consultations of a suite and compare them.

    Without a SPEC and without assistants, the bundled suite is run offline with two assistants that quote its statutes
    and one that answers from no law at all. The same command again goes on where a run was stopped: no call that was
    answered is sent, or paid, twice.

    benchbar run
    benchbar run --suite ucl-bench:samples.jsonl --assistant base=openai:m1@http://127.0.0.1:8000/v1 \
                 --assistant new=openai:m2@http://127.0.0.1:8000/v1 --reference base
    benchbar run spec.toml --max-cost 5
    """
    from benchbar.cli.progress import watched
    from benchbar.runs.running import run
    from benchbar.runs.spec import read_spec

    flags["stop_early"] = stop_early or None
    flags["tasks"] = tuple(filter(None, (flags["tasks"] or "").split(",")))
    with watched(show=not quiet) as (on_progress, cancel):
        done = run(
            read_spec(spec, flags, assistants),
            out=out,
            base=spec.parent if spec else None,
            on_progress=on_progress,
            on_note=lambda note: click.echo(note, err=True),
            cancel=cancel,
            accept_changes=accept_changes,
            engine=engine,
            workers=workers,
        )
    if done.unchanged:
        click.echo("nothing has changed since this run was finished: these are its results", err=True)
    if as_json:
        from benchbar.cli.printing import print_bytes

        print_bytes(done.document)
        return
    from benchbar.reports.terminal import show

    show(done.results, [done.report, done.numbers])
