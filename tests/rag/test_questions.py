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
from benchbar.suites.written_questions import WrittenQuestions

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


OF_A_DAY = Material(
    kind="time_dependent",
    passages=(Passage(id="t-2012#5", label="租赁法 5", text="出租人应当在租赁终止后三十日内返还押金。"),),
    beside=(Passage(id="t#8", label="租赁法 8", text="出租人应当在租赁终止后十四日内返还押金，并提供清单。"),),
    on="2017-09-30",
)
THEN = Written(
    usable=True,
    question="2017年9月30日我退租搬走，房东最晚什么时候要把钱还我？",
    answer="出租人应当在租赁终止后三十日内返还押金。",
    evidence=(1,),
)


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({}, None),
        ({"question": "去年秋天我退租搬走，房东最晚什么时候要把钱还我？"}, "day_missing"),
        ({"question": "2018年9月30日我退租搬走，房东最晚什么时候要把钱还我？"}, "day_missing"),
        ({"answer": "出租人应当在租赁终止后十四日内返还押金，以三十日内为限并提供清单。"}, "same_on_both_days"),
        ({"answer": "出租人应当返还押金。"}, "same_on_both_days"),
        ({"answer": "出租人应当在租赁终止后十四日内返还押金。"}, "same_on_both_days"),
        ({"evidence": (1, 2)}, "evidence_missing"),
    ],
)
def test_a_question_of_another_day_names_it_and_is_answered_by_the_wording_of_that_day(fields, rule):
    """What both wordings say, or today's alone, is kept out."""
    import msgspec

    assert fault(msgspec.structs.replace(THEN, **fields), OF_A_DAY, []) == rule


def test_an_unanswerable_question_stays_near_its_articles_and_has_no_evidence():
    """About something else altogether, or with an article as its evidence, it is kept out."""
    near = Material(kind="unanswerable", passages=(), beside=OF_A_DAY.beside)
    asked = Written(
        usable=True, question="我们这里租赁押金一般收几个月租金？", answer="押金的数额由合同约定。", evidence=()
    )
    assert fault(asked, near, []) is None
    import msgspec

    far = msgspec.structs.replace(asked, question="邻居家的狗半夜一直叫怎么办？")
    assert fault(far, near, []) == "off_the_matter"
    assert fault(msgspec.structs.replace(asked, evidence=(1,)), near, []) == "evidence_missing"
    assert fault(asked, near, [asked.question]) == "double"


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
    assert len({one.shown for one in first}) == len(first)
    counts = {"simple": (1, 0), "time_dependent": (1, 1), "unanswerable": (0, 2)}.get(kind, (2, 0))
    assert all((len(one.passages), len(one.beside)) == counts for one in first)
    in_force = [passage for one in first for passage in (one.beside if kind == "time_dependent" else one.shown)]
    assert not any(passage.id.startswith("tenancy-2012#") for passage in in_force)


def test_a_question_of_another_day_is_drawn_on_an_edition_that_stood_then_and_reads_otherwise_now(law):
    """The day lies within the edition; the wording beside is another one of the same rule, in force on the day asked with."""
    corpus = Corpus.from_folder(law)
    drawn = list(choose(corpus, "time_dependent", np.random.default_rng(3), day="2024-06-01"))
    editions = {
        version.law_id: edition for act in corpus.acts for edition in act.editions for version in edition.versions
    }
    assert len(drawn) > 10
    for one in drawn:
        old, new = (editions[passage.id.partition("#")[0]] for passage in one.shown)
        assert old.holds_on(one.on)
        assert not old.stands_on("2024-06-01")
        assert new.stands_on("2024-06-01")
        assert one.passages[0].text != one.beside[0].text
    assert not list(choose(corpus, "time_dependent", np.random.default_rng(3), day="2013-01-01"))


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
    kinds = (
        "--simple",
        "6",
        "--multi-article",
        "3",
        "--law-practice",
        "2",
        "--time-dependent",
        "3",
        "--unanswerable",
        "2",
    )
    wanted = (*kinds, "--on", "2024-06-01", "--out", "mine")
    made = benchbar(*arguments, *wanted, "--json")
    assert made.code == 0, made.err
    said = json.loads(made.out)
    assert said["kinds"] == {"simple": 6, "multi_article": 3, "law_practice": 2, "time_dependent": 3, "unanswerable": 2}
    assert said["unverified"] == said["questions"] == 16
    assert said["tried"] >= 16
    assert sum(said["rejected"].values()) > 0
    suite = folder.read(tmp_path / "mine")
    assert suite.card.protocol == "question_answering"
    assert all(sample.reference and sample.on for sample in suite.samples)
    nothing = {sample.id for sample in suite.samples if sample.tags == ("unverified", "unanswerable")}
    assert nothing == {sample.id for sample in suite.samples if sample.task == "unanswerable"}
    assert all(sample.tags == ("unverified",) for sample in suite.samples if sample.id not in nothing)
    corpus = Corpus.from_folder(law)
    for sample in suite.samples:
        assert not leaks(sample.needs)
        assert all(corpus.article(one) or corpus.decision(one) for one in sample.evidence)
        counts = {"simple": 1, "time_dependent": 1, "unanswerable": 0}
        assert len(sample.evidence) == counts.get(sample.task, 2)
        assert (sample.on == "2024-06-01") == (sample.task != "time_dependent")
    assert benchbar(*arguments, *wanted).code == 2
    run = benchbar("run", "--suite", "mine", "--assistant", f"q=extractive:corpus={law},on=2024-06-01", "--out", "r")
    assert "16 of 16 questions were written by a model" in " ".join(run.out.split())
    one, two = suite.samples[0].id, suite.samples[1].id
    done = benchbar("suite", "accept", "mine", one, "--refuse", two, "--by", "anna")
    assert "15 samples" in done.out
    assert "14 still unverified" in done.out
    assert folder.read(tmp_path / "mine").samples[0].tags == ("accepted-by:anna",)


def test_the_same_command_after_a_stop_pays_for_nothing_twice(benchbar, chat_server, law, tmp_path):
    """Calls are in the folder's ledger."""
    arguments = (
        *("suite", "make-questions", "--law", str(law), "--model", "author", "--base-url", chat_server.base_url),
        *("--simple", "4", "--multi-article", "0", "--law-practice", "0", "--on", "2024-06-01", "--out", "mine"),
        *("--time-dependent", "2", "--unanswerable", "2"),
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


@pytest.fixture
def written(benchbar, chat_server, law, tmp_path) -> Path:
    """A folder with six questions that a model wrote, of three kinds."""
    model = ("--model", "author", "--base-url", chat_server.base_url)
    kinds = (
        "--simple",
        "2",
        "--multi-article",
        "0",
        "--law-practice",
        "0",
        "--time-dependent",
        "2",
        "--unanswerable",
        "2",
    )
    done = benchbar("suite", "make-questions", "--law", str(law), *model, *kinds, "--on", "2024-06-01", "--out", "mine")
    assert done.code == 0, done.err
    return tmp_path / "mine"


def test_only_what_was_accepted_enters_the_suite_and_what_was_written_stays(benchbar, written, tmp_path):
    """Mended words take the place of the model's; each question is decided once; the folder of the questions is not touched."""
    before = (written / "samples.jsonl").read_bytes()
    questions = WrittenQuestions(written)
    first, second, third = (one.sample for one in questions.open()[:3])
    questions.accept(first.id, tmp_path / "ours", by="Анна Ли", question="房东到底几天内要还我的钱？")
    questions.accept(second.id, tmp_path / "ours", by="bo")
    questions.reject(third.id, by="bo", reason="no question")
    (mended, kept) = folder.read(tmp_path / "ours").samples
    assert (mended.needs, mended.tags) == ("房东到底几天内要还我的钱？", ("accepted-by:Анна_Ли",))
    assert (mended.id, mended.reference, mended.evidence) == (first.id, first.reference, first.evidence)
    assert kept.needs == second.needs
    assert [(one.question, one.decided, one.changed) for one in questions.log.all()] == [
        (first.id, "accepted", True),
        (second.id, "accepted", False),
        (third.id, "rejected", False),
    ]
    assert (written / "samples.jsonl").read_bytes() == before
    for id_, said in ((first.id, "was accepted by"), (third.id, "was rejected by bo"), ("nobody", "nobody")):
        with pytest.raises(UserError, match=said):
            questions.accept(id_, tmp_path / "ours", by="bo")
    done = benchbar("suite", "accept", "mine", "--all", "--into", "ours", "--by", "anna")
    assert "3 accepted into ours, 0 refused; 0 still wait" in done.out
    assert len(folder.read(tmp_path / "ours").samples) == 5
    run = benchbar("run", "--suite", "ours", "--assistant", "q=extractive", "--out", "r")
    assert "were written by a model" not in run.out + run.err


def test_a_suite_of_another_form_takes_no_written_question(written, asked, tmp_path):
    """Nor does the folder of the questions itself, one of consultations, or one with a row that cannot be read."""
    questions = WrittenQuestions(written)
    id_ = questions.open()[0].sample.id
    with pytest.raises(UserError, match="what a model wrote"):
        questions.accept(id_, written, by="bo")
    card = (asked / "card.toml").read_text("utf-8")
    (asked / "card.toml").write_text(card.replace("question_answering", "consultation"), "utf-8")
    with pytest.raises(UserError, match="suite of consultations"):
        questions.accept(id_, asked, by="bo")
    questions.accept(id_, tmp_path / "ours", by="bo")
    with (tmp_path / "ours" / "samples.jsonl").open("a") as rows:
        rows.write('{"id": ""}\n')
    before = (tmp_path / "ours" / "samples.jsonl").read_bytes()
    with pytest.raises(UserError, match="cannot be read"):
        questions.accept(questions.open()[0].sample.id, tmp_path / "ours", by="bo")
    assert (tmp_path / "ours" / "samples.jsonl").read_bytes() == before
    assert len(questions.log.all()) == 1


def test_a_kill_between_suite_and_decision_loses_nothing_and_adds_nothing_twice(written, tmp_path):
    """A decision that was cut off in the middle of its line is as if it had not been taken: it can be taken again."""
    questions = WrittenQuestions(written)
    one, two = (found.sample.id for found in questions.open()[:2])
    questions.accept(one, tmp_path / "ours", by="bo")
    questions.accept(two, tmp_path / "ours", by="bo")
    log = written / "decisions.jsonl"
    log.write_bytes(log.read_bytes()[:-20])
    again = WrittenQuestions(written)
    assert [found.question for found in again.log.all()] == [one]
    assert again.open()[0].sample.id == two
    again.accept(two, tmp_path / "ours", by="bo")
    assert [sample.id for sample in folder.read(tmp_path / "ours").samples] == [one, two]
    assert [found.question for found in WrittenQuestions(written).log.all()] == [one, two]
