"""Marking that ends itself: what can still move the gate is asked first, and nothing more once it is decided."""

from __future__ import annotations

import os

import numpy as np
import pytest

from benchbar.decisions.estimating import Evidence, Marks
from benchbar.decisions.gate import decide
from benchbar.decisions.policy import Policy
from benchbar.ledger.reviews import Reviews
from benchbar.records import Estimate, GateCheck, GateDecision, KeptMark, Mark, ReviewPlan, ReviewTask
from benchbar.scoring.people import human_marks
from benchbar.web.marks_wanted import EVERYTHING, Wanted, settled_of, wanted_of
from benchbar.web.queue import next_task
from support.marking import mark

OPEN, GOOD, BAD = "insufficient_evidence", "pass", "fail"


def gate(*checks: tuple[str, str, str, str], minimum: int = 5) -> GateDecision:
    """A decision with conditions of these kinds: kind, measure, assistant, decision."""
    made = [
        GateCheck(
            name=f"{name}: {measure}",
            decision=said,
            estimate=Estimate(value=0.5, low=0.4, high=0.6, n=40, method="m"),
            threshold=0.5,
            reason="",
            kind=kind,
            measure=measure,
            assistant=name,
        )
        for kind, measure, name, said in checks
    ]
    return GateDecision(decision=OPEN, checks=tuple(made), minimum_marks=minimum)


def task(id_: str, assistant: str, **more) -> ReviewTask:
    return ReviewTask(
        **{"id": id_, "sample": f"s{id_}", "assistant": assistant, "reasons": ("audit",), "probability": 1.0, **more}
    )


def planned(*tasks: ReviewTask) -> ReviewPlan:
    frame: dict[str, dict[str, float]] = {}
    for one in tasks:
        frame.setdefault(one.assistant, {})[one.sample] = one.probability
    return ReviewPlan(tasks=tasks, frame=frame, seed=0, fingerprint="f")


@pytest.mark.parametrize(
    ("checks", "settled", "open_"),
    [
        # Decided by the judge alone: people are asked until there are as many marks as the policy wants.
        ([("at_least", "overall", "a", GOOD)], {("a", "overall"): 0}, {("a", "overall")}),
        ([("at_least", "overall", "a", GOOD)], {("a", "overall"): 5}, set()),
        ([("at_least", "overall", "a", OPEN)], {("a", "overall"): 50}, {("a", "overall")}),
        # One that fails, fails the gate: no mark of another moves it.
        (
            [("at_least", "overall", "a", BAD), ("at_least", "overall", "b", OPEN)],
            {("a", "overall"): 9, ("b", "overall"): 9},
            set(),
        ),
        # By the judge's word alone it fails nobody yet.
        (
            [("at_least", "overall", "a", BAD), ("at_least", "overall", "b", OPEN)],
            {("a", "overall"): 1, ("b", "overall"): 9},
            {("a", "overall"), ("b", "overall")},
        ),
        (
            [("at_least", "overall", "a", GOOD), ("at_least", "overall", "b", OPEN)],
            {("a", "overall"): 9, ("b", "overall"): 9},
            {("b", "overall")},
        ),
        # What is counted, and what nobody is asked about, rests on no mark.
        ([("never", "overall", "a", BAD), ("evidence", "failed", "a", BAD)], {("a", "overall"): 9}, None),
        ([("at_least", "guidance_met", "a", OPEN)], {("a", "overall"): 9}, None),
    ],
)
def test_the_gate_says_which_marks_can_still_move_it(checks, settled, open_):
    """Those of conditions that are open, or that people have hardly looked at; None where none rests on marks."""
    found = wanted_of(gate(*checks), settled)
    assert bool(found.resting) == (open_ is not None)
    assert found.open == (open_ or set())
    assert found.decided == (open_ == set())


def test_what_moves_the_gate_comes_first_and_the_rest_after_it():
    """In the queue's random order within both; what was picked by hand and checks of a judge are asked for other reasons."""
    tasks = [task("1", "b"), task("2", "a"), task("3", "b"), task("4", "a"), task("5", "b", reasons=("picked",))]
    wanted = Wanted(frozenset({("a", "overall"), ("b", "overall")}), frozenset({("a", "overall")}))
    reviews, order = Reviews([planned(*tasks)]), []
    while found := next_task(reviews, {}, "ann", order, needless=wanted.needless):
        order.append(found.id)
    assert order == ["2", "4", "5", "1", "3"]
    order = []
    while found := next_task(reviews, {}, "ann", order, needless=EVERYTHING.needless):
        order.append(found.id)
    assert order == ["1", "2", "3", "4", "5"]


def test_marking_ends_when_the_gate_is_decided(visit, owner, graded):
    """The owner reads with how many marks; reviewers are thanked and given nothing more, until the owner says otherwise."""
    people = []
    for name in ("Ann", "Bo"):
        people.append(visit())
        people[-1].sign_in(name, owner.add(name, "reviewer"))
    page = f"/queues/{graded.name}"
    assert 'data-decided="no"' in owner.get(page).text
    owner.post(f"{page}/matter", {"ends": "1"}, form="/people")
    given = 0
    while 'class="review"' in people[0].get("/review").text and given < 40:
        for one in people:
            assert mark(one, "0").status_code == 303
        given += 1
        # In an app that runs, a decision is renewed after seconds.
        for known in owner.client.app.state.marks_wanted._known.values():
            known.until = 0
    shown = owner.get(page).text
    assert 'data-decided="yes"' in shown
    settled = int(shown.split("Decided with ")[1].split(" ")[0])
    # Fourteen answers of the assistant that is decided on, and as many of the reference, which the gate does not look at.
    assert 5 <= settled == given < 14
    assert f"Decided with {given} of 14 marks" in shown
    for one in people:
        assert "further ones would not change it" in one.get("/review").text
    owner.post(f"{page}/matter", {}, form="/people")
    assert 'class="review"' in people[0].get("/review").text


WORLDS = int(os.environ.get("BENCHBAR_WORLDS", "20"))
"""Queues that are marked to their end; more for whoever looks closer."""


def marked_to_the_end(random: np.random.Generator, policy: Policy, truth: float) -> dict[str, tuple[Marks, str]]:
    """Each assistant's marks and decision where people marked what `next_task` gave them until nothing more was wanted."""
    names, size = ("a", "b"), 120
    said = {name: {f"s{n}": float(random.random() < truth) for n in range(size)} for name in names}
    judge = {name: {one: float(random.random() < 0.7) for one in said[name]} for name in names}
    tasks = [task(f"{name}{n}", name, sample=f"s{n}") for name in names for n in range(size)]
    reviews = Reviews([planned(*(tasks[place] for place in random.permutation(len(tasks))))])
    wanted, number = EVERYTHING, 0
    while True:
        found = next_task(reviews, {}, "ann", needless=wanted.needless)
        if found is None or wanted.needless(found):
            break
        number += 1
        given = Mark(task=found.id, rater="ann", value=said[found.assistant][found.sample])
        reviews.add_mark(KeptMark(number=number, at=0.0, mark=given))
        if number % 10 == 0:
            marks = human_marks(reviews)
            wanted = wanted_of(decided_on(policy, judge, reviews), settled_of(reviews, marks))
    verdicts = {check.assistant: check.decision for check in decided_on(policy, judge, reviews).checks}
    marks = human_marks(reviews)
    return {
        name: (Marks(marks[name].values, marks[name].probability, marks[name].waiting), verdicts[name])
        for name in names
    }


def decided_on(policy: Policy, judge: dict[str, dict[str, float]], reviews: Reviews) -> GateDecision:
    marks = human_marks(reviews)
    evidence = {
        name: Evidence(
            {"overall": values},
            marks={"overall": Marks(marks[name].values, marks[name].probability, marks[name].waiting)}
            if marks[name].values
            else {},
        )
        for name, values in judge.items()
    }
    return decide(policy, evidence)


@pytest.mark.slow
def test_a_decision_that_ends_marking_is_wrong_as_seldom_as_any_other():
    """The truth lies at the threshold, marking goes on only where it decides, and one looks after every tenth mark."""
    random = np.random.default_rng(21)
    policy = Policy(at_least={"overall": 0.8}, minimum_n=5, minimum_marks=5)
    found = [marked_to_the_end(random, policy, 0.8) for _ in range(WORLDS)]
    wrong = sum(verdict != OPEN for world in found for _, verdict in world.values())
    # One in twenty for each assistant by the policy; the sequence is far below it, and the bound is four standard errors above.
    assert wrong / (2 * WORLDS) <= 0.05 + 4 * (0.05 * 0.95 / (2 * WORLDS)) ** 0.5
    # Whose answers are marked depends on marks; which of them does not: those that are marked are a random part of all.
    means = [np.mean(list(marks.values.values())) for world in found for marks, _ in world.values()]
    assert abs(np.mean(means) - 0.8) <= 4 * np.std(means) / len(means) ** 0.5 + 0.01
