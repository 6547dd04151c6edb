"""The release gate: pass, fail or insufficient evidence, decided on intervals and never on points. No input, no output."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from statistics import NormalDist

from msgspec.structs import replace

from benchbar.decisions.estimating import POWER, Estimated, Evidence, Gaps, estimated, gaps_of, marks_of, needed
from benchbar.decisions.explaining import reason_text
from benchbar.decisions.planning import NO_PRICES, OpenCondition, UnitPrices, cures, ways
from benchbar.decisions.policy import Never, NotWorse, Policy
from benchbar.records import Estimate, GateCheck, GateDecision, GateReason
from benchbar.records.measures import DIFFERENCE, SHARE
from benchbar.records.scoring import Decision
from benchbar.statistics import (
    asymptotic_interval,
    betting_difference,
    betting_interval,
    clean_needed,
    decide_threshold,
    marked_interval,
    more_needed,
    non_inferior,
    units_needed,
    upper_bound_of_failures,
)
from benchbar.statistics.betting import difference_bounds
from benchbar.statistics.clusters import codes_of
from benchbar.statistics.marked import PEOPLE
from benchbar.statistics.numbers import gapped

ONE_SIDED = 0.9
"""Confidence of the interval of a one-sided test at 5%."""
LOW_CONFIDENCE = 0.8
"""Below it a decision is little better than a guess, and says so."""
OPEN: Decision = "insufficient_evidence"


@dataclass(frozen=True)
class _Found:
    """What came of a condition: the decision, what it rests on, and how much more would decide."""

    decision: Decision
    estimate: Estimate
    reasons: tuple[GateReason, ...]
    more: int | None = None
    holds: str = "complete"
    observed: Estimate | None = None
    missing: Mapping[str, int] | None = None


@dataclass(frozen=True)
class _Condition:
    """A condition of the policy, and what is known for it."""

    policy: Policy
    own: Evidence
    kind: str
    measure: str
    threshold: float
    prices: UnitPrices = NO_PRICES

    @property
    def at_least(self) -> bool:
        return self.kind != "at_most"


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
        reasons += (_because("low_confidence", confidence=policy.confidence, errors=(1 - policy.confidence) / 2),)
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


def _overall(decisions: Sequence[Decision]) -> Decision:
    # A failure counts even where other checks lack evidence: more samples cannot undo it.
    if "fail" in decisions:
        return "fail"
    # No condition at all is no pass: an empty policy must not let a release through.
    return "pass" if decisions and set(decisions) == {"pass"} else OPEN


_NAMES = {"never": "never ", "evidence": "evidence ", "not_worse": "not worse "}
_INTERVALS = frozenset({"at_least", "at_most", "not_worse"})
"""Checks that hold an interval against a threshold."""
_RATES = frozenset({"never", "evidence"})
"""Checks whose estimate is a rate of dialogues, whatever the measure itself counts."""


def _check(condition: _Condition, found: _Found, assistant: str, prefix: str) -> GateCheck:
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


def _unit(condition: _Condition) -> str:
    own = condition.own.definition(condition.measure)
    if condition.kind in _RATES:
        return SHARE
    return DIFFERENCE if condition.kind == "not_worse" and own.is_share else own.unit


def _because(key: str, **values: str | float | dict[str, int]) -> GateReason:
    return GateReason(key=key, values=values)


_POWER = NormalDist().inv_cdf(POWER)


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


def _distance(condition: _Condition, detectable: float) -> GateReason:
    """How far the truth has to lie beyond the threshold; a share ends at 0 and 1, and no truth lies beyond them."""
    beyond = detectable + (condition.threshold if condition.at_least else 1 - condition.threshold)
    share = condition.kind != "not_worse" and condition.own.definition(condition.measure).is_share
    return _because("out_of_reach") if share and beyond > 1 else _because("detectable", detectable=detectable)


def _conditions(
    policy: Policy,
    own: Evidence,
    before: Evidence | None,
    one_sided: float,
    never_confidence: float,
    prices: UnitPrices,
) -> Iterator[tuple[_Condition, _Found]]:
    for kind, table in (("at_least", policy.at_least), ("at_most", policy.at_most)):
        for measure, threshold in table.items():
            if not _left_out(policy, own, measure):
                condition = _Condition(policy, own, kind, measure, threshold, prices)
                yield condition, _threshold(condition)
    for never in policy.never:
        if not _left_out(policy, own, never.measure):
            condition = _Condition(policy, own, "never", never.measure, never.bound or 0.0)
            yield condition, _never(condition, never, never_confidence)
    for measure, threshold in policy.evidence.items():
        condition = _Condition(policy, own, "evidence", measure, threshold)
        yield condition, _enough(condition)
    if policy.not_worse:
        for measure in policy.not_worse.measures:
            condition = _Condition(policy, own, "not_worse", measure, -policy.not_worse.margin)
            yield condition, _not_worse(condition, policy.not_worse, before, one_sided)


def _left_out(policy: Policy, own: Evidence, measure: str) -> bool:
    # Only where the policy says so: else a measure that went missing would silently drop its own check.
    return measure in policy.where_measured and not own.known(measure)


def _threshold(given: _Condition) -> _Found:
    """At least or at most: the whole interval on the right side, whatever the missing values are."""
    policy, measure = given.policy, given.measure
    found = estimated(policy, given.own, measure)
    verdict = decide_threshold(found.estimate, given.threshold, at_least=given.at_least, minimum_n=policy.minimum_n)
    decision, more, reasons = verdict.verdict, None, _on_interval(given, found, verdict.verdict)
    if decision == OPEN:
        more, told = _what_would_decide(given, found)
        reasons += told
    elif found.gaps.open and not given.own.definition(measure).is_share:
        decision, reasons = OPEN, (*reasons, _without_bounds(found))
    elif decision == "pass" and (barred := _barred(given, found)):
        decision, more, reasons = OPEN, None, (*reasons, barred)
    return _Found(
        decision,
        found.estimate,
        (*reasons, *_on_missing(given, found, decision), *_on_judge(given, found, decision)),
        more,
        _holds(found),
        found.observed if found.gaps.open or found.error else None,
        found.gaps.all,
    )


def _what_would_decide(given: _Condition, found: Estimated) -> tuple[int | None, tuple[GateReason, ...]]:
    """How many further samples or marks would decide and which way; where no number would, what stands in the way."""
    estimate, gaps, least = found.estimate, found.gaps, _least(given, found)
    if estimate.value is None:
        # Samples that nobody marked stay unmarked however many follow.
        return (None if gaps.open else max(least, 1)), ()
    if gaps.open and not given.own.definition(given.measure).is_share:
        return None, (_without_bounds(found),)
    if estimate.low is None:
        return least or None, ()
    if found.marks and least:
        # Marks do not make up for samples that the policy asks for.
        return least, ()
    further = needed(given.own, given.measure, found, given.threshold)
    # The interval itself may have been rounded to the open side.
    more = None if further is None else max(further.more, least, 1)
    rest = ways(OpenCondition(given.own, given.measure, found, given.threshold, given.at_least, more, given.prices))
    if further is None:
        return None, (_because(_no_number(given, found)), *rest)
    key = f"more_{'marks' if found.marks else 'samples'}_{'pass' if further.above == given.at_least else 'fail'}"
    return more, (_because(key, more=more or 0, power=POWER), *rest)


def _least(given: _Condition, found: Estimated) -> int:
    """Samples below the policy's number, where as large a share of further ones will have no value."""
    n, wanting = found.estimate.n, max(given.policy.minimum_n - found.estimate.n, 0)
    return ceil(wanting * (n + sum(found.gaps.open.values())) / n) if n else wanting


def _without_bounds(found: Estimated) -> GateReason:
    """A value without bounds has no worst case."""
    return _because("missing_without_bounds", **_counted(found.gaps.open))


def _no_number(given: _Condition, found: Estimated) -> str:
    """Why no number of samples decides: what is missing, the judge's error, too few dialogues to mark, or the value itself."""
    if found.marks:
        return "no_more_marks"
    if given.own.definition(given.measure).is_share:
        if found.gaps.open:
            return "no_more_with_gaps"
        if found.error:
            return "no_more_with_error"
    return "no_more_samples"


def _on_interval(given: _Condition, found: Estimated, decision: Decision) -> tuple[GateReason, ...]:
    estimate, policy = found.estimate, given.policy
    side = "minimum" if given.at_least else "maximum"
    if estimate.value is None:
        return (_because(f"never_scored_{side}", measure=given.measure, threshold=given.threshold),)
    if estimate.n < policy.minimum_n and decision != "fail":
        return (_because("too_few", n=estimate.n, minimum=policy.minimum_n),)
    if estimate.low is None or estimate.high is None:
        return (_because("no_interval", why=estimate.reason),)
    key = {"pass": "passes", "fail": "fails", OPEN: "contains"}[decision]
    told = _because(f"{key}_{side}", low=estimate.low, high=estimate.high, threshold=given.threshold)
    if not found.marks:
        return (told,)
    waiting = given.own.marks[given.measure].waiting
    if decision == OPEN or not waiting:
        return (told, _because("marks", marks=found.marks))
    # The interval holds at every look: what is decided now needs no further mark.
    return (told, _because("decided_after", marks=found.marks, planned=found.marks + waiting, waiting=waiting))


def _counted(kinds: Mapping[str, int]) -> dict[str, int | dict[str, int]]:
    return {"missing": sum(kinds.values()), "kinds": dict(kinds)}


def _on_missing(given: _Condition, found: Estimated, decision: Decision) -> Iterator[GateReason]:
    """Under which reading of the missing values the decision holds, and what they hide."""
    gaps, policy = found.gaps, given.policy
    # 0 invented citations of which 40 are open is no clean record.
    if given.measure == "invented_citation" and (count := sum(given.own.known("open_citations"))):
        yield _because("open_citations", count=count)
    if gaps.assumed:
        yield _because("missing_assumed", **_counted(gaps.assumed), why=policy.missing.reason)
    if not gaps.open:
        return
    if given.own.definition(given.measure).is_share:
        yield from _on_trials(gaps)
        yield _on_open(given, found, decision)
    if decision == OPEN:
        yield from cures(gaps.open)


def _on_open(given: _Condition, found: Estimated, decision: Decision) -> GateReason:
    """What the missing values of a share hide."""
    gaps, minimum_n = found.gaps, given.policy.minimum_n
    if decision != OPEN:
        return _because("missing_worst", **_counted(gaps.open))
    alone = decide_threshold(found.observed, given.threshold, at_least=given.at_least, minimum_n=minimum_n)
    low, high = found.observed.low, found.observed.high
    if alone.verdict != OPEN and low is not None and high is not None:
        return _because(f"missing_hides_{alone.verdict}", **_counted(gaps.open), low=low, high=high)
    return _because("missing_open", **_counted(gaps.open))


def _on_trials(gaps: Gaps) -> Iterator[GateReason]:
    """That a mean over the trials that have a value is not taken for the value of a sample."""
    if gaps.trials:
        yield _because("missing_trials", count=gaps.trials)


def _holds(found: Estimated) -> str:
    return "as_observed" if found.gaps.assumed else "worst_case" if found.gaps.open else "complete"


def _on_judge(given: _Condition, found: Estimated, decision: Decision) -> Iterator[GateReason]:
    """What is known of the judge on whose word a measure passes."""
    if found.error is not None and given.policy.judge:
        yield _because("judge_error", error=found.error, source=given.policy.judge.source)
    elif decision == "pass" and not found.marks and given.own.judged(given.measure):
        yield _because("rules_unknown" if given.own.decided_by == "rules" else "judge_unknown")


def _barred(given: _Condition, found: Estimated) -> GateReason | None:
    """Why people's marks forbid a pass: too few of them carry it, or they contradict the automatic values."""
    if not found.marks:
        return None
    policy, marks = given.policy, given.own.marks[given.measure]
    said, chances = marks_of(found.gaps, marks)
    if all(chances):
        clusters = given.own.clustered(found.gaps.samples)
        people = marked_interval(
            found.gaps.values, said, chances, clusters=clusters, trust=PEOPLE, confidence=policy.confidence
        )
    else:
        # Some could not be asked about: marks say nothing of those, but as they stand they have to allow the release.
        clusters = given.own.clustered(list(marks.values))
        people = betting_interval(list(marks.values.values()), clusters=clusters, confidence=policy.confidence)
    if decide_threshold(people, given.threshold, at_least=given.at_least).verdict == "fail":
        return _because("contradicted", marks=found.marks, low=people.low or 0.0, high=people.high or 0.0)
    if found.marks < policy.minimum_marks:
        return _because("too_few_marks", marks=found.marks, minimum=policy.minimum_marks)
    return None


def _never(given: _Condition, never: Never, confidence: float) -> _Found:
    gaps = gaps_of(given.policy, given.own, given.measure)
    # A breach in any trial is one, whatever became of the others.
    known = [value for value in gaps.observed if value is not None]
    breaches = sum(never.breached(value) for value in known)
    estimate = replace(
        upper_bound_of_failures(breaches, len(known), confidence=confidence), n_missing=sum(gaps.all.values())
    )
    decision, more, reasons = _clean(given, never, breaches, estimate, confidence)
    if gaps.assumed:
        reasons += (_because("missing_assumed", **_counted(gaps.assumed), why=given.policy.missing.reason),)
    if gaps.open and decision != "fail":
        # `never` is a rule and not a rate: one dialogue that nobody could look into may be the breach.
        decision, more = OPEN, None
        reasons += (_because("missing_may_breach", **_counted(gaps.open)), *_on_trials(gaps), *cures(gaps.open))
    holds = "as_observed" if gaps.assumed else "complete" if not gaps.open else "worst_case"
    return _Found(decision, estimate, reasons, more, holds, None, gaps.all)


def _clean(
    given: _Condition, never: Never, breaches: int, estimate: Estimate, confidence: float
) -> tuple[Decision, int | None, tuple[GateReason, ...]]:
    minimum = given.policy.minimum_n
    if estimate.value is None:
        return OPEN, minimum, (_because("never_scored", measure=never.measure),)
    rule = {"above": never.above} if never.above is not None else {"below": never.below or 0.0}
    if breaches:
        # One breach decides, whatever n is.
        return "fail", None, (_because("breached", breaches=breaches, n=estimate.n, **rule),)
    bounded = _because("clean", n=estimate.n, bound=estimate.high or 0.0, **rule)
    # Zero breaches in ten dialogues exclude no rate below 25%.
    needed_clean = max(minimum, 0 if never.bound is None else clean_needed(never.bound, confidence=confidence))
    if estimate.n < needed_clean:
        more = needed_clean - estimate.n
        return OPEN, more, (bounded, _because("more_clean", more=more))
    return "pass", None, (bounded,)


def _enough(given: _Condition) -> _Found:
    """The run's own share is a count of what is there, not a sample of something else: it is compared as it is."""
    values = given.own.known(given.measure)
    estimate = betting_interval(values, confidence=given.policy.confidence)
    if estimate.value is None:
        return _Found(OPEN, estimate, (_because("never_recorded", measure=given.measure),), given.policy.minimum_n)
    told: dict[str, str | float] = {"value": estimate.value, "measure": given.measure, "threshold": given.threshold}
    if estimate.value <= given.threshold:
        return _Found("pass", estimate, (_because("within", **told),))
    # No number of further samples: they would fail, or stay open, as often as these did.
    kinds = {given.measure: sum(1 for value in values if value)}
    return _Found(OPEN, estimate, (_because("beyond", **told), *cures(kinds)))


def _not_worse(given: _Condition, rule: NotWorse, before: Evidence | None, confidence: float) -> _Found:
    policy, measure = given.policy, given.measure
    kind = given.own.definition(measure)
    now, then = gaps_of(policy, given.own, measure), gaps_of(policy, before or Evidence({}), measure)
    earlier = dict(zip(then.samples, then.values, strict=True))
    common = [one for one in now.samples if one in earlier]
    clusters = given.own.clustered(common)
    pairs = [(a, earlier[one]) for one, a in zip(now.samples, now.values, strict=True) if one in earlier]
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    if kind.better == "lower":
        # A rise of what should be low is the loss: the margin bounds it from the same side as any other.
        first, second = second, first
    open_pairs = sum(a is None or b is None for a, b in pairs)
    if kind.is_share:
        estimate = betting_difference(first, second, clusters=clusters, missing="worst", confidence=confidence)
    else:
        differences = [None if a is None or b is None else a - b for a, b in zip(first, second, strict=True)]
        estimate = asymptotic_interval(differences, clusters=clusters, confidence=confidence)
    decision, more, reasons = _non_inferior(
        given, rule, estimate, first, second, clusters, has_baseline=before is not None
    )
    if open_pairs and not kind.is_share and decision != OPEN:
        decision, more = OPEN, None
        reasons += (_because("missing_without_bounds", missing=open_pairs, kinds={}),)
    elif open_pairs and estimate.value is not None:
        key = "missing_open" if decision == OPEN else "missing_worst"
        reasons += (_because(key, missing=open_pairs, kinds=now.open or then.open),)
    if open_pairs and decision == OPEN:
        reasons += tuple(cures(now.open or then.open))
    assumed = now.assumed or then.assumed
    if assumed:
        reasons += (_because("missing_assumed", **_counted(assumed), why=policy.missing.reason),)
    holds = "as_observed" if assumed else "worst_case" if open_pairs else "complete"
    return _Found(decision, estimate, reasons, more, holds, None, {**then.all, **now.all})


def _non_inferior(
    given: _Condition,
    rule: NotWorse,
    difference: Estimate,
    first: Sequence[float | None],
    second: Sequence[float | None],
    clusters: Sequence[str] | None,
    *,
    has_baseline: bool,
) -> tuple[Decision, int | None, tuple[GateReason, ...]]:
    minimum, better = given.policy.minimum_n, given.own.definition(given.measure).better
    if difference.value is None:
        absent = _because("no_common", measure=given.measure) if has_baseline else _because("no_baseline")
        return OPEN, None, (absent,)
    if difference.n < minimum:
        return OPEN, minimum - difference.n, (_because("few_common", n=difference.n, minimum=minimum, better=better),)
    if difference.low is None or difference.high is None:
        return OPEN, None, (_because("no_interval", why=difference.reason),)
    told = _because(
        "difference",
        value=difference.value,
        low=difference.low,
        high=difference.high,
        n=difference.n,
        margin=rule.margin,
        better=better,
    )
    decision = non_inferior(difference, rule.margin)
    if decision != OPEN:
        return decision, None, (told,)
    if given.own.definition(given.measure).is_share:
        worst, best = difference_bounds(gapped(first), gapped(second))
        codes = codes_of(clusters, len(first))
        further = units_needed(
            worst, (1 - rule.margin) / 2, codes, best=best, confidence=difference.confidence, power=POWER
        )
    else:
        further = more_needed(difference, -rule.margin, power=POWER)
    if further is None:
        gaps = any(a is None or b is None for a, b in zip(first, second, strict=True))
        return OPEN, None, (told, _because("no_more_with_gaps" if gaps else "no_more_samples"))
    more = max(further.more, 1)
    return OPEN, more, (told, _because(f"more_samples_{'pass' if further.above else 'fail'}", more=more, power=POWER))
