"""The one word for each thing in a language, as its pack's ``terms.toml`` names it, and where a text has another one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import msgspec

from benchbar.languages.packs import pack
from benchbar.records.toml import read_toml


class Term(msgspec.Struct, forbid_unknown_fields=True):
    """How one thing is called."""

    word: str
    second: list[str]
    """Patterns of words that would mean the same."""
    other: dict[str, str] = {}
    """Patterns of wordings in which such a word means something else, and what."""


@cache
def terms(language: str) -> dict[str, Term]:
    """Every term of a language by what it is called in code."""
    return read_toml(pack(language).folder / "terms.toml", dict[str, Term])


@cache
def _patterns(language: str) -> tuple[tuple[str, str, re.Pattern[str], re.Pattern[str] | None], ...]:
    return tuple(
        (name, one.word, re.compile("|".join(one.second)), re.compile("|".join(one.other)) if one.other else None)
        for name, one in terms(language).items()
    )


def second_words(text: str, language: str) -> Iterator[str]:
    """Each second word of a text, with the word that should stand there."""
    for name, word, second, other in _patterns(language):
        left = other.sub(" ", text) if other else text
        if found := second.search(left):
            yield f"{found[0]!r} for {name}, which is {word!r}: {text.strip()[:120]}"
