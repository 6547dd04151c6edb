"""`benchbar run`: put assistants through the consultations of a suite and compare them."""

from __future__ import annotations

import asyncio
import dataclasses
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from msgspec.structs import replace

from benchbar.cli.command import Command
from benchbar.ledger import Ledger
from benchbar.records import QUESTION_ANSWERING, HumanMarks, RunResults, Suite
from benchbar.records.errors import BudgetExhaustedError, InterruptedRunError
from benchbar.runs.spec import Spec, read_spec

if TYPE_CHECKING:
    from benchbar.runs.gathering import Gathering
    from benchbar.runs.manifest import Manifest
    from benchbar.runs.sharing import SharedRun


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
    from benchbar.cli.loop import run_loop
    from benchbar.runs.assembling import chosen_suite, warn_of_family
    from benchbar.runs.ray_engine import checked
    from benchbar.runs.shared import placed

    flags["stop_early"] = stop_early or None
    flags["tasks"] = tuple(filter(None, (flags["tasks"] or "").split(",")))
    chosen = read_spec(spec, flags, assistants)
    base = spec.parent if spec else Path()
    suite = chosen_suite(chosen, base)
    for warning in warn_of_family(chosen, base):
        click.echo(f"warning: {warning}", err=True)
    folder = out or Path("runs") / suite.card.name
    _tell_skipped(suite)
    spread = Spread(checked(engine, placed(chosen, folder)), workers)
    ran = run_loop(_run(chosen, suite, folder, base, spread=spread, accept_changes=accept_changes, show=not quiet))
    # Bound to the same name: what the report does not show of a large suite need not be held while it is drawn.
    suite = _to_show(folder, suite, ran)
    written = _written(folder, suite, ran)
    if as_json:
        from benchbar.cli.printing import print_bytes

        print_bytes((folder / "results.json").read_bytes())
        return
    from benchbar.reports.terminal import show

    show(ran.results, written)


def _to_show(folder: Path, suite: Suite, ran: Ran) -> Suite:
    from benchbar.reports.write import shown_part

    return suite if ran.before else shown_part(folder, suite, ran.results)


def _written(folder: Path, suite: Suite, ran: Ran) -> list[Path]:
    """The files that a person may open, made anew unless nothing has changed since they were."""
    if ran.before:
        click.echo("nothing has changed since this run was finished: these are its results", err=True)
        return [folder / "report.html", folder / "results.json"]
    # Not before: what draws the report takes longer to load than the first answers take to come.
    from benchbar.reports.write import write_reports
    from benchbar.runs.finished import note

    written = write_reports(folder, suite, ran.results)
    note(folder, ran.stamp)
    return written


def _tell_skipped(suite: Suite) -> None:
    for problem in suite.problems:
        place = ":".join(str(part) for part in (problem.file, problem.line) if part is not None)
        click.echo(f"skipped: {place}: {problem.field or 'row'}: {problem.message}", err=True)


class Spread(NamedTuple):
    """The cluster that works on the run, and by how many processes; None for this process itself."""

    engine: str | None
    workers: int | None


class Ran(NamedTuple):
    """What came of a run, and whether it was finished before and nothing has changed since."""

    results: RunResults
    stamp: str
    before: bool = False


async def _run(
    spec: Spec, suite: Suite, folder: Path, base: Path, *, spread: Spread, accept_changes: bool, show: bool
) -> Ran:
    from benchbar.runs.assembling import assembled, manifest_of
    from benchbar.runs.finished import stamp_of, unchanged
    from benchbar.runs.manifest import freeze
    from benchbar.runs.shared import keep, made_before, placed, where, writable

    spec = placed(spec, folder)
    ledger = Ledger(where(spec, folder))
    before: Manifest | None = None
    try:
        try:
            before = made_before(ledger, folder, spec)
            study, client = assembled(spec, suite, ledger, base, today=before.on if before else "")
            manifest = writable(manifest_of(spec, study, base))
            freeze(folder, manifest, before, accept_changes=accept_changes)
            if spec.ledger:
                keep(ledger.store, manifest)
        except BaseException:
            if before is None:
                ledger.discard()
            raise
        try:
            if before == manifest and unchanged(folder, stamp := stamp_of(manifest, study, ledger, base)):
                from benchbar.artefacts.folder import read_results

                return Ran(read_results(folder), stamp, before=True)
            found = await _looked(spec, study, client, folder, base, manifest, spread=spread, show=show)
            return Ran(found, stamp_of(manifest, study, ledger, base))
        except InterruptedRunError:
            raise KeyboardInterrupt from None
        except BudgetExhaustedError as error:
            raise BudgetExhaustedError(f"{error} (run folder: {folder})") from error
        finally:
            await client.close()
    finally:
        ledger.close()


async def _looked(
    spec: Spec, study: Any, client: Any, folder: Path, base: Path, manifest: Manifest, *, spread: Spread, show: bool
) -> RunResults:
    """The run at one go, or look by look until nothing is left to be told apart."""
    if spec.ledger:
        return await _shared(spec, study, client, folder, base, manifest, spread=spread, show=show)
    if not spec.stop_early:
        return await _go(spec, study, client, folder, base, show=show)
    import msgspec

    from benchbar.runs.interim import LOOKS, decided, looks

    for look, part in looks(study.suite):
        found = await _go(spec, dataclasses.replace(study, suite=part), client, folder, base, show=show)
        if decided(found, look):
            break
    said = f"after look {look.look} of {LOOKS}, {found.samples} of {len(study.suite.samples)} samples (O'Brien-Fleming)"
    return msgspec.structs.replace(found, stopped=said)


async def _shared(
    spec: Spec, study: Any, client: Any, folder: Path, base: Path, manifest: Manifest, *, spread: Spread, show: bool
) -> RunResults:
    """This process's part of a run that others may share, and what came of the whole."""
    from benchbar.cli.progress import progress, samples_done
    from benchbar.runs.consultation import planned_count
    from benchbar.runs.shared import deriving, joined, on_cluster

    limits = spec.limits
    async with joined(study, client, manifest, at_once=limits.concurrency, lease=limits.lease) as run:
        with _stopping(study.ledger):
            if spread.engine:
                with samples_done(show=show) as told:
                    await on_cluster(run, spec, base, spread.engine, spread.workers, today=manifest.on, told=told)
            else:
                with progress(planned_count(study), study.ledger, client.budget, show=show) as done:
                    await run.work(done)
        study.ledger.store.forget()
        with deriving(folder):
            return await _go(spec, study, client, folder, base, show=False, shared=run)


async def _go(
    spec: Spec, study: Any, client: Any, folder: Path, base: Path, *, show: bool, shared: SharedRun | None = None
) -> RunResults:
    from benchbar.artefacts.derived import DerivedFiles
    from benchbar.cli.progress import progress
    from benchbar.runs.consultation import planned_count
    from benchbar.runs.engine import Run
    from benchbar.runs.gathering import Gathering

    asked_once = study.suite.card.protocol == QUESTION_ANSWERING
    total = planned_count(study)
    dialogues = len(study.suite.samples) * len(study.assistants)
    with (
        DerivedFiles(folder, rag=asked_once, dialogues=dialogues) as files,
        progress(total, study.ledger, client.budget, show=show) as done,
    ):
        gathered = Gathering(study, files)
        if shared:
            shared.results(gathered.receive)
        else:
            with _stopping(study.ledger):
                await Run(study, gathered.receive, done, at_once=spec.limits.concurrency).go()
    _note_failures(folder, client)
    return _found(spec, study, gathered, folder, base)


def _note_failures(folder: Path, client: Any) -> None:
    """Add the requests that failed, those included that were sent again, to what earlier starts of the run noted."""
    import msgspec

    from benchbar.records import encode
    from benchbar.records.files import write_atomically

    file = folder / "failures.json"
    noted: dict[str, dict[str, int]] = msgspec.json.decode(file.read_bytes()) if file.is_file() else {}
    for (address, slug), count in client.failures.items():
        of = noted.setdefault(address, {})
        of[slug] = of.get(slug, 0) + count
    client.failures.clear()
    write_atomically(file, encode(noted) + b"\n")


def _found(spec: Spec, study: Any, gathered: Gathering, folder: Path, base: Path) -> RunResults:
    """The results, with what people should look at and the gate's decision."""
    from benchbar.ledger.reviews import add_plan, human_marks, read_reviews
    from benchbar.measures.results import results
    from benchbar.measures.timing import timing
    from benchbar.records import encode
    from benchbar.records.files import write_atomically
    from benchbar.runs.assembling import judge_identity, simulator_identity
    from benchbar.runs.reviewing import draw, reasons_counted

    judge, decided_by = judge_identity(study)
    write_atomically(folder / "timing.json", encode(timing(gathered.tally)) + b"\n")
    found = results(
        study.suite,
        gathered.tally,
        simulator=simulator_identity(study),
        judge=judge,
        decided_by=decided_by,
        law=study.law,
        spending=study.ledger.store.spending(),
        rubric=study.rubric,
        assignment=study.assignment,
    )
    if gathered.rag is not None:
        found = gathered.rag.extended(found, judge=study.answer_judge.identity if study.answer_judge else "")
    # The facts of a large run take more room than its suite: they make way for what is drawn and told of it.
    plan = draw(
        gathered.let_go(),
        spec.review,
        seed=spec.seed,
        name=study.ledger.nonce,
        stamp=study.suite.fingerprint,
        reference=study.reference,
    )
    add_plan(study.ledger.store, plan)
    reasons = dict(reasons_counted(plan))
    del plan  # it is read back, with those of earlier starts
    marks = human_marks(read_reviews(study.ledger.store))
    write_atomically(folder / "marks.json", encode(marks) + b"\n")
    return _gated(spec, replace(found, review=reasons), folder, marks, base)


def _gated(spec: Spec, found: RunResults, folder: Path, marks: dict[str, HumanMarks], base: Path) -> RunResults:
    """The results with the decision of the spec's gate, where it has one."""
    if spec.gate is None:
        return found
    from benchbar.decisions.evidence import gate_of, measures_of
    from benchbar.decisions.policy import policy_named

    policy = policy_named(spec.gate, base)
    baseline = base / policy.not_worse.run if policy.not_worse and policy.not_worse.run else None
    return replace(found, gate=gate_of(found, measures_of(folder), policy, baseline=baseline, marks=marks))


class _stopping:  # noqa: N801 - used as a block, like a function
    """Ctrl-C: no new call is begun, those in flight are finished and written; a second Ctrl-C stops at once."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def __enter__(self) -> None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, self._stop)

    def _stop(self) -> None:
        click.echo("finishing the calls in flight; Ctrl-C again to stop at once", err=True)
        self._ledger.closing = True
        asyncio.get_running_loop().remove_signal_handler(signal.SIGINT)

    def __exit__(self, *error: object) -> None:
        asyncio.get_running_loop().remove_signal_handler(signal.SIGINT)
