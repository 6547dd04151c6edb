"""Calls as spans, against a receiver that speaks OTLP over HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler

import pytest

pytest.importorskip("opentelemetry.sdk", reason="OpenTelemetry is not installed: pip install 'benchbar[otel]'")

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.trace.v1.trace_pb2 import Span as SpanMessage
from opentelemetry.proto.trace.v1.trace_pb2 import Status

from benchbar.clients import ChatModel, Client, Endpoint
from benchbar.ledger import SCOPE, Ledger, Scope
from benchbar.records import Turn
from benchbar.records.errors import UnknownModelError
from support.threaded_server import Quiet, ThreadedServer


class Receiver:
    """What an OTLP receiver at an address of its own was sent."""

    def __init__(self, port: int) -> None:
        self.url, self.resources, self.spans = f"http://127.0.0.1:{port}", [], []

    def take(self, body: bytes) -> None:
        for part in ExportTraceServiceRequest.FromString(body).resource_spans:
            self.resources.append({one.key: one.value.string_value for one in part.resource.attributes})
            self.spans += [span for scope in part.scope_spans for span in scope.spans]

    def attributes(self) -> list[dict[str, object]]:
        return [{one.key: value(one.value) for one in span.attributes} for span in self.spans]


def value(found) -> object:
    kind = found.WhichOneof("value")
    return [value(one) for one in found.array_value.values] if kind == "array_value" else getattr(found, kind)


@pytest.fixture
def receiver(monkeypatch) -> Iterator[Receiver]:
    """A receiver, and the variable that sends spans to it."""

    class Handler(Quiet, BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            assert (self.path, self.headers["Content-Type"]) == ("/v1/traces", "application/x-protobuf")
            assert self.headers.get("Content-Encoding") in {None, "identity"}
            found.take(body)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(ExportTraceServiceResponse().SerializeToString())

    with closing(ThreadedServer(Handler)) as server:
        found = Receiver(server.port)
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", found.url)
        yield found


async def asked(server, tmp_path, *, model: str = "weak-a", times: int = 1) -> None:
    """A question about a sample, put to a model, the same one so many times."""
    ledger = Ledger(tmp_path / "ledger.sqlite")
    client = Client(ledger)
    endpoint = Endpoint(model=model, base_url=server.base_url, params={"temperature": 0.2, "max_tokens": 50})
    SCOPE.set(Scope("3-1-001"))
    try:
        for _ in range(times):
            await ChatModel(endpoint, client).ask(
                [Turn(role="user", content="租金秘密问题")], role="assistant", repeat=2
            )
    finally:
        SCOPE.set(None)
        await client.close()
        ledger.close()


async def test_each_call_that_is_sent_is_one_span_of_the_genai_conventions(receiver, chat_server, tmp_path):
    """Name, kind, model, settings, address, tokens; nothing of what was said; none for what comes from the ledger."""
    await asked(chat_server, tmp_path, times=3)
    assert [(span.name, span.kind) for span in receiver.spans] == [("chat weak-a", SpanMessage.SPAN_KIND_CLIENT)]
    assert receiver.resources[0]["service.name"] == "benchbar"
    found = receiver.attributes()[0]
    stats = chat_server.stats()
    expected = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "weak-a",
        "gen_ai.request.temperature": 0.2,
        "gen_ai.request.max_tokens": 50,
        "server.address": "127.0.0.1",
        "server.port": int(chat_server.url.rpartition(":")[2]),
        "gen_ai.usage.input_tokens": stats["prompt_tokens"],
        "gen_ai.usage.output_tokens": stats["completion_tokens"],
        "benchbar.role": "assistant",
        "benchbar.sample": "3-1-001",
        "benchbar.repeat": 2,
        "benchbar.tries": 1,
    }
    assert {name: found[name] for name in expected} == expected
    assert not any("messages" in name for name in found)
    assert "秘密".encode() not in b"".join(span.SerializeToString() for span in receiver.spans)
    assert receiver.spans[0].end_time_unix_nano > receiver.spans[0].start_time_unix_nano


@pytest.mark.parametrize("opted", ["true", "SPAN_ONLY"])
async def test_what_was_said_is_in_a_span_only_where_the_user_opted_for_it(
    receiver, chat_server, tmp_path, monkeypatch, opted
):
    """In the conventions' form of messages with parts."""
    monkeypatch.setenv("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", opted)
    await asked(chat_server, tmp_path)
    found = receiver.attributes()[0]
    question = [{"role": "user", "parts": [{"type": "text", "content": "租金秘密问题"}]}]
    assert json.loads(found["gen_ai.input.messages"]) == question
    answer = json.loads(found["gen_ai.output.messages"])[0]
    assert (answer["role"], bool(answer["parts"][0]["content"])) == ("assistant", True)


async def test_a_call_that_fails_is_a_span_with_the_slug_of_its_error(receiver, chat_server, tmp_path):
    """Status and error.type, without the endpoint's message, which may quote the prompt."""
    with pytest.raises(UnknownModelError):
        await asked(chat_server, tmp_path, model="unknown")
    assert [span.status.code for span in receiver.spans] == [Status.STATUS_CODE_ERROR]
    assert receiver.attributes()[0]["error.type"] == "unknown-model"
    assert not receiver.spans[0].events
    assert not receiver.spans[0].status.message


async def test_no_endpoint_no_spans(receiver, chat_server, tmp_path, monkeypatch):
    """Without the variable, or with the switch that turns it off, nothing is sent."""
    monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
    await asked(chat_server, tmp_path)
    monkeypatch.delenv("OTEL_SDK_DISABLED")
    monkeypatch.delenv("OTEL_EXPORTER_OTLP_ENDPOINT")
    await asked(chat_server, tmp_path / "2")
    assert receiver.spans == []
