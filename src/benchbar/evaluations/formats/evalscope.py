"""EvalScope (ModelScope): the reviews of one model on one subset, and the report of one benchmark."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchbar.evaluations.formats.fields import Fields, said
from benchbar.evaluations.records import EvaluationLog, LoggedAnswer, PublishedFigure

PROGRAM = "EvalScope"
PLACES = 4
"""Decimals that its reports are rounded to."""
MEANS = ("mean_", "Average", "Weighted")
"""Before the name of what is averaged, in the names of its metrics."""


def is_review(row: dict[str, Any]) -> bool:
    """Whether a line is one sample's review."""
    return isinstance(row.get("sample_score"), dict) and "index" in row


def is_report(given: Any) -> bool:
    """Whether a JSON document is a report."""
    return isinstance(given, dict) and {"dataset_name", "model_name", "metrics"} <= given.keys()


def read_reviews(rows: Iterable[tuple[int, dict[str, Any]]], path: Path) -> EvaluationLog:
    """Reviews lie at ``reviews/MODEL/BENCHMARK_SUBSET.jsonl``: model and task are told by the path alone."""
    found = EvaluationLog(path, PROGRAM, "reviews")
    judges: dict[str, None] = {}
    for line, row in rows:
        review = Fields(row, found, line=line)
        score = review.inner("sample_score")
        inner = score.inner("score")
        summary = inner.inner(inner.first("judge_summary", "judge_detail"))
        judges.update(dict.fromkeys(str(name) for name in summary.given.get("judge_models") or ()))
        values = inner.inner("value")
        scores = {name: values.number(name) for name in values.given}
        status = inner.text("status") or "success"
        if status.lower() != "success":
            found.ignore(f"samples whose score is {status}")
        index = review.text("index")
        group = score.text("group_id") or score.text("sample_id") or index
        found.answers.append(
            LoggedAnswer(
                sample=group,
                model=path.parent.name,
                task=path.stem,
                repeat=score.count("generation_index") or 0,
                identity=f"index {index}",
                question=_question(row),
                answer=inner.text("prediction"),
                reference=review.said("target"),
                fields=score.inner("sample_metadata").own() | inner.inner("metadata").own(),
                scores=scores,
                line=line,
            )
        )
    found.judges = tuple(judges)
    return found


def _question(row: dict[str, Any]) -> str:
    messages = row.get("messages")
    if isinstance(messages, list):
        # The last ones are the model's own.
        asked = [one for one in messages if isinstance(one, dict) and one.get("role") in {"system", "user"}]
        return said(asked)
    return said(row.get("input"))


def read_report(given: dict[str, Any], path: Path) -> EvaluationLog:
    """The figures of every metric and subset; versions 1 and 2 of the format."""
    found = EvaluationLog(path, PROGRAM, "report")
    report = Fields(given, found)
    found.version = report.text("schema_version") or "1"
    model, dataset = report.text("model_name"), report.text("dataset_name")
    for metric in report.each("metrics"):
        name, plain = _measure(metric)
        for category in metric.each("categories"):
            for subset in category.each("subsets"):
                value = subset.number("score")
                if value is None or subset.flag("is_aggregate"):
                    continue
                found.figures.append(
                    PublishedFigure(
                        measure=name,
                        model=model,
                        task=f"{dataset}_{subset.text('name')}",
                        value=value,
                        printed=f"{value:.{PLACES}f}",
                        tolerance=0.5 * 10.0**-PLACES,
                        n=subset.count("num"),
                        statistic="mean" if plain else metric.inner("identity").text("aggregation") or name,
                        place=f"{path.name}: metrics.{name}.{subset.text('name')}",
                    )
                )
    return found


def _measure(metric: Fields) -> tuple[str, bool]:
    """What is averaged, and whether the figure is its plain mean."""
    identity = metric.inner("identity")
    if identity.given:
        return identity.text("name"), identity.text("aggregation") in {"mean", ""}
    name = metric.text("name")
    before = next((one for one in MEANS if name.startswith(one)), "")
    return name.removeprefix(before), before != "Weighted" and (bool(before) or "@" not in name)
