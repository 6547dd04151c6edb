"""What became of an answer: each kind of error told from the others, and counted with intervals."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from benchbar.law.checker import CorpusChecker
from benchbar.law.corpus import Corpus
from benchbar.law.evidence import CorpusDocuments
from benchbar.measures.answer_outcomes import OUTCOMES, Outcome, outcome, outcome_measures
from benchbar.records import (
    CitedIn,
    ClaimCheck,
    ClaimVerdict,
    ContextPassage,
    Dialogue,
    DialogueEnd,
    Sample,
    Turn,
)

DAY = "2024-06-01"
ASKED = Sample(id="s", task="q", needs="试用期最长可以约定多久？", language="zh", evidence=("civil-2020#10",))
OPEN = replace(ASKED, evidence=(), tags=("unanswerable",))
READ = (ContextPassage(id="civil-2020#10", text="第十条"),)
OTHER = (ContextPassage(id="civil-2020#3", text="第三条"),)
RIGHT = "依据《民事基本法》第十条，可以。"
ASIDE = "双方可以协商，建议先沟通，再书面约定相关事项。"
SILENT = "我不知道。"


def said(text: str, contexts: tuple[ContextPassage, ...] | None = READ) -> Dialogue:
    turns = (Turn(role="user", content=ASKED.needs), Turn(role="assistant", content=text))
    return Dialogue(sample="s", assistant="a", turns=turns, ended=DialogueEnd.SATISFIED, contexts=contexts)


@pytest.fixture(scope="module")
def corpus(law):
    """The law of the model jurisdiction."""
    return Corpus.from_folder(law)


@pytest.fixture(scope="module")
def of(corpus):
    """The outcome of a reply, its citations held against the law."""
    checker, documents = CorpusChecker(corpus, today=DAY), CorpusDocuments(corpus)

    def told(sample, dialogue, *, judged=None, claim=None, on=DAY):
        reply = dialogue.turns[-1].content
        found = [
            CitedIn(sample="s", assistant="a", turn=1, on=on, citation=replace(one, claim_check=claim))
            for one in checker.check(reply, on=on, language="zh")
        ]
        return outcome(sample, dialogue, found, documents, judged or {})

    return told


def test_each_outcome_is_told_from_the_others(of):
    """Found and used, found and not used, not found, silent in its place and out of it, answered where there is no answer."""
    assert of(ASKED, said(RIGHT)) is Outcome.RIGHT
    assert of(ASKED, said(RIGHT, OTHER)) is Outcome.RIGHT
    assert of(ASKED, said(ASIDE)) is Outcome.IGNORED
    assert of(ASKED, said(ASIDE, OTHER)) is Outcome.NOT_RETRIEVED
    assert of(ASKED, said(ASIDE, ())) is Outcome.NOT_RETRIEVED
    assert of(ASKED, said(SILENT)) is Outcome.WRONGLY_SILENT
    assert of(OPEN, said(SILENT)) is Outcome.RIGHTLY_SILENT
    assert of(OPEN, said(RIGHT)) is Outcome.WRONGLY_ANSWERED


def test_a_judge_who_finds_more_wrong_than_right_overrules_a_citation(of):
    """The evidence is cited and the answer does not say it."""
    assert of(ASKED, said(RIGHT), judged={"answer_correctness": 0.2}) is Outcome.IGNORED
    assert of(ASKED, said(RIGHT), judged={"answer_correctness": 0.8}) is Outcome.RIGHT
    assert of(ASKED, said(RIGHT), judged={"answer_correctness": None}) is Outcome.RIGHT


def test_what_an_article_contradicts_comes_before_which_article_was_found(of):
    """The check of claims against articles decides; a claim that it leaves open is no contradiction."""
    assert of(ASKED, said(RIGHT), claim=ClaimCheck(verdict=ClaimVerdict.CONTRADICTS)) is Outcome.CONTRADICTED
    assert of(ASKED, said(RIGHT), claim=ClaimCheck(verdict=ClaimVerdict.CANNOT_TELL)) is Outcome.RIGHT


def test_law_that_was_not_in_force_is_outdated(of):
    """The act that the reply cites came into force after the day of the matter."""
    assert of(ASKED, said(RIGHT), on="2015-01-01") is Outcome.OUTDATED
    assert of(ASKED, said(RIGHT), on=DAY) is Outcome.RIGHT


def test_what_cannot_be_told_is_missing_and_never_zero(of):
    """A failed dialogue, passages that nobody named, a question that names no evidence."""
    failed = replace(said(RIGHT), ended=DialogueEnd.ERROR)
    assert of(ASKED, failed) is None
    assert of(ASKED, said(ASIDE, None)) is None
    assert of(ASKED, said(RIGHT, None)) is Outcome.RIGHT
    assert outcome_measures(ASKED, failed, [], None, {}) == dict.fromkeys(OUTCOMES)
    assert outcome_measures(replace(ASKED, evidence=()), said(RIGHT), [], None, {}) == {}
    known = outcome_measures(OPEN, said(SILENT), [], None, {})
    assert sum(known.values()) == known["outcome_rightly_silent"] == 1


def test_a_run_counts_outcomes_with_intervals(benchbar, asked, law, tmp_path):
    """Of each assistant and each task in results, of each answer in measures, and in the printed report."""
    spec = f"""
suite = "asked"
law = "{law}"
on = "{DAY}"
reference = "consultant"
[assistants.consultant]
kind = "law-practice"
corpus = "{law}"
on = "{DAY}"
retrieval = {{ silence = 0.1 }}
[assistants.quoting]
kind = "extractive"
corpus = "{law}"
on = "{DAY}"
"""
    (tmp_path / "spec.toml").write_text(spec, "utf-8")
    done = benchbar("run", "spec.toml", "--out", "r", "--json")
    assert done.code == 0, done.err
    rag = json.loads(done.out)["rag"]["assistants"]
    for one in rag.values():
        shares = [one["outcomes"][name] for name in OUTCOMES]
        assert {share["n"] for share in shares} == {3}
        assert sum(share["value"] for share in shares) == pytest.approx(1)
        # Of three answers a mean has no honest interval: the estimate says why.
        assert all(share["reason"] or share["low"] <= share["value"] <= share["high"] for share in shares)
        assert set(OUTCOMES) <= set(one["by_task"]["q"])
    rows = [json.loads(line) for line in (tmp_path / "r" / "measures.jsonl").read_text("utf-8").splitlines()]
    assert all(sum(row["values"][name] for name in OUTCOMES) == 1 for row in rows)
    shown = benchbar("report", "r", "--format", "csv").out
    assert "outcome_not_retrieved" in shown
