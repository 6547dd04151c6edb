"""Each layer's repeated scores, gathered from what a run kept."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from benchbar.ledger.reviews import Reviews
from benchbar.records import GRADED, TURN, Estimate, Layer, Measures, Score
from benchbar.scoring.people import doubly_marked
from benchbar.scoring.rubrics import GRADE
from benchbar.statistics import pearson

Rows = list[list[float]]


def repeated(scores: Iterable[Score]) -> dict[str, Rows]:
    """Layer (``llm grade:clarity``, ``llm points``, ``rule points``) to the runs of each of its items.

    An item is a dialogue's grade on one criterion, or one guidance point of it. Criteria are layers of their own: what one
    answer says of several of them is not said independently.
    """
    found: dict[str, dict[tuple[str, ...], list[float]]] = defaultdict(lambda: defaultdict(list))
    for score in scores:
        # People are no repeated runs of one instrument; their agreement is measured in `raters`.
        if score.value is not None and score.layer is not Layer.HUMAN and not score.dimension.startswith(TURN):
            kind = score.dimension if score.dimension.startswith(GRADE) else "points"
            key = (score.sample, score.assistant, score.dimension)
            found[f"{score.layer} {kind}"][key].append(score.value)
    return {layer: list(items.values()) for layer, items in sorted(found.items())}


def answers(measures: Iterable[Measures]) -> Rows:
    """The overall value of each trial of a sample, where dialogues are repeated: how far an assistant's answers vary."""
    rows = ([trial.get(GRADED) for trial in one.trials] for one in measures)
    return [known for row in rows if (known := [value for value in row if value is not None])]


def people(reviews: Reviews) -> Rows:
    """The grades of each task that more than one person marked, without those of adjudicators."""
    return [list(row.values()) for row in doubly_marked(reviews, GRADED)]


def with_people(
    automatic: Mapping[str, Mapping[str, float | None]], human: Mapping[str, Mapping[str, float]]
) -> Estimate:
    """Pearson's correlation of the automatic overall values with people's marks, over dialogues that have both."""
    pairs: Sequence[tuple[float, float]] = [
        (value, mark)
        for name, marks in human.items()
        for sample, mark in marks.items()
        if (value := automatic.get(name, {}).get(sample)) is not None
    ]
    return pearson([value for value, _ in pairs], [mark for _, mark in pairs])
