"""A chat model: every call goes through ledger, budget and limiter."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from benchbar.clients.client import Client, guessed_tokens
from benchbar.clients.codecs import codec_of
from benchbar.clients.endpoint import Endpoint
from benchbar.clients.prices import BATCHED, priced
from benchbar.clients.protocol import OK, error_of
from benchbar.clients.providers import PROVIDERS
from benchbar.clients.results import failed, reply_of
from benchbar.clients.retry import with_retries
from benchbar.clients.schemas import ALTERNATIVES, BOUNDED, MODES, PROBE, QUESTION, TEXT, document_of, was_held
from benchbar.clients.signing import signer_of
from benchbar.clients.streaming import ON_TEXT, ROLE, OnText, Stream, is_stream
from benchbar.clients.targets import TRIAL
from benchbar.clients.tracing import Spans
from benchbar.clients.waits import BATCH, PLACE
from benchbar.ledger import SCOPE, Begin, CallRequest, CallResult, CallStatus
from benchbar.ledger.election import found_by_another
from benchbar.records import Reply, Turn
from benchbar.records.errors import (
    AuthenticationError,
    BadRequestError,
    BudgetExhaustedError,
    EmptyContentError,
    ModelError,
    ModelTimeoutError,
    ServerError,
    TruncatedJsonError,
)
from benchbar.records.protocols import AnswerSchema, Tool


class _Asked(NamedTuple):
    """One call, from the first try to the last."""

    body: bytes
    reserved: float
    on_text: OnText | None
    """Who is on_text the parts of the answer as they come."""
    begin: Begin
    schema: AnswerSchema | None = None
    tools: bool = False
    """Whether tools were offered."""
    batched: str = ""
    """Key of the call where it is handed in with others; empty where it is sent alone."""


class ChatModel:
    """A model at an endpoint, asked in the endpoint's protocol through the ledger."""

    def __init__(self, endpoint: Endpoint, client: Client) -> None:
        """Where there is a budget, the length of answers is bounded, since else nothing could be reserved.

        Raises:
            UserError: the variable that should hold the key is not set, or there is a budget and no price.
        """
        self.endpoint = endpoint = priced(endpoint, client.budget.limit)
        # The bound is sent but is no part of the call's key: a budget that is added later must not pay again. Messages
        # needs one in every request.
        bound = client.budget.limit is not None or endpoint.protocol == "anthropic"
        self._sent = endpoint.bounded() if bound else endpoint
        self._codec = codec_of(endpoint)
        self._client = client
        self._headers = self.endpoint.headers()
        self._url = self._codec.url(endpoint)
        self._stream_url = self._codec.url(endpoint, streamed=True)
        self._sign = signer_of(endpoint) if PROVIDERS[endpoint.protocol].signs else None
        self._mode = {"auto": "", "schema": BOUNDED, "text": TEXT}[endpoint.answers]
        """How answers are held to a schema; empty until the endpoint was asked."""
        self._asking = asyncio.Lock()
        client.pace(self._url, requests=endpoint.requests_per_minute, tokens=endpoint.tokens_per_minute)

    @property
    def identity(self) -> str:
        """Model and address."""
        return self.endpoint.identity

    @property
    def room(self) -> int | None:
        """Tokens that an answer may have; None where nothing bounds it."""
        return self._sent.room

    async def holds_to_schemas(self) -> bool:
        """Whether the endpoint holds answers to a schema: asked once, then remembered in the ledger.

        Raises:
            ModelError: it does not answer at all.
        """
        # Not two at once: the first judge's calls all begin together.
        async with self._asking:
            if not self._mode:
                store, name = self._client.ledger.store, f"answers {self.identity}"
                known = await found_by_another(store, name)
                self._mode = (known or store.offer_meta(name, (await self._mode_found()).encode())).decode()
        return self._mode != TEXT

    async def _mode_found(self) -> str:
        for mode in MODES:
            try:
                # Without an error the field was not read: no other form of it will be.
                return mode if was_held((await self._probed(mode)).content) else TEXT
            # 5xx too: some servers fall over on a field that they do not know, and a judge that answers in text is better
            # than none.
            except (BadRequestError, ServerError):
                continue
        return TEXT

    async def _probed(self, mode: str) -> Reply:
        """The answer to the probe; the question belongs to no sample, and a refusal of it is a finding and no failure."""
        store = self._client.ledger.store
        extra = self._fields(PROBE, mode)
        params = {**self.endpoint.params, **extra}
        # Of processes that share a run one asks; should it die, the next asks for itself: two answers to one call would read
        # as damage.
        repeat = store.session if store.shared else 0
        request = CallRequest(
            role="judge", sample="", model=self.identity, messages=QUESTION, params=params, repeat=repeat
        )
        body = self._codec.body(self._sent, QUESTION, extra, streamed=False)
        most = self._sent.most(len(body))

        async def produce(begin: Begin) -> CallResult:
            result = await self._produce(_Asked(body, most, None, begin))
            if result.error == BadRequestError.slug:
                self._client.failures[self._url, result.error] -= 1
                return msgspec.structs.replace(result, status=CallStatus.REFUSED)
            return result

        token = SCOPE.set(None)
        try:
            return reply_of(
                await self._client.ledger.once(request, produce, reserve=lambda: self._client.budget.reserve(most))
            )
        finally:
            SCOPE.reset(token)

    async def ask(
        self,
        messages: Sequence[Turn],
        *,
        role: str,
        repeat: int = 0,
        attempt: int = 0,
        schema: AnswerSchema | None = None,
        tools: Sequence[Tool] = (),
    ) -> Reply:
        """The model's answer, from the ledger if it was given before; held to a ``schema`` where ``holds_to_schemas``.

        With ``tools`` it may be calls of these.

        Raises:
            ModelError: there is none; the subclass says why.
            BudgetExhaustedError: it might cost more than is left.
        """
        wanted = {} if schema is None else self._fields(schema, self._mode)
        wanted |= self._codec.tool_fields(tools) if tools else {}
        params = {**self.endpoint.params, **wanted}
        request = CallRequest.of(self.identity, messages, role=role, params=params, repeat=repeat, attempt=attempt)
        # What a judge or the simulated user says is no reply to show, even while somebody watches.
        on_text = ON_TEXT.get() if role == ROLE and self._codec.streams and not tools else None
        batched = self._client.ledger.key(request).hex() if role in self._client.batched and not tools else ""

        def most(body: bytes) -> float:
            # Of the body as it is sent: the bound on the answer is in it.
            return self._sent.most(len(body)) * (BATCHED if batched else 1.0)

        async def produce(begin: Begin) -> CallResult:
            body = written()
            asked = _Asked(body, most(body), on_text, begin, schema, bool(tools), batched)
            spans = self._client.spans
            return await (self._traced(spans, request, asked) if spans else self._produce(asked))

        kept: list[bytes] = []

        def written() -> bytes:
            # Not before it is sent: what the ledger has needs none.
            if not kept:
                kept.append(self._codec.body(self._sent, messages, wanted, streamed=on_text is not None))
            return kept[0]

        result = await self._client.ledger.once(
            request, produce, reserve=lambda: self._client.budget.reserve(most(written()))
        )
        try:
            return reply_of(result)
        except ModelError as error:
            if error.fatal and role != TRIAL:
                # It ends the run: with several models, role and address are what the user needs to mend it.
                error.args = (f"{role} {self.endpoint.model} at {self.endpoint.base_url}: {error}",)
            raise

    def _fields(self, schema: AnswerSchema, mode: str) -> dict[str, Any]:
        """What the body of a request has to hold for an answer of this form."""
        alternatives = ALTERNATIVES if self.endpoint.probabilities and schema.choices else 0
        return self._codec.schema_fields(self.endpoint, schema.name, document_of(schema, mode), alternatives)

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
        except BudgetExhaustedError:
            # No further try was sent: what was set aside for it is free again.
            cost = 0.0
            raise
        else:
            return result
        finally:
            # A call that was cancelled, or whose usage nobody stated, is booked at what was reserved for it.
            self._client.budget.settle(asked.reserved, cost)

    async def _result(self, asked: _Asked) -> CallResult:
        try:
            with self._client.waits.call(self._url, self.endpoint.tries, BATCH if asked.batched else PLACE) as call:
                reply, tries = await with_retries(
                    lambda: self._send(asked),
                    tries=self.endpoint.tries,
                    chance=self._client.chance,
                    on_pause=call.pauses,
                )
        except ModelError as error:
            return failed(error)
        return CallResult(status=CallStatus.OK, reply=reply, tries=tries)

    async def _send(self, asked: _Asked) -> Reply:
        if asked.batched:
            return await self._from_batch(asked)
        tags = self.endpoint.thought_tags
        stream = Stream(asked.on_text, self._codec.piece, tags) if asked.on_text is not None else None
        on_part = stream.feed if stream else None
        headers = self._headers
        try:
            answer, seconds = await self._client.exchange(
                self._url,
                asked.body,
                # At every try anew: a signature holds for minutes.
                headers if self._sign is None else self._sign(self._url, asked.body, headers),
                self.endpoint.timeout,
                begin=asked.begin,
                on_part=on_part,
                # One gate for both addresses: limits are the endpoint's.
                sent_to=self._stream_url if stream else self._url,
            )
        except AuthenticationError as error:
            # A token that lives for an hour may have been renewed in the environment since this request was made ready.
            self._headers = self.endpoint.headers()
            error.fatal, error.again = self._headers == headers, self._headers != headers
            raise
        except (ModelTimeoutError, TruncatedJsonError):
            self._book_lost(asked)
            raise
        try:
            # Some endpoints ignore the wish for a stream and answer in one piece.
            reply = stream.reply() if stream and is_stream(answer) else self._codec.reply(answer, asked.schema, tags)
            reply = _without_calls(reply) if reply.tool_calls and not asked.tools else reply
        except ModelError as error:
            # The exchange succeeded, so the client has not counted this one.
            self._client.failures[self._url, error.slug] += 1
            if isinstance(error, TruncatedJsonError):
                self._book_lost(asked)
            raise
        if self.endpoint.tokens_per_minute is not None:
            read, written = reply.usage.input_tokens, reply.usage.output_tokens
            self._client.used(
                self._url, (read or 0) + (written or 0) - (0 if read is None else guessed_tokens(len(asked.body)))
            )
        return self._priced(reply, seconds, 1.0)

    def _book_lost(self, asked: _Asked) -> None:
        """Book a request that was worked on and whose answer did not come whole at the most that it may have cost.

        The next try reserves anew.
        """
        # Where the budget ends here, the call's intent stays without a result, and is counted at the same sum.
        self._client.budget.renew(asked.reserved)
        self._client.ledger.lose(asked.reserved)

    async def _from_batch(self, asked: _Asked) -> Reply:
        """The answer that a batch brings; of its latency nothing is known."""
        answer = await self._client.batches(self.endpoint).answer(asked.batched, asked.body, asked.begin)
        try:
            if answer.status != OK:
                raise error_of(answer.status, answer.body, url=self._url)
            reply = self._codec.reply(answer.body, asked.schema, self.endpoint.thought_tags)
            reply = _without_calls(reply) if reply.tool_calls and not asked.tools else reply
        except ModelError as error:
            self._client.failures[self._url, error.slug] += 1
            raise
        return self._priced(reply, 0.0, BATCHED)

    def _priced(self, reply: Reply, seconds: float, share: float) -> Reply:
        """The reply with what it took, at this share of the usual price."""
        price = self.endpoint.price
        cost = price.of(reply.usage, reply.cached_tokens) if price else None
        thought = price.of_thoughts(reply.thought_tokens) if price else msgspec.UNSET
        return msgspec.structs.replace(
            reply,
            latency=seconds,
            cost=None if cost is None else cost * share,
            thought_cost=msgspec.UNSET if thought is msgspec.UNSET else thought * share,
        )


def _without_calls(reply: Reply) -> Reply:
    """What was said beside calls of tools that nobody offered, or that the user's own parameters did."""
    if not reply.content.strip():
        raise EmptyContentError("the answer holds no text, only calls of tools, and none was offered")
    return msgspec.structs.replace(reply, tool_calls=msgspec.UNSET)
