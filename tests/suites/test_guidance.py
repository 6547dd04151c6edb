"""Answer guidance, written by experts as they write, becomes points that can be marked one by one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.records import Category, PointKind
from benchbar.suites.guidance_text import read_guidance, split_items


def points(text: str):
    return read_guidance(text).guidance.points


def test_each_label_has_its_category():
    """The five categories of the paper and of its data, under the labels experts use."""
    text = "答案参考：可以。\n必须提及：甲乙；\n应该提及：1.丙丁；2.戊己\n鼓励提及：《民法》第五条\n禁止提及：《旧法》"
    found = points(text)
    assert [str(point.category) for point in found] == [
        "ground_truth", "mandatory", "advisable", "advisable", "encouraged", "forbidden",
    ]  # fmt: skip
    assert [point.id for point in found] == ["p1", "p2", "p3", "p4", "p5", "p6"]


@pytest.mark.parametrize(
    ("body", "items"),
    [
        ("1.甲；2.乙；3.丙", ["甲", "乙", "丙"]),
        ("1.甲、2.乙、2.丙", ["甲", "乙", "丙"]),
        ("1.甲,2.乙", ["甲", "乙"]),
        ("（一）甲；\n（二）乙；\n（三）丙。", ["甲", "乙", "丙"]),
        ("①甲②乙", ["甲", "乙"]),
        ("1.性质：借款；5.参考：《甲法》6.结果：还款", ["性质：借款；5.参考：《甲法》6.结果：还款"]),
        ("1.性质2.参考：《甲法》3.结果：还款3.5万元", ["性质", "参考：《甲法》", "结果：还款3.5万元"]),
        ("甲；乙", ["甲", "乙"]),
        ("甲、乙", ["甲、乙"]),
        ("原文为：第一项；第二项。", ["原文为：第一项；第二项"]),
        ("  ", []),
    ],
)
def test_items_are_divided_by_their_numbers_or_by_semicolons(body, items):
    """Numbers that do not continue the count belong to the text; annotators may miscount; a quotation stays whole."""
    assert list(split_items(body)) == items


KINDS = [
    ("正确答案：D", "choice", {"text": "D"}),
    ("正确答案：A、C", "choice", {"text": "AC"}),
    ("类案是：有关案件1", "choice", {"text": "有关案件1"}),
    ("罪名是：盗窃罪", "charge", {"text": "盗窃罪"}),
    ("共同犯罪", "term", {}),
    ("刑期的范围是：12-19个月", "range", {"low": 12, "high": 19, "unit": "month"}),
    ("赔偿的范围应该是：4000-6000元", "range", {"low": 4000, "high": 6000, "unit": "yuan"}),
    ("合理分数区间为2-3分", "range", {"low": 2, "high": 3, "unit": "point"}),
    ("有期徒刑一年二个月", "number", {"low": 14, "high": 14, "unit": "month"}),
    ("罚金人民币三万元", "number", {"low": 30000, "unit": "yuan"}),
    ("《刑法》第133条之一", "citation", {}),
    ("《公司法第40条", "citation", {}),
    ("原文为：故意杀人的，处死刑。", "quote", {"text": "故意杀人的，处死刑"}),
    ("错别字。“设嫌”改为“涉嫌”", "term", {"text": "设嫌改为涉嫌", "exhaustive": False}),
    ("本金争议/借贷合意", "term", {"text": "本金争议", "alternatives": ("借贷合意",)}),
    ("非法排放危险废物一百吨以上并造成重大损失达到一百万元的", "semantic", {}),
    ("规则的适用应当结合案件的具体情况加以说明", "semantic", {}),
]


@pytest.mark.parametrize(("text", "kind", "fields"), KINDS)
def test_the_wording_shows_which_matcher_can_mark_a_point(text, kind, fields):
    """What none can mark is left to a judge."""
    (point,) = points(f"答案参考：{text}")
    assert point.kind is PointKind(kind)
    assert {name: getattr(point, name) for name in fields} == fields


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Обязательно: ст. 196 ГК РФ", "citation"),
        ("Обязательно: п. 1 ст. 196 ГК РФ", "citation"),
        ("Обязательно: статья 196 Гражданского кодекса РФ", "citation"),
        ("Обязательно: статьи 195 и 196 ГК РФ", "citation"),
        ("Обязательно: срок исковой давности три года (ст. 196 ГК РФ)", "semantic"),
        ("Обязательно: см. статью 196", "semantic"),
        ("Must mention: section 4(1) of the Limitation Act 1980", "citation"),
        ("Must mention: sections 4 and 5 of the Limitation Act 1980", "citation"),
        ("Must mention: section 12 of the Deposits Act 2012 does not apply", "semantic"),
    ],
)
def test_a_point_that_is_only_a_citation_is_marked_as_one_in_each_language(text, kind):
    """With words of substance beside it, it is a statement, which a judge marks; so is an article of no law."""
    (point,) = points(text)
    assert point.kind is PointKind(kind)


def test_at_least_some_of_a_list_form_a_group():
    """Any two of three suffice where the expert says so."""
    guidance = read_guidance("至少提及两点：1.甲事项；2.乙事项；3.丙事项\n应该提及：丁事项").guidance
    assert guidance.at_least == {"g1": 2}
    assert [point.group for point in guidance.points] == ["g1", "g1", "g1", ""]
    assert guidance.points[0].category is Category.MANDATORY


def test_a_label_that_nobody_knows_is_reported():
    """It is neither dropped nor guessed."""
    assert read_guidance("酌情提及：甲\n必须提及：乙").unknown_labels == ("酌情提及",)


@given(st.text(max_size=400))
def test_any_text_gives_points_or_none(text):
    """No wording breaks the reader, and the text is kept as it was."""
    guidance = read_guidance(text).guidance
    assert guidance.text == text
    assert len({point.id for point in guidance.points}) == len(guidance.points)
