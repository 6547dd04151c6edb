"""What an agent did, step by step: the trace format, and readers for three others."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from benchbar.records import Record
from benchbar.records.errors import BadInputError
from benchbar.tables.spans import holds_spans, spans_of

# The code of OpenTelemetry, as number, text, and in the two spellings of exporters.
FAILED = {2, "2", "STATUS_CODE_ERROR", "ERROR"}


class Step(Record, frozen=True):
    """One subtask or tool call."""

    id: str
    tool: str = "none"
    """Name of the tool; ``none`` where the agent worked without one."""
    status: str = "success"
    """``success`` or ``failed``; anything else is neither."""
    retries: int = 0
    depends_on: tuple[str, ...] = ()
    description: str = ""


class Safety(Record, frozen=True):
    """What a guard around the agent said."""

    blocked: bool
    threats: tuple[str, ...] = ()


class Trace(Record, frozen=True):
    """One run of an agent on one task."""

    sample: str
    output: str = ""
    task: str = ""
    assistant: str = "agent"
    steps: tuple[Step, ...] = ()
    safety: Safety | None = None
    """None where no guard was asked."""
    succeeded: int | None = None
    """Subtasks that succeeded as the agent's own record states them; left out, the steps are counted."""
    total: int | None = None
    """All subtasks, as the record states them; a record may list only some of them as steps."""

    def __post_init__(self) -> None:
        """Refuse a statement of one number without the other, or of more successes than subtasks."""
        if (self.succeeded is None) != (self.total is None):
            raise ValueError("expected both `succeeded` and `total`, or neither")
        if self.succeeded is not None and self.total is not None and not 0 <= self.succeeded <= self.total:
            raise ValueError(f"{self.succeeded} of {self.total} subtasks succeeded; expected 0 to {self.total}")

    @property
    def completed(self) -> tuple[int, int]:
        """How many subtasks succeeded, of how many: as stated, else counted over the steps."""
        if self.succeeded is not None and self.total is not None:
            return self.succeeded, self.total
        return sum(step.status == "success" for step in self.steps), len(self.steps)


def read_trace(given: Mapping[str, Any], number: int = 0) -> Trace:
    """The trace that a JSON object holds, whatever form it has.

    Known are our own form (``steps``), chat messages with tool calls (``messages``), OpenTelemetry spans
    (``resourceSpans`` or ``spans``), and results with a ``_meta`` of subtasks.

    Raises:
        BadInputError: it has none of these forms, or a field is missing or of another type.
    """
    sample = str(given.get("sample") or given.get("id") or number)
    try:
        if "messages" in given:
            return _from_messages(sample, given)
        if holds_spans(given):
            return _from_spans(sample, given)
        if "_meta" in given:
            return _from_meta(sample, given)
        return msgspec.convert({"sample": sample, **given}, Trace)
    except (msgspec.ValidationError, KeyError, TypeError, AttributeError, ValueError) as error:
        known = "steps, messages, resourceSpans, spans or _meta"
        raise BadInputError(f"no trace ({error}); expected an object with {known}", field=sample) from error


def _from_messages(sample: str, given: Mapping[str, Any]) -> Trace:
    """Tool calls in their order; a call again with the same tool right after a failure is a retry of it."""
    answers = {
        message["tool_call_id"]: str(message.get("content") or "")
        for message in given["messages"]
        if message["role"] == "tool"
    }
    calls = [call for message in given["messages"] for call in message.get("tool_calls") or ()]
    steps: list[Step] = []
    for call in calls:
        # A call that nobody answered did not succeed.
        failed = call["id"] not in answers or tool_failed(answers[call["id"]])
        step = Step(id=call["id"], tool=call["function"]["name"], status="failed" if failed else "success")
        _add(steps, step)
    said = [message for message in given["messages"] if message["role"] == "assistant" and message.get("content")]
    asked = [message for message in given["messages"] if message["role"] == "user"]
    return Trace(
        sample=sample,
        task=_text(asked[0].get("content")) if asked else "",
        output=_text(said[-1]["content"]) if said else "",
        steps=tuple(steps),
    )


def _text(content: Any) -> str:
    """The text of a message, which may come in parts."""
    if isinstance(content, Sequence) and not isinstance(content, str):
        # Images and files have no text.
        return "".join(str(part.get("text", "")) for part in content)
    return str(content or "")


_EXIT = re.compile(r"\s{0,9}exit(?:ed with)?(?: code| status)?:? {0,3}(-?\d{1,9})\b", re.IGNORECASE)


def tool_failed(answer: str) -> bool:
    """Tools report failures as ``{"error": …}``, as a text that begins so, or as the exit code of a command, which is not 0."""
    try:
        decoded = msgspec.json.decode(answer)
    except msgspec.DecodeError:
        if (code := _EXIT.match(answer)) is not None:
            return int(code[1]) != 0
        return answer.lstrip().lower().startswith("error")
    return isinstance(decoded, dict) and bool(decoded.get("error"))


def _add(steps: list[Step], step: Step) -> None:
    """Append a step; where it repeats a failed one with the same tool, it takes that one's place as its retry."""
    last = steps[-1] if steps else None
    if last is not None and last.status == "failed" and last.tool == step.tool:
        # Under the first id, which other steps depend on.
        steps[-1] = msgspec.structs.replace(step, retries=last.retries + 1, id=last.id)
    else:
        steps.append(step)


def _from_spans(sample: str, given: Mapping[str, Any]) -> Trace:
    """Spans of the GenAI conventions: those that execute a tool are steps, the root's output is the output."""
    # Exporters write spans when they end, so that a parent comes after its children.
    spans = sorted(spans_of(given), key=lambda span: span.start)
    steps: list[Step] = []
    output = ""
    for span in spans:
        fields = span.attributes
        if fields.get("gen_ai.operation.name") == "execute_tool":
            failed = span.status in FAILED or "error.type" in fields
            _add(
                steps,
                Step(
                    id=span.id,
                    tool=str(fields.get("gen_ai.tool.name", "none")),
                    status="failed" if failed else "success",
                    depends_on=span.links,
                ),
            )
        # Attributes were renamed between versions of the conventions.
        output = str(fields.get("gen_ai.output.text") or fields.get("gen_ai.completion") or output)
    return Trace(sample=sample, output=output, steps=tuple(steps))


def _from_meta(sample: str, given: Mapping[str, Any]) -> Trace:
    meta = given["_meta"]
    safety = meta.get("safety_check")
    stated = meta.get("subtasks_success"), meta.get("subtasks_total")
    return Trace(
        sample=sample,
        task=str(given.get("task", "")),
        output=str(given.get("output", "")),
        steps=tuple(
            Step(
                id=str(one["id"]),
                tool=str(one.get("tool") or "none"),
                status=str(one.get("status", "success")),
                retries=int(one.get("retry_count", 0)),
                depends_on=tuple(str(other) for other in one.get("depends_on", ())),
                description=str(one.get("description") or ""),
            )
            for one in meta.get("subtasks", ())
        ),
        safety=Safety(blocked=bool(safety.get("blocked")), threats=tuple(safety.get("threats", ())))
        if safety
        else None,
        succeeded=None if stated[0] is None else int(stated[0]),
        total=None if stated[1] is None else int(stated[1]),
    )
