"""Not worse than before: paired differences from an earlier run, held against a margin."""

from __future__ import annotations

from collections.abc import Sequence

from benchbar.decisions.conditions import OPEN, Condition, Found, counted, reason_for
from benchbar.decisions.estimating import POWER, Evidence, gaps_of
from benchbar.decisions.planning import cures
from benchbar.decisions.policy import NotWorse
from benchbar.records import Estimate, GateReason
from benchbar.records.scoring import Decision
from benchbar.statistics import asymptotic_interval, betting_difference, more_needed, non_inferior, units_needed
from benchbar.statistics.betting import difference_bounds
from benchbar.statistics.clusters import codes_of
from benchbar.statistics.numbers import gapped


def not_worse(given: Condition, rule: NotWorse, before: Evidence | None, confidence: float) -> Found:
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
        reasons += (reason_for("missing_without_bounds", missing=open_pairs, kinds={}),)
    elif open_pairs and estimate.value is not None:
        key = "missing_open" if decision == OPEN else "missing_worst"
        reasons += (reason_for(key, missing=open_pairs, kinds=now.open or then.open),)
    if open_pairs and decision == OPEN:
        reasons += tuple(cures(now.open or then.open))
    assumed = now.assumed or then.assumed
    if assumed:
        reasons += (reason_for("missing_assumed", **counted(assumed), why=policy.missing.reason),)
    holds = "as_observed" if assumed else "worst_case" if open_pairs else "complete"
    return Found(decision, estimate, reasons, more, holds, None, {**then.all, **now.all})


def _non_inferior(
    given: Condition,
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
        absent = reason_for("no_common", measure=given.measure) if has_baseline else reason_for("no_baseline")
        return OPEN, None, (absent,)
    if difference.n < minimum:
        return OPEN, minimum - difference.n, (reason_for("few_common", n=difference.n, minimum=minimum, better=better),)
    if difference.low is None or difference.high is None:
        return OPEN, None, (reason_for("no_interval", why=difference.reason),)
    told = reason_for(
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
        return OPEN, None, (told, reason_for("no_more_with_gaps" if gaps else "no_more_samples"))
    more = max(further.more, 1)
    return OPEN, more, (told, reason_for(f"more_samples_{'pass' if further.above else 'fail'}", more=more, power=POWER))
