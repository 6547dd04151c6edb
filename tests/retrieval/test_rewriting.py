"""Other wordings of a question."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.retrieval.rewriting import read_variants, rule_variants


def test_courtesies_and_asking_words_are_dropped():
    """What is left names the matter."""
    assert rule_variants("您好，请问借用的车毁损了怎么办？")[0] == "借用的车毁损了 ？"
    assert rule_variants("Подскажите, пожалуйста, можно ли вернуть аванс?")[0] == "вернуть аванс?"


def test_the_asking_sentence_stands_alone():
    """Of a story with a question the last question is one variant."""
    assert "我能解除合同吗？" in rule_variants("我租了一条船。船漏水了。我能解除合同吗？")


@pytest.mark.parametrize(
    ("matter", "follow_up", "alone"),
    [
        ("网上买的衣服不喜欢，能退吗？", "要是商家卖的是假货呢？", True),
        ("合同签了三年，试用期最长几个月？", "如果只签一年呢？", False),
        ("За какой срок надо принять наследство?", "А проценты он должен платить?", True),
        ("За какой срок надо принять наследство?", "А если я его пропустил?", False),
    ],
)
def test_a_follow_up_that_names_a_matter_is_searched_alone_beside_what_was_said_before(matter, follow_up, alone):
    """With the matter before it in every other wording too, it would be outvoted; one that names none is nothing alone."""
    assert (rule_variants(f"{matter}\n{follow_up}") == [follow_up]) is alone


@pytest.mark.parametrize(
    "answer",
    [
        "Sure, here are two:\n1. 毁损赔偿的规定\n2) 借用人的责任",
        "- 毁损赔偿的规定\n- 借用人的责任\n",
        "以下是改写：\n“毁损赔偿的规定”\n变体2：借用人的责任\n借用人的责任",
    ],
)
def test_a_models_answer_is_read_without_preface_numbering_and_repetition(answer):
    """Only the wordings themselves are searched."""
    assert read_variants(answer, "车坏了谁赔") == ["毁损赔偿的规定", "借用人的责任"]


def test_the_question_itself_is_no_variant():
    """A model that repeats the question adds nothing."""
    assert read_variants("车坏了，谁赔？\n借用人的责任", "车坏了谁赔") == ["借用人的责任"]


@given(st.text(max_size=300), st.integers(0, 3))
def test_never_more_variants_than_asked_for(question, n):
    """The number of variants is bounded, and none is empty."""
    found = rule_variants(question, n)
    assert len(found) <= n
    assert all(found)
