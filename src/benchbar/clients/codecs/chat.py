"""OpenAI's chat completions, which most servers speak, Azure's resources among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from benchbar.clients.endpoint import below
from benchbar.clients.protocol import UsageStated, decoded, error_inside, read_completion
from benchbar.clients.streaming import Piece

if TYPE_CHECKING:
    from benchbar.clients.endpoint import Endpoint
    from benchbar.records import Reply, Turn
    from benchbar.records.protocols import AnswerSchema, Tool

_STREAMED = {"stream": True, "stream_options": {"include_usage": True}}


class _Delta(msgspec.Struct):
    content: str | None = None
    refusal: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None


class _Choice(msgspec.Struct):
    delta: _Delta = msgspec.field(default_factory=_Delta)
    finish_reason: str | None = None


class _Chunk(msgspec.Struct):
    choices: list[_Choice] = []
    usage: UsageStated | None = None
    model: str | None = None
    error: object = None


_DECODER = msgspec.json.Decoder(_Chunk, strict=False)


class ChatCodec:
    """Chat completions."""

    streams = True

    def url(self, endpoint: Endpoint, *, streamed: bool = False) -> str:  # noqa: ARG002
        """One address for all models."""
        return below(endpoint.base_url, "chat/completions")

    def body(self, endpoint: Endpoint, messages: Sequence[Turn], extra: Mapping[str, Any], *, streamed: bool) -> bytes:
        """Turns and parameters as they are."""
        body: dict[str, Any] = {"model": endpoint.model, "messages": _written(messages), **endpoint.params, **extra}
        if streamed:
            body |= _STREAMED
        return msgspec.json.encode(body)

    def schema_fields(
        self, _endpoint: Endpoint, name: str, document: Mapping[str, Any], alternatives: int
    ) -> dict[str, Any]:
        """``response_format``, and ``logprobs`` where alternatives are wanted."""
        wanted = {"name": name, "strict": True, "schema": document}
        fields: dict[str, Any] = {"response_format": {"type": "json_schema", "json_schema": wanted}}
        return fields | ({"logprobs": True, "top_logprobs": alternatives} if alternatives else {})

    def tool_fields(self, tools: Sequence[Tool]) -> dict[str, Any]:
        """``tools``, each a function."""
        functions = [{"name": one.name, "description": one.description, "parameters": one.parameters} for one in tools]
        return {"tools": [{"type": "function", "function": one} for one in functions]}

    def reply(self, body: bytes, schema: AnswerSchema | None, tags: tuple[str, ...]) -> Reply:
        """The first choice."""
        return read_completion(body, schema, tags)

    def piece(self, data: bytes) -> Piece:
        """A delta of the first choice; usage comes in a last event without choices."""
        if data == b"[DONE]":
            return Piece(ended=True)
        chunk = decoded(_DECODER, data, "a complete chunk of a chat completion")
        if chunk.error:
            raise error_inside(data)
        first = chunk.choices[0] if chunk.choices else _Choice()
        return Piece(
            text=first.delta.content or "",
            thought=first.delta.reasoning_content or first.delta.reasoning or "",
            refusal=first.delta.refusal or "",
            finish=first.finish_reason or "",
            usage=chunk.usage,
            model=chunk.model or "",
        )


def _written(messages: Sequence[Turn]) -> list[Turn | dict[str, Any]]:
    """Turns as they are, but for those of tools and to tools."""
    return [_of_tools(turn) if turn.tool_calls or turn.answers else turn for turn in messages]


def _of_tools(turn: Turn) -> dict[str, Any]:
    message = as_message(turn)
    # Beside calls some servers refuse an empty text.
    return message if turn.answers or turn.content else message | {"content": None}


def as_message(turn: Turn) -> dict[str, Any]:
    """A turn as a message of chat completions, with the calls that it makes or the call that it answers."""
    if turn.answers:
        return {"role": "tool", "tool_call_id": turn.answers, "content": turn.content}
    calls = [
        {"id": one.id, "type": "function", "function": {"name": one.name, "arguments": one.arguments}}
        for one in turn.tool_calls or ()
    ]
    return {"role": turn.role, "content": turn.content} | ({"tool_calls": calls} if calls else {})
