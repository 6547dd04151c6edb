"""Bedrock's Converse: the model in the address, the system prompt apart, an answer of blocks with one key each.

Source: the service model of bedrock-runtime, version 2023-09-30, in botocore 1.44. Never tried against the service itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import msgspec

from benchbar.clients.codecs.conversion import arguments_of, grouped, renamed, system_apart
from benchbar.clients.endpoint import below
from benchbar.clients.protocol import CallStated, UsageStated, completion_of, decoded, reply_from, usage_beside_cache
from benchbar.records.errors import ContentFilterError, EmptyContentError, TruncatedJsonError

if TYPE_CHECKING:
    from benchbar.clients.endpoint import Endpoint
    from benchbar.clients.streaming import Piece
    from benchbar.records import Reply, Turn
    from benchbar.records.protocols import AnswerSchema, Tool

_NAMES = {
    "max_tokens": "maxTokens",
    "max_completion_tokens": "maxTokens",
    "top_p": "topP",
    "stop": "stopSequences",
}
_INFERENCE = frozenset({"maxTokens", "temperature", "topP", "stopSequences"})
"""What every model of the service knows."""
_BESIDE = frozenset(
    {"guardrailConfig", "performanceConfig", "serviceTier", "requestMetadata", "outputConfig", "toolConfig"}
    | {"promptVariables", "additionalModelRequestFields", "additionalModelResponseFieldPaths"}
)
"""Fields of the body itself; every other parameter is one that its model alone knows."""
_FINISHES = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
}
_WITHHELD = frozenset({"guardrail_intervened", "content_filtered"})
"""Reasons that mean a filter: the text is the filter's own, or was cut by it."""


class _ReasoningText(msgspec.Struct):
    text: str = ""


class _Reasoning(msgspec.Struct, rename="camel"):
    reasoning_text: _ReasoningText | None = None


class _ToolUse(msgspec.Struct, rename="camel"):
    tool_use_id: str | None = None
    name: str = ""
    input: msgspec.Raw = msgspec.Raw(b"{}")


class _Block(msgspec.Struct, rename="camel"):
    text: str | None = None
    tool_use: _ToolUse | None = None
    reasoning_content: _Reasoning | None = None


class _Message(msgspec.Struct):
    content: list[_Block] | None = None


class _Output(msgspec.Struct):
    message: _Message | None = None


class _Usage(msgspec.Struct, rename="camel"):
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_write_input_tokens: int | None = None


class _Answer(msgspec.Struct, rename="camel"):
    output: _Output | None = None
    stop_reason: str | None = None
    usage: _Usage | None = None


_DECODER = msgspec.json.Decoder(_Answer, strict=False)


class ConverseCodec:
    """Converse."""

    streams = False
    # It streams in a binary form of its own.

    def url(self, endpoint: Endpoint, *, streamed: bool = False) -> str:  # noqa: ARG002
        """An address for each model; of an ARN every sign but letters and digits is quoted, as the service wants it."""
        return below(endpoint.base_url, f"model/{quote(endpoint.model, safe='')}/converse")

    def body(self, endpoint: Endpoint, messages: Sequence[Turn], extra: Mapping[str, Any], *, streamed: bool) -> bytes:  # noqa: ARG002
        """System turns in their field; a parameter that not all models know goes to the model as it is."""
        system, said = system_apart(messages)
        params = renamed((*endpoint.params.items(), *extra.items()), _NAMES, stops="stopSequences")
        body: dict[str, Any] = {"messages": [_message(turns) for turns in grouped(said)]}
        body |= {"system": [{"text": text} for text in system]} if system else {}
        body |= {name: value for name, value in params.items() if name in _BESIDE}
        if inference := {name: value for name, value in params.items() if name in _INFERENCE}:
            body["inferenceConfig"] = inference
        if others := {name: value for name, value in params.items() if name not in _INFERENCE | _BESIDE}:
            body["additionalModelRequestFields"] = {**body.get("additionalModelRequestFields", {}), **others}
        return msgspec.json.encode(body)

    def schema_fields(
        self, endpoint: Endpoint, name: str, document: Mapping[str, Any], _alternatives: int
    ) -> dict[str, Any]:
        """``outputConfig.textFormat``, in which the schema is a text; probabilities are not to be had."""
        own = endpoint.params.get("outputConfig") or {}
        schema = {"schema": msgspec.json.encode(document).decode(), "name": name}
        wanted = {"type": "json_schema", "structure": {"jsonSchema": schema}}
        return {"outputConfig": {**own, "textFormat": wanted}}

    def tool_fields(self, tools: Sequence[Tool]) -> dict[str, Any]:
        """``toolConfig``, each tool with the schema of its input."""
        return {
            "toolConfig": {
                "tools": [
                    {
                        "toolSpec": {
                            "name": one.name,
                            "description": one.description,
                            "inputSchema": {"json": one.parameters},
                        }
                    }
                    for one in tools
                ]
            }
        }

    def reply(self, body: bytes, _schema: AnswerSchema | None, tags: tuple[str, ...]) -> Reply:
        """All blocks of text as one."""
        answer = decoded(_DECODER, body, "an answer of Converse")
        if answer.stop_reason in _WITHHELD:
            raise ContentFilterError(f"the provider's filter withheld the answer (stopReason {answer.stop_reason})")
        blocks = answer.output.message.content if answer.output and answer.output.message else None
        if blocks is None:
            raise TruncatedJsonError("an answer of Converse without content")
        text = "".join(block.text or "" for block in blocks)
        calls = [
            CallStated.of(use.tool_use_id, use.name, bytes(use.input).decode())
            for block in blocks
            if (use := block.tool_use)
        ]
        if (
            not text.strip()
            and not calls
            and answer.stop_reason in {"tool_use", "malformed_model_output", "malformed_tool_use"}
        ):
            raise EmptyContentError(f"the answer holds no text (stopReason {answer.stop_reason})")
        thoughts = [one.reasoning_content.reasoning_text for one in blocks if one.reasoning_content]
        return reply_from(
            completion_of(
                text,
                [one.text for one in thoughts if one and one.text],
                finish=_FINISHES.get(answer.stop_reason or "", answer.stop_reason),
                usage=_usage(answer.usage),
                model=None,
                calls=calls,
            ),
            tags,
        )

    def piece(self, data: bytes) -> Piece:
        """Nothing is asked to stream."""
        raise TruncatedJsonError(f"an answer of Converse does not stream: {data[:80]!r}")


def _message(turns: list[Turn]) -> dict[str, Any]:
    """A turn, or what several tools answered."""
    first = turns[0]
    if first.role == "tool":
        results = [{"toolUseId": turn.answers, "content": [{"text": turn.content}]} for turn in turns]
        return {"role": "user", "content": [{"toolResult": one} for one in results]}
    calls = [
        {"toolUse": {"toolUseId": one.id, "name": one.name, "input": arguments_of(one)}}
        for one in first.tool_calls or ()
    ]
    text = [{"text": first.content}] if first.content or not calls else []
    return {"role": first.role, "content": [*text, *calls]}


def _usage(stated: _Usage | None) -> UsageStated | None:
    if stated is None:
        return None
    return usage_beside_cache(
        stated.input_tokens,
        stated.output_tokens,
        cached=stated.cache_read_input_tokens,
        kept=stated.cache_write_input_tokens,
    )
