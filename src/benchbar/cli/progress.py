"""Live progress of a run on stderr: what is done, how fast, what it cost so far, how long it will take."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from benchbar.clients import Budget
from benchbar.ledger import Ledger
from benchbar.ledger.claims import Standing


class Progress(Protocol):
    """Told of each finished item by its kind."""

    def __call__(self, kind: str) -> None:
        """One more item of this kind is finished."""
        ...


@contextmanager
def progress(
    total: int, ledger: Ledger, budget: Budget, *, show: bool, label: str = "consulting"
) -> Iterator[Progress]:
    """A progress bar while the block runs; silent where stderr is no terminal."""
    if not (show and sys.stderr.isatty()):
        yield lambda kind: None  # noqa: ARG005 - the shape of the role
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn(label),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(
            "{task.fields[calls]} calls sent ({task.fields[rate]:.0f}/s), {task.fields[replayed]} from the ledger"
        ),
        TextColumn("cost {task.fields[cost]}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("run", total=total, calls=0, rate=0.0, replayed=0, cost="0")
        began = time.monotonic()

        def done(kind: str) -> None:  # noqa: ARG001 - the shape of the role
            rate = ledger.sent / max(time.monotonic() - began, 1e-9)
            replayed, cost = ledger.replayed, f"{budget.spent:.4g}"
            bar.update(task, advance=1, calls=ledger.sent, rate=rate, replayed=replayed, cost=cost)

        yield done


@contextmanager
def samples_done(*, show: bool) -> Iterator[Callable[[Standing], None]]:
    """A progress bar of samples that others work on; silent where stderr is no terminal."""
    if not (show and sys.stderr.isatty()):
        yield lambda standing: None  # noqa: ARG005 - the shape of the role
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("samples"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("run")
        yield lambda standing: bar.update(task, total=standing.samples, completed=standing.done)
