"""The numbers that Word counts itself: they stand in no paragraph's text, and without them no article or clause can be cited.

Reads the elements of a DOCX (ISO/IEC 29500-1, 17.9), as lxml's or the standard library's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from benchbar.languages.numerals import to_chinese

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
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
    restart: int | None = None
    """The level (from 1) after which counting begins anew; 0 for never, None for any higher one."""
    arabic: bool = False
    """All numbers in the label are written in Arabic digits, as in 1.2 under 第一条."""


@dataclass(frozen=True, slots=True)
class List:
    """One use of a list definition: uses of the same definition go on counting, unless they say where to begin."""

    definition: str
    levels: dict[int, Level]
    begins: frozenset[int]
    """Levels whose count begins anew with this use."""


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
    # The characters end there.
    return chr(0x2460 + number - 1) if 1 <= number <= 20 else str(number)


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

    def __init__(self, numbering: Any, styles: Any) -> None:
        """Take the roots of the document's parts ``numbering`` and ``styles``; either may be None."""
        self._styles = _style_lists(styles)
        self._lists = _lists(numbering, self._styles)
        self._counters: dict[str, list[int]] = {}
        self._begun: set[str] = set()

    def label(self, paragraph: Any) -> str:
        """The mark that Word shows before this ``w:p`` element, or an empty string."""
        placed = self._list_of(paragraph)
        if placed is None:
            return ""
        key, depth = placed
        used = self._lists.get(key)
        if used is None or depth not in used.levels:
            return ""
        counters = self._advance(key, used, depth)
        level = used.levels[depth]
        if level.format == "bullet":
            return "•"
        return _PLACE.sub(
            lambda match: _written(used.levels, counters, int(match[1]) - 1, level), level.template
        ).strip()

    def _list_of(self, paragraph: Any) -> tuple[str, int] | None:
        properties = paragraph.find(f"{W}pPr/{W}numPr")
        if properties is None:
            style = paragraph.find(f"{W}pPr/{W}pStyle")
            return self._styles.get(style.get(f"{W}val")) if style is not None else None
        return _number_properties(properties)

    def _advance(self, key: str, used: List, depth: int) -> list[int]:
        counters = self._counters.setdefault(used.definition, [0] * _MAX_LEVEL)
        if key not in self._begun:
            self._begun.add(key)
            for index in used.begins:
                counters[index] = 0
        levels = used.levels
        for index in range(depth):
            counters[index] = counters[index] or (levels[index].start if index in levels else 1)
        counters[depth] = counters[depth] + 1 if counters[depth] else levels[depth].start
        for index in range(depth + 1, _MAX_LEVEL):
            after = levels[index].restart if index in levels else None
            if after is None or depth + 1 <= after:
                counters[index] = 0
        return counters


def _written(levels: dict[int, Level], counters: list[int], index: int, shown: Level) -> str:
    form = levels[index].format if index in levels and not shown.arabic else "decimal"
    number = counters[index]
    return _WRITERS.get(form, str)(number) if number > 0 else str(number)


def _number_properties(properties: Any) -> tuple[str, int] | None:
    key, level = _value(properties, "numId", ""), _value(properties, "ilvl", "0")
    if key in ("", "0") or not level.isdigit() or int(level) >= _MAX_LEVEL:
        return None
    return key, int(level)


def _lists(root: Any, styles: dict[str, tuple[str, int]]) -> dict[str, List]:
    if root is None:
        return {}
    definitions = {one.get(f"{W}abstractNumId"): one for one in root.iter(f"{W}abstractNum")}
    uses = {one.get(f"{W}numId"): one for one in root.iter(f"{W}num")}
    found = {}
    for key, one in uses.items():
        name = _value(one, "abstractNumId", "")
        link = _value(definitions[name], "numStyleLink", "") if name in definitions else ""
        if link in styles and styles[link][0] in uses:
            name = _value(uses[styles[link][0]], "abstractNumId", "")
        levels = dict(_levels(definitions[name])) if name in definitions else {}
        found[key] = _overridden(one, List(name, levels, frozenset()))
    return found


def _overridden(use: Any, plain: List) -> List:
    levels, begins = dict(plain.levels), set()
    for override in use.iter(f"{W}lvlOverride"):
        levels.update(_levels(override))
        index, start = override.get(f"{W}ilvl", ""), _value(override, "startOverride", "")
        if index.isdigit() and int(index) < _MAX_LEVEL and start.isdigit():
            begins.add(int(index))
            if int(index) in levels:
                levels[int(index)] = replace(levels[int(index)], start=int(start))
    return List(plain.definition, levels, frozenset(begins))


def _levels(node: Any) -> Iterator[tuple[int, Level]]:
    for level in node.iter(f"{W}lvl"):
        index, start, restart = level.get(f"{W}ilvl", "0"), _value(level, "start", "1"), _value(level, "lvlRestart", "")
        if index.isdigit() and int(index) < _MAX_LEVEL:
            yield (
                int(index),
                Level(
                    _value(level, "numFmt", "decimal"),
                    _value(level, "lvlText", ""),
                    int(start) if start.isdigit() else 1,
                    int(restart) if restart.isdigit() else None,
                    level.find(f"{W}isLgl") is not None and _value(level, "isLgl", "1") not in {"0", "false", "off"},
                ),
            )


def _value(node: Any, tag: str, default: str) -> str:
    found = node.find(f"{W}{tag}")
    return str(found.get(f"{W}val", default)) if found is not None else default


def _style_lists(root: Any) -> dict[str, tuple[str, int]]:
    """Styles that carry a list, such as numbered headings, and those that are based on one."""
    own, based = {}, {}
    for style in root.iter(f"{W}style") if root is not None else ():
        key, properties = style.get(f"{W}styleId"), style.find(f"{W}pPr/{W}numPr")
        based[key] = _value(style, "basedOn", "")
        if properties is not None:
            own[key] = _number_properties(properties)
    lists = {}
    for key in based:
        seen, at = set(), key
        while at in based and at not in own and at not in seen:
            seen.add(at)
            at = based[at]
        placed = own.get(at)
        if placed is not None:
            lists[key] = placed
    return lists
