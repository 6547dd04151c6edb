"""Plain text and Markdown as a contract's paragraphs; the offsets are those of the decoded file."""

from __future__ import annotations

import re
from pathlib import Path

from benchbar.contracts.paragraphs import MAX_CHARACTERS, Block, ContractSource, Format
from benchbar.records.errors import BadInputError
from benchbar.tables.documents import decode_text

_LINE = re.compile(r"[^\r\n\f]+")
_HEADING = re.compile(r"(#{1,6})[ \t]+")
_RULE = re.compile(r"[-*_=|:\s]+")
_TABLE_ROW = re.compile(r"\s{0,3}\|")


def read_text(data: bytes, name: str, form: Format) -> ContractSource:
    """The lines of a text file as blocks; in Markdown, hash marks make headings and pipes make tables."""
    text = decode_text(data, Path(name))
    if len(text) > MAX_CHARACTERS:
        raise BadInputError(f"more than {MAX_CHARACTERS} characters of text: split the file", file=name)
    blocks = tuple(_blocks(text, markdown=form == "markdown"))
    if not blocks:
        raise BadInputError("there is no text in it", file=name)
    return ContractSource(name, form, text, blocks)


def _blocks(text: str, *, markdown: bool) -> list[Block]:
    blocks: list[Block] = []
    for line in _LINE.finditer(text):
        start, end = _stripped(line)
        if start == end or (markdown and _RULE.fullmatch(line[0])):
            continue
        mark = _HEADING.match(text, start, end) if markdown else None
        start = mark.end() if mark else start
        level = len(mark[1]) if mark else 0
        table = markdown and _TABLE_ROW.match(line[0]) is not None
        blocks.append(Block(text[start:end], None, None, 0, table, level, (), start, end))
    return blocks


def _stripped(line: re.Match[str]) -> tuple[int, int]:
    start = line.start() + len(line[0]) - len(line[0].lstrip())
    return start, max(start, line.start() + len(line[0].rstrip()))
