"""Reads what a gate decides on from a finished run folder."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from msgspec import structs

from benchbar.artefacts.baseline import measures_at
from benchbar.decisions.estimating import Evidence, Marks
from benchbar.decisions.fitting import chosen_of, counterparts_of, misfits, name_faults
from benchbar.decisions.gate import decide
from benchbar.decisions.planning import UnitPrices, sample_cost
from benchbar.decisions.policy import NotWorse, PassPower, Policy, with_bars, with_trials
from benchbar.records import COMPARED, GRADED, GateDecision, GateReason, HumanMarks, Measures, MissingKind, RunResults
from benchbar.statistics import Trials, pass_power


def evidence_of(
    measures: Iterable[Measures], wanted: Container[str] | None = None, *, passes: Iterable[PassPower] = ()
) -> dict[str, Evidence]:
    """Assistant to what is known of it; of these measures alone where they are named.

    Each of ``passes`` is a measure of its own: the chance of a sample that k of its trials all pass.
    """
    passes = tuple(passes)
    by_name: dict[str, dict[str, dict[str, float | None]]] = {}
    missing: dict[str, dict[str, dict[str, MissingKind]]] = {}
    clusters: dict[str, dict[str, str]] = {}
    for one in measures:
        if one.cluster:
            clusters.setdefault(one.assistant, {})[one.sample] = one.cluster
        own, kinds = by_name.setdefault(one.assistant, {}), missing.setdefault(one.assistant, {})
        for measure, value in one.values.items():
            if wanted is None or measure in wanted:
                own.setdefault(measure, {})[one.sample] = value
                # Of a mean over some trials the reason says why the others have no value.
                if value is None or (one.trials and measure in one.missing):
                    kinds.setdefault(measure, {})[one.sample] = _kind(one, measure)
        for power in passes:
            chance = _chance(one, power)
            own.setdefault(power.name, {})[one.sample] = chance
            if chance is None:
                kinds.setdefault(power.name, {})[one.sample] = _kind(one, power.measure)
    return {
        name: Evidence(values, missing=missing[name], clusters=clusters.get(name, {}))
        for name, values in by_name.items()
    }


def _chance(one: Measures, power: PassPower) -> float | None:
    """The sample's share of all choices of k trials that all pass; None where a trial has no value.

    Without that trial the chance would be that of the trials which went well enough to be marked.
    """
    values = [trial.get(power.measure) for trial in one.trials or (one.values,)]
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return None
    return pass_power(Trials(sum(map(power.passes, known)), len(known)), power.k)


def _kind(one: Measures, measure: str) -> MissingKind:
    """Why a value is missing; of runs that kept no reasons, what their values tell."""
    if kept := one.missing.get(measure):
        return kept
    if one.values.get("failed"):
        return MissingKind.FAILED
    # Where nothing was cited, nothing could be valid: that was the usual reason.
    return MissingKind.NOT_APPLICABLE if measure == "citation_validity" else MissingKind.UNKNOWN


def gate_of(
    results: RunResults,
    measures: Iterable[Measures],
    policy: Policy,
    *,
    baseline: Path | Iterable[Measures] | None = None,
    assistants: tuple[str, ...] = (),
    marks: Mapping[str, HumanMarks] | None = None,
    level: float | None = None,
    because: tuple[GateReason, ...] = (),
    mark_cost: float | None = None,
) -> GateDecision:
    """The gate's decision on results that are at hand; ``baseline`` is the folder of another run, a stored baseline, or the
    values of its dialogues.

    A baseline that the policy does not speak of is compared with the usual margin.
    """
    names = assistants or chosen(results, policy)
    for fault in misfits(policy, names, results.assistants, results.tasks, results.declared):
        raise fault
    policy = with_trials(with_bars(policy, results.dimensions), results.repeats.trials if results.repeats else 1)
    if baseline is not None and policy.not_worse is None:
        policy = structs.replace(policy, not_worse=NotWorse())
    evidence = evidence_of(
        (one for one in measures if one.assistant in names),
        policy.measures | {"open_citations"},
        passes=policy.pass_power,
    )
    seen = {measure for own in evidence.values() for measure in own.values}
    for fault in name_faults(policy, {*results.declared, *results.dimensions, *seen}):
        raise fault
    before = (
        _baseline(baseline, policy.not_worse, policy.measures, names)
        if baseline is not None and policy.not_worse
        else None
    )
    decision = decide(
        policy,
        {
            name: _marked(
                replace(evidence.get(name, Evidence({})), declared=results.declared, decided_by=results.decided_by),
                (marks or {}).get(name),
            )
            for name in names
        },
        baseline=before,
        level=level,
        because=because,
        prices=UnitPrices(sample_cost(results), mark_cost),
    )
    return _with_health(decision, results, corrected=any(one.values for one in (marks or {}).values()))


def _with_health(decision: GateDecision, results: RunResults, *, corrected: bool) -> GateDecision:
    """No pass on dialogues whose simulated user went astray, nor on the word of a judge that failed its tests.

    People's marks, where there are any (``corrected``), measure the judge's error and widen the intervals by it: such a judge
    may then be asked. A failure stays one: it harms nobody.
    """
    told = tuple(_astray(results)) + (() if corrected else tuple(_failed_judges(results)))
    if not told:
        return decision
    left = "insufficient_evidence" if decision.decision == "pass" else decision.decision
    return structs.replace(decision, decision=left, reasons=(*decision.reasons, *told))


def _astray(results: RunResults) -> Iterator[GateReason]:
    for one in results.health:
        if one.slug == "fidelity" and one.share is not None:
            yield GateReason(
                f"user_{one.values['role']}",
                {"who": one.who, "value": one.share.value or 0.0, "threshold": float(one.values["least"]) / 100},
            )


def _failed_judges(results: RunResults) -> Iterator[GateReason]:
    for one in results.health:
        if one.slug == "trial":
            yield GateReason("judge_trial", {"who": one.who})
        elif one.slug == "probe" and one.share is not None:
            yield GateReason("judge_probe", {"who": one.who, "value": one.share.value or 0.0})


def _marked(own: Evidence, marks: HumanMarks | None) -> Evidence:
    """The evidence with people's marks, and without what they still dispute."""
    if marks is None:
        return own
    said = {GRADED: marks} | ({COMPARED: marks.compared} if marks.compared else {})
    return replace(
        own,
        marks={measure: Marks(one.values, one.probability, one.waiting) for measure, one in said.items() if one.values},
        disputed={measure: frozenset(one.disputed) for measure, one in said.items()},
    )


def chosen(results: RunResults, policy: Policy) -> tuple[str, ...]:
    """The assistant that the policy names, else all but the reference, else the reference itself."""
    return chosen_of(policy, results.assistants, results.reference)


def _baseline(
    run: Path | Iterable[Measures], rule: NotWorse, measures: Container[str], names: Iterable[str]
) -> Mapping[str, Evidence]:
    """Each assistant's counterpart in the baseline run: the one the policy names, or the one of the same name."""
    values, place = (measures_at(run), run) if isinstance(run, Path) else (run, Path("stored"))
    found = evidence_of(values, measures)
    return {name: found[other] for name, other in counterparts_of(place, rule, found, names).items()}
