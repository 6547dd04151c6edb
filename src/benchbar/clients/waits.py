"""What calls that take long are waiting for, told in a small file while it lasts; nobody is asked for it."""

from __future__ import annotations

import asyncio
import contextvars
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

from benchbar.records import Record, decode, encode
from benchbar.records.errors import BenchbarError, ModelError
from benchbar.records.files import read_bounded

ANSWER, PLACE, PACE, OUTAGE, BATCH = "answer", "place", "pace", "outage", "batch"
"""What a call waits for, besides its next try: the answer, a place among the requests in flight, the stated rate, an address that
is down, a batch that it is handed in with."""
LONG = 5.0
"""Seconds after which a call is told of: most models answer before."""
LOOK, RENEWED = 1.0, 5.0
"""Seconds between two looks, and between two writings of a file in which nothing has changed: they say that the process is alive."""
STALE = 20.0
"""Seconds after which a file is no word of anybody: its process was killed, or hangs."""
NAME = ".waiting-{}.json"
MOST = 20
"""Waits that are told: a run has few addresses, and there are few reasons."""
_MOST_BYTES = 1 << 16


class Wait(Record, frozen=True):
    """Calls to one address that wait for the same thing."""

    address: str
    reason: str
    """One of those above, or the slug of the error after which a call is tried again."""
    since: float
    """When the first of them began, in seconds since 1970."""
    calls: int = 1
    tried: int = 0
    """Tries that failed, of the one that failed most often."""
    tries: int = 0
    """How often it is tried at most; 0 where that is not known."""
    until: float | None = None
    """When the next of them is tried again; None where nobody knows how long it takes."""


class _Told(Record, frozen=True):
    at: float
    waits: tuple[Wait, ...]


class Call:
    """One call, as long as it lasts."""

    def __init__(self, address: str, tries: int, reason: str) -> None:
        """It waits for its first thing."""
        self.address, self.tries, self.tried = address, tries, 0
        self.since = time.time()
        self.reason, self.until = reason, float("inf")

    def waits_for(self, reason: str, seconds: float | None = None) -> None:
        """It goes on to the next wait, which takes so many seconds where that is known."""
        self.reason = reason
        self.until = float("inf") if seconds is None else time.time() + seconds

    def pauses(self, error: ModelError, tried: int, seconds: float) -> None:
        """A try failed, and the next one is in so many seconds."""
        self.tried = tried
        self.waits_for(error.slug, seconds)


_CALL = contextvars.ContextVar[Call | None]("call", default=None)


def waits_for(reason: str, seconds: float | None = None) -> None:
    """The call that this belongs to goes on to the next wait; nothing where it belongs to none."""
    if call := _CALL.get():
        call.waits_for(reason, seconds)


class Waits:
    """The calls of one session."""

    def __init__(self) -> None:
        """None yet, and told nowhere."""
        self._calls: set[Call] = set()
        self._file: Path | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._last: tuple[Wait, ...] = ()
        self._written = 0.0

    @contextmanager
    def call(self, address: str, tries: int, reason: str = PLACE) -> Iterator[Call]:
        """A call, for as long as the block; ``reason`` is what it waits for first."""
        call = Call(address, tries, reason)
        self._calls.add(call)
        token = _CALL.set(call)
        try:
            yield call
        finally:
            _CALL.reset(token)
            self._calls.discard(call)

    def now(self) -> tuple[Wait, ...]:
        """What calls that take long wait for, those that have waited longest first."""
        at = time.time()
        grouped: dict[tuple[str, str], list[Call]] = {}
        for call in self._calls:
            if at - call.since >= LONG:
                grouped.setdefault((_shown(call.address), call.reason), []).append(call)
        waits = [_wait(address, reason, calls) for (address, reason), calls in grouped.items()]
        return tuple(sorted(waits, key=lambda one: one.since)[:MOST])

    def tell_in(self, folder: Path) -> None:
        """Tell of them in a file of this folder, as long as there are any."""
        self._file = folder / NAME.format(os.getpid())
        self._look()

    def _look(self) -> None:
        waits, at = self.now(), time.monotonic()
        if waits != self._last or (waits and at - self._written >= RENEWED):
            self._last, self._written = waits, at
            # A full disk, say: what is only shown must not end a run.
            with suppress(OSError):
                self._write(waits)
        self._timer = asyncio.get_running_loop().call_later(LOOK, self._look)

    def _write(self, waits: tuple[Wait, ...]) -> None:
        if self._file is None:
            return
        if not waits:
            self._file.unlink(missing_ok=True)
            return
        # Not synced: after a crash nobody waits.
        new = self._file.with_suffix(".new")
        new.write_bytes(encode(_Told(time.time(), waits)))
        new.replace(self._file)

    def end(self) -> None:
        """Tell of nothing any more."""
        if self._timer is not None:
            self._timer.cancel()
        with suppress(OSError):
            self._write(())


def waits_in(folder: Path) -> tuple[Wait, ...]:
    """What the processes that work on the run in a folder told of last; nothing of those that are silent."""
    return tuple(wait for file in sorted(folder.glob(NAME.format("*"))) for wait in _read(file))


def _read(file: Path) -> Iterable[Wait]:
    try:
        told = decode(read_bounded(file, _MOST_BYTES), _Told, file=file)
    # Gone between the two, or not ours.
    except (BenchbarError, OSError):
        return ()
    return told.waits if time.time() - told.at < STALE else ()


def _wait(address: str, reason: str, calls: list[Call]) -> Wait:
    until = min(call.until for call in calls)
    return Wait(
        address=address,
        reason=reason,
        since=min(call.since for call in calls),
        calls=len(calls),
        tried=max(call.tried for call in calls),
        tries=max(call.tries for call in calls),
        until=None if until == float("inf") else until,
    )


def _shown(address: str) -> str:
    """The address without a key that stands in it."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
