"""Wordings on which a rule turns: each pair of a point and a reply differs from its neighbour in one word or sign."""

from __future__ import annotations

import pytest

from benchbar.records import (
    Category,
    Dialogue,
    DialogueEnd,
    Guidance,
    GuidancePoint,
    PointKind,
    Sample,
    ScoreStatus,
    Turn,
)
from benchbar.scoring.points import mark_points
from support.rule_values import value

MET, NOT, LEFT = 1.0, 0.0, None


@pytest.mark.parametrize(
    ("reply", "mark"),
    [
        ("被告人应当认定为***诈骗罪***的既遂。", NOT),
        ("综合上述全部事实，行为人所实施的应认定为诈骗罪，情节严重。", NOT),
        ("不构成犯罪。", NOT),
        ("虽有盗窃罪的嫌疑，结论：不构成犯罪。", LEFT),
    ],
)
def test_another_charge_or_none_is_seen_through_emphasis_and_at_the_end_of_a_clause(reply, mark):
    """Asterisks are no words, a comma ends what belongs to a charge, and "no crime" is a conclusion of its own."""
    assert value("charge", "盗窃罪", reply) == mark


@pytest.mark.parametrize(
    ("wanted", "said"), [("case three", "I choose case 3."), ("the third case", "I choose case 3.")]
)
def test_a_numbered_case_is_the_same_in_words_and_figures(wanted, said):
    """Three, third and 3 name one case."""
    assert value("choice", wanted, said, language="en") == MET


def test_part_of_the_right_options_is_left():
    """How much AC is worth where AB is right, experts see in different ways."""
    assert value("choice", "AB", "答案：AC。") is LEFT


def test_an_option_that_is_stated_counts_whatever_somebody_else_thinks_before():
    """Whose view the sentence before tells decides nothing about the sentence with the answer."""
    assert value("choice", "D", "律师认为情节较轻。正确答案是D。") == MET


def test_an_answer_that_is_taken_back_politely_is_taken_back():
    """Nothing is put in its place, so that neither the old answer stands nor another."""
    assert value("choice", "D", "答案是D。", "是的，刚才写错了。") is LEFT


def test_a_proviso_unsettles_a_term():
    """Only an answer by its form (答案：D) stands in spite of what is said beside it."""
    assert value("term", "退还押金", "应当退还押金，除非另有约定。") is LEFT


@pytest.mark.parametrize(
    ("text", "reply"), [("damages of £1,000", "The damages are £1,000."), ("£1,000", "The answer is £1,000.")]
)
def test_guidance_in_a_foreign_currency_is_met_in_it(text, reply):
    """Guidance writes `yuan` for money; what currency is meant its text says."""
    assert value("number", text, reply, low=1000, high=1000, unit="yuan", language="en") == MET


def test_the_head_word_right_behind_a_quantity_comes_before_one_further_off():
    """六个月拘役 is detention although imprisonment is named before it."""
    bounds = {"low": 6, "high": 6, "unit": "month"}
    assert value("number", "拘役六个月", "不判有期徒刑，判处六个月拘役。", **bounds) == MET


@pytest.mark.parametrize(
    ("text", "reply", "language", "mark"),
    [
        ("ст. 10 Семейного кодекса РФ", "Семейный кодекс это решает.", "ru", LEFT),
        ("section 10 of the Employment Rights Act 1996", "The ERA says so.", "en", LEFT),
        ("section 10 of the Employment Rights Act 1996", "Nobody knows.", "en", NOT),
    ],
)
def test_a_law_that_is_named_in_any_form_may_be_cited(text, reply, language, mark):
    """In another case, or by its initials: then a judge looks; where it is not named at all, it is not cited."""
    assert value("citation", text, reply, language=language) == mark


def test_a_russian_term_is_found_in_its_cases():
    """Endings change up to two letters of a stem."""
    assert value("term", "статья", "Ответ: статьи.", language="ru") == MET


def test_a_failed_dialogue_has_failed_marks_whatever_was_said_before():
    """Its first replies are no answer that could be right or wrong."""
    point = GuidancePoint(id="p1", category=Category.MANDATORY, kind=PointKind.CHOICE, text="D")
    sample = Sample(id="s", task="t", needs="?", guidance=Guidance(points=(point,)), language="zh")
    turns = (Turn(role="user", content="?"), Turn(role="assistant", content="答案是D。"))
    talk = Dialogue(sample="s", assistant="a", turns=turns, ended=DialogueEnd.ERROR)
    (mark,) = mark_points(sample, talk, every_kind=True)
    assert (mark.status, mark.value) == (ScoreStatus.FAILED, None)
