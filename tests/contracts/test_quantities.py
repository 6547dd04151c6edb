"""Rates, interest in 分 and 厘, and periods between two dates are read into one unit each, however they are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.contracts.limits import find_limits
from benchbar.contracts.quantities import quantity_form, read_quantity

RATES = (
    ("zh", "千分之五", 0.5), ("zh", "万分之四", 0.04), ("zh", "百分之零点六", 0.6), ("zh", "3‰", 0.3), ("zh", "百分之二十", 20.0),
    ("ru", "1‰", 0.1), ("ru", "12 промилле", 1.2), ("ru", "0,5 процента", 0.5), ("ru", "одну десятую процента", 0.1),
    ("ru", "5 (пять) %", 5.0), ("ru", "полпроцента", 0.5), ("ru", "два процента", 2.0),
    ("en", "5‰", 0.5), ("en", "0.4%", 0.4), ("en", "ten percent", 10.0), ("en", "one half of one percent", 0.5),
    ("en", "ten percent (10%)", 10.0), ("en", "one and a half per cent", 1.5), ("en", "half a percent", 0.5),
)  # fmt: skip


@pytest.mark.parametrize(("language", "written", "percent"), RATES)
def test_a_rate_is_read_as_percent(language, written, percent):
    """Per mille, parts of ten thousand, fractions and words, found by the placeholder and read."""
    found = quantity_form("<rate>", language).search(f" {written} ")
    assert found is not None
    read = read_quantity(found[0])
    assert read is not None
    assert read.value == pytest.approx(percent)


@given(st.integers(1, 999))
def test_per_mille_is_a_tenth_of_percent_in_every_language(number):
    """The same number means a tenth with ‰ of what it means with %."""
    for sign in ("‰", " промилле", " per mille"):
        read, hundredth = read_quantity(f"{number}{sign}"), read_quantity(f"{number}%")
        assert read is not None
        assert hundredth is not None
        assert read.value == pytest.approx(hundredth.value / 10)


@pytest.mark.parametrize(("written", "percent"), [("三分", 3.0), ("八厘", 0.8), ("一分五厘", 1.5)])
def test_chinese_interest_by_the_month(written, percent):
    """分 is one percent and 厘 a tenth."""
    read = read_quantity(written)
    assert read is not None
    assert read.value == pytest.approx(percent)


BEYOND = (
    ("zh", "试用期自2025年3月1日起至2025年11月30日止。", "zh-probation-dates"),
    ("zh", "租赁期限自2025年7月1日起至2047年6月30日止。", "zh-lease-dates"),
    ("ru", "Трудовой договор заключается на срок с 01.02.2025 по 01.02.2031.", "ru-fixed-term-dates"),
    ("ru", "Срок найма жилого помещения: с 1 июля 2025 г. по 30 июня 2032 г.", "ru-lease-dwelling-dates"),
    ("zh", "双方约定月息五分。", "zh-interest-month"),
    ("zh", "借款日利率为千分之四。", "zh-interest-day"),
    ("zh", "逾期付款的，每日按未付金额的千分之五支付违约金。", "zh-late-charge-day"),
    ("zh", "甲方提前三日通知即可解除合同。", "zh-ending-notice"),
    ("ru", "Испытание с 1 марта 2025 года по 30 ноября 2025 года.", "ru-probation-dates"),
    ("ru", "За просрочку уплачивается пеня 10‰ от долга за каждый день.", "ru-late-charge-day"),
    ("ru", "В течение семи лет исполнитель не вправе создавать схожие продукты.", "ru-restraint-years"),
    ("en", "Overdue sums bear interest of 0.5% per day.", "en-late-charge-day"),
    ("en", "Interest on the loan is 0.4% per day.", "en-interest-day"),
    ("en", "The probation runs from 1 March 2025 to 28 February 2026.", "en-probation-dates"),
    ("en", "The Client may terminate on three days' notice.", "en-ending-notice"),
)
WITHIN = (
    ("zh", "试用期自2025年3月1日起至2025年8月31日止。"),
    ("zh", "租赁期限自2025年7月1日起至2045年6月30日止。"),
    ("zh", "该房屋自2001年1月1日起至2024年6月1日止由他人使用，租赁期限为三年。"),
    ("ru", "Договор найма жилого помещения заключён на срок с 01.02.2025 по 31.01.2030."),
    ("zh", "双方约定月息八厘。"),
    ("zh", "逾期付款的，每日按未付金额的千分之三支付违约金，累计不超过百分之五。"),
    ("zh", "甲方提前三十日通知可以解除合同。"),
    ("ru", "Испытание с 1 марта 2025 года по 31 мая 2025 года."),
    ("ru", "За просрочку уплачивается пеня 1‰ от долга за каждый день."),
    ("en", "Overdue sums bear interest of 0.02% per day."),
    ("en", "The probation runs from 1 March 2025 to 31 May 2025."),
    ("en", "Either party may terminate on three days' notice."),
)


@pytest.mark.parametrize(("language", "text", "limit"), BEYOND)
def test_what_was_given_in_another_form_is_held_against_its_bound(language, text, limit):
    """Per mille, by the day, by dates, in years of restraint, in days of notice."""
    assert limit in [one.limit.id for one in find_limits(text, language, "2025-06-01") if one.beyond]


@pytest.mark.parametrize(("language", "text"), WITHIN)
def test_within_its_bound_nothing_is_accused(language, text):
    """The same forms within the bound, or with a bound of their own."""
    assert [one.limit.id for one in find_limits(text, language, "2025-06-01") if one.beyond] == []
