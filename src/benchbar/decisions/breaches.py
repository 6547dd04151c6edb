"""Never, and evidence: conditions on single dialogues, where one breach decides and a run's own share is compared as it is."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from benchbar.decisions.conditions import OPEN, Condition, Found, counted, on_trials, reason_for
from benchbar.decisions.estimating import gaps_of
from benchbar.decisions.planning import cures
from benchbar.decisions.policy import Never
from benchbar.records import Estimate, GateReason
from benchbar.records.scoring import Decision
from benchbar.statistics import betting_interval, clean_needed, upper_bound_of_failures


def never_breached(given: Condition, never: Never, confidence: float) -> Found:
    gaps = gaps_of(given.policy, given.own, given.measure)
    # A breach in any trial is one, whatever became of the others.
    known = {sample: value for sample, value in zip(gaps.samples, gaps.observed, strict=True) if value is not None}
    breaching = [sample for sample, value in known.items() if never.breached(value)]
    # Sixty clean answers to one question, or about one document, are one clean unit.
    units = dict(zip(known, given.own.clustered(list(known)) or known, strict=True))
    clean = len(set(units.values()))
    bound = upper_bound_of_failures(len({units[one] for one in breaching}), clean, confidence=confidence)
    estimate = replace(
        bound, n=len(known), n_missing=sum(gaps.all.values()), unit="cluster" if clean < len(known) else bound.unit
    )
    decision, more, reasons = _clean(given, never, breaching, estimate, clean, confidence)
    if gaps.assumed:
        reasons += (reason_for("missing_assumed", **counted(gaps.assumed), why=given.policy.missing.reason),)
    if gaps.open and decision != "fail":
        # `never` is a rule and not a rate: one dialogue that nobody could look into may be the breach.
        decision, more = OPEN, None
        reasons += (reason_for("missing_may_breach", **counted(gaps.open)), *on_trials(gaps), *cures(gaps.open))
    holds = "as_observed" if gaps.assumed else "complete" if not gaps.open else "worst_case"
    return Found(decision, estimate, reasons, more, holds, None, gaps.all)


_NAMED = 5
"""Samples that break a rule and are named in its reason."""


def _clean(
    given: Condition, never: Never, breaching: Sequence[str], estimate: Estimate, units: int, confidence: float
) -> tuple[Decision, int | None, tuple[GateReason, ...]]:
    minimum = given.policy.minimum_n if never.minimum_n is None else never.minimum_n
    if estimate.value is None:
        return OPEN, minimum, (reason_for("never_scored", measure=never.measure),)
    rule = {"above": never.above} if never.above is not None else {"below": never.below or 0.0}
    if breaching:
        # One breach decides, whatever n is; whoever doubts it has to read that dialogue.
        told = ", ".join(breaching[:_NAMED]) + (", …" if len(breaching) > _NAMED else "")
        breached = reason_for("breached", breaches=len(breaching), n=estimate.n, **rule)
        return "fail", None, (breached, reason_for("breaching", samples=told))
    bounded = reason_for("clean", n=estimate.n, bound=estimate.high or 0.0, **rule)
    # Zero breaches in ten dialogues exclude no rate below 25%.
    needed_clean = 0 if never.bound is None else clean_needed(never.bound, confidence=confidence)
    more = max(minimum - estimate.n, needed_clean - units)
    if more > 0:
        return OPEN, more, (bounded, reason_for("more_clean", more=more))
    return "pass", None, (bounded,)


def enough(given: Condition) -> Found:
    """The run's own share is a count of what is there, not a sample of something else: it is compared as it is."""
    values = given.own.known(given.measure)
    estimate = betting_interval(values, confidence=given.policy.confidence)
    if estimate.value is None:
        return Found(OPEN, estimate, (reason_for("never_recorded", measure=given.measure),), given.policy.minimum_n)
    told: dict[str, str | float] = {"value": estimate.value, "measure": given.measure, "threshold": given.threshold}
    if estimate.value <= given.threshold:
        return Found("pass", estimate, (reason_for("within", **told),))
    # No number of further samples: they would fail, or stay open, as often as these did.
    kinds = {given.measure: sum(1 for value in values if value)}
    return Found(OPEN, estimate, (reason_for("beyond", **told), *cures(kinds)))
