"""Amounts, durations and percentages in running text."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.languages.numerals import to_chinese
from benchbar.languages.quantities import numbers_of, quantities

CASES = [
    ("判处有期徒刑一年二个月，并处罚金人民币五万元", [(14, "month"), (50_000, "yuan")]),
    ("三年以上十年以下", [(36, "month"), (120, "month")]),
    ("半年", [(6, "month")]),
    ("一年半", [(18, "month")]),
    ("2023年3月3日借款1.5万元", [(15_000, "yuan")]),
    ("二〇二三年三月三日", []),
    ("月利率百分之二，逾期千分之三", [(2, "percent"), (3, "permille")]),
    ("年利率15.4%，15日内付清", [(15.4, "percent"), (15, "day")]),
    ("LPR的四倍", [(4, "times")]),
    ("лишение свободы на срок 3 года 6 месяцев", [(42, "month")]),
    ("штраф 500 000 рублей в течение десяти дней", [(500_000, "rouble"), (10, "day")]),
    ("three years and six months", [(42, "month")]),
    ("RMB 5,000 within 30 days, 5 per cent", [(5000, "yuan"), (30, "day"), (5, "percent")]),
    ("第五百六十三条没有数量", []),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_quantities_are_found(text: str, expected: list[tuple[float, str]]) -> None:
    """Each number with its unit, years and months joined, dates and article numbers left out."""
    assert [(pytest.approx(one.value), one.unit) for one in quantities(text)] == expected


@given(st.integers(1, 25), st.integers(1, 11), st.booleans())
def test_terms_of_imprisonment(years: int, months: int, arabic: bool) -> None:
    """Years and months in either numerals make months."""
    write = str if arabic else to_chinese
    (found,) = quantities(f"判处有期徒刑{write(years)}年{write(months)}个月")
    assert (found.value, found.unit) == (12 * years + months, "month")


@given(st.text(max_size=200))
def test_spans_hold_their_text(text: str) -> None:
    """A span cuts the quantity's own words out of the text, and spans do not overlap."""
    found = quantities(text)
    assert all(text[one.start : one.end] == one.text for one in found)
    assert all(one.end <= other.start for one, other in itertools.pairwise(found))


def test_numbers_with_and_without_units() -> None:
    """Every number counts, in order: what a quotation must not change."""
    assert numbers_of("第3条规定十五日，1,000元") == (3, 15, 1000)
