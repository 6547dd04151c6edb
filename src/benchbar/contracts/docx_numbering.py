"""The numbers that Word counts itself: they stand in no paragraph's text, and a contract without them cannot be cited."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchbar.language.numerals import to_chinese

_MAX_LEVEL = 9
_PLACE = re.compile(r"%([1-9])")
_ROMAN = (
    (1000, "m"),
    (900, "cm"),
    (500, "d"),
    (400, "cd"),
    (100, "c"),
    (90, "xc"),
    (50, "l"),
    (40, "xl"),
    (10, "x"),
    (9, "ix"),
    (5, "v"),
    (4, "iv"),
    (1, "i"),
)
_STEMS = "甲乙丙丁戊己庚辛壬癸"


@dataclass(frozen=True, slots=True)
class Level:
    """How one level of a list is counted and written."""

    format: str
    template: str
    start: int


def roman(number: int) -> str:
    """A number in small Roman numerals."""
    parts = []
    for value, letters in _ROMAN:
        count, number = divmod(number, value)
        parts.append(letters * count)
    return "".join(parts)


def letters(number: int) -> str:
    """Small letters from a to z, then aa, bb and so on, as Word continues."""
    return chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)


def circled(number: int) -> str:
    """① to ⑳, then plain digits."""
    return chr(0x2460 + number - 1) if 1 <= number <= 20 else str(number)  # noqa: PLR2004 - the characters end there


_WRITERS: dict[str, Callable[[int], str]] = {
    "lowerLetter": letters,
    "upperLetter": lambda number: letters(number).upper(),
    "lowerRoman": roman,
    "upperRoman": lambda number: roman(number).upper(),
    "chineseCounting": to_chinese,
    "chineseCountingThousand": to_chinese,
    "ideographDigital": to_chinese,
    "taiwaneseCountingThousand": to_chinese,
    "japaneseCounting": to_chinese,
    "ideographTraditional": lambda number: _STEMS[(number - 1) % 10],
    "decimalEnclosedCircle": circled,
    "decimalEnclosedCircleChinese": circled,
    "decimalZero": lambda number: f"{number:02d}",
}


class Numbering:
    """Counts the lists of one document, paragraph after paragraph."""

    def __init__(self, document: Any) -> None:
        """Read the list definitions; a document may have none."""
        self._definitions = _definitions(document)
        self._counters: dict[str, list[int]] = {}
        self._styles = _style_lists(document)

    def label(self, paragraph: Any) -> str:
        """The mark that Word shows before this paragraph, or an empty string."""
        placed = self._list_of(paragraph)
        if placed is None:
            return ""
        key, depth = placed
        levels = self._definitions.get(key)
        if not levels or depth not in levels:
            return ""
        counters = self._advance(key, depth, levels)
        if levels[depth].format == "bullet":
            return "•"
        return _PLACE.sub(lambda match: _written(levels, counters, int(match[1]) - 1), levels[depth].template).strip()

    def _list_of(self, paragraph: Any) -> tuple[str, int] | None:
        from docx.oxml.ns import qn

        properties = paragraph.find(f"{qn('w:pPr')}/{qn('w:numPr')}")
        if properties is None:
            style = paragraph.find(f"{qn('w:pPr')}/{qn('w:pStyle')}")
            return self._styles.get(style.get(qn("w:val"))) if style is not None else None
        return _number_properties(properties)

    def _advance(self, key: str, depth: int, levels: dict[int, Level]) -> list[int]:
        counters = self._counters.setdefault(key, [0] * _MAX_LEVEL)
        for index in range(depth):
            counters[index] = counters[index] or (levels[index].start if index in levels else 1)
        counters[depth] = counters[depth] + 1 if counters[depth] else levels[depth].start
        counters[depth + 1 :] = [0] * (_MAX_LEVEL - depth - 1)
        return counters


def _written(levels: dict[int, Level], counters: list[int], index: int) -> str:
    form = levels[index].format if index in levels else "decimal"
    number = counters[index]
    return _WRITERS.get(form, str)(number) if number > 0 else str(number)


def _number_properties(properties: Any) -> tuple[str, int] | None:
    from docx.oxml.ns import qn

    identity, depth = properties.find(qn("w:numId")), properties.find(qn("w:ilvl"))
    key = identity.get(qn("w:val")) if identity is not None else None
    level = depth.get(qn("w:val")) if depth is not None else "0"
    if key in (None, "0") or not level.isdigit() or int(level) >= _MAX_LEVEL:
        return None
    return key, int(level)


def _definitions(document: Any) -> dict[str, dict[int, Level]]:
    from docx.oxml.ns import qn

    root = _part(document, "numbering")
    if root is None:
        return {}
    abstract = {one.get(qn("w:abstractNumId")): _levels(one) for one in root.iter(qn("w:abstractNum"))}
    lists: dict[str, dict[int, Level]] = {}
    for one in root.iter(qn("w:num")):
        target = one.find(qn("w:abstractNumId"))
        levels = dict(abstract.get(target.get(qn("w:val")), {})) if target is not None else {}
        for override in one.iter(qn("w:lvlOverride")):
            levels.update(_levels(override))
        lists[one.get(qn("w:numId"))] = levels
    return lists


def _levels(node: Any) -> dict[int, Level]:
    from docx.oxml.ns import qn

    def value(level: Any, tag: str, default: str) -> str:
        found = level.find(qn(tag))
        return str(found.get(qn("w:val"), default)) if found is not None else default

    read = {}
    for level in node.iter(qn("w:lvl")):
        start = value(level, "w:start", "1")
        index = level.get(qn("w:ilvl"), "0")
        if index.isdigit():
            read[int(index)] = Level(
                value(level, "w:numFmt", "decimal"), value(level, "w:lvlText", ""), int(start) if start.isdigit() else 1
            )
    return read


def _style_lists(document: Any) -> dict[str, tuple[str, int]]:
    """Styles that carry a list, such as numbered headings."""
    from docx.oxml.ns import qn

    root = _part(document, "styles")
    lists = {}
    for style in root.iter(qn("w:style")) if root is not None else ():
        properties = style.find(f"{qn('w:pPr')}/{qn('w:numPr')}")
        placed = _number_properties(properties) if properties is not None else None
        if placed is not None:
            lists[style.get(qn("w:styleId"))] = placed
    return lists


def _part(document: Any, kind: str) -> Any:
    for relation in document.part.rels.values():
        if not relation.is_external and relation.reltype.endswith(f"/{kind}"):
            return relation.target_part.element
    return None
