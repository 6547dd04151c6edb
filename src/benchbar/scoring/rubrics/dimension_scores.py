"""A rubric applied to one dialogue, review or trace: what rules decided, what the judge said, and what nobody did."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from statistics import fmean, median
from typing import Any

from benchbar.records import DimensionScore, ItemMark, Layer, Reduction, Score, ScoreStatus
from benchbar.scoring.panels import reduced_value
from benchbar.scoring.rubrics.conditions import NO_SUCH_POINTS, NOT_ASKED, parameters_of
from benchbar.scoring.rubrics.rubric import Dimension, Item, Rubric, condition_of
from benchbar.scoring.rubrics.subject import Subject

GRADE = "grade:"
"""Begins the dimension of a judge's score on one of its written criteria."""


def apply(rubric: Rubric, subject: Subject, *, sample: str, assistant: str) -> tuple[DimensionScore, ...]:
    """One score for each dimension, in the rubric's order.

    What rules leave goes to the judge in every mode but ``rule_only``. A dimension of whose weight less than
    ``minimum_decided`` was decided has no value: it is abstained, never zero.
    """
    runs = _runs(rubric, subject.scores)
    done: dict[str, DimensionScore] = {}
    for name in rubric.dimensions:
        _dimension(rubric, name, subject, runs, done, (sample, assistant))
    return tuple(done[name] for name in rubric.dimensions)


def overall(rubric: Rubric, scores: tuple[DimensionScore, ...]) -> float | None:
    """The weighted mean of the dimensions that have a value; None where too little of the weight has one."""
    inside = rubric.part_of_another()
    weights = {name: one.weight for name, one in rubric.dimensions.items() if name not in inside}
    known = {one.dimension: one.value for one in scores if one.value is not None and one.dimension in weights}
    decided = sum(weights[name] for name in known)
    if not known or decided < rubric.minimum_decided:
        return None
    return sum(weights[name] * value for name, value in known.items()) / decided


def not_asked(score: DimensionScore) -> bool:
    """Whether a dimension that rules alone decide has no item that applies: the sample forbids nothing, and no law is at hand.

    Its value is then not missing, as one is that somebody could still decide.
    """
    return score.mode == "rule_only" and bool(score.items) and all(one.reason in NOT_ASKED for one in score.items)


_Runs = Mapping[tuple[str, int], Mapping[str, float]]
"""A judge and its repeat to each criterion's value from 0 to 1."""


def _runs(rubric: Rubric, scores: tuple[Score, ...]) -> _Runs:
    """The runs of all judges, in an order that does not depend on when they were asked; empty where nothing could be read."""
    found: dict[tuple[str, int], dict[str, float]] = defaultdict(dict)
    for score in scores:
        name = score.dimension.removeprefix(GRADE)
        # Only grades: marks of guidance points have ids of their own, which may be those of a criterion.
        if score.layer is Layer.LLM and name != score.dimension and score.value is not None and name in rubric.criteria:
            found[score.scorer, score.repeat][name] = score.value
    return {key: found[key] for key in sorted(found)}


def _dimension(
    rubric: Rubric,
    name: str,
    subject: Subject,
    runs: _Runs,
    done: dict[str, DimensionScore],
    who: tuple[str, str],
) -> DimensionScore:
    if name not in done:
        dimension = rubric.dimensions[name]
        if dimension.mode == "composite":
            parts = {part: _dimension(rubric, part, subject, runs, done, who) for part in dimension.parts}
            done[name] = _composite(rubric, name, dimension, parts, who)
        else:
            done[name] = _single(rubric, name, dimension, subject, runs, who)
    return done[name]


def _single(
    rubric: Rubric,
    name: str,
    dimension: Dimension,
    subject: Subject,
    runs: _Runs,
    who: tuple[str, str],
) -> DimensionScore:
    marks = tuple(_mark(item, subject) for item in dimension.items)
    decided = sum(mark.weight for mark in marks if mark.value is not None)
    gained = sum(mark.weight * mark.value for mark in marks if mark.value is not None)
    grades = [] if dimension.mode == "rule_only" else _grades(rubric, dimension, runs)
    found = _reduced(grades, _graders(subject), subject.reduction)
    # What rules left open goes to the judge, besides its own share.
    rest = 0.0 if found is None else 1 - decided
    mean, middle = found or (0.0, 0.0)
    open_items = _open(dimension, marks)
    enough = _enough(rubric, decided + rest) and not open_items
    return _of(
        who,
        name,
        dimension,
        value=(gained + rest * mean) / (decided + rest) if enough else None,
        # The median for people, whom one odd run should not puzzle; aggregates take the mean, which is more efficient.
        shown=(gained + rest * middle) / (decided + rest) if enough else None,
        rule_share=decided,
        rule_value=gained / decided if decided else None,
        judge_value=mean if found else None,
        items=marks,
        abstains=f"{', '.join(open_items)} is open"
        if open_items
        else f"{decided:.0%} of the weight was decided by rules and no judge graded the rest",
    )


def _open(dimension: Dimension, marks: Sequence[ItemMark]) -> list[str]:
    """The items that the dimension cannot do without, and that nobody decided."""
    needed = {item.id for item in dimension.items if item.needed}
    return [mark.item for mark in marks if mark.item in needed and mark.value is None and mark.reason != NO_SUCH_POINTS]


def _enough(rubric: Rubric, decided: float) -> bool:
    """Whether so large a share of the weight makes a score."""
    # Weights that add up to exactly the minimum miss it by a rounding.
    return decided > 0 and decided >= rubric.minimum_decided - 1e-9


def _of(
    who: tuple[str, str], name: str, dimension: Dimension, *, value: float | None, abstains: str, **parts: Any
) -> DimensionScore:
    """The score of a dimension; without a value it abstains, and says why."""
    return DimensionScore(
        sample=who[0],
        assistant=who[1],
        dimension=name,
        mode=dimension.mode,
        status=ScoreStatus.ABSTAINED if value is None else ScoreStatus.SCORED,
        value=value,
        reason=abstains if value is None else "",
        **parts,
    )


def _mark(item: Item, subject: Subject) -> ItemMark:
    condition = condition_of(item)
    verdict = condition.decide(subject, parameters_of(condition, item.parameters))
    return ItemMark(item=item.id, weight=item.weight, value=verdict.value, reason=verdict.reason)


_Grades = Sequence[tuple[str, float]]
"""The judge of each run and its value."""


def _grades(rubric: Rubric, dimension: Dimension, runs: _Runs) -> _Grades:
    """Each run's value on the dimension's criteria, weighed by their points."""
    wanted = dimension.judge or tuple(rubric.criteria)
    whole = sum(rubric.criteria[name].points for name in wanted)
    return [
        (judge, sum(rubric.criteria[name].points * run[name] for name in wanted) / whole)
        for (judge, _), run in runs.items()
        # A run that could not be read in one criterion would be low for it.
        if all(name in run for name in wanted)
    ]


def _graders(subject: Subject) -> Collection[str]:
    """The judges that were asked for a grade, whether or not one could be read."""
    return {score.scorer for score in subject.scores if score.layer is Layer.LLM and score.dimension.startswith(GRADE)}


def _reduced(grades: _Grades, graders: Collection[str], reduction: Reduction) -> tuple[float, float] | None:
    """What counts of several runs, and what people are shown; None where that is nothing."""
    if not grades:
        return None
    values = [value for _, value in grades]
    if reduction == "mean" or len(graders) == 1:
        # The median for people, whom one odd run should not puzzle; aggregates take the mean, which is more efficient.
        return fmean(values), median(values)
    own = [[value for judge, value in grades if judge == one] for one in graders]
    found = reduced_value([fmean(one) if one else None for one in own], reduction)
    return None if found is None else (found, found)


def _composite(
    rubric: Rubric, name: str, dimension: Dimension, parts: Mapping[str, DimensionScore], who: tuple[str, str]
) -> DimensionScore:
    known = {part: one for part, one in parts.items() if one.value is not None}
    decided = sum(dimension.parts[part] for part in known)
    enough = _enough(rubric, decided)

    def mean(values: Mapping[str, float | None]) -> float | None:
        return sum(dimension.parts[part] * (values[part] or 0.0) for part in known) / decided if enough else None

    return _of(
        who,
        name,
        dimension,
        value=mean({part: one.value for part, one in known.items()}),
        shown=mean({part: one.shown for part, one in known.items()}),
        rule_share=sum(dimension.parts[part] * one.rule_share for part, one in parts.items()),
        abstains=f"only {decided:.0%} of the parts' weight has a value",
    )
