"""Chinese citations: the forms, the pitfalls, and that nothing costs more than linear time."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.languages.numerals import to_chinese
from benchbar.law.citations import Mention, extract

GOLD = Path(__file__).parent / "gold_citations.tsv"
ROWS = [
    tuple(line.split("\t"))
    for line in GOLD.read_text(encoding="utf-8").splitlines()
    if line.strip() and not line.startswith("#")
]


def label(mention: Mention) -> str:
    """A mention in the notation of the gold list."""
    if mention.case_number:
        return f"#{mention.case_number}"
    parts = f"/{mention.paragraph}" if mention.paragraph or mention.item else ""
    parts += f"/{mention.item}" if mention.item else ""
    return f"{mention.names}:{mention.article}{'-' + mention.sub if mention.sub else ''}{parts}"


@pytest.mark.parametrize(("text", "expected"), ROWS, ids=[row[0][:24] for row in ROWS])
def test_gold_list(text: str, expected: str) -> None:
    """Each sentence gives the citations that were written down by hand beside it, in order."""
    assert [label(one) for one in extract(text)] == ([] if expected == "-" else expected.split("|"))


def test_gold_list_has_its_size() -> None:
    """The list holds more than 120 citations."""
    assert sum(len(expected.split("|")) for _, expected in ROWS if expected != "-") >= 120


def test_spans_are_where_the_text_is() -> None:
    """A span cuts the mention's own text out of the whole, and spans follow each other."""
    for text, _ in ROWS:
        found = extract(text)
        assert [text[slice(*one.span)] for one in found] == [one.text for one in found]
        assert all(one.span[1] <= other.span[0] for one, other in itertools.pairwise(found) if not one.case_number)


def test_elliptical_citations_say_that_they_are() -> None:
    """A citation that goes back has no law of its own, and names the law it goes back to."""
    first, second = extract("《民法典》第五百六十三条、第五百七十七条")
    assert (first.law, first.antecedent) == ("民法典", "")
    assert (second.law, second.antecedent, second.names) == ("", "民法典", "民法典")


def test_ranges_name_their_end() -> None:
    """The first article of a range says where the range ends."""
    first, second = extract("《民法典》第一百四十三条至第一百四十六条")
    assert (first.article, first.through, second.article) == ("143", "146", "146")


def test_the_year_names_the_edition() -> None:
    """A year behind or within the name belongs to the citation, and to those that go back to it."""
    years = [
        one.year
        for one in extract("《房屋租赁法》（2012年）第四条，该法第五条；《公司法（2018修正）》第一条；《公司法》第二条")
    ]
    assert years == ["2012", "2012", "2018", ""]


def test_further_names_are_taken_from_the_caller() -> None:
    """A name that holds 和 is found without brackets where the caller knows it."""
    text = "违反人体器官和组织捐献条例第五条"
    assert extract(text, known=frozenset({"人体器官和组织捐献条例"}))[0].law == "人体器官和组织捐献条例"


@given(
    law=st.sampled_from(["民法典", "中华人民共和国刑法", "劳动合同法", "工伤保险条例"]),
    number=st.integers(min_value=1, max_value=1999),
    paragraph=st.integers(min_value=0, max_value=9),
    arabic=st.booleans(),
    brackets=st.booleans(),
    before=st.sampled_from(["", "根据", "依照", "违反", "。"]),
)
def test_any_article_of_any_form_is_read_back(
    law: str,
    number: int,
    paragraph: int,
    arabic: bool,
    brackets: bool,
    before: str,
) -> None:
    """Law, article and paragraph come back whatever the numerals, with and without brackets."""
    numeral = str(number) if arabic else to_chinese(number)
    text = f"{before}{'《' if brackets else ''}{law}{'》' if brackets else ''}第{numeral}条"
    text += f"第{to_chinese(paragraph)}款" if paragraph else ""
    (found,) = extract(text)
    assert (found.law, found.article, found.paragraph) == (law, str(number), str(paragraph or ""))


@given(st.text(alphabet="第一二十百条款项之《》〈〉（）(2019)京民初字号、和与法典规定合同关于该本同 ", max_size=200))
def test_any_text_gives_spans_within_it(text: str) -> None:
    """No text breaks the extraction, and every span lies in the text with its words."""
    for one in extract(text):
        assert text[slice(*one.span)] == one.text
        assert one.article or one.case_number or one.law


@pytest.mark.parametrize(
    "unit",
    [
        "第一",
        "第一、",
        "《",
        "《第一条",
        "（2019）民",
        "第一条第一款",
        "合同第一条",
        "关于规定第一条",
        "（以下简称",
        "民法第一条该条第一项",
    ],
)
def test_hostile_repetition_is_survived(unit: str) -> None:
    """A hundred thousand characters of one repeated form are read to the end: the citation there is found."""
    found = extract(unit * (100_000 // len(unit)) + "\n\n《中华人民共和国刑法》第二百六十四条")
    assert found[-1].article == "264"


def test_a_contract_drafted_in_an_answer_has_articles_of_its_own() -> None:
    """Labels at the beginning of lines that start a document's own articles are no citations of the law named before."""
    text = "根据《民法典》，双方订立本合同。\n第一条 标的为房屋。\n第二条 租金每月三千元。\n依照《民法典》第七百零三条履行。"
    assert [one.article for one in extract(text) if one.article] == ["703"]


def test_articles_pasted_below_a_law_are_citations_of_it() -> None:
    """Labels of an answer that lists articles below the law's name are citations of that law."""
    text = "《中华人民共和国反家庭暴力法》规定：\n第二十三条 当事人可以申请人身安全保护令。\n第二十九条 有下列措施："
    assert [(one.article, one.names) for one in extract(text) if one.article] == [
        ("23", "中华人民共和国反家庭暴力法"),
        ("29", "中华人民共和国反家庭暴力法"),
    ]
