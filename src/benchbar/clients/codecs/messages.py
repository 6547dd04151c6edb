"""Anthropic's Messages: the system prompt apart, a bound on every answer, an answer of typed blocks.

Source: https://platform.claude.com/docs/en/api/messages, version 2023-06-01. Never tried against the service itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from benchbar.clients.codecs.conversion import arguments_of, grouped, renamed, system_apart
from benchbar.clients.endpoint import DEFAULT_MAX_TOKENS
from benchbar.clients.protocol import (
    MAX_SHOWN,
    CallStated,
    UsageStated,
    completion_of,
    decoded,
    error_inside,
    reply_from,
    usage_beside_cache,
)
from benchbar.clients.streaming import Piece
from benchbar.records.errors import EmptyContentError, RefusedError, TruncatedJsonError

if TYPE_CHECKING:
    from benchbar.clients.endpoint import Endpoint
    from benchbar.records import Reply, Turn
    from benchbar.records.protocols import AnswerSchema, Tool

_NAMES = {"max_completion_tokens": "max_tokens", "stop": "stop_sequences"}
_FINISHES = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
}
"""Reasons in the words of chat completions, by which the rest of the program knows a cut answer."""


class _Block(msgspec.Struct):
    type: str = ""
    text: str | None = None
    thinking: str | None = None
    id: str | None = None
    name: str | None = None
    # Raw: arguments go on to the tool as they came.
    input: msgspec.Raw = msgspec.Raw(b"{}")


class _OutputDetails(msgspec.Struct):
    thinking_tokens: int | None = None


class _Usage(msgspec.Struct):
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
    output_tokens_details: _OutputDetails | None = None


class _Answer(msgspec.Struct):
    content: list[_Block] | None = None
    stop_reason: str | None = None
    usage: _Usage | None = None
    model: str | None = None
    error: Any = None


class _Delta(msgspec.Struct):
    text: str | None = None
    thinking: str | None = None
    stop_reason: str | None = None


class _Event(msgspec.Struct):
    type: str = ""
    message: _Answer | None = None
    delta: _Delta | None = None
    usage: _Usage | None = None
    error: Any = None


_DECODER = msgspec.json.Decoder(_Answer, strict=False)
_EVENTS = msgspec.json.Decoder(_Event, strict=False)


class MessagesCodec:
    """Messages."""

    streams = True

    def url(self, endpoint: Endpoint, *, streamed: bool = False) -> str:  # noqa: ARG002
        """One address for all models."""
        return f"{endpoint.base_url.rstrip('/')}/messages"

    def body(self, endpoint: Endpoint, messages: Sequence[Turn], extra: Mapping[str, Any], *, streamed: bool) -> bytes:
        """System turns in their field; without a bound of the user's own the answer gets the usual one."""
        system, said = system_apart(messages)
        params = renamed(endpoint.params.items(), _NAMES, stops="stop_sequences")
        body: dict[str, Any] = {"model": endpoint.model, "max_tokens": DEFAULT_MAX_TOKENS, "messages": _written(said)}
        body |= {"system": "\n\n".join(system)} if system else {}
        return msgspec.json.encode(body | params | dict(extra) | ({"stream": True} if streamed else {}))

    def schema_fields(
        self, endpoint: Endpoint, _name: str, document: Mapping[str, Any], _alternatives: int
    ) -> dict[str, Any]:
        """``output_config.format``, beside what the user has in ``output_config``; probabilities are not to be had."""
        own = endpoint.params.get("output_config") or {}
        return {"output_config": {**own, "format": {"type": "json_schema", "schema": document}}}

    def tool_fields(self, tools: Sequence[Tool]) -> dict[str, Any]:
        """``tools``, each with the schema of its input."""
        return {
            "tools": [
                {"name": one.name, "description": one.description, "input_schema": one.parameters} for one in tools
            ]
        }

    def reply(self, body: bytes, _schema: AnswerSchema | None, tags: tuple[str, ...]) -> Reply:
        """All blocks of text as one; a refusal that came after some text is no answer."""
        answer = decoded(_DECODER, body, "an answer of Messages")
        if answer.error:
            raise error_inside(body)
        if answer.content is None:
            raise TruncatedJsonError("an answer of Messages without content")
        text = "".join(block.text or "" for block in answer.content if block.type == "text")
        if answer.stop_reason == "refusal":
            said = f": {text[:MAX_SHOWN]}" if text else ""
            raise RefusedError(f"the model refused (stop_reason refusal){said}")
        # Blocks of redacted thoughts, and of the provider's own tools, hold nothing that was said to the user.
        others = sorted(
            {block.type or "?" for block in answer.content} - {"text", "thinking", "redacted_thinking", "tool_use"}
        )
        if others and not text.strip():
            raise EmptyContentError(f"the answer holds no text, only blocks of type {', '.join(others)[:MAX_SHOWN]}")
        return reply_from(
            completion_of(
                text,
                [block.thinking for block in answer.content if block.type == "thinking" and block.thinking],
                finish=_FINISHES.get(answer.stop_reason or "", answer.stop_reason),
                usage=_usage(answer.usage),
                model=answer.model,
                calls=[
                    CallStated.of(block.id, block.name or "", bytes(block.input).decode())
                    for block in answer.content
                    if block.type == "tool_use"
                ],
            ),
            tags,
        )

    def piece(self, data: bytes) -> Piece:
        """An event of a block that grows; what was read is stated in the first event, what was written in the last but one."""
        event = decoded(_EVENTS, data, "an event of Messages")
        if event.error:
            raise error_inside(data)
        started, delta = event.message or _Answer(), event.delta or _Delta()
        if delta.stop_reason == "refusal":
            raise RefusedError("the model refused (stop_reason refusal)")
        return Piece(
            text=delta.text or "",
            thought=delta.thinking or "",
            finish=_FINISHES.get(delta.stop_reason or "", delta.stop_reason or ""),
            usage=_usage(event.usage or started.usage),
            model=started.model or "",
            ended=event.type == "message_stop",
        )


def _written(said: Sequence[Turn]) -> list[Turn | dict[str, Any]]:
    return [
        _block_turn(turns) if turns[0].role == "tool" or turns[0].tool_calls else turns[0] for turns in grouped(said)
    ]


def _block_turn(turns: list[Turn]) -> dict[str, Any]:
    """Answers of tools as one turn of the user, or an assistant's turn with what it asked them."""
    if turns[0].role == "tool":
        return {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": turn.answers, "content": turn.content} for turn in turns
            ],
        }
    # An empty text is refused.
    text = [{"type": "text", "text": turns[0].content}] if turns[0].content.strip() else []
    calls = [
        {"type": "tool_use", "id": one.id, "name": one.name, "input": arguments_of(one)}
        for one in turns[0].tool_calls or ()
    ]
    return {"role": "assistant", "content": [*text, *calls]}


def _usage(stated: _Usage | None) -> UsageStated | None:
    if stated is None:
        return None
    details = stated.output_tokens_details
    return usage_beside_cache(
        stated.input_tokens,
        stated.output_tokens,
        cached=stated.cache_read_input_tokens,
        kept=stated.cache_creation_input_tokens,
        thoughts=details.thinking_tokens if details else None,
    )
