"""Where the judges of a panel do not agree: counted over the run, and dialogue by dialogue for people to look at."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from statistics import fmean
from typing import NamedTuple

from benchbar.records import TURN, Layer, Reduction, SampleResult, ScoreStatus, Winner
from benchbar.records.results import PanelResults
from benchbar.scoring.rubrics.dimension_scores import GRADE
from benchbar.statistics import share

VERDICTS, MARKS, GRADES, ANSWERS, TURNS = "verdicts", "marks", "grades", "answers", "turns"
APART = 0.5
"""Between two judges' marks of one point, or measures of one answer: as far as from met to partly."""
GRADES_APART = 0.2
"""Of a criterion's points: as far as the runs of one judge may be apart before a person looks."""
# Marks are means of repeats: half a point less a rounding is half a point.
_CLOSE = 1e-9


class JudgedTwice(NamedTuple):
    """One thing that at least two judges judged."""

    form: str
    assistant: str
    disagree: bool


def judged_twice(result: SampleResult) -> Iterator[JudgedTwice]:
    """Each verdict in one order, mark, grade, measure of an answer and turn of the user that several judges gave a value."""
    yield from _compared_twice(result)
    values: dict[tuple[str, str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for score in result.scores:
        if score.layer is Layer.LLM and score.value is not None:
            values[_form(score.dimension), score.assistant, score.dimension][score.scorer].append(score.value)
    for measured in result.rag:
        if measured.status is ScoreStatus.SCORED and measured.value is not None:
            values[ANSWERS, measured.assistant, measured.measure][measured.scorer].append(measured.value)
    for (form, assistant, _), by_judge in values.items():
        if len(by_judge) > 1:
            means = [fmean(own) for own in by_judge.values()]
            apart = GRADES_APART if form == GRADES else APART
            yield JudgedTwice(form, assistant, max(means) - min(means) >= apart - _CLOSE)


def _compared_twice(result: SampleResult) -> Iterator[JudgedTwice]:
    winners: dict[tuple[str, str], dict[str, set[Winner]]] = defaultdict(lambda: defaultdict(set))
    for one in result.comparisons:
        if one.winner is not None:
            winners[one.left, one.order][one.judge].add(one.winner)
    for (assistant, _), by in winners.items():
        if len(by) > 1:
            yield JudgedTwice(VERDICTS, assistant, len({frozenset(found) for found in by.values()}) > 1)


def _form(dimension: str) -> str:
    return GRADES if dimension.startswith(GRADE) else TURNS if dimension.startswith(f"{TURN}/") else MARKS


@dataclass
class PanelAccumulator:
    """What several judges judged, by form, with the sample of each."""

    disagree: dict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))
    samples: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def add(self, result: SampleResult) -> None:
        """Take in what came of one sample, or of a further trial of it."""
        for one in judged_twice(result):
            self.disagree[one.form].append(one.disagree)
            self.samples[one.form].append(result.sample)


def panel_results(
    accumulator: PanelAccumulator, reduction: Reduction, clusters: Mapping[str, str]
) -> PanelResults | None:
    """How often judges disagree, with Wilson's interval over samples; None where there is no panel."""
    # A panel of which all judges but one were silent is still reduced as the spec says.
    if not accumulator.disagree and reduction == "mean":
        return None
    return PanelResults(
        reduction=reduction,
        disagreement={
            form: share(flags, clusters=[clusters.get(one, f"\n{one}") for one in accumulator.samples[form]])
            for form, flags in accumulator.disagree.items()
        },
    )
