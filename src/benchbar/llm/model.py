"""The one door to chat models: every call goes through ledger, budget and limiter."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence
from typing import Any

import aiohttp
import msgspec

from benchbar.errors import (
    ConnectionFailedError,
    ModelError,
    ModelTimeoutError,
    RateLimitError,
    TruncatedJsonError,
)
from benchbar.ledger import SCOPE, CallRequest, CallResult, CallStatus, Ledger
from benchbar.llm.budget import Budget
from benchbar.llm.endpoint import Endpoint
from benchbar.llm.limiter import AdaptiveLimiter
from benchbar.llm.protocol import error_of, read_completion
from benchbar.records import Reply, Turn

MAX_BODY = 16 * 1024 * 1024
FIRST_PAUSE = 0.5
MAX_PAUSE = 60.0


class Door:
    """What all models of a run share: the ledger, the budget, one HTTP session, a limiter for each address."""

    def __init__(self, ledger: Ledger, *, budget: Budget | None = None, concurrency: int = 16, seed: int = 0) -> None:
        """At most ``concurrency`` requests in flight at one address; ``seed`` spreads the waits between tries."""
        self.ledger = ledger
        self.budget = budget or Budget(None)
        self.concurrency = concurrency
        self.random = random.Random(seed)  # noqa: S311 - jitter, no secret
        self._session: aiohttp.ClientSession | None = None
        self._limiters: dict[str, AdaptiveLimiter] = {}

    def limiter(self, base_url: str) -> AdaptiveLimiter:
        """The limiter of an address."""
        return self._limiters.setdefault(base_url, AdaptiveLimiter(self.concurrency))

    @property
    def session(self) -> aiohttp.ClientSession:
        """The HTTP session, opened at the first call."""
        if self._session is None:
            # limit=0: aiohttp's own limit lets finished tasks overtake waiting ones; ours is first come, first served.
            connector = aiohttp.TCPConnector(limit=0, ttl_dns_cache=300)
            self._session = aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())
        return self._session

    async def close(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None


class ChatModel:
    """A model at an endpoint, asked through the ledger."""

    def __init__(self, endpoint: Endpoint, door: Door) -> None:
        """Where there is a budget, the length of answers is bounded, since else nothing could be reserved.

        Raises:
            UserError: the variable that should hold the key is not set.
        """
        self.endpoint = endpoint.bounded() if door.budget.limit is not None else endpoint
        self._door = door
        self._headers = self.endpoint.headers()
        self._url = f"{endpoint.base_url.rstrip('/')}/chat/completions"
        self._limiter = door.limiter(endpoint.base_url)
        self._answered = False

    @property
    def identity(self) -> str:
        """Model and address."""
        return self.endpoint.identity

    async def ask(self, messages: Sequence[Turn], *, role: str, repeat: int = 0, attempt: int = 0) -> Reply:
        """The model's answer, from the ledger if it was given before.

        Raises:
            ModelError: there is none; the subclass says why.
            BudgetExhaustedError: it might cost more than is left.
        """
        scope = SCOPE.get()
        request = CallRequest(
            role=role,
            sample=scope.sample if scope else "",
            model=self.identity,
            params=self.endpoint.params,
            messages=tuple(messages),
            repeat=repeat,
            attempt=attempt,
        )
        body = self._body(messages)
        most = self.endpoint.most(len(body))
        result = await self._door.ledger.once(
            request, lambda: self._produce(body, most), reserve=lambda: self._door.budget.reserve(most)
        )
        if result.reply is None:
            raise failure(result)
        return result.reply

    def _body(self, messages: Sequence[Turn]) -> bytes:
        body: dict[str, Any] = {"model": self.endpoint.model, "messages": messages, **self.endpoint.params}
        return msgspec.json.encode(body)

    async def _produce(self, body: bytes, reserved: float) -> CallResult:
        cost: float | None = None
        try:
            result = await self._with_retries(body)
            cost = result.reply.cost if result.reply else 0.0
            return result
        finally:
            # A call that was cancelled, or whose usage nobody stated, is booked at what was reserved for it.
            self._door.budget.settle(reserved, cost)

    async def _with_retries(self, body: bytes) -> CallResult:
        for tried in range(1, self.endpoint.tries + 1):
            try:
                reply = await self._send(body)
            except ModelError as error:
                last = error
                if not error.again or tried == self.endpoint.tries:
                    break
                await asyncio.sleep(self._pause(error, tried))
            else:
                self._answered = True
                return CallResult(status=CallStatus.OK, reply=reply, tries=tried)
        lasting = not last.again and not last.fatal
        return CallResult(
            status=CallStatus.REFUSED if lasting else CallStatus.FAILED,
            error=self._slug(last),
            message=str(last),
            tries=tried,
        )

    def _slug(self, error: ModelError) -> str:
        """An endpoint that never answered at all is not there: better to stop than to try every call in vain."""
        unreachable = isinstance(error, ConnectionFailedError) and not self._answered
        return "unreachable" if unreachable else error.slug

    def _pause(self, error: ModelError, tried: int) -> float:
        asked = error.retry_after if isinstance(error, RateLimitError) else None
        grown = min(MAX_PAUSE, FIRST_PAUSE * 2 ** (tried - 1)) * self._door.random.uniform(0.5, 1.5)
        # Jitter on top of what was asked: else all that were turned away come back at the same moment.
        return grown if asked is None else asked + self._door.random.uniform(0.0, 0.25)

    async def _send(self, body: bytes) -> Reply:
        async with self._limiter.slot():
            began = time.perf_counter()
            try:
                status, answer, retry_after = await self._exchange(body)
                if status != 200:  # noqa: PLR2004
                    raise error_of(status, answer, retry_after)
                reply = read_completion(answer)
            except RateLimitError as error:
                self._limiter.complained(error.retry_after or 0.0)
                raise
            except ModelTimeoutError:
                self._limiter.complained()
                raise
            self._limiter.succeeded()
            price = self.endpoint.price
            return msgspec.structs.replace(
                reply, latency=time.perf_counter() - began, cost=price.of(reply.usage) if price else None
            )

    async def _exchange(self, body: bytes) -> tuple[int, bytes, str | None]:
        timeout = aiohttp.ClientTimeout(total=self.endpoint.timeout)
        try:
            # No redirects: the key must not travel to another address.
            async with self._door.session.post(
                self._url, data=body, headers=self._headers, timeout=timeout, allow_redirects=False
            ) as response:
                return response.status, await _whole(response), response.headers.get("Retry-After")
        except TimeoutError as error:
            raise ModelTimeoutError(f"no whole answer within {self.endpoint.timeout:g} s from {self._url}") from error
        except aiohttp.ClientPayloadError as error:
            raise TruncatedJsonError(f"the answer broke off: {error}") from error
        except (aiohttp.ClientError, OSError) as error:
            raise ConnectionFailedError(f"{self._url}: {error or type(error).__name__}") from error


async def _whole(response: aiohttp.ClientResponse) -> bytes:
    """A body read to its end, but not beyond the limit."""
    parts: list[bytes] = []
    left = MAX_BODY
    async for part in response.content.iter_any():
        parts.append(part)
        left -= len(part)
        if left < 0:
            raise TruncatedJsonError(f"the answer is longer than {MAX_BODY} bytes")
    return b"".join(parts)


_SLUGS = {kind.slug: kind for kind in ModelError.__subclasses__() + RateLimitError.__subclasses__()}


def failure(result: CallResult) -> ModelError:
    """The error that a failed call ended in, as it was recorded."""
    if result.error == "unreachable":
        error = ConnectionFailedError(f"{result.message}; is the address right, and is the server running?")
        error.fatal = True
        return error
    kind = _SLUGS.get(result.error, ModelError)
    return kind(result.message)
