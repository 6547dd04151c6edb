"""Numbers in words and digits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.languages.numerals import parse_number, to_chinese

CASES = [
    ("一百三十三", 133), ("一千零八十六", 1086), ("〇", 0), ("两", 2), ("廿三", 23), ("卅", 30), ("十二", 12), ("二十", 20),
    ("二〇二一", 2021), ("１２３", 123), ("3万", 30_000), ("1.5万", 15_000.0), ("1万2千", 12_000), ("一万零五", 10_005),
    ("一万五", 15_000), ("三百二", 320), ("一亿二千万", 120_000_000), ("壹佰贰拾叁", 123), ("三点五", 3.5),
    ("百分之五", 0.05), ("三分之一", 1 / 3), ("1,000", 1000), ("50,000.5", 50_000.5), ("1 000,50", 1000.5),
    ("двадцать один", 21), ("три тысячи двести", 3200), ("пятьсот тысяч", 500_000), ("1,5 млн", 1_500_000.0),
    ("twenty-one", 21), ("two hundred and five", 205), ("three thousand", 3000), ("1.5 million", 1_500_000.0),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), CASES)
def test_numbers_are_read(text: str, value: float) -> None:
    """Every way of writing gives the value."""
    assert parse_number(text) == pytest.approx(value)


@pytest.mark.parametrize(
    "text", ["", "法", "第", "一法", "abc", "двадцать стульев", "one horse", "分之", "点", "1-2", "一" * 200]
)
def test_no_number_is_none(text: str) -> None:
    """What is no number gives None, never zero."""
    assert parse_number(text) is None


@given(st.integers(min_value=0, max_value=99_999_999))
def test_chinese_numerals_are_read_as_written(number: int) -> None:
    """Reading undoes writing for every whole number below a hundred million."""
    assert parse_number(to_chinese(number)) == number


@given(st.text(alphabet="零一二两三十百千万亿点分之半12.,万 ", max_size=30))
def test_any_mixture_gives_a_number_or_none(text: str) -> None:
    """No mixture of numerals breaks the reading."""
    assert parse_number(text) is None or isinstance(parse_number(text), int | float)
