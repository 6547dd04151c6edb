"""Why a number, or its interval, is missing, in the language of the reader."""

from __future__ import annotations

import re
from functools import cache
from string import Formatter

from benchbar.languages.packs import FALLBACK, labels

BETWEEN = "; "
"""What separates two reasons of one estimate; no text of ours has it within."""


def reason_in(reason: str, language: str) -> str:
    """The reason of an estimate in a language; as it stands where no pack knows it.

    Estimates keep their reasons in English, in files that are read for years: the English text is what a translation is
    found by, so that old runs are shown in every language too.
    """
    if language == FALLBACK or not reason:
        return reason
    return BETWEEN.join(_one(part, language) or part for part in reason.split(BETWEEN))


def _one(reason: str, language: str) -> str:
    for key, pattern in _patterns().items():
        if found := pattern.fullmatch(reason):
            return labels(language, "reasons")(key, **found.groupdict())
    return ""


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    """Each English text as a pattern; what its fields hold ends where the next words of the text begin."""
    return {
        key: re.compile(
            "".join(
                re.escape(words) + (f"(?P<{name}>.{{1,2000}}?)" if name else "")
                for words, name, _, _ in Formatter().parse(text)
            )
        )
        for key, text in labels(FALLBACK, "reasons").texts.items()
    }
