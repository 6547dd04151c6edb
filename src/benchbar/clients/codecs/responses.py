"""OpenAI's Responses: turns as input, a bound and a form under names of their own, an answer of typed items.

Source: the types of OpenAI's Python SDK 3.54. Never tried against the service itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from benchbar.clients.codecs.conversion import renamed
from benchbar.clients.endpoint import below
from benchbar.clients.protocol import CallStated, UsageStated, completion_of, decoded, error_inside, reply_from
from benchbar.clients.schemas import probabilities
from benchbar.clients.streaming import Piece
from benchbar.records import Turn
from benchbar.records.errors import EmptyContentError, TruncatedJsonError

if TYPE_CHECKING:
    from benchbar.clients.endpoint import Endpoint
    from benchbar.records import Reply
    from benchbar.records.protocols import AnswerSchema, Tool

_NAMES = {"max_tokens": "max_output_tokens", "max_completion_tokens": "max_output_tokens"}
_FINISHES = {"max_output_tokens": "length"}


class _Part(msgspec.Struct):
    type: str = ""
    text: str = ""
    refusal: str = ""
    # Raw: it is long, and read only where a caller wants it.
    logprobs: msgspec.Raw = msgspec.Raw()


class _Item(msgspec.Struct):
    type: str = ""
    phase: str | None = None
    content: list[_Part] | None = None
    summary: list[_Part] | None = None
    call_id: str | None = None
    name: str = ""
    arguments: str | None = None


class _Details(msgspec.Struct):
    reason: str | None = None


class _Usage(msgspec.Struct):
    input_tokens: int | None = None
    output_tokens: int | None = None
    input_tokens_details: Any = None
    output_tokens_details: Any = None


class _Answer(msgspec.Struct):
    output: list[_Item] | None = None
    status: str = ""
    incomplete_details: _Details | None = None
    usage: _Usage | None = None
    model: str | None = None
    error: Any = None


class _Event(msgspec.Struct):
    type: str = ""
    delta: Any = None
    response: _Answer | None = None
    error: Any = None


_DECODER = msgspec.json.Decoder(_Answer, strict=False)
_EVENTS = msgspec.json.Decoder(_Event, strict=False)


class ResponsesCodec:
    """Responses."""

    streams = True

    def url(self, endpoint: Endpoint, *, streamed: bool = False) -> str:  # noqa: ARG002
        """One address for all models."""
        return below(endpoint.base_url, "responses")

    def body(self, endpoint: Endpoint, messages: Sequence[Turn], extra: Mapping[str, Any], *, streamed: bool) -> bytes:
        """Turns as they are; the provider keeps nothing of them unless the user says ``store = true``."""
        params = renamed(endpoint.params.items(), _NAMES)
        if effort := params.pop("reasoning_effort", None):
            params["reasoning"] = {"effort": effort, **(params.get("reasoning") or {})}
        body: dict[str, Any] = {"model": endpoint.model, "input": _written(messages), "store": False, **params, **extra}
        return msgspec.json.encode(body | ({"stream": True} if streamed else {}))

    def schema_fields(
        self, endpoint: Endpoint, name: str, document: Mapping[str, Any], alternatives: int
    ) -> dict[str, Any]:
        """``text.format``, beside what the user has in ``text``, and the logarithms where alternatives are wanted."""
        own = endpoint.params.get("text") or {}
        wanted = {"type": "json_schema", "name": name, "strict": True, "schema": document}
        fields: dict[str, Any] = {"text": {**own, "format": wanted}}
        if not alternatives:
            return fields
        included = [*(endpoint.params.get("include") or []), "message.output_text.logprobs"]
        return fields | {"include": included, "top_logprobs": alternatives}

    def tool_fields(self, tools: Sequence[Tool]) -> dict[str, Any]:
        """``tools``, each a function."""
        return {
            "tools": [
                {"type": "function", "name": one.name, "description": one.description, "parameters": one.parameters}
                for one in tools
            ]
        }

    def reply(self, body: bytes, schema: AnswerSchema | None, tags: tuple[str, ...]) -> Reply:
        """All texts of the answer as one; what the model remarked on its way to it counts as thoughts."""
        answer = decoded(_DECODER, body, "an answer of Responses")
        if answer.error or answer.status == "failed":
            raise error_inside(body)
        if answer.output is None:
            raise TruncatedJsonError("an answer of Responses without output")
        parts = [part for item in answer.output if _is_answer(item) for part in item.content or []]
        text = "".join(part.text for part in parts if part.type == "output_text")
        refusal = "".join(part.refusal for part in parts if part.type == "refusal")
        others = sorted({item.type or "?" for item in answer.output} - {"message", "reasoning", "function_call"})
        if others and not text.strip() and not refusal:
            raise EmptyContentError(f"the answer holds no text, only items of type {', '.join(others)[:300]}")
        reply = reply_from(
            completion_of(
                text,
                [part.text for item in answer.output for part in _thoughts(item) if part.text],
                refusal=refusal,
                finish=_finish(answer),
                usage=_usage(answer.usage),
                model=answer.model,
                calls=[
                    CallStated.of(item.call_id, item.name, item.arguments or "{}")
                    for item in answer.output
                    if item.type == "function_call"
                ],
            ),
            tags,
        )
        if schema is None or not schema.choices:
            return reply
        # The form of chat completions, which the reader of probabilities knows.
        stated = next((part.logprobs for part in parts if part.type == "output_text" and bytes(part.logprobs)), None)
        tokens = msgspec.Raw(b'{"content": %b}' % bytes(stated)) if stated else msgspec.Raw(b"{}")
        return msgspec.structs.replace(reply, probabilities=probabilities(tokens, schema))

    def piece(self, data: bytes) -> Piece:
        """A delta of the text, of a refusal or of thoughts; the last event holds the whole answer and its usage."""
        event = decoded(_EVENTS, data, "an event of Responses")
        if event.type in {"error", "response.failed"} or event.error:
            raise error_inside(data)
        delta = event.delta if isinstance(event.delta, str) else ""
        whole = event.response or _Answer()
        return Piece(
            text=delta if event.type == "response.output_text.delta" else "",
            refusal=delta if event.type == "response.refusal.delta" else "",
            thought=delta if event.type in _THOUGHT_DELTAS else "",
            finish=_finish(whole) if event.type in _ENDS else "",
            usage=_usage(whole.usage) if event.type in _ENDS else None,
            model=whole.model or "",
            ended=event.type in _ENDS,
        )


_THOUGHT_DELTAS = frozenset({"response.reasoning_summary_text.delta", "response.reasoning_text.delta"})
_ENDS = frozenset({"response.completed", "response.incomplete"})


def _written(messages: Sequence[Turn]) -> list[Turn | dict[str, Any]]:
    """Turns as they are; calls and what tools answered are items beside them."""
    found: list[Turn | dict[str, Any]] = []
    for turn in messages:
        if turn.answers:
            found.append({"type": "function_call_output", "call_id": turn.answers, "output": turn.content})
        elif turn.tool_calls:
            found += [Turn(role="assistant", content=turn.content)] if turn.content else []
            found += [
                {"type": "function_call", "call_id": one.id, "name": one.name, "arguments": one.arguments}
                for one in turn.tool_calls
            ]
        else:
            found.append(turn)
    return found


def _is_answer(item: _Item) -> bool:
    return item.type == "message" and item.phase != "commentary"


def _thoughts(item: _Item) -> list[_Part]:
    if item.type == "reasoning":
        return item.summary or item.content or []
    return [] if item.type != "message" or _is_answer(item) else item.content or []


def _finish(answer: _Answer) -> str:
    reason = (answer.incomplete_details.reason if answer.incomplete_details else None) or ""
    return _FINISHES.get(reason, reason) or ("stop" if answer.status == "completed" else answer.status)


def _usage(stated: _Usage | None) -> UsageStated | None:
    if stated is None:
        return None
    return UsageStated(
        prompt_tokens=stated.input_tokens,
        completion_tokens=stated.output_tokens,
        completion_tokens_details=stated.output_tokens_details,
        prompt_tokens_details=stated.input_tokens_details,
    )
