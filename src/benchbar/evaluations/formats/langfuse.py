"""Langfuse: a downloaded trace, the traces of an export, and the scores of an export to storage."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from benchbar.evaluations.formats.fields import Fields, said
from benchbar.evaluations.records import EvaluationLog, LoggedAnswer

PROGRAM = "Langfuse"
TRACE = {"id", "timestamp", "input", "output", "bookmarked"}
SCORE = {"trace_id", "name", "data_type", "value"}
SENT = {"traceId", "name", "value"}
"""Fields of a score as the API has it and the SDK sends it."""
ROW = {
    *(
        "id",
        "timestamp",
        "name",
        "userId",
        "sessionId",
        "release",
        "version",
        "environment",
        "tags",
        "bookmarked",
        "public",
    ),
    *("input", "output", "metadata", "latency", "usage", "inputCost", "outputCost", "totalCost", "level", "errorCount"),
    *("warningCount", "defaultCount", "debugCount", "observationCount", "inputTokens", "outputTokens", "totalTokens"),
    *("comments", "scores", "observations", "htmlPath", "projectId", "createdAt", "updatedAt", "externalId"),
}
"""Columns of a trace; a score has a column of its own name beside them."""


def is_trace(row: Any) -> bool:
    """Whether an object is one trace with its observations and scores, as downloaded or as the API gives it."""
    return isinstance(row, dict) and (
        ({"input", "output", "scores"} <= row.keys() and ("observations" in row or "htmlPath" in row))
        or (isinstance(row.get("trace"), dict) and "observations" in row)
    )


def is_export(columns: Iterable[str]) -> bool:
    """Whether a table is an export of traces."""
    return set(columns) >= TRACE


def is_scores(columns: Iterable[str]) -> bool:
    """Whether a table is an export of scores."""
    return set(columns) >= SCORE


def is_sent_score(row: Any) -> bool:
    """Whether an object is one score in the form of the API."""
    return isinstance(row, dict) and row.keys() >= SENT and "input" not in row


def read_sent_scores(rows: Iterable[tuple[int, dict[str, Any]]], path: Path) -> EvaluationLog:
    """Scores as the SDK sends them, by the names that an export gives their fields."""
    names = {"traceId": "trace_id", "observationId": "observation_id", "dataType": "data_type"}
    return read_scores(((line, {names.get(key, key): value for key, value in row.items()}) for line, row in rows), path)


def join_scores(logs: Sequence[EvaluationLog]) -> None:
    """Give spans that Langfuse's SDK sent the scores that it sent apart: of the very call, else of all calls of its trace.

    A score that finds no span stays a row of its own.
    """
    # By span and by trace; OpenTelemetry's identity is both.
    spans: dict[str, list[tuple[EvaluationLog, int]]] = {}
    for log in logs:
        for place, one in enumerate(log.answers if log.program == "OpenTelemetry" else ()):
            for name in one.identity.split():
                spans.setdefault(name, []).append((log, place))
    for log in logs:
        if log.program == PROGRAM and log.form == "scores":
            log.answers = [one for one in log.answers if not _joined(one, spans)]


def _joined(score: LoggedAnswer, spans: Mapping[str, list[tuple[EvaluationLog, int]]]) -> bool:
    found = spans.get(score.sample, [])
    for log, place in found:
        answer = log.answers[place]
        log.answers[place] = replace(answer, scores=answer.scores | score.scores)
    return bool(found)


def read_traces(rows: Iterable[tuple[int, dict[str, Any]]], path: Path, form: str) -> EvaluationLog:
    """Each trace is an answer, its scores by name; several scores of one name are averaged, as Langfuse does."""
    found = EvaluationLog(path, PROGRAM, form)
    for line, given in rows:
        # A download wraps the trace; the scores and observations stand beside it.
        row = Fields(
            {**given.get("trace", {}), **given} if isinstance(given.get("trace"), dict) else given, found, line=line
        )
        scores = _scores(row, found)
        for name, value in row.given.items():
            if name not in ROW and name != "trace" and (mean := _mean(_number(value))) is not None:
                scores[name] = mean
        found.answers.append(
            LoggedAnswer(
                sample=row.text("id"),
                model=_model(row),
                task=row.text("name"),
                identity=row.text("id"),
                cluster=row.text("sessionId"),
                question=_text(row.given.get("input")),
                answer=_text(row.given.get("output")),
                scores=scores,
                at=_time(row.text("timestamp")),
                line=line,
            )
        )
    return found


def _time(text: str) -> float | None:
    """Seconds since 1970; a time without a zone is in UTC, as Langfuse writes it."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def _scores(row: Fields, log: EvaluationLog) -> dict[str, float | None]:
    given = row.given.get("scores")
    if isinstance(given, dict):
        return {name: _mean(value) for name, value in given.items() if _mean(value) is not None}
    by_name: dict[str, list[float]] = {}
    for score in row.each("scores"):
        kind = score.text(score.first("dataType", "data_type"))
        value = None if kind in {"CATEGORICAL", "TEXT"} else score.number("value")
        if value is None:
            log.ignore(f"scores that are {kind.lower() or 'no number'}")
        else:
            by_name.setdefault(score.text("name"), []).append(value)
    return {name: sum(values) / len(values) for name, values in by_name.items()}


def _number(value: Any) -> Any:
    """In a CSV a column holds numbers as JSON."""
    if not isinstance(value, str):
        return value
    try:
        return msgspec.json.decode(value)
    except (msgspec.DecodeError, RecursionError):
        return None


def _mean(value: Any) -> float | None:
    values = value if isinstance(value, list) else [value]
    numbers = [float(one) for one in values if isinstance(one, int | float)]
    return sum(numbers) / len(numbers) if numbers and len(numbers) == len(values) else None


def _model(row: Fields) -> str:
    calls = [one for one in row.each("observations") if one.text("type") == "GENERATION"]
    names = dict.fromkeys(one.text(one.first("providedModelName", "model")) for one in calls)
    return " + ".join(name for name in names if name)


def _text(given: Any) -> str:
    value = _number(given) if isinstance(given, str) and given[:1] in '[{"' else given
    if isinstance(value, dict) and isinstance(value.get("messages"), list):
        value = value["messages"]
    return said(value) or (given if isinstance(given, str) else "")


def read_scores(rows: Iterable[tuple[int, dict[str, Any]]], path: Path) -> EvaluationLog:
    """Scores alone: figures can be recomputed from them, and nothing can be judged again."""
    found = EvaluationLog(path, PROGRAM, "scores")
    for line, given in rows:
        row = Fields(given, found, line=line)
        value = _number(given.get("value"))
        if row.text("data_type") in {"CATEGORICAL", "TEXT"} or not isinstance(value, int | float):
            found.ignore(f"scores that are {row.text('data_type').lower() or 'no number'}")
            continue
        trace, name = row.text("trace_id"), row.text("name")
        found.answers.append(
            LoggedAnswer(
                sample=row.text("observation_id") or trace,
                model="",
                judge=row.text("source"),
                identity=row.text("id") or f"{trace} {name} {line}",
                cluster=trace,
                scores={name: float(value)},
                line=line,
            )
        )
    return found
