"""Spans of calls to models, in the GenAI semantic conventions of OpenTelemetry, where an OTLP endpoint is configured."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from benchbar import __version__
from benchbar.clients.endpoint import Endpoint
from benchbar.clients.providers import PROVIDERS
from benchbar.ledger import CallRequest, CallResult

if TYPE_CHECKING:
    from opentelemetry.trace import Span

ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
CONTENT = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
_WITH_CONTENT = frozenset({"true", "span_only", "span_and_event"})
_REQUEST = ("temperature", "top_p", "top_k", "seed", "frequency_penalty", "presence_penalty")
_PORTS = {"http": 80, "https": 443}


class Spans:
    """One span for each call that is sent, its tries included; what comes from the ledger has none."""

    def __init__(self, provider: Any, *, content: bool) -> None:
        """Spans go to ``provider``; with ``content`` they hold what was said, else nothing of it."""
        self._provider, self._content = provider, content
        self._tracer = provider.get_tracer("benchbar", __version__)

    @classmethod
    def from_environment(cls) -> Spans | None:
        """What the variables of OpenTelemetry ask for; None where they name no endpoint, or switch it off."""
        if not any(os.environ.get(name) for name in ENDPOINTS) or _says_yes("OTEL_SDK_DISABLED"):
            return None
        try:
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
            from opentelemetry.sdk.resources import Resource
            from opentelemetry.sdk.trace import TracerProvider
            from opentelemetry.sdk.trace.export import BatchSpanProcessor
        except ImportError:
            # The variables may be there for other programs: no reason to refuse a run.
            logging.getLogger(__name__).warning(
                "an OTLP endpoint is set, but no spans are sent: install with `pip install 'benchbar[otel]'`"
            )
            return None
        named = os.environ.get("OTEL_SERVICE_NAME") or "service.name=" in os.environ.get("OTEL_RESOURCE_ATTRIBUTES", "")
        provider = TracerProvider(
            resource=Resource.create({} if named else {"service.name": "benchbar"}), shutdown_on_exit=False
        )
        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        return cls(provider, content=os.environ.get(CONTENT, "").strip().lower() in _WITH_CONTENT)

    @contextmanager
    def call(self, endpoint: Endpoint, request: CallRequest) -> Iterator[Span]:
        """A span while the block lasts."""
        from opentelemetry.trace import SpanKind

        name = f"chat {endpoint.model}"
        attributes = _asked(endpoint, request)
        if self._content:
            attributes["gen_ai.input.messages"] = _messages(request)
        with self._tracer.start_as_current_span(
            name, kind=SpanKind.CLIENT, attributes=attributes, record_exception=False
        ) as span:
            yield span

    def ended(self, span: Span, result: CallResult) -> None:
        """Say in the span how the call ended."""
        from opentelemetry.trace import StatusCode

        span.set_attribute("benchbar.tries", result.tries)
        if result.reply is None:
            # The slug alone: an endpoint's message may quote what was said.
            span.set_attribute("error.type", result.error)
            span.set_status(StatusCode.ERROR)
            return
        reply = result.reply
        found = {
            "gen_ai.response.model": reply.model or None,
            "gen_ai.response.finish_reasons": (reply.finish,) if reply.finish else None,
            "gen_ai.usage.input_tokens": reply.usage.input_tokens,
            "gen_ai.usage.output_tokens": reply.usage.output_tokens,
            "benchbar.cost": reply.cost,
        }
        span.set_attributes({name: value for name, value in found.items() if value is not None})
        if self._content:
            parts = [{"type": "text", "content": reply.content}]
            said = {"role": "assistant", "parts": parts, "finish_reason": reply.finish}
            span.set_attribute("gen_ai.output.messages", msgspec.json.encode([said]).decode())

    def close(self) -> None:
        """Send what is left."""
        self._provider.shutdown()


def _asked(endpoint: Endpoint, request: CallRequest) -> dict[str, Any]:
    """The attributes that are known before the call."""
    address = urlsplit(endpoint.base_url)
    most = next(
        (endpoint.params[name] for name in ("max_tokens", "max_completion_tokens") if name in endpoint.params), None
    )
    found: dict[str, Any] = {
        "gen_ai.operation.name": "chat",
        # The protocol that is spoken; the address says who speaks it.
        "gen_ai.provider.name": PROVIDERS[endpoint.protocol].telemetry,
        "gen_ai.request.model": endpoint.model,
        "gen_ai.request.max_tokens": most,
        "server.address": address.hostname,
        "server.port": address.port or _PORTS[address.scheme],
        "benchbar.role": request.role,
        "benchbar.sample": request.sample,
        "benchbar.repeat": request.repeat,
        "benchbar.attempt": request.attempt,
    }
    found |= {f"gen_ai.request.{name}": endpoint.params.get(name) for name in _REQUEST}
    return {name: value for name, value in found.items() if isinstance(value, str | int | float)}


def _messages(request: CallRequest) -> str:
    said = [{"role": turn.role, "parts": [{"type": "text", "content": turn.content}]} for turn in request.messages]
    return msgspec.json.encode(said).decode()


def _says_yes(name: str) -> bool:
    return os.environ.get(name, "").strip().lower() == "true"
