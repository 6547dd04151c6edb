"""How far people agree while they mark, and what comparisons are to the gate."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.inter_rater import cohens_kappa, fleiss_kappa

from benchbar.decisions.estimating import Evidence, Marks, estimated
from benchbar.decisions.policy import policy_of
from benchbar.ledger.reviews import Reviews
from benchbar.measures.raters import BANDS, agreement, odd_raters
from benchbar.records import COMPARED, GRADED, KeptMark, Mark, ReviewPlan, ReviewTask, fingerprint
from benchbar.runs.reviewing import Doubt, draw
from benchbar.scoring.people import human_marks
from benchbar.scoring.routing import Routing


def name(*content: str) -> str:
    return fingerprint(content)


def reviewed(values: list[tuple[float | None, ...]], *, against: str = "", adjudicated: float | None = None) -> Reviews:
    """Reviews in which rater 0, 1, ... gave each task the values of its row."""
    tasks = tuple(
        ReviewTask(
            id=f"t{number}", sample=f"s{number}", assistant="a", reasons=("audit",), probability=1.0, against=against
        )
        for number in range(len(values))
    )
    plan = ReviewPlan(
        tasks=tasks,
        frame={"a": {task.sample: 1.0 for task in tasks}},
        seed=0,
        fingerprint="x",
        measure=COMPARED if against else GRADED,
    )
    given = [
        Mark(task=f"t{number}", rater=f"rater-{place}", value=value)
        for number, row in enumerate(values)
        for place, value in enumerate(row)
    ]
    if adjudicated is not None:
        given.append(Mark(task="t0", rater="owner", value=adjudicated, adjudication=True))
    return Reviews([plan], [KeptMark(number=n, at=0.0, mark=mark) for n, mark in enumerate(given, start=2)])


def test_kappas_of_comparisons_are_those_of_statsmodels():
    """Fleiss' over three people, Cohen's of each pair; who cannot say and who adjudicates are left out."""
    generator = np.random.default_rng(3)
    truth = generator.integers(0, 3, 60)
    codes = [[int(t) if generator.random() < 0.7 else int(generator.integers(0, 3)) for _ in range(3)] for t in truth]
    rows = [tuple(code / 2 for code in row) for row in codes]
    found = agreement(reviewed(rows, against="reference", adjudicated=1.0))[COMPARED]
    counts = np.array([[row.count(code) for code in range(3)] for row in codes])
    assert found.tasks == 60
    assert found.fleiss_kappa.value == pytest.approx(fleiss_kappa(counts))
    for pair in found.pairs:
        one, other = int(pair.one[-1]), int(pair.other[-1])
        table = np.zeros((3, 3))
        for row in codes:
            table[row[one], row[other]] += 1
        assert pair.kappa.value == pytest.approx(cohens_kappa(table, return_results=False))
        assert pair.kappa.low < pair.kappa.value < pair.kappa.high
    assert found.apart is None


def test_grades_agree_by_bands_and_by_distance():
    """Alpha is of the grades as they are; a task of one person, or with one that cannot say, says nothing."""
    rows = [(0.9, 0.9), (0.4, 0.5), (0.7, 0.6), (0.2, 0.1), (0.95, None), (0.8,), (0.6, 0.75)]
    found = agreement(reviewed(rows))[GRADED]
    assert found.tasks == 5
    assert found.apart.value == pytest.approx((0 + 0.1 + 0.1 + 0.1 + 0.15) / 5)
    assert found.alpha.value > 0.9
    assert found.raw.value == pytest.approx(2 / 5)
    assert [bound for bound, _ in BANDS] == sorted(bound for bound, _ in BANDS)
    assert agreement(reviewed([(0.5,), (0.7,)])) == {}


def test_a_comparing_queue_asks_about_candidates_beside_the_reference():
    """One task for each candidate and sample of which both dialogues can be read; ids differ from those of grades."""
    doubts = [
        Doubt(sample=f"s{number}", assistant=who, stratum="t", groups=("t",))
        for number in range(4)
        for who in ("a", "b", "reference")
        if (number, who) != (3, "reference")
    ]
    plan = draw(doubts, Routing(audit=1.0, protocol="compare"), seed=1, name=name, reference="reference")
    assert {(task.sample, task.assistant) for task in plan.tasks} == {(f"s{n}", who) for n in range(3) for who in "ab"}
    assert {task.against for task in plan.tasks} == {"reference"}
    graded = draw(doubts, Routing(audit=1.0), seed=1, name=name, reference="reference")
    assert not {task.id for task in plan.tasks} & {task.id for task in graded.tasks}
    assert (plan.measure, graded.measure, len(graded.tasks)) == (COMPARED, GRADED, 11)


def test_peoples_comparisons_are_the_human_side_of_the_win_rate():
    """Not of the overall value; with chances, as grades are."""
    marks = human_marks(reviewed([(1.0,), (0.0,), (1.0,), (0.5,)], against="reference"))["a"]
    assert marks.values == {}
    assert marks.compared.values == {"s0": 1.0, "s1": 0.0, "s2": 1.0, "s3": 0.5}
    evidence = Evidence(
        {COMPARED: {f"s{n}": 1.0 for n in range(4)}},
        {COMPARED: Marks(marks.compared.values, marks.compared.probability)},
    )
    assert estimated(policy_of({}), evidence, COMPARED).estimate.value == pytest.approx(0.625)


def test_somebody_who_marks_differently_is_named():
    """Of three people one takes off a fifth: strict, on the tasks that all three marked; the others are not named."""
    generator = np.random.default_rng(8)
    rows = [
        tuple(np.clip(one + generator.normal(0, 0.05, 3) - (0, 0, 0.2), 0, 1))
        for one in generator.uniform(0.4, 0.8, 20)
    ]
    reviews = reviewed(rows)
    ((measure, odd),) = odd_raters(reviews)
    assert (measure, odd.rater, odd.how, odd.tasks) == (GRADED, "rater-2", "strict", 20)
    assert odd.by == pytest.approx(0.2, abs=0.05)
    assert odd in agreement(reviews)[GRADED].odd
    assert odd_raters(reviewed([(0.5, 0.6)] * 4)) == []
    assert [one.how for _, one in odd_raters(reviewed([(0.5, 0.6)] * 12))] == ["strict", "lenient"]
