"""The cited part of an article: its paragraph and item, with the words that open the list of items."""

from __future__ import annotations

import re

from benchbar.languages.numerals import to_chinese
from benchbar.languages.text import Span
from benchbar.law.citations import grammar
from benchbar.law.mention import Mention
from benchbar.law.pinpoints import ITEM_LINE, NUMBERED_LINE
from benchbar.records import Citation


def cited_part(text: str, mention: Mention | Citation) -> str:
    """The text with all but the cited paragraph and item blanked, so that offsets hold; the whole where none is found."""
    lines = [match.span() for match in re.finditer(r"[^\n]+", text)]
    kept = _paragraph(text, lines, mention)
    if mention.item:
        kept = _item(text, kept, mention.item) or kept
    if not kept or kept == lines:
        return text
    blank = [char if char == "\n" else " " for char in text]
    for start, end in kept:
        blank[start:end] = text[start:end]
    return "".join(blank)


def _paragraph(text: str, lines: list[Span], mention: Mention | Citation) -> list[Span]:
    if not mention.paragraph:
        return lines
    if grammar(mention.language).PARAGRAPHS == "lines":
        # Items are lines, but no paragraphs: each belongs to the one before.
        blocks: list[list[Span]] = []
        for line in lines:
            if blocks and ITEM_LINE.match(text[slice(*line)]):
                blocks[-1].append(line)
            else:
                blocks.append([line])
        wanted = int(mention.paragraph) if mention.paragraph.isdecimal() else 0
        return blocks[wanted - 1] if 0 < wanted <= len(blocks) else []
    starts = [at for at, line in enumerate(lines) if _begins(text[slice(*line)], mention.paragraph)]
    if not starts:
        return []
    others = (at for at in range(starts[0] + 1, len(lines)) if NUMBERED_LINE.match(text[slice(*lines[at])].strip("( ")))
    return lines[starts[0] : next(others, len(lines))]


def _begins(line: str, paragraph: str) -> bool:
    return re.match(rf"\s*\(?{re.escape(paragraph)}[.)]?\s", line) is not None


def _item(text: str, lines: list[Span], item: str) -> list[Span]:
    """The line of the item, and the first one, which says what holds for each item."""
    names = {item}
    if item.isdecimal() and int(item) < 100:
        names.add(to_chinese(int(item)))
    form = re.compile(rf"\s*[（(]?(?:{'|'.join(map(re.escape, sorted(names)))})[)）.]")
    found = [line for line in lines if form.match(text[slice(*line)])]
    return [*dict.fromkeys((lines[0], found[0]))] if found else []
