"""Tools offered to models in each protocol: what is sent, and what a call of a tool becomes."""

from __future__ import annotations

import json

import pytest
from msgspec import UNSET

from benchbar.clients import Endpoint
from benchbar.clients.codecs import codec_of
from benchbar.records import ToolCall, Turn
from benchbar.records.errors import EmptyContentError
from benchbar.records.protocols import Tool

READ = Tool("read_file", "Read a file.", {"type": "object", "properties": {"path": {"type": "string"}}})
CALLED = (
    Turn(role="user", content="问题"),
    Turn(
        role="assistant",
        content="",
        tool_calls=(
            ToolCall(id="c1", name="read_file", arguments='{"path":"a.txt"}'),
            ToolCall(id="c2", name="read_file", arguments="no object", signature="c2ln"),
        ),
    ),
    Turn(role="tool", content="甲", answers="c1"),
    Turn(role="tool", content="乙", answers="c2"),
)
SENT = {
    "chat": [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "read_file", "arguments": '{"path":"a.txt"}'}},
                {"id": "c2", "type": "function", "function": {"name": "read_file", "arguments": "no object"}},
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "甲"},
        {"role": "tool", "tool_call_id": "c2", "content": "乙"},
    ],
    "anthropic": [
        {
            "role": "assistant",
            "content": [
                {"type": "tool_use", "id": "c1", "name": "read_file", "input": {"path": "a.txt"}},
                {"type": "tool_use", "id": "c2", "name": "read_file", "input": {}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "c1", "content": "甲"},
                {"type": "tool_result", "tool_use_id": "c2", "content": "乙"},
            ],
        },
    ],
    "gemini": [
        {
            "role": "model",
            "parts": [
                {"functionCall": {"name": "read_file", "args": {"path": "a.txt"}}},
                {"functionCall": {"name": "read_file", "args": {}}, "thoughtSignature": "c2ln"},
            ],
        },
        {
            "role": "user",
            "parts": [
                {"functionResponse": {"name": "read_file", "response": {"result": "甲"}}},
                {"functionResponse": {"name": "read_file", "response": {"result": "乙"}}},
            ],
        },
    ],
    "responses": [
        {"type": "function_call", "call_id": "c1", "name": "read_file", "arguments": '{"path":"a.txt"}'},
        {"type": "function_call", "call_id": "c2", "name": "read_file", "arguments": "no object"},
        {"type": "function_call_output", "call_id": "c1", "output": "甲"},
        {"type": "function_call_output", "call_id": "c2", "output": "乙"},
    ],
    "bedrock": [
        {
            "role": "assistant",
            "content": [
                {"toolUse": {"toolUseId": "c1", "name": "read_file", "input": {"path": "a.txt"}}},
                {"toolUse": {"toolUseId": "c2", "name": "read_file", "input": {}}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"toolResult": {"toolUseId": "c1", "content": [{"text": "甲"}]}},
                {"toolResult": {"toolUseId": "c2", "content": [{"text": "乙"}]}},
            ],
        },
    ],
}
_FUNCTION = {"name": "read_file", "arguments": '{"path": "a.txt"}'}
ANSWERED = {
    "chat": {"choices": [{"message": {"content": None, "tool_calls": [{"id": "t", "function": _FUNCTION}]}}]},
    "anthropic": {
        "content": [{"type": "tool_use", "id": "t", "name": "read_file", "input": {"path": "a.txt"}}],
        "stop_reason": "tool_use",
    },
    "gemini": {
        "candidates": [
            {
                "content": {
                    "parts": [
                        {"functionCall": {"name": "read_file", "args": {"path": "a.txt"}}, "thoughtSignature": "c2ln"}
                    ]
                }
            }
        ]
    },
    "responses": {"output": [{"type": "function_call", "call_id": "t", **_FUNCTION}], "status": "completed"},
    "bedrock": {
        "output": {"message": {"content": [{"toolUse": {"toolUseId": "t", "name": "read_file", "input": {"path": "a.txt"}}}]}},
        "stopReason": "tool_use",
    },
}  # fmt: skip
EACH = pytest.mark.parametrize("protocol", list(SENT))


def endpoint(protocol):
    return Endpoint(model="m", protocol=protocol, base_url="http://127.0.0.1:1/v1")


@EACH
def test_calls_and_answers_are_sent_in_the_words_of_the_protocol(protocol):
    """A turn of calls and the answers of tools stand where the provider's documentation has them; plain turns are as ever."""
    codec = codec_of(endpoint(protocol))
    body = json.loads(codec.body(endpoint(protocol), CALLED, codec.tool_fields([READ]), streamed=False))
    said = body.get("messages") or body.get("contents") or body.get("input")
    assert said[1:] == SENT[protocol]
    assert "read_file" in json.dumps(body.get("tools") or body["toolConfig"])


@EACH
def test_a_call_is_read_with_its_arguments(protocol):
    """Whatever the protocol, a call has an id, a name and its arguments as JSON; no text is needed beside it."""
    reply = codec_of(endpoint(protocol)).reply(json.dumps(ANSWERED[protocol]).encode(), None, ())
    (call,) = reply.tool_calls
    assert (call.name, json.loads(call.arguments)) == ("read_file", {"path": "a.txt"})
    assert call.id == ("call-1" if protocol == "gemini" else "t")
    assert call.signature == ("c2ln" if protocol == "gemini" else UNSET)


def test_an_answer_without_text_or_calls_stays_empty():
    """An empty list of calls is no answer."""
    with pytest.raises(EmptyContentError):
        codec_of(endpoint("chat")).reply(b'{"choices": [{"message": {"content": "", "tool_calls": []}}]}', None, ())
