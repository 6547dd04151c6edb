"""Which article of a law bears a sentence."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchbar.law.terms import document_frequencies, inverse_document_frequencies
from benchbar.law.topic import LawTerms

LEASE = [
    "为了保护租用房屋的当事人的合法权益，制定本法。",
    "承租人应当按照约定的期限支付租金，没有约定期限的，应当按月支付租金。",
    "承租人应当按照约定的方法使用租用的房屋，没有约定的，应当按照房屋的性质使用。",
    "承租人应当妥善保管租用的房屋，因保管不善造成房屋毁损的，应当承担赔偿责任。",
    "承租人经出租人同意，可以对租用的房屋进行改善或者增设他物。",
    "承租人经出租人同意，可以将租用的房屋转租给第三人，第三人造成房屋损失的，承租人应当赔偿损失。",
    "租用期限不得超过二十年，超过二十年的，超过部分无效。",
]
FISHING = ["在公共水域垂钓的，应当取得垂钓许可证。", "禁渔期内不得使用网具，违反者没收渔获物。"]


@pytest.fixture(scope="module")
def idf():
    return inverse_document_frequencies(document_frequencies([*LEASE, *FISHING]), len(LEASE) + len(FISHING))


@pytest.fixture(scope="module")
def lease(idf):
    return LawTerms(LEASE, idf)


@pytest.mark.parametrize("place", range(len(LEASE)))
def test_a_sentence_is_borne_by_its_own_article_most(lease, place):
    """Each article bears its own words, and none of the others bears them as much."""
    topic = [lease.topic(LEASE[place], other) for other in range(len(LEASE))]
    assert max(topic) == topic[place] > 0.9


def test_neighbours_with_common_words_are_told_apart(lease):
    """A sentence in other words is borne by the article with the telling ones, not by those with the common ones."""
    sentence = "承租人转租房屋的，应当经过出租人同意，第三人把房屋弄坏了由承租人赔偿损失。"
    topic = [lease.topic(sentence, place) for place in range(len(LEASE))]
    assert int(np.argmax(topic)) == 5
    assert topic[5] > 0.5 > max(topic[:5])


def test_the_margin_is_over_the_best_article_around(lease):
    """What a neighbour holds better has a negative margin."""
    sentence = "没有约定期限的，承租人应当按月支付租金。"
    assert lease.features(sentence, 1).margin > 0 > lease.features(sentence, 2).margin


def test_a_law_that_does_not_speak_of_the_matter_bears_nothing(idf, lease):
    """A law of one article has no neighbours to lose against, and still bears nothing of another matter."""
    alone = LawTerms(FISHING[:1], idf)
    assert alone.topic("未取得垂钓许可证不得在公共水域垂钓", 0) > 0.5
    assert alone.topic(LEASE[3], 0) < 0.5
    assert lease.topic("使用网具捕鱼的，没收全部渔获物和网具", 3) < 0.3


def test_too_little_said_is_no_measure(lease):
    """A sentence of a word or two is neither borne nor not."""
    assert lease.topic("应当", 1) is None
    assert LawTerms([""], np.ones(1 << 18, np.float32)).topic(LEASE[0], 0) < 0.5


@settings(max_examples=50)
@given(st.text(max_size=200), st.lists(st.text(max_size=60), min_size=1, max_size=14), st.data())
def test_the_measure_is_a_chance_for_any_texts(idf, sentence, bodies, data):
    """From 0 to 1, or None, whatever a sentence and a law hold."""
    found = LawTerms(bodies, idf).topic(sentence, data.draw(st.integers(0, len(bodies) - 1)))
    assert found is None or 0 <= found <= 1
