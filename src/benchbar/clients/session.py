"""One session of calls to models: ledger, budget and client are opened together, watched together and closed together."""

from __future__ import annotations

import asyncio
import functools
import inspect
import tempfile
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from benchbar.ledger import Ledger
from benchbar.ledger.opening import FILE
from benchbar.records import Record
from benchbar.records.errors import BenchbarError, UserError

if TYPE_CHECKING:
    from benchbar.clients.budget import Budget
    from benchbar.clients.client import Client
    from benchbar.clients.embedding import EmbeddingModel
    from benchbar.clients.endpoint import Endpoint
    from benchbar.clients.model import ChatModel
    from benchbar.clients.pairs import PairClassifier

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., object])

LISTEN = 0.05
"""Seconds between two looks at whether somebody asked to stop: nobody notices so short a wait, and it costs nothing."""


class Progress(Record, frozen=True, kw_only=True):
    """How far a stage of the work is."""

    stage: str
    """``consulting``, ``reviewing``, ``asking``, ``grouping`` or ``writing``; ``samples`` where others do the work."""
    total: int
    """Items planned: dialogues, comparisons, clauses…"""
    done: int
    calls: int = 0
    """Calls sent to models by this process so far."""
    replayed: int = 0
    """Calls whose answers came from the ledger."""
    cost: float = 0.0
    """What was spent, in the currency of the prices; earlier starts of the same run are included."""
    ended: bool = False
    """Nothing more is told of this stage: it is complete, or was stopped."""
    outage: str = ""
    """An endpoint has just stopped answering, or answers again: which, and how long it is waited for."""


OnProgress = Callable[[Progress], None]
"""Told of the start of a stage, of each item that is finished, and of the stage's end."""


@dataclass(frozen=True)
class Session:
    """What all calls of one piece of work share."""

    ledger: Ledger
    budget: Budget
    client: Client

    def chat(self, endpoint: Endpoint) -> ChatModel:
        """The chat model at an endpoint.

        Raises:
            UserError: the variable that should hold its key is not set.
        """
        from benchbar.clients.model import ChatModel

        return ChatModel(endpoint, self.client)

    def embedding(self, settings: Mapping[str, Any]) -> EmbeddingModel:
        """The embedding model at an endpoint with these fields.

        Raises:
            UserError: the variable that should hold its key is not set.
        """
        from benchbar.clients.embedding import EmbeddingModel
        from benchbar.clients.endpoint import Endpoint
        from benchbar.records.base import converted

        return EmbeddingModel(converted(dict(settings), Endpoint), self.client)

    def pairs(self, endpoint: Endpoint) -> PairClassifier:
        """The model that classifies pairs of texts at an endpoint.

        Raises:
            UserError: the variable that should hold its key is not set.
        """
        from benchbar.clients.pairs import PairClassifier

        return PairClassifier(endpoint, self.client)

    @contextmanager
    def counted(self, stage: str, total: int, on_progress: OnProgress | None) -> Iterator[Callable[[object], None]]:
        """A block in which each item is counted by calling what is yielded; its argument does not matter."""
        if on_progress is None:
            yield lambda item: None  # noqa: ARG005 - whoever calls says what was finished
            return
        done = 0

        def tell(*, ended: bool = False, outage: str = "") -> None:
            on_progress(
                Progress(
                    stage=stage,
                    total=total,
                    done=done,
                    calls=self.ledger.sent,
                    replayed=self.ledger.replayed,
                    cost=self.budget.spent,
                    ended=ended,
                    outage=outage,
                )
            )

        def one(item: object) -> None:  # noqa: ARG001
            nonlocal done
            done += 1
            tell()

        tell()
        self.client.on_outage = lambda message: tell(outage=message)
        try:
            yield one
        finally:
            self.client.on_outage = None
            tell(ended=True)


@asynccontextmanager
async def open_session(
    where: Path | str | None = None,
    *,
    max_cost: float | None = None,
    concurrency: int = 16,
    seed: int = 0,
    max_outage: float = 120.0,
    cancel: threading.Event | None = None,
    waits_in: Path | None = None,
) -> AsyncIterator[Session]:
    """A session over the ledger at a path or address, closed at the end of the block; without one, calls are forgotten.

    What calls that take long wait for is told in a file of the folder ``waits_in``, for pages that show it.

    Once ``cancel`` is set, no call is begun: those in flight are finished and kept, since they are paid for.

    Raises:
        LedgerBusyError: another process runs on the ledger.
        LedgerError: it cannot be opened.
    """
    from benchbar.clients.budget import Budget
    from benchbar.clients.client import Client

    with ExitStack() as stack:
        place = where or Path(stack.enter_context(tempfile.TemporaryDirectory())) / FILE
        ledger = Ledger(place)
        stack.callback(ledger.close)
        # Earlier starts count: the limit is on the run, not on one go at it.
        budget = Budget(max_cost, spent=ledger.store.committed_cost())
        client = Client(ledger, budget=budget, concurrency=concurrency, seed=seed, patience=max_outage)
        if waits_in is not None:
            client.waits.tell_in(waits_in)
        listener = _Listener(cancel, ledger) if cancel else None
        try:
            yield Session(ledger, budget, client)
            client.end_trial()
            await ledger.drain()
        except BenchbarError:
            client.end_trial()
            # They may take a day, and lose nothing.
            client.end_batches()
            # Not on every exception: who presses Ctrl-C twice does not want to wait for an answer.
            await ledger.drain()
            raise
        finally:
            if listener:
                listener.end()
            await client.close()


class _Listener:
    """Closes the ledger for new calls while ``cancel`` is set.

    The event is of threads, so that it can be set from anywhere, and has to be looked at. One look is not enough: a shared
    run that lost its lease opens the ledger again.
    """

    def __init__(self, cancel: threading.Event, ledger: Ledger) -> None:
        """Looks at once, and then again and again."""
        self._cancel, self._ledger = cancel, ledger
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.Handle = self._loop.call_soon(self._look)

    def _look(self) -> None:
        if self._cancel.is_set():
            self._ledger.closing = True
        self._timer = self._loop.call_later(LISTEN, self._look)

    def end(self) -> None:
        """Look no more."""
        self._timer.cancel()


def blocking(work: Callable[P, Coroutine[Any, Any, T]]) -> Callable[[Callable[[T], R]], Callable[P, R]]:
    """Makes a function take the parameters of ``work``, do it in an event loop of its own, and go on with what it returns.

    So the parameters of ``ask`` and ``ask_async`` stand once. What the function itself does is outside of the loop.
    """

    def of(end: Callable[[T], R]) -> Callable[P, R]:
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            return end(_in_a_loop(end.__name__, work(*args, **kwargs)))

        return _named(call, work, end)

    return of


def awaiting(
    work: Callable[P, Coroutine[Any, Any, T]],
) -> Callable[[Callable[[T], R]], Callable[P, Coroutine[Any, Any, R]]]:
    """The same for callers whose event loop runs already."""

    def of(end: Callable[[T], R]) -> Callable[P, Coroutine[Any, Any, R]]:
        async def call(*args: P.args, **kwargs: P.kwargs) -> R:
            return end(await work(*args, **kwargs))

        return _named(call, work, end)

    return of


def _named(call: F, work: Callable[..., object], end: Callable[..., object]) -> F:
    """With the name and docstring of ``end``, and for `help` the parameters of ``work``."""
    result = inspect.signature(end).return_annotation
    functools.update_wrapper(call, end)
    call.__signature__ = inspect.signature(work).replace(return_annotation=result)  # type: ignore[attr-defined]
    return call


def _in_a_loop(name: str, work: Coroutine[Any, Any, T]) -> T:
    """What the work returns; on uvloop where it is installed, which is faster.

    Raises:
        UserError: an event loop runs in this thread already, as in a notebook.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        pass
    else:
        # Else Python warns of a coroutine that was never awaited, on top of our message.
        work.close()
        raise UserError(f"an event loop runs here already, as in a notebook: use `await benchbar.{name}_async(...)`")
    try:
        from uvloop import new_event_loop
    except ImportError:
        return asyncio.run(work)
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        return runner.run(work)
