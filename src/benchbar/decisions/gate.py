"""The release gate: pass, fail or insufficient evidence, decided on intervals and never on points. No input, no output."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil

from msgspec.structs import replace

from benchbar.decisions.policy import Never, NotWorse, Policy
from benchbar.measures.registry import definition
from benchbar.records import Estimate, GateCheck, GateDecision
from benchbar.records.measures import SHARE, MeasureDefinition
from benchbar.statistics import (
    ThresholdDecision,
    betting_interval,
    clean_needed,
    correct,
    decide_threshold,
    mean,
    minimum_detectable_effect,
    more_needed,
    non_inferior,
    paired_difference,
    units_needed,
    upper_bound_of_failures,
)
from benchbar.statistics.betting import METHOD as BETTING
from benchbar.statistics.comparing import Verdict

MARKED = "inclusion probability"
"""In the method of an estimate that people's marks went into."""
DIFFERENCE = "difference"
"""Unit of a check that compares two runs: later less earlier, on the measure's own scale, turned so that more is better."""
ONE_SIDED = 0.9
"""Confidence of the interval of a one-sided test at 5%."""
Values = Mapping[str, float | None]
"""Sample to value."""


@dataclass(frozen=True)
class Marks:
    """What people said of one measure."""

    values: Values
    """Sample to the mean of their marks."""
    probability: Mapping[str, float]
    """Sample to its recorded chance of being marked, for every sample of the frozen list."""


@dataclass(frozen=True)
class Evidence:
    """What is known of one assistant: measure to sample to value, and to what people marked."""

    values: Mapping[str, Values]
    marks: Mapping[str, Marks] = field(default_factory=dict)
    disputed: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Measure to samples that people still dispute: they have no value and are counted as missing."""
    declared: Mapping[str, MeasureDefinition] = field(default_factory=dict)
    """Measures that scoring rules of the run declare; all others are the registry's."""

    def definition(self, measure: str) -> MeasureDefinition:
        """Unit and direction of a measure."""
        return definition(measure, self.declared)


@dataclass(frozen=True)
class _Found:
    """A check with what it leaves open."""

    check: GateCheck
    more: int | None = None


def decide(
    policy: Policy,
    evidence: Mapping[str, Evidence],
    *,
    baseline: Mapping[str, Evidence] | None = None,
) -> GateDecision:
    """Every condition of the policy for every assistant in ``evidence``; one that fails fails all.

    A condition on something that was never scored is insufficient evidence. With several assistants the checks' names
    begin with theirs.
    """
    found: list[_Found] = []
    for name, own in evidence.items():
        prefix = f"{name}: " if len(evidence) > 1 else ""
        before = (baseline or {}).get(name)
        found += [_named(one, prefix) for one in _checks(policy, own, before)]
    checks = tuple(one.check for one in found)
    return GateDecision(
        decision=_overall([check.decision for check in checks if check.required]),
        checks=checks,
        missing={one.check.name: one.more for one in found if one.more is not None},
        policy=policy.name,
        assistants=tuple(evidence),
    )


def _overall(decisions: Sequence[Verdict]) -> Verdict:
    # A failure counts even where other checks lack evidence: more samples cannot undo it.
    if "fail" in decisions:
        return "fail"
    # No condition at all is no pass: an empty policy must not let a release through.
    return "pass" if decisions and set(decisions) == {"pass"} else "insufficient_evidence"


def _named(found: _Found, prefix: str) -> _Found:
    return _Found(replace(found.check, name=prefix + found.check.name), found.more) if prefix else found


def _checks(policy: Policy, own: Evidence, before: Evidence | None) -> Iterator[_Found]:
    for at_least, table in ((True, policy.at_least), (False, policy.at_most)):
        for measure, threshold in table.items():
            if not _left_out(policy, own, measure):
                yield _threshold(policy, own, measure, threshold, at_least=at_least)
    for never in policy.never:
        if not _left_out(policy, own, never.measure):
            yield _never(policy, own, never)
    for measure, threshold in policy.evidence.items():
        yield _enough(policy, own, measure, threshold)
    if policy.not_worse:
        yield from _not_worse(policy, policy.not_worse, own, before)


def _left_out(policy: Policy, own: Evidence, measure: str) -> bool:
    # Only where the policy says so: else a measure that went missing would silently drop its own check.
    return measure in policy.where_measured and not _known(own, measure)


def _known(own: Evidence, measure: str) -> list[float]:
    return [value for value in own.values.get(measure, {}).values() if value is not None]


def estimated(own: Evidence, measure: str, confidence: float, *, minimum_marks: int = 2) -> Estimate:
    """The mean of a measure over samples; where people marked enough, with their marks by the chances of being made."""
    values = dict(own.values.get(measure, {}))
    # Student's t released rare catastrophes: with values of .97 to 1 and few zeros, 33% of runs of 30 passed at .95.
    average = betting_interval if own.definition(measure).is_share else mean
    disputed = own.disputed.get(measure, frozenset())
    marks = own.marks.get(measure)
    # Too few marks give an interval that is too narrow (statistics.correct), which is worse than none for
    # a gate.
    if marks is None or len(marks.values) < minimum_marks:
        return average(
            [None if sample in disputed else value for sample, value in values.items()], confidence=confidence
        )
    # What people still dispute is missing: neither they nor the judge has settled it.
    samples = [sample for sample in values if sample not in disputed]
    found = correct(
        [values[sample] for sample in samples],
        [marks.values.get(sample) for sample in samples],
        # Marks are weighed by the chance of having been asked: people see the doubtful samples first, and
        # a plain mean of their marks would be of those.
        probability=[marks.probability.get(sample, 0.0) for sample in samples],
        confidence=confidence,
    ).corrected
    return replace(found, n_missing=found.n_missing + len(values) - len(samples))


def _threshold(policy: Policy, own: Evidence, measure: str, threshold: float, *, at_least: bool) -> _Found:
    estimate = estimated(own, measure, policy.confidence, minimum_marks=policy.minimum_marks)
    found = decide_threshold(estimate, threshold, at_least=at_least, minimum_n=policy.minimum_n)
    if found.verdict == "insufficient_evidence" and estimate.n >= policy.minimum_n:
        found = found._replace(more=_more_needed(own, measure, estimate, threshold, found.more))
    detectable = _detectable(estimate)
    reason = (
        _why(policy, measure, estimate, threshold, found, at_least=at_least)
        + _seen(detectable)
        + _left_open(own, measure)
    )
    if found.verdict == "pass" and (said := _contradicted(policy, own, measure, threshold, at_least=at_least)):
        found, reason = ThresholdDecision("insufficient_evidence", None), said
    unit = own.definition(measure).unit
    return _found(policy, measure, measure, found, estimate, threshold, reason, unit, detectable)


def _left_open(own: Evidence, measure: str) -> str:
    """How much a measure of proven faults left open: 0 invented citations of which 40 are open is no clean record."""
    count = sum(_known(own, "open_citations")) if measure == "invented_citation" else 0
    return f"; {count:.0f} more citations are open: the law at hand cannot decide on them" if count else ""


def _found(
    policy: Policy,
    name: str,
    measure: str,
    found: ThresholdDecision,
    estimate: Estimate,
    threshold: float,
    reason: str,
    unit: str,
    detectable: float | None = None,
) -> _Found:
    check = GateCheck(
        name=name,
        decision=found.verdict,
        estimate=estimate,
        threshold=threshold,
        reason=reason,
        unit=unit,
        required=measure not in policy.advisory,
        detectable=detectable,
    )
    return _Found(check, found.more)


def _why(
    policy: Policy, measure: str, estimate: Estimate, threshold: float, found: ThresholdDecision, *, at_least: bool
) -> str:
    bound = f"{'minimum' if at_least else 'maximum'} {threshold:g}"
    if estimate.value is None:
        return f"{measure} was never scored: {estimate.reason}; the policy requires a {bound}"
    if estimate.n < policy.minimum_n and found.verdict != "fail":
        return f"{estimate.n} samples; the policy requires {policy.minimum_n}"
    if estimate.low is None or estimate.high is None:
        return f"no interval: {estimate.reason}"
    interval = f"[{estimate.low:.3f}, {estimate.high:.3f}]"
    if found.verdict == "insufficient_evidence":
        return f"the interval {interval} contains the {bound}; {_more(found.more, estimate)}"
    passed = found.verdict == "pass"
    side = f"{'at or ' if passed else ''}{'above' if at_least == passed else 'below'}"
    return f"the interval {interval} lies entirely {side} the {bound}"


def _more(more: int | None, estimate: Estimate) -> str:
    what = "human marks" if MARKED in estimate.method else "samples"
    return (
        "the value is too close to it for more samples to decide"
        if more is None
        else f"{more} more {what} would decide"
    )


def _more_needed(own: Evidence, measure: str, estimate: Estimate, threshold: float, more: int | None) -> int | None:
    """Further samples, or human marks where these decide; ``more`` is what the estimate alone says."""
    if measure in own.marks and MARKED in estimate.method:
        return _more_marks(estimate, threshold, len(own.marks[measure].values))
    if estimate.method == BETTING:
        disputed = own.disputed.get(measure, frozenset())
        known = [one for sample, one in own.values[measure].items() if one is not None and sample not in disputed]
        return units_needed(known, threshold, confidence=estimate.confidence)
    return more


def _contradicted(policy: Policy, own: Evidence, measure: str, threshold: float, *, at_least: bool) -> str:
    """Why people's marks, too few to enter the estimate, forbid a pass; empty where they do not.

    Doubtful dialogues are marked first, so a few low marks alone prove little: they stop a release, and never fail it.
    """
    marks = own.marks.get(measure)
    if marks is None or not own.definition(measure).is_share or len(marks.values) >= policy.minimum_marks:
        return ""
    said = betting_interval(list(marks.values.values()), confidence=policy.confidence)
    if decide_threshold(said, threshold, at_least=at_least).verdict != "fail":
        return ""
    return (
        f"the automatic values pass, but {said.n} human marks do not: mean {said.value:.3f}"
        f" [{said.low:.3f}, {said.high:.3f}]; have {policy.minimum_marks} dialogues marked, or find out why they differ"
    )


def _more_marks(estimate: Estimate, threshold: float, marks: int) -> int | None:
    """Marks shrink the interval by the root of their number, near enough."""
    if estimate.value is None or estimate.low is None or estimate.high is None or estimate.value == threshold:
        return None
    half = estimate.value - estimate.low if estimate.value > threshold else estimate.high - estimate.value
    return max(ceil(marks * (half / abs(estimate.value - threshold)) ** 2) - marks, 1)


def _detectable(estimate: Estimate) -> float | None:
    # Without spread there is no power to speak of: the formula would promise that any distance is seen.
    if not estimate.standard_error or not estimate.n:
        return None
    deviation = estimate.standard_error * estimate.n**0.5
    return minimum_detectable_effect(estimate.n, deviation, level=1 - estimate.confidence)


def _seen(detectable: float | None) -> str:
    return "" if detectable is None else f"; minimum detectable effect (80% power): {detectable:.3f}"


def _never(policy: Policy, own: Evidence, never: Never) -> _Found:
    name = f"never {never.measure}"
    known = _known(own, never.measure)
    breaches = sum(never.breached(value) for value in known)
    n_missing = len(own.values.get(never.measure, {})) - len(known)
    estimate = replace(upper_bound_of_failures(breaches, len(known), confidence=policy.confidence), n_missing=n_missing)
    threshold = 0.0 if never.bound is None else never.bound
    found, reason = _clean(policy, never, breaches, estimate)
    # The estimate is a rate of breaches, whatever the measure itself counts.
    return _found(policy, name, never.measure, found, estimate, threshold, reason, SHARE)


def _clean(policy: Policy, never: Never, breaches: int, estimate: Estimate) -> tuple[ThresholdDecision, str]:
    if estimate.value is None:
        return ThresholdDecision("insufficient_evidence", policy.minimum_n), f"{never.measure} was never scored"
    high = estimate.high or 0.0
    if breaches:
        # One breach decides, whatever n is: `never` is a rule, not a rate.
        return ThresholdDecision("fail", None), f"{breaches} of {estimate.n} dialogues breach it; none may"
    bounded = f"0 of {estimate.n} dialogues breach it, which bounds the rate at {high:.1%}"
    needed = policy.minimum_n
    if never.bound is not None:
        # Zero breaches in ten dialogues exclude no rate below 25%.
        needed = max(needed, clean_needed(never.bound, confidence=policy.confidence))
    if estimate.n < needed:
        more = needed - estimate.n
        return ThresholdDecision("insufficient_evidence", more), f"{bounded}; {more} more clean samples would decide"
    return ThresholdDecision("pass", None), bounded


def _enough(policy: Policy, own: Evidence, measure: str, threshold: float) -> _Found:
    """The run's own share is a count of what is there, not a sample of something else: it is compared as it is."""
    estimate = estimated(own, measure, policy.confidence)
    name = f"evidence {measure}"
    if estimate.value is None:
        found = ThresholdDecision("insufficient_evidence", policy.minimum_n)
        return _found(policy, name, measure, found, estimate, threshold, f"{measure} was never recorded", SHARE)
    if estimate.value <= threshold:
        reason = f"{estimate.value:.1%} of this run is {measure}; at most {threshold:.0%} is allowed"
        return _found(policy, name, measure, ThresholdDecision("pass", None), estimate, threshold, reason, SHARE)
    # The least number of samples that have to be repaired, such as failed dialogues run again.
    more = ceil((estimate.value - threshold) * estimate.n)
    reason = f"{estimate.value:.1%} of this run is {measure}, more than {threshold:.0%}: too little evidence remains"
    return _found(
        policy, name, measure, ThresholdDecision("insufficient_evidence", more), estimate, threshold, reason, SHARE
    )


def _not_worse(policy: Policy, rule: NotWorse, own: Evidence, before: Evidence | None) -> Iterator[_Found]:
    for measure in rule.measures:
        now, then = own.values.get(measure, {}), (before.values.get(measure, {}) if before else {})
        samples = [sample for sample in now if sample in then]
        first, second = [now[sample] for sample in samples], [then[sample] for sample in samples]
        if own.definition(measure).better == "lower":
            # A rise of what should be low is the loss: the margin bounds it from the same side as any other.
            first, second = second, first
        difference = difference_in(own.definition(measure), first, second, confidence=ONE_SIDED)
        yield _compared(policy, rule, measure, difference, has_baseline=before is not None)


def difference_in(
    kind: MeasureDefinition,
    first: Sequence[float | None],
    second: Sequence[float | None],
    *,
    confidence: float = 0.95,
) -> Estimate:
    """First less second over pairs that have both; shares by the intervals that hold for values from 0 to 1."""
    if kind.is_share:
        return paired_difference(first, second, confidence=confidence)
    pairs = zip(first, second, strict=True)
    return mean([None if a is None or b is None else a - b for a, b in pairs], confidence=confidence)


def _compared(policy: Policy, rule: NotWorse, measure: str, difference: Estimate, *, has_baseline: bool) -> _Found:
    found, reason = _non_inferior(policy, rule, measure, difference, has_baseline=has_baseline)
    detectable = _detectable(difference)
    name = f"not worse {measure}"
    reason += _seen(detectable)
    return _found(policy, name, measure, found, difference, -rule.margin, reason, DIFFERENCE, detectable)


def _non_inferior(
    policy: Policy, rule: NotWorse, measure: str, difference: Estimate, *, has_baseline: bool
) -> tuple[ThresholdDecision, str]:
    if difference.n < policy.minimum_n:
        found = ThresholdDecision("insufficient_evidence", policy.minimum_n - difference.n)
        if difference.value is None:
            absent = f"no sample has {measure} in both runs"
            return found, absent if has_baseline else "no baseline run was given: --baseline RUN"
        if difference.low is None or difference.high is None:
            return found, f"no interval: {difference.reason}"
        return found, f"{difference.n} samples are in both runs; the policy requires {policy.minimum_n}"
    verdict = non_inferior(difference, rule.margin)
    more = more_needed(difference, -rule.margin) if verdict == "insufficient_evidence" else None
    if difference.value is None or difference.low is None or difference.high is None:
        return ThresholdDecision(verdict, more), f"no interval: {difference.reason}"
    reason = (
        f"difference {difference.value:+.3f} [{difference.low:+.3f}, {difference.high:+.3f}] on {difference.n} paired"
        f" samples; a loss of {rule.margin:g} is allowed"
    )
    reason += "" if verdict != "insufficient_evidence" else f"; {_more(more, difference)}"
    return ThresholdDecision(verdict, more), reason
