"""An encoder at an endpoint: texts go in, numbers come out, and each request is one call of the ledger."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, NamedTuple

from benchbar.clients.client import Client
from benchbar.clients.endpoint import Endpoint, below
from benchbar.clients.prices import priced
from benchbar.clients.results import failed, reply_of
from benchbar.clients.retry import with_retries
from benchbar.ledger import SCOPE, Begin, CallRequest, CallResult, CallStatus
from benchbar.records import Reply, Turn, Usage
from benchbar.records.errors import ModelError, ModelTimeoutError


class Read(NamedTuple):
    """What an answer holds."""

    content: str
    """The numbers as text, for the ledger."""
    tokens: int | None = None
    """That were read, where the endpoint says it."""
    model: str = ""
    """The model's own name, where the endpoint says it."""


class Encoder:
    """Asks an endpoint at one path below its address, through ledger, budget and limits."""

    def __init__(self, endpoint: Endpoint, client: Client, *, path: str, role: str, kind: str) -> None:
        """``role`` is what the ledger calls its calls, ``kind`` what messages call the model.

        Raises:
            UserError: the variable that should hold the key is not set, or there is a budget and no price.
        """
        self.endpoint = priced(endpoint, client.budget.limit, kind=kind)
        self.client, self.headers = client, endpoint.headers()
        self._url, self._role = below(endpoint.base_url, path), role
        client.pace(self._url, requests=endpoint.requests_per_minute, tokens=endpoint.tokens_per_minute)

    async def ask(
        self,
        texts: Sequence[str],
        body: bytes,
        params: Mapping[str, Any],
        read: Callable[[bytes], Read],
        *,
        before: Callable[[], Awaitable[None]] | None = None,
    ) -> str:
        """What ``read`` makes of the answer to a request; ``before`` is waited for where the request is really sent.

        Raises:
            ModelError: there is no answer; the subclass says why.
            BudgetExhaustedError: it might cost more than is left.
        """
        # No answer is written that a bound could be put on: the input is all that is paid.
        price = self.endpoint.price
        most = len(body) * price.input / 1e6 if price else 0.0
        # Numbers of a text belong to no sample: which ones are missing depends on what was kept, and what a sample's results
        # rest on must not.
        token = SCOPE.set(None)
        try:
            turns = [Turn(role="user", content=text) for text in texts]
            request = CallRequest.of(self.endpoint.identity, turns, role=self._role, params=params)
            result = await self.client.ledger.once(
                request,
                lambda begin: self._produce(body, most, read, before, begin),
                reserve=lambda: self.client.budget.reserve(most),
            )
        finally:
            SCOPE.reset(token)
        return reply_of(result).content

    async def _produce(
        self,
        body: bytes,
        reserved: float,
        read: Callable[[bytes], Read],
        before: Callable[[], Awaitable[None]] | None,
        begin: Begin,
    ) -> CallResult:
        cost: float | None = None
        try:
            if before is not None:
                await before()
            with self.client.waits.call(self._url, self.endpoint.tries) as call:
                reply, tries = await with_retries(
                    lambda: self._send(body, read, begin),
                    tries=self.endpoint.tries,
                    chance=self.client.chance,
                    on_pause=call.pauses,
                )
            cost = reply.cost
            return CallResult(status=CallStatus.OK, reply=reply, tries=tries)
        except ModelError as error:
            # What timed out may have been billed; what was refused was not.
            cost = None if isinstance(error, ModelTimeoutError) else 0.0
            return failed(error)
        finally:
            self.client.budget.settle(reserved, cost)

    async def _send(self, body: bytes, read: Callable[[bytes], Read], begin: Begin) -> Reply:
        answer, seconds = await self.client.exchange(self._url, body, self.headers, self.endpoint.timeout, begin=begin)
        found, price = read(answer), self.endpoint.price
        stated = Usage(input_tokens=found.tokens, output_tokens=0)
        return Reply(
            content=found.content,
            usage=stated,
            cost=price.of(stated) if price else None,
            model=found.model,
            latency=seconds,
        )
