"""Questions, answers and passages in other people's formats, read and written."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from benchbar.artefacts.folder import Material
from benchbar.assistants.http import pick_contexts
from benchbar.assistants.recorded import RecordedAnswers
from benchbar.law.corpus import Corpus
from benchbar.law.evidence import CorpusDocuments
from benchbar.records.errors import BadInputError, TruncatedJsonError, UserError
from benchbar.reports.ragas_export import as_ragas
from benchbar.suites import folder
from benchbar.suites.readers import queries, ragas
from benchbar.tables.ragas import read_row, text_id

NEW = {
    "user_input": "押金多久退还？",
    "response": "七日内。",
    "retrieved_contexts": ["押金应当在七日内退还。", "房屋应当整洁。"],
    "reference": "七日内退还。",
    "reference_contexts": ["押金应当在七日内退还。"],
}
OLD = {
    "question": "押金多久退还？",
    "answer": "七日内。",
    "contexts": str(NEW["retrieved_contexts"]),
    "ground_truths": '["七日内退还。"]',
}


def test_both_versions_of_the_format_say_the_same():
    """Names of fields differ, and lists in CSV cells are written as Python or JSON writes them."""
    new, old = read_row(NEW), read_row(OLD)
    assert (old.question, old.answer, old.contexts, old.reference) == (
        new.question,
        new.answer,
        new.contexts,
        new.reference,
    )
    assert new.evidence == (text_id("押金应当在七日内退还。"),) == (new.contexts[0].id,)


@pytest.mark.parametrize(
    ("row", "field"),
    [
        ({"response": "x"}, "user_input"),
        ({"user_input": [{"content": "x"}]}, "user_input"),
        ({"user_input": "x", "retrieved_contexts": "__import__('os')"}, "retrieved_contexts"),
        ({"user_input": "x", "retrieved_contexts": [1]}, "retrieved_contexts"),
        (
            {"user_input": "x", "retrieved_contexts": ["a"], "retrieved_context_ids": ["1", "2"]},
            "retrieved_context_ids",
        ),
        ({"user_input": "x", "retrieved_contexts": "[" * 100_000}, "retrieved_contexts"),
    ],
)
def test_rows_that_hold_something_else_name_the_field(row, field):
    """No guess, and nothing is executed."""
    with pytest.raises(BadInputError) as error:
        read_row(row)
    assert error.value.field == field


@pytest.mark.parametrize("form", ["jsonl", "json"])
def test_a_ragas_dataset_is_a_suite_of_questions(tmp_path, form):
    """Reference and evidence come along; a broken row is a problem with its line, a repeated question one sample."""
    good = [
        json.dumps(NEW, ensure_ascii=False),
        json.dumps({**NEW, "response": "另一个系统的回答"}, ensure_ascii=False),
    ]
    path = tmp_path / f"data.{form}"
    path.write_text(f"[{','.join(good)}]" if form == "json" else "\n".join([*good, '{"response": 1}']), "utf-8")
    suite = ragas.read(path)
    assert (suite.card.protocol, suite.card.language, len(suite.samples)) == ("question_answering", "zh", 1)
    assert suite.samples[0].reference == "七日内退还。"
    assert len(suite.problems) == (1 if form == "json" else 2)


def test_recorded_answers_bring_their_passages_by_sample_or_by_question(tmp_path):
    """The rows of a Ragas dataset name no sample; the others may hold contexts with ids."""
    path = tmp_path / "answers.jsonl"
    own = {"sample": "s9", "answer": "好", "contexts": [{"id": "civil-2020#10", "text": "原文"}]}
    bare = {"sample": "s8", "answer": "好"}
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in (NEW, own, bare)), "utf-8")
    answers = RecordedAnswers(path)
    (tmp_path / "d.jsonl").write_text(json.dumps(NEW, ensure_ascii=False), "utf-8")
    sample = ragas.read(tmp_path / "d.jsonl").samples[0]
    assert [one.text for one in answers.dialogue(sample).contexts] == NEW["retrieved_contexts"]
    assert answers.dialogue(_named(sample, "s9")).contexts[0].id == "civil-2020#10"
    assert answers.dialogue(_named(sample, "s8")).contexts is None


def _named(sample, name: str):
    import msgspec

    return msgspec.structs.replace(sample, id=name)


def test_a_service_may_tell_its_passages():
    """Texts or objects at a path; anything else there is an error of the service, not an empty list."""
    body = json.dumps({"data": {"found": [{"id": "a", "content": "x"}, "y"]}}).encode()
    assert [(one.id, one.text) for one in pick_contexts(body, "data.found")] == [("a", "x"), (text_id("y"), "y")]
    for path in ("data", "data.none"):
        with pytest.raises(TruncatedJsonError):
            pick_contexts(body, path)


def test_a_run_is_exported_and_read_back_as_the_same_answers(benchbar, asked, law, tmp_path):
    """Through a Ragas dataset and back: the measures of passages are the same to the digit."""
    arguments = ("--suite", "asked", "--assistant", f"q=extractive:corpus={law},on=2024-06-01")
    assert benchbar("run", *arguments, "--out", "r").code == 0
    exported = benchbar("report", "r", "--format", "ragas", "--out", "answers.jsonl")
    assert exported.code == 0, exported.err
    row = json.loads((tmp_path / "answers.jsonl").read_text("utf-8").splitlines()[0])
    assert set(row) >= {"user_input", "response", "retrieved_contexts", "reference", "retrieved_context_ids"}
    again = benchbar("run", "--suite", "asked", "--assistant", "q=recorded:answers.jsonl", "--out", "again", "--json")
    assert again.code == 0, again.err
    first = json.loads((tmp_path / "r" / "results.json").read_text("utf-8"))
    assert json.loads(again.out)["rag"]["assistants"]["q"]["retrieval"] == first["rag"]["assistants"]["q"]["retrieval"]
    imported = ragas.read(tmp_path / "answers.jsonl")
    assert [sample.id for sample in imported.samples] == ["minor", "named", "open"]
    assert imported.samples[0].reference


def test_an_export_of_several_assistants_asks_whose(asked):
    """One dataset, one system."""
    suite, results = folder.read(asked), SimpleNamespace(assistants={"a": None, "b": None})
    with pytest.raises(UserError, match="--assistant: a, b"):
        as_ragas(results, Material(), suite, None)
    with pytest.raises(UserError, match="unknown assistant 'c'"):
        as_ragas(results, Material(), suite, "c")
    assert as_ragas(results, Material(), suite, "a") == b""


def test_questions_with_relevance_judgements_are_a_suite(tmp_path):
    """Grades are kept, what is not relevant is left out, and a question without an answer is tagged."""
    questions = [
        {"query_id": "q1", "question": "甲？", "kind": "multi_hop", "answerable": True, "answer": "乙。"},
        {"query_id": "q2", "question": "丙？", "kind": "unanswerable", "answerable": False},
    ]
    (tmp_path / "questions.jsonl").write_text("\n".join(json.dumps(row) for row in questions), "utf-8")
    (tmp_path / "qrels.tsv").write_text("q1\t0\tcivil-2020#10\t2\nq1\t0\tcase\t1\nq1\t0\tx\t0\n", "utf-8")
    suite = queries.read(tmp_path)
    first, second = suite.samples
    assert (first.evidence, first.gains) == (("civil-2020#10", "case"), {"civil-2020#10": 2.0, "case": 1.0})
    assert (first.reference, first.task, second.tags) == ("乙。", "multi_hop", ("unanswerable",))
    (tmp_path / "qrels.tsv").write_text("q1\tcivil-2020#10\n", "utf-8")
    with pytest.raises(BadInputError, match="expected question id"):
        queries.read(tmp_path)


def test_evidence_in_a_csv_cell_is_divided_by_semicolons(tmp_path):
    """As tags are divided by spaces."""
    path = tmp_path / "s.csv"
    path.write_text("id,task,needs,reference,evidence\na,1-1,问？,答。,《民法》第十条；civil-2020#9\n", "utf-8")
    sample = folder.read(path).samples[0]
    assert (sample.reference, sample.evidence) == ("答。", ("《民法》第十条", "civil-2020#9"))


def test_documents_by_id_citation_and_case_number(law: Path):
    """Every edition of a law has an article of that number; unknown names mean nothing."""
    corpus = Corpus.from_folder(law)
    documents = CorpusDocuments(corpus)
    assert documents.named("civil-2020#10") == {"civil-2020#10"}
    assert "civil-2020#10" in documents.named("《民事基本法》第十条")
    decision = corpus.decisions[0]
    assert documents.named(decision.case_number or decision.id) == {decision.id}
    assert documents.named("别的什么") == frozenset()
    assert documents.text("civil-2020#10") == corpus.article("civil-2020#10").text
    assert documents.text("none") is None
