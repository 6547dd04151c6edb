"""Amounts, durations, percentages and counts found in running text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from benchbar.languages.numerals import ZH_CHARACTERS, digits_of, parse_number
from benchbar.languages.text import folded
from benchbar.languages.words import EN_NUMBER_WORDS, RU_NUMBER_WORDS

# Every repetition is bounded, so that a page of digits costs no more than a page of words.
_ZH = (
    rf"(?<![{ZH_CHARACTERS}\d.])"
    r"(?:\d[\d,，]{0,15}(?:\.\d{1,6})?[十百千万亿]{0,3}(?:\d{1,4}[千百])?"
    rf"|[{ZH_CHARACTERS}]{{1,16}}(?:点[{ZH_CHARACTERS}]{{1,6}})?)"
)
_RU_WORDS = "|".join(RU_NUMBER_WORDS)
_RU_SCALE = r"(?:тыс\.?|млн\.?|млрд\.?|тысяч\w?|миллион\w{0,2}|миллиард\w{0,2})"
_RU = (
    rf"(?<![\d,])(?:\d[\d\u00a0\u202f ]{{0,18}}(?:,\d{{1,4}})?(?:\s?{_RU_SCALE})?"
    rf"|\b(?:(?:{_RU_WORDS}|{_RU_SCALE})(?:\s|\b)){{1,8}})"
)
_EN_WORDS = "|".join(EN_NUMBER_WORDS)
_EN = (
    rf"(?<![\d.,])(?:\d[\d,]{{0,15}}(?:\.\d{{1,6}})?(?:\s(?:thousand|million|billion))?"
    rf"|\b(?:{_EN_WORDS})(?:(?:\sand\s|[\s-])(?:{_EN_WORDS})){{0,8}}\b)"
)
_ARABIC = r"(?<![\d.,])(\d[\d,]{0,15}(?:\.\d{1,6})?)"


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit: yuan, rouble, dollar, month, day, percent, permille, times or point."""

    start: int
    end: int
    value: float
    unit: str
    text: str


_FORMS: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (("百分之",), rf"百分之([\d.]{{1,8}}|[{ZH_CHARACTERS}点]{{1,10}})", "percent"),
    (("千分之",), rf"千分之([\d.]{{1,8}}|[{ZH_CHARACTERS}点]{{1,10}})", "permille"),
    (("元", "圆", "块"), rf"({_ZH})\s?(?:多|余)?(?:元|圆|块)", "yuan"),
    (("人民币", "rmb", "cny", "¥", "￥"), rf"(?:人民币|RMB|CNY|[¥￥])\s?({_ZH})(?:元|圆)?", "yuan"),
    (("倍",), rf"({_ZH})\s?倍", "times"),
    (("分",), rf"({_ZH})\s?分(?![之钟公别])", "point"),
    (("日", "天"), rf"(?<!月)({_ZH})\s?个?(?:日|天)", "day"),
    (("周", "星期"), rf"({_ZH})\s?个?(?:周|星期)(?![岁年一二三四五六日天期])", "week"),
    (("年",), rf"({_ZH})\s?(?:年)(?![级度代龄月前后底初末]|\s?\d{{1,2}}\s?月)", "year"),
    (("月",), rf"({_ZH})\s?[个個箇]月", "month"),
    (("yuan", "rmb", "cny", "renminbi"), rf"({_EN})\s?(?:yuan|RMB|CNY|renminbi)\b", "yuan"),
    (("$", "usd"), rf"(?:US\$|\$|USD)\s?({_EN})", "dollar"),
    (("dollar", "usd"), rf"({_EN})\s?(?:dollars?|USD)\b", "dollar"),
    (("£", "gbp"), rf"(?:£|GBP)\s?({_EN})", "pound"),
    (("€", "eur"), rf"(?:€|EUR)\s?({_EN})", "euro"),
    (("euro", "eur", "€"), rf"({_EN})\s?(?:euros?|EUR|€)(?!\w)", "euro"),
    (("cent",), rf"({_EN})\s?(?:per\s?cent|percent)\b", "percent"),
    (("day",), rf"({_EN})[\s-]?days?\b", "day"),
    (("week", "wk"), rf"({_EN})[\s-]?(?:weeks?|wks?)\b", "week"),
    (("point",), rf"({_EN})[\s-](?:penalty\s|demerit\s)?points?\b", "point"),
    (("month", "mth", "mos."), rf"({_EN})[\s-]?(?:months?|mths?\b\.?|mos\.)(?!\w)", "month"),
    (("year", "yr"), rf"({_EN})[\s-]?(?:years?|yrs?)\b", "year"),
    (("руб", "₽"), rf"({_RU})\s?(?:руб(?:л\w{{0,3}}|\.)?(?!\w)|₽)", "rouble"),
    (("процент",), rf"({_RU})\s?процент", "percent"),
    (
        ("дн", "день", "сут"),
        rf"({_RU})\s?(?:календарн\w{{2}}\s|рабочи\w\s)?(?:дн(?:ей|я)|день|сут(?:ок|ки))\b",
        "day",
    ),
    (("недел",), rf"({_RU})\s?недел", "week"),
    (("месяц", "мес."), rf"({_RU})\s?(?:месяц|мес\.)", "month"),
    (("год", "лет"), rf"({_RU})\s?(?:год(?:а|у|ом)?|лет)\b", "year"),
    (("%", "％"), rf"{_ARABIC}\s?[%％]", "percent"),
    (("‰",), rf"{_ARABIC}\s?‰", "permille"),
)
"""What to look for first, in lower case, the form itself, and its unit: a form is compiled when a text first needs it."""
_ALL_WORDS = {word for words, _, _ in _FORMS for word in words}
_WORDS = {first: {word for word in _ALL_WORDS if word[0] == first} for first in {word[0] for word in _ALL_WORDS}}
"""By their first character."""
_BETWEEN = re.compile(r"\s{0,2}(?:零|又|,|и|and|, and)?\s{0,2}")
_HALF = re.compile(r"半(?!数|价)")
_HALVES = re.compile(r"半(?:年|个月)|\bполу?года\b", re.IGNORECASE)
_DAYS_A_WEEK = 7
_FIRST_CALENDAR_YEAR = 1500
PATTERNS = (*(form for _, form, _ in _FORMS), _BETWEEN.pattern, _HALF.pattern, _HALVES.pattern)
"""Whatever a quantity holds, one of them has matched."""


def quantities(text: str) -> tuple[Quantity, ...]:
    """The numbers with units in a text, in order and without overlap; years and months are joined into months, weeks are days.

    ``有期徒刑一年二个月`` gives 14 months, ``半年`` and ``полгода`` 6, ``3 года 6 месяцев`` 42, ``2 weeks`` 14 days; the 2023 of
    ``2023年3月`` is a date and gives nothing. Time grows linearly with the text.
    """
    # The forms are those of the root language; what is found is as the text has it.
    found = sorted(_readable(text, folded(text)), key=lambda one: (one.start, -one.end))
    apart: list[Quantity] = []
    for one in found:
        if not apart or one.start >= apart[-1].end:
            apart.append(one)
    return tuple(_durations(text, apart))


def _readable(text: str, plain: str) -> Iterator[Quantity]:
    lower = plain.casefold()
    there = {word for first in _WORDS.keys() & set(lower) for word in _WORDS[first] if word in lower}
    if not there:
        return
    for words, form, unit in _FORMS:
        if there.isdisjoint(words):
            continue
        for match in _compiled(form).finditer(plain):
            value = parse_number(match[1].strip().strip(",，"))
            if value is None or (unit == "year" and value >= _FIRST_CALENDAR_YEAR):
                continue
            yield Quantity(match.start(), match.end(), float(value), unit, text[match.start() : match.end()])
    for match in _HALVES.finditer(plain):
        if match.start() and plain[match.start() - 1] in "年月":
            continue
        yield Quantity(
            match.start(),
            match.end(),
            0.5,
            "month" if match[0] == "半个月" else "year",
            text[match.start() : match.end()],
        )


@cache
def _compiled(form: str) -> re.Pattern[str]:
    return re.compile(form, re.IGNORECASE)


def _durations(text: str, found: list[Quantity]) -> Iterator[Quantity]:
    """Years become months, a half after them six more, and the months that follow are added."""
    index = 0
    while index < len(found):
        one = found[index]
        index += 1
        if one.unit == "week":
            one = Quantity(one.start, one.end, one.value * _DAYS_A_WEEK, "day", one.text)
        if one.unit not in {"year", "month"}:
            yield one
            continue
        months, end = one.value * (12 if one.unit == "year" else 1), one.end
        if half := _HALF.match(text, end):
            months, end = months + (6 if one.unit == "year" else 0.5), half.end()
        if one.unit == "year" and index < len(found) and found[index].unit == "month":
            following = found[index]
            if _BETWEEN.fullmatch(text[end : following.start]):
                months, end = months + following.value, following.end
                index += 1
        yield Quantity(one.start, end, months, "month", text[one.start : end])


_ANY_NUMBER = re.compile(rf"\d[\d,]{{0,15}}(?:\.\d{{1,6}})?|[{ZH_CHARACTERS}]{{1,16}}")


def numbers_of(text: str) -> tuple[float, ...]:
    """Every number in a text, with or without a unit, in order: what a quotation must not change."""
    values = (parse_number(match[0].strip(",")) for match in _ANY_NUMBER.finditer(digits_of(text)))
    return tuple(float(value) for value in values if value is not None)
