"""What an agent did, for other programs: chat messages with tool calls, and spans of OpenTelemetry's GenAI conventions."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from benchbar import __version__
from benchbar.clients.codecs.chat import as_message
from benchbar.records import encode
from benchbar.scoring.rubrics.trace import tool_failed

if TYPE_CHECKING:
    from benchbar.assistants.agents.work import Answered, Work

FAILED = {"code": "STATUS_CODE_ERROR"}


def as_messages(work: Work, *, sample: str, assistant: str) -> dict[str, Any]:
    """The work as one object of chat messages, in the form in which `benchbar rubric score` and most programs read them."""
    return {
        "sample": sample,
        "assistant": assistant,
        "ended": work.ended,
        "messages": [as_message(turn) for turn in work.turns],
        "files": [{"name": one.name, "sha256": one.sha256, "bytes": len(one.data)} for one in work.files],
    }


def as_spans(work: Work, *, sample: str, assistant: str) -> dict[str, Any]:
    """The work as one request of OTLP in JSON: a span of the agent, and below it one for each call of the model and of a tool.

    Times begin at 0: the ledger keeps how long each call took, and not when it was, so that a run told twice is the same.
    """
    trace = hashlib.sha256(encode([sample, assistant, work.calls])).hexdigest()[:32]
    spans = list(_spans(work, trace))
    root: dict[str, Any] = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": assistant,
        "gen_ai.conversation.id": sample,
        "gen_ai.output.text": work.said,
        "benchbar.ended": work.ended,
    }
    root |= {"benchbar.cost": work.cost} if work.cost is not None else {}
    whole = _span(trace, 0, "", f"invoke_agent {assistant}", root, (0.0, work.seconds))
    scope = {"name": "benchbar", "version": __version__}
    resource = {"attributes": _attributes({"service.name": "benchbar"})}
    return {"resourceSpans": [{"resource": resource, "scopeSpans": [{"scope": scope, "spans": [whole, *spans]}]}]}


def _spans(work: Work, trace: str) -> Iterator[dict[str, Any]]:
    root = _span_id(trace, 0)
    calls = {call.id: call for turn in work.turns for call in turn.tool_calls or ()}
    at = 0.0
    for place, one in enumerate(work.answered, start=1):
        turn = work.turns[one.turn]
        times = (at, at + one.seconds)
        at += one.seconds
        if turn.answers:
            call = calls.get(turn.answers)
            named = {
                "gen_ai.operation.name": "execute_tool",
                "gen_ai.tool.name": call.name if call else "",
                "gen_ai.tool.call.id": turn.answers,
                "gen_ai.tool.call.arguments": call.arguments if call else "",
                "gen_ai.tool.call.result": turn.content,
            }
            failed = tool_failed(turn.content)
            span = _span(trace, place, root, f"execute_tool {named['gen_ai.tool.name']}", named, times)
            yield span | ({"status": FAILED} if failed else {})
        elif one.model:
            yield _span(trace, place, root, f"chat {one.model}", _chat(work, one), times)


def _chat(work: Work, one: Answered) -> dict[str, Any]:
    turn = work.turns[one.turn]
    parts: list[dict[str, Any]] = [{"type": "text", "content": turn.content}] if turn.content else []
    parts += [
        {"type": "tool_call", "id": call.id, "name": call.name, "arguments": call.arguments}
        for call in turn.tool_calls or ()
    ]
    found = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": one.model,
        "gen_ai.usage.input_tokens": one.usage.input_tokens,
        "gen_ai.usage.output_tokens": one.usage.output_tokens,
        "benchbar.cost": one.cost,
        "gen_ai.output.messages": encode([{"role": "assistant", "parts": parts}]).decode(),
    }
    return {name: value for name, value in found.items() if value is not None}


def _span(
    trace: str, place: int, parent: str, name: str, attributes: Mapping[str, Any], times: tuple[float, float]
) -> dict[str, Any]:
    return {
        "traceId": trace,
        "spanId": _span_id(trace, place),
        **({"parentSpanId": parent} if parent else {}),
        "name": name,
        "kind": "SPAN_KIND_INTERNAL" if name.startswith("execute_tool") else "SPAN_KIND_CLIENT",
        "startTimeUnixNano": str(round(times[0] * 1e9)),
        "endTimeUnixNano": str(round(times[1] * 1e9)),
        "attributes": _attributes(attributes),
    }


def _span_id(trace: str, place: int) -> str:
    return hashlib.sha256(f"{trace} {place}".encode()).hexdigest()[:16]


def _attributes(given: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{"key": name, "value": _value(value)} for name, value in given.items()]


def _value(value: str | float) -> dict[str, Any]:
    if isinstance(value, str):
        return {"stringValue": value}
    # 64-bit integers are texts in the JSON of protocol buffers.
    return {"intValue": str(value)} if isinstance(value, int) else {"doubleValue": value}
