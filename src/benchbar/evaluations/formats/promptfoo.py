"""promptfoo: the results that ``promptfoo eval --output results.json`` writes, and one result a line (``.jsonl``)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from benchbar.evaluations.formats.fields import Fields
from benchbar.evaluations.records import EvaluationLog, LoggedAnswer, Miscount, PublishedFigure

PROGRAM = "promptfoo"
PASS, SCORE = "pass", "score"
ERROR = 2
"""``failureReason`` of a test that never got an answer: promptfoo counts it beside passes and failures."""


def is_results(given: Any) -> bool:
    """Whether a JSON document is such a file: the summary itself, or with its config around it."""
    summary = given.get("results") if isinstance(given, dict) else None
    return isinstance(summary, dict) and isinstance(summary.get("results"), list) and "stats" in summary


def is_row(row: dict[str, Any]) -> bool:
    """Whether a line is one result."""
    return {"promptIdx", "testIdx", "success"} <= row.keys()


def read_results(given: dict[str, Any], path: Path) -> EvaluationLog:
    """All results, and the figures of each prompt."""
    found = EvaluationLog(path, PROGRAM, "results")
    whole = Fields(given, found)
    summary = whole.inner("results")
    found.version = whole.inner("metadata").text("promptfooVersion") or f"format {summary.text('version')}"
    rows = list(summary.each("results"))
    labels = _prompts([row.given for row in rows])
    found.answers = _answers(rows, found, labels)
    # Since version 3 beside the results, before in the head of the table.
    head = summary if "prompts" in summary else summary.inner("table").inner("head")
    for prompt in head.each("prompts"):
        found.figures += _figures(prompt, found, labels)
    _count(summary.inner("stats"), rows, found)
    return found


def read_rows(rows: Iterable[tuple[int, dict[str, Any]]], path: Path) -> EvaluationLog:
    """One result a line, without the figures of the whole."""
    found = EvaluationLog(path, PROGRAM, "results, one a line")
    given = [Fields(row, found, line=line) for line, row in rows]
    found.answers = _answers(given, found, _prompts([row.given for row in given]))
    return found


def _prompts(rows: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Prompt to the name of its task: with one prompt there is one task without a name."""
    texts = dict.fromkeys(_prompt_of(row.get("prompt")) for row in rows)
    return {text: "" if len(texts) == 1 else f"prompt {place}" for place, text in enumerate(texts, start=1)}


def _prompt_of(given: Any) -> str:
    return str((given.get("label") or given.get("raw") or "") if isinstance(given, dict) else given or "")


def _answers(rows: list[Fields], log: EvaluationLog, labels: dict[str, str]) -> list[LoggedAnswer]:
    samples: dict[bytes, str] = {}
    found = []
    for row in rows:
        variables = row.inner("vars").given
        # A repeat of a test has a number of its own; what was asked is the same.
        key = msgspec.json.encode(variables, order="deterministic") or row.text("testIdx").encode()
        sample = samples.setdefault(key, f"test {row.text('testIdx')}")
        provider = row.inner("provider") if isinstance(row.given.get("provider"), dict) else None
        model = (provider.text("label") or provider.text("id")) if provider else row.text("provider")
        task = labels.get(_prompt_of(row.given.get("prompt")), "")
        scores, missing, criteria = _scores(row, log)
        found.append(
            LoggedAnswer(
                sample=sample,
                model=model,
                task=task,
                identity=f"prompt {row.text('promptIdx')} test {row.text('testIdx')}",
                question=row.inner("prompt").said("raw") or msgspec.json.encode(variables).decode()[:20_000],
                answer=row.inner("response").said("output"),
                fields=row.inner("vars").own(),
                scores=scores,
                missing=missing,
                criteria=criteria,
                line=row.line,
            )
        )
    return found


def _scores(row: Fields, log: EvaluationLog) -> tuple[dict[str, float | None], dict[str, str], dict[str, str]]:
    scores: dict[str, float | None] = {PASS: row.number("success"), SCORE: row.number("score")}
    missing, criteria = {}, {}
    if row.count("failureReason") == ERROR:
        scores = {PASS: None, SCORE: None}
        missing = dict.fromkeys(scores, "the provider gave no answer: " + row.text("error")[:200])
        log.ignore("results that ended in an error")
    named = row.inner("namedScores")
    scores |= {name: named.number(name) for name in named.given}
    for part in row.inner("gradingResult").each("componentResults"):
        assertion = part.inner("assertion")
        kind = assertion.text("type")
        name = assertion.text("metric") or kind
        if not name or name in scores:
            continue
        scores[name] = part.number("pass")
        if isinstance(assertion.given.get("value"), str):
            criteria[name] = f"{kind}: {assertion.text('value')}" if kind != "llm-rubric" else assertion.text("value")
    return scores, missing, criteria


def _figures(prompt: Fields, log: EvaluationLog, labels: dict[str, str]) -> list[PublishedFigure]:
    metrics = prompt.inner("metrics")
    passed, failed = metrics.count("testPassCount"), metrics.count("testFailCount")
    if passed is None or failed is None:
        return []
    model, task = prompt.text("provider"), labels.get(_prompt_of(prompt.given), "")
    place, n = f"{log.path.name}: prompts[].metrics", passed + failed
    figure = partial(PublishedFigure, model=model, task=task, place=place)
    found = []
    if n:
        found.append(figure(measure=PASS, value=passed / n, printed=f"{passed} of {n}", n=n))
    named, counts = metrics.inner("namedScores"), metrics.inner("namedScoresCount")
    for name in named.given:
        total, count = named.number(name), counts.number(name)
        # It keeps sums, and shows them divided by how often each was given.
        if total is not None and count:
            found.append(figure(measure=name, value=total / count, printed=f"{total:g} of {count:g}", n=int(count)))
    return found


def _count(stats: Fields, rows: list[Fields], log: EvaluationLog) -> None:
    errors = sum(row.count("failureReason") == ERROR for row in rows)
    passed = sum(bool(row.flag("success")) for row in rows)
    counted = {"successes": passed, "failures": len(rows) - passed - errors, "errors": errors}
    for name, number in counted.items():
        stated = stats.count(name)
        if stated is not None and stated != number:
            log.miscounts.append(Miscount(f"results.stats.{name}", name, str(stated), str(number)))
