"""Access labels: whoever does not hold all labels of a document never meets it, in any way of asking."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import benchbar
from benchbar.cli.main import cli
from benchbar.law.corpus import Corpus
from benchbar.law.index import build_index, load_corpus
from benchbar.law.legal_texts import LegalTexts
from benchbar.records import Article, Decision, DocumentFacts, LawVersion
from benchbar.retrieval.corpus import CorpusIndex

OPEN = "Правила гавани\nСтатья 1. Стоянка\nСтоянка судна в гавани оплачивается капитану порта.\nСтатья 2. Сбор\nСбор за стоянку судна вносят до отхода.\n"
SECRET = "Дело № 2-77/2031\nРЕШЕНИЕ\nИменем Российской Федерации\n5 мая 2031 года суд рассмотрел иск Миллера о сборе за стоянку судна.\nСуд решил: сбор за стоянку судна вернуть Миллеру."
MEMO = "Записка о сборе\nСтатья 1. Тайна\nТайный расчёт сбора за стоянку судна Миллера лежит в сейфе.\n"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of an open act, a decision of one matter, and a note that two labels guard."""
    folder = tmp_path_factory.mktemp("law")
    (folder / "matter").mkdir()
    (folder / "rules.txt").write_text(OPEN, encoding="utf-8")
    (folder / "matter" / "decision.txt").write_text(SECRET, encoding="utf-8")
    (folder / "matter" / "memo.txt").write_text(MEMO, encoding="utf-8")
    (folder / "law.toml").write_text('["matter/*"]\nlabels = ["matter-7"]\n', encoding="utf-8")
    (folder / "matter" / "law.toml").write_text('["memo.txt"]\nkind = "act"\nlabels = ["partners"]\n', encoding="utf-8")
    out = tmp_path_factory.mktemp("index")
    report = build_index([folder], out)
    assert {one.name: one.labels for file in report.read for one in file.documents} == {
        "Правила гавани": (),
        "Дело № 2-77/2031": ("matter-7",),
        "Записка о сборе": ("matter-7", "partners"),
    }
    return out


def seen(index: Path, *labels: str) -> set[str]:
    """All documents that a search finds with these labels."""
    ranking = CorpusIndex.open(index, labels=labels).ranking("lexical", day="any")
    return {hit.piece.document for hit in ranking.documents("сбор за стоянку судна Миллера", 50)}


def test_search_finds_what_the_labels_open(index: Path) -> None:
    """Each label opens its documents, and two labels on one document are both needed."""
    assert seen(index) == {"rules#1", "rules#2"}
    assert seen(index, "matter-7") == {"rules#1", "rules#2", "2-77/2031"}
    assert seen(index, "partners") == {"rules#1", "rules#2"}
    assert seen(index, "matter-7", "partners") == {"rules#1", "rules#2", "2-77/2031", "memo#1"}


def test_citations_meet_only_what_may_be_seen(index: Path) -> None:
    """Without its label a decision is not there to be cited, and says nothing about itself."""
    text = "См. дело № 2-77/2031."
    (without,) = benchbar.check_citations(text, law=load_corpus(index))
    (held,) = benchbar.check_citations(text, law=load_corpus(index, labels=["matter-7"]))
    assert (without.status, without.article_id) == ("outside_corpus", None)
    assert (held.status, held.article_id) == ("verified", "2-77/2031")


def test_answers_are_written_from_what_may_be_seen(index: Path) -> None:
    """Neither answer, sources nor passages hold a word of a document without its label, even where the question names it."""
    question = "Какой сбор за стоянку судна по делу № 2-77/2031?"
    without = benchbar.ask(question, law=index)
    shown = json.dumps([one.text for one in without.context], ensure_ascii=False) + without.rule + without.practice
    assert "Миллеру" not in shown
    assert "Тайный" not in shown
    held = benchbar.ask(question, law=index, labels=["matter-7"])
    assert any("Миллеру" in one.text for one in held.context)
    assert not any("Тайный" in one.text for one in held.context)


def test_the_command_line_takes_labels(index: Path) -> None:
    """``law show`` and ``law cite`` know the documents of the labels that are given, and no other."""
    run = CliRunner()
    assert run.invoke(cli, ["law", "show", "№ 2-77/2031", "--law", str(index)]).exit_code != 0
    shown = run.invoke(cli, ["law", "show", "Дело № 2-77/2031", "--law", str(index), "--labels", "matter-7,x"])
    assert "Миллеру" in shown.output
    asked = [
        run.invoke(cli, ["ask", "Кому вернуть сбор по делу № 2-77/2031?", "--law", str(index), *more]).output
        for more in ([], ["--labels", "matter-7"])
    ]
    assert ["Миллеру" in one for one in asked] == [False, True]
    cited = run.invoke(cli, ["law", "cite", "дело № 2-77/2031", "--law", str(index), "--json"])
    assert json.loads(cited.output)["citations"][0]["status"] == "outside_corpus"


def test_a_corpus_without_labels_is_itself(index: Path) -> None:
    """Labels that nobody gave change nothing: not the object, and so not the identity by which runs know their law."""
    corpus = Corpus.from_texts(LegalTexts(versions=[LawVersion(law_id="a", name="Закон")]))
    assert corpus.visible_to([]) is corpus


LABELS = st.frozensets(st.sampled_from("abc"))


@given(st.lists(LABELS, max_size=5), st.lists(LABELS, max_size=5), LABELS)
def test_exactly_the_opened_documents_are_in_the_corpus(
    laws: list[frozenset[str]], decisions: list[frozenset[str]], held: frozenset[str]
) -> None:
    """Whatever the labels, the corpus has each document all of whose labels are held, with its articles, and no other."""
    legal_texts = LegalTexts()
    for number, labels in enumerate(laws):
        facts = DocumentFacts(labels=tuple(sorted(labels)))
        legal_texts.versions.append(LawVersion(law_id=f"L{number}", name=f"Закон {number}", facts=facts))
        legal_texts.articles += [
            Article(law_id=f"L{number}", number=str(one), text=f"{number}.{one}") for one in (1, 2)
        ]
    for number, labels in enumerate(decisions):
        facts = DocumentFacts(labels=tuple(sorted(labels)))
        legal_texts.decisions.append(
            Decision(id=f"D{number}", case_number=f"D{number}", text=f"d{number}", facts=facts)
        )
    corpus = Corpus.from_texts(legal_texts).visible_to(held)
    open_laws = [number for number, labels in enumerate(laws) if labels <= held]
    open_decisions = [f"D{number}" for number, labels in enumerate(decisions) if labels <= held]
    assert [one.text for one in corpus.articles] == [f"{number}.{one}" for number in open_laws for one in (1, 2)]
    assert [one.id for one in corpus.decisions] == open_decisions
    assert [f"D{number}" for number in range(len(decisions)) if corpus.decision(f"D{number}")] == open_decisions
    for number in range(len(laws)):
        found = corpus.article(f"L{number}#2")
        assert (found is not None and found.text == f"{number}.2") == (number in open_laws)
    assert sorted({one.document for one in corpus.pieces()}) == sorted(
        [*(f"L{number}#{one}" for number in open_laws for one in (1, 2)), *open_decisions]
    )
