"""On real law, where the shared data folder is there: Russian codes, and Chinese statutes with STARD's questions."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from benchbar.assistants.law_practice import assemble
from benchbar.law.index import build_index
from benchbar.retrieval.corpus import CorpusIndex

QUESTIONS = Path(__file__).parent / "real_estate_ru.tsv"
RECALLED = 0.8
"""Share of the thirty questions whose expected article is among the first five; 26 of 30 when this was written."""


@pytest.fixture(scope="module")
def russian(shared, tmp_path_factory) -> CorpusIndex:
    """The Russian codes, indexed."""
    if not (shared / "ru/codes").is_dir():
        pytest.skip("the shared data folder has no ru/codes")
    out = tmp_path_factory.mktemp("ru") / "index"
    build_index([shared / "ru/codes"], out)
    return CorpusIndex.open(out)


def questions() -> list[tuple[str, list[str]]]:
    """Question and the articles that answer it."""
    rows = (line.split("\t") for line in QUESTIONS.read_text("utf-8").splitlines())
    return [(question, names.split("; ")) for question, names in rows]


def test_expected_articles_resolve(russian):
    """Each expected article exists in the codes under the name that lawyers use."""
    assert len(questions()) == 30
    assert all(russian.documents_named(name) for _, names in questions() for name in names)


def test_questions_about_real_estate_find_their_articles(russian):
    """Most questions have an expected article among the first five documents."""
    ranking = russian.ranking()
    found = 0
    for question, names in questions():
        expected = frozenset().union(*(russian.documents_named(name) for name in names))
        found += any(hit.piece.document in expected for hit in ranking.documents(question, 5))
    assert found >= RECALLED * 30


def test_answers_about_real_estate_cite_articles_that_resolve(russian):
    """The consultant answers each of the questions with articles of the codes."""
    consultant = assemble(russian)
    for question, _ in questions():
        answer = asyncio.run(consultant.consult(question))
        assert answer.articles, question
        assert all(russian.documents_named(source.id) for source in answer.articles)
