"""Logs of Inspect (UK AI Security Institute): `.eval` archives, and the same as one JSON document."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchbar.evaluations.formats.fields import Fields
from benchbar.evaluations.records import EvaluationLog, LoggedAnswer, Miscount, PublishedFigure
from benchbar.tables.transcripts import inspect_log

PROGRAM = "Inspect"
LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""Correct, partly, incorrect, no answer: what Inspect's own ``value_to_float`` makes of them."""
WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
MEANS = {"accuracy", "mean"}
_KEPT = {"id", "epoch", "input", "target", "messages", "output", "scores", "error", "metadata"}


def is_json_log(given: Any) -> bool:
    """Whether a JSON document is such a log."""
    return isinstance(given, dict) and isinstance(given.get("eval"), dict) and {"version", "status"} <= given.keys()


def read_archive(path: Path) -> EvaluationLog:
    """The log in an `.eval` file.

    Raises:
        BadInputError: it cannot be read, or would fill the memory.
        MissingDependencyError: Inspect is not installed.
    """
    log = inspect_log(path)
    document = {
        "version": log.version,
        "status": log.status,
        "eval": log.eval.model_dump(mode="json"),
        "results": log.results.model_dump(mode="json") if log.results else None,
        # Events and stores are most of a log, and nothing here looks at them.
        "samples": [sample.model_dump(mode="json", include=_KEPT) for sample in log.samples or ()],
    }
    return read_document(document, path)


def read_document(given: dict[str, Any], path: Path) -> EvaluationLog:
    """The log in a JSON document."""
    found = EvaluationLog(path, PROGRAM, "log")
    whole = Fields(given, found)
    spec = whole.inner("eval")
    found.version = spec.inner("packages").text("inspect_ai") or whole.text("version")
    task, model = spec.text("task"), spec.text("model")
    if (status := whole.text("status")) != "success":
        found.problem(f"the run ended as {status!r}; its figures are of what was done until then", field="status")
    for sample in whole.each("samples"):
        found.answers.append(_answer(sample, found, task, model))
    for scorer in whole.inner("results").each("scores"):
        found.figures += _figures(scorer, found, task, model)
    _count(whole, found)
    return found


def _answer(sample: Fields, log: EvaluationLog, task: str, model: str) -> LoggedAnswer:
    scores: dict[str, float | None] = {}
    missing: dict[str, str] = {}
    fields = sample.inner("metadata").own()
    for name in sample.inner("scores").given:
        score = sample.inner("scores").inner(name)
        value = score.given.get("value")
        fields |= score.inner("metadata").own()
        # A scorer may give several values under names of its own.
        parts = value.items() if isinstance(value, dict) else [("", value)]
        for part, one in parts:
            key = f"{name}/{part}" if part else name
            scores[key] = _value(one)
            if scores[key] is None:
                missing[key] = f"the value {str(one)[:40]!r} is no number"
                log.ignore(f"values of {key} that are no numbers")
    if "error" in sample:
        log.ignore("samples that ended in an error")
    choices = sample.inner("output").given.get("choices")
    answer = Fields({"choices": choices}, log, line=sample.line).each("choices")
    target = sample.given.get("target")
    return LoggedAnswer(
        sample=sample.text("id"),
        model=model,
        task=task,
        repeat=(sample.count("epoch") or 1) - 1,
        identity=f"{sample.text('id')} epoch {sample.text('epoch')}",
        question=sample.said("input"),
        answer=next((one.said("message") for one in answer), ""),
        reference="\n".join(map(str, target)) if isinstance(target, list) else sample.text("target"),
        fields=fields,
        scores=scores,
        missing=missing,
    )


def _value(given: Any) -> float | None:
    """As Inspect reads it: letters of a mark, yes and no, numbers, true and false."""
    if isinstance(given, bool | int | float):
        number = float(given)
        return number if number == number and abs(number) != float("inf") else None  # noqa: PLR0124 - NaN
    if isinstance(given, str):
        if given in LETTERS:
            return LETTERS[given]
        if given.lower() in WORDS:
            return WORDS[given.lower()]
        try:
            return float(given)
        except ValueError:
            return None
    return None


def _figures(scorer: Fields, log: EvaluationLog, task: str, model: str) -> list[PublishedFigure]:
    name, reducer = scorer.text("name"), scorer.text("reducer")
    base = scorer.text("scorer")
    measure = name if name == base or not base else f"{base}/{name}"
    metrics = scorer.inner("metrics")
    error = metrics.inner("stderr").number("value")
    found = []
    for metric in metrics.given:
        value = metrics.inner(metric).number("value")
        if value is None or metric in {"stderr", "std", "var"}:
            continue
        # Under the mean of epochs, which is the default, the mean of means is the mean of all rows.
        plain = metric in MEANS and reducer in {"", "mean"}
        found.append(
            PublishedFigure(
                measure=measure,
                model=model,
                task=task,
                value=value,
                printed=f"{value:g}",
                n=scorer.count("scored_samples"),
                standard_error=error if plain else None,
                statistic="mean" if plain else f"{metric}{f' of {reducer}' if reducer else ''}",
                place=f"{log.path.name}: results.scores.{name}.{metric}",
            )
        )
    return found


def _count(whole: Fields, log: EvaluationLog) -> None:
    stated = whole.inner("results").count("completed_samples")
    if stated is not None and stated != len(log.answers):
        log.miscounts.append(
            Miscount("results.completed_samples", "completed samples", str(stated), str(len(log.answers)))
        )
