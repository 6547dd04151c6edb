"""Questions that a model writes: filtered by rules, unverified until a person says otherwise."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchbar.law.corpus import Corpus
from benchbar.records.answers import read_closing_object
from benchbar.records.errors import UserError
from benchbar.suites import folder
from benchbar.suites.acceptance import accept
from benchbar.suites.question_material import KINDS, Material, Passage, choose
from benchbar.suites.question_rules import Written, fault, leaks

MATERIAL = Material(
    kind="simple",
    passages=(Passage(id="t#5", label="租赁法 5", text="出租人应当在租赁期满后七日内退还押金，逾期按日加付利息。"),),
)
GOOD = Written(
    usable=True,
    question="房子到期搬走了，房东拖着不给我钱，我该怎么办？",
    answer="出租人应当在租赁期满后七日内退还押金，逾期按日加付利息。",
    evidence=(1,),
)


def changed(**fields: object) -> Written:
    import msgspec

    return msgspec.structs.replace(GOOD, **fields)


def test_a_question_that_stands_every_rule():
    """No fault."""
    assert fault(GOOD, MATERIAL, []) is None


@pytest.mark.parametrize(
    ("written", "rule"),
    [
        (changed(usable=False), "unusable"),
        (changed(question="？"), "length"),
        (changed(evidence=()), "evidence_missing"),
        (changed(evidence=(1, 2)), "evidence_missing"),
        (changed(question="依照第五条，房东拖着不给我钱怎么办？"), "article_number_leaked"),
        (changed(question="上述材料里房东拖着不给我钱怎么办？"), "not_self_contained"),
        (changed(answer="应当向仲裁委员会申请裁决并预交费用。"), "not_answerable"),
        (changed(answer=GOOD.answer.replace("七日", "15日")), "not_answerable"),
        (changed(question=GOOD.answer + "对吗"), "answer_in_question"),
    ],
)
def test_each_rule_keeps_out_what_breaks_it(written, rule):
    """By the name that is counted."""
    assert fault(written, MATERIAL, []) == rule


def test_nearly_the_same_question_is_kept_out():
    """The first one stays."""
    assert fault(GOOD, MATERIAL, [GOOD.question]) == "double"


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("根据第 12 条能退吗？", True),
        ("（2024）澜02民终63号怎么判的？", True),
        ("Можно ли по ст. 130 вернуть деньги?", True),
        ("Does section 12 apply to me?", True),
        ("我租了3年，第2个月能退吗？", False),
        ("Can I get 3 months' rent back?", False),
    ],
)
def test_numbers_of_articles_and_cases_leak_and_other_numbers_do_not(question, found):
    """In three languages."""
    assert leaks(question) is found


@pytest.mark.parametrize(
    "answer", ["", "没有题目", '{"usable": "是"}', '{"usable": true, "evidence": "1"}', "{" * 5000]
)
def test_answers_that_cannot_be_read_are_none(answer):
    """Whatever a model writes."""
    assert read_closing_object(answer, "usable", Written) is None


def test_the_closing_object_is_read_in_a_fence_or_without():
    """The last one counts."""
    text = '{"usable": false}\n```json\n{"usable": true, "question": "q", "answer": "a", "evidence": [1]}\n```'
    assert read_closing_object(text, "usable", Written).question == "q"


@pytest.mark.parametrize("kind", KINDS)
def test_materials_are_in_force_and_each_is_chosen_once(law, kind):
    """Seeded: the same draw again; several articles for the kinds that need them."""
    corpus = Corpus.from_folder(law)
    first, again = (list(choose(corpus, kind, np.random.default_rng(3), day="2024-06-01")) for _ in range(2))
    assert first == again
    assert first
    assert len({one.passages for one in first}) == len(first)
    assert all(len(one.passages) == (1 if kind == "simple" else 2) for one in first)
    assert not any(passage.id.startswith("tenancy-2012#") for one in first for passage in one.passages)


def test_an_unknown_kind_is_refused(law):
    """With those that there are."""
    with pytest.raises(UserError, match="law_practice"):
        list(choose(Corpus.from_folder(law), "riddle", np.random.default_rng(0), day="2024-06-01"))


def test_questions_are_written_filtered_run_and_accepted(benchbar, chat_server, law, tmp_path: Path):
    """From a corpus to a suite that a run says is unverified, and to one that a person has accepted."""
    arguments = (
        "suite",
        "make-questions",
        "--law",
        str(law),
        "--model",
        "author",
        "--base-url",
        chat_server.base_url,
    )
    wanted = ("--simple", "6", "--multi-article", "3", "--law-practice", "2", "--on", "2024-06-01", "--out", "mine")
    made = benchbar(*arguments, *wanted, "--json")
    assert made.code == 0, made.err
    said = json.loads(made.out)
    assert said["kinds"] == {"simple": 6, "multi_article": 3, "law_practice": 2}
    assert said["unverified"] == said["questions"] == 11
    assert said["tried"] >= 11
    assert sum(said["rejected"].values()) > 0
    suite = folder.read(tmp_path / "mine")
    assert suite.card.protocol == "question_answering"
    assert all(sample.tags == ("unverified",) and sample.reference and sample.on for sample in suite.samples)
    corpus = Corpus.from_folder(law)
    for sample in suite.samples:
        assert not leaks(sample.needs)
        assert all(corpus.article(one) or corpus.decision(one) for one in sample.evidence)
        assert len(sample.evidence) == (1 if sample.task == "simple" else 2)
    assert benchbar(*arguments, *wanted).code == 2
    run = benchbar("run", "--suite", "mine", "--assistant", f"q=extractive:corpus={law},on=2024-06-01", "--out", "r")
    assert "11 of 11 questions were written by a model" in " ".join(run.out.split())
    one, two = suite.samples[0].id, suite.samples[1].id
    done = benchbar("suite", "accept", "mine", one, "--refuse", two, "--by", "anna")
    assert "10 samples" in done.out
    assert "9 still unverified" in done.out
    assert folder.read(tmp_path / "mine").samples[0].tags == ("accepted-by:anna",)


def test_the_same_command_after_a_stop_pays_for_nothing_twice(benchbar, chat_server, law, tmp_path):
    """Calls are in the folder's ledger."""
    arguments = (
        *("suite", "make-questions", "--law", str(law), "--model", "author", "--base-url", chat_server.base_url),
        *("--simple", "4", "--multi-article", "0", "--law-practice", "0", "--on", "2024-06-01", "--out", "mine"),
    )
    assert benchbar(*arguments).code == 0
    before = chat_server.stats()["requests"]
    first = (tmp_path / "mine" / "samples.jsonl").read_bytes()
    for name in ("card.toml", "tasks.jsonl", "samples.jsonl"):
        (tmp_path / "mine" / name).unlink()
    assert benchbar(*arguments).code == 0
    assert chat_server.stats()["requests"] == before
    assert (tmp_path / "mine" / "samples.jsonl").read_bytes() == first


def test_a_person_cannot_accept_what_is_not_there(asked):
    """Nor accept and refuse at once, nor refuse everything."""
    suite = folder.read(asked)
    with pytest.raises(UserError, match="unknown sample"):
        accept(suite, ["nobody"], by="anna")
    with pytest.raises(UserError, match="at once"):
        accept(suite, ["minor"], refused=["minor"], by="anna")
    with pytest.raises(UserError, match="every sample"):
        accept(suite, [], refused=[sample.id for sample in suite.samples], by="anna")
    untouched = accept(suite, ["minor"], by="anna")
    assert untouched.samples == suite.samples
