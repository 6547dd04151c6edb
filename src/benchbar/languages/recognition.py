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
