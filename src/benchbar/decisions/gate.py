"""The release gate: pass, fail or insufficient evidence, decided on intervals and never on points. No input, no output."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import NormalDist

from msgspec.structs import replace

from benchbar.decisions.breaches import enough, never_breached
from benchbar.decisions.conditions import OPEN, Condition, Found, reason_for
from benchbar.decisions.estimating import POWER, Evidence
from benchbar.decisions.explaining import reason_text
from benchbar.decisions.non_inferiority import not_worse
from benchbar.decisions.planning import NO_PRICES, UnitPrices
from benchbar.decisions.policy import Policy
from benchbar.decisions.thresholds import threshold
from benchbar.records import Estimate, GateCheck, GateDecision, GateReason
from benchbar.records.measures import DIFFERENCE, SHARE
from benchbar.records.scoring import Decision

ONE_SIDED = 0.9
"""Confidence of the interval of a one-sided test at 5%."""
LOW_CONFIDENCE = 0.8
"""Below it a decision is little better than a guess, and says so."""
_NAMES = {"never": "never ", "evidence": "evidence ", "not_worse": "not worse "}
_INTERVALS = frozenset({"at_least", "at_most", "not_worse"})
"""Checks that hold an interval against a threshold."""
_RATES = frozenset({"never", "evidence"})
"""Checks whose estimate is a rate of dialogues, whatever the measure itself counts."""
_POWER = NormalDist().inv_cdf(POWER)


def decide(
    policy: Policy,
    evidence: Mapping[str, Evidence],
    *,
    baseline: Mapping[str, Evidence] | None = None,
    level: float | None = None,
    because: tuple[GateReason, ...] = (),
    prices: UnitPrices = NO_PRICES,
) -> GateDecision:
    """Every condition of the policy for every assistant in ``evidence``; one that fails fails all.

    A condition on something that was never scored is insufficient evidence. With several assistants the checks' names
    begin with theirs. ``level`` is the chance of a wrong pass that a release record still allows; left out, the policy's
    confidence counts. ``because`` is what else has to be said of the whole decision. With ``prices`` an
    open condition says what would decide it for the least money.
    """
    one_sided, never = ONE_SIDED, policy.confidence
    reasons = because
    if policy.confidence < LOW_CONFIDENCE:
        reasons += (reason_for("low_confidence", confidence=policy.confidence, errors=(1 - policy.confidence) / 2),)
    if level is not None:
        # Two-sided intervals at 1 - 2 level pass wrongly with chance ``level``; never above what the policy itself asks.
        policy = replace(policy, confidence=max(policy.confidence, 1 - 2 * level))
        one_sided, never = max(one_sided, 1 - 2 * level), max(never, 1 - level)
    checks: list[GateCheck] = []
    more: dict[str, int] = {}
    for name, own in evidence.items():
        before = (baseline or {}).get(name)
        prefix = f"{name}: " if len(evidence) > 1 else ""
        for condition, found in _conditions(policy, own, before, one_sided, never, prices):
            check = _check(condition, found, name, prefix)
            checks.append(check)
            if found.more is not None:
                more[check.name] = found.more
    return GateDecision(
        decision=_overall([check.decision for check in checks if check.required]),
        checks=tuple(checks),
        missing=more,
        policy=policy.name,
        assistants=tuple(evidence),
        reasons=reasons,
        confidence=policy.confidence,
        minimum_n=policy.minimum_n,
        minimum_marks=policy.minimum_marks,
    )


def _conditions(
    policy: Policy,
    own: Evidence,
    before: Evidence | None,
    one_sided: float,
    never_confidence: float,
    prices: UnitPrices,
) -> Iterator[tuple[Condition, Found]]:
    for kind, table in (("at_least", policy.at_least), ("at_most", policy.at_most)):
        for measure, wanted in table.items():
            if not _left_out(policy, own, measure):
                condition = Condition(policy, own, kind, measure, wanted, prices)
                yield condition, threshold(condition)
    for never in policy.never:
        if not _left_out(policy, own, never.measure):
            condition = Condition(policy, own, "never", never.measure, never.bound or 0.0)
            yield condition, never_breached(condition, never, never_confidence)
    for measure, most in policy.evidence.items():
        condition = Condition(policy, own, "evidence", measure, most)
        yield condition, enough(condition)
    if policy.not_worse:
        for measure in policy.not_worse.measures:
            condition = Condition(policy, own, "not_worse", measure, -policy.not_worse.margin)
            yield condition, not_worse(condition, policy.not_worse, before, one_sided)


def _left_out(policy: Policy, own: Evidence, measure: str) -> bool:
    # Only where the policy says so: else a measure that went missing would silently drop its own check.
    return measure in policy.where_measured and not own.known(measure)


def _overall(decisions: Sequence[Decision]) -> Decision:
    # A failure counts even where other checks lack evidence: more samples cannot undo it.
    if "fail" in decisions:
        return "fail"
    # No condition at all is no pass: an empty policy must not let a release through.
    return "pass" if decisions and set(decisions) == {"pass"} else OPEN


def _check(condition: Condition, found: Found, assistant: str, prefix: str) -> GateCheck:
    kind, measure = condition.kind, condition.measure
    detectable = _detectable(found.estimate, at_least=condition.at_least) if kind in _INTERVALS else None
    seen = () if detectable is None else (_distance(condition, detectable),)
    check = GateCheck(
        name=f"{prefix}{_NAMES.get(kind, '')}{measure}",
        decision=found.decision,
        estimate=found.estimate,
        threshold=condition.threshold,
        reason="",
        unit=_unit(condition),
        required=measure not in condition.policy.advisory,
        detectable=detectable,
        kind=kind,
        measure=measure,
        assistant=assistant,
        reasons=(*found.reasons, *seen),
        holds=found.holds,  # type: ignore[arg-type]
        observed=found.observed,
        missing=dict(found.missing or {}),
    )
    return replace(check, reason=reason_text(check, "en"))


def _unit(condition: Condition) -> str:
    own = condition.own.definition(condition.measure)
    if condition.kind in _RATES:
        return SHARE
    return DIFFERENCE if condition.kind == "not_worse" and own.is_share else own.unit


def _detectable(estimate: Estimate, *, at_least: bool) -> float | None:
    """How far beyond its threshold the truth has to lie for a pass with 80% power: the interval's own width, and chance.

    The bound that decides lies this width from the value, and moves with it from one set of samples to the next: in four
    of five sets the value lies at most .84 standard errors on the wrong side of the truth. docs/results-gate.md
    says how well that holds.
    """
    # Without spread there is no power to speak of: the formula would promise that any distance is seen.
    if not estimate.standard_error or estimate.value is None or estimate.low is None or estimate.high is None:
        return None
    width = estimate.value - estimate.low if at_least else estimate.high - estimate.value
    return width + _POWER * estimate.standard_error


def _distance(condition: Condition, detectable: float) -> GateReason:
    """How far the truth has to lie beyond the threshold; a share ends at 0 and 1, and no truth lies beyond them."""
    beyond = detectable + (condition.threshold if condition.at_least else 1 - condition.threshold)
    share = condition.kind != "not_worse" and condition.own.definition(condition.measure).is_share
    return reason_for("out_of_reach") if share and beyond > 1 else reason_for("detectable", detectable=detectable)
