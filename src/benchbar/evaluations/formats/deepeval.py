"""DeepEval: a test run, as ``.deepeval`` and its results folder keep it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchbar.evaluations.formats.fields import Fields
from benchbar.evaluations.records import EvaluationLog, LoggedAnswer, PublishedFigure

PROGRAM = "DeepEval"
PASSED = "passed"


def is_test_run(given: Any) -> bool:
    """Whether a JSON document is one: the run itself, or what ``.latest_test_run.json`` wraps it in."""
    run = _run_of(given)
    return run is not None and ("testCases" in run or "conversationalTestCases" in run)


def _run_of(given: Any) -> dict[str, Any] | None:
    if not isinstance(given, dict):
        return None
    run = given.get("testRunData", given)
    return run if isinstance(run, dict) else None


def read_test_run(given: dict[str, Any], path: Path) -> EvaluationLog:
    """Each metric's score, and whether it passed its threshold, for every test case."""
    found = EvaluationLog(path, PROGRAM, "test run")
    run = Fields(_run_of(given) or {}, found)
    model = run.inner("hyperparameters").text("model")
    judges: dict[str, None] = {}
    for place, case in enumerate([*run.each("testCases"), *run.each("conversationalTestCases")], start=1):
        scores: dict[str, float | None] = {PASSED: case.number("success")}
        missing: dict[str, str] = {}
        for metric in case.each("metricsData"):
            name = metric.text("name")
            scores[name] = metric.number("score")
            scores[f"{name} {PASSED}"] = metric.number("success")
            if "error" in metric:
                missing[name] = metric.text("error")[:200]
                scores[name] = scores[f"{name} {PASSED}"] = None
            judges.setdefault(metric.text("evaluationModel"))
        question = case.said("input") or case.text("scenario")
        found.answers.append(
            LoggedAnswer(
                sample=question or case.text("name"),
                model=model,
                identity=f"{case.text('name')} {place}",
                question=question,
                answer=case.said("actualOutput") or case.said("turns"),
                reference=case.said("expectedOutput") or case.text("expectedOutcome"),
                fields=case.inner(case.first("additionalMetadata", "metadata")).own(),
                scores=scores,
                missing=missing,
            )
        )
    found.judges = tuple(name for name in judges if name)
    found.figures = list(_figures(run, model, found))
    return found


def _figures(run: Fields, model: str, log: EvaluationLog) -> list[PublishedFigure]:
    counts = [("", PASSED, run.count("testPassed"), run.count("testFailed"))]
    counts += [
        (one.text("metric"), f"{one.text('metric')} {PASSED}", one.count("passes"), one.count("fails"))
        for one in run.each("metricsScores")
    ]
    return [
        PublishedFigure(
            measure=measure,
            model=model,
            value=passed / (passed + failed),
            printed=f"{passed} of {passed + failed}",
            n=passed + failed,
            place=f"{log.path.name}: {f'metricsScores[{name}]' if name else 'testPassed'}",
        )
        for name, measure, passed, failed in counts
        if passed is not None and failed is not None and passed + failed
    ]
