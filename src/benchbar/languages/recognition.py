"""A text found again by its English words: what is stored or raised in English is said in the reader's language by its key."""

from __future__ import annotations

import re
from functools import cache
from string import Formatter

from benchbar.languages.packs import FALLBACK, labels

LONGEST_FIELD = 2000
"""Characters that a field of a text may hold: without a bound a pattern of several fields would take long over a long text."""


@cache
def openings(area: str, section: str) -> dict[str, str]:
    """The words that each English text begins with: few texts occur in one page, and only theirs are made patterns."""
    return {
        key: next(iter(Formatter().parse(text)))[0]
        for key, text in labels(FALLBACK, area).texts.items()
        if key.startswith(f"{section}.")
    }


@cache
def pattern(area: str, key: str, end: str) -> re.Pattern[str]:
    """An English text as a pattern; what its fields hold ends where the next words of the text, or ``end``, begin."""
    parts = Formatter().parse(labels(FALLBACK, area).texts[key])
    fields = "".join(
        re.escape(words) + (f"(?P<{name}>.{{1,{LONGEST_FIELD}}}?)" if name else "") for words, name, _, _ in parts
    )
    return re.compile(f"{fields}(?:{end})", re.DOTALL)


@cache
def _pieces(area: str, key: str) -> tuple[tuple[str, str | None], ...]:
    """Words, and the field behind them; none behind the last words."""
    found, words = [], ""
    for literal, name, _, _ in Formatter().parse(labels(FALLBACK, area).texts[key]):
        words += literal
        # A doubled brace ends a part of its own, without a field.
        if name is not None:
            found.append((words, name))
            words = ""
    return (*found, (words, None)) if words or not found else tuple(found)


def parts_in(text: str, area: str, key: str) -> dict[str, str] | None:
    """What the fields of an English text hold in a whole text, each as short as can be; None where it is another text.

    In one pass: no text that somebody wrote makes it slow.
    """
    found: dict[str, str] = {}
    place, open_field = 0, ""
    for words, name in _pieces(area, key):
        last = name is None
        at = len(text) - len(words) if last else text.find(words, place) if open_field else place
        if at < place or not text.startswith(words, at):
            return None
        if open_field:
            found[open_field] = text[place:at]
        elif at != place:
            return None
        place, open_field = at + len(words), name or ""
    if open_field:
        found[open_field] = text[place:]
    return found
