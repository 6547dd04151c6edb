"""The model of Chinese clauses: what a topic's clauses share says nothing of how grave one of them is."""

from __future__ import annotations

import pytest

from benchbar.contracts.risk_model import Middle, RiskModel, shipped_model

MODEL = RiskModel(
    version="t",
    grams=("租", "金", "涨", "商"),
    inverse_frequencies=(1.0, 1.0, 1.0, 1.0),
    coefficients=((0.0, 0.0, -4.0, 4.0), (0.0, 0.0, 0.0, 0.0), (5.0, 5.0, 4.0, -4.0)),
    intercepts=(0.0, 0.0, 0.0),
    middles=(Middle(places=(0, 1), values=(7071, 7071)), Middle(places=(3,), values=(10000,))),
    apart=1.0,
    high_at=0.5,
    low_at=0.5,
    least_known=0.0,
)


def test_a_clause_is_weighed_by_what_sets_it_apart_from_its_topic():
    """“租” and “金” weigh much, and count for nothing where every clause of the topic has them."""
    assert MODEL.graded("租金涨").high > 0.8
    assert MODEL.graded("租金商").low > 0.8


@pytest.mark.parametrize(
    ("grave", "fair"),
    [
        (
            "甲方可以随时上调租金，乙方不得提出异议，否则没收全部押金。",
            "租金调整须经双方书面协商一致，协商不成的按原租金履行。",
        ),
        (
            "员工离职须向公司支付五万元违约金，否则不予办理离职手续。",
            "员工提前三十日书面通知即可解除劳动合同，公司依法办理离职手续。",
        ),
    ],
)
def test_the_shipped_model_tells_a_grave_clause_from_a_fair_one_of_its_topic(grave, fair):
    """Both name the same things; the one takes a right away, the other gives it."""
    assert shipped_model().graded(grave).high > shipped_model().graded(fair).high
