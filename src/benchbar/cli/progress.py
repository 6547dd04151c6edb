"""What a command shows while the library works, and what Ctrl-C does meanwhile."""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from benchbar.clients.session import OnProgress, Progress
from benchbar.records.errors import InterruptedRunError

if TYPE_CHECKING:
    from rich.progress import Progress as Bar


@contextmanager
def watched(*, show: bool) -> Iterator[tuple[OnProgress, threading.Event]]:
    """A block with what the library is to tell its progress to, and the event that asks it to stop.

    A bar is shown on stderr, if that is a terminal. The first Ctrl-C lets calls in flight be finished and written, a second
    one stops at once; outside of a stage, where nothing is in flight, the first one does.
    """
    # What was imported stays: the collector need not look through it again and again.
    gc.freeze()
    watch = _Watch(show=show and sys.stderr.isatty())
    try:
        yield watch.tell, watch.cancel
    except InterruptedRunError:
        raise KeyboardInterrupt from None
    finally:
        watch.close()


class _Watch:
    """The bar of the stage under way."""

    def __init__(self, *, show: bool) -> None:
        self.cancel = threading.Event()
        self._show, self._began, self._under_way = show, 0.0, False
        self._bar: Bar | None = None

    def tell(self, progress: Progress) -> None:
        """Called by the library, in its event loop."""
        if progress.ended:
            self._end()
        elif not self._under_way:
            self._begin(progress)
        if self._bar is not None:
            rate = progress.calls / max(time.monotonic() - self._began, 1e-9)
            self._bar.update(
                self._bar.task_ids[0],
                total=progress.total,
                completed=progress.done,
                calls=progress.calls,
                rate=rate,
                replayed=progress.replayed,
                cost=f"{progress.cost:.4g}",
            )

    def _begin(self, progress: Progress) -> None:
        self._under_way, self._began = True, time.monotonic()
        # In the loop, not by signal.signal: a handler of Python's own would break off whatever the loop is doing.
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, self._stop)
        if self._show:
            self._bar = _bar(progress.stage)
            self._bar.add_task("work", total=progress.total, calls=0, rate=0.0, replayed=0, cost="0")
            self._bar.start()

    def _stop(self) -> None:
        click.echo("finishing the calls in flight; Ctrl-C again to stop at once", err=True)
        self.cancel.set()
        asyncio.get_running_loop().remove_signal_handler(signal.SIGINT)

    def _end(self) -> None:
        self._under_way = False
        asyncio.get_running_loop().remove_signal_handler(signal.SIGINT)
        self.close()

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


def _bar(stage: str) -> Bar:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        ProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as Bar

    sent = "{task.fields[calls]} calls sent ({task.fields[rate]:.0f}/s), {task.fields[replayed]} from the ledger"
    # Samples that others work on: their calls are not known here.
    calls: list[ProgressColumn] = (
        [TextColumn(sent), TextColumn("cost {task.fields[cost]}")] if stage != "samples" else []
    )
    columns = [TextColumn(stage), BarColumn(), MofNCompleteColumn(), *calls, TimeElapsedColumn(), TextColumn("left")]
    return Bar(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True)


def note(doing: str) -> None:
    """Say on stderr what takes a while, if someone is looking."""
    if sys.stderr.isatty():
        click.echo(f"{doing} …", err=True)
