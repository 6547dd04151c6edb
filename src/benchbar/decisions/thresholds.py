"""At least or at most: an interval held against a threshold, whatever the missing values are and however far a judge errs."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from benchbar.decisions.conditions import OPEN, Condition, Found, counted, on_trials, reason_for
from benchbar.decisions.estimating import POWER, Estimated, estimated, marks_of, needed
from benchbar.decisions.planning import OpenCondition, cures, ways
from benchbar.records import GateReason
from benchbar.records.scoring import Decision
from benchbar.statistics import betting_interval, decide_threshold, marked_interval
from benchbar.statistics.marked import PEOPLE


def threshold(given: Condition) -> Found:
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
    return Found(
        decision,
        found.estimate,
        (*reasons, *_on_missing(given, found, decision), *_on_judge(given, found, decision)),
        more,
        _holds(found),
        found.observed if found.gaps.open or found.error else None,
        found.gaps.all,
    )


def _what_would_decide(given: Condition, found: Estimated) -> tuple[int | None, tuple[GateReason, ...]]:
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
        return None, (reason_for(_no_number(given, found)), *rest)
    key = f"more_{'marks' if found.marks else 'samples'}_{'pass' if further.above == given.at_least else 'fail'}"
    return more, (reason_for(key, more=more or 0, power=POWER), *rest)


def _least(given: Condition, found: Estimated) -> int:
    """Samples below the policy's number, where as large a share of further ones will have no value."""
    n, wanting = found.estimate.n, max(given.policy.minimum_n - found.estimate.n, 0)
    return ceil(wanting * (n + sum(found.gaps.open.values())) / n) if n else wanting


def _without_bounds(found: Estimated) -> GateReason:
    """A value without bounds has no worst case."""
    return reason_for("missing_without_bounds", **counted(found.gaps.open))


def _no_number(given: Condition, found: Estimated) -> str:
    """Why no number of samples decides: what is missing, the judge's error, too few dialogues to mark, or the value itself."""
    if found.marks:
        return "no_more_marks"
    if given.own.definition(given.measure).is_share:
        if found.gaps.open:
            return "no_more_with_gaps"
        if found.error:
            return "no_more_with_error"
    return "no_more_samples"


def _on_interval(given: Condition, found: Estimated, decision: Decision) -> tuple[GateReason, ...]:
    estimate, policy = found.estimate, given.policy
    side = "minimum" if given.at_least else "maximum"
    if estimate.value is None:
        return (reason_for(f"never_scored_{side}", measure=given.measure, threshold=given.threshold),)
    if estimate.n < policy.minimum_n and decision != "fail":
        return (reason_for("too_few", n=estimate.n, minimum=policy.minimum_n),)
    if estimate.low is None or estimate.high is None:
        return (reason_for("no_interval", why=estimate.reason),)
    key = {"pass": "passes", "fail": "fails", OPEN: "contains"}[decision]
    told = reason_for(f"{key}_{side}", low=estimate.low, high=estimate.high, threshold=given.threshold)
    if not found.marks:
        return (told,)
    waiting = given.own.marks[given.measure].waiting
    if decision == OPEN or not waiting:
        return (told, reason_for("marks", marks=found.marks))
    # The interval holds at every look: what is decided now needs no further mark.
    return (told, reason_for("decided_after", marks=found.marks, planned=found.marks + waiting, waiting=waiting))


def _on_missing(given: Condition, found: Estimated, decision: Decision) -> Iterator[GateReason]:
    """Under which reading of the missing values the decision holds, and what they hide."""
    gaps, policy = found.gaps, given.policy
    # 0 invented citations of which 40 are open is no clean record.
    if given.measure == "invented_citation" and (count := sum(given.own.known("open_citations"))):
        yield reason_for("open_citations", count=count)
    if gaps.assumed:
        yield reason_for("missing_assumed", **counted(gaps.assumed), why=policy.missing.reason)
    if not gaps.open:
        return
    if given.own.definition(given.measure).is_share:
        yield from on_trials(gaps)
        yield _on_open(given, found, decision)
    if decision == OPEN:
        yield from cures(gaps.open)


def _on_open(given: Condition, found: Estimated, decision: Decision) -> GateReason:
    """What the missing values of a share hide."""
    gaps, minimum_n = found.gaps, given.policy.minimum_n
    if decision != OPEN:
        return reason_for("missing_worst", **counted(gaps.open))
    alone = decide_threshold(found.observed, given.threshold, at_least=given.at_least, minimum_n=minimum_n)
    low, high = found.observed.low, found.observed.high
    if alone.verdict != OPEN and low is not None and high is not None:
        return reason_for(f"missing_hides_{alone.verdict}", **counted(gaps.open), low=low, high=high)
    return reason_for("missing_open", **counted(gaps.open))


def _holds(found: Estimated) -> str:
    return "as_observed" if found.gaps.assumed else "worst_case" if found.gaps.open else "complete"


def _on_judge(given: Condition, found: Estimated, decision: Decision) -> Iterator[GateReason]:
    """What is known of the judge on whose word a measure passes."""
    if found.error is not None and given.policy.judge:
        yield reason_for("judge_error", error=found.error, source=given.policy.judge.source)
    elif decision == "pass" and not found.marks and given.own.judged(given.measure):
        yield reason_for("rules_unknown" if given.own.decided_by == "rules" else "judge_unknown")


def _barred(given: Condition, found: Estimated) -> GateReason | None:
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
        return reason_for("contradicted", marks=found.marks, low=people.low or 0.0, high=people.high or 0.0)
    if found.marks < policy.minimum_marks:
        return reason_for("too_few_marks", marks=found.marks, minimum=policy.minimum_marks)
    return None
