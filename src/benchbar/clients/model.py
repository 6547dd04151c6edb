"""A chat model: every call goes through ledger, budget and limiter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from benchbar.clients.client import Client, guessed_tokens
from benchbar.clients.endpoint import Endpoint
from benchbar.clients.protocol import read_completion
from benchbar.clients.results import failed, reply_of
from benchbar.clients.retry import with_retries
from benchbar.clients.streaming import ASKED, ON_TEXT, ROLE, OnText, Stream, is_stream
from benchbar.clients.tracing import Spans
from benchbar.ledger import Begin, CallRequest, CallResult, CallStatus
from benchbar.records import Reply, Turn
from benchbar.records.errors import ModelError, ModelTimeoutError


class _Asked(NamedTuple):
    """One call, from the first try to the last."""

    body: bytes
    reserved: float
    on_text: OnText | None
    """Who is on_text the parts of the answer as they come."""
    begin: Begin


class ChatModel:
    """A model at an endpoint, asked through the ledger."""

    def __init__(self, endpoint: Endpoint, client: Client) -> None:
        """Where there is a budget, the length of answers is bounded, since else nothing could be reserved.

        Raises:
            UserError: the variable that should hold the key is not set.
        """
        self.endpoint = endpoint
        # The bound is sent but is no part of the call's key: a budget that is added later must not pay again.
        self._sent = endpoint.bounded() if client.budget.limit is not None else endpoint
        self._client = client
        self._headers = self.endpoint.headers()
        self._url = f"{endpoint.base_url.rstrip('/')}/chat/completions"
        client.pace(self._url, requests=endpoint.requests_per_minute, tokens=endpoint.tokens_per_minute)

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
        request = CallRequest.of(
            self.identity, messages, role=role, params=self.endpoint.params, repeat=repeat, attempt=attempt
        )
        # What a judge or the simulated user says is no reply to show, even while somebody watches.
        on_text = ON_TEXT.get() if role == ROLE else None
        body = self._body(messages, streamed=on_text is not None)
        # Of the body as it is sent: the bound on the answer is in it.
        most = self._sent.most(len(body))
        spans = self._client.spans
        result = await self._client.ledger.once(
            request,
            (lambda begin: self._traced(spans, request, _Asked(body, most, on_text, begin)))
            if spans
            else (lambda begin: self._produce(_Asked(body, most, on_text, begin))),
            reserve=lambda: self._client.budget.reserve(most),
        )
        return reply_of(result)

    def _body(self, messages: Sequence[Turn], *, streamed: bool) -> bytes:
        body: dict[str, Any] = {"model": self.endpoint.model, "messages": messages, **self._sent.params}
        if streamed:
            body |= ASKED
        return msgspec.json.encode(body)

    async def _traced(self, spans: Spans, request: CallRequest, asked: _Asked) -> CallResult:
        with spans.call(self._sent, request) as span:
            result = await self._produce(asked)
            spans.ended(span, result)
            return result

    async def _produce(self, asked: _Asked) -> CallResult:
        cost: float | None = None
        try:
            result = await self._result(asked)
            # A call that failed for good has no reply and is not billed; what timed out was booked in
            # _send.
            cost = result.reply.cost if result.reply else 0.0
            return result
        finally:
            # A call that was cancelled, or whose usage nobody stated, is booked at what was reserved for it.
            self._client.budget.settle(asked.reserved, cost)

    async def _result(self, asked: _Asked) -> CallResult:
        try:
            reply, tries = await with_retries(
                lambda: self._send(asked), tries=self.endpoint.tries, chance=self._client.chance
            )
        except ModelError as error:
            return failed(error)
        return CallResult(status=CallStatus.OK, reply=reply, tries=tries)

    async def _send(self, asked: _Asked) -> Reply:
        stream = Stream(asked.on_text) if asked.on_text is not None else None
        on_part = stream.feed if stream else None
        try:
            answer, seconds = await self._client.exchange(
                self._url, asked.body, self._headers, self.endpoint.timeout, begin=asked.begin, on_part=on_part
            )
        except ModelTimeoutError:
            # What timed out may have been billed: it is booked, and the next try reserves anew.
            self._client.budget.settle(asked.reserved, None)
            self._client.budget.reserve(asked.reserved)
            raise
        try:
            # Some endpoints ignore the wish for a stream and answer in one piece.
            reply = stream.reply() if stream and is_stream(answer) else read_completion(answer)
        except ModelError as error:
            # The exchange succeeded, so the client has not counted this one.
            self._client.failures[self._url, error.slug] += 1
            raise
        if self.endpoint.tokens_per_minute is not None:
            read, written = reply.usage.input_tokens, reply.usage.output_tokens
            self._client.used(
                self._url, (read or 0) + (written or 0) - (0 if read is None else guessed_tokens(len(asked.body)))
            )
        price = self.endpoint.price
        return msgspec.structs.replace(reply, latency=seconds, cost=price.of(reply.usage) if price else None)
