"""Paragraphs, items and ranges of a citation, held against the articles of an edition."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from benchbar.languages.numerals import to_chinese
from benchbar.law.citations import grammar
from benchbar.law.mention import Mention
from benchbar.records import Article

# （一） and 1. begin items: they are lines, but no paragraphs.
ITEM_LINE = re.compile(r"^[（(][一二三四五六七八九十百]{1,4}[)）]|^[（(]\d{1,2}[)）]|^\d{1,2}[.．、]")
_CHINESE_ITEM = re.compile(r"[（(]([一二三四五六七八九十百]{1,4})[)）]")
NUMBERED_LINE = re.compile(r"(\d+(?:\.\d+)*)[.)]?\s")
_INDENT = re.compile(r"\bабз")
_ITEM_IN_LINES = re.compile(r"(?:^|\n)\s?(?:(\d+(?:\.\d+)*)\)|([а-я])\))")


class Found(StrEnum):
    """What the text of an article says about the parts that were cited."""

    THERE = "there"
    MISSING = "missing"
    UNKNOWN = "unknown"
    """The text does not show parts of this kind."""


class Pinpoint(NamedTuple):
    """Whether the cited parts stand in an article, and why not, in words for the reader."""

    found: Found
    reason: str = ""
    part: str = ""
    """The part that could not be checked: ``paragraph`` or ``item``."""


def pinpoint(article: Article, mention: Mention) -> Pinpoint:
    """Whether the cited paragraph and item stand in an article."""
    if not (mention.paragraph or mention.item):
        return Pinpoint(Found.THERE)
    kind = grammar(mention.language).PARAGRAPHS
    if kind == "lines":
        return _in_lines(article, mention)
    found = _in_numbers(article, mention) if kind == "numbers" else _in_brackets(article, mention)
    if mention.below and found.found is Found.THERE and not _shows(article.text, mention):
        return Pinpoint(Found.UNKNOWN, f"({mention.below}) could not be found in the text at hand", "item")
    return found


def _shows(text: str, mention: Mention) -> bool:
    """Whether a part below the item stands behind the item's own mark: 6) … а) …, (a) … (ii) …."""
    items = (found.end() for found in re.finditer(rf"(?:^|\n|\s|\()«?{re.escape(mention.item)}»?[).]\s?", text))
    marked = re.compile(rf"(?:^|[\s(]){re.escape(mention.below)}[).]")
    indent = _INDENT.search(mention.text) is not None
    return indent or any(marked.search(text, begin) for begin in items)


def paragraphs_of(text: str) -> list[str]:
    """The paragraphs of a Chinese article, each with the items that follow it."""
    blocks: list[str] = []
    for line in text.splitlines():
        if blocks and ITEM_LINE.match(line):
            blocks[-1] += "\n" + line
        elif line.strip():
            blocks.append(line)
    return blocks


def _in_lines(article: Article, mention: Mention) -> Pinpoint:
    blocks = paragraphs_of(article.text)
    if mention.paragraph.isdecimal():
        number = int(mention.paragraph)
        if not blocks:
            return Pinpoint(Found.UNKNOWN, "the article has no text", "paragraph")
        if number > len(blocks):
            return Pinpoint(Found.MISSING, _count(len(blocks), "paragraph"), "paragraph")
        blocks = blocks[number - 1 : number]
    if not mention.item.isdecimal():
        return Pinpoint(Found.THERE)
    wanted = int(mention.item)
    shown = {found for block in blocks for found in _CHINESE_ITEM.findall(block)}
    # Texts number their items in one way or in another: only marks of the usual kind can say that one is missing.
    if to_chinese(wanted) in shown:
        return Pinpoint(Found.THERE)
    if not shown:
        return Pinpoint(Found.UNKNOWN, "the text shows no items there", "item")
    return Pinpoint(Found.MISSING, f"there is no item （{to_chinese(wanted)}）", "item")


def _in_numbers(article: Article, mention: Mention) -> Pinpoint:
    lines = [line for line in article.text.splitlines() if line.strip()]
    part = _unnumbered_part(lines, mention.paragraph)
    if mention.item and mention.item in _items(part):
        return Pinpoint(Found.THERE)
    if re.fullmatch(r"\d+(?:\.\d+)*", mention.paragraph):
        numbered = {found[1]: at for at, line in enumerate(lines) if (found := NUMBERED_LINE.match(line))}
        # An article that shows no numbers may still have parts.
        if not numbered:
            # Its only part is the article itself, by the custom of counting an unnumbered text as the first part.
            plain = mention.paragraph == "1" and not mention.item
            return Pinpoint(Found.THERE if plain else Found.UNKNOWN, "the text shows no numbered parts", "paragraph")
        if mention.paragraph not in numbered:
            return Pinpoint(Found.MISSING, f"the article has no part {mention.paragraph}", "paragraph")
        begin = numbered[mention.paragraph]
        end = min((at for at in numbered.values() if at > begin), default=len(lines))
        lines = lines[begin:end]
    if not mention.item:
        return Pinpoint(Found.THERE)
    # An indent (абзац) is a line of its part, whatever it begins with.
    if mention.item in _items(lines) or (
        _INDENT.search(mention.text) and mention.item.isdecimal() and int(mention.item) <= len(lines)
    ):
        return Pinpoint(Found.THERE)
    return Pinpoint(Found.UNKNOWN, f"item {mention.item} could not be found in the text at hand", "item")


def _items(lines: Sequence[str]) -> set[str]:
    """The numbers and letters that items of these lines begin with."""
    return {number or letter for number, letter in _ITEM_IN_LINES.findall("\n".join(lines))}


def _unnumbered_part(lines: Sequence[str], wanted: str) -> list[str]:
    """The lines of a part of an article whose parts bear no numbers (ст. 81 ТК РФ): what is numbered ``1)`` are its items.

    Empty where its parts are numbered, or none of that number is there.
    """
    if not wanted.isdecimal() or any(NUMBERED_LINE.match(line) and not _ITEM_IN_LINES.match(line) for line in lines):
        return []
    parts: list[list[str]] = []
    for line in lines:
        if parts and _ITEM_IN_LINES.match(line):
            parts[-1].append(line)
        else:
            parts.append([line])
    return parts[int(wanted) - 1] if 0 < int(wanted) <= len(parts) else []


def _in_brackets(article: Article, mention: Mention) -> Pinpoint:
    """English subsections: ``(1)`` and ``(a)`` stand at the beginning of their lines or run on within one."""
    numbered = {int(one) for one in re.findall(r"(?:^|\n|\s)\((\d{1,3})\)\s", article.text)}
    # Subsections that are counted from (1) without a gap are all there are: there is no (7) among three.
    counted = bool(numbered) and numbered == set(range(1, max(numbered) + 1))
    if counted and mention.paragraph.isdecimal() and int(mention.paragraph) > max(numbered):
        return Pinpoint(Found.MISSING, _count(max(numbered), "subsection"), "paragraph")
    for part, kind in ((mention.paragraph, "paragraph"), (mention.item, "item")):
        if part and not re.search(rf"\({re.escape(part)}\)|(?:^|\n)\s*{re.escape(part)}[.)]\s", article.text):
            return Pinpoint(Found.UNKNOWN, f"({part}) could not be found in the text at hand", kind)
    return Pinpoint(Found.THERE)


def _count(number: int, kind: str) -> str:
    return f"the article has {number} {kind}{'s' if number > 1 else ''}"


def inside_of_range(mention: Mention, numbers: Sequence[int]) -> str:
    """Why a range of articles cannot be whole; empty where every article in it is there.

    ``numbers`` are those of the edition's articles.
    """
    if not (mention.through.isdecimal() and mention.article.isdecimal()):
        return ""
    first, last = int(mention.article), int(mention.through)
    if last < first:
        return f"the range ends ({last}) before it begins ({first})"
    missing = last - first + 1 - sum(first <= number <= last for number in set(numbers))
    return f"{missing} of the articles {first} to {last} are not in the text at hand" if missing else ""
