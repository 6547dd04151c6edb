"""Questions in everyday words find their articles: on small codes of our own, and on the Russian codes where they are."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import NamedTuple

import pytest

from benchbar.assistants.law_practice import assemble
from benchbar.law.index import build_index
from benchbar.retrieval.corpus import CorpusIndex

HERE = Path(__file__).parent
RECALLED = 0.8
"""Share of the questions whose expected article is among the first five; 26 of the 30 on the Russian codes at first."""
CODES = {"pk": ("ПК ЗО", "Прудовой кодекс Заозёрной области"), "lk": ("ЛК ЗО", "Лодочный кодекс Заозёрной области")}


class Asked(NamedTuple):
    """An index, and for each question the articles that answer it."""

    index: CorpusIndex
    questions: list[tuple[str, list[str]]]


@pytest.fixture(scope="module", params=["made", pytest.param("public", marks=pytest.mark.slow)])
def asked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Asked:
    """Two codes with eight questions, written for these tests; the Russian codes with thirty questions on real estate."""
    folder = tmp_path_factory.mktemp(request.param)
    if request.param == "made":
        source, questions = written(folder / "codes"), "ponds_ru.tsv"
    else:
        source, questions = request.getfixturevalue("shared") / "ru/codes", "real_estate_ru.tsv"
        if not source.is_dir():
            pytest.skip("the shared data folder has no ru/codes")
    build_index([source], folder / "index")
    rows = (line.split("\t") for line in (HERE / questions).read_text("utf-8").splitlines())
    return Asked(CorpusIndex.open(folder / "index"), [(question, names.split("; ")) for question, names in rows])


def written(folder: Path) -> Path:
    """The codes of our own in the format of the public ones: a file for each code, and one that lists them."""
    folder.mkdir()
    rows: dict[str, list[dict]] = {code: [] for code in CODES}
    for line in (HERE / "codes_ru.tsv").read_text("utf-8").splitlines():
        code, number, title, text = line.split("\t")
        own = {"code": code, "abbr": CODES[code][0], "article": number, "title": title, "chapter": "Глава 1"}
        rows[code].append(own | {"text": text, "status": "in_snapshot"})
    for code, articles in rows.items():
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in articles)
        (folder / f"{code}.jsonl").write_text(lines, "utf-8")
    listed = [
        {"code": code, "name": name, "abbr": abbr, "act": "Кодекс от 01.03.2019 № 7-ЗО"}
        for code, (abbr, name) in CODES.items()
    ]
    (folder / "index.json").write_text(json.dumps(listed, ensure_ascii=False), "utf-8")
    return folder


def test_expected_articles_resolve(asked):
    """Each expected article exists in the codes under the name that lawyers use."""
    assert len(asked.questions) >= 8
    assert all(asked.index.documents_named(name) for _, names in asked.questions for name in names)


def test_questions_find_their_articles(asked):
    """Most questions have an expected article among the first five documents."""
    ranking = asked.index.ranking()
    found = 0
    for question, names in asked.questions:
        expected = frozenset().union(*(asked.index.documents_named(name) for name in names))
        found += any(hit.piece.document in expected for hit in ranking.documents(question, 5))
    assert found >= RECALLED * len(asked.questions)


def test_answers_cite_articles_that_resolve(asked):
    """The consultant answers each of the questions with articles of the codes."""
    consultant = assemble(asked.index)
    for question, _ in asked.questions:
        answer = asyncio.run(consultant.consult(question))
        assert answer.articles, question
        assert all(asked.index.documents_named(source.id) for source in answer.articles)
