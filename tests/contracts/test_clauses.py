"""A contract's structure: marks in three languages, lists inside clauses, cross-references, preamble and signatures."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.contracts.clauses import clauses
from benchbar.contracts.marks import read_mark
from benchbar.contracts.text_source import read_text
from benchbar.languages.numerals import to_chinese
from benchbar.records.contracts import ClauseKind


def split(text, form="text"):
    return clauses(read_text(text.encode(), "contract.txt", form))


@given(st.integers(1, 300), st.integers(1, 30))
def test_marks_are_read_whatever_script_their_number_is_in(first, second):
    """第十二条, 第12条, 12., 12.3, Статья 12, п. 12.3, Article 12 and Section 12.3 give the same plain number."""
    chinese = to_chinese(first)
    for text, number in (
        (f"第{chinese}条 租金", f"{first}"),
        (f"第{first}条　租金", f"{first}"),
        (f"第{chinese}条之{to_chinese(second)} 租金", f"{first}-{second}"),
        (f"{first}. 租金", f"{first}"),
        (f"{first}、租金", f"{first}"),
        (f"{first}.{second} 租金", f"{first}.{second}"),
        (f"Статья {first}. Аренда", f"{first}"),
        (f"п. {first}.{second} Плата", f"{first}.{second}"),
        (f"Article {first} Rent", f"{first}"),
        (f"Section {first}.{second} Rent", f"{first}.{second}"),
    ):
        mark = read_mark(text)
        assert mark is not None, text
        assert mark.number == number, text
        assert text[mark.end :].strip() in {"租金", "Аренда", "Плата", "Rent"}, text


@pytest.mark.parametrize(
    "text", ["2024年1月1日签订。", "3.5%的违约金", "1.5倍工资", "2024.01.05 于上海", "甲方第一次付款", "10万元"]
)
def test_numbers_that_are_no_marks(text):
    """Dates, percentages, multiples and amounts at the start of a paragraph open no clause."""
    assert read_mark(text) is None


@pytest.mark.parametrize("text", ["（一）拖欠租金", "(a) to pay rent", "1) оплатить", "① 付款", "a) pay", "- pay"])
def test_list_marks_stay_inside_their_clause(text):
    """The members of a list are marks of the lowest rank."""
    assert read_mark(text).is_item


def test_chapters_articles_and_paragraphs_nest():
    """Chapters hold articles, articles hold numbered paragraphs, and each clause knows the headings above it."""
    found = split("第一章 总则\n第一条 租金\n1.1 每月支付。\n1.2 逾期罚息。\n第二章 违约\n第二条 违约金为一成。")
    assert [(one.kind, one.number, one.path) for one in found] == [
        (ClauseKind.HEADING, "第一章", ()),
        (ClauseKind.HEADING, "第一条", ("第一章 总则",)),
        (ClauseKind.CLAUSE, "1.1", ("第一章 总则", "第一条 租金")),
        (ClauseKind.CLAUSE, "1.2", ("第一章 总则", "第一条 租金")),
        (ClauseKind.HEADING, "第二章", ()),
        (ClauseKind.CLAUSE, "第二条", ("第二章 违约",)),
    ]


def test_a_list_after_a_colon_belongs_to_the_words_before_it():
    """What follows ``有下列情形之一的：`` is part of that clause, with or without brackets."""
    found = split(
        "第一条 有下列情形之一的，甲方可以解除：\n（一）拖欠租金；\n（二）转租。\n1. 破坏房屋；\n2. 违法经营。\n第二条 其他。"
    )
    assert [one.number for one in found] == ["第一条", "第二条"]
    assert found[0].text.endswith("违法经营。")


def test_a_long_list_is_reviewed_member_by_member():
    """A clause of more than 900 characters gives each member of its list a clause of its own, under the lead-in."""
    members = "\n".join(f"（{to_chinese(n)}）" + "乙方应当妥善使用房屋及其设施。" * 8 for n in range(1, 10))
    found = split(f"第一条 乙方的义务如下：\n{members}\n第二条 其他。")
    assert len(found) == 11
    assert {one.parent for one in found[1:10]} == {"c1"}


def test_preamble_signatures_and_annexes_stand_apart():
    """What comes before the first number, the lines to sign on, and annexes with their own numbers."""
    found = split(
        "租赁合同\n甲方：张三\n第一条 租金见附件一。\n本合同一式两份。\n甲方（签字）：____\n日期：____\n附件一 清单\n1. 桌子。"
    )
    assert [one.kind for one in found] == ["preamble", "clause", "signature", "annex", "clause"]
    assert found[1].references[0].target == found[3].id
    assert found[4].parent == found[3].id


def test_cross_references_are_linked_and_statutes_are_not():
    """第三条, 第2.1款, п. 1.2, Section 2 and Schedule A point to clauses; mentions of statutes are none; what is missing is told."""
    found = split(
        "第一条 依照《民法典》第七百零三条和合同法第三条订立，违约见第三条。\n第二条 租金\n2.1 见第九条。\n第三条 参照第2.1款、本合同第一条。"
    )
    links = {one.number: [(ref.number, ref.target) for ref in one.references] for one in found}
    assert links["第一条"] == [("3", found[3].id)]
    assert links["2.1"] == [("9", None)]
    assert links["第三条"] == [("2.1", found[2].id), ("1", found[0].id)]
    russian = split("1. Предмет\n1.1. По п. 1.2 договора и п. 2 ст. 614 ГК РФ.\n1.2. Оплата, см. Приложение № 3.")
    assert [(ref.number, bool(ref.target)) for ref in russian[1].references] == [("1.2", True)]
    assert [(ref.number, ref.target) for ref in russian[2].references] == [("annex 3", None)]
    english = split(
        "Section 1 Rent is due under Section 2 of the Rent Act 1977.\nSection 2 See Section 1 and Schedule A."
    )
    assert [[(ref.number, bool(ref.target)) for ref in one.references] for one in english] == [
        [],
        [("1", True), ("annex a", False)],
    ]


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("1. Работы по смете (приложение № 2).\n2. График в приложении № 3.\n\nПриложения:\n№ 1. Проект\n№ 2. Смета\nЗаказчик: ____", ["annex 3"]),
        ("第一条 清单见附件一。\n第二条 图纸见附件三。\n附件：\n一、清单\n二、图纸\n甲方（盖章）：", ["annex 3"]),
        ("1. See Schedule 1.\n2. See Schedule 4.\nSchedules:\n1. Prices\n2. Services", ["annex 4"]),
    ],
)  # fmt: skip
def test_an_annex_that_the_contract_lists_is_not_missing(text, missing):
    """The list of annexes at the end names what is attached; only what it does not name is missing."""
    assert [ref.number for one in split(text) for ref in one.references if ref.target is None] == missing


def test_a_text_without_numbers_is_split_by_paragraphs():
    """Without any mark, every paragraph is a clause."""
    found = split("甲方出租房屋。\n乙方支付租金。\n押金不退。")
    assert [one.kind for one in found] == [ClauseKind.CLAUSE] * 3


def test_markdown_headings_are_headings():
    """Hash marks make headings, rules are passed over, pipes make tables."""
    found = split(
        "# 租赁合同\n\n## 违约\n\n押金不退。\n\n---\n\n| 项目 | 金额 |\n| --- | --- |\n| 水 | 一元 |", "markdown"
    )
    assert [(one.kind, one.path) for one in found] == [
        ("heading", ()),
        ("heading", ("租赁合同",)),
        ("clause", ("租赁合同", "违约")),
        ("table", ("租赁合同", "违约")),
    ]


MARKS = st.sampled_from(
    ["第一条 ", "第二章 ", "1. ", "1.1 ", "（一）", "一、", "附件一", "", "Section 2 ", "п. 3.1 ", "# "]
)
WORDS = st.text(alphabet="甲乙方应付租金：；。 ab\t", min_size=1, max_size=30)


@given(st.lists(st.tuples(MARKS, WORDS), min_size=1, max_size=25))
def test_every_paragraph_is_in_exactly_one_clause(lines):
    """Whatever the text, clauses follow one another without overlap, and no word of it is lost."""
    text = "\n".join(mark + words for mark, words in lines)
    if not text.strip():
        return
    found = split(text)
    assert all(one.end < two.start for one, two in pairwise(found))
    covered = "".join("".join(text[one.start : one.end].split()) for one in found)
    assert covered == "".join(text.split())
    known = {one.id for one in found}
    assert all(one.parent is None or one.parent in known for one in found)


def test_a_long_paragraph_is_cut_where_its_sentences_end():
    """Each clause of a contract in one paragraph ends with a whole sentence."""
    found = split("乙方应当按时支付租金。" * 5000)
    assert len(found) > 1
    assert all(one.text.rstrip().endswith("。") for one in found)


@pytest.mark.parametrize(
    "text",
    [
        "乙方应当按时支付租金。" * 5000,
        "租" * 30_000,
        "第一条 " + "甲方有权解除合同；" * 3000 + "\n第二条 完。",
        "\n".join(["第一条 开始"] + ["说明文字" * 900] * 9),
    ],
)
def test_no_clause_is_endless_and_nothing_is_lost(text):
    """Every character of a contract in one paragraph is in some clause of bounded length."""
    found = split(text)
    assert max(len(one.text) for one in found) <= 6100
    assert sum(len("".join(one.text.split())) for one in found) == len("".join(text.split()))


def test_references_are_not_called_broken_where_the_numbering_was_not_understood():
    """Many references and hardly a target: the text's structure is unlike its references, so none is called broken."""
    found = split(
        "Section 1 As set out in Section 4.1, Section 5.2, Section 6.3, Section 7.4, Section 8.5 and Section 9.6."
    )
    assert not [ref for one in found for ref in one.references]


def test_a_clause_under_a_styled_article_heading_has_the_articles_number():
    """Where 第四条 is a heading of its own, the text below it is clause 第四条; below a chapter it has no number."""
    found = split(
        "# 房屋租赁合同\n\n## 第一章 总则\n\n本合同依法订立。\n\n### 第四条 押金\n\n押金不予退还。\n", "markdown"
    )
    numbers = {one.text: one.number for one in found if one.kind is ClauseKind.CLAUSE}
    assert numbers["押金不予退还。"] == "第四条"
    assert numbers.get("本合同依法订立。", "") == ""
