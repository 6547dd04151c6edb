"""How far a run is, read from its ledger while it runs."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec

from benchbar.artefacts.layout import RunFolder
from benchbar.ledger.opening import ledger_of, open_store
from benchbar.ledger.store import LedgerStore
from benchbar.records.errors import BenchbarError
from benchbar.records.files import read_bounded

State = Literal["running", "finished", "stopped", "study", "broken"]
LOCKS = Path("/proc/locks")
# Calls to slow models take up to a minute or two; less would call a run stopped that only waits.
SILENT = 120.0
"""Seconds without a call after which a run counts as stopped, where the system does not tell of locks."""
# Enough to even out bursts, few enough that the rate follows a change of limits within a minute.
RECENT = 200
"""Answers from which the present rate is taken."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What a ledger tells."""

    planned: int = 0
    finished: int = 0
    calls: int = 0
    """Answered ones."""
    failed: int = 0
    in_flight: int = 0
    cost: float | None = None
    rate: float | None = None
    """Calls a second."""
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
    try:
        store = open_store(ledger_of(run), writable=False)
    except Exception:  # noqa: BLE001 - a driver's own errors as well: a list of runs is shown without this one's numbers
        return Progress()
    try:
        return _read(store)
    except Exception:  # noqa: BLE001 - as above
        return Progress()
    finally:
        store.close()


def _read(store: LedgerStore) -> Progress:
    planned, finished = (next(store.rows(f"SELECT count(*) FROM {table}"))[0] for table in ("plan", "outcome"))  # noqa: S608
    calls, failed, cost = next(
        store.rows("SELECT count(*), sum(CASE WHEN status = 'failed' THEN 1 ELSE 0 END), sum(cost) FROM result")
    )
    intents = next(store.rows("SELECT count(*) FROM intent"))[0]
    times = [at for (at,) in store.rows("SELECT at FROM result ORDER BY intent DESC LIMIT ?", (RECENT,))]
    span = time.time() - min(times) if times else 0.0
    return Progress(
        planned=int(planned),
        finished=int(finished),
        calls=int(calls),
        failed=int(failed or 0),
        # An intent is written before its call, the result after it: the difference is under way.
        in_flight=int(intents) - int(calls),
        cost=None if cost is None else float(cost),
        rate=len(times) / span if span > 0 else None,
        silent=max(0.0, time.time() - max(times)) if times else None,
    )


def made_from(run: Path) -> dict[str, Any]:
    """The spec in run.json; empty where there is none."""
    try:
        found = msgspec.json.decode(read_bounded(RunFolder(run).manifest))
    except (BenchbarError, msgspec.DecodeError):
        return {}
    spec = found.get("spec") if isinstance(found, dict) else None
    return spec if isinstance(spec, dict) else {}
