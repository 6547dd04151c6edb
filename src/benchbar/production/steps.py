"""The steps of `benchbar production`."""

from __future__ import annotations

import os
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchbar.cli.command import Command
from benchbar.cli.options import NumberRange, by_option, json_option, pass_mark_option, seed_option
from benchbar.records.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.decorators import FC

    from benchbar.production.sampling import Sampling

TOKEN = "BENCHBAR_OTLP_TOKEN"  # noqa: S105 - the name of the variable
LOCAL = {"127.0.0.1", "::1", "localhost"}
SHOWN = 200
"""Characters of a question in a list."""
_folder = click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
_there = click.argument("folder", type=click.Path(path_type=Path, file_okay=False, exists=True))
_by = by_option("Who decides.")


def _sampling(function: FC) -> FC:
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option(
        "--rate",
        type=NumberRange(0, 1),
        default=1.0,
        show_default=True,
        help="Chance with which a trace is kept; a folder keeps to its first.",
    ),
    click.option(
        "--failed-rate",
        type=NumberRange(0, 1),
        default=1.0,
        show_default=True,
        help="The same of one with an error, without an answer, or with a low score.",
    ),
    click.option(
        "--no-texts", is_flag=True, help="Keep scores and times alone: no question and no answer, masked or not."
    ),
    pass_mark_option,
    seed_option,
)


def _chosen(rate: float, failed_rate: float, pass_mark: float, seed: int) -> Sampling:
    from benchbar.production.sampling import Sampling

    return Sampling(rate, failed_rate, pass_mark, seed).checked()


@click.command("receive", cls=Command)
@_folder
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at.")
@click.option("--port", type=click.IntRange(0, 65535), default=4318, show_default=True, help="0 for any free one.")
@_sampling
def receive_(
    folder: Path,
    *,
    host: str,
    port: int,
    rate: float,
    failed_rate: float,
    pass_mark: float,
    no_texts: bool,
    seed: int,
) -> None:
    """Receive spans over OTLP/HTTP, as protobuf or JSON, and keep a sample in FOLDER with personal data masked.

    Senders name the token of BENCHBAR_OTLP_TOKEN as bearer: OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer TOKEN".

    benchbar production receive production --rate 0.1
    """
    from benchbar.production.receiver import Receiver, receive
    from benchbar.production.store import ProductionStore

    token = os.environ.get(TOKEN, "")
    if len(token) < 16:
        raise UserError(f"the environment variable {TOKEN} should hold a token of at least 16 characters")
    sampling = _chosen(rate, failed_rate, pass_mark, seed)
    if host not in LOCAL:
        click.echo(
            f"listening at {host}: spans cross the network unencrypted; put a proxy with TLS before it", err=True
        )
    store = ProductionStore(folder)
    # Before the first request: a sender would see no more than that its spans are refused.
    store.hold_to(sampling)
    receiver = Receiver(store, sampling, token, texts=not no_texts)
    receive(receiver, host, port, lambda told: click.echo(f"receiving at {told}" if told.startswith("http") else told))


@click.command("read", cls=Command)
@_folder
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@_sampling
@json_option
def read_(
    folder: Path,
    files: tuple[Path, ...],
    *,
    rate: float,
    failed_rate: float,
    pass_mark: float,
    no_texts: bool,
    seed: int,
    as_json: bool,
) -> None:
    """Take traces from FILES (OpenTelemetry GenAI spans, Langfuse exports) into FOLDER: sampled, masked, each once.

    benchbar production read production spans.json traces.jsonl --rate 0.1
    """
    from benchbar.cli.printing import print_json
    from benchbar.evaluations.reading import read_logs
    from benchbar.production.store import ProductionStore

    sampling = _chosen(rate, failed_rate, pass_mark, seed)
    logs, _ = read_logs(files)
    if not as_json:
        for log in logs:
            click.echo(f"{log.path}: {log.understood()}")
            for what, count in log.ignored.items():
                click.echo(f"{log.path}: passed over: {count} {what}")
    store = ProductionStore(folder)
    counts = [store.keep(log.answers, sampling, texts=not no_texts) for log in logs]
    came, new, kept = (sum(each) for each in zip(*counts, strict=True))
    if as_json:
        problems = [one for log in logs for one in log.problems]
        ignored = {str(log.path): log.ignored for log in logs if log.ignored}
        print_json({"seen": came, "new": new, "kept": kept, "ignored": ignored, "problems": problems})
        return
    for log in logs:
        for problem in log.problems:
            click.echo(f"{problem.file}: {problem.message}", err=True)
    before = f", {came - new} of which had come before" if new < came else ""
    click.echo(f"{came} traces came{before}; {kept} new ones kept in {folder}")


@click.command("drift", cls=Command)
@_there
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="A chart by week, as one HTML page.")
@pass_mark_option
@json_option
def drift_(folder: Path, *, out: Path | None, pass_mark: float, as_json: bool) -> None:
    """Show each measure by week over all traffic, with intervals, and which weeks differ from those before.

    benchbar production drift production --out drift.html
    """
    from benchbar.cli.printing import print_json
    from benchbar.production.chart import as_html
    from benchbar.production.drift import P_VALUE, drift
    from benchbar.production.store import ProductionStore
    from benchbar.records.files import write_atomically

    if out is not None and not out.absolute().parent.is_dir():
        raise UserError(f"--out {out}: there is no folder {out.absolute().parent}; make it, or name another")
    store = ProductionStore(folder)
    found, came = drift(store.traces(), pass_mark), store.seen()
    if not found.weeks:
        cause = f"none of its {found.kept} kept traces has a time" if found.kept else f"it holds no trace ({came} came)"
        raise UserError(
            f"{folder} has no week to show: {cause}; take traces with: benchbar production read {folder} FILE"
        )
    if out is not None:
        write_atomically(out, as_html(found, came))
    if as_json:
        weeks = [{**one._asdict(), "changed": one.changed} for one in found.weeks]
        print_json(
            {"weeks": weeks, "kept": found.kept, "undated": found.undated, "seen": came, "weighed": found.weighed}
        )
        return
    click.echo(f"{came} traces came; {found.kept} were kept and stand for {found.weighed:.0f}")
    for title, weeks_of in groupby(found.weeks, key=lambda one: one.title):
        click.echo(f"\n{title}")
        for one in weeks_of:
            click.echo(f"  {'CHANGED ' if one.changed else ''}{one.week}  {one.in_words()}; {one.tested()}")
    click.echo(f"\nn counts kept traces; {P_VALUE}")
    if found.undated:
        click.echo(f"{found.undated} traces without a time belong to no week")
    if out is not None:
        click.echo(f"written: {out}")


@click.command("proposals", cls=Command)
@_there
@pass_mark_option
@json_option
def proposals_(folder: Path, *, pass_mark: float, as_json: bool) -> None:
    """List failures that might become samples: nothing enters a suite before somebody accepts it.

    benchbar production proposals production
    """
    from benchbar.cli.printing import print_json
    from benchbar.production.proposals import proposals, without_question
    from benchbar.production.store import ProductionStore

    store = ProductionStore(folder)
    traces = store.traces()
    found = proposals(traces, store.verdicts(), pass_mark)
    if bare := without_question(traces, pass_mark):
        click.echo(
            f"{bare} failures cannot be proposed: they hold no question, as texts are not kept here (--no-texts) or were"
            " not sent",
            err=True,
        )
    if as_json:
        print_json([one._asdict() for one in found])
        return
    for one in found:
        click.echo(f"{one.trace.id} ({', '.join(one.why)}): {' '.join(one.trace.question.split())[:SHOWN]}")
    if not found:
        click.echo(f"nothing to propose among {len(traces)} kept traces")
        return
    click.echo(f"{len(found)} proposed; take one with: benchbar production accept {folder} ID --suite FOLDER --by YOU")


@click.command("accept", cls=Command)
@_there
@click.argument("trace")
@click.option("--suite", required=True, type=click.Path(path_type=Path, file_okay=False), help="Folder of the suite.")
@click.option("--guidance", required=True, metavar="TEXT", help='What a good answer holds: "Must mention: …".')
@click.option("--question", default="", help="Another wording of the question, e.g. without what masking missed.")
@click.option("--not-proposed", is_flag=True, help="Take a trace that is not among the proposals.")
@pass_mark_option
@_by
def accept_(
    folder: Path,
    trace: str,
    *,
    suite: Path,
    guidance: str,
    question: str,
    not_proposed: bool,
    pass_mark: float,
    by: str,
) -> None:
    """Put a proposed TRACE into a suite, with what a good answer holds.

    benchbar production accept production TRACE --suite failures --by anna --guidance "Must mention: thirty days"
    """
    from benchbar.production.proposals import accept
    from benchbar.production.store import ProductionStore

    sample = accept(
        ProductionStore(folder),
        trace,
        suite,
        by=by,
        guidance=guidance,
        question=question,
        pass_mark=pass_mark,
        not_proposed=not_proposed,
    )
    click.echo(f"{sample.id} is in {suite}, accepted by {by}")


@click.command("reject", cls=Command)
@_there
@click.argument("trace")
@click.option("--reason", required=True, help="Why it is no sample.")
@pass_mark_option
@_by
def reject_(folder: Path, trace: str, *, reason: str, by: str, pass_mark: float) -> None:
    """Have a TRACE proposed no more.

    benchbar production reject production TRACE --by anna --reason "no legal question"
    """
    from benchbar.production.proposals import reject
    from benchbar.production.store import ProductionStore

    reject(ProductionStore(folder), trace, by=by, reason=reason, pass_mark=pass_mark)
    click.echo(f"{trace} is proposed no more")
