"""Why a number, or its interval, is missing, in the language of the reader."""

from __future__ import annotations

import re
from functools import cache
from string import Formatter

from benchbar.languages.packs import FALLBACK, labels

BETWEEN = "; "
"""What separates two reasons of one estimate."""


def reason_in(reason: str, language: str) -> str:
    """The reason of an estimate in a language; as it stands where no pack knows it.

    Estimates keep their reasons in English, in files that are read for years: the English text is what a translation is
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
    for key, pattern in _patterns().items():
        if found := pattern.match(reason, place):
            return labels(language, "reasons")(key, **found.groupdict()), found.end()
    text, _, _ = reason[place:].partition(BETWEEN)
    return text, place + len(text) + len(BETWEEN)


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    """Each English text as a pattern; what its fields hold ends where the next words of the text begin."""
    return {
        key: re.compile(
            "".join(
                re.escape(words) + (f"(?P<{name}>.{{1,2000}}?)" if name else "")
                for words, name, _, _ in Formatter().parse(text)
            )
            + f"(?:{BETWEEN}|$)"
        )
        for key, text in labels(FALLBACK, "reasons").texts.items()
    }
