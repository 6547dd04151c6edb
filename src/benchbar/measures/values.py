"""From what was said and marked in a dialogue to its measures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from benchbar.records import (
    Category,
    Citation,
    Comparison,
    Dialogue,
    DialogueEnd,
    DimensionScore,
    Measures,
    Sample,
    Score,
)
from benchbar.scoring.citations import invented, validity
from benchbar.scoring.rubrics import Rubric, overall
from benchbar.scoring.weighing import compared, merged, weigh
from benchbar.statistics import averaged, outcomes_by_sample


def measured(
    sample: Sample,
    dialogues: Sequence[Dialogue],
    scores: Iterable[Score],
    comparisons: Sequence[Comparison],
    citations: dict[str, tuple[Citation, ...]] | None,
    reference: str,
    rubric: Rubric | None = None,
    dimensions: Mapping[str, tuple[DimensionScore, ...]] | None = None,
) -> tuple[Measures, ...]:
    """The measures of each dialogue about one sample; ``citations`` by assistant, None where there is no law at hand."""
    final: dict[str, list[Score]] = {dialogue.assistant: [] for dialogue in dialogues}
    for score in scores:
        final[score.assistant].append(score)
    worths = {name: weigh(sample.guidance, merged(own)).value for name, own in final.items()}
    found = []
    for dialogue in dialogues:
        name = dialogue.assistant
        values = _of_points(sample, merged(final[name])) | {"failed": float(dialogue.ended is DialogueEnd.ERROR)}
        if rubric is None:
            values["overall"] = values["point_score"]
        else:
            values |= _of_rubric(rubric, (dimensions or {}).get(name, ()))
        if citations is not None:
            values |= _of_citations(dialogue, citations[name])
        if name != reference:
            values["win_rate"] = _outcome(name, comparisons, worths[name], worths.get(reference))
        found.append(Measures(sample=sample.id, assistant=name, task=sample.task, values=values))
    return tuple(found)


def _of_points(sample: Sample, final: Sequence[Score]) -> dict[str, float | None]:
    if not sample.guidance.points:
        return {"point_score": None}
    worth = weigh(sample.guidance, final)
    values = {score.dimension: score.value for score in final}
    found: dict[str, float | None] = {
        "point_score": worth.value,
        "undecided": 1 - worth.decided / worth.weight if worth.weight else None,
    }
    for category in Category:
        marks = [values.get(point.id) for point in sample.guidance.points if point.category is category]
        known = [mark for mark in marks if mark is not None]
        if marks:
            found[f"coverage/{category}"] = sum(known) / len(known) if known else None
        if marks and category is Category.FORBIDDEN:
            found["forbidden_said"] = float(any(known)) if known else None
    return found


def _of_rubric(rubric: Rubric, dimensions: tuple[DimensionScore, ...]) -> dict[str, float | None]:
    """Every dimension's value, and their weighted mean."""
    values = {one.dimension: one.value for one in dimensions}
    found = {name: values.get(name) for name in rubric.dimensions}
    return {**found, "overall": overall(rubric, dimensions)}


def _of_citations(dialogue: Dialogue, citations: tuple[Citation, ...]) -> dict[str, float | None]:
    if dialogue.ended is DialogueEnd.ERROR:
        return {"citation_validity": None, "invented_citation": None}
    return {
        "citation_validity": validity(citations),
        "invented_citation": float(invented(citations)),
    }


def _outcome(name: str, comparisons: Sequence[Comparison], own: float | None, other: float | None) -> float | None:
    if not comparisons:
        return compared(own, other)
    of = [one for one in comparisons if one.left == name]
    return averaged(outcomes_by_sample(of).values())[0] if of else None
