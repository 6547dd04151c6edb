"""Whether a contract agrees with itself: amounts, dates, periods, definitions, currencies, and what it leaves out."""

from __future__ import annotations

import pytest

from benchbar.contracts.consistency import clause_findings, contract_findings
from benchbar.contracts.paragraphs import Paragraph, place
from benchbar.contracts.reviewing import review_contract
from benchbar.records.contracts import Clause, ClauseKind, RiskLevel


def clause(text):
    return Clause(id="c1", kind=ClauseKind.CLAUSE, text=text, start=0, end=len(text))


@pytest.mark.parametrize(
    ("language", "text", "evidence"),
    [
        ("en", "The price is £12,000 (ten thousand pounds).", "12,000 (ten thousand pounds)"),
        ("en", "Notice is thirty (60) days.", "Notice is thirty (60)"),
        ("ru", "Цена составляет 100 000 (двести тысяч) рублей.", "100 000 (двести тысяч)"),
        ("zh", "租金为人民币12000元（大写：壹万叁仟元整）。", "12000元（大写：壹万叁仟元"),
        ("en", "The term runs from 1 March 2026 to 28 February 2025.", "1 March 2026 to 28 February 2025"),
        ("ru", "Срок три года: с 01.01.2025 по 31.12.2026.", "01.01.2025 по 31.12.2026"),
        ("zh", "租期三年，自2025年1月1日至2026年12月31日。", "2025年1月1日至2026年12月31日"),
        ("zh", "于2025年2月30日前付款。", "2025年2月30日"),
    ],
)
def test_a_clause_that_contradicts_itself_is_found_with_its_words(language, text, evidence):
    """Figures against words, ends before beginnings, periods against years, days that do not exist."""
    (found,) = clause_findings(clause(text), language)
    assert (found.evidence, found.level, found.kind) == (evidence, "medium", "inconsistency")
    assert found.excerpt.status == "verified"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "The price is £12,000 (twelve thousand pounds), due within thirty (30) days."),
        ("en", "Section 4 (Payment) applies; the sum of 500 (see annex) is due on 29 February 2028."),
        ("ru", "Цена составляет 100 000 (сто тысяч) рублей."),
        ("zh", "租金为人民币12000元（大写：壹万贰仟元整），租期二年，自2025年1月1日至2026年12月31日。"),
        ("zh", "借款3万元（大写：叁万元整）。"),
    ],
)
def test_a_clause_that_agrees_with_itself_is_not_marked(language, text):
    """Equal amounts, words that are no number, and full periods."""
    assert list(clause_findings(clause(text), language)) == []


def test_a_term_that_is_used_as_defined_but_is_not_is_named():
    """Only in a contract that defines what it writes with capitals."""
    text = (
        'In this agreement "Services", "Customer Data" and "Start Date" are as set out below. The Provider keeps the Customer Data'
        " safe, and the Escrow Agent holds the code. Fees of the Escrow Agent, and of the Escrow Agent alone, are shared."
    )
    assert [one.risk for one in contract_findings([clause(text)], "en", None)] == [
        "“Escrow Agent” is written like a defined term, but is not defined"
    ]


def test_what_a_contract_of_its_kind_never_touches_is_named_and_the_clause_takes_the_gravest_level():
    """A lease without a word on repairs; the amount that differs makes its clause medium at least."""
    lines = [
        "房屋租赁合同",
        *(f"第{one}条 乙方按月支付租金，租期一年，押金可退，违约可解除。" for one in "一二三四五六七八"),
    ]
    lines.append("第九条 服务费为12000元（大写：壹万叁仟元整）。")
    report = review_contract(place(map(Paragraph, lines), name="a.txt", form="text")).report
    assert [one.risk for one in report.findings] == ["未见条款：维修"]
    assert report.reviews[-1].level in {RiskLevel.MEDIUM, RiskLevel.HIGH}
    assert report.to_json()["findings"] == report.findings


def test_several_currencies_are_named():
    """The contract says which of them a price is in, or it does not."""
    found = contract_findings([clause("The price is USD 100, the deposit £50.")], "en", None)
    assert [one.risk for one in found] == ["several currencies: USD, GBP"]
