"""Is the judge to be trusted: its treatment of guidance points, its agreement with people, and its price."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from benchbar.records import Estimate
from benchbar.statistics.agreement import Agreement
from benchbar.statistics.correlation import spearman
from benchbar.statistics.designed import designed_share
from benchbar.statistics.proportions import proportion, share
from benchbar.statistics.rating_table import Ratings, majority


class MarkedPoint(NamedTuple):
    """What people said of a judge's treatment of one guidance point."""

    category: str
    referred: bool | None
    """The judge's explanation mentions the point."""
    right: bool | None
    """The judge decided rightly whether the answers meet it."""
    error: str = ""
    """Why not: such as missed point, detail preferred over accuracy, partly met."""
    dialogue: str = ""
    chance: float = 1.0
    """With which the judgement was drawn."""
    stratum: str = ""
    """What it was drawn from."""


class PointTreatment(NamedTuple):
    """Shares over the points of one category."""

    referred: Estimate
    right: Estimate
    errors: dict[str, Estimate]
    """Each type's share of the points that were judged wrongly."""


def point_treatment(points: Sequence[MarkedPoint], *, confidence: float = 0.95) -> dict[str, PointTreatment]:
    """By category and ``overall``, the shares of points referred to and judged right, clustered by dialogue.

    Where points were drawn with different chances, each counts by the inverse of its own.
    """
    groups: dict[str, list[MarkedPoint]] = {}
    for point in points:
        groups.setdefault(point.category, []).append(point)
    groups["overall"] = list(points)
    return {name: _treatment(members, confidence) for name, members in groups.items()}


def _treatment(points: Sequence[MarkedPoint], confidence: float) -> PointTreatment:
    wrong = [point for point in points if point.right is False]
    types = Counter(point.error for point in wrong).most_common()
    return PointTreatment(
        _share(points, [point.referred for point in points], "point", confidence),
        _share(points, [point.right for point in points], "point", confidence),
        {error or "not said": _error_share(wrong, error, count, confidence) for error, count in types},
    )


def _error_share(wrong: Sequence[MarkedPoint], error: str, count: int, confidence: float) -> Estimate:
    if _designed(wrong):
        return _share(wrong, [point.error == error for point in wrong], "wrong point", confidence)
    return proportion(count, len(wrong), confidence=confidence, unit="wrong point")


def _share(points: Sequence[MarkedPoint], flags: Sequence[bool | None], unit: str, confidence: float) -> Estimate:
    dialogues = [point.dialogue for point in points]
    if _designed(points):
        chances, strata = [point.chance for point in points], [point.stratum for point in points]
        return designed_share(flags, chances, clusters=dialogues, strata=strata, confidence=confidence)
    clusters = dialogues if all(dialogues) and dialogues else None
    return share(flags, clusters=clusters, confidence=confidence, unit=unit)


def _designed(points: Sequence[MarkedPoint]) -> bool:
    """Whether they come from a draw: a table of one's own states neither chances nor strata."""
    return any(point.stratum for point in points) and all(point.dialogue for point in points)


class JudgeAgreement(NamedTuple):
    """A judge's agreement with people, beside the agreement of people among themselves."""

    judge_human: Estimate
    judge_majority: Estimate
    human_human: Estimate
    """The ceiling: no judge can be shown to agree with people more than they do with one another."""


def judge_agreement(
    table: Ratings,
    judge: str,
    generator: np.random.Generator,
    *,
    tie: str | None = None,
    without_ties: bool = False,
    clusters: Sequence[object] | None = None,
    confidence: float = 0.95,
) -> JudgeAgreement:
    """Raw agreement of one rater with all the others, with their majority, and of the others with each other.

    Items without a majority are missing in the second. Rule of MT-bench for pairs and ties.
    """
    people = [place for place, rater in enumerate(table.raters) if rater != judge]
    place = table.position(judge)
    votes = majority(table.of(*(table.raters[i] for i in people)))
    joined = Ratings((*table.raters, "majority"), table.labels, np.column_stack([table.codes, votes]))
    measures = Agreement(joined, generator, clusters=clusters, tie=tie, confidence=confidence)
    return JudgeAgreement(
        measures.raw([(place, i) for i in people], without_ties=without_ties),
        measures.raw([(place, len(table.raters))], without_ties=without_ties),
        measures.raw(list(combinations(people, 2)), without_ties=without_ties),
    )


class JudgePair(NamedTuple):
    """Two judges' results for the same candidates."""

    rank_correlation: Estimate
    by_task: dict[str, dict[str, float]]
    """Task and candidate to the first judge's rate less the second's, where both have one."""


def judges_side_by_side(
    rates: Mapping[str, Mapping[str, Mapping[str, float]]], *, confidence: float = 0.95
) -> dict[tuple[str, str], JudgePair]:
    """Every pair of judges, from judge to task to candidate to rate; candidates are ranked by macro
    average.
    """
    return {(one, two): _judge_pair(rates[one], rates[two], confidence) for one, two in combinations(rates, 2)}


def _judge_pair(
    one: Mapping[str, Mapping[str, float]], two: Mapping[str, Mapping[str, float]], confidence: float
) -> JudgePair:
    differences = {
        task: {name: one[task][name] - two[task][name] for name in one[task] if name in two[task]}
        for task in one
        if task in two
    }
    names = list(dict.fromkeys(name for task in differences.values() for name in task))
    averages = [
        [float(np.mean([side[task][name] for task in differences if name in differences[task]])) for name in names]
        for side in (one, two)
    ]
    return JudgePair(spearman(*averages, confidence=confidence, unit="candidate"), differences)


class JudgeValue(NamedTuple):
    """A form of judge: what it agrees, what it costs, and what a unit of cost buys."""

    agreement: Estimate
    cost: float
    per_cost: float | None
    """Agreement above chance for one unit of cost; None where the agreement is undefined or nothing is
    paid.
    """


def agreement_per_cost(forms: Mapping[str, tuple[Estimate, float]], *, chance: float) -> dict[str, JudgeValue]:
    """Forms of judges (pairwise, checklist, grades, panel) by agreement above ``chance`` per cost of one
    item.
    """
    return {
        name: JudgeValue(
            agreement,
            cost,
            (agreement.value - chance) / cost if agreement.value is not None and cost > 0 else None,
        )
        for name, (agreement, cost) in forms.items()
    }
