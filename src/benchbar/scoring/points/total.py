"""From marks of single points to what a dialogue is worth."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from benchbar.records import Category, Guidance, GuidancePoint, Record, Score, ScoreStatus


class Weighing(Record, frozen=True):
    """The worth of one dialogue by its decided points, and how much of the guidance's weight was decided."""

    value: float | None
    """From 0 to 1; None where no point was decided."""
    weight: float
    decided: float
    by_rule: float


def weigh(guidance: Guidance, scores: Iterable[Score]) -> Weighing:
    """The weighted mean of the decided points, less the weight of forbidden ones that were met.

    Points of a group stand for each other: the best ``at_least`` of them count. Where all points are forbidden ones, the
    worth is the share of them that was avoided.
    """
    values = {score.dimension: score.value for score in scores if score.status is ScoreStatus.SCORED}
    rules = {score.dimension for score in scores if score.status is ScoreStatus.SCORED and score.layer == "rule"}
    wanted = [point for point in guidance.points if point.category is not Category.FORBIDDEN]
    forbidden = [point for point in guidance.points if point.category is Category.FORBIDDEN]
    gained, possible = _gained(guidance, wanted, values)
    spoiled, avoidable = _gained(Guidance(), forbidden, values)
    return Weighing(
        value=_worth(gained, possible, spoiled, avoidable),
        weight=sum(point.weight for point in guidance.points),
        decided=sum(point.weight for point in guidance.points if point.id in values),
        by_rule=sum(point.weight for point in guidance.points if point.id in rules),
    )


def _worth(gained: float, possible: float, spoiled: float, avoidable: float) -> float | None:
    if possible:
        return min(1.0, max(0.0, (gained - spoiled) / possible))
    return 1.0 - spoiled / avoidable if avoidable else None


def _gained(guidance: Guidance, points: list[GuidancePoint], values: dict[str, float | None]) -> tuple[float, float]:
    """Weight that was met, and weight that could have been, over the decided points."""
    gained = possible = 0.0
    groups: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for point in points:
        value = values.get(point.id)
        if value is None:
            continue
        if point.group in guidance.at_least:
            groups[point.group].append((value, point.weight))
            continue
        gained += value * point.weight
        possible += point.weight
    for name, members in groups.items():
        best = sorted(members, reverse=True)[: guidance.at_least[name]]
        gained += sum(value * weight for value, weight in best)
        possible += sum(weight for _, weight in best)
    return gained, possible
