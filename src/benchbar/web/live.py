"""How far a run is, read from its ledger while it runs."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise, takewhile
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from benchbar.artefacts.layout import RunFolder
from benchbar.ledger.calls import Outcome
from benchbar.ledger.opening import ledger_of, open_store
from benchbar.ledger.packing import unpack
from benchbar.ledger.requests import called, unanswered
from benchbar.ledger.schema import UNANSWERED
from benchbar.ledger.store import LedgerStore
from benchbar.records import decode
from benchbar.records.errors import BenchbarError
from benchbar.records.files import read_bounded
from benchbar.records.results import HealthFinding
from benchbar.runs import background
from benchbar.runs.manifest import read_manifest
from benchbar.runs.trial import judge_findings
from benchbar.web.folders import control_of

State = Literal["running", "finished", "stopped", "study", "broken"]
LOCKS = Path("/proc/locks")
# Calls to slow models take up to a minute or two; less would call a run stopped that only waits.
Found = TypeVar("Found")
SILENT = 120.0
"""Seconds without a call after which a run counts as stopped, where the system does not tell of locks."""
# Enough to even out bursts, few enough that the rate follows a change of limits within a minute.
RECENT = 200
"""Calls from which the present rate is taken."""
_FAILING = f"(result.status = 'refused' OR {UNANSWERED})"
"""A refusal is kept as the answer, and is told with what failed."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What a ledger tells."""

    planned: int = 0
    finished: int = 0
    calls: int = 0
    """That ended, with an answer or an error."""
    failed: int = 0
    """Calls that ended with an error and have no answer from a later try."""
    in_flight: int = 0
    cost: float | None = None
    rate: float | None = None
    """Calls a second, since the run last paused."""
    silent: float | None = None
    """Seconds since the last answer."""

    @property
    def share(self) -> float:
        """From 0 to 1."""
        return self.finished / self.planned if self.planned else 0.0

    @property
    def left(self) -> int:
        """Items that are not finished."""
        return self.planned - self.finished


def state_of(run: Path) -> State:
    """Whether a run is under way, done, or was stopped before its end."""
    if background.under_way(control_of(run)):
        return "running"
    done = RunFolder(run).results.is_file()
    try:
        ledger = ledger_of(run)
    except BenchbarError:
        return "broken"
    if isinstance(ledger, str):
        # A database tells nobody who holds it: what was written lately does.
        recent = not done and (progress_of(run).silent or SILENT) < SILENT
        return "finished" if done else "running" if recent else "stopped"
    if ledger.is_file() and busy(ledger) and (not done or progress_of(run).left):
        return "running"
    return "finished" if done else "stopped"


def busy(ledger: Path) -> bool:
    """Whether a process holds the ledger; nothing is locked to find out, so that no run is kept from starting."""
    lock = Path(f"{ledger}.lock")
    try:
        number = lock.stat().st_ino
    except OSError:
        return False
    # Trying the lock to see whether it is held would hold it for a moment, in which a starting run is
    # refused.
    if LOCKS.is_file():
        fields = (line.split() for line in LOCKS.read_text("utf-8").splitlines())
        # `->` marks one who waits for the lock, not who has it.
        return any(len(one) > 5 and one[5].endswith(f":{number}") for one in fields if "->" not in one)
    # Systems without /proc/locks: whoever runs writes.
    return time.time() - max(_time(ledger), _time(Path(f"{ledger}-wal"))) < SILENT


def _time(file: Path) -> float:
    try:
        return os.stat(file).st_mtime  # noqa: PTH116 - one call for a file that may be gone
    except OSError:
        return 0.0


def progress_of(run: Path) -> Progress:
    """What the ledger tells now; nothing where it cannot be read."""
    return _looked_up(run, _read, Progress())


def unanswered_in(run: Path) -> int:
    """How many calls of a run have no answer, of which alone its page asks; 0 where its ledger cannot be read."""
    return _looked_up(run, unanswered, 0)


def _looked_up(run: Path, read: Callable[[LedgerStore], Found], otherwise: Found) -> Found:
    """What is read of a run's ledger, or what stands for it where that cannot be read."""
    try:
        store = open_store(ledger_of(run), writable=False)
    except Exception:  # noqa: BLE001 - a driver's own errors as well: a list of runs is shown without this one's numbers
        return otherwise
    try:
        return read(store)
    except Exception:  # noqa: BLE001 - as above
        return otherwise
    finally:
        store.close()


def _read(store: LedgerStore) -> Progress:
    planned, finished = (next(store.rows(f"SELECT count(*) FROM {table}"))[0] for table in ("plan", "outcome"))  # noqa: S608
    calls, cost = next(store.rows("SELECT count(*), sum(cost) FROM result"))
    intents = next(store.rows("SELECT count(*) FROM intent"))[0]
    times = [at for (at,) in store.rows("SELECT at FROM result ORDER BY at DESC LIMIT ?", (RECENT,))]
    return Progress(
        planned=int(planned),
        finished=int(finished),
        calls=int(calls),
        failed=unanswered(store),
        # An intent is written before its call, the result after it: the difference is under way.
        in_flight=int(intents) - int(calls),
        cost=None if cost is None else float(cost),
        rate=_rate(times, time.time()),
        silent=max(0.0, time.time() - max(times)) if times else None,
    )


def _rate(times: Sequence[float], now: float) -> float | None:
    """Calls a second, from when the latest ended, the last one first; None where nothing ended since the run last paused."""
    # A night between a stop and going on is no part of the present rate.
    steps = takewhile(lambda step: step[0] - step[1] < SILENT, pairwise((now, *times)))
    lately = [at for _, at in steps]
    return len(lately) / (now - lately[-1]) if lately and now > lately[-1] else None


@dataclass(frozen=True, slots=True)
class AnsweredSample:
    """A sample whose calls ended lately."""

    sample: str
    at: float
    """When the last of them ended, in seconds since 1970."""
    calls: int
    failed: int


@dataclass(frozen=True, slots=True)
class Failure:
    """Calls that failed alike and have no answer yet, or were refused alike."""

    role: str
    whose: tuple[str, ...]
    """Who was called, as the ledger names them: of the last of these calls."""
    slug: str
    """Of the error, by which `benchbar explain` knows it."""
    count: int
    message: str
    """Of the last of them."""


@dataclass(frozen=True, slots=True)
class Details:
    """What happens in a run, besides how far it is."""

    samples: tuple[AnsweredSample, ...] = ()
    """The last that were answered, the latest first."""
    failures: tuple[Failure, ...] = ()
    """The most frequent first."""
    judged: int = 0
    """Verdicts that were asked for and looked at, drawn by chance where there are many."""
    unjudged: int = 0
    """Of these, how many could not be had or read."""
    findings: tuple[HealthFinding, ...] = ()
    """What the trial of the judge before the run showed."""
    seconds_left: float | None = None
    """At the present rate; None where that tells nothing."""


LATEST = 12
"""Samples that are listed."""
NAMED = 20
"""Calls that failed alike of which is read who was called."""
VERDICTS = 400
"""Verdicts that are looked at: a share of them is known to five points of a hundred, and reading them takes milliseconds."""
LOOKED_AT = 4000
"""Outcomes among which these are looked for: most samples may be decided without a judge."""


def details_of(run: Path, progress: Progress) -> Details:
    """What a run's ledger tells of single samples and calls; nothing where it cannot be read."""

    def read(store: LedgerStore) -> Details:
        judged, unjudged = _verdicts(store)
        return Details(
            tuple(_answered(store)), tuple(_failures(store)), judged, unjudged, _trial(store, run), _left(progress)
        )

    return _looked_up(run, read, Details())


def _answered(store: LedgerStore) -> Iterator[AnsweredSample]:
    rows = store.rows(
        "SELECT call.sample, max(result.at), count(*), sum(CASE WHEN result.status = 'failed' THEN 1 ELSE 0 END)"
        " FROM result JOIN call ON call.key = result.key WHERE call.sample <> ''"
        " GROUP BY call.sample ORDER BY max(result.at) DESC LIMIT ?",
        (LATEST,),
    )
    return (AnsweredSample(sample, at, int(calls), int(failed)) for sample, at, calls, failed in rows)


def _failures(store: LedgerStore) -> Iterator[Failure]:
    failed = f"FROM result JOIN call ON call.key = result.key WHERE {_FAILING}"
    rows = list(
        store.rows(
            f"SELECT call.role, result.error, count(DISTINCT result.key) AS n {failed}"
            " GROUP BY call.role, result.error ORDER BY n DESC LIMIT ?",
            (LATEST,),
        )
    )
    for role, slug, count in rows:
        last = store.rows(
            f"SELECT result.key {failed} AND call.role = ? AND result.error = ? ORDER BY result.intent DESC LIMIT ?",
            (role, slug, NAMED),
        )
        keys = [bytes(key) for (key,) in last]
        result = store.result(keys[0]) if keys else None
        yield Failure(role, tuple(sorted(set(called(store, keys)))), slug, int(count), result.message if result else "")


def _verdicts(store: LedgerStore) -> tuple[int, int]:
    """How many verdicts were asked for, and how many of them came to nothing."""
    # No index tells the latest, and by name one kind comes before all others: seals are as good as drawn by chance.
    rows = store.rows(
        "SELECT record FROM outcome WHERE item NOT LIKE ? ORDER BY seal LIMIT ?", ("dialogue/%", LOOKED_AT)
    )
    outcomes = (decode(unpack(bytes(data)), Outcome) for (data,) in rows)
    # What rests on no call was decided by rules, or the dialogue had failed: no judge was asked.
    failed = [one.status == "failed" for one in islice((one for one in outcomes if one.calls), VERDICTS)]
    return len(failed), sum(failed)


def _trial(store: LedgerStore, run: Path) -> tuple[HealthFinding, ...]:
    manifest = read_manifest(run)
    return tuple(judge_findings(store, manifest.spec)) if manifest else ()


def _left(progress: Progress) -> float | None:
    """Items differ in their calls: those that are left are taken to need as many as the finished ones did."""
    if not (progress.rate and progress.finished and progress.left):
        return None
    return progress.left * (progress.calls / progress.finished) / progress.rate


def made_from(run: Path) -> dict[str, Any]:
    """The spec in run.json; empty where there is none."""
    try:
        found = msgspec.json.decode(read_bounded(RunFolder(run).manifest))
    except (BenchbarError, msgspec.DecodeError):
        return {}
    spec = found.get("spec") if isinstance(found, dict) else None
    return spec if isinstance(spec, dict) else {}
