"""`benchbar suite get` and `suite score`: a user's copy of a public set, a run of it, and its official figures."""

from __future__ import annotations

import json

import pytest

from benchbar.artefacts.folder import read_measures
from support.in_process import runner


@pytest.fixture
def benchbar(tmp_path, monkeypatch):
    """The program in a folder of its own."""
    return runner(tmp_path, monkeypatch)


def rows(path, *given):
    """JSON lines."""
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in given), "utf-8")


def run(benchbar, folder, url, name, copy, *, task):
    """A set from copy to figures: read, run against the chat server, scored."""
    assert benchbar("suite", "get", name, copy, "--out", "suite").code == 0
    told = benchbar(
        "run", "--suite", "suite", "--scorer", name, "--assistant", f"a=openai:examined@{url}/v1",
        "--assistant", f"b=openai:examined-two@{url}/v1", "--out", "run",
    )  # fmt: skip
    assert told.code == 0, told.err
    found = json.loads(benchbar("suite", "score", name, "suite", "run", "--json").out)["figures"]
    scored = [one.values.get(f"{name.replace('-', '_')}_score") for one in read_measures(folder / "run")]
    return next(one for one in found if one["assistant"] == "a" and one["task"] == task), scored


def test_the_sets_are_listed_and_each_is_explained(benchbar):
    """Without a name the list, without a copy how to get one; neither needs a file or a network."""
    listed = json.loads(benchbar("suite", "get", "--json").out)
    assert {"lawbench", "lexeval", "lexam", "legalbench"} <= set(listed)
    told = benchbar("suite", "get", "legalbench")
    assert told.code == 0
    assert "licence: each task has its own" in told.out
    assert told.out.rstrip().endswith("next: benchbar suite get legalbench COPY --out suites/legalbench")
    assert benchbar("suite", "get", "harvey-lab").out.rstrip().endswith("next: benchbar judge lab/results")


def test_choices_are_run_and_scored(benchbar, tmp_path, chat_server):
    """Accuracy of the suite's task with its interval equals the mean of the marks that the run holds."""
    asked = (
        {"instruction": "请给出正确选项。\n", "input": f"下列第{place}项?\nA: 甲\nB: 乙", "answer": letter}
        for place, letter in enumerate("AAB")
    )
    rows(tmp_path / "1_1.json", *asked)
    found, scored = run(benchbar, tmp_path, chat_server.url, "lexeval", "1_1.json", task="1_1")
    accuracy = found["metrics"]["accuracy"]
    assert accuracy["value"] == pytest.approx(2 / 3)
    assert accuracy["low"] < 2 / 3 < accuracy["high"]
    assert scored == [1.0, 1.0, 1.0, 1.0, 0.0, 0.0]


def test_texts_are_run_and_scored(benchbar, tmp_path, chat_server):
    """ROUGE-L of generated texts: an echo of the prompt meets a reference that repeats it."""
    (tmp_path / "2-7.json").write_text(
        json.dumps(
            [
                {"instruction": "摘要", "question": "淮南破获首例窃电案", "answer": text}
                for text in ("淮南破获首例窃电案", "无关")
            ]
        ),
        "utf-8",
    )
    found, _ = run(benchbar, tmp_path, chat_server.url, "lawbench", "2-7.json", task="2-7")
    assert found["metrics"]["ROUGE-L"]["value"] == pytest.approx(0.5, abs=0.01)


def test_answers_from_elsewhere_are_scored_too(benchbar, tmp_path):
    """A file of answers needs no run; a sample without one is missing."""
    rows(tmp_path / "1_1.json", *({"input": "q\nA: x", "answer": "A"} for _ in range(3)))
    benchbar("suite", "get", "lexeval", "1_1.json", "--out", "suite")
    rows(tmp_path / "mine.jsonl", {"sample": "1_1-0000", "answer": "A"}, {"sample": "1_1-0001", "answer": "B"})
    told = benchbar("suite", "score", "lexeval", "suite", "mine.jsonl")
    assert "mine, 1_1 Memorization 1 (3 samples)" in told.out
    assert "accuracy: 0.500" in told.out
    assert "(1 missing)" in told.out


def test_a_folder_that_holds_something_is_not_written_over(benchbar, tmp_path):
    """The suite goes into a new folder; the message names the one that is taken."""
    rows(tmp_path / "1_1.json", *[{"input": "q", "answer": "A"}] * 2)
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "mine.txt").write_text("x", "utf-8")
    told = benchbar("suite", "get", "lexeval", "1_1.json", "--out", "taken")
    assert told.code == 2
    assert "taken is not empty" in told.err


def test_clauses_are_run_and_scored(benchbar, tmp_path, chat_server):
    """Extraction: the model's JSON is read, and AUPR stands with its interval over contracts."""
    law, cap = "Governing law is that of Delaware.", "A cap on liability applies."

    def contract(title, wanted):
        asked = [
            {
                "id": f"{title}__{name}",
                "question": f'related to "{name}" Details: What?',
                "answers": [{"text": one, "answer_start": 0} for one in found],
            }
            for name, found in wanted.items()
        ]
        return {"title": title, "paragraphs": [{"context": f"{title}\n{law}\n{cap}", "qas": asked}]}

    rows_ = [
        contract("A", {"Governing Law": [law], "Cap on Liability": [cap]}),
        contract("B", {"Governing Law": [law], "Cap on Liability": []}),
    ]
    (tmp_path / "test.json").write_text(json.dumps({"data": rows_}), "utf-8")
    found, scored = run(benchbar, tmp_path, chat_server.url, "cuad", "test.json", task="clauses")
    assert found["metrics"]["precision"]["value"] == pytest.approx(3 / 4)
    assert found["metrics"]["AUPR"]["value"] == pytest.approx(0.75)
    assert scored == [1.0, 1.0, pytest.approx(2 / 3), pytest.approx(2 / 3)]


def test_rankings_are_scored_from_a_file(benchbar, tmp_path):
    """Retrieval: the passages of answers given elsewhere, best first."""
    (tmp_path / "aila").mkdir()
    (tmp_path / "aila" / "Query_doc.txt").write_text("AILA_Q1||x\nAILA_Q2||y\n", "utf-8")
    judged = "AILA_Q1 Q0 C1 1\nAILA_Q2 Q0 C2 1\n"
    (tmp_path / "aila" / "relevance_judgments_priorcases.txt").write_text(judged, "utf-8")
    benchbar("suite", "get", "aila", "aila", "--out", "suite")
    found = [{"id": "C1", "text": "t"}, {"id": "C2", "text": "t"}]
    rows(
        tmp_path / "mine.jsonl",
        *({"sample": f"precedents-AILA_Q{n}", "answer": "x", "contexts": found} for n in (1, 2)),
    )
    told = benchbar("suite", "score", "aila", "suite", "mine.jsonl")
    assert told.code == 0, told.err
    assert "MAP: 0.750" in told.out


@pytest.fixture
def choices(benchbar, tmp_path):
    """A suite of three choices of LexEval, in the folder `suite`."""
    rows(tmp_path / "1_1.json", *({"input": "q\nA: x", "answer": "A"} for _ in range(3)))
    assert benchbar("suite", "get", "lexeval", "1_1.json", "--out", "suite").code == 0
    return benchbar


def test_answers_under_ids_of_no_sample_are_refused(choices, tmp_path):
    """Where no id fits, the file is that of another suite: nothing is printed that could pass for a figure."""
    rows(tmp_path / "mine.jsonl", {"sample": "x1", "answer": "A"}, {"sample": "x2", "answer": "B"})
    told = choices("suite", "score", "lexeval", "suite", "mine.jsonl")
    assert (told.code, told.out) == (2, "")
    assert "mine.jsonl: 2 of 2 ids are not in the suite: x1, x2" in told.err


def test_one_unknown_id_among_good_ones_is_named(choices, tmp_path):
    """The figures are those of the rest, with a warning beside them."""
    rows(tmp_path / "mine.jsonl", {"sample": "1_1-0000", "answer": "A"}, {"sample": "1_1-000O", "answer": "A"})
    told = choices("suite", "score", "lexeval", "suite", "mine.jsonl")
    assert told.code == 0
    assert "accuracy: 1.000" in told.out
    assert "warning: mine.jsonl: 1 of 2 ids are not in the suite: 1_1-000O" in told.err


@pytest.mark.parametrize("name", ["lawbench", "cuad", "legalbench-rag"])
def test_a_suite_of_another_set_is_refused(choices, tmp_path, name):
    """Marks by a rule made for other tasks would look real; the set that the suite was made from is named."""
    rows(tmp_path / "mine.jsonl", {"sample": "1_1-0000", "answer": "A"})
    told = choices("suite", "score", name, "suite", "mine.jsonl")
    assert told.code == 2
    assert f"this suite is lexeval, not {name}" in told.err
    bundled = choices("suite", "score", name, "attacks-en", "mine.jsonl")
    assert bundled.code == 2
    assert f"this suite is attacks-en, not {name}" in bundled.err


def test_a_run_of_another_suite_is_refused(choices, tmp_path, chat_server):
    """Its samples have other ids."""
    told = choices("run", "--suite", "attacks-en", "--limit", "1", "--assistant", f"a=openai:examined@{chat_server.url}/v1",
                   "--out", "other")  # fmt: skip
    assert (tmp_path / "other").is_dir(), told.err
    told = choices("suite", "score", "lexeval", "suite", "other")
    assert (told.code, told.out) == (2, "")
    assert "1 of 1 ids are not in the suite" in told.err
