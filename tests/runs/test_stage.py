"""A scorer's part in a run: what it plans, what it is shown, and what the ledger keeps of it."""

from __future__ import annotations

import asyncio

import pytest

from benchbar.dialogue.asking import AskingUser
from benchbar.languages.prompts import Prompts
from benchbar.ledger import Ledger
from benchbar.ledger.check import check
from benchbar.records import (
    Category,
    Comparison,
    Dialogue,
    DialogueEnd,
    Guidance,
    GuidancePoint,
    Layer,
    Reply,
    Sample,
    Score,
    ScoreStatus,
    Suite,
    SuiteCard,
    Task,
    Turn,
    Winner,
)
from benchbar.records.errors import ModelError
from benchbar.records.protocols import Asks, Scorer, ScoringInput
from benchbar.runs.consultation import Consultation, Planned, consult, planned, planned_count
from benchbar.runs.stage import Stage
from benchbar.scoring.points import Rules

POINT = GuidancePoint(id="p", category=Category.MANDATORY, text="退押金")
SAMPLE = Sample(id="s", task="t", needs="押金怎么办", guidance=Guidance(points=(POINT,)))
SUITE = Suite(
    card=SuiteCard(name="small"), tasks={"t": Task(id="t", name="T", level="apply", scenarios=())}, samples=(SAMPLE,)
)


class Fixed:
    """Gives one mark, and remembers what it was shown."""

    compares = False

    def __init__(self, name: str, asks: Asks = "sometimes", *, status: ScoreStatus = ScoreStatus.SCORED) -> None:
        self.name, self.asks, self.identity, self.status = name, asks, f"{name}:1", status
        self.shown: list[ScoringInput] = []

    async def score(self, given: ScoringInput) -> tuple[Score, ...]:
        self.shown.append(given)
        return (
            Score(
                sample=given.sample.id,
                assistant=given.dialogue.assistant,
                dimension=f"{self.name}:whole",
                layer=Layer.LLM,
                status=self.status,
                value=1.0 if self.status is ScoreStatus.SCORED else None,
                repeat=given.repeat,
            ),
        )


class Beside(Fixed):
    """Prefers the candidate."""

    compares = True

    async def score(self, given: ScoringInput) -> tuple[Comparison, ...]:
        left, right, order = given.pair
        self.shown.append(given)
        return (
            Comparison(
                sample=given.sample.id,
                left=left.assistant,
                right=right.assistant,
                order=order,
                status=ScoreStatus.SCORED,
                winner=Winner.LEFT,
            ),
        )


class Says:
    """An assistant with one answer."""

    async def reply(self, turns: tuple[Turn, ...]) -> Reply:
        return Reply(content=f"关于{turns[-1].content}：房东应当退押金。")


def study(ledger: Ledger, *stages: Stage) -> Consultation:
    return Consultation(
        suite=SUITE,
        assistants={"base": Says(), "new": Says()},
        reference="base",
        simulator=AskingUser(),
        ledger=ledger,
        prompts=Prompts(),
        stages=(Stage(Rules()), *stages),
    )


def test_items_are_planned_dialogue_by_dialogue_and_comparisons_last(ledger):
    """Ids say scorer, sample, assistant, then order or place in the panel, then repeat; rules plan nothing."""
    panel = (Stage(Fixed("grade"), 1, place) for place in range(2))
    made = study(ledger, Stage(Fixed("checklist"), 2), *panel, Stage(Beside("comparison", "always")))
    assert [item.id for item in planned(made)] == [
        "dialogue/s/base",
        "checklist/s/base/0",
        "checklist/s/base/1",
        "grade/s/base/0/0",
        "grade/s/base/1/0",
        "dialogue/s/new",
        "checklist/s/new/0",
        "checklist/s/new/1",
        "grade/s/new/0/0",
        "grade/s/new/1/0",
        "comparison/s/new/left_first/0",
        "comparison/s/new/right_first/0",
    ]
    assert {item.kind for item in planned(made) if item.calls} == {"dialogue", "comparison"}
    assert planned_count(made) == 12


def test_every_planned_item_is_settled_and_told_once(ledger, tmp_path):
    """Also one whose mark failed; then a reading of the ledger alone finds nothing amiss."""
    fails = Fixed("tone", status=ScoreStatus.FAILED)
    made = study(ledger, Stage(Fixed("checklist"), 2), Stage(fails))
    ledger.plan(Planned(made))
    told: list[str] = []
    asyncio.run(consult(made, SAMPLE, told.append))
    assert sorted(told) == ["checklist"] * 4 + ["dialogue"] * 2 + ["tone"] * 2
    ledger.close()
    report = check(tmp_path / "ledger.sqlite")
    assert (report.problems, report.planned, report.finished) == ((), 8, 8)


def test_marks_of_points_come_first_then_the_rest_in_the_order_of_assistants(ledger):
    """Rules' marks of both dialogues stand before the first grade."""
    made = study(ledger, Stage(Fixed("grade"), 2, 0))
    found = asyncio.run(consult(made, SAMPLE, lambda _: None)).scores
    assert [(one.assistant, one.dimension, one.repeat) for one in found] == [
        ("base", "p", 0),
        ("new", "p", 0),
        ("base", "grade:whole", 0),
        ("base", "grade:whole", 1),
        ("new", "grade:whole", 0),
        ("new", "grade:whole", 1),
    ]


def test_a_scorer_is_shown_what_the_rules_said(ledger):
    """Each pass has its repeat; who compares sees candidate and reference in both orders."""
    alone, beside = Fixed("checklist"), Beside("comparison", "always")
    asyncio.run(consult(study(ledger, Stage(alone, 2), Stage(beside)), SAMPLE, lambda _: None))
    assert isinstance(beside, Scorer)
    assert sorted((one.dialogue.assistant, one.repeat) for one in alone.shown) == [
        ("base", 0),
        ("base", 1),
        ("new", 0),
        ("new", 1),
    ]
    assert {one.open_points for one in alone.shown} == {(POINT,)}  # a point to be judged by its sense: no rule decides
    assert [one.order for one in beside.shown] == ["left_first", "right_first"]
    assert {(one.pair[0].assistant, one.pair[1].assistant) for one in beside.shown} == {("new", "base")}


def test_what_cannot_go_on_ends_the_sample_after_the_others_have_finished(ledger):
    """A scorer's fatal error is raised; what others were paid for is settled first."""

    class Broken(Fixed):
        async def score(self, given: ScoringInput) -> tuple[Score, ...]:
            raise ModelError("the key is wrong")

    slow = Fixed("checklist")
    made = study(ledger, Stage(Broken("tone")), Stage(slow))
    ledger.plan(Planned(made))
    told: list[str] = []
    with pytest.raises(ModelError, match="the key is wrong"):
        asyncio.run(consult(made, SAMPLE, told.append))
    assert told.count("checklist") == 2


def test_a_failed_dialogue_is_scored_as_failed_by_rules(ledger):
    """Its points have no value, and nothing of it is zero."""

    class Silent:
        def dialogue(self, _: Sample) -> Dialogue | None:
            return None

    made = study(ledger)
    made.assistants["new"] = Silent()
    found = asyncio.run(consult(made, SAMPLE, lambda _: None))
    assert [one.ended for one in found.dialogues][1] is DialogueEnd.ERROR
    assert [(one.assistant, one.status, one.value) for one in found.scores][1] == ("new", ScoreStatus.FAILED, None)
