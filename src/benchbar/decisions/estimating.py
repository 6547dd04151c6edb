"""What is known of one assistant, and what may be said of a measure of it: with missing values, with people's marks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from benchbar.decisions.policy import Policy
from benchbar.measures.registry import definition
from benchbar.records import Estimate, MissingKind
from benchbar.records.measures import OF_CITATIONS, MeasureDefinition
from benchbar.statistics import (
    asymptotic_interval,
    betting_interval,
    marked_interval,
    marks_needed,
    more_needed,
    units_needed,
)
from benchbar.statistics.betting import Missing
from benchbar.statistics.clusters import codes_of
from benchbar.statistics.further import Further

Values = Mapping[str, float | None]
"""Sample to value."""
COUNTED = frozenset({"failed", "undecided", *OF_CITATIONS})
"""Measures that no judge has a part in."""


@dataclass(frozen=True)
class Marks:
    """What people said of one measure."""

    values: Values
    """Sample to the mean of their marks."""
    probability: Mapping[str, float]
    """Sample to its recorded chance of being marked, for every sample of the frozen list."""
    waiting: int = 0
    """Tasks that were drawn for people and are not settled yet."""


@dataclass(frozen=True)
class Evidence:
    """What is known of one assistant: measure to sample to value, and to what people marked."""

    values: Mapping[str, Values]
    marks: Mapping[str, Marks] = field(default_factory=dict)
    disputed: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Measure to samples that people still dispute: neither they nor the judge has settled them, so they have no value."""
    declared: Mapping[str, MeasureDefinition] = field(default_factory=dict)
    """Measures that scoring rules of the run declare; all others are the registry's."""
    missing: Mapping[str, Mapping[str, MissingKind]] = field(default_factory=dict)
    """Measure to sample to why it has no value, or why some of its trials have none; runs of before reasons were kept have none."""
    decided_by: str = ""
    """``rules``, or the forms of the judge."""
    clusters: Mapping[str, str] = field(default_factory=dict)
    """Sample to what it shares with others; empty where all samples are independent."""

    def definition(self, measure: str) -> MeasureDefinition:
        """Unit and direction of a measure."""
        return definition(measure, self.declared)

    def clustered(self, samples: Sequence[str]) -> list[str] | None:
        """The cluster of each of these samples; one that stands alone has its own. None where all are independent."""
        return [self.clusters.get(one, f"\n{one}") for one in samples] if self.clusters else None

    def known(self, measure: str) -> list[float]:
        """The values that are there."""
        disputed = self.disputed.get(measure, frozenset())
        return [
            value
            for sample, value in self.values.get(measure, {}).items()
            if value is not None and sample not in disputed
        ]

    def judged(self, measure: str) -> bool:
        """Whether a judge, or rules in its place, gave the values: people might say otherwise."""
        # A condition on trials is named ``pass^3 invented_citation<=0``.
        own = measure.partition(" ")[2].partition("<=")[0] if measure.startswith("pass^") else measure
        return own not in COUNTED and measure not in self.declared and self.definition(measure).is_share


class Gaps(NamedTuple):
    """The samples that a measure applies to, by what is known of them."""

    samples: tuple[str, ...]
    """Those that count: with a value, or with one that may be anything."""
    values: tuple[float | None, ...]
    """None also where a trial has no value: the mean of the others is that of trials which went well enough to be marked."""
    open: dict[str, int]
    """Why values are missing to how many, where nothing may be assumed of them."""
    assumed: dict[str, int]
    """The same where the policy takes them to be like the others: they are left out, and of trials the mean of the others stands."""
    observed: tuple[float | None, ...]
    """The values with the mean of the trials that have one."""
    trials: int = 0
    """How many samples are missing for some of their trials alone."""
    standing: int = 0
    """How many of those that are assumed stand with the mean of their other trials."""

    @property
    def all(self) -> dict[str, int]:
        """Both."""
        return dict(Counter(self.open) + Counter(self.assumed))


def gaps_of(policy: Policy, own: Evidence, measure: str) -> Gaps:
    """The values of a measure, and what is missing among them by its reason."""
    kinds, disputed = own.missing.get(measure, {}), own.disputed.get(measure, frozenset())
    marked = own.marks[measure].values if measure in own.marks else {}
    kept: dict[str, float | None] = {}
    means: dict[str, float] = {}
    standing = 0
    left: Counter[str] = Counter()
    assumed: Counter[str] = Counter()
    for sample, given in own.values.get(measure, {}).items():
        value = None if sample in disputed else given
        kind = MissingKind.DISPUTED if sample in disputed else kinds.get(sample, MissingKind.UNKNOWN)
        # Of a value that is there, only trials can be missing, and the reason says of which kind.
        whole = value is not None and (sample not in kinds or kind is MissingKind.NOT_APPLICABLE)
        # What a person marked is known, though neither rules nor judge could tell.
        if whole or sample in marked:
            kept[sample] = value
        elif kind is MissingKind.NOT_APPLICABLE:
            continue
        elif policy.missing.covers(measure, kind):
            assumed[str(kind)] += 1
            if value is not None:
                kept[sample] = value
                standing += 1
        else:
            kept[sample] = None
            if value is not None:
                means[sample] = value
            left[str(kind)] += 1
    observed = tuple(means.get(sample, value) for sample, value in kept.items())
    return Gaps(tuple(kept), tuple(kept.values()), dict(left), dict(assumed), observed, len(means), standing)


@dataclass(frozen=True)
class Estimated:
    """What may be said of the mean of a measure."""

    estimate: Estimate
    """Its interval holds whatever the missing values are, and within the judge's stated error: it decides."""
    observed: Estimate
    """Of the values that are there, taken as they are."""
    gaps: Gaps
    marks: int = 0
    """People's marks that went into it."""
    error: float | None = None
    """The judge's stated error that the interval allows for."""


def estimated(policy: Policy, own: Evidence, measure: str) -> Estimated:
    """The mean of a measure over the samples it applies to; with people's marks wherever there are any."""
    gaps = gaps_of(policy, own, measure)
    n_missing = sum(gaps.all.values()) - gaps.standing
    marks, clusters = own.marks.get(measure), own.clustered(gaps.samples)
    if not own.definition(measure).is_share:
        found = observed = asymptotic_interval(gaps.values, clusters=clusters, confidence=policy.confidence)
    elif marks is not None and marks.values:
        observed = _marked(gaps._replace(values=gaps.observed), marks, clusters, policy.confidence, worst=False)
        found = _marked(gaps, marks, clusters, policy.confidence, worst=True)
    else:
        observed = betting_interval(gaps.observed, clusters=clusters, confidence=policy.confidence)
        found = betting_interval(gaps.values, clusters=clusters, missing="worst", confidence=policy.confidence)
    count = len(marks.values) if marks else 0
    error = None if count or not own.judged(measure) else _stated_error(policy, measure)
    found = replace(found, n_missing=n_missing)
    return Estimated(_widened(found, error), replace(observed, n_missing=n_missing), gaps, count, error)


def _marked(gaps: Gaps, marks: Marks, clusters: list[str] | None, confidence: float, *, worst: bool) -> Estimate:
    said, chances = marks_of(gaps, marks)
    missing: Missing = "worst" if worst else "omitted"
    return marked_interval(gaps.values, said, chances, clusters=clusters, missing=missing, confidence=confidence)


def marks_of(gaps: Gaps, marks: Marks) -> tuple[list[float | None], list[float]]:
    """People's marks and the chances of being marked, in the order of the samples."""
    return [marks.values.get(one) for one in gaps.samples], [marks.probability.get(one, 0.0) for one in gaps.samples]


def _stated_error(policy: Policy, measure: str) -> float | None:
    stated = policy.judge
    return stated.error if stated and (not stated.measures or measure in stated.measures) else None


def _widened(estimate: Estimate, error: float | None) -> Estimate:
    if not error or estimate.low is None or estimate.high is None:
        return estimate
    return replace(
        estimate,
        low=max(estimate.low - error, 0.0),
        high=min(estimate.high + error, 1.0),
        method=f"{estimate.method}, widened by the judge's error",
    )


POWER = 0.8
"""With what chance so many further samples decide as the gate says they do, if they are like those at hand."""


def needed(own: Evidence, measure: str, found: Estimated, threshold: float) -> Further | None:
    """Further samples, or human marks where these decide, after which the interval lies on one side of the threshold, and on which.

    It may be followed and looked at again: the interval is valid at every look.
    """
    estimate, gaps = found.estimate, found.gaps
    clusters, confidence = own.clustered(gaps.samples), estimate.confidence
    if found.marks:
        said, chances = marks_of(gaps, own.marks[measure])
        return marks_needed(
            gaps.values, said, chances, threshold, clusters=clusters, confidence=confidence, power=POWER
        )
    if not own.definition(measure).is_share:
        return more_needed(estimate, threshold, power=POWER)
    worst, best = (np.array(filled(gaps.values, value)) for value in (0.0, 1.0))
    codes, margin = codes_of(clusters, len(gaps.samples)), found.error or 0.0
    return units_needed(worst, threshold, codes, best=best, margin=margin, confidence=confidence, power=POWER)


def filled(values: Sequence[float | None], missing: float) -> list[float]:
    """The values with a number in the place of missing ones."""
    return [missing if value is None else value for value in values]
