"""The retriever of a corpus, chosen on questions made of its own articles."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

import benchbar
from benchbar.cli.law_tune import command, told
from benchbar.law.index import build_index
from benchbar.records import Piece
from benchbar.records.errors import BadInputError, UserError
from benchbar.retrieval.answerability import answers
from benchbar.retrieval.corpus import CorpusIndex
from benchbar.retrieval.embedding import EmbeddingSettings
from benchbar.retrieval.fields import asked_fields, held_fields
from benchbar.retrieval.index import Index
from benchbar.retrieval.settings import ASKED_LAW, AUTHORITY, SILENCE, RetrievalSettings
from benchbar.retrieval.store import Store
from benchbar.retrieval.tuning import DEFAULT, KEPT, chosen_of, foreign_questions, hard_enough, made_questions, tune
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
    """Of every retriever that could be chosen, none is better than the chosen one by its paired interval."""
    found = CorpusIndex.open(index).tune(np.random.default_rng(0))
    assert set(found.tried) == {DEFAULT, "lexical", "tfidf", "lsa"}
    assert found.chosen in found.tried
    assert found.barred == ("lexical", "tfidf")
    for name, difference in found.differences.items():
        if found.chosen == DEFAULT and name not in found.barred:
            assert difference.low is None or difference.low <= 0
        assert found.tried[name].n == found.held_out.n > 50


def test_search_by_words_alone_takes_no_place_of_what_was_fitted_on_people(acts):
    """Made questions repeat words: over law of a language with weights of its own they do not choose by them."""
    always, never = (np.arange(60) % 6 > 0).astype(float), np.zeros(60)
    assert chosen_of({DEFAULT: never, "lexical": always}, barred={"lexical"}) == DEFAULT
    assert chosen_of({DEFAULT: never, "lexical": always}) == "lexical"
    english = CorpusIndex.open(load("model-jurisdiction-en").law)
    for opened in (CorpusIndex.open(acts), english):
        store = opened.store("law")
        tried = {name: opened.retriever("law", name) for name in (DEFAULT, "lexical")}
        made = tune(store, tried, np.random.default_rng(0), corpus="c", answered=lambda _: None, questions=20)
        assert made.barred == ("lexical",)


def test_questions_are_made_harder_where_the_default_finds_nearly_all(acts):
    """Until it does not, or the fewest words are left; what is compared are other questions than those that were probed."""
    opened = CorpusIndex.open(acts)
    store, default = opened.store("law"), opened.retriever("law")
    assert hard_enough(store, Nothing(), np.random.default_rng(0)) == KEPT[0]
    kept = hard_enough(store, default, np.random.default_rng(0))
    assert kept in KEPT
    found = tune(store, {DEFAULT: default}, np.random.default_rng(0), corpus="c", answered=lambda _: None, questions=20)
    assert found.kept in KEPT
    assert found.tried[DEFAULT].n == 20
    words = [
        np.mean([len(one.text.split()) for one in made_questions(store, np.random.default_rng(0), 40, share)])
        for share in KEPT
    ]
    assert words == sorted(words, reverse=True)


class Nothing:
    """A retriever that finds nothing."""

    def search(self, queries, k):
        return [[] for _ in queries]

    def similarity(self, positions):
        return np.eye(len(positions))


def test_an_embedding_model_is_tried_only_where_few_vectors_are_missing(index, chat_server):
    """Without any vector it is left out, and the command that makes them is named; of first passages alone it is tried."""
    said = []
    opened = CorpusIndex.open(index, progress=said.append)
    settings = EmbeddingSettings(model="embed", base_url=chat_server.base_url)
    opened.keep_embedding(settings)
    found = opened.tune(np.random.default_rng(0), questions=20)
    assert "embeddings" not in found.tried
    assert any("law embed" in one and "--rerank 30" in one for one in said)
    assert any("learned: 1 made questions searched" in one for one in said)
    opened.keep_embedding(replace(settings, rerank=10))
    assert "embeddings" in opened.tune(np.random.default_rng(0), questions=20).tried


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
    assert f"chosen: {tuning.chosen} (choosing on four fifths" in done.output
    assert "for comparison alone: lexical, tfidf" in done.output
    same = replace(tuning, tried=dict.fromkeys(tuning.tried, tuning.tried[DEFAULT]))
    assert f"cannot tell them apart on these questions: the default stays ({tuning.chosen})" in told(same)
    assert opened.usual_settings().retriever == tuning.chosen
    opened.keep_tuning(replace(tuning, chosen="lexical"))
    lexical = RetrievalSettings(retriever="lexical", law=ASKED_LAW, silence=SILENCE, authority=AUTHORITY)
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
