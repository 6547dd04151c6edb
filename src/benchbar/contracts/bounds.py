"""A review in a process of its own, within bounds of memory, time and clauses: whatever a file does, it does it there."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import msgspec

from benchbar.clients.session import OnProgress, Progress
from benchbar.contracts.paragraphs import ContractSource
from benchbar.contracts.report import Begun, ContractReport, unreached
from benchbar.records import Record
from benchbar.records import errors as known_errors
from benchbar.records.contracts import ClauseReview
from benchbar.records.errors import BadInputError, BenchbarError, InterruptedRunError

WORKER = "benchbar.contracts.bounded_worker"
_MEMORY, _MEMORY_OF_RERANKER = 2048, 8192
_OFFLINE_SECONDS = 600.0
"""A contract of 20,000 paragraphs takes about 25 s."""
_LISTEN = 0.1
"""Seconds between two looks at whether somebody asked to stop."""
_GRACE = 120.0
"""Seconds that calls in flight have to end in after that; they are paid for, and kept in the ledger."""


class Bounds(Record, frozen=True):
    """What one review may take."""

    memory: int | None = None
    """MiB of data, held by the system where it is a Unix, not held on others; left out, 2048, or 8192 with a reranker."""
    seconds: float | None = None
    """Left out, 600 without a model and none with one, whose calls have limits of their own."""
    clauses: int = 5000
    """More are not examined, and the review says so."""


USUAL = Bounds()


class Part(msgspec.Struct, tag="part", frozen=True):
    """The review of one clause."""

    review: ClauseReview


class Started(msgspec.Struct, tag="started", frozen=True):
    """The contract as it was read, before any of its reviews."""

    begun: Begun


class Moved(msgspec.Struct, tag="moved", frozen=True):
    """How far the review is."""

    progress: Progress


class Done(msgspec.Struct, tag="done", frozen=True):
    """The whole review."""

    source: ContractSource
    report: ContractReport
    compared: bool


class Failed(msgspec.Struct, tag="failed", frozen=True):
    """An error, by the name of its class."""

    kind: str
    message: str


Message = Part | Started | Moved | Done | Failed
MEMORY = "MemoryError"


class Request(msgspec.Struct, frozen=True):
    """What the process is to do."""

    options: dict[str, Any]
    """Those of ``review_contract``."""
    bounds: Bounds
    save: str = ""
    """A folder that the review is to be written into as well, in every form that it has."""
    name: str = ""
    """What the contract is called in them; empty for the name of its file."""


class PartialReviewError(InterruptedRunError):
    """The user stopped the review; what was reviewed until then is ``source`` and ``report``."""

    def __init__(self, source: ContractSource, report: ContractReport) -> None:
        """Keep both."""
        super().__init__("interrupted; clauses that were not reached are marked as not examined")
        self.source, self.report = source, report


def sendable(options: Mapping[str, object]) -> dict[str, Any] | None:
    """The options as plain data; None where one is an object that only this process has, such as an opened index of law."""
    plain: dict[str, Any] = {}
    for name, value in options.items():
        if isinstance(value, Path):
            plain[name] = str(value)
        elif value is None or isinstance(value, str | int | float | Record | ContractSource):
            plain[name] = value
        else:
            return None
    return plain


async def review_apart(
    options: Mapping[str, Any],
    bounds: Bounds,
    *,
    save: Path | None = None,
    name: str = "",
    on_progress: OnProgress | None = None,
    cancel: threading.Event | None = None,
) -> Done:
    """The review of a contract by a process of its own, started for it and ended with it; a whole one is also written into the
    folder ``save``, where the contract is called ``name``.

    Beyond a bound the review is what was done until then: clauses that were not reached are not examined, and a warning says why.

    Raises:
        PartialReviewError: ``cancel`` was set after the contract had been read.
        BadInputError: reading it alone goes beyond a bound.
        BenchbarError: whatever the review raises.
    """
    # Started in a millisecond; its output is read by a thread, in any loop.
    process = started()
    usual = _MEMORY_OF_RERANKER if options.get("reranker") else _MEMORY
    bounds = msgspec.structs.replace(bounds, memory=bounds.memory or usual)
    seconds = bounds.seconds or (None if options.get("model") else _OFFLINE_SECONDS)
    try:
        request = Request(sendable(options) or {}, bounds, str(save or ""), name)
        return await _Listener(process, request, seconds, on_progress, cancel).done()
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            # What stands in its buffer was for a process that is no more.
            with suppress(OSError):
                if pipe:
                    pipe.close()


def started() -> subprocess.Popen[bytes]:
    """A process that waits for its request."""
    command = [sys.executable, "-m", WORKER]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, start_new_session=True)  # noqa: S603 - our own module


class _Listener:
    """Hears one process out."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        request: Request,
        seconds: float | None,
        on_progress: OnProgress | None,
        cancel: threading.Event | None,
    ) -> None:
        self._process, self._request = process, request
        self._seconds, self._on_progress, self._cancel = seconds, on_progress, cancel
        self._ends = time.monotonic() + seconds if seconds else None
        self._stopping = False
        self._begun: Begun | None = None
        self._reviews: list[ClauseReview] = []
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue()

    async def done(self) -> Done:
        loop = asyncio.get_running_loop()
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise BenchbarError("the review's process has no pipes")
        threading.Thread(target=_read, args=(stdout, self._queue, loop), daemon=True).start()
        await loop.run_in_executor(None, _send, stdin, self._request)
        while True:
            line = await self._next(stdin)
            if line is None:
                return self._stopped(await loop.run_in_executor(None, self._process.wait))
            message = msgspec.json.decode(line, type=Message)
            if isinstance(message, Done):
                return message
            if isinstance(message, Failed):
                return self._failed(message)
            self._hear(message)

    async def _next(self, stdin: IO[bytes]) -> bytes | None:
        """The next message, or None at the end: of the process, or of the time that it had."""
        while True:
            try:
                return await asyncio.wait_for(self._queue.get(), _LISTEN)
            except TimeoutError:
                if self._ends is not None and time.monotonic() > self._ends:
                    self._process.kill()
                    return None
                if self._cancel is not None and self._cancel.is_set() and not self._stopping:
                    self._stopping = True
                    self._ends = time.monotonic() + _GRACE
                    # A process that has just ended reads nothing more.
                    with suppress(OSError):
                        stdin.write(b"stop\n")
                        stdin.flush()

    def _hear(self, message: Part | Started | Moved) -> None:
        if isinstance(message, Started):
            self._begun = message.begun
        elif isinstance(message, Part):
            self._reviews.append(message.review)
        elif self._on_progress:
            self._on_progress(message.progress)

    def _failed(self, message: Failed) -> Done:
        if message.kind == MEMORY:
            return self._partial(f"the review needs more than {self._request.bounds.memory} MiB of memory")
        if message.kind == InterruptedRunError.__name__ and self._begun:
            done = self._partial("interrupted")
            raise PartialReviewError(done.source, done.report)
        raise _error(message)

    def _stopped(self, code: int) -> Done:
        """The process said nothing more: it was killed, by us or by the system."""
        if self._stopping and self._begun:
            done = self._partial("interrupted")
            raise PartialReviewError(done.source, done.report)
        if self._ends is not None and time.monotonic() > self._ends:
            return self._partial(f"the review took more than {self._seconds:g} s")
        return self._partial(
            f"the process of the review ended with code {code}, as one does that needs more memory than it may have"
        )

    def _partial(self, why: str) -> Done:
        if self._begun is None:
            file = self._request.options.get("contract")
            raise BadInputError(
                f"{why} to read the contract: nothing was reviewed. Split the file, or raise the bound",
                file=file if isinstance(file, str) else None,
            )
        begun = self._begun
        reviews = {review.clause: review for review in self._reviews}
        left = [one for one in begun.wanted if one not in reviews]
        note = f"NOT COMPLETE: {why}; {len(left)} of {len(begun.wanted)} clauses were not examined"
        report = msgspec.structs.replace(
            begun.report,
            reviews=tuple(reviews.get(one) or unreached(one, why) for one in begun.wanted),
            warnings=(note, *begun.report.warnings),
        )
        return Done(begun.source, report, compared=False)


def _read(stdout: IO[bytes], queue: asyncio.Queue[bytes | None], loop: asyncio.AbstractEventLoop) -> None:
    """Lines of the process into the loop; a thread, since not every loop on every system can watch a pipe."""
    with suppress(RuntimeError, ValueError, OSError):  # the loop or the pipe is closed: nobody listens any more
        for line in stdout:
            loop.call_soon_threadsafe(queue.put_nowait, line)
        loop.call_soon_threadsafe(queue.put_nowait, None)


def _send(stdin: IO[bytes], request: Request) -> None:
    # A process that ended at once is told of by its end.
    with suppress(OSError):
        stdin.write(msgspec.json.encode(request) + b"\n")
        stdin.flush()


def _error(message: Failed) -> BenchbarError:
    """The error as it was raised there: of the same class where it is one of ours, with the same words."""
    found = getattr(known_errors, message.kind, None)
    kind = found if isinstance(found, type) and issubclass(found, BenchbarError) else BenchbarError
    # The words are complete already: a class that puts the file before them would do so twice.
    error = kind.__new__(kind)
    error.args = (message.message,)
    return error
