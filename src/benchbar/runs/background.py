"""A run in a process of its own, which outlives whoever started it: started, asked to stop, and gone on with.

Who started it and the run talk by files in a folder beside the run: a lock that the run holds while it is alive, ``stop``, which
asks it to end, and ``ended.json``, in which it says how it ended. Process numbers would not do: they are used again, and mean
nothing after a restart.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeVar

import filelock

from benchbar.records import Record, decode, encode
from benchbar.records.errors import (
    BadInputError,
    BenchbarError,
    BudgetExhaustedError,
    ConnectionFailedError,
    InterruptedRunError,
    UserError,
    WaitingForPeopleError,
)
from benchbar.records.files import read_bounded, write_atomically
from benchbar.runs.intake import SPEC

ALIVE, STOP, STARTED, ENDED = "alive", "stop", "started.json", "ended.json"
"""Files of the folder; the lock is that of ``alive``."""
LISTEN = 0.5
"""Seconds between two looks at whether the run is to stop."""
STARTING = 30.0
"""Seconds that a process may take until it holds its lock: imports on a machine that is busy."""
R = TypeVar("R", bound=Record)
_SECRETS = ("BENCHBAR_OWNER_TOKEN", "BENCHBAR_SERVED")
"""What the server knows and a run need not."""


class Ended(Record, frozen=True):
    """How a run that was started so ended."""

    how: Literal["done", "stopped", "failed"]
    at: float
    """Seconds since 1970."""
    slug: str = ""
    """Of the error, by which `benchbar explain` knows it; ``waiting`` where answers of people are open."""
    message: str = ""


class Started(Record, frozen=True):
    """When and for what a run was started last."""

    at: float
    again: tuple[str, ...] = ()


def start(
    folder: Path, control: Path, *, again: Sequence[str] = (), environment: Mapping[str, str] | None = None
) -> None:
    """Start, or go on with, the run whose spec.toml is in a folder.

    Args:
        folder: Of the run.
        control: Where the two talk; made if need be.
        again: Samples that are asked once more.
        environment: Variables for the run, besides those of this process.

    Raises:
        UserError: the folder has no spec, or the run is under way.
    """
    if not (folder / SPEC).is_file():
        raise UserError(f"{folder.name} has no {SPEC}: it was not made here; go on with the command that made it")
    if under_way(control):
        raise UserError(f"{folder.name} is under way already")
    control.mkdir(parents=True, exist_ok=True, mode=0o700)
    for name in (STOP, ENDED):
        (control / name).unlink(missing_ok=True)
    write_atomically(control / STARTED, encode(Started(time.time(), tuple(again))))
    kept = {name: value for name, value in os.environ.items() if name not in _SECRETS}
    with (control / "output.txt").open("ab") as output:
        process = subprocess.Popen(  # noqa: S603 - this program, and paths that it made
            [sys.executable, "-m", __name__, str(folder.resolve()), str(control.resolve()), *again],
            env={**kept, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            # Of a session of its own: Ctrl-C at the server, and its end, must not end what is paid for.
            start_new_session=True,
        )
    # Waited for, so that none stays behind as a zombie.
    threading.Thread(target=process.wait, daemon=True).start()


def stop(control: Path) -> None:
    """Ask a run to end: calls in flight are finished and kept, and no other is begun."""
    if control.is_dir():
        (control / STOP).touch()


def stopping(control: Path) -> bool:
    """Whether a run was asked to end."""
    return (control / STOP).is_file()


def under_way(control: Path) -> bool:
    """Whether the process of a run is alive, or has just been started."""
    if _held(control):
        return True
    started = _read(control / STARTED, Started)
    return started is not None and not (control / ENDED).is_file() and time.time() - started.at < STARTING


def asked_anew(control: Path) -> tuple[str, ...]:
    """The samples that a run which is under way asks once more; none where it was started for all."""
    found = _read(control / STARTED, Started) if under_way(control) else None
    return found.again if found else ()


def ended(control: Path) -> Ended | None:
    """How a run ended; None where it has not, was killed, or was never started so."""
    return _read(control / ENDED, Ended)


def _read(file: Path, kind: type[R]) -> R | None:
    if not file.is_file():
        return None
    try:
        return decode(read_bounded(file, 1 << 20), kind, file=file)
    except BadInputError:
        return None


def _held(control: Path) -> bool:
    lock = filelock.FileLock(control / ALIVE)
    if not (control / ALIVE).is_file():
        return False
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        return True
    lock.release()
    return False


def main(arguments: Sequence[str]) -> int:
    """Make the run in a folder, and say in the other how it ended; what ``benchbar.runs.background`` is as a program."""
    from benchbar.runs.running import run

    folder, control = Path(arguments[0]), Path(arguments[1])
    lock = filelock.FileLock(control / ALIVE)
    try:
        # Somebody who only looks holds it for a moment.
        lock.acquire(timeout=5)
    except filelock.Timeout:
        return 1
    with lock:
        cancel, over = threading.Event(), threading.Event()
        threading.Thread(target=_listen, args=(control / STOP, cancel, over), daemon=True).start()
        how = Ended("stopped", time.time())
        try:
            run(folder / SPEC, out=folder, on_note=print, cancel=cancel, again=arguments[2:])
            how = Ended("done", time.time())
        except InterruptedRunError:
            how = Ended("stopped", time.time())
        except WaitingForPeopleError as error:
            # Nothing failed: the run is gone on with when the answers are there.
            how = Ended("stopped", time.time(), error.slug, str(error))
        except BudgetExhaustedError as error:
            # As it was found: where the run lies is no news to whoever started it, and a path of the server to who reads it.
            how = Ended("failed", time.time(), error.slug, str(error.__cause__ or error))
        except BenchbarError as error:
            # An address that was still waited for when somebody stopped the run is told among the failing calls.
            stopped = cancel.is_set() and isinstance(error, ConnectionFailedError)
            how = Ended("stopped", time.time()) if stopped else Ended("failed", time.time(), error.slug, str(error))
        except Exception as error:
            # A fault of ours: the page says that there is one, and the traceback is in output.txt.
            how = Ended("failed", time.time(), "error", f"{type(error).__name__}: {error}")
            raise
        finally:
            over.set()
            write_atomically(control / ENDED, encode(how))
    return 0 if how.how == "done" else 1


def _listen(stop_file: Path, cancel: threading.Event, over: threading.Event) -> None:
    while not over.wait(LISTEN):
        if stop_file.is_file():
            cancel.set()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
