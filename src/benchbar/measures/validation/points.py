"""How a judge treats guidance points, as people found who checked it: Table 11 of UCL-Bench's paper, for each judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from benchbar.ledger.reviews import Reviews
from benchbar.measures.validation.votes import NO, YES, Voted, among_people, flag, voted, winning, yes_or_no
from benchbar.records import POINT, Category, Mark
from benchbar.records.validation import Figure, Validation
from benchbar.statistics import MarkedPoint, point_treatment

OVERALL = "overall"
DRAW = "`benchbar review draw RUN --ask points`, then have people mark the tasks (`review export`, `import`, or the browser)"


def checked_points(reviews: Reviews, tasks: Mapping[str, str]) -> Validation:
    """For each judge that people checked, the shares of points it referred to and judged rightly, and its errors.

    ``tasks`` is sample to task, the stratum that judgements were drawn from. What counts is the majority of the people who
    marked a point; points on which they are divided are missing.
    """
    question = "Does the judge refer to each guidance point, and does it judge rightly whether it is met?"
    judges = dict.fromkeys(plan.judge for plan in reviews.plans if plan.measure == POINT)
    figures: list[Figure] = []
    had, missing = [], []
    for judge in judges:
        points = voted(reviews, POINT, judge)
        asked = sum(one.judged is not None and one.judged.judge == judge for one in reviews.tasks.values())
        if points:
            had.append(f"{judge}: {sum(len(one.marks) for one in points)} marks of {len(points)} points")
            figures += _of_judge(judge if len(judges) > 1 else "", points, tasks)
        if len(points) < asked:
            missing.append(f"{judge}: nobody marked {asked - len(points)} of {asked} points that were drawn")
    if not judges:
        missing.append(f"people's marks of the judge's decisions: {DRAW}")
    return Validation(
        name="points",
        question=question,
        figures=tuple(figures),
        had=tuple(had),
        missing=tuple(missing),
        notes=("each point counts by the inverse of the chance with which its judgement was drawn",) if figures else (),
    )


def _of_judge(judge: str, points: Sequence[Voted], tasks: Mapping[str, str]) -> Iterator[Figure]:
    marked = list(marked_points(points, tasks))
    treated = point_treatment(marked)
    order = [*(str(category) for category in Category if str(category) in treated), OVERALL]
    for category in order:
        found, group = treated[category], f"{judge} {category}".strip()
        yield Figure(group=group, measure="referred to", estimate=found.referred)
        yield Figure(group=group, measure="judged right", estimate=found.right)
    for error, share in treated[OVERALL].errors.items():
        yield Figure(group=f"{judge} error: {error}".strip(), measure="of the wrong points", estimate=share)
    yield from among_people(points, yes_or_no, (YES, NO), f"{judge} judged right".strip())
    yield from among_people(points, _referred, (YES, NO), f"{judge} referred to".strip())


def marked_points(points: Sequence[Voted], tasks: Mapping[str, str]) -> Iterator[MarkedPoint]:
    """Each point with the majority of what people said of it."""
    right = winning(points, yes_or_no, (YES, NO))
    referred = winning(points, _referred, (YES, NO))
    for one, decided, mentioned in zip(points, right, referred, strict=True):
        if one.task.judged is None:
            continue
        judgement = (one.task.sample, one.task.assistant, one.task.judged.order, one.task.judged.repeat)
        yield MarkedPoint(
            category=one.task.judged.category,
            referred=flag(mentioned),
            right=flag(decided),
            error=_error(one.marks) if decided == NO else "",
            dialogue=" ".join(str(part) for part in judgement),
            chance=one.chance,
            # A sample that the suite does not hold any more keeps a stratum of its own.
            stratum=tasks.get(one.task.sample, "?"),
        )


def _referred(mark: Mark) -> str | None:
    return None if mark.referred is None else YES if mark.referred else NO


def _error(marks: Sequence[Mark]) -> str:
    """The type that most people named; of several named as often the first."""
    named = Counter(mark.error for mark in marks if mark.error)
    return named.most_common(1)[0][0] if named else ""
