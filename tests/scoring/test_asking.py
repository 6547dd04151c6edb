"""What a judge is asked, to the letter: the form it is held to, the mark of its bars, and what it never sees."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import msgspec
import pytest

from benchbar.languages.prompts import Prompts
from benchbar.ledger.reviews import Reviews
from benchbar.records import (
    Category,
    Dialogue,
    DialogueEnd,
    Guidance,
    GuidancePoint,
    KeptMark,
    Mark,
    Reply,
    ReviewPlan,
    ReviewTask,
    Sample,
    Task,
    Turn,
    nonce,
)
from benchbar.records.protocols import AnswerSchema, ScoringInput
from benchbar.scoring.judges import Checklist, Grade, Pairwise
from benchbar.scoring.judges.shield import transcript
from benchbar.scoring.people import doubly_marked
from benchbar.scoring.points.rules import Rules
from benchbar.scoring.rag import RagJudge
from benchbar.scoring.rag.similarity import TermSimilarity

TASK = Task(id="t", name="T", level="apply", scenarios=(), background="背景")
POINT = GuidancePoint(id="p1", category=Category.MANDATORY, text="退押金")
SAMPLE = Sample(id="s", task="t", needs="押金怎么办", guidance=Guidance(points=(POINT,)))


def dialogue(name: str, *replies: str) -> Dialogue:
    turns = [Turn(role="user", content="押金怎么办"), *(Turn(role="assistant", content=one) for one in replies)]
    return Dialogue(sample="s", assistant=name, turns=tuple(turns), ended=DialogueEnd.TURN_LIMIT)


class Held:
    """A model whose endpoint holds answers to a schema; keeps what it was asked."""

    identity, room = "held", None

    def __init__(self, answer: object) -> None:
        self.answer, self.prompts, self.schemas = answer, [], []

    async def holds_to_schemas(self) -> bool:
        return True

    async def ask(
        self,
        messages: Sequence[Turn],
        *,
        role: str,
        repeat: int = 0,
        attempt: int = 0,
        schema: AnswerSchema | None = None,
    ) -> Reply:
        self.prompts.append(messages[0].content)
        self.schemas.append(schema)
        return Reply(content=msgspec.json.encode(self.answer).decode())


def test_reasons_are_a_text_before_the_verdict():
    """A judge that reasons first decides better: the schema has reasons as a bounded text, then the three verdicts."""
    judge = Held({"reasons": "…", "verdict": "1"})
    pair = ScoringInput(TASK, SAMPLE, dialogue("a", "退。"), reference=dialogue("b", "不退。"), order="left_first")
    (found,) = asyncio.run(Pairwise(judge, Prompts()).score(pair))
    fields = judge.schemas[0].fields
    assert found.winner == "left"
    assert list(fields) == ["reasons", "verdict"]
    assert fields["reasons"]["type"] == fields["verdict"]["type"] == "string"
    assert fields["verdict"]["enum"] == ["1", "2", "3"]


def test_a_mark_of_a_checklist_is_one_of_three_after_its_quotation():
    """Nothing else can be said of a point, and what is proven needs no further reason."""
    judge = Held({"p1": {"quote": "退押金", "mark": "met"}})
    (mark,) = asyncio.run(Checklist(judge, Prompts()).score(ScoringInput(TASK, SAMPLE, dialogue("a", "应当退押金。"))))
    assert (mark.value, mark.reason) == (1.0, "")
    fields = judge.schemas[0].fields["p1"]["properties"]
    assert list(fields) == ["quote", "mark"]
    assert fields["mark"]["enum"] == ["met", "partly", "not_met"]


def test_the_mark_of_a_checklists_bars_follows_from_its_form_sample_and_dialogue():
    """The same as ever, so that a stored run finds its answers in the ledger."""
    judge, talk = Held({"p1": {"quote": "", "mark": "not_met"}}), dialogue("a", "应当退押金。")
    asyncio.run(Checklist(judge, Prompts()).score(ScoringInput(TASK, SAMPLE, talk)))
    assert nonce("checklist", "s", transcript(talk, "zh")) in judge.prompts[0]


def test_scorers_say_whether_they_ask():
    """By this the ledger's plan knows which marks need calls: rules none, comparisons always, others where there is something open."""
    model = Held({})
    made = (
        Rules(),
        Pairwise(model, Prompts()),
        Checklist(model, Prompts()),
        Grade(model, Prompts()),
        RagJudge(model, Prompts()),
    )
    assert [one.asks for one in made] == ["never", "always", "sometimes", "sometimes", "sometimes"]


def test_an_answer_that_was_never_given_makes_no_claims():
    """A dialogue that ended before the assistant spoke shows the judge an empty answer, and none of our own words."""
    judge = Held({"claims": []})
    found = asyncio.run(
        RagJudge(judge, Prompts(), similarity=TermSimilarity()).score(ScoringInput(TASK, SAMPLE, dialogue("a")))
    )
    assert {one.measure: one.value for one in found}["faithfulness"] is None
    mark = nonce("rag_questions", "s", "", "3")
    assert any(mark in prompt for prompt in judge.prompts)


@pytest.mark.parametrize(
    ("marks", "rows"),
    [
        ([("ann", 0.2, False), ("bob", 0.4, False)], [{"ann": 0.2, "bob": 0.4}]),
        ([("ann", 0.2, False), ("bob", 0.4, False), ("eve", 0.3, True)], [{"ann": 0.2, "bob": 0.4}]),
        ([("ann", 0.2, False), ("bob", None, False)], []),
        ([("ann", 0.2, False)], []),
    ],
)
def test_agreement_of_people_rests_on_tasks_that_two_marked(marks, rows):
    """Rater to value for each; whoever settled a difference had seen both marks, and is left out."""
    task = ReviewTask(id="t", sample="s", assistant="a", reasons=("audit",), probability=0.5, annotators=2)
    plan = ReviewPlan(tasks=(task,), frame={"a": {"s": 0.5}}, seed=1, fingerprint="f", agree=0.15)
    kept = [
        KeptMark(number=number, at=0.0, mark=Mark(task="t", rater=rater, value=value, adjudication=settles))
        for number, (rater, value, settles) in enumerate(marks, start=2)
    ]
    assert doubly_marked(Reviews((plan,), kept), task.measure) == rows
