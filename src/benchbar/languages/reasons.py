"""Why a number or its interval is missing, and why a citation has its status, in the language of the reader."""

from __future__ import annotations

import re
from functools import cache
from string import Formatter

from benchbar.languages.packs import FALLBACK, labels

BETWEEN = "; "
"""What separates two reasons of one estimate or citation."""
_REASONS_THEMSELVES = ("what", "why")
"""Fields that hold a reason: "no law of this name is known: it may mean …"."""


def reason_in(reason: str, language: str) -> str:
    """The reason of an estimate or a citation in a language; as it stands where no pack knows it.

    Both keep their reasons in English, in files that are read for years: the English text is what a translation is
    found by, so that old runs are shown in every language too.
    """
    if language == FALLBACK or not reason:
        return reason
    told, place = [], 0
    while place < len(reason):
        text, place = _next(reason, place, language)
        told.append(text)
    return BETWEEN.join(told)


def _next(reason: str, place: int, language: str) -> tuple[str, int]:
    """The text of the reason that begins there, and where the one after it begins."""
    for key, opening in _openings().items():
        if reason.startswith(opening, place) and (found := _pattern(key).match(reason, place)):
            given = {
                name: reason_in(text, language) if name in _REASONS_THEMSELVES else text
                for name, text in found.groupdict().items()
            }
            return labels(language, "reasons")(key, **given), found.end()
    text, _, _ = reason[place:].partition(BETWEEN)
    return text, place + len(text) + len(BETWEEN)


@cache
def _openings() -> dict[str, str]:
    """The words that each English text begins with: few reasons occur in one report, and only theirs are made patterns."""
    return {key: next(iter(Formatter().parse(text)))[0] for key, text in labels(FALLBACK, "reasons").texts.items()}


@cache
def _pattern(key: str) -> re.Pattern[str]:
    """An English text as a pattern; what its fields hold ends where the next words of the text begin."""
    parts = Formatter().parse(labels(FALLBACK, "reasons").texts[key])
    fields = "".join(re.escape(words) + (f"(?P<{name}>.{{1,2000}}?)" if name else "") for words, name, _, _ in parts)
    return re.compile(f"{fields}(?:{BETWEEN}|$)")
