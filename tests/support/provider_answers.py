"""Protocols of providers as the test server speaks them: strict about requests, as the services are.

Written from the providers' documentation and the types of their SDKs; tests let these SDKs talk to it where they are installed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from support.http_server import Request, Response, as_json

KEY = "k-4711"
"""The key that both accept."""
_MESSAGES_FIELDS = {"model", "messages", "max_tokens", "system", "temperature", "top_p", "top_k", "stop_sequences"} | {
    "thinking",
    "output_config",
    "metadata",
    "stream",
}
_GEMINI_FIELDS = {"contents", "systemInstruction", "generationConfig", "safetySettings", "tools", "toolConfig"}
_CONFIG_FIELDS = {"temperature", "topP", "topK", "maxOutputTokens", "stopSequences", "seed", "candidateCount"} | {
    "responseMimeType",
    "responseJsonSchema",
    "thinkingConfig",
}


@dataclass(frozen=True)
class Asked:
    """A request that was understood."""

    model: str
    messages: list[dict[str, str]]
    schema: dict[str, Any] | None
    streamed: bool = False


@dataclass(frozen=True)
class Provider:
    """One protocol of the server."""

    read: Callable[[Request], Asked | Response]
    written: Callable[[str, str, int], dict[str, Any]]
    hostile: Mapping[str, Response]
    """Models that answer in one way for ever."""
    events: Callable[[dict[str, Any]], list[dict[str, Any]]] | None = None
    """A whole answer as the events of a stream; None where the protocol streams in another form."""


def _pieces(text: str) -> list[str]:
    return [text[at : at + 5] for at in range(0, len(text), 5)]


def messages_error(status: int, kind: str, message: str) -> Response:
    return as_json({"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}, status)


def read_messages(request: Request) -> Asked | Response:
    # The documentation says x-api-key, which the codec sends; the SDK sends the other one since its version 2.
    if KEY not in (request.headers.get("x-api-key"), request.headers.get("authorization", "").removeprefix("Bearer ")):
        return messages_error(401, "authentication_error", "invalid x-api-key")
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", request.headers.get("anthropic-version", "")):
        return messages_error(400, "invalid_request_error", "anthropic-version: header is required")
    asked = request.json()
    if extra := set(asked) - _MESSAGES_FIELDS:
        return messages_error(400, "invalid_request_error", f"{min(extra)}: Extra inputs are not permitted")
    if not isinstance(asked.get("max_tokens"), int):
        return messages_error(400, "invalid_request_error", "max_tokens: Field required")
    turns = asked.get("messages")
    if not turns or any(turn["role"] not in {"user", "assistant"} for turn in turns):
        return messages_error(400, "invalid_request_error", "messages: at least one message of user or assistant")
    said = [{"role": turn["role"], "content": _text(turn["content"])} for turn in turns]
    system = [{"role": "system", "content": _text(asked["system"])}] if "system" in asked else []
    wanted = (asked.get("output_config") or {}).get("format")
    return Asked(asked["model"], system + said, wanted["schema"] if wanted else None, bool(asked.get("stream")))


def messages_events(whole: dict[str, Any]) -> list[dict[str, Any]]:
    """Usage in two parts, a ping, and blocks that grow."""
    usage = whole["usage"]
    began = {**whole, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": began}, {"type": "ping"}]
    for index, block in enumerate(whole["content"]):
        kind = "thinking" if block["type"] == "thinking" else "text"
        events.append({"type": "content_block_start", "index": index, "content_block": {**block, kind: ""}})
        deltas = [{"type": f"{kind}_delta", kind: piece} for piece in _pieces(block[kind])]
        events += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        events.append({"type": "content_block_stop", "index": index})
    written = {key: usage[key] for key in ("output_tokens", "output_tokens_details") if key in usage}
    ended = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    return [*events, {"type": "message_delta", "delta": ended, "usage": written}, {"type": "message_stop"}]


def _text(content: object) -> str:
    return content if isinstance(content, str) else "".join(block["text"] for block in content)


def written_messages(model: str, said: str, prompt: int) -> dict[str, Any]:
    thoughts = [{"type": "thinking", "thinking": "危险驾驶罪？", "signature": "c2ln"}] if "thinks" in model else []
    details = {"output_tokens_details": {"thinking_tokens": 30}} if thoughts else {}
    usage = {"input_tokens": prompt, "cache_read_input_tokens": 5, "cache_creation_input_tokens": 2}
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": f"{model}-served",
        "content": [*thoughts, {"type": "text", "text": said}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {**usage, "output_tokens": len(said) + 30 * bool(thoughts), **details},
    }


def _message(content: object, reason: str) -> Response:
    return as_json({**written_messages("m", "", 3), "content": content, "stop_reason": reason})


_TEXT = {"type": "text", "text": "一个回答"}
WEB_PAGE = Response(b"<!DOCTYPE html><html><head><title>Sign in</title></head></html>", content_type="text/html")
LONG = Response(b'{"content": "' + b"a" * (17 << 20) + b'"}')
DEEP = Response(b'{"content": ' + b"[" * 100_000)
MESSAGES = Provider(
    read_messages,
    written_messages,
    {
        "no-blocks": _message([], "end_turn"),
        "null-content": _message(None, "end_turn"),
        "unknown-blocks": _message([{"type": "hologram", "data": [1]}], "end_turn"),
        "only-tools": _message([{"type": "tool_use", "id": "t", "name": "f", "input": {}}], "tool_use"),
        "unknown-beside": _message([{"type": "hologram"}, _TEXT], "end_turn"),
        "refuses": _message([], "refusal"),
        "refuses-late": _message([_TEXT], "refusal"),
        "cut": _message([_TEXT], "max_tokens"),
        "cut-empty": _message([], "max_tokens"),
        "content-is-text": as_json({"content": "text", "stop_reason": "end_turn"}),
        "block-is-number": _message([7], "end_turn"),
        "not-json": Response(b"not json"),
        "truncated": Response(json.dumps(written_messages("m", "一个回答", 3)).encode()[:80]),
        "empty-body": Response(),
        "web-page": WEB_PAGE,
        "16-mb": LONG,
        "deep": DEEP,
        "overloaded": messages_error(529, "overloaded_error", "Overloaded"),
        "overloaded-in-200": messages_error(200, "overloaded_error", "Overloaded"),
        "limited": messages_error(429, "rate_limit_error", "This request would exceed your rate limit"),
        "unknown": messages_error(404, "not_found_error", "model: unknown"),
        "too-long": messages_error(400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
        "too-large": messages_error(413, "request_too_large", "Request exceeds the maximum size"),
        "filtered": messages_error(400, "invalid_request_error", "Output blocked by content filtering policy"),
        "bad-request": messages_error(400, "invalid_request_error", "temperature: range 0..1"),
        "forbidden": messages_error(403, "permission_error", "not allowed"),
    },
    messages_events,
)


def gemini_error(status: int, kind: str, message: str) -> Response:
    return as_json({"error": {"code": status, "message": message, "status": kind}}, status)


def read_gemini(request: Request) -> Asked | Response:
    if request.headers.get("x-goog-api-key") != KEY or "key=" in request.path:
        return gemini_error(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.")
    asked = request.json()
    config = asked.get("generationConfig") or {}
    if extra := (set(asked) - _GEMINI_FIELDS) | (set(config) - _CONFIG_FIELDS):
        return gemini_error(400, "INVALID_ARGUMENT", f'Unknown name "{min(extra)}": Cannot find field.')
    contents = asked.get("contents")
    if not contents or any(content.get("role", "user") not in {"user", "model"} for content in contents):
        return gemini_error(400, "INVALID_ARGUMENT", "Please use a valid role: user, model.")
    roles = {"user": "user", "model": "assistant"}
    said = [{"role": roles[one.get("role", "user")], "content": _parts(one)} for one in contents]
    instruction = asked.get("systemInstruction")
    system = [{"role": "system", "content": _parts(instruction)}] if instruction else []
    model = unquote(request.path.rpartition("/")[2].partition(":")[0])
    return Asked(model, system + said, config.get("responseJsonSchema"), ":streamGenerateContent?" in request.path)


def gemini_events(whole: dict[str, Any]) -> list[dict[str, Any]]:
    """Answers like the whole one; only the last one says why it ended."""
    model = {"modelVersion": whole["modelVersion"], "responseId": whole["responseId"]}
    parts = [
        {**part, "text": piece}
        for part in whole["candidates"][0]["content"]["parts"]
        for piece in _pieces(part["text"])
    ]
    chunks = [{"candidates": [{"content": {"role": "model", "parts": [part]}, "index": 0}], **model} for part in parts]
    chunks[-1]["candidates"][0]["finishReason"] = "STOP"
    chunks[-1]["usageMetadata"] = whole["usageMetadata"]
    return chunks


def _parts(content: Mapping[str, Any]) -> str:
    return "".join(part["text"] for part in content["parts"])


def written_gemini(model: str, said: str, prompt: int) -> dict[str, Any]:
    thoughts = [{"text": "危险驾驶罪？", "thought": True}] if "thinks" in model else []
    usage = {"promptTokenCount": prompt, "candidatesTokenCount": len(said), "cachedContentTokenCount": 1}
    usage |= {"thoughtsTokenCount": 30} if thoughts else {}
    return {
        "candidates": [
            {"content": {"role": "model", "parts": [*thoughts, {"text": said}]}, "finishReason": "STOP", "index": 0}
        ],
        "usageMetadata": {**usage, "totalTokenCount": sum(usage.values())},
        "modelVersion": f"{model}-served",
        "responseId": "r1",
    }


def _candidate(parts: object, reason: str) -> Response:
    return as_json({"candidates": [{"content": {"parts": parts, "role": "model"}, "finishReason": reason}]})


GEMINI = Provider(
    read_gemini,
    written_gemini,
    {
        "no-candidates": as_json({"candidates": [], "usageMetadata": {}}),
        "no-content": as_json({"candidates": [{"finishReason": "STOP"}]}),
        "no-parts": _candidate([], "STOP"),
        "unknown-parts": _candidate([{"hologram": {"data": [1]}}], "STOP"),
        "unknown-beside": _candidate([{"hologram": 1}, {"text": "一个回答"}], "STOP"),
        "only-thoughts": _candidate([{"text": "嗯", "thought": True}], "MAX_TOKENS"),
        "blocked": as_json({"promptFeedback": {"blockReason": "SAFETY"}}),
        "safety": as_json({"candidates": [{"finishReason": "SAFETY"}]}),
        "safety-late": _candidate([{"text": "一个回"}], "SAFETY"),
        "recited": _candidate([{"text": "一个回"}], "RECITATION"),
        "cut": _candidate([{"text": "一个回答"}], "MAX_TOKENS"),
        "cut-empty": as_json({"candidates": [{"content": {"role": "model"}, "finishReason": "MAX_TOKENS"}]}),
        "candidates-is-text": as_json({"candidates": "text"}),
        "not-json": Response(b"not json"),
        "truncated": Response(json.dumps(written_gemini("m", "一个回答", 3)).encode()[:80]),
        "empty-body": Response(),
        "web-page": WEB_PAGE,
        "16-mb": LONG,
        "deep": DEEP,
        "overloaded": gemini_error(503, "UNAVAILABLE", "The model is overloaded."),
        "overloaded-in-200": as_json({"error": {"code": 503, "status": "UNAVAILABLE", "message": "overloaded"}}),
        "limited": gemini_error(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota"),
        "unknown": gemini_error(404, "NOT_FOUND", "models/unknown is not found for API version v1beta"),
        "too-long": gemini_error(
            400,
            "INVALID_ARGUMENT",
            "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
        ),
        "bad-request": gemini_error(400, "INVALID_ARGUMENT", "temperature must be in the range [0.0, 2.0]"),
        "forbidden": gemini_error(403, "PERMISSION_DENIED", "Method doesn't allow unregistered callers"),
    },
    gemini_events,
)
