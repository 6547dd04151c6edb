"""The marks that number a contract: 第一条, 一、, 1.1, （一）, Статья 5, п. 2.3, Article IV, Section 2(b)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from benchbar.languages.numerals import parse_chinese
from benchbar.languages.text import folded

ZH = "零〇一二三四五六七八九十百千两\\d０-９"
CHAPTER, PART, ARTICLE, ENUMERATED, DECIMAL, ITEM = 0, 1, 10, 15, 20, 90
"""Ranks, outermost first; each dot of a decimal adds one."""

_WORD = {
    "编": CHAPTER, "章": CHAPTER, "部": CHAPTER, "节": PART, "条": ARTICLE,
    "chapter": CHAPTER, "part": CHAPTER, "article": ARTICLE, "section": ARTICLE, "clause": ARTICLE,
    "глава": CHAPTER, "раздел": CHAPTER, "часть": PART, "статья": ARTICLE, "пункт": ARTICLE, "п": ARTICLE, "§": ARTICLE,
}  # fmt: skip
_ROMAN_DIGITS = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}

# Every repetition is bounded, so that a match costs the same on any line.
_FORMS = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        ("zh", rf"第\s?(?P<n>[{ZH}]{{1,9}})\s?(?P<w>[编章部节条])(?:之(?P<sub>[{ZH}]{{1,3}}))?[\s:：、.．]{{0,3}}"),
        ("word", r"(?P<w>chapter|part|article|section|clause|глава|раздел|статья|пункт)\s{1,3}(?P<n>\d{1,3}(?:\.\d{1,3}){0,4}|[ivxlc]{1,7})\b[.:)\s]{0,3}"),
        ("word", r"(?P<w>§|п\.)\s?(?P<n>\d{1,3}(?:\.\d{1,3}){0,4})\b[.:)\s]{0,3}"),
        ("enumerated", r"(?P<n>[一二三四五六七八九十]{1,3})\s?、\s{0,3}"),
        ("decimal", r"(?P<n>\d{1,3}(?:[.．]\d{1,3}){1,4})(?![\d%％])(?!\s{0,2}(?:[倍元万亿度米]|[./年]\d))[.．、)\s]{0,3}"),
        ("single", r"(?P<n>\d{1,3})(?:[.．](?!\d)|、)\s{0,3}"),
        ("roman", r"(?P<n>(?-i:[IVX]{1,5}))[.、]\s{1,3}"),
        ("item", r"[（(]\s?(?P<n>[一二三四五六七八九十]{1,3}|\d{1,2}|[a-zа-я]|[ivx]{1,5})\s?[)）]\s{0,3}"),
        ("item", r"(?P<n>\d{1,2}|[a-zа-я])[)）]\s{0,3}"),
        ("item", r"(?P<n>[①-⑳])\s{0,3}"),
        ("item", r"(?P<n>[•·●▪–—-])\s{1,3}"),
    )
)  # fmt: skip
_ANNEX = re.compile(
    rf"(?:附件|附录|补充协议|Приложение|Annex|Appendix|Schedule|Exhibit)\s{{0,2}}(?:№\s?)?(?P<n>[{ZH}]{{1,3}}|[A-H]\b|[IVX]{{1,4}}\b)?[\s:：.、]{{0,3}}",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Mark:
    """A numbering mark at the start of a paragraph."""

    text: str
    """As it stands, without the space after it."""
    number: str
    """In plain digits: ``5``, ``3.2``; letters of items as they are."""
    rank: int
    end: int
    """Characters it takes up, the space after it included."""

    @property
    def is_item(self) -> bool:
        """Whether it numbers a member of a list inside a clause."""
        return self.rank >= ITEM


def read_mark(text: str) -> Mark | None:
    """The mark that a paragraph begins with, or None."""
    start = len(text) - len(text.lstrip())
    for name, form in _FORMS:
        match = form.match(folded(text), start)
        if match:
            mark = _mark(name, match)
            return replace(mark, text=text[start : start + len(mark.text)])
    return None


def number_blanked(text: str) -> str:
    """A clause with its own number blanked, every character in its place: where it stands in its contract says nothing of it."""
    mark = read_mark(text)
    return " " * mark.end + text[mark.end :] if mark and not mark.is_item else text


def read_annex(text: str) -> Mark | None:
    """The mark of an annex (附件一, Приложение № 1, Schedule A) that a paragraph begins with, or None."""
    start = len(text) - len(text.lstrip())
    match = _ANNEX.match(folded(text), start)
    if match is None:
        return None
    return Mark(match[0].strip(" :：.、"), plain_number(match["n"] or "1"), CHAPTER, match.end())


def _mark(name: str, match: re.Match[str]) -> Mark:
    groups = match.groupdict()
    number = plain_number(groups["n"])
    rank = {"enumerated": ENUMERATED, "single": DECIMAL, "roman": PART, "item": ITEM}.get(name, DECIMAL)
    if groups.get("w"):
        rank = _WORD[groups["w"].lower().rstrip(".")]
    if groups.get("sub"):
        number = f"{number}-{plain_number(groups['sub'])}"
    if name != "item":
        rank += number.count(".")
    return Mark(match[0].strip().rstrip(":："), number, rank, match.end())


def plain_number(text: str) -> str:
    """A number of any script in plain digits: 十二 and XII are ``12``, ``3．2`` is ``3.2``; letters stay."""
    text = text.strip().lower().replace("．", ".")
    value = parse_chinese(text)
    if value is not None:
        return str(value)
    if text and all(char in _ROMAN_DIGITS for char in text):
        return str(_from_roman(text))
    return text.translate({0xFF10 + digit: str(digit) for digit in range(10)})


def _from_roman(text: str) -> int:
    values = [_ROMAN_DIGITS[char] for char in text]
    following = [*values[1:], 0]
    return sum(-value if value < after else value for value, after in zip(values, following, strict=True))
