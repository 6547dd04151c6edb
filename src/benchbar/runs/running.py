"""Runs a spec from its first call to its report: `benchbar.run`."""

from __future__ import annotations

import dataclasses
import threading
import warnings
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from benchbar.artefacts.derived import DerivedFiles, add_failures, write_results
from benchbar.artefacts.folder import read_measures, read_results
from benchbar.artefacts.layout import RunFolder
from benchbar.clients.session import OnProgress, Progress, Session, awaiting, blocking
from benchbar.records import QUESTION_ANSWERING, RunResults, Suite
from benchbar.records.errors import BudgetExhaustedError, LeaseLostError, LedgerLostError, UnknownNameError, UserError
from benchbar.runs.run import Run
from benchbar.runs.spec import Spec
from benchbar.runs.spec_reading import as_spec

if TYPE_CHECKING:
    from benchbar.ledger import Ledger
    from benchbar.ledger.claims import Standing
    from benchbar.ledger.store import LedgerStore
    from benchbar.runs.consultation import Consultation
    from benchbar.runs.first_verdicts import FirstVerdicts
    from benchbar.runs.gathering import Gathering
    from benchbar.runs.manifest import Manifest
    from benchbar.runs.sharing import SharedRun

OnResults = Callable[[Run], None]
"""Told of a run whose results are written, before its report is drawn."""
OnNote = Callable[[str], None]
"""Told, before any call is made, what a person should know: rows that were skipped, a judge of an assistant's family."""


@dataclasses.dataclass
class _Begun:
    """A run that is about to be made."""

    spec: Spec
    suite: Suite
    folder: Path
    base: Path
    engine: str | None
    workers: int | None
    accept_changes: bool
    on_progress: OnProgress | None
    on_results: OnResults | None
    cancel: threading.Event | None
    again: tuple[str, ...]


class _Done(NamedTuple):
    """What came of a run."""

    begun: _Begun
    results: RunResults
    stamp: str
    unchanged: bool = False
    """Whether it was finished before and nothing has changed since."""


def _begun(
    spec: Spec | Mapping[str, object] | Path | str | None = None,
    *,
    out: Path | str | None = None,
    base: Path | str | None = None,
    on_progress: OnProgress | None = None,
    on_note: OnNote | None = None,
    on_results: OnResults | None = None,
    cancel: threading.Event | None = None,
    accept_changes: bool = False,
    engine: str | None = None,
    workers: int | None = None,
    again: Collection[str] = (),
) -> Coroutine[Any, Any, _Done]:
    """The work of a run up to its report. What does not fit is said before it begins, and warnings name the caller's line."""
    from benchbar.runs.assembling import chosen_suite
    from benchbar.runs.manifest import placed
    from benchbar.runs.ray_engine import checked
    from benchbar.runs.receivers import price_notes, sent_to

    chosen, own = as_spec(spec)
    root = own if base is None else Path(base)
    suite = chosen_suite(chosen, root)
    folder = Path(out) if out else Path("runs") / suite.card.name
    note = on_note or _warn
    for line in understood_of(chosen, suite, root):
        note(line)
    chosen = placed(chosen, folder)
    for line in (*sent_to(chosen), *price_notes(chosen)):
        note(line)
    engine = checked(engine, chosen)
    _check_again(again, suite)
    asked = (on_progress, on_results, cancel, tuple(again))
    return _consulted(_Begun(chosen, suite, folder, root, engine, workers, accept_changes, *asked))


def understood_of(spec: Spec, suite: Suite, base: Path) -> Iterator[str]:
    """What was understood of the suite and what is doubtful about it, line by line: a run says it before anything is sent."""
    from benchbar.runs.assembling import warn_of_family, warn_of_language

    if suite.language and "(stated)" not in suite.language:
        yield f"language: {suite.language}"
    yield from suite.understood
    for warning in (*(one.message for one in warn_of_family(spec, base)), *warn_of_language(suite)):
        yield f"warning: {warning}"
    for problem in suite.problems:
        place = ":".join(str(part) for part in (problem.file, problem.line) if part is not None)
        yield f"problem: {place}: {problem.field or 'row'}: {problem.message}"


def _check_again(again: Collection[str], suite: Suite) -> None:
    known = {sample.id for sample in suite.samples}
    if unknown := next((one for one in again if one not in known), None):
        raise UnknownNameError("sample", unknown, sorted(known))


def _warn(text: str) -> None:
    warnings.warn(text, stacklevel=4)


@blocking(_begun)
def run(done: _Done) -> Run:  # noqa: D417 - its arguments are those of _begun
    """The finished run of a spec; what an earlier start of it was answered is taken from its ledger and not paid again.

    Args:
        spec: a TOML file, its content as a mapping, or a ``Spec``; left out, the offline demonstration.
        out: the folder of the run; left out, ``runs/SUITE``.
        base: the folder that relative paths in the spec start from; left out, that of the TOML file, else the present one.
        on_progress: called as each dialogue, mark and comparison is finished.
        on_note: called with what a person should know before calls are made; left out, ``warnings.warn``.
        on_results: called with the run once its results are written; the report, which takes longer, is drawn after it.
        cancel: once set, calls in flight are finished and kept, and the run ends with an ``InterruptedRunError``.
        accept_changes: go on in a folder whose run was made from another suite or spec.
        engine: ``ray``, or ``ray://HOST:PORT``: spread the run over a cluster; needs a ledger in PostgreSQL.
        workers: processes on the cluster; left out, one for each core.
        again: ids of samples that are asked and judged once more; what was answered before stays in the ledger, and counts no more.

    Raises:
        UserError: the spec, the suite or the folder does not fit; people have marked a sample that is to be asked ``again``; or
            an event loop runs here already.
        InterruptedRunError: ``cancel`` was set. The same call goes on.
        WaitingForPeopleError: all is done that can be done before people answer. The same call goes on with what came in.
        BudgetExhaustedError: the next call might cost more than is left. The same call with a higher limit goes on.
        BenchbarError: an endpoint refuses every call, or the files of the run cannot be written.

    Example:
        >>> spec = {
        ...     "suite": "model-jurisdiction-zh",
        ...     "limit": 22,
        ...     "reference": "law-of-2020",
        ...     "assistants": {"quotes": {"kind": "extractive"}, "law-of-2020": {"kind": "extractive", "on": "2020-12-31"}},
        ... }
        >>> run = benchbar.run(spec, out="runs/quotes")
        >>> run.results.samples
        22
        >>> low, high = run.results.win_rate("quotes").interval
        >>> f"{low:.2f} to {high:.2f}"
        '0.39 to 0.73'
        >>> benchbar.run(spec, out="runs/quotes").unchanged
        True
    """
    # The report is drawn outside of the loop: there Ctrl-C ends the program at once.
    return _written(done)


@awaiting(_begun)
def run_async(done: _Done) -> Run:
    """The same as ``run``, for callers whose event loop runs already: notebooks, web applications."""
    return _written(done)


def _written(done: _Done) -> Run:
    """The run, with the files that a person opens made anew unless nothing has changed since they were."""
    begun = done.begun
    run = Run(begun.folder, results=done.results, unchanged=done.unchanged)
    told = begun.on_results or (lambda run: None)  # noqa: ARG005
    if done.unchanged:
        told(run)
        return run
    # The numbers before all else: `benchbar report` draws from them what a kill leaves undone.
    write_results(run.folder, done.results)
    try:
        told(run)
    finally:
        # Even where nobody reads on, as `head` does not: a closed pipe costs no report.
        _draw(begun, done)
    return run


def _draw(begun: _Begun, done: _Done) -> None:
    # Not before: what draws the report takes longer to load than the first answers take to come.
    from benchbar.reports.write import draw, shown_part
    from benchbar.runs.finished import note

    # Put in the whole suite's place: what the report does not show of a large one need not be held while it is drawn.
    begun.suite = shown_part(begun.folder, begun.suite, done.results)
    draw(begun.folder, begun.suite, done.results)
    note(begun.folder, done.stamp)


async def _consulted(begun: _Begun) -> _Done:
    """Everything but the report: dialogues, marks, comparisons, results."""
    from benchbar.runs.assembling import assembled, manifest_of, session_of
    from benchbar.runs.finished import stamp_of, unchanged
    from benchbar.runs.manifest import freeze, keep, made_before, where, writable
    from benchbar.runs.receivers import batched_roles
    from benchbar.runs.trial import prepare

    spec, folder, base = begun.spec, begun.folder, begun.base
    before: Manifest | None = None
    async with session_of(spec, where(spec, folder), cancel=begun.cancel, waits_in=folder) as session:
        ledger = session.ledger
        prepare(session, spec, begun.suite, base)
        session.client.batched = batched_roles(spec, begun.suite)
        try:
            before = made_before(ledger, folder, spec)
            # The other form of the law's identity would ask assistants that are named by it everything anew.
            old = before is not None and before.paths_in_law_identity and not begun.accept_changes
            today = before.on if before else ""
            study = assembled(spec, begun.suite, session, base, today=today, paths_in_law_identity=old)
            _check_gate(spec, base, study)
            manifest = writable(manifest_of(spec, study, base, paths_in_law_identity=old))
            freeze(folder, manifest, before, accept_changes=begun.accept_changes)
            if spec.ledger:
                keep(ledger.store, manifest)
        except BaseException:
            if before is None:
                ledger.discard()
            raise
        _ask_anew(ledger, begun.again)
        # See docs/decisions/0007.
        if before == manifest and unchanged(folder, stamp := stamp_of(manifest, study, ledger, base)):
            return _Done(begun, read_results(folder), stamp, unchanged=True)
        try:
            found = await _Making(begun, study, session, manifest).results()
        except BudgetExhaustedError as error:
            raise BudgetExhaustedError(f"{error} (run folder: {folder})") from error
        return _Done(begun, found, stamp_of(manifest, study, ledger, base))


def _ask_anew(ledger: Ledger, samples: Collection[str]) -> None:
    """Have samples asked anew about which no person has said anything yet: their marks are of the answers that they read."""
    from benchbar.ledger.reviews import Reviews

    reviews = Reviews().follow(ledger.store) if samples else Reviews()
    marked = {task.sample for task in reviews.tasks.values() if any(True for _ in reviews.standing(task.id))}
    if read := sorted(marked & set(samples)):
        raise UserError(
            f"people have marked the answers to {', '.join(read)}, and would have marked answers that nobody reads any more;"
            " make a new run for these samples"
        )
    ledger.ask_anew(samples)


def _check_gate(spec: Spec, base: Path, study: Consultation) -> None:
    from benchbar.runs.assembling import faults_of_gate

    for fault in faults_of_gate(spec, base, study):
        raise fault


@dataclasses.dataclass(frozen=True)
class _Making:
    """One start of a run: its study, and the session that its calls are made in."""

    begun: _Begun
    study: Consultation
    session: Session
    manifest: Manifest

    async def results(self) -> RunResults:
        """The results of the run at one go, shared with others, or look by look."""
        if self.begun.spec.ledger:
            return await self._shared()
        if self.begun.spec.stop_early:
            return await self._stopped_early()
        return await self._derived(self._go)

    async def _stopped_early(self) -> RunResults:
        from benchbar.runs.interim import parts, stopped

        suite, folder = self.study.suite, self.begun.folder
        for part in parts(suite):
            one = self._of(part)
            found = await one._derived(one._go)  # noqa: SLF001 - one of our own kind
            if ended := stopped(found, read_measures(folder), part, suite):
                break
        assert ended is not None  # noqa: S101 - the last part is the whole suite
        return ended

    def _of(self, part: Suite) -> _Making:
        return dataclasses.replace(self, study=dataclasses.replace(self.study, suite=part))

    async def _shared(self) -> RunResults:
        """This process's part of a run that others may share, and what came of the whole."""
        from benchbar.runs.interim import parts
        from benchbar.runs.sharing import joined

        suite, limits = self.study.suite, self.begun.spec.limits
        seen = parts(suite) if self.begun.spec.stop_early else (suite,)
        async with joined(
            self.study,
            self.session.client,
            self.manifest,
            parts=seen,
            at_once=limits.at_once,
            lease=limits.lease,
            outage=limits.max_outage,
        ) as shared:
            while True:
                try:
                    if (ended := await self._look(shared, seen)) is not None:
                        return ended
                except (LeaseLostError, LedgerLostError) as error:
                    await shared.begin_again(error)

    async def _look(self, shared: SharedRun, seen: Sequence[Suite]) -> RunResults | None:
        """Work on the part that is open; the results, where it is done and no other is to follow."""
        from benchbar.runs.interim import stopped

        begun = self.begun
        one = self._of(seen[await shared.part()])
        await one._work(shared)  # noqa: SLF001 - one of our own kind
        _read_anew(self.session.ledger.store)
        with _alone(begun.folder):
            place = await shared.part()
            if not await shared.finished(place):
                return None
            one = self._of(seen[place])
            found = await one._derived(partial(_receive_shared, shared, place))  # noqa: SLF001
            if not begun.spec.stop_early:
                return found
            # Every process decides for itself, from the same records, and so as all others do.
            ended = stopped(found, read_measures(begun.folder), seen[place], self.study.suite)
            if ended is None:
                await shared.open(place + 1)
            return ended

    async def _work(self, shared: SharedRun) -> None:
        """Do this process's part of what is open, or look on while a cluster does."""
        from benchbar.runs.consultation import planned_count
        from benchbar.runs.ray_engine import on_cluster

        begun, session = self.begun, self.session
        if not begun.engine:
            with session.counted("consulting", planned_count(self.study), begun.on_progress) as done:
                await shared.work(done)
            return
        if asked := begun.spec.people:
            raise UserError(
                f"assistant {asked[0]!r} is a person, and workers of a cluster do not wait for people; leave the engine out:"
                " processes that are given the same command share the run as well"
            )
        # Here, once, and not by each worker: a dead address must end the run before a cluster is started.
        if session.client.targets:
            await session.client.try_targets()
        with self._standing() as told:
            await on_cluster(shared, self.manifest, begun.spec, begun.base, begun.engine, begun.workers, told=told)

    @contextmanager
    def _standing(self) -> Iterator[Callable[[Standing], None]]:
        """A block in which the samples that others finish are told."""
        last = Progress(stage="samples", total=len(self.study.suite.samples), done=0)
        told = self.begun.on_progress or (lambda progress: None)  # noqa: ARG005

        def tell(standing: Standing) -> None:
            nonlocal last
            last = Progress(stage="samples", total=standing.samples, done=standing.done)
            told(last)

        told(last)
        try:
            yield tell
        finally:
            told(msgspec.structs.replace(last, ended=True))

    async def _go(self, gathered: Gathering) -> None:
        from benchbar.runs.consultation import planned_count
        from benchbar.runs.engine import Engine

        with self.session.counted("consulting", planned_count(self.study), self.begun.on_progress) as done:
            await Engine(self.study, gathered.receive, done, at_once=self.begun.spec.limits.at_once).go()

    async def _derived(self, gather: Callable[[Gathering], Awaitable[None]]) -> RunResults:
        """The derived files, and the results of what ``gather`` hands on."""
        from benchbar.runs.deriving import Deriving
        from benchbar.runs.gathering import Gathering

        study, folder = self.study, self.begun.folder
        asked_once = study.suite.card.protocol == QUESTION_ANSWERING
        dialogues = len(study.suite.samples) * len(study.assistants)
        with DerivedFiles(folder, rag=asked_once, trials=study.repeats > 1, dialogues=dialogues) as files:
            gathered = Gathering(study, files, pass_mark=self.begun.spec.pass_mark, watch=self._watch())
            await gather(gathered)
        await self.session.client.await_trial()
        add_failures(folder, self.session.client.failures)
        self.session.client.failures.clear()  # noted; a next look begins anew
        return Deriving(self.begun.spec, self.begun.base, folder, study).of(gathered)

    def _watch(self) -> FirstVerdicts | None:
        """Looks at the judge's first verdicts while calls are still made; what is only replayed costs nothing."""
        from benchbar.runs.first_verdicts import FirstVerdicts

        return None if self.begun.spec.limits.keep_going else FirstVerdicts(self.session.ledger)


async def _receive_shared(shared: SharedRun, place: int, gathered: Gathering) -> None:
    shared.results(place, gathered.receive)


def _read_anew(store: LedgerStore) -> None:
    """Others have written since this process read: what is derived has to rest on all of it."""
    from benchbar.ledger.postgresql import PostgreSQLStore

    if isinstance(store, PostgreSQLStore):
        store.forget()


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """A block in which no other process writes the derived files of the folder."""
    import filelock

    folder.mkdir(parents=True, exist_ok=True)
    with filelock.FileLock(RunFolder(folder).lock):
        yield
