"""The parts of an article that a Chinese citation names: 款 and 项, single and in lists."""

from __future__ import annotations

import re
from dataclasses import dataclass

from benchbar.languages.numerals import ZH_CHARACTERS, parse_number

NUMERAL = rf"(?:[0-9０-９]{{1,4}}|[{ZH_CHARACTERS}]{{1,10}})"
"""A numeral of an article, paragraph or item, as a pattern."""
_BRACKET = r"[（(〔\[【]"
_PARAGRAPH = re.compile(rf"第?\s?({NUMERAL}(?:[、，,和及与或至]{NUMERAL}){{0,8}})\s?款")
_ITEM = re.compile(
    rf"第?\s?((?:{_BRACKET}\s?{NUMERAL}\s?[)）]|{NUMERAL})(?:\s?[、，,和及与或至]\s?第?(?:{_BRACKET}{NUMERAL}[)）]|{NUMERAL})){{0,12}})\s?项"
)
_JOINT = re.compile(r"\s?(?:[、，,和及与或的至到]|以及|之)?\s?(?=第|[（(])")


@dataclass(frozen=True, slots=True)
class Part:
    """A paragraph, an item, or an item of a paragraph, and where it stands."""

    paragraph: str
    item: str
    start: int
    end: int


def parts_behind(text: str, end: int) -> list[Part]:
    """The parts that stand right behind an article, one for each of a list; a paragraph before items is no part of its own."""
    parts: list[Part] = []
    paragraph = ""
    while True:
        # Separators count only after a first part, a space or 的: else the comma begins the next clause.
        loose = parts or text[end : end + 1].isspace() or text[end : end + 1] == "的"
        joint = _JOINT.match(text, end) if loose else None
        at = joint.end() if joint else end
        if found := _PARAGRAPH.match(text, at):
            values = _all_digits(found[1])
            paragraph = values[-1] if values else ""
            parts += [Part(value, "", found.start(), found.end()) for value in values]
        elif found := _ITEM.match(text, at):
            # 第一款第二项: the paragraph is where the item stands, and no citation of its own.
            if paragraph and parts and parts[-1].paragraph == paragraph and not parts[-1].item:
                parts.pop()
            parts += [Part(paragraph, value, found.start(), found.end()) for value in _all_digits(found[1])]
        else:
            return parts
        end = found.end()


def digits(numeral: str) -> str:
    """The numeral in digits; empty where it is none, or zero."""
    value = parse_number(numeral)
    return str(int(value)) if value else ""


def _all_digits(listed: str) -> list[str]:
    return [value for value in map(digits, re.findall(NUMERAL, listed)) if value]
