"""The retriever of a corpus, chosen on questions made of its own articles."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

import benchbar
from benchbar.cli.law_tune import command
from benchbar.law.index import build_index
from benchbar.records import Piece
from benchbar.records.errors import BadInputError, UserError
from benchbar.retrieval.answerability import answers
from benchbar.retrieval.corpus import CorpusIndex
from benchbar.retrieval.fields import asked_fields, held_fields
from benchbar.retrieval.index import Index
from benchbar.retrieval.settings import SILENCE, RetrievalSettings
from benchbar.retrieval.store import Store
from benchbar.retrieval.tuning import DEFAULT, chosen_of, foreign_questions, made_questions, tune
from benchbar.suites.load import load


@pytest.fixture(scope="module")
def acts():
    """The acts of the Russian model jurisdiction."""
    return load("model-jurisdiction-ru").law


@pytest.fixture
def index(acts, tmp_path):
    """An index of them on disk."""
    build_index([acts], tmp_path / "index")
    return tmp_path / "index"


def test_the_default_is_left_only_for_what_is_better_by_more_than_chance():
    """A difference within chance changes nothing; a real one does, and the best of several is taken."""
    generator = np.random.default_rng(0)
    usual = (generator.random(120) < 0.5).astype(float)
    close = usual.copy()
    close[:2] = 1 - close[:2]
    better, best = np.maximum(usual, np.arange(120) % 4 == 0), np.maximum(usual, np.arange(120) % 3 == 0)
    assert chosen_of({DEFAULT: usual, "close": close}) == DEFAULT
    assert chosen_of({DEFAULT: usual, "better": better}) == "better"
    assert chosen_of({DEFAULT: usual, "better": better, "best": np.maximum(best, better)}) == "best"
    assert chosen_of({DEFAULT: best, "worse": usual}) == DEFAULT


def test_the_choice_is_never_worse_than_a_part_by_more_than_chance(index):
    """Of every retriever that was tried, none is better than the chosen one by its paired interval."""
    found = CorpusIndex.open(index).tune(np.random.default_rng(0))
    assert set(found.tried) == {DEFAULT, "lexical", "tfidf", "lsa"}
    assert found.chosen in found.tried
    for name, difference in found.differences.items():
        if found.chosen == DEFAULT:
            assert difference.low is None or difference.low <= 0
        assert found.tried[name].n == found.held_out.n > 50


def test_questions_are_made_of_articles_from_all_over_the_law(acts):
    """Each of another article, in some of its words, the same ones with the same seed."""
    store = CorpusIndex.open(acts).store("law")
    first = made_questions(store, np.random.default_rng(1), 30)
    assert first == made_questions(store, np.random.default_rng(1), 30)
    assert len({one.document for one in first}) == len(first) == 30
    texts = {piece.document: piece.text for piece in store.passages}
    for one in first:
        words = [word for word in one.text.split() if word in texts[one.document]]
        assert len(words) >= 2


def test_foreign_questions_are_of_fields_that_are_not_held():
    """Put together from everyday words of other fields of law alone."""
    passages = [
        Piece(id=str(n), kind="article", document=str(n), law="К", law_id="к", title="Налог", text="налогоплательщик")
        for n in range(30)
    ]
    store = Store(passages)
    questions = foreign_questions(store, np.random.default_rng(0))
    assert len(questions) > 30
    for question in questions:
        asked = asked_fields(question, "ru")
        assert held_fields(store)[int(np.argmax(asked))] == 0


def test_the_choice_is_kept_with_the_index_and_taken_by_every_way_to_ask(index):
    """Command, report, library and settings agree; of another state of the corpus it is not used."""
    done = CliRunner().invoke(command, ["--law", str(index)])
    assert done.exit_code == 0, done.output
    opened = CorpusIndex.open(index)
    tuning = opened.tuning()
    assert f"cannot tell them apart on these questions: the default stays ({tuning.chosen})" in done.output
    assert opened.usual_settings().retriever == tuning.chosen
    opened.keep_tuning(replace(tuning, chosen="lexical"))
    lexical = RetrievalSettings(retriever="lexical", silence=SILENCE)
    assert opened.usual_settings() == lexical
    question = "Можно ли расторгнуть договор аренды досрочно?"
    by_choice = benchbar.ask(question, law=index)
    by_name = benchbar.ask(question, law=index, retrieval=lexical)
    assert by_choice == by_name
    kept = json.loads((index / "retrieval" / "tuning.json").read_text("utf-8"))
    (index / "retrieval" / "tuning.json").write_text(json.dumps(kept | {"corpus": "another"}), "utf-8")
    assert CorpusIndex.open(index).tuning() is None
    assert CorpusIndex.open(index).usual_settings().retriever == DEFAULT


def test_an_index_from_somebody_else_cannot_have_its_own_code_run(index):
    """A choice that a tuning never makes is refused by name, and not imported."""
    opened = CorpusIndex.open(index)
    opened.keep_tuning(replace(opened.tune(np.random.default_rng(0)), chosen="somewhere:Retriever"))
    with pytest.raises(BadInputError, match="somewhere:Retriever"):
        opened.usual_settings()


def test_without_an_index_there_is_nothing_to_tune(acts):
    """A folder of acts that nobody has indexed has no place for a choice."""
    with pytest.raises(UserError, match="law index"):
        CorpusIndex.open(acts).tune(np.random.default_rng(0))


def test_silence_over_made_questions_is_counted_where_it_was_fitted():
    """Of a code with headings both shares are known; of a corpus that is too small neither is."""
    passages = [
        Piece(
            id=f"{n}", kind="article", document=f"{n}", law="Кодекс", law_id="к", title=f"Жилое помещение {n}",
            text=f"Многоквартирный дом номер {n} содержит товарищество собственников жилья и коммунальные услуги дома.",
        )
        for n in range(120)
    ]  # fmt: skip
    for size, known in ((120, True), (40, False)):
        index = Index({"law": passages[:size]})
        store = index.store("law")
        found = tune(
            store, {DEFAULT: index.retriever("law")}, np.random.default_rng(0), corpus="c",
            answered=lambda question, store=store: answers(store, question, 0.1),
        )  # fmt: skip
        assert (found.own_turned_away is not None) == known
        assert (found.foreign_turned_away is not None) == known
