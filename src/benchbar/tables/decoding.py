"""Tables as spreadsheets write them: UTF-8 with or without mark, UTF-16, GB18030, and files that mix two of these."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

_ASIAN = re.compile(r"[\u2e80-\u9fff\uff00-\uffef]")


class Decoded(NamedTuple):
    """A text, and which of its lines are in another encoding than the rest."""

    text: str
    encoding: str
    strange: tuple[tuple[int, str], ...] = ()
    """Line number, from 1, and what is odd about it."""


def decoded(data: bytes) -> Decoded:
    """The text of a table; no byte is lost silently: a line that cannot be read is named.

    A line in GB18030 may by chance be valid UTF-8; in a file that is GB18030 elsewhere it is read as such, unless its
    UTF-8 reading is Chinese.
    """
    for mark, encoding in ((codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16")):
        if data.startswith(mark):
            return _utf16(data, encoding)
    lines = data.removeprefix(codecs.BOM_UTF8).split(b"\n")
    marked = data.startswith(codecs.BOM_UTF8)
    foreign = [line for line in lines if _read(line, "utf-8") is None]
    if not foreign:
        return Decoded("\n".join(line.decode("utf-8") for line in lines), "utf-8")
    chinese = sum(_is_chinese_utf8(line) for line in lines)
    main = "utf-8" if marked or chinese > len(foreign) else "gb18030"
    return _mixed(lines, main)


def _utf16(data: bytes, encoding: str) -> Decoded:
    try:
        return Decoded(data.decode(encoding), encoding)
    except UnicodeDecodeError as error:
        text = data.decode(encoding, errors="replace")
        line = data[: error.start].decode(encoding, errors="replace").count("\n") + 1
        return Decoded(text, encoding, ((line, "not valid UTF-16"),))


def _mixed(lines: list[bytes], main: str) -> Decoded:
    other = "gb18030" if main == "utf-8" else "utf-8"
    texts: list[str] = []
    strange: list[tuple[int, str]] = []
    for number, line in enumerate(lines, start=1):
        as_main = _read(line, main)
        if as_main is None or (main == "gb18030" and _is_chinese_utf8(line)):
            told = _read(line, other)
            what = f"in {_called(other)}, while the file is in {_called(main)}"
            strange.append((number, what if told is not None else f"neither UTF-8 nor GB18030 (the file is {main})"))
            texts.append(told if told is not None else line.decode("utf-8", errors="replace"))
        else:
            texts.append(as_main)
    return Decoded("\n".join(texts), main, tuple(strange))


def _called(encoding: str) -> str:
    return encoding.upper()


def _read(line: bytes, encoding: str) -> str | None:
    try:
        return line.decode(encoding)
    except UnicodeDecodeError:
        return None


def _is_chinese_utf8(line: bytes) -> bool:
    text = _read(line, "utf-8")
    return text is not None and _ASIAN.search(text) is not None
