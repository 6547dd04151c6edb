"""Gemini's generateContent: the model in the address, turns as contents of parts, parameters in a table of their own.

Source: https://ai.google.dev/api/generate-content, version v1beta. Never tried against the service itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import msgspec

from benchbar.clients.codecs.conversion import arguments_of, grouped, renamed, system_apart
from benchbar.clients.protocol import (
    CallStated,
    UsageStated,
    completion_of,
    decoded,
    error_inside,
    reply_from,
)
from benchbar.clients.streaming import Piece
from benchbar.records.errors import ContentFilterError, TruncatedJsonError

if TYPE_CHECKING:
    from benchbar.clients.endpoint import Endpoint
    from benchbar.records import Reply, Turn
    from benchbar.records.protocols import AnswerSchema, Tool

_ROLES = {"user": "user", "assistant": "model"}
_BESIDE = ("safetySettings", "tools", "toolConfig", "cachedContent", "store", "serviceTier")
"""Fields of the body itself; every other parameter is one of ``generationConfig``."""
_NAMES = {
    "max_tokens": "maxOutputTokens",
    "max_completion_tokens": "maxOutputTokens",
    "top_p": "topP",
    "top_k": "topK",
    "stop": "stopSequences",
    "presence_penalty": "presencePenalty",
    "frequency_penalty": "frequencyPenalty",
}
_FINISHES = {"STOP": "stop", "MAX_TOKENS": "length"}
_WITHHELD = frozenset(
    {"SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE", "IMAGE_SAFETY", "MODEL_ARMOR"}
)
"""Reasons that mean a filter: what text there is was cut by it, and must not be scored as the answer."""


class _FunctionCall(msgspec.Struct):
    name: str = ""
    id: str | None = None
    args: msgspec.Raw = msgspec.Raw(b"{}")


class _Part(msgspec.Struct, rename="camel"):
    text: str | None = None
    thought: bool | None = None
    function_call: _FunctionCall | None = None
    thought_signature: str | None = None


class _Content(msgspec.Struct):
    parts: list[_Part] | None = None


class _Candidate(msgspec.Struct):
    content: _Content | None = None
    finish: str | None = msgspec.field(default=None, name="finishReason")


class _Feedback(msgspec.Struct):
    block: str | None = msgspec.field(default=None, name="blockReason")


class _Usage(msgspec.Struct, rename="camel"):
    prompt_token_count: int | None = None
    candidates_token_count: int | None = None
    thoughts_token_count: int | None = None
    tool_use_prompt_token_count: int | None = None
    cached_content_token_count: int | None = None


class _Answer(msgspec.Struct, rename="camel"):
    candidates: list[_Candidate] | None = None
    prompt_feedback: _Feedback | None = None
    usage_metadata: _Usage | None = None
    model_version: str | None = None
    error: Any = None


_DECODER = msgspec.json.Decoder(_Answer, strict=False)


class GeminiCodec:
    """GenerateContent."""

    streams = True

    def url(self, endpoint: Endpoint, *, streamed: bool = False) -> str:
        """An address for each model; tuned ones are named with their collection, ``tunedModels/NAME``."""
        name = endpoint.model if "/" in endpoint.model else f"models/{endpoint.model}"
        base = f"{endpoint.base_url.rstrip('/')}/{quote(name)}"
        return f"{base}:streamGenerateContent?alt=sse" if streamed else f"{base}:generateContent"

    def body(self, endpoint: Endpoint, messages: Sequence[Turn], extra: Mapping[str, Any], *, streamed: bool) -> bytes:  # noqa: ARG002
        """System turns in their field, the assistant's turns as the model's."""
        system, said = system_apart(messages)
        params = renamed((*endpoint.params.items(), *extra.items()), _NAMES, stops="stopSequences")
        names = {call.id: call.name for turn in said for call in turn.tool_calls or ()}
        body: dict[str, Any] = {"contents": [_content(turns, names) for turns in grouped(said)]}
        body |= {"systemInstruction": {"parts": [{"text": text} for text in system]}} if system else {}
        body |= {name: params.pop(name) for name in _BESIDE if name in params}
        return msgspec.json.encode(body | ({"generationConfig": params} if params else {}))

    def schema_fields(
        self, _endpoint: Endpoint, _name: str, document: Mapping[str, Any], _alternatives: int
    ) -> dict[str, Any]:
        """``responseJsonSchema``, which takes JSON Schema as it is; ``responseSchema`` knows a part of OpenAPI alone."""
        return {"responseMimeType": "application/json", "responseJsonSchema": document}

    def tool_fields(self, tools: Sequence[Tool]) -> dict[str, Any]:
        """``functionDeclarations``, with JSON Schema as it is."""
        functions = [
            {"name": one.name, "description": one.description, "parametersJsonSchema": one.parameters} for one in tools
        ]
        return {"tools": [{"functionDeclarations": functions}]}

    def reply(self, body: bytes, _schema: AnswerSchema | None, tags: tuple[str, ...]) -> Reply:
        """The first candidate, its thoughts apart."""
        answer = _answer(body)
        if not answer.candidates:
            raise TruncatedJsonError("an answer of generateContent without candidates")
        first = answer.candidates[0]
        parts = (first.content.parts if first.content else None) or []
        return reply_from(
            completion_of(
                "".join(part.text or "" for part in parts if not part.thought),
                [part.text for part in parts if part.thought and part.text],
                finish=_FINISHES.get(first.finish or "", first.finish),
                usage=_usage(answer.usage_metadata),
                model=answer.model_version,
                calls=[
                    CallStated.of(call.id, call.name, bytes(call.args).decode(), part.thought_signature)
                    for part in parts
                    if (call := part.function_call)
                ],
            ),
            tags,
        )

    def piece(self, data: bytes) -> Piece:
        """An answer like the whole one, with the next parts; only the last one says why it ended."""
        answer = _answer(data)
        first = answer.candidates[0] if answer.candidates else _Candidate()
        parts = (first.content.parts if first.content else None) or []
        return Piece(
            text="".join(part.text or "" for part in parts if not part.thought),
            thought="".join(part.text or "" for part in parts if part.thought),
            finish=_FINISHES.get(first.finish or "", first.finish or ""),
            usage=_usage(answer.usage_metadata),
            model=answer.model_version or "",
        )


def _content(turns: list[Turn], names: Mapping[str, str]) -> dict[str, Any]:
    """A turn, or what several tools answered; ``names`` has the tool of each call, which an answer has to repeat."""
    first = turns[0]
    if first.role == "tool":
        answers = [{"name": names.get(str(turn.answers), ""), "response": {"result": turn.content}} for turn in turns]
        return {"role": "user", "parts": [{"functionResponse": one} for one in answers]}
    calls = [
        {"functionCall": {"name": one.name, "args": arguments_of(one)}}
        | ({"thoughtSignature": one.signature} if one.signature else {})
        for one in first.tool_calls or ()
    ]
    text = [{"text": first.content}] if first.content or not calls else []
    return {"role": _ROLES[first.role], "parts": [*text, *calls]}


def _answer(body: bytes) -> _Answer:
    """What was answered, unless an error or a filter stands in its place."""
    answer = decoded(_DECODER, body, "an answer of generateContent")
    if answer.error:
        raise error_inside(body)
    if answer.prompt_feedback and answer.prompt_feedback.block:
        raise ContentFilterError(f"the provider's filter withheld the request ({answer.prompt_feedback.block[:80]})")
    if answer.candidates and answer.candidates[0].finish in _WITHHELD:
        finish = answer.candidates[0].finish
        raise ContentFilterError(f"the provider's filter withheld the answer (finishReason {finish})")
    return answer


def _usage(stated: _Usage | None) -> UsageStated | None:
    """Thoughts are paid as output and stand beside the candidates' tokens here, not among them."""
    if stated is None:
        return None
    read, written, thought = stated.prompt_token_count, stated.candidates_token_count, stated.thoughts_token_count
    # An answer that is all thoughts states no tokens of candidates.
    known = written is not None or thought is not None
    return UsageStated(
        prompt_tokens=None if read is None else read + (stated.tool_use_prompt_token_count or 0),
        completion_tokens=(written or 0) + (thought or 0) if known else None,
        completion_tokens_details={"reasoning_tokens": thought},
        prompt_tokens_details={"cached_tokens": stated.cached_content_token_count},
    )
