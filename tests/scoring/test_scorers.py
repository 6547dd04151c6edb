"""Scoring rules of one's own, and the examination that they and the built-in scorers pass."""

from __future__ import annotations

import asyncio
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import benchbar
from benchbar.languages.prompts import Prompts
from benchbar.ledger.reviews import Reviews
from benchbar.records import (
    GRADED,
    Dialogue,
    DialogueEnd,
    Evidence,
    KeptMark,
    Layer,
    Mark,
    Reply,
    ReviewPlan,
    ReviewTask,
    Sample,
    Score,
    ScoreStatus,
    Task,
    Turn,
)
from benchbar.records.errors import AuthenticationError, ContentFilterError, InterruptedRunError, UserError
from benchbar.records.protocols import ScoringInput
from benchbar.scoring.functions import FunctionScorer
from benchbar.scoring.judges import Checklist, Grade, Pairwise
from benchbar.scoring.people import People, human_marks
from benchbar.scoring.points import Rules
from benchbar.scoring.rag import RagJudge
from benchbar.testing import ScorerConformance

SAMPLE = Sample(id="s", task="t", needs="押金怎么办")
TASK = Task(id="t", name="T", level="apply", scenarios=())


def dialogue(*replies: str, ended: DialogueEnd = DialogueEnd.SATISFIED) -> Dialogue:
    turns = [
        turn
        for reply in replies
        for turn in (Turn(role="user", content="请咨询"), Turn(role="assistant", content=reply))
    ]
    return Dialogue(sample="s", assistant="a", turns=tuple(turns), ended=ended)


def scored(rule: FunctionScorer, *replies: str, repeat: int = 0):
    (found,) = asyncio.run(rule.score(ScoringInput(TASK, SAMPLE, dialogue(*replies), repeat=repeat)))
    return found


@benchbar.scorer(name="has_disclaimer", better="higher")
def has_disclaimer(sample, dialogue, word="请咨询"):
    return benchbar.mark(word in dialogue.replies[-1], evidence=dialogue.find(word))


class Judge:
    """A model that answers every form of judge, by what it is asked."""

    identity = "judge"

    async def ask(self, messages, *, role: str, repeat: int = 0, attempt: int = 0) -> Reply:
        prompt = messages[-1].content
        claims = re.findall(r"^(\d+)\. ", prompt, re.MULTILINE)
        answers = {
            '"marks"': {"marks": [{"point": "seven-days", "mark": "met", "quote": "七日内退还"}]},
            '"clarity"': {"completeness": 30, "accuracy": 40, "clarity": 10},
            '{"claims": ': {"claims": ["押金应当七日内退还"]},
            '{"verdicts": ': {"verdicts": [{"claim": int(one), "borne": True} for one in claims]},
            '{"questions": ': {"questions": ["押金多久退？"] * 3, "noncommittal": False},
        }
        found = next((answer for head, answer in answers.items() if head in prompt), None)
        return Reply(content="理由。\n" + ("[[1]]" if found is None else json.dumps(found, ensure_ascii=False)))


class TestFunction(ScorerConformance):
    def make(self):
        return has_disclaimer


class TestRules(ScorerConformance):
    def make(self):
        return Rules()


class TestChecklist(ScorerConformance):
    def make(self):
        return Checklist(Judge(), Prompts())


class TestGrade(ScorerConformance):
    def make(self):
        return Grade(Judge(), Prompts())


class TestPairwise(ScorerConformance):
    def make(self):
        return Pairwise(Judge(), Prompts())


class TestRag(ScorerConformance):
    def make(self):
        return RagJudge(Judge(), Prompts())


def reviews(*marks: Mark, sample: str = "deposit", assistant: str = "candidate") -> Reviews:
    """What people said, one after the other, of one dialogue that two of them were asked to mark."""
    task = ReviewTask(id="t", sample=sample, assistant=assistant, reasons=("audit",), probability=0.5, annotators=2)
    plan = ReviewPlan(tasks=(task,), frame={assistant: {sample: 0.5, "other": 0.5}}, seed=0, fingerprint="f")
    return Reviews([plan], [KeptMark(number=number, at=0.0, mark=mark) for number, mark in enumerate(marks, start=2)])


def marked(rater: str, value: float | None, reason: str = "", *, settles: bool = False) -> Mark:
    return Mark(task="t", rater=rater, value=value, reason=reason, adjudication=settles)


class TestPeople(ScorerConformance):
    def make(self):
        return People(reviews(marked("ann", 0.75, "no article"), marked("bo", 0.75)))

    def test_it_has_something_to_say(self):
        """The examination is of a mark that is there."""
        assert [one.value for one in self._score(self.reply)] == [0.75]


def people_say(*marks: Mark) -> tuple[Score, ...]:
    given = ScoringInput(TASK, SAMPLE, dialogue("七日内退还。"))
    return asyncio.run(People(reviews(*marks, sample="s", assistant="a")).score(given))


def test_people_are_a_scorer_of_the_layer_human():
    """A settled mark is the mean of those who agree, with who gave it and why; the measure is what they were asked for."""
    (found,) = people_say(marked("ann", 0.75, "no article"), marked("bo", 0.85, "fine"))
    assert (found.layer, found.status, found.dimension, found.scorer) == (
        Layer.HUMAN,
        ScoreStatus.SCORED,
        GRADED,
        "people",
    )
    assert found.value == pytest.approx(0.8)
    assert (found.rater, found.reason) == ("ann, bo", "ann: no article; bo: fine")


@pytest.mark.parametrize(
    "given",
    [
        (),
        (marked("ann", 0.75),),
        (marked("ann", 0.1), marked("bo", 0.9)),
        (marked("ann", 0.75), marked("bo", None)),
    ],
    ids=["nobody", "too few", "they differ", "one cannot say"],
)
def test_people_say_nothing_before_a_task_is_settled(given):
    """Where marks are missing, differ or cannot be given, a person is still waited for: there is no mark, least of all zero."""
    assert people_say(*given) == ()


def test_people_abstain_where_a_task_stays_disputed():
    """Who was to settle a difference cannot: a mark without a value, with the reasons of all."""
    (found,) = people_say(marked("ann", 0.1, "wrong"), marked("bo", 0.9), marked("cy", None, "unclear", settles=True))
    assert (found.status, found.value) == (ScoreStatus.ABSTAINED, None)
    assert found.reason == "disputed; ann: wrong; cy: unclear"


@given(
    first=st.none() | st.floats(0, 1),
    second=st.none() | st.floats(0, 1),
    third=st.sampled_from(["nobody", "cannot say"]) | st.floats(0, 1),
)
def test_what_is_kept_of_people_is_what_their_scorer_says(first, second, third):
    """marks.json holds the scorer's values, its abstentions as disputed, and what it says nothing of as waiting."""
    last = [] if third == "nobody" else [marked("cy", None if third == "cannot say" else third, settles=True)]
    given = [marked("ann", first), marked("bo", second), *last]
    found = {one.status: one.value for one in people_say(*given)}
    kept = human_marks(reviews(*given, sample="s", assistant="a"))["a"]
    assert kept.values == ({"s": found[ScoreStatus.SCORED]} if ScoreStatus.SCORED in found else {})
    assert kept.disputed == (("s",) if ScoreStatus.ABSTAINED in found else ())
    assert kept.waiting == (not found)


def test_a_rule_marks_under_its_own_name_with_its_evidence():
    """A value of its unit, the layer of a rule, and the span that it points at; the function is a function still."""
    found = scored(has_disclaimer, "不清楚。", "请咨询律师。")
    assert (found.dimension, found.value, found.layer, found.status) == (
        "has_disclaimer",
        1.0,
        Layer.RULE,
        ScoreStatus.SCORED,
    )
    assert found.evidence == (Evidence(turn=3, start=0, end=3, text="请咨询"),)
    assert scored(has_disclaimer, "请咨询律师。", "不清楚。").value == 0.0
    assert has_disclaimer(SAMPLE, dialogue("请咨询律师。")).value == 1.0
    assert (has_disclaimer.measure.unit, has_disclaimer.measure.better) == ("share", "higher")


def test_only_what_the_assistant_said_is_found():
    """The user's words are no evidence; of several places the last counts."""
    talk = dialogue("押金，押金。")
    assert talk.find("请咨询") is None
    assert talk.find("") is None
    assert talk.find("押金") == Evidence(turn=1, start=3, end=5, text="押金")
    assert (talk.replies, dialogue().replies) == (("押金，押金。",), ())


@pytest.mark.parametrize(
    ("answer", "status", "value"),
    [
        (True, ScoreStatus.SCORED, 1.0),
        (0.25, ScoreStatus.SCORED, 0.25),
        (None, ScoreStatus.ABSTAINED, None),
        (benchbar.mark(None, reason="no answer"), ScoreStatus.ABSTAINED, None),
        (float("nan"), ScoreStatus.FAILED, None),
        (float("inf"), ScoreStatus.FAILED, None),
        (1.5, ScoreStatus.FAILED, None),
        ("yes", ScoreStatus.FAILED, None),
        (benchbar.mark(1, evidence=Evidence(turn=1, start=0, end=2, text="没有")), ScoreStatus.FAILED, None),
        (benchbar.mark(1, evidence=Evidence(turn=9, start=0, end=2, text="押金")), ScoreStatus.FAILED, None),
        (benchbar.mark(1, evidence=[None, None]), ScoreStatus.SCORED, 1.0),
    ],
)
def test_what_a_rule_may_answer(answer, status, value):
    """A number, True, False, None or a mark; what is off the scale, no number, or points nowhere is failed, never 0."""
    rule = benchbar.scorer(name="r")(lambda sample, dialogue: answer)
    found = scored(rule, "押金应当退还。")
    assert (found.status, found.value) == (status, value)
    assert found.reason or status is ScoreStatus.SCORED


def test_a_rule_in_another_unit_may_count_beyond_one():
    """Only a share is bounded by 1."""
    length = benchbar.scorer(name="length", unit="characters", better="neither")(
        lambda sample, dialogue: len(dialogue.replies[-1])
    )
    assert scored(length, "押金应当退还。").value == 7.0


def test_a_rule_that_raises_fails_its_mark_and_not_the_run():
    """The reason says what was raised; what everybody's run must stop for is raised."""
    broken = benchbar.scorer(name="broken")(lambda sample, dialogue: dialogue.replies[9])
    assert (scored(broken, "x").status, scored(broken, "x").reason) == (
        ScoreStatus.FAILED,
        "IndexError: tuple index out of range",
    )

    def asking(error):
        @benchbar.scorer(name="asking")
        async def rule(sample, dialogue):
            raise error

        return rule

    assert scored(asking(ContentFilterError("withheld")), "x").status is ScoreStatus.FAILED
    for error in (AuthenticationError("wrong key"), InterruptedRunError("stopped")):
        with pytest.raises(type(error)):
            scored(asking(error), "x")


def test_settings_are_checked_when_the_run_is_put_together():
    """A setting that the function does not have, or that it lacks, is refused with those it has; identity tells them apart."""
    bound = has_disclaimer.bound(None, {"word": "律师"})
    assert scored(bound, "问律师。").value == 1.0
    assert bound.identity != has_disclaimer.identity
    with pytest.raises(UserError, match=r"scorer 'has_disclaimer': .*'words'; its settings: word"):
        has_disclaimer.bound(None, {"words": "律师"})


def test_a_rule_that_may_ask_a_model_is_given_the_run_and_the_repeat():
    """It is async, its mark is of the model's layer, and its items are planned."""

    @benchbar.scorer(name="tone")
    async def tone(sample, dialogue, context, repeat, model="m"):
        return (await context.model({"model": model}).ask([], role="judge", repeat=repeat)).content == "good"

    class Lends:
        def model(self, settings):
            assert settings == {"model": "big"}
            return self

        async def ask(self, messages, *, role, repeat):
            return Reply(content="good" if repeat == 1 else "bad")

    bound = tone.bound(Lends(), {"model": "big"})
    assert (bound.asks, bound.repeatable, has_disclaimer.asks) == ("sometimes", True, "never")
    found = scored(bound, "x", repeat=1)
    assert (found.value, found.layer, found.repeat) == (1.0, Layer.LLM, 1)


def test_a_name_with_a_slash_is_refused():
    """The ids of planned items are made of parts with slashes between them."""
    with pytest.raises(ValueError, match="a slash is not allowed"):
        benchbar.scorer(name="a/b")
