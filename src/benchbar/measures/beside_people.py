"""How far what a run says by itself lies from what people say of the same answers, in each kind of mark that both gave."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from benchbar.artefacts.folder import read_measures
from benchbar.ledger.opening import ledger_of, open_store
from benchbar.ledger.reviews import Reviews, read_reviews
from benchbar.measures.validation.points import marked_points
from benchbar.measures.validation.preferences import label_of
from benchbar.measures.validation.votes import voted
from benchbar.records import COMPARED, GRADED, POINT, Estimate, HumanMarks, Measures, Record
from benchbar.records.errors import BenchbarError
from benchbar.scoring.people import human_marks
from benchbar.statistics import mean, point_treatment, share

Pair = tuple[Measures, float, float]
"""An answer, the run's own value of it, and people's."""


class BesidePeople(Record, frozen=True):
    """One kind of mark that the run and people both gave, and how far they are apart."""

    kind: str
    """The measure: ``win_rate`` of comparisons, ``overall`` of grades, ``points`` of a judge's decisions on guidance."""
    estimate: Estimate
    """Of comparisons the share in which the run names another winner; of grades the mean of the run's less people's, in points of
    100; of decisions the share that people call right, each weighted by the inverse of its chance of being drawn. Intervals are
    for samples, since several answers to one are alike."""
    distance: Estimate | None = None
    """Of grades the mean distance, in points of 100: differences of both signs cancel out in the mean."""
    judge: str = ""
    """Of decisions, whose they are."""


def beside_people(
    marks: Mapping[str, HumanMarks], measures: Iterable[Measures], reviews: Reviews | None = None
) -> tuple[BesidePeople, ...]:
    """Each kind of mark of which the run and people have at least one in common.

    Args:
        marks: Assistant to what people's marks amount to.
        measures: The run's own values, of every dialogue.
        reviews: For people's checks of single decisions; without it they are left out.
    """
    measures = list(measures)
    found = [*_compared([*_both(measures, marks, COMPARED)]), *_graded([*_both(measures, marks, GRADED)])]
    return (*found, *_decisions(reviews, {one.sample: one.task for one in measures})) if reviews else tuple(found)


def of_run(run: Path) -> tuple[BesidePeople, ...]:
    """The same of a run's folder, with people's marks of now; nothing where nobody marked, or the ledger was left behind."""
    try:
        with closing(open_store(ledger_of(run), writable=False, session=False)) as store:
            if not any(True for _ in store.reviews()):
                return ()
            reviews = read_reviews(store)
        return beside_people(human_marks(reviews), read_measures(run), reviews)
    except BenchbarError:
        # Who reads a run's figures is told of what people said where that can be read.
        return ()


def by_people(found: Sequence[BesidePeople]) -> bool:
    """Whether marks of people decide anything: checks of a judge's decisions tell of the judge alone."""
    return any(one.kind in {COMPARED, GRADED} for one in found)


def _both(measures: Iterable[Measures], marks: Mapping[str, HumanMarks], measure: str) -> Iterator[Pair]:
    for one in measures:
        own = marks.get(one.assistant)
        said = own.compared if own and measure == COMPARED else own
        value = one.values.get(measure)
        if said and value is not None and one.sample in said.values:
            yield one, value, said.values[one.sample]


def _compared(pairs: Sequence[Pair]) -> Iterator[BesidePeople]:
    if pairs:
        other = [label_of(value) != label_of(human) for _, value, human in pairs]
        yield BesidePeople(kind=COMPARED, estimate=share(other, clusters=_samples(pairs), unit="comparison"))


def _graded(pairs: Sequence[Pair]) -> Iterator[BesidePeople]:
    if pairs:
        apart, clusters = [100 * (value - human) for _, value, human in pairs], _samples(pairs)
        yield BesidePeople(
            kind=GRADED,
            estimate=mean(apart, clusters=clusters, unit="answer", low=-100, high=100),
            distance=mean([*map(abs, apart)], clusters=clusters, unit="answer", low=0, high=100),
        )


def _samples(pairs: Sequence[Pair]) -> list[str]:
    return [one.sample for one, _, _ in pairs]


def _decisions(reviews: Reviews, tasks: Mapping[str, str]) -> Iterator[BesidePeople]:
    for judge in dict.fromkeys(plan.judge for plan in reviews.plans if plan.measure == POINT):
        points = [*marked_points(voted(reviews, POINT, judge), tasks)]
        if any(one.right is not None for one in points):
            yield BesidePeople(kind=POINT, judge=judge, estimate=point_treatment(points)["overall"].right)
