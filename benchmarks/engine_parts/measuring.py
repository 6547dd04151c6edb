"""What the operating system says of a program of the engine benchmark."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from workload import OTHERS, Server

PRINTED = "said.txt"
LONGEST = 900.0
"""Seconds after which a program is taken to hang, where it may fail."""


@dataclass(frozen=True)
class Measured:
    """What the operating system says of a finished process."""

    wall: float
    cpu: float
    peak_mb: float
    code: int
    first: float | None = None
    """Seconds from its start to the first request that the server saw."""
    span: float = 0.0
    """Seconds from the first request that the server saw to its last answer."""
    calls: int = 0
    """Requests that the server saw from it."""
    disk_mb: float = 0.0
    """What it left in its folder, besides what it printed."""


def size_mb(folder: Path) -> float:
    files = (file for file in folder.rglob("*") if file.is_file() and file.name != PRINTED)
    return sum(file.stat().st_size for file in files) / 1e6


def measured(
    command: Sequence[str],
    folder: Path,
    server: Server | None = None,
    *,
    kill_after: int | None = None,
    longest: float | None = None,
) -> Measured:
    """Run a program off the server's core; with ``kill_after``, end it by SIGKILL once the server saw so many requests."""
    before, size = server.calls() if server else 0, size_mb(folder)
    began = time.time()
    with (folder / PRINTED).open("wb") as said:
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdout=said,
            stderr=subprocess.STDOUT,
            # A group of its own: what a shell or a program started ends with it.
            start_new_session=True,
            preexec_fn=lambda: os.sched_setaffinity(0, OTHERS),  # noqa: PLW1509 - no other thread runs yet
        )
        hangs = threading.Timer(longest or 0, _end, [process.pid])
        if longest:
            hangs.start()
        pid, status, usage = 0, 0, None
        while kill_after is not None and server and not pid and server.calls() - before < kill_after:
            time.sleep(0.005)
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if not pid:
            if kill_after is not None:
                _end(process.pid)
            _, status, usage = os.wait4(process.pid, 0)
        if longest:
            hangs.cancel()
            hangs.join()
        process.returncode = os.waitstatus_to_exitcode(status)
    stats = server.stats() if server else {}
    first = stats.get("first") if not before else None
    return Measured(
        wall=time.time() - began,
        cpu=usage.ru_utime + usage.ru_stime,
        peak_mb=usage.ru_maxrss / 1024,
        code=process.returncode,
        first=first - began if first else None,
        span=stats["last"] - first if first else 0.0,
        calls=server.calls() - before if server else 0,
        disk_mb=size_mb(folder) - size,
    )


def _end(group: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def said(folder: Path) -> Mapping[str, object] | str:
    """What a program printed: its JSON document, or its text where it printed none."""
    text = (folder / PRINTED).read_text("utf-8", "replace")
    try:
        return json.loads(text)
    except ValueError:
        return text[-2000:]
