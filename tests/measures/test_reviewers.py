"""How far one reviewer agrees with the others, and with the judge."""

from __future__ import annotations

import pytest
from sklearn.metrics import cohen_kappa_score

from benchbar.ledger.reviews import Reviews
from benchbar.measures.reviewers import with_judge, with_other_people
from benchbar.measures.validation.preferences import JudgedPair
from benchbar.records import COMPARED, GRADED, POINT, JudgedPoint, KeptMark, Mark, ReviewPlan, ReviewTask
from benchbar.statistics.orders import OrderedOutcome

BANDS = [(0.5, 0), (0.7, 1), (0.85, 2), (2.0, 3)]
GRADES = {
    "Ann": [0.2, 0.6, 0.75, 0.9, 0.95, 0.4, 0.65, 0.8],
    "Bo": [0.3, 0.8, 0.75, 0.6, 0.9, 0.4, 0.72, 0.2],
    "Cy": [0.45, 0.6, 0.9, 0.95, 0.86, 0.7, 0.6, 0.84],
}


def band(value: float) -> int:
    return next(number for bound, number in BANDS if value < bound)


def tasks_of(count: int, **fields) -> tuple[ReviewTask, ...]:
    return tuple(
        ReviewTask(
            id=f"t{n}", sample=f"s{n}", assistant="a", reasons=("audit",), probability=1.0, annotators=3, **fields
        )
        for n in range(count)
    )


def reviews_of(tasks: tuple[ReviewTask, ...], values: dict[str, list[float | None]], *settled: Mark) -> Reviews:
    """One mark of each person for each task, in their order; then what somebody settled."""
    given = [
        Mark(task=task.id, rater=rater, value=value)
        for rater, own in values.items()
        for task, value in zip(tasks, own, strict=False)
    ]
    plan = ReviewPlan(tasks=tasks, frame={}, seed=0, fingerprint="f")
    return Reviews([plan], [KeptMark(number=n, at=0, mark=one) for n, one in enumerate([*given, *settled], start=1)])


def test_grades_are_held_against_each_other_person():
    """Kappa with linear weights over all pairs, as scikit-learn has it; n counts tasks, and there is an interval."""
    found = with_other_people(reviews_of(tasks_of(8), GRADES), "Ann")
    assert [one.measure for one in found] == [GRADED]
    pairs = [
        (band(one), band(other))
        for name in ("Bo", "Cy")
        for one, other in zip(GRADES["Ann"], GRADES[name], strict=True)
    ]
    expected = cohen_kappa_score(*zip(*pairs, strict=True), weights="linear", labels=range(4))
    estimate = found[0].estimate
    assert estimate.value == pytest.approx(expected)
    assert estimate.n == 8
    assert estimate.low < estimate.value < estimate.high


def test_who_marks_alone_agrees_with_nobody_and_few_tasks_say_so():
    """No number is given below five tasks in common; the reason and n say how many there were."""
    assert with_other_people(reviews_of(tasks_of(8), {"Ann": GRADES["Ann"]}), "Ann") == ()
    (few,) = with_other_people(reviews_of(tasks_of(4), GRADES), "Bo")
    assert few.estimate.value is None
    assert few.estimate.n == 4
    assert few.estimate.reason == "too few tasks: 4 of at least 5"


def test_comparisons_are_held_against_each_judge_in_both_orders():
    """A verdict that changes with the order is a tie; a pair that the judge saw in one order alone is left out."""
    tasks = tasks_of(7, against="reference")
    said = [(1.0, 1.0), (0.0, 0.0), (1.0, 0.0), (0.5, 1.0), (0.0, 0.0), (1.0, 1.0), (1.0, None)]
    judged = {
        (task.sample, "a"): JudgedPair(task.sample, "a", "?", {"judge": OrderedOutcome(*one)})
        for task, one in zip(tasks, said, strict=True)
    }
    values = {"Ann": [1.0, 0.0, 0.5, 1.0, 0.0, 1.0, 1.0], "Bo": [0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0]}
    reviews = reviews_of(tasks, values)
    (ann,) = with_judge(reviews, "Ann", judged, {})
    assert (ann.measure, ann.judge) == (COMPARED, "judge")
    assert ann.estimate.value == 1.0
    assert ann.estimate.n == 6
    (bo,) = with_judge(reviews, "Bo", judged, {})
    labels = [2, 0, 1, 2, 0, 2]
    assert bo.estimate.value == pytest.approx(cohen_kappa_score([0, 2, 2, 0, 2, 0], labels))


def test_grades_are_held_against_those_of_the_run():
    """Dialogues without a grade of the run, and marks that could not be decided, are left out."""
    tasks = tasks_of(8)
    grades = {(task.sample, "a"): value for task, value in zip(tasks, GRADES["Bo"], strict=True)}
    grades[tasks[0].sample, "a"] = None
    values = {"Ann": [*GRADES["Ann"][:7], None]}
    (found,) = with_judge(reviews_of(tasks, values), "Ann", {}, grades)
    one, other = ([band(value) for value in GRADES[name][1:7]] for name in ("Ann", "Bo"))
    assert found.estimate.value == pytest.approx(cohen_kappa_score(one, other, weights="linear", labels=range(4)))
    assert found.estimate.n == 6


def test_decisions_of_a_judge_are_right_in_a_share():
    """With Wilson's interval; of few there is no share."""
    point = JudgedPoint(point="p", category="mandatory", form="checklist", judge="judge")
    reviews = reviews_of(tasks_of(6, judged=point), {"Ann": [1.0, 1.0, 0.0, 1.0, 1.0, 1.0], "Bo": [1.0, 0.0]})
    (ann,) = with_judge(reviews, "Ann", {}, {})
    assert (ann.measure, ann.judge) == (POINT, "judge")
    assert ann.estimate.value == pytest.approx(5 / 6)
    assert 0 < ann.estimate.low < ann.estimate.value < ann.estimate.high < 1
    (bo,) = with_judge(reviews, "Bo", {}, {})
    assert bo.estimate.value is None
    assert bo.estimate.n == 2


def test_who_settles_a_difference_is_no_reviewer_of_it():
    """An adjudication was given in sight of the other marks: it counts for nobody's agreement."""
    tasks = tasks_of(8)
    settled = [Mark(task=task.id, rater="Owner", value=0.9, adjudication=True) for task in tasks]
    reviews = reviews_of(tasks, GRADES, *settled)
    assert with_other_people(reviews, "Owner") == ()
    assert with_judge(reviews, "Owner", {}, {(task.sample, "a"): 0.5 for task in tasks}) == ()
    assert with_other_people(reviews, "Ann") == with_other_people(reviews_of(tasks, GRADES), "Ann")
