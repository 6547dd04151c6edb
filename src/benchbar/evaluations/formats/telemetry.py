"""OpenTelemetry: GenAI spans with what was asked and answered, and the evaluations that stand on them as events."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from benchbar.evaluations.formats.fields import LONGEST, Fields, said
from benchbar.evaluations.records import EvaluationLog, LoggedAnswer
from benchbar.tables.spans import Span, spans_of

PROGRAM = "OpenTelemetry"
EVALUATION = "gen_ai.evaluation.result"
LANGFUSE = "langfuse.observation."
ASKED = ("gen_ai.input.messages", "gen_ai.prompt", "input.value", "traceloop.entity.input", f"{LANGFUSE}input")
ANSWERED = (
    *("gen_ai.output.messages", "gen_ai.completion", "gen_ai.output.text", "output.value", f"{LANGFUSE}output"),
)
"""The attributes of the conventions first, then of their older versions, of OpenInference and of Langfuse."""
NANOSECONDS = 1e9
_KIND = re.compile(r"[A-Za-z_][\w.]{0,79}|[1-5]\d\d")
"""Names of classes and HTTP states."""
CALLS = {"chat", "generate_content", "text_completion", "invoke_agent", "generation"}
"""Operations that ask a model: of the conventions, and Langfuse's word for them."""


def read_spans(requests: Iterable[tuple[int, Mapping[str, Any]]], path: Path) -> EvaluationLog:
    """Each span that asks a model is an answer; its scores are the evaluation events on it.

    Messages stand in spans only where the sender was told to capture them.
    """
    found = EvaluationLog(path, PROGRAM, "GenAI spans")
    for line, request in requests:
        for span in spans_of(request):
            fields = span.attributes
            if not {*ASKED, *ANSWERED, "gen_ai.operation.name"} & fields.keys():
                found.ignore("spans without GenAI attributes")
                continue
            if (kind := _kind(fields)) not in CALLS:
                found.ignore(f"spans of {kind[:40]}")
                continue
            found.answers.append(_answer(span, found, line))
    if found.answers and not any(one.answer for one in found.answers):
        found.problem(
            "no span holds what was said; expected gen_ai.output.messages: set"
            " OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT where the spans are sent"
        )
    return found


def _kind(fields: Mapping[str, Any]) -> str:
    # What says nothing of its kind, and holds messages, is a call.
    return str(fields.get("gen_ai.operation.name") or fields.get(f"{LANGFUSE}type") or "chat")


def _answer(span: Span, log: EvaluationLog, line: int) -> LoggedAnswer:
    fields = span.attributes
    scores: dict[str, float | None] = {}
    missing: dict[str, str] = {}
    for name, given in span.events:
        if name == EVALUATION:
            event = Fields(given, log, line=line, at=f"span {span.id}")
            measure = event.text("gen_ai.evaluation.name") or "evaluation"
            scores[measure] = event.number("gen_ai.evaluation.score.value")
            if scores[measure] is None:
                missing[measure] = event.text("error.type") or "the evaluation has no value"
    return LoggedAnswer(
        sample=str(fields.get("gen_ai.conversation.id") or span.trace or span.id),
        model=str(
            fields.get("gen_ai.response.model")
            or fields.get("gen_ai.request.model")
            or fields.get(f"{LANGFUSE}model.name")
            or ""
        ),
        task=str(span.resource.get("service.name") or ""),
        identity=f"{span.trace} {span.id}",
        # Calls of one conversation or trace are about one thing.
        question=_text(fields, ASKED),
        answer=_text(fields, ANSWERED),
        scores=scores,
        missing=missing,
        at=span.start / NANOSECONDS if span.start else None,
        error=_error(span),
        line=line,
    )


def _error(span: Span) -> str:
    """The type of the error alone: its message may hold anything."""
    if span.status not in (2, "STATUS_CODE_ERROR"):
        return ""
    kind = str(span.attributes.get("error.type") or "error")
    return kind if _KIND.fullmatch(kind) else "error"


def _text(fields: Mapping[str, Any], names: tuple[str, ...]) -> str:
    given = next((fields[name] for name in names if fields.get(name)), None)
    if isinstance(given, str) and given[:1] in "[{":
        # Attributes could hold no lists once, so that messages are JSON in a text.
        try:
            given = msgspec.json.decode(given)
        except (msgspec.DecodeError, RecursionError):
            return str(given)[:LONGEST]
    return said(given)[:LONGEST]
