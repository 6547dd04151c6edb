"""Public sets of clauses: copies of CUAD and ACORD are read as they are published, and methods compared on them.

Every file here was made for these tests, with the published columns and no text of either set.
"""

from __future__ import annotations

import asyncio
import json

import pytest

from benchbar.clients import Endpoint
from benchbar.clients.session import open_session
from benchbar.measures.clause_search import by_bm25, by_model, document_order, keywords, measured
from benchbar.records.errors import BadInputError
from benchbar.suites.clause_search import read_clause_queries

CONTRACT = """MADE-UP SUPPLY AGREEMENT between Alder Ltd and Birch Ltd
1
The Supplier delivers the made-up goods to the yard every Monday morning.
This agreement is governed by the laws of the made-up Republic of Harbour.
Neither party may assign this agreement without the consent of the other.
Each party may terminate this agreement on ninety days of written notice.
"""
ASKED = {
    "Governing Law": "governed by the laws of the made-up Republic of Harbour",
    "Anti-Assignment": "Neither party may assign this agreement",
    "Source Code Escrow": "",
}
QUESTION = 'Highlight the parts (if any) of this contract related to "{0}" that should be reviewed by a lawyer. Details: What about {0}?'


@pytest.fixture
def cuad(tmp_path):
    """The two files of CUAD that hold the same answers, around a contract made up here."""
    asked = [
        {
            "id": f"A__{name}",
            "question": QUESTION.format(name),
            "is_impossible": not words,
            "answers": [{"text": words, "answer_start": CONTRACT.index(words)}] if words else [],
        }
        for name, words in ASKED.items()
    ]
    document = {"version": "made", "data": [{"title": "A", "paragraphs": [{"context": CONTRACT, "qas": asked}]}]}
    (tmp_path / "CUAD_v1.json").write_text(json.dumps(document), "utf-8")
    (tmp_path / "full_contract_txt").mkdir()
    (tmp_path / "full_contract_txt" / "A.txt").write_text(CONTRACT, "utf-8")
    head = ",".join(f"{name},{name}-Answer" for name in ASKED)
    cells = ",".join(f'"{[words] if words else []}",x' for words in ASKED.values())
    (tmp_path / "master_clauses.csv").write_text(f"Filename,{head}\nA.pdf,{cells}\n", "utf-8")
    return tmp_path


@pytest.fixture
def acord(tmp_path):
    """A folder in the form of ACORD, with clauses made up here."""
    corpus = {"c1": "Liability is capped at the fees of a made-up year.", "c2": "Made-up goods are delivered on Mondays.", "c3": "The cap on liability does not hold for made-up fraud."}  # fmt: skip
    (tmp_path / "qrels").mkdir()
    for name, rows in (
        ("corpus", corpus),
        ("queries", {"q1": "cap on liability with an exception for fraud", "q2": "x"}),
    ):
        lines = (json.dumps({"_id": key, "text": text}) for key, text in rows.items())
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines), "utf-8")
    (tmp_path / "qrels" / "test.tsv").write_text(
        "query-id\tcorpus-id\tscore\nq1\tc1\t2\nq1\tc3\t4\nq1\tc2\t0\n", "utf-8"
    )
    return tmp_path


def test_both_files_of_cuad_hold_the_same_questions(cuad):
    """A question for each category and contract; the passages that overlap an answer answer it, and some have none."""
    rows = {}
    for name in ("CUAD_v1.json", "master_clauses.csv"):
        found = read_clause_queries(cuad / name)
        rows[name] = {one.id: one.gains for one in found}
        assert [one.group for one in found] == ["A"] * 3
        assert [text for _, text in found[0].passages][1].startswith("The Supplier delivers")
    assert rows["CUAD_v1.json"] == rows["master_clauses.csv"]
    assert rows["CUAD_v1.json"] == {
        "A__Governing Law": {"p2": 1.0}, "A__Anti-Assignment": {"p3": 1.0}, "A__Source Code Escrow": {},
    }  # fmt: skip
    assert read_clause_queries(cuad / "CUAD_v1.json")[0].text == "Governing Law. What about Governing Law?"


def test_stars_of_acord_are_gains(acord):
    """Each question has the whole corpus as candidates, and its stars; questions that nobody judged are left out."""
    (query,) = read_clause_queries(acord)
    assert query.gains == {"c1": 2.0, "c3": 4.0, "c2": 0.0}
    assert len(query.passages) == 3


def test_files_of_another_shape_are_refused_by_name(cuad, acord):
    """Other JSON, a table without file names, a text that is missing, and half a folder."""
    (cuad / "other.json").write_text("[]", "utf-8")
    (cuad / "other.csv").write_text("a,b\n1,2\n", "utf-8")
    (cuad / "full_contract_txt" / "A.txt").unlink()
    (acord / "qrels" / "test.tsv").unlink()
    for path, says in (
        (cuad / "other.json", "CUAD_v1.json"),
        (cuad / "other.csv", "Filename"),
        (cuad / "master_clauses.csv", "no text of 'A.pdf'"),
        (acord, "qrels/test.tsv"),
    ):
        with pytest.raises(BadInputError, match=says):
            read_clause_queries(path)


def test_methods_are_compared_on_questions_that_have_an_answer(cuad):
    """Keywords and BM25 find what shares words with the question; document order is the constant to beat."""
    queries = read_clause_queries(cuad / "CUAD_v1.json")
    found = {one.__name__: asyncio.run(measured(queries, one)) for one in (document_order, keywords, by_bm25)}
    assert {estimates["recall@5"].n for estimates in found.values()} == {2}
    assert found["document_order"]["reciprocal rank"].value == pytest.approx((1 / 3 + 1 / 4) / 2)
    assert found["by_bm25"]["reciprocal rank"].value > found["document_order"]["reciprocal rank"].value


def test_a_model_at_an_endpoint_orders_what_bm25_found(acord, chat_server):
    """The chat server names no passage, so that the order stays BM25's, and no question is lost."""
    queries = read_clause_queries(acord)

    async def asked():
        async with open_session() as session:
            rank = by_model(session.chat(Endpoint(model="strong", base_url=chat_server.base_url)))
            return await measured(queries, rank)

    found = asyncio.run(asked())
    assert found["nDCG@5"].value is not None
    assert sum(chat_server.stats()["requests"].values()) == 1
