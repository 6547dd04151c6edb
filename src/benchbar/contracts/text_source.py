"""Plain text and Markdown as a contract's paragraphs; the offsets are those of the decoded file."""

from __future__ import annotations

import codecs
import re

from benchbar.contracts.source import MAX_CHARACTERS, Block, ContractSource, Format
from benchbar.errors import BadInputError

_BYTE_ORDER_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_LINE = re.compile(r"[^\r\n\f]+")
_HEADING = re.compile(r"(#{1,6})[ \t]+")
_RULE = re.compile(r"[-*_=|:\s]+")
_TABLE_ROW = re.compile(r"\s{0,3}\|")


def decode_text(data: bytes, name: str) -> tuple[str, str]:
    """The text and the encoding it was read in: a byte order mark, else UTF-8, GB 18030 or Windows-1251.

    Raises:
        BadInputError: none of them fits, or the file is binary.
    """
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _decoded(data, encoding, name), encoding
    if b"\0" in data:
        raise BadInputError("this is a binary file, not text", file=name)
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        encoding = _legacy_encoding(data)
        return _decoded(data, encoding, name), encoding


def _decoded(data: bytes, encoding: str, name: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise BadInputError(f"not readable as UTF-8, GB 18030 or Windows-1251: {error.reason}", file=name) from error


def _legacy_encoding(data: bytes) -> str:
    """Common Chinese characters lie in rows 0xB0 to 0xF7 with a second byte above 0xA0; Russian letters are
    followed by Russian letters and spaces, and rarely pair up so."""
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError:
        return "cp1251"
    wide = [char for char in text if ord(char) > 0x7F]  # noqa: PLR2004 - ASCII ends there
    common = sum("一" <= char <= "龥" or char in "，。；：、（）《》“”　！？" for char in wide)
    russian = data.decode("cp1251", errors="ignore")
    words = re.findall(r"\b[А-ЯЁа-яё][а-яё]{3,}\b", russian)
    if sum(map(len, words)) > len(russian) / 2:
        return "cp1251"
    return "gb18030" if common >= len(wide) / 2 else "cp1251"


def read_text(data: bytes, name: str, form: Format) -> ContractSource:
    """The lines of a text file as blocks; in Markdown, hash marks make headings and pipes make tables."""
    text, encoding = decode_text(data, name)
    if len(text) > MAX_CHARACTERS:
        raise BadInputError(f"more than {MAX_CHARACTERS} characters of text: split the file", file=name)
    blocks = tuple(_blocks(text, markdown=form == "markdown"))
    if not blocks:
        raise BadInputError("there is no text in it", file=name)
    warnings = () if encoding.startswith("utf-8") else (f"read as {encoding}: save the file as UTF-8 if letters are wrong",)
    return ContractSource(name, form, text, blocks, text.count("\f") + 1 if "\f" in text else None, warnings)


def _blocks(text: str, *, markdown: bool) -> list[Block]:
    blocks: list[Block] = []
    page, at = (1, 0) if "\f" in text else (None, 0)
    for line in _LINE.finditer(text):
        if page is not None:
            page += text.count("\f", at, line.start())
            at = line.start()
        start, end = _stripped(line)
        if start == end or (markdown and _RULE.fullmatch(line[0])):
            continue
        mark = _HEADING.match(text, start, end) if markdown else None
        start = mark.end() if mark else start
        level = len(mark[1]) if mark else 0
        table = markdown and _TABLE_ROW.match(line[0]) is not None
        blocks.append(Block(text[start:end], page, None, 0, table, level, start, end))
    return blocks


def _stripped(line: re.Match[str]) -> tuple[int, int]:
    start = line.start() + len(line[0]) - len(line[0].lstrip())
    return start, max(start, line.start() + len(line[0].rstrip()))
