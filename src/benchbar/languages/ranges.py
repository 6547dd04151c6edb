"""Quantities and the ranges they form: 12-19个月, 3 to 5 days, от 3 до 5 лет."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from benchbar.languages.numerals import parse_number
from benchbar.languages.quantities import PATTERNS, Quantity, quantities
from benchbar.languages.text import folded
from benchbar.languages.words import EN_NUMBER_WORDS, RU_NUMBER_WORDS

_NUMBER = (
    r"\d[\d,]{0,15}(?:\.\d{1,6})?|[零〇一二两三四五六七八九十百千万亿]{1,16}"
    rf"|\b(?:{'|'.join((*RU_NUMBER_WORDS, *EN_NUMBER_WORDS))})(?:-[a-z]{{3,5}})?"
)
_LOWER = rf"(?:(?<![\d.])({_NUMBER})\s{{0,2}}(?:[-–—~～]{{1,2}}|至|到|(?:up\s)?to|до)|\b(?:between|между)\s({_NUMBER})\s(?:and|и))\s{{0,2}}$"
_LAST = (*"-–—~～至到и", "to", "до", "and")
"""What a lower bound ends with."""
_JOINS = re.compile(r"\s{0,2}(?:[-–—~～]{1,2}|以上|至|到|(?:up )?to|до|and|и)\s{0,2}(?:以下)?\s{0,2}")
_LOOK_BACK = 24
# Not by a pattern: one over all Chinese characters takes longer to compile than this to count.
HAN = "".join(sorted({one for one in "".join((*PATTERNS, _LOWER, _JOINS.pattern)) if "\u3400" <= one <= "\u9fff"}))
"""The Chinese characters that a quantity or a range may hold; an item full of others is none."""


@dataclass(frozen=True, slots=True)
class QuantityRange:
    """A quantity with unit from ``low`` to ``high``, both the same for a single one; offsets in the text."""

    start: int
    end: int
    low: float
    high: float
    unit: str


def quantity_ranges(text: str) -> tuple[QuantityRange, ...]:
    """The quantities of a text in order, those that bound a range joined into it."""
    found: list[QuantityRange] = []
    for one in quantities(text):
        joined = _joined(text, found[-1], one) if found else None
        if joined:
            found[-1] = joined
        else:
            found.append(_with_lower_bound(text, one))
    return tuple(found)


def _joined(text: str, before: QuantityRange, one: Quantity) -> QuantityRange | None:
    between = text[before.end : one.start]
    same = before.unit == one.unit and before.low == before.high <= one.value
    if same and _JOINS.fullmatch(folded(between)):
        return QuantityRange(before.start, one.end, before.low, one.value, one.unit)
    return None


def _with_lower_bound(text: str, one: Quantity) -> QuantityRange:
    before = folded(text[max(0, one.start - _LOOK_BACK) : one.start])
    # Few numbers have a bound before them, and to see that none is there costs the pattern a search at every place.
    if before.rstrip().lower().endswith(_LAST) and (lower := _lower().search(before)):
        low = parse_number((lower[1] or lower[2]).strip(","))
        scaled = None if low is None else low * _scale(one, float(low))
        if scaled is not None and scaled <= one.value:
            return QuantityRange(one.start - len(lower[0]), one.end, scaled, one.value, one.unit)
    return QuantityRange(one.start, one.end, one.value, one.value, one.unit)


@cache
def _lower() -> re.Pattern[str]:
    return re.compile(_LOWER, re.IGNORECASE)


def _scale(one: Quantity, low: float) -> float:
    """What the bare lower bound has to be multiplied by: 6 of ``6至9年`` are years, 2 of ``2至3万元`` ten thousands."""
    plain = folded(one.text)
    if one.unit == "month" and _YEARS.search(plain):
        return 12
    if one.unit == "day" and _WEEKS.search(plain):
        return 7
    scales = (value for word, value in _SCALES if re.search(word, plain))
    return next((value for value in scales if low < value <= one.value), 1)


_WEEKS = re.compile("周|星期|weeks?|wks?|недел", re.IGNORECASE)
_YEARS = re.compile("年|years?|год|лет", re.IGNORECASE)
_SCALES = (
    ("亿", 10**8),
    ("млрд|миллиард|billion", 10**9),
    ("млн|миллион|million", 10**6),
    ("万", 10**4),
    ("тыс|thousand|(?<=[0-9])k", 10**3),
)
