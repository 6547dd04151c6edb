"""How far a run lies from people, in each kind of mark that both gave."""

from __future__ import annotations

import pytest

from benchbar.ledger.reviews import Reviews
from benchbar.measures.beside_people import beside_people, by_people
from benchbar.records import (
    COMPARED,
    GRADED,
    POINT,
    Category,
    HumanMarks,
    JudgedPoint,
    KeptMark,
    Mark,
    Measures,
    ReviewPlan,
    ReviewTask,
)

PEOPLE = {"s0": 0.5, "s1": 0.8, "s2": 0.9, "s3": 0.2}
RUN = {"s0": 0.7, "s1": 0.7, "s2": 0.9, "s3": 0.6, "s4": 0.1}


def measures(name: str) -> list[Measures]:
    return [Measures(sample=sample, assistant="a", task="t", values={name: value}) for sample, value in RUN.items()]


def checked(*right: float | None) -> Reviews:
    """A person's word on decisions of a judge, one for each sample."""
    judged = JudgedPoint(point="p", category=Category.GROUND_TRUTH, form="checklist", judge="j")
    tasks = tuple(
        ReviewTask(id=f"t{n}", sample=f"s{n}", assistant="a", reasons=("validation",), probability=1.0, judged=judged)
        for n in range(len(right))
    )
    plan = ReviewPlan(tasks=tasks, frame={}, seed=0, fingerprint="f", judge="j", measure=POINT)
    marks = [
        KeptMark(number=n + 1, at=0, mark=Mark(task=f"t{n}", rater="Ann", value=one)) for n, one in enumerate(right)
    ]
    return Reviews([plan], marks)


def test_grades_differ_by_a_mean_with_its_sign_and_by_a_distance():
    """In points of 100, over the answers that both graded: +20, -10, 0 and +40 are 12.5 above, and 17.5 apart."""
    (found,) = beside_people({"a": HumanMarks(values=PEOPLE, probability={})}, measures(GRADED))
    assert found.kind == GRADED
    assert found.estimate.value == pytest.approx(12.5)
    assert found.distance.value == pytest.approx(17.5)
    assert found.estimate.n == found.distance.n == 4
    assert found.estimate.low < 12.5 < found.estimate.high


def test_comparisons_differ_where_another_is_the_winner():
    """A half is a tie: three of four name somebody else, with Wilson's interval."""
    said = HumanMarks(values={"s0": 0.5, "s1": 1.0, "s2": 0.0, "s3": 0.0}, probability={})
    (found,) = beside_people({"a": HumanMarks(values={}, probability={}, compared=said)}, measures(COMPARED))
    assert (found.kind, found.estimate.value, found.estimate.n) == (COMPARED, 0.75, 4)
    assert found.estimate.low < 0.75 < found.estimate.high


def test_decisions_of_a_judge_are_right_by_peoples_word():
    """Who could not say counts in no share; the judge is named."""
    reviews = checked(1.0, 1.0, 0.0, None)
    (found,) = beside_people({}, measures(GRADED), reviews)
    assert (found.kind, found.judge, found.estimate.n) == (POINT, "j", 3)
    assert found.estimate.value == pytest.approx(2 / 3)
    assert not by_people([found])


def test_where_people_marked_nothing_that_the_run_did_nothing_is_said():
    """Neither of another assistant nor of a sample without a value of its own."""
    marks = {"b": HumanMarks(values=PEOPLE, probability={}), "a": HumanMarks(values={"s9": 1.0}, probability={})}
    assert beside_people(marks, measures(GRADED)) == ()
