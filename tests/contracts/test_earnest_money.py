"""Earnest money is held against the price of the contract, wherever the two stand."""

from __future__ import annotations

import pytest

from benchbar.contracts.paragraphs import Paragraph, place
from benchbar.contracts.reviewing import review_contract

NAME = "定金超过主合同标的额的百分之二十"
TITLE = "设备采购合同"
BEYOND = (
    ("第二条 合同总价为人民币1,000,000元。", "第五条 买方应于签约当日向卖方支付定金300,000元。"),
    ("第二条 合同价款为一百万元整。", "第三条 定金人民币贰拾伍万元，买方签约后三日内付清。"),
    ("第一条 货款总额80万元，含税。", "第四条 买方支付定金20万元，定金抵作价款。"),
    ("第三条 本合同总金额：500000元（大写：伍拾万元整）。", "第六条 定金：150000元（大写：壹拾伍万元整）。"),
    ("第二条 买方支付定金9万元。", "第七条 合同总价款人民币30万元。"),
)
WITHIN = (
    ("第二条 合同总价为人民币1,000,000元。", "第五条 买方应于签约当日向卖方支付定金200,000元。"),
    ("第二条 合同价款为一百万元整。", "第三条 定金人民币拾万元，买方签约后三日内付清。"),
    ("第二条 合同总价为100万元。", "第五条 买方支付预付款30万元；买方违约的，不影响定金规则的适用。"),
    ("第二条 合同总价为100万元。", "第五条 卖方违约的，定金双倍返还，即60万元。"),
    ("第二条 甲项合同总价为100万元。", "第三条 乙项合同总价为50万元。", "第五条 买方支付定金30万元。"),
    ("第二条 合同总价为100万元。", "第五条 买方支付订金30万元，可以随时退还。"),
)


def accused(lines):
    """The numbers of the clauses that are accused of it."""
    report = review_contract(place(map(Paragraph, (TITLE, *lines)), name="a.txt", form="text"), bounds=None).report
    numbers = {one.id: one.number for one in report.clauses}
    return [numbers[one.clause] for one in report.reviews for found in one.findings if found.risk == NAME]


@pytest.mark.parametrize("lines", BEYOND)
def test_a_deposit_of_more_than_a_fifth_of_a_price_elsewhere_is_found_at_its_clause(lines):
    """Amounts in figures, words and ten thousands are compared, whichever clause comes first."""
    clause = next(line for line in lines if "定金" in line)
    assert accused(lines) == [clause.partition(" ")[0]]


@pytest.mark.parametrize("lines", WITHIN)
def test_a_fifth_a_prepayment_a_return_and_a_price_that_is_not_one_are_not_accused(lines):
    """Where a contract has several prices nobody can say which one a deposit secures."""
    assert accused(lines) == []
