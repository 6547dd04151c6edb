"""A world in one process: a loop whose time is simulated, a disk that tears what was not synced, a provider with faults.

Everything follows from a seed: the same seed makes the same world, to the byte. What is examined is the product's own code: the
ledger, what is kept of money, and the gathering of batches.

The disk. SQLite in WAL mode appends frames to a log and syncs it, and from time to time carries pages into the file and syncs that.
Between two syncs any part of what was written may have reached the disk, in any order. So a power cut leaves the bytes of the last
commit, and of what the next one wrote an arbitrary choice of sectors: old, new, or for what is beyond the old end, zeros or nothing.
"""

from __future__ import annotations

import asyncio
import random
import selectors
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

SECTOR = 512
FILES = ("", "-wal")
"""Of a ledger, behind its name; the third, ``-shm``, is made anew from the log and never synced."""
LONGEST_JUMP = 86_400.0


class PowerCutError(SystemExit):
    """Nothing after this happens. Of all exceptions asyncio lets this one through, out of a callback too."""


class DeadlockError(AssertionError):
    """Everybody waits, and nothing will ever come."""


class SimulatedLoop(asyncio.SelectorEventLoop):
    """Runs what is due, and jumps to the next moment at which something is; ``interruptible`` by signals, as any other loop."""

    def __init__(self, *, interruptible: bool = False) -> None:
        super().__init__(_Jumps(self, polls=interruptible))
        self.now = 0.0

    def time(self) -> float:
        return self.now


class _Jumps(selectors.SelectSelector):
    def __init__(self, loop: SimulatedLoop, *, polls: bool) -> None:
        super().__init__()
        self._loop, self._polls = loop, polls

    def select(self, timeout: float | None = None) -> list[Any]:
        # Signals come through a pipe of the loop's own; looking at it takes longer than most turns of the loop.
        if self._polls and (ready := super().select(0)):
            return ready
        if timeout is None:
            raise DeadlockError("everybody waits, and nothing will ever come")
        self._loop.now += max(timeout, 0.0)
        return []


class Disk:
    """The files of one ledger as they stood at the last commit, and where the power is to be cut."""

    def __init__(self, path: Path, rng: random.Random) -> None:
        self.path, self._rng = path, rng
        self._commits = 0
        self._cut_at: int | None = None
        self._full_at: int | None = None
        self._synced = self._read()
        self._torn = self._synced
        self._open: list[sqlite3.Connection] = []
        self._dead = False

    def schedule(self, *, cut_at: int | None = None, full_at: int | None = None) -> None:
        """Cut the power in the middle of the commit of this number from now on, or have the disk full there."""
        self._commits, self._cut_at, self._full_at, self._dead = 0, cut_at, full_at, False
        self._synced = self._read()

    def before_commit(self) -> None:
        """Refuse a commit while the disk is full: SQLite rolls back, and says so."""
        if self._dead or self.full:
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise error

    def committed(self) -> None:
        """A commit is through: it is on disk whole, unless the power went in the middle."""
        if self._dead:
            return
        self._commits += 1
        now = self._read()
        if self._commits == self._cut_at:
            self._torn = [self._tear(old, new) for old, new in zip(self._synced, now, strict=True)]
            if now[0] != self._synced[0]:
                # A checkpoint: pages go into the file only after the log that holds them was synced.
                self._torn[1] = now[1]
            self.stop()
            raise PowerCutError
        self._synced = now

    def connected(self, connection: sqlite3.Connection) -> None:
        """Know a connection, so that it can be let go of when the process is gone."""
        self._open.append(connection)

    def stop(self, *, killed: bool = False) -> None:
        """Keep the files as they are from now on, whatever the last breaths of the process do to them."""
        if not self._dead:
            self._dead = True
            if killed:
                # What was written is in the system's memory, synced or not.
                self._torn = self._read()

    @property
    def full(self) -> bool:
        """Whether nothing more can be written."""
        return self._full_at is not None and self._commits >= self._full_at

    def restart(self) -> None:
        """What the next start finds: the kept bytes, and no shared memory."""
        for connection in self._open:
            connection.close()
        self._open.clear()
        for end, data in zip(FILES, self._torn, strict=True):
            file = self._file(end)
            if data is None:
                file.unlink(missing_ok=True)
            else:
                file.write_bytes(data)
        self._file("-shm").unlink(missing_ok=True)

    def _tear(self, old: bytes | None, new: bytes | None) -> bytes | None:
        if old == new or new is None:
            return new
        before = old or b""
        length = self._rng.choice((len(before), len(new), self._rng.randint(min(len(before), len(new)), len(new))))
        torn = bytearray(before[:length].ljust(length, b"\0"))
        share = self._rng.random()
        for at in range(0, min(length, len(new)), SECTOR):
            if new[at : at + SECTOR] != before[at : at + SECTOR] and self._rng.random() < share:
                torn[at : at + SECTOR] = new[at : min(at + SECTOR, length)]
        return bytes(torn)

    def _read(self) -> list[bytes | None]:
        return [file.read_bytes() if (file := self._file(end)).exists() else None for end in FILES]

    def _file(self, end: str) -> Path:
        return self.path.with_name(self.path.name + end)


class DiskConnection:
    """A connection to SQLite that tells the disk of each commit."""

    def __init__(self, real: sqlite3.Connection, disk: Disk) -> None:
        self._real, self._disk = real, disk

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in {"_real", "_disk"}:
            object.__setattr__(self, name, value)
        else:
            setattr(self._real, name, value)

    def execute(self, statement: str, *parameters: Any) -> sqlite3.Cursor:
        return self._told(lambda: self._real.execute(statement, *parameters), statement)

    def executemany(self, statement: str, *parameters: Any) -> sqlite3.Cursor:
        return self._told(lambda: self._real.executemany(statement, *parameters), statement)

    def executescript(self, statements: str) -> sqlite3.Cursor:
        return self._told(lambda: self._real.executescript(statements), statements)

    def _told(self, run: Callable[[], sqlite3.Cursor], statement: str) -> sqlite3.Cursor:
        writes = statement.lstrip()[:6].upper() not in {"SELECT", "PRAGMA", "BEGIN ", "BEGIN", "ROLLBA"}
        ends = statement.startswith("COMMIT") or not self._real.in_transaction
        if writes and ends:
            self._disk.before_commit()
        cursor = run()
        if (writes or "COMMIT" in statement) and not self._real.in_transaction:
            self._disk.committed()
        return cursor


@contextmanager
def simulated(disk: Disk, clock: Callable[[], float]) -> Iterator[None]:
    """A block in which ledgers are opened on the disk, and days and hours are what ``clock`` says."""
    connect = sqlite3.connect

    def connected(*arguments: Any, **named: Any) -> Any:
        connection = connect(*arguments, **named)
        disk.connected(connection)
        return DiskConnection(connection, disk)

    # One process after the other, all of them in this one: the lock would outlive the process that it stands for.
    with (
        patch("benchbar.ledger.sqlite.sqlite3.connect", connected),
        patch("benchbar.ledger.ledger.alone", lambda _: None),
        patch("time.time", clock),
    ):
        yield
