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

# Logs of CI are read later and kept: often enough to see that it lives, seldom enough to scroll past.
EVERY = 10.0
"""Seconds between two lines of progress where there is no terminal."""


@contextmanager
def watched(*, show: bool) -> Iterator[tuple[OnProgress, threading.Event]]:
    """A block with what the library is to tell its progress to, and the event that asks it to stop.

    A bar is shown on stderr, if that is a terminal. The first Ctrl-C lets calls in flight be finished and written, a second
    one stops at once; outside of a stage, where nothing is in flight, the first one does.
    """
    # What was imported stays: the collector need not look through it again and again.
    gc.freeze()
    terminal = sys.stderr.isatty()
    watch = _Watch(show=show and terminal, lines=show and not terminal)
    try:
        yield watch.tell, watch.cancel
    except InterruptedRunError:
        raise KeyboardInterrupt from None
    finally:
        watch.close()


class _Watch:
    """The bar of the stage under way."""

    def __init__(self, *, show: bool, lines: bool) -> None:
        self.cancel = threading.Event()
        self._lines, self._last = lines, Progress(stage="", total=0, done=0)
        self._timer: asyncio.TimerHandle | None = None
        self._show, self._began, self._under_way = show, 0.0, False
        self._bar: Bar | None = None

    def tell(self, progress: Progress) -> None:
        """Called by the library, in its event loop."""
        self._last = progress
        if progress.ended:
            self._end()
        elif not self._under_way:
            self._begin(progress)
        if progress.outage and (self._show or self._lines):
            # At once: by the clock it would be told when the outage may be over.
            if self._bar is not None:
                self._bar.console.print(progress.outage, markup=False, highlight=False)
            else:
                click.echo(progress.outage, err=True)
        if self._bar is not None:
            rate = progress.calls / max(time.monotonic() - self._began, 1e-9)
            self._bar.update(
                self._bar.task_ids[0],
                total=progress.total,
                completed=progress.done,
                rate=rate,
                cost=f"{progress.cost:.4g}",
            )

    def _begin(self, progress: Progress) -> None:
        self._under_way, self._began = True, time.monotonic()
        # In the loop, not by signal.signal: a handler of Python's own would break off whatever the loop is doing.
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, self._stop)
        if self._show:
            self._bar = _bar(progress.stage)
            self._bar.add_task("work", total=progress.total, rate=0.0, cost="0")
            self._bar.start()
        elif self._lines:
            self._timer = asyncio.get_running_loop().call_later(EVERY, self._say)

    def _say(self) -> None:
        """A line where there is no terminal, in logs of CI: by the clock, since in an outage nothing is finished."""
        last, gone = self._last, time.monotonic() - self._began
        left = (
            f"about {gone / last.done * (last.total - last.done):.0f} s left"
            if last.done
            else "time left not known yet"
        )
        click.echo(
            f"{last.stage}: {last.done}/{last.total} done, {gone:.0f} s, {left}, {last.calls} calls, cost {last.cost:.4g}",
            err=True,
        )
        self._timer = asyncio.get_running_loop().call_later(EVERY, self._say)

    def _stop(self) -> None:
        click.echo("finishing the calls in flight; Ctrl-C again to stop at once", err=True)
        self.cancel.set()
        asyncio.get_running_loop().remove_signal_handler(signal.SIGINT)

    def _end(self) -> None:
        self._under_way = False
        if self._timer is not None:
            self._timer.cancel()
        asyncio.get_running_loop().remove_signal_handler(signal.SIGINT)
        self.close()

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


def _bar(stage: str) -> Bar:
    from rich.console import Console
    from rich.progress import BarColumn, ProgressColumn
    from rich.progress import Progress as Bar
    from rich.progress import Task as Work
    from rich.table import Column
    from rich.text import Text

    class Told(ProgressColumn):
        """Done of all, time gone, time left and cost, which people look for, in one text: columns of their own would be
        narrowed together where a line is too short, and show none of them whole.
        """

        def render(self, task: Work) -> Text:
            times = f"{_clock(task.elapsed)} gone, {_clock(task.time_remaining)} left"
            # Calls of samples that others work on are not known here.
            spent = f", cost {task.fields['cost']}, {task.fields['rate']:.0f} calls/s" if stage != "samples" else ""
            return Text(
                f"{stage} {task.completed:.0f}/{task.total or 0:.0f}, {times}{spent}", no_wrap=True, overflow="crop"
            )

    # The bar has what the text leaves.
    told = Told(Column(no_wrap=True, overflow="crop"))
    bar = BarColumn(bar_width=None, table_column=Column(ratio=1))
    return Bar(told, bar, console=Console(stderr=True), transient=True, expand=True)


def _clock(seconds: float | None) -> str:
    """``0:01:40``; a dash where it is not known yet."""
    if seconds is None:
        return "–"
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def note(doing: str) -> None:
    """Say on stderr what takes a while, if someone is looking."""
    if sys.stderr.isatty():
        click.echo(f"{doing} …", err=True)
