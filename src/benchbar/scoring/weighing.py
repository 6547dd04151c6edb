"""From marks of single points to what a dialogue is worth, and from two worths to an outcome."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from statistics import fmean

from benchbar.records import Category, Guidance, GuidancePoint, Layer, Record, Reduction, Score, ScoreStatus
from benchbar.scoring.panels import reduced_mark

# Two dialogues that met the same points in another order differ by rounding alone.
EQUAL = 1e-9


class Weighing(Record, frozen=True):
    """The worth of one dialogue by its decided points, and how much of the guidance's weight was decided."""

    value: float | None
    """From 0 to 1; None where no point was decided."""
    weight: float
    decided: float
    by_rule: float


def weigh(guidance: Guidance, scores: Iterable[Score], reduction: Reduction = "mean") -> Weighing:
    """The weighted mean of the decided points, less the weight of forbidden ones that were met.

    ``scores`` are all marks of the dialogue, as they came; what several runs, judges or layers said of a point is merged here,
    that of a panel's judges by the ``reduction``.

    Points of a group stand for each other: the best ``at_least`` of them count. Where all points are forbidden ones, the
    worth is the share of them that was avoided.
    """
    # Merged here, so that no caller can forget it and count the last run of a judge for all of them.
    scores = merged(scores, reduction, forbidden_points(guidance))
    values = {score.dimension: score.value for score in scores if score.status is ScoreStatus.SCORED}
    rules = {score.dimension for score in scores if score.status is ScoreStatus.SCORED and score.layer == "rule"}
    wanted = [point for point in guidance.points if point.category is not Category.FORBIDDEN]
    forbidden = [point for point in guidance.points if point.category is Category.FORBIDDEN]
    gained, possible = _gained(guidance, wanted, values)
    # Without groups: "at least one of" excuses no forbidden statement.
    spoiled, avoidable = _gained(Guidance(), forbidden, values)
    return Weighing(
        value=_point_score(gained, possible, spoiled, avoidable),
        weight=sum(point.weight for point in guidance.points),
        decided=sum(point.weight for point in guidance.points if point.id in values),
        by_rule=sum(point.weight for point in guidance.points if point.id in rules),
    )


def _point_score(gained: float, possible: float, spoiled: float, avoidable: float) -> float | None:
    if possible:
        # Not below 0: who said two forbidden things has no more than nothing.
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
        # Of the decided members alone: an undecided one may be met, and must not cost the group.
        best = sorted(members, reverse=True)[: guidance.at_least[name]]
        gained += sum(value * weight for value, weight in best)
        possible += sum(weight for _, weight in best)
    return gained, possible


def forbidden_points(guidance: Guidance) -> frozenset[str]:
    """The ids of the points that must not be said, of which the highest mark is the harshest."""
    return frozenset(point.id for point in guidance.points if point.category is Category.FORBIDDEN)


def merged(
    scores: Iterable[Score], reduction: Reduction = "mean", forbidden: Collection[str] = frozenset()
) -> list[Score]:
    """One score for each point: the rule's where it decided, else what the judges' runs come to, else why there is none.

    ``forbidden`` are the points that must not be said.
    """
    by_point: dict[str, list[Score]] = defaultdict(list)
    for score in scores:
        by_point[score.dimension].append(score)
    return [_final(own, reduction, forbidden=point in forbidden) for point, own in by_point.items()]


def _final(scores: Sequence[Score], reduction: Reduction, *, forbidden: bool) -> Score:
    scored = [score for score in scores if score.status is ScoreStatus.SCORED]
    # A rule decides only where its precision is measured; a judge is noisier than that.
    rules = [score for score in scored if score.layer is Layer.RULE]
    if rules:
        return rules[0]
    if reduction != "mean" and len({score.scorer for score in scores if score.layer is Layer.LLM}) > 1 and scored:
        return _of_panel(scores, reduction, forbidden=forbidden)
    if len(scored) > 1:
        first = scored[0]
        mean = fmean(score.value for score in scored if score.value is not None)
        return Score(
            sample=first.sample,
            assistant=first.assistant,
            dimension=first.dimension,
            layer=first.layer,
            status=ScoreStatus.SCORED,
            value=mean,
            evidence=first.evidence,
            scorer=first.scorer,
            version=first.version,
        )
    # Nothing decided: the last reason, of the one who was asked after the others had given up.
    return scored[0] if scored else scores[-1]


def _of_panel(scores: Sequence[Score], reduction: Reduction, *, forbidden: bool) -> Score:
    """What several judges come to: each judge's runs are averaged first, so that one that was asked oftener has no more say."""
    runs: dict[str, list[float]] = {score.scorer: [] for score in scores if score.layer is Layer.LLM}
    for score in scores:
        if score.scorer in runs and score.value is not None:
            runs[score.scorer].append(score.value)
    by_judge = {judge: fmean(values) if values else None for judge, values in runs.items()}
    value = reduced_mark(list(by_judge.values()), reduction, forbidden=forbidden)
    # The words that are shown as proof are those of a judge that the mark agrees with.
    known = [score for score in scores if score.value is not None]
    nearest = min(known, key=lambda score: abs((score.value or 0.0) - (0.0 if value is None else value)))
    said = ", ".join(f"{judge}: {'no mark' if mark is None else f'{mark:g}'}" for judge, mark in by_judge.items())
    return Score(
        sample=nearest.sample,
        assistant=nearest.assistant,
        dimension=nearest.dimension,
        layer=Layer.LLM,
        status=ScoreStatus.ABSTAINED if value is None else ScoreStatus.SCORED,
        value=value,
        evidence=() if value is None else nearest.evidence,
        reason=f"the panel's judges do not agree ({said})" if value is None else "",
        scorer=nearest.scorer,
        version=nearest.version,
    )


def compared(own: float | None, other: float | None) -> float | None:
    """1 where a dialogue is worth more than the other, 0 where less, 0.5 where equal; None where either has no worth."""
    if own is None or other is None:
        return None
    return 0.5 if abs(own - other) <= EQUAL else float(own > other)
