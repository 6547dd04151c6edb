"""Quantities and the ranges they form: 12-19个月, 3 to 5 days, от 3 до 5 лет."""

from __future__ import annotations

import re
from dataclasses import dataclass

from benchbar.languages.numerals import parse_number
from benchbar.languages.quantities import PATTERNS, Quantity, quantities
from benchbar.languages.text import folded

_LOWER = re.compile(
    r"(?<![\d.])(\d[\d,]{0,15}(?:\.\d{1,6})?|[零〇一二两三四五六七八九十百千万亿]{1,16})\s{0,2}(?:[-–—~～]{1,2}|至|到|to|до)\s{0,2}$"
)
_JOINS = re.compile(r"\s{0,2}(?:[-–—~～]{1,2}|以上|至|到|to|до|and|и)\s{0,2}(?:以下)?\s{0,2}")
_LOOK_BACK = 24
HAN = "".join(sorted(set(re.findall("[\u3400-\u9fff]", "".join((*PATTERNS, _LOWER.pattern, _JOINS.pattern))))))
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
    if lower := _LOWER.search(folded(text[max(0, one.start - _LOOK_BACK) : one.start])):
        low = parse_number(lower[1].strip(","))
        if low is not None and low <= one.value:
            return QuantityRange(one.start - len(lower[0]), one.end, float(low), one.value, one.unit)
    return QuantityRange(one.start, one.end, one.value, one.value, one.unit)
