"""The folders of runs: which there are, how far each is, and their results, read anew only when a file changes."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from fastapi import HTTPException

from benchbar.artefacts.folder import read_results, read_timing
from benchbar.artefacts.layout import RunFolder
from benchbar.ledger.opening import ledger_of, open_store
from benchbar.ledger.reviews import Reviews, read_reviews
from benchbar.ledger.store import LedgerStore
from benchbar.records import RunResults, Sample, Suite, Timing
from benchbar.records.errors import BenchbarError
from benchbar.runs import background
from benchbar.web.config import OWN, Config, Lawbook

T = TypeVar("T")
LONGEST = 255
"""Bytes that the name of a folder may have."""
KEPT = 64
FRESH = 5.0
"""Seconds."""


def names_in(runs: Path) -> list[str]:
    """Names of the folders of runs, the latest first."""
    if not runs.is_dir():
        return []
    found = [
        (max(times), folder.name)
        for folder in runs.iterdir()
        if folder.is_dir()
        # Hidden folders are the app's own (`.benchbar`).
        and not folder.name.startswith(".")
        and (times := [file.stat().st_mtime for file in _signs(folder) if file.is_file()])
    ]
    return [name for _, name in sorted(found, reverse=True)]


def control_of(run: Path) -> Path:
    """The folder in which the app talks with the process of a run that it started; see ``runs/background.py``."""
    return run.parent / OWN / "started" / run.name


def _signs(run: Path) -> tuple[Path, ...]:
    """Files by which a folder is known for a run's; one that was started here is shown before it has written anything."""
    return (*RunFolder(run).signs, control_of(run) / background.STARTED)


def folder_of(runs: Path, name: str) -> Path:
    """The folder of a run.

    Raises:
        HTTPException: there is no such run.
    """
    run = runs / name
    # The name comes from the address: only the name of a folder directly below is one. Too long a name is an
    # error of the file system, not "not found".
    inside = run.name == name and not name.startswith(".") and "\\" not in name and len(name.encode()) <= LONGEST
    if not inside or not any(file.is_file() for file in _signs(run)):
        raise HTTPException(404, "there is no such run here")
    return run


class Remembered:
    """What was read of files, until one of them changes; the least used is forgotten first."""

    def __init__(self, kept: int = KEPT) -> None:
        """At most ``kept`` of them."""
        self._kept = kept
        self._found: OrderedDict[Any, tuple[Any, Any]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Any, files: tuple[Path, ...], read: Callable[[], T]) -> T:
        """What ``read`` gives for the key, asked anew when a file has another size or time."""
        # Read before the work: a file that changes meanwhile has another state than the one remembered, and is
        # read again.
        state = tuple(_state(file) for file in files)
        with self._lock:
            known = self._found.get(key)
            if known is not None and known[0] == state:
                self._found.move_to_end(key)
                found: T = known[1]
                return found
        # Outside the lock: reading takes seconds, and others need not wait. Two may read the same at once, which
        # costs time and nothing else.
        found = read()
        with self._lock:
            self._found[key] = (state, found)
            self._found.move_to_end(key)
            while len(self._found) > self._kept:
                self._found.popitem(last=False)
        return found


def _state(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    # Size and time, not a digest: a page would otherwise read the files of a large run to learn that nothing
    # changed.
    return found.st_size, found.st_mtime_ns


REMEMBERED = Remembered()


def results_of(run: Path) -> RunResults:
    """The results of a finished run."""
    return REMEMBERED.get(("results", run), (RunFolder(run).results,), lambda: read_results(run))


@dataclass(frozen=True, slots=True)
class KnownSuite:
    """The suite of a run, its samples by id; or why it is not at hand."""

    suite: Suite | None
    samples: dict[str, Sample]
    missing: str

    def only(self, sample: str) -> Suite | None:
        """The suite with this one sample, so that nothing is done for the others."""
        if self.suite is None or sample not in self.samples:
            return None
        return replace(self.suite, samples=(self.samples[sample],), problems=())


def suite_of(config: Config, run: Path) -> KnownSuite:
    """The suite that a finished run was made from."""

    def read() -> KnownSuite:
        found, missing = config.suite_of(run, results_of(run)) if config.suite_of else (None, "")
        return KnownSuite(found, {one.id: one for one in found.samples} if found else {}, missing)

    return REMEMBERED.get(("suite", run), RunFolder(run).states(), read)


def law_of(config: Config, run: Path) -> Lawbook | None:
    """The law that a run's citations were held against; None where it is not at hand."""

    def read() -> Lawbook | None:
        try:
            return config.law_of(run) if config.law_of else None
        # The law is an index of its own that may have been moved; a sample's page is worth having without it.
        except BenchbarError:
            return None

    return REMEMBERED.get(("law", run), (RunFolder(run).manifest,), read)


def reviews_of(run: Path) -> Reviews:
    """What people were asked and said, at most a few seconds ago where the ledger is in a database."""
    ledger = ledger_of(run)
    if isinstance(ledger, Path) and not ledger.is_file():
        return Reviews()
    return from_ledger(run, "reviews", read_reviews, fresh=FRESH)


def from_ledger(run: Path, name: str, read: Callable[[LedgerStore], T], *, fresh: float = 0) -> T:
    """What ``read`` finds in a run's ledger, kept under ``name``; from a database it is at most ``fresh`` seconds old."""
    ledger = ledger_of(run)

    def opened() -> T:
        store = open_store(ledger, writable=False)
        try:
            return read(store)
        finally:
            store.close()

    if isinstance(ledger, Path):
        # New rows stand in the write-ahead file first; the ledger's own file changes only at a checkpoint.
        return REMEMBERED.get((name, run), (ledger, Path(f"{ledger}-wal")), opened)
    # A database has no file whose time could be asked; the clock in steps stands for it.
    return REMEMBERED.get((name, run, int(time.monotonic() / fresh)), (), opened) if fresh else opened()


def timing_of(run: Path) -> dict[str, Timing]:
    """Seconds that each assistant took; empty where nothing tells."""
    return REMEMBERED.get(("timing", run), (RunFolder(run).timing,), lambda: read_timing(run, Timing))
