"""The subject index: what a layman says of a matter leads to the articles that settle it, where they are still those articles."""

from __future__ import annotations

import numpy as np
import pytest

from benchbar.records import Piece
from benchbar.retrieval.learned import shipped_weights
from benchbar.retrieval.ordering import SIGNALS, ranked, signals
from benchbar.retrieval.passages import LEAST_PASSAGES
from benchbar.retrieval.retrievers import Learned
from benchbar.retrieval.store import Store
from benchbar.retrieval.subject_index import (
    SUBJECT_SIGNALS,
    is_indexed,
    matched,
    subject_scores,
    subject_signals,
    written,
)

FOUND = (
    "Находка",
    (
        "Нашедший потерянную вещь обязан немедленно уведомить об этом лицо, потерявшее ее, или собственника вещи и возвратить"
        " найденную вещь этому лицу. Если вещь найдена в помещении или на транспорте, она подлежит сдаче владельцу."
    ),
)
QUESTION = "Подобрал в парке чужой телефон, хозяин не нашёлся. Куда его нести?"


def piece(
    number: int, title: str, text: str, law: str = "Гражданский кодекс Российской Федерации (часть первая)"
) -> Piece:
    """An article of a code."""
    name = f"code#{number}"
    return Piece(
        id=name, kind="article", document=name, text=f"{title}\n{text}", law=law, law_id="code", article=str(number),
        title=title,
    )  # fmt: skip


def code(*, law: str = "Гражданский кодекс Российской Федерации (часть первая)", number: int = 227) -> Store:
    """A code with the article on found things under a number, among others on ponds."""
    others = [
        piece(
            place,
            f"Порядок осмотра пруда {place}",
            f"Пруд номер {place} осматривает сторож, чужой телефон не берут.",
            law,
        )
        for place in range(1, LEAST_PASSAGES + 1)
    ]
    return Store([*others, piece(number, *FOUND, law)])


def test_a_laymans_words_lead_to_the_article_of_the_index():
    """Of the whole code the article on found things is known by the question, and none of the others."""
    scores = subject_scores(code(), QUESTION)
    assert scores[-1] > 0
    assert not scores[:-1].any()


@pytest.mark.parametrize(
    "store",
    [code(law="Устав пруда"), code(number=231), Store([])],
    ids=["another law", "another number", "an empty store"],
)
def test_it_is_silent_where_the_article_is_another_one(store):
    """A law that the index does not know, and a number that now belongs to another article, get no score."""
    assert not subject_scores(store, QUESTION).any()


def test_the_first_passages_hold_what_words_alone_would_not_draw():
    """The article is among those that are ordered anew and comes out first, though others share more words with the question."""
    store = code()
    found = ranked(store, QUESTION, shipped_weights("learned", "ru"))
    assert len(store.passages) - 1 in found.positions[: found.first]
    assert store.passages[Learned(store).search([QUESTION], 1)[0][0].position].article == "227"


def test_ranked_keeps_every_candidate_once_with_its_chance():
    """The first stand before the others; nobody is lost or twice there."""
    found = ranked(code(), QUESTION, shipped_weights("learned", "ru"))
    assert len(np.unique(found.positions)) == len(found.positions) == len(found.chances)
    assert 0 < found.first <= len(found.positions)


def test_signals_are_shares_of_the_best():
    """A signal for each name, the best passage at 1, others without a line at 0."""
    store = code()
    columns = subject_signals(store, QUESTION, np.array([len(store.passages) - 1, 0]))
    assert len(columns) == len(SUBJECT_SIGNALS)
    assert columns[0].tolist() == [1.0, 0.0]
    whole = signals(store, QUESTION, np.array([0]), np.array([0.5]))
    assert whole.shape == (1, len(SIGNALS))
    assert tuple(SIGNALS[-len(SUBJECT_SIGNALS) :]) == SUBJECT_SIGNALS


@pytest.mark.parametrize("language", ["zh", "ru"])
def test_every_line_names_a_law_articles_and_phrases(language):
    """The file reads as it is meant to: three columns, numbers of articles, each line once."""
    rows = written(language)
    assert len(rows) == len(set(rows)) > 1000
    for law, articles, phrases in rows:
        assert law.strip()
        assert phrases.strip()
        assert all(part.isdecimal() for one in articles for part in one.split("."))


def test_of_law_that_the_index_does_not_name_it_says_nothing_of_the_whole_store():
    """A law of one's own would else seem to answer none of the questions that a code answers, too."""
    assert is_indexed(code())
    assert not is_indexed(code(law="Закон о находках Республики Ланхай"))
    assert not is_indexed(Store([]))


def test_a_language_without_an_index_knows_nothing():
    """No error and no line."""
    assert written("eo") == []
    assert not len(matched("Ĉu mi rajtas konservi tion?", "eo").sums)
