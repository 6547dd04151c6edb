"""A number written as the clause around it writes numbers: 二十 and not 20, 千分之一 and not 百分之0.1."""

from __future__ import annotations

from benchbar.languages.numerals import ZH_CHARACTERS, to_chinese
from benchbar.languages.text import folded

_PARTS = ("百分之", "千分之", "万分之")
"""Each is a tenth, or a hundredth, of the one before it."""


def in_notation(text: str, start: int, end: int, number: str) -> tuple[int, str]:
    """Where the words begin that ``number`` (digits) replaces, and the number as they would say it.

    Nothing is changed where the text writes digits, and the words are empty where its own notation has none for the number.
    """
    own = folded(text[start:end])
    if not own or any(one not in ZH_CHARACTERS for one in own):
        return start, number
    value = float(number)
    if value.is_integer() and value < _MOST:
        return start, _in_script(to_chinese(int(value)), text[start:end])
    before = folded(text[max(0, start - len(_PARTS[0])) : start])
    for place, part in enumerate(_PARTS[_PARTS.index(before) :] if before in _PARTS else ()):
        smaller = round(value * 10**place, 6)
        if smaller.is_integer():
            return start - len(before), _in_script(part + to_chinese(int(smaller)), text[start - len(before) : end])
    return start, ""


_MOST = 10**8


def _in_script(words: str, like: str) -> str:
    """In traditional characters where the words that are replaced are."""
    return words.replace("万", "萬") if like != folded(like) else words
