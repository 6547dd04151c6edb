"""What all calls of a run share: the ledger, the budget, one HTTP session, a limiter for each address."""

from __future__ import annotations

import asyncio
import contextvars
import random
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from benchbar.clients.breaker import FIRST_PROBE, Breaker
from benchbar.clients.budget import Budget
from benchbar.clients.limiter import AdaptiveLimiter
from benchbar.clients.protocol import LONGEST_WAIT, OK, error_of
from benchbar.clients.rates import Meter, left
from benchbar.clients.tracing import Spans
from benchbar.clients.waits import ANSWER, OUTAGE, PACE, PLACE, Waits, waits_for
from benchbar.ledger import Begin, Ledger
from benchbar.records.errors import (
    ConnectionFailedError,
    LeaseLostError,
    LedgerLostError,
    ModelError,
    ModelTimeoutError,
    RateLimitError,
    ServerError,
)

if TYPE_CHECKING:
    import aiohttp

    from benchbar.clients.batching import Batches
    from benchbar.clients.endpoint import Endpoint
    from benchbar.clients.targets import Confirm, Target
    from benchbar.clients.transport import Response

_TRYING = contextvars.ContextVar("trying", default=False)
"""Whether a call is part of the trial that all others wait for."""
PATIENCE = 120.0
TOLD_WAIT = 10.0
"""Seconds that an endpoint may ask to wait without anybody being told."""
FETCHING = 600.0
"""Seconds for a file."""
MOST_FETCHED = 256 * 1024 * 1024
"""Bytes of a file: of the answers to the largest batch."""


class Answer(NamedTuple):
    """The body of an answer."""

    body: bytes
    seconds: float
    """From sending to the last byte, without waiting for a place."""


class _Rate(NamedTuple):
    per_minute: float
    meter: Meter


# Assistants, simulator and judge may share an address and each state a rate of their own: none may be
# broken.
def _stricter(before: _Rate | None, per_minute: float | None) -> _Rate | None:
    if per_minute is None or (before is not None and before.per_minute <= per_minute):
        return before
    return _Rate(per_minute, Meter(per_minute))


def _is_lost(task: asyncio.Task[None] | None) -> bool:
    if task is None or not task.done() or task.cancelled():
        return False
    return isinstance(task.exception(), (LeaseLostError, LedgerLostError))


class _Gate:
    """What stands before one address."""

    def __init__(self, limiter: AdaptiveLimiter, breaker: Breaker) -> None:
        self.limiter, self.breaker = limiter, breaker
        self.requests: _Rate | None = None
        self.tokens: _Rate | None = None
        self.waits_until = 0.0
        """Until when it is known to people that nothing is sent."""

    def pause(self, request_bytes: int) -> float:
        """Seconds that the stated rates ask to wait; of the request's tokens its length is a guess."""
        waits = 0.0 if self.requests is None else self.requests.meter.take(1)
        if self.tokens is not None:
            # Both meters are charged at once: waits in a row would hold the place longer than the rates
            # ask.
            waits = max(waits, self.tokens.meter.take(guessed_tokens(request_bytes)))
        return waits

    def failed(self, error: ModelError) -> None:
        """Ask for less where the endpoint complained; remember where it did not answer."""
        if isinstance(error, ConnectionFailedError | ModelTimeoutError) or type(error) is ServerError:
            self.breaker.failed(str(error) if isinstance(error, ServerError) else "")
        else:
            self.breaker.answered()
        # One that ends the run holds up nobody: those who wait for a place would keep it from ending.
        if isinstance(error, RateLimitError) and not error.fatal:
            self.limiter.complained(min(error.retry_after or 0.0, LONGEST_WAIT))
        # A timeout is what overload looks like from outside where a server queues instead of refusing.
        elif isinstance(error, ModelTimeoutError):
            self.limiter.complained()


def guessed_tokens(request_bytes: int) -> float:
    """About how many tokens a request has: one for each four bytes."""
    # Too low for Chinese, too high for code. It only paces: what the endpoint states afterwards corrects
    # it.
    return request_bytes / 4


class Client:
    """The way out to endpoints."""

    def __init__(
        self,
        ledger: Ledger,
        *,
        budget: Budget | None = None,
        concurrency: int = 16,
        seed: int = 0,
        patience: float = PATIENCE,
    ) -> None:
        """At most ``concurrency`` requests in flight at one address; ``seed`` spreads the waits between tries.

        For an address that is down a run waits ``patience`` seconds at most.
        """
        self.ledger = ledger
        self.budget = budget or Budget(None)
        self.chance = random.Random(seed)  # noqa: S311 - jitter, no secret
        self.spans = Spans.from_environment()
        self.waits = Waits()
        """What calls that take long are waiting for."""
        self.targets: Sequence[Target] = ()
        """What is tried before the first request is sent; a run that is answered from its ledger tries nothing."""
        self.confirm: Confirm | None = None
        """Asks one question where the list of models leaves it in doubt whether an endpoint can be asked."""
        self.trial: Callable[[], Coroutine[None, None, None]] | None = None
        """Looks at the judge by a verdict, once nothing speaks against asking the endpoints; raises where it cannot be used."""
        self.on_outage: Callable[[str], None] | None = None
        """Told at once that an address does not answer, and that it does again."""
        self.batched: frozenset[str] = frozenset()
        """Roles whose calls are handed in as batches."""
        self.live = 0
        """Requests that are under way or wait for their place, those of batches apart."""
        self._batches: dict[str, Batches] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._tried_targets: asyncio.Task[None] | None = None
        self._trial: asyncio.Task[None] | None = None
        self.failures: Counter[tuple[str, str]] = Counter()
        """Address and slug of the error to how many requests ended in it, those included that were sent again."""
        self._concurrency = concurrency
        self.patience = patience
        """Seconds that an outage may last."""
        self._session: aiohttp.ClientSession | None = None
        self._gates: dict[str, _Gate] = {}
        self._answered: set[str] = set()

    def pace(self, url: str, *, requests: float | None, tokens: float | None) -> None:
        """Keep to so many requests and tokens a minute at one address; of several statements the strictest counts."""
        gate = self._gate(url)
        gate.requests = _stricter(gate.requests, requests)
        gate.tokens = _stricter(gate.tokens, tokens)

    def used(self, url: str, tokens: float) -> None:
        """Book tokens that were not known when the request was sent."""
        if meter := self._gate(url).tokens:
            meter.meter.take(tokens)

    async def post(self, url: str, body: bytes, headers: Mapping[str, str], seconds: float) -> bytes:
        """The body of a 200 answer to one request.

        Raises:
            ModelError: there is none; the subclass says why.
        """
        return (await self.exchange(url, body, headers, seconds)).body

    async def exchange(
        self,
        url: str,
        body: bytes,
        headers: Mapping[str, str],
        seconds: float,
        *,
        begin: Begin | None = None,
        on_part: Callable[[bytes], None] | None = None,
        sent_to: str = "",
    ) -> Answer:
        """The same, with the seconds it took from sending to the last byte.

        ``begin`` is waited for when there is a place for the request; ``on_part`` is given the answer's parts as they come.
        ``sent_to`` is the address where it is another than that under which the endpoint's limits and failures are kept.

        Raises:
            ModelError: there is none; the subclass says why.
        """
        if self.targets and not _TRYING.get():
            await self.try_targets()
            self._check_trial()
        self.live += 1
        try:
            return await self._in_turn(url, sent_to or url, body, headers, seconds, begin, on_part)
        finally:
            self.live -= 1

    async def _in_turn(
        self,
        url: str,
        sent_to: str,
        body: bytes,
        headers: Mapping[str, str],
        seconds: float,
        begin: Begin | None,
        on_part: Callable[[bytes], None] | None,
    ) -> Answer:
        gate = self._gate(url)
        # Place, rate, breaker, then intent. The place comes first, so that first come is first served,
        # and the intent last, so that only a call that is really sent leaves one (docs/decisions/0009).
        waits_for(PLACE)
        await gate.limiter.enter()
        try:
            while True:
                if pause := gate.pause(len(body)):
                    waits_for(PACE, pause)
                    await asyncio.sleep(pause)
                if not gate.breaker.closed:
                    waits_for(OUTAGE)
                    await gate.breaker.ready()
                waits_for(ANSWER)
                if begin is not None:
                    await begin()
                try:
                    return await self._tried(gate, url, sent_to, body, headers, seconds, on_part)
                # What nobody took uses up none of the call's tries: else the last calls of a run, too few to open the
                # breaker, and whoever probes for all, would fail long before `max_outage`.
                except ConnectionFailedError as error:
                    if error.fatal or not error.unreachable:
                        raise
                waits_for(OUTAGE)
                if gate.breaker.closed:
                    await asyncio.sleep(self.chance.uniform(0.5, 1.5) * FIRST_PROBE)
        finally:
            gate.limiter.leave()

    def batches(self, endpoint: Endpoint) -> Batches:
        """The batches of an endpoint.

        Raises:
            UserError: its protocol has none.
        """
        if endpoint.identity not in self._batches:
            from benchbar.clients.batching import Batches

            self._batches[endpoint.identity] = Batches(endpoint, self)
        return self._batches[endpoint.identity]

    def end_batches(self) -> None:
        """Wait for no batch any longer; what was handed in goes on, and its answers are taken when the run is resumed."""
        for batches in self._batches.values():
            batches.end()

    def keep(self, task: asyncio.Task[None]) -> None:
        """Hold a task until it is done: the loop alone would let go of it."""
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def tell(self, message: str) -> None:
        """Say something to whoever watches the run."""
        if self.on_outage is not None:
            self.on_outage(message)

    async def fetched(self, method: str, url: str, body: bytes | None, headers: Mapping[str, str]) -> Response:
        """What an address answers that is no model's answer: lists, files, states of a batch.

        Raises:
            ModelError: nothing came.
        """
        from benchbar.clients.transport import sent

        if self.targets and not _TRYING.get():
            await self.try_targets()
            self._check_trial()
        # Only asked by those who try again themselves: a file that does not come ends no run.
        return await sent(self._opened(), url, body, headers, FETCHING, answered=True, method=method, most=MOST_FETCHED)

    async def _tried(
        self,
        gate: _Gate,
        url: str,
        sent_to: str,
        body: bytes,
        headers: Mapping[str, str],
        seconds: float,
        on_part: Callable[[bytes], None] | None,
    ) -> Answer:
        began = time.perf_counter()
        try:
            # Timed around this alone: the wait for a place is ours, not the model's.
            answer = await self._exchange(gate, sent_to, body, headers, seconds, on_part)
        except ModelError as error:
            self.failures[url, error.slug] += 1
            if isinstance(error, RateLimitError) and error.retry_after is not None:
                self._wait_or_stop(gate, url, error, error.retry_after)
            gate.failed(error)
            raise
        # Cancelled, or a fault: no answer came. Without this the breaker would wait for ever for its
        # probe.
        except BaseException:
            gate.breaker.failed()
            raise
        return Answer(answer, time.perf_counter() - began)

    def _wait_or_stop(self, gate: _Gate, url: str, error: RateLimitError, asked: float) -> None:
        """Say that a wait begins that people would wonder about; one that is longer than an outage may last ends the run."""
        now = time.monotonic()
        if asked > self.patience:
            error.fatal, error.again = True, False
            error.args = (
                (
                    f"{error}: it asks to wait {asked:.0f} s, longer than limits.max_outage ({self.patience:g} s); a quota? Answers are"
                    " kept: rerun the command when it is over, or raise limits.max_outage"
                ),
            )
        elif asked >= TOLD_WAIT and now >= gate.waits_until:
            gate.waits_until = now + asked
            self.tell(f"{url} asks to wait {asked:.0f} s; waiting")

    async def try_targets(self) -> None:
        """Try all targets once, whoever asks first.

        Raises:
            EndpointError: one cannot be asked.
        """
        if self._tried_targets is None:
            # In a context of its own: the questions that it asks must not wait for it.
            context = contextvars.copy_context()
            context.run(_TRYING.set, True)  # noqa: FBT003
            self._tried_targets = asyncio.get_running_loop().create_task(self._targets_tried(), context=context)
        if not self._tried_targets.done() or self._tried_targets.exception():
            # Shielded: whoever is cancelled meanwhile must not cancel it for the others.
            await asyncio.shield(self._tried_targets)

    async def _targets_tried(self) -> None:
        from benchbar.clients.preflight import SECONDS, preflight

        await preflight(self.targets, self._opened(), self.confirm)
        if self.trial is not None:
            self._trial = asyncio.get_running_loop().create_task(self.trial())
            # A judge may think for a minute: the run begins meanwhile, and ends when the verdict turns out to be none.
            await asyncio.wait({self._trial}, timeout=SECONDS)
            self._check_trial()

    def _check_trial(self) -> None:
        """Raise what the judge's trial has found by now."""
        if self._trial is not None and self._trial.done() and not self._trial.cancelled():
            self._trial.result()

    async def await_trial(self) -> None:
        """Return when the judge's trial, if there is to be one, is over.

        A run that is resumed may have every answer but the trial's: nothing was sent, and so nothing has begun it.

        Raises:
            EndpointError: the judge cannot be used.
        """
        if self._trial is None and self.targets and self.trial is not None:
            self._trial = asyncio.get_running_loop().create_task(self.trial())
        if self._trial is not None:
            await asyncio.wait({self._trial})
            self._check_trial()

    def try_again(self) -> None:
        """Forget that targets and judge could not be tried, where the ledger was away: the next request tries them anew."""
        if _is_lost(self._tried_targets):
            self._tried_targets = None
        if _is_lost(self._trial):
            self._trial = None

    def end_trial(self) -> None:
        """Begin no further call of the judge's trial; one in flight is paid for, and the ledger waits for it."""
        if self._trial is not None and not self._trial.cancel():
            # Marked as seen: whoever asked next was told, or the run ended of something else.
            self._trial.cancelled() or self._trial.exception()

    def _gate(self, url: str) -> _Gate:
        gate = self._gates.get(url)
        if gate is None:
            breaker = Breaker(url, self.patience, on_change=self.tell, stopped=lambda: self.ledger.closing)
            gate = self._gates[url] = _Gate(AdaptiveLimiter(self._concurrency), breaker)
        return gate

    async def _exchange(
        self,
        gate: _Gate,
        url: str,
        body: bytes,
        headers: Mapping[str, str],
        seconds: float,
        on_part: Callable[[bytes], None] | None,
    ) -> bytes:
        from benchbar.clients.transport import sent

        status, answer, said = await sent(
            self._opened(), url, body, headers, seconds, on_part=on_part, answered=url in self._answered
        )
        if (remaining := left(said)) is not None:
            gate.limiter.update_remaining(remaining)
        if status != OK:
            raise error_of(status, answer, said.get("Retry-After"), url=url, location=said.get("Location", ""))
        gate.limiter.succeeded()
        gate.breaker.answered()
        self._answered.add(url)
        return answer

    def _opened(self) -> aiohttp.ClientSession:
        if self._session is None:
            from benchbar.clients.transport import opened

            self._session = opened()
        return self._session

    async def close(self) -> None:
        """Close the connections; send the last spans; tell of no wait any more."""
        self.waits.end()
        if self.spans is not None:
            await asyncio.to_thread(self.spans.close)
            self.spans = None
        if self._session is not None:
            await self._session.close()
            self._session = None
