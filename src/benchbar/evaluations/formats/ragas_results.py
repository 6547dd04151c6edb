"""Ragas: the table of an evaluation's results (``result.to_pandas()`` as CSV, JSON, JSON lines or Parquet)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from benchbar.evaluations.formats.fields import Fields
from benchbar.evaluations.records import EvaluationLog, LoggedAnswer
from benchbar.tables.table import Table

PROGRAM = "Ragas"
INPUTS = {
    *("user_input", "response", "reference", "retrieved_contexts", "reference_contexts", "rubrics", "multi_responses"),
    *("reference_tool_calls", "reference_topics", "persona_name", "query_style", "query_length", "synthesizer_name"),
    *("retrieved_context_ids", "reference_context_ids", "id"),
}
"""Columns of a sample; any other that holds numbers is a metric."""


def is_result(columns: Iterable[str]) -> bool:
    """Whether a table is one: samples, and at least one column beside them."""
    names = set(columns)
    return {"user_input", "response"} <= names and bool(names - INPUTS)


def read_results(table: Table) -> EvaluationLog:
    """Every metric of every sample; Ragas writes no table of means into a file, so that nothing is published."""
    found = EvaluationLog(table.path, PROGRAM, "results")
    rows = [(line, _with_numbers(row)) for line, row in table]
    metrics = [name for name in table.columns if name not in INPUTS and _is_metric(name, rows)]
    for name in table.columns:
        if name not in INPUTS and name not in metrics:
            found.ignore(f"column {name}")
    for line, row in rows:
        fields = Fields(row, found, line=line)
        question = fields.said("user_input")
        scores = {name: row.get(name) for name in metrics}
        found.answers.append(
            LoggedAnswer(
                sample=question,
                model="",
                identity=f"row {line}",
                question=question,
                answer=fields.said("response"),
                reference=fields.said("reference"),
                fields={name: text for name, text in fields.own().items() if name not in INPUTS},
                scores=scores,
                # Ragas writes NaN where its judge failed, and leaves it out of the mean it shows.
                missing={name: "Ragas has no number here" for name in metrics if scores[name] is None},
                line=line,
            )
        )
    found.problems += table.problems
    return found


def _with_numbers(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value if name in INPUTS else _number(value) for name, value in row.items()}


def _number(value: Any) -> Any:
    if value in (None, ""):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        return value
    return number if math.isfinite(number) else None


def _is_metric(name: str, rows: list[tuple[int, dict[str, Any]]]) -> bool:
    values = [row[name] for _, row in rows if row.get(name) is not None]
    return bool(values) and all(isinstance(one, float) for one in values)
