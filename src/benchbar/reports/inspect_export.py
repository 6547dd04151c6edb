"""A run as logs of Inspect, one for each assistant, written through Inspect's public log API."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from math import isclose
from pathlib import Path
from typing import Any

from benchbar import __version__
from benchbar.artefacts.folder import Material
from benchbar.law.shown import as_document, measured_in, measured_languages
from benchbar.records import AssistantResults, Dialogue, DialogueEnd, Estimate, Measures, RunResults, Sample, Suite
from benchbar.records.errors import MissingDependencyError, UnknownNameError

MODEL = "benchbar"
"""Inspect names a model by provider and name; this provider has none that it could ask."""


def as_inspect(
    results: RunResults,
    material: Material,
    measures: Iterator[Measures],
    suite: Suite | None,
    *,
    made: datetime,
    assistant: str | None = None,
) -> dict[str, bytes]:
    """Assistant to the bytes of its log; of one assistant, or of all.

    A measure that nobody could decide for a sample has no score there, and is counted as unscored: Inspect's NaN and our
    null would both become a number in somebody's hands. Intervals stand in the metadata of each metric.

    Raises:
        MissingDependencyError: Inspect is not installed.
        UnknownNameError: there is no such assistant.
    """
    names = list(results.assistants)
    if assistant is not None and assistant not in names:
        raise UnknownNameError("assistant", assistant, names)
    values: dict[tuple[str, str], dict[str, float | None]] = {
        (one.assistant, one.sample): one.values for one in measures
    }
    samples = {sample.id: sample for sample in suite.samples} if suite else {}
    chosen = [assistant] if assistant else names
    return {name: log_bytes(_log(results, material, values, samples, name, made)) for name in chosen}


def inspect_api() -> Any:
    """Inspect's public log API.

    Raises:
        MissingDependencyError: it is not installed.
    """
    try:
        from inspect_ai import log
    except ImportError as error:
        raise MissingDependencyError("inspect-ai", "inspect", "writing logs of Inspect") from error
    return log


def log_bytes(log: Any) -> bytes:
    """A log as the bytes of an `.eval` file."""
    # Inspect writes to a path only.
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "run.eval"
        inspect_api().write_eval_log(log, str(file), format="eval")
        return file.read_bytes()


def _log(
    results: RunResults,
    material: Material,
    values: Mapping[tuple[str, str], Mapping[str, float | None]],
    samples: Mapping[str, Sample],
    name: str,
    made: datetime,
) -> Any:
    import msgspec

    api = inspect_api()
    dialogues = [by_name[name] for by_name in material.dialogues.values() if name in by_name]
    ids = [dialogue.sample for dialogue in dialogues]
    own = [dict(values.get((name, id_), {})) for id_ in ids]
    spec = api.EvalSpec(
        # Of the run, not of now: the same run exports to the same bytes.
        created=made.astimezone(UTC).isoformat(),
        task=results.suite,
        task_id=f"{results.suite_fingerprint}-{name}",
        run_id=results.suite_fingerprint,
        task_version=results.suite_fingerprint,
        dataset=api.EvalDataset(name=results.suite, samples=len(ids), sample_ids=ids, shuffled=False),
        model=f"{MODEL}/{name}",
        config=api.EvalConfig(epochs=1),
        packages={"benchbar": __version__},
        metadata={
            "reference": results.reference,
            "simulator": results.simulator,
            "judge": results.judge,
            # A log is read far from the pages that say it: what accuses brings how often it was right, or that its law is invented.
            "accusations": msgspec.to_builtins(measured_in(results.languages or measured_languages()))
            if results.law
            else {},
            "invented_law": results.invented_law or "",
        },
    )
    return api.EvalLog(
        status="success",
        eval=spec,
        plan=api.EvalPlan(name="consultation", steps=[api.EvalPlanStep(solver="benchbar/consultation")]),
        results=_results(api, own, results.assistants[name]),
        stats=api.EvalStats(started_at=spec.created, completed_at=spec.created),
        samples=[
            _sample(api, dialogue, samples.get(dialogue.sample), measured, material, name)
            for dialogue, measured in zip(dialogues, own, strict=True)
        ],
    )


def _results(api: Any, own: list[dict[str, float | None]], found: AssistantResults) -> Any:
    names = dict.fromkeys(measure for values in own for measure in values)
    scores = [_score(api, measure, [values.get(measure) for values in own], found) for measure in names]
    return api.EvalResults(total_samples=len(own), completed_samples=len(own), scores=[one for one in scores if one])


def _score(api: Any, measure: str, values: list[float | None], found: AssistantResults) -> Any:
    """The mean of what was decided, with the run's own interval where it has one for this measure."""
    decided = [value for value in values if value is not None]
    if not decided:
        return None
    value = sum(decided) / len(decided)
    estimate = found.measures.get(measure) or found.coverage.get(measure.removeprefix("coverage/"))
    # A share of all citations is no mean over dialogues: its interval would be one around another number.
    same = estimate is not None and estimate.value is not None and isclose(estimate.value, value, rel_tol=1e-9)
    mean = api.EvalMetric(name="mean", value=value, metadata=_interval(estimate) if estimate and same else None)
    return api.EvalScore(
        name=measure,
        scorer=measure,
        scored_samples=len(decided),
        unscored_samples=len(values) - len(decided),
        metrics={"mean": mean},
    )


def _interval(estimate: Estimate) -> dict[str, Any]:
    names = ("value", "low", "high", "n", "n_missing", "method", "confidence")
    return {name: getattr(estimate, name) for name in names}


def _sample(
    api: Any,
    dialogue: Dialogue,
    sample: Sample | None,
    values: Mapping[str, float | None],
    material: Material,
    name: str,
) -> Any:
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser, ModelOutput
    from inspect_ai.scorer import Score

    kinds = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}
    messages = [kinds[turn.role](content=turn.content) for turn in dialogue.turns]
    said = [turn.content for turn in dialogue.turns if turn.role == "assistant"]
    asked = next((turn.content for turn in dialogue.turns if turn.role == "user"), "")
    failed = dialogue.ended is DialogueEnd.ERROR
    return api.EvalSample(
        id=dialogue.sample,
        epoch=1,
        input=sample.needs if sample else asked,
        target=(sample.reference or sample.guidance.text) if sample else "",
        messages=messages,
        output=ModelOutput.from_content(f"{MODEL}/{name}", said[-1]) if said else ModelOutput(model=f"{MODEL}/{name}"),
        scores={
            measure: Score(value=value, answer=said[-1] if said else None)
            for measure, value in values.items()
            if value is not None
        },
        model_usage=_usage(dialogue, name),
        total_time=dialogue.latency or None,
        metadata=_metadata(dialogue, sample, values, material, name),
        error=api.EvalError(message=dialogue.error, traceback="", traceback_ansi="") if failed else None,
    )


def _usage(dialogue: Dialogue, name: str) -> dict[str, Any]:
    """The tokens that the assistant read and wrote, where it said so."""
    from inspect_ai.model import ModelUsage

    read, written = dialogue.usage.input_tokens, dialogue.usage.output_tokens
    # A sum of one known and one unknown number would be too small and look whole.
    if read is None or written is None:
        return {}
    return {f"{MODEL}/{name}": ModelUsage(input_tokens=read, output_tokens=written, total_tokens=read + written)}


def _metadata(
    dialogue: Dialogue, sample: Sample | None, values: Mapping[str, float | None], material: Material, name: str
) -> dict[str, Any]:
    import msgspec

    scores = material.scores.get(dialogue.sample, {}).get(name, [])
    comparisons = material.comparisons.get(dialogue.sample, {}).get(name, [])
    cited = material.citations.get(dialogue.sample, {}).get(name, [])
    return {
        "task": sample.task if sample else "",
        "ended": str(dialogue.ended),
        "cost": dialogue.cost,
        "undecided": sorted(measure for measure, value in values.items() if value is None),
        "points": msgspec.to_builtins(scores),
        "comparisons": msgspec.to_builtins(comparisons),
        "contexts": msgspec.to_builtins(dialogue.contexts),
        "citations": [
            {"turn": one.turn, "on": one.on, **msgspec.to_builtins(as_document(one.citation))} for one in cited
        ],
    }
