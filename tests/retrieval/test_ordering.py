"""The second ordering: of the first passages those that state what was asked for stand before those of special cases."""

from __future__ import annotations

import numpy as np
import pytest

from benchbar.languages.packs import labels
from benchbar.records import Piece
from benchbar.retrieval.certainty import certain_article
from benchbar.retrieval.expansion import concepts
from benchbar.retrieval.learned import shipped_weights
from benchbar.retrieval.ordering import KINDS, MOST_PASSAGES, SIGNALS, ordering_of, pattern, shipped_ordering, signals
from benchbar.retrieval.passages import LEAST_PASSAGES
from benchbar.retrieval.retrievers import Learned
from benchbar.retrieval.store import Store

QUESTION = "Бабушка умерла. Сколько у меня времени, чтобы вступить в наследство?"
WANTED = (
    "Срок принятия наследства",
    "Наследство может быть принято в течение шести месяцев со дня открытия наследства.",
)
SPECIAL = (
    "Особенности нотариального удостоверения завещания капитаном судна",
    "Завещание моряка нотариус удостоверяет после открытия наследства по заявлению наследника к нотариусу.",
)


def article(number: int, title: str, text: str) -> Piece:
    """One article of an invented act."""
    name = f"act#{number}"
    return Piece(
        id=name, kind="article", document=name, text=f"{title}\n{text}", law="Устав", law_id="act",
        article=str(number), title=title,
    )  # fmt: skip


def act(size: int) -> Store:
    """An act with the two articles above among others about ponds."""
    others = [
        article(number, f"Порядок осмотра пруда {number}", f"Пруд номер {number} осматривает сторож по графику.")
        for number in range(3, size + 1)
    ]
    return Store([article(1, *SPECIAL), article(2, *WANTED), *others])


def order(store: Store, *, second: bool = True) -> list[str]:
    """Numbers of the first articles."""
    retriever = Learned(store) if second else Learned(store, weights=shipped_weights("learned", "ru"))
    return [store.passages[found.position].article for found in retriever.search([QUESTION], 5)[0]]


def test_an_article_that_states_the_time_limit_comes_before_a_special_case():
    """A question about a time limit is answered by the article whose heading is of it, also where both began as equals."""
    store = act(LEAST_PASSAGES)
    assert order(store)[0] == "2"
    special, wanted = ordering_of(store).probabilities(signals(store, QUESTION, np.array([0, 1]), np.array([0.1, 0.1])))
    assert wanted > special


def test_it_moves_passages_and_drops_none():
    """The second ordering hands on what the first found, with scores that fall."""
    store = act(LEAST_PASSAGES + 20)
    first, second = (
        retriever.search([QUESTION], len(store.passages))[0]
        for retriever in (Learned(store, weights=shipped_weights("learned", "ru")), Learned(store))
    )
    assert {found.position for found in first} == {found.position for found in second}
    assert [found.score for found in first] == [found.score for found in second]


def test_a_store_of_a_few_acts_keeps_the_first_order():
    """Nothing was fitted on stores so small, nor in other languages than the package has."""
    small = act(LEAST_PASSAGES - 1)
    assert ordering_of(small) is None
    assert order(small) == order(small, second=False)
    assert shipped_ordering("eo") is None


def test_all_the_law_there_is_has_an_order_of_its_own_and_no_stated_rule():
    """In Chinese, where one was fitted; in Russian none was. No first article is certain enough there."""
    russian = Store([article(1, *SPECIAL)] * (MOST_PASSAGES + 1))
    chinese, code = (
        Store([Piece(id="a", kind="article", document="a", text="继承开始后，遗产由继承人继承。", law="民法典")] * size)
        for size in (MOST_PASSAGES + 1, MOST_PASSAGES)
    )
    assert ordering_of(russian) is None
    assert ordering_of(chinese) is not None
    assert ordering_of(chinese) != ordering_of(code)
    assert certain_article(chinese, "遗产归谁？") == certain_article(russian, QUESTION) == ""


def test_every_passage_has_every_signal():
    """One row for a passage and one number for a signal, all finite, also where a question shares nothing with the store."""
    store = act(LEAST_PASSAGES)
    for question in (QUESTION, "Ω?", "?"):
        found = signals(store, question, np.array([0, 1, 2]), np.array([0.5, 0.0, 1.0]))
        assert found.shape == (3, len(SIGNALS))
        assert np.isfinite(found).all()


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("产假一共多少天？", "deadline"),
        ("他应当赔多少钱？", "amount"),
        ("什么叫竞业限制？", "definition"),
        ("Сколько у меня времени на жалобу?", "deadline"),
        ("Что такое задаток?", "definition"),
        ("Имею ли я право? Можно ли отказаться?", "right"),
        ("How long do I have to appeal?", "deadline"),
        ("How much must he pay?", "amount"),
    ],
)
def test_what_a_question_asks_for_is_told_by_its_wording(question, kind):
    """A time limit, an amount, a definition, a right."""
    assert pattern("asked", kind).search(question)


def test_each_language_has_every_kind():
    """A kind that one language forgot would be 0 for all of its questions."""
    for tag in ("zh", "zh-Hant", "ru", "en"):
        for kind in KINDS:
            for where in ("asked", "stated", "headed"):
                assert labels(tag, "patterns").texts[f"provision.{kind}_{where}"]


@pytest.mark.parametrize(
    ("language", "question", "other", "term"),
    [
        ("ru", "Он не отдаёт мне долг по расписке", "Долг? Расписки не отдаёт", "займ"),
        ("zh", "我在厂里干活的时候被机器轧了手", "机器坏了。我的手没事，干活去", "工作原因"),
    ],
)
def test_a_phrase_is_said_where_its_words_stand_in_one_sentence(language, question, other, term):
    """Words of a phrase may stand in any order and apart, and not in two sentences."""
    assert any(term in concept.terms for concept in concepts(question, language))
    longest = max(concept.parts for concept in concepts(question, language))
    assert longest > max((concept.parts for concept in concepts(other, language)), default=0)
