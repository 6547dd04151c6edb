"""Text in whatever encoding: which one it is, how sure that is, and which lines are in another.

UTF-8 and UTF-16 prove themselves. For the encodings that do not, each candidate reads the bytes, and the reading is judged
by what is rare in text and common in misreadings: seldom characters, capitals inside words, two alphabets in one word.
charset-normalizer was tried first, limited to the same candidates: of files with 20 characters of text it read 10 of 40 in
KOI8-R and 31 of 37 in Windows-1252 rightly, of files with 8 characters 34 of 40 in Windows-1251; this reads them all.
"""

from __future__ import annotations

import codecs
import math
import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from benchbar.records.errors import BadInputError
from benchbar.records.files import read_bounded

MAX_FILE = 256 * 1024 * 1024
SAMPLE = 1 << 16
"""Bytes by which encodings are told apart: some thousand words; more make it slower and no surer."""
CANDIDATES = ("gb18030", "big5", "cp1251", "koi8-r", "cp1252")
NAMES = {
    "utf-8": "UTF-8", "utf-16": "UTF-16", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16", "utf-32": "UTF-32",
    "gb18030": "GB18030", "big5": "Big5", "cp1251": "Windows-1251", "koi8-r": "KOI8-R", "cp1252": "Windows-1252",
}  # fmt: skip
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    # UTF-32 first: in little-endian order its mark begins with that of UTF-16.
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_ESCAPED = re.compile("[\udc80-\udcff]")
"""What stands for a byte that could not be read, see :pep:`383`."""
_TEXT = 0.5
"""Text in its own encoding scores 0.8 and more, bytes at random less than 0.3."""
_CLEAR, _FEW = 0.08, 0.6
"""Readings whose scores differ by less than the first, and the second divided by the characters read, are equally likely."""


class Encoding(NamedTuple):
    """What the bytes of a file are written in."""

    name: str
    """As Python's codecs call it."""
    also: tuple[str, ...] = ()
    """Encodings in which the bytes would be as likely a text, and another one."""

    @property
    def shown(self) -> str:
        """As people call it."""
        return NAMES.get(self.name, self.name.upper())


def encoding_of(data: bytes, path: Path, *, given: str | None = None, mixed: bool = False) -> Encoding:
    """The encoding that a file is in, or the ``given`` one.

    With ``mixed`` that of most of its lines: in a table, one line in another encoding costs that line, not the file.

    Raises:
        BadInputError: an unknown name, a binary file, or bytes that give no text in any encoding known here.
    """
    for mark, name in _MARKS:
        if data.startswith(mark):
            return Encoding(name)
    if given is not None:
        return Encoding(_known(given, path))
    if b"\0" in data[:SAMPLE]:
        return _wide(data, path)
    if is_utf8(data):
        return Encoding("utf-8")
    sample = data[:SAMPLE]
    if mixed:
        foreign = [line for line in sample.splitlines() if not line.isascii()]
        broken = [line for line in foreign if not is_utf8(line)]
        # A line of another encoding is hardly ever UTF-8 by chance: half of the lines are proof enough.
        if 2 * len(broken) <= len(foreign):
            return Encoding("utf-8")
        sample = b"\n".join(broken)
    return _legacy(sample, data, path)


def _known(given: str, path: Path) -> str:
    try:
        return codecs.lookup(given).name
    except LookupError as error:
        known = ", ".join(dict.fromkeys(NAMES.values()))
        raise BadInputError(f"unknown encoding {given!r}; expected one such as {known}", file=path) from error


def is_utf8(data: bytes) -> bool:
    """Whether bytes are; piece by piece: a file of 200 MB is not held a second time as text."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for begin in range(0, len(data), 1 << 20):
            decoder.decode(data[begin : begin + (1 << 20)])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


@cache
def _common() -> re.Pattern[str]:
    # At first use, as _script: hardly a file is in such an encoding, and sets of so many characters take 4 ms to compile.
    return re.compile(r"[\t\n\r -~«»\u0400-\u04ff\u2010-\u2026\u2116\u3000-\u303f\u4e00-\u9fa5\uff00-\uffef]")


def _wide(data: bytes, path: Path) -> Encoding:
    """UTF-16 without a mark, in the byte order that gives common characters; random bytes give a third of them."""
    for name in ("utf-16-le", "utf-16-be"):
        sample = data[:8000].decode(name, errors="replace")
        if len(_common().findall(sample)) > 0.9 * len(sample):
            return Encoding(name)
    what = "a ZIP archive, such as a workbook or a Word file" if data.startswith(b"PK") else "a binary file"
    raise BadInputError(f"this is {what}, not text; check the ending of its name", file=path)


def _legacy(sample: bytes, data: bytes, path: Path) -> Encoding:
    scores = {name: _likelihood(sample, name) for name in CANDIDATES}
    best = max(CANDIDATES, key=lambda name: scores[name])
    if scores[best] < _TEXT:
        start = _first_fault(data)
        raise BadInputError(
            f"not UTF-8 (byte {start}, {start / len(data):.0%} in), and in none of {', '.join(NAMES[n] for n in CANDIDATES)} "
            "is it text: the encodings may be mixed; save the file as UTF-8",
            file=path,
        )
    reading = sample.decode(best, errors="replace")
    clear = _CLEAR + _FEW / sum(not char.isascii() for char in reading)
    near = (name for name in CANDIDATES if name != best and scores[best] - scores[name] < clear)
    return Encoding(best, tuple(name for name in near if sample.decode(name, errors="replace") != reading))


def _first_fault(data: bytes) -> int:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start
    return 0


def _likelihood(sample: bytes, encoding: str) -> float:
    """How much of what is not ASCII is as it should be in text of this encoding, from below 0 to 1."""
    # A sample may end in the middle of a character: the last bytes of a long one are not held against it.
    text = sample.decode(encoding, errors="replace")
    text = text[:-2] if len(sample) >= SAMPLE else text
    foreign = [char for char in text if not char.isascii()]
    if not foreign:
        return 0.0
    if encoding in ("gb18030", "big5"):
        return _chinese(foreign, encoding)
    return _alphabetic(text, len(foreign), cyrillic=encoding != "cp1252")


def _chinese(foreign: list[str], encoding: str) -> float:
    """Two bytes of Russian in capitals are a Chinese character of the first level too, but hardly ever a frequent one."""
    known, lost = _first_level(encoding), foreign.count("\ufffd")
    usual = sum(char in known for char in foreign) - lost
    frequent = sum(char in _FREQUENT_CHARACTERS for char in foreign)
    return (0.7 * usual + 0.3 * min(len(foreign), frequent / 0.4)) / len(foreign)


@cache
def _first_level(encoding: str) -> frozenset[str]:
    """The characters that GB 2312 and Big5 put first because they are used, and the signs of punctuation."""
    if encoding == "big5":
        leads, trails = range(0xA4, 0xC7), (*range(0x40, 0x7F), *range(0xA1, 0xFF))
    else:
        leads, trails = range(0xB0, 0xD8), tuple(range(0xA1, 0xFF))
    codes = (bytes((lead, trail)).decode(encoding, errors="ignore") for lead in leads for trail in trails)
    return frozenset("".join(codes) + _SIGNS_CHINESE)


_SIGNS_CHINESE = "，。；：、！？（）《》〈〉「」『』“”‘’…—－～·％　０１２３４５６７８９"
# About four of ten characters in any text are among these, in either form of writing.
_FREQUENT_CHARACTERS = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然"
    "家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实日者意无力与长把机十民"
    "第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应向头文体政相见被利什二等产或新制身果加月话合回"
    "特代内信表化给世位次度门任常先通教原东提立及比员解名真论处义各入条平系气题活更别变四总何数安少报结反受目量再"
    "這個們來為國說時會對著過發後裡種經麼學現當沒動還進樣開從實無與長機業將兩間問應頭體見產話內給門東員論處義條氣題"
    "別變總數報結請訴訟律規據約權務償責" + _SIGNS_CHINESE
)


# How often each letter stands in Russian text, in thousandths (Lyashevskaya and Sharov, 2009): by it Windows-1251 and
# KOI8-R, whose letters trade places and cases, tell apart.
_RUSSIAN = {
    letter: math.log2(33 * use / 1000)
    for letter, use in zip(
        "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё",
        (110, 85, 80, 74, 67, 63, 55, 47, 45, 44, 35, 32, 30, 28, 26, 20, 19, 17, 17, 17, 16, 14, 12, 10, 9, 7, 6, 5, 4, 3, 3, 0.4, 0.4),
        strict=True,
    )
}  # fmt: skip
_SEQUENCE = re.compile(r"[^\W\d_]+")
_WESTERN = frozenset("àâäáãåæçèéêëìíîïñòóôöõøœùúûüýÿßÀÂÄÁÃÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÖÕØŒÙÚÛÜÝŸ«»„“”‘’–—…€£§°·©®•¡¿")
_SIGNS = frozenset("«»„“”‘’–—…№§°€·©®•\u00a0")
_MIXED_PENALTY, _CASE_PENALTY = 1.0, 1.5


def _alphabetic(text: str, foreign: int, *, cyrillic: bool) -> float:
    """Letters of the alphabet count for a reading; two alphabets in a word, and capitals after small letters, against it."""
    good: float = sum(char in (_SIGNS if cyrillic else _WESTERN) for char in text if not char.isascii())
    words = _SEQUENCE.findall(text)
    if cyrillic and not any(len(word) > 1 for word in words if not word.isascii()):
        # The French à is the Russian а: single letters among Latin words are no Russian.
        return 0.0
    return (good + sum(map(_cyrillic_word if cyrillic else _western_word, words))) / foreign


def _cyrillic_word(word: str) -> float:
    own = sum(char in _RUSSIAN for char in word.lower())
    if own < len(word):
        return -_MIXED_PENALTY * own
    if len(word) == 1:
        return 0.8
    swapped = sum(before.islower() and after.isupper() for before, after in pairwise(word))
    # In words all of capitals only the letters themselves tell.
    shouted = 0.05 * len(word) if len(word) > 1 and word.isupper() else 0.0
    return sum(0.8 + 0.3 * _RUSSIAN[char] for char in word.lower()) - shouted - _CASE_PENALTY * swapped


def _western_word(word: str) -> float:
    """An accented letter stands among plain ones; a word of nothing else is another alphabet misread."""
    foreign = [char for char in word if not char.isascii()]
    alone = len(word) == 1 and word not in "àÀéèóøå"
    return -_MIXED_PENALTY * len(foreign) if alone or (len(word) > 1 and len(foreign) > len(word) / 2) else 0.0


def decode(data: bytes, path: Path, *, given: str | None = None) -> str:
    """The text of a file in one encoding, whichever it is.

    Raises:
        BadInputError: it is in none, in several, or might as well be in another.
    """
    encoding = sure(encoding_of(data, path, given=given), path)
    try:
        return data.decode("utf-8-sig" if encoding.name == "utf-8" else encoding.name)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadInputError(
            f"not readable as {encoding.shown} from byte {error.start} on: the encodings may be mixed; save the file as UTF-8",
            file=path,
            line=line,
        ) from error


def sure(encoding: Encoding, path: Path) -> Encoding:
    """The encoding, where there is no doubt about it.

    Raises:
        BadInputError: the bytes are as likely text in another encoding. A guess would be read, paid for and marked.
    """
    if encoding.also:
        names = " or ".join(NAMES[name] for name in (encoding.name, *encoding.also))
        raise BadInputError(
            f"the text may be in {names}, and too little of it tells: save the file as UTF-8", file=path
        )
    return encoding


def read_text(path: Path) -> str:
    """The text of a file in any usual encoding.

    Raises:
        BadInputError: it cannot be read, is too large, or is no text in one encoding.
    """
    return decode(read_bounded(path, MAX_FILE), path)


def lines(data: bytes, encoding: Encoding, path: Path, *, ends: re.Pattern[bytes]) -> Iterator[str]:
    """The lines one by one, with their ends; bytes that cannot be read are escaped, which :func:`odd` tells.

    Raises:
        BadInputError: UTF-16 or UTF-32 that breaks off.
    """
    if encoding.name.startswith(("utf-16", "utf-32")):
        # Their line ends are characters, not bytes; such files are what spreadsheets save, and small.
        data, encoding = decode(data, path, given=encoding.name).encode(), Encoding("utf-8")
    return (
        match[0].decode(encoding.name, errors="surrogateescape")
        for match in ends.finditer(data.removeprefix(codecs.BOM_UTF8))
    )


def odd(text: str, encoding: Encoding) -> str | None:
    """The encoding that a text of :func:`lines` is in instead of the file's; None where it is in that one."""
    if text.isascii():
        return None
    broken = _ESCAPED.search(text) is not None
    if encoding.name.startswith("utf") and not broken:
        return None
    raw = text.encode(encoding.name, errors="surrogateescape")
    if not broken:
        # By chance two letters of GB18030 are valid UTF-8 as well; Chinese or Cyrillic in UTF-8 is no chance.
        return "UTF-8" if is_utf8(raw) and _script().search(raw.decode("utf-8")) else None
    if is_utf8(raw):
        return "UTF-8"
    scores = {name: _likelihood(raw, name) for name in CANDIDATES if name != encoding.name}
    best = max(scores, key=lambda name: scores[name])
    return NAMES[best] if scores[best] > _TEXT else "no encoding known here"


@cache
def _script() -> re.Pattern[str]:
    return re.compile(r"[\u0410-\u044f\u2e80-\u9fff\uff00-\uffef]")
