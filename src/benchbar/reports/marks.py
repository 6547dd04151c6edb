"""Guidance points of a sample with what was said of them for each assistant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchbar.records import Category, GuidancePoint, Sample, Score, ScoreStatus
from benchbar.scoring.weighing import merged


@dataclass(frozen=True, slots=True)
class Mark:
    """What became of one point in one dialogue."""

    state: str
    """met, partly, not_met, said, avoided, abstained, failed or none."""
    layer: str = ""
    value: float | None = None
    quotes: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PointRow:
    """One guidance point, and its mark for each assistant in the order of the report."""

    id: str
    point: GuidancePoint | None
    """None where the suite is not at hand."""
    needed: int | None
    """How many points of its group suffice."""
    marks: tuple[Mark, ...]


def point_rows(sample: Sample | None, by_assistant: Sequence[Sequence[Score]]) -> tuple[PointRow, ...]:
    """A row for each point of the sample; for each dimension that was marked where the sample is not at hand."""
    points = {point.id: point for point in sample.guidance.points} if sample else {}
    ids = list(points) or list(dict.fromkeys(score.dimension for scores in by_assistant for score in scores))
    groups = sample.guidance.at_least if sample else {}
    return tuple(
        PointRow(
            id=id_,
            point=points.get(id_),
            needed=groups.get(points[id_].group) if id_ in points else None,
            marks=tuple(mark([s for s in scores if s.dimension == id_], points.get(id_)) for scores in by_assistant),
        )
        for id_ in ids
    )


def mark(scores: Sequence[Score], point: GuidancePoint | None) -> Mark:
    """The final mark of one point, with the reasons and quotes of those who decided it."""
    if not scores:
        return Mark("none")
    final = merged(scores)[0]
    deciding = [score for score in scores if score.layer is final.layer and score.status is final.status]
    reasons = tuple(dict.fromkeys(score.reason for score in deciding if score.reason))
    quotes = tuple(dict.fromkeys(one.text for score in deciding for one in score.evidence if one.text))
    return Mark(state(final, point), final.layer, final.value, quotes, reasons)


def state(score: Score, point: GuidancePoint | None) -> str:
    """How a score is shown; a forbidden point that was met is ``said``, one that was not is ``avoided``."""
    if score.status is not ScoreStatus.SCORED or score.value is None:
        return "abstained" if score.status is ScoreStatus.ABSTAINED else "failed"
    if point is not None and point.category is Category.FORBIDDEN:
        return "said" if score.value > 0 else "avoided"
    return "met" if score.value >= 1 else "partly" if score.value > 0 else "not_met"
