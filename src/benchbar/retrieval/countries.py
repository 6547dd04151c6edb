"""Whether a question asks for the law of a country that the law at hand does not speak of: "In Texas, …", "the visa rules of Japan"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from benchbar.languages.packs import pattern_of_any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchbar.records import Piece

_SENTENCE = re.compile(r"[^.?!。？！]+[.?!。？！]*")
_ASKED = re.compile(r"[?？]\s*$")
_LEAST_STEM = 5


def foreign_country(question: str, law: Iterable[Piece]) -> str:
    """The country, as the question names it, whose law it asks for and no passage of the law names; empty where there is none.

    A country that a story only takes place in is none: it has to stand in a sentence that asks, as its place or as the maker of
    the rule ("country_before" and "country_after" of ``patterns.toml``). Its names are a closed list for each language.
    """
    named = _countries_asked(question)
    if not named:
        return ""
    left = dict.fromkeys(named)
    # Read only for the few questions that name a country: an index of what the law names would be kept for them alone.
    for piece in law:
        text = piece.text.casefold()
        left = {one: None for one in left if _stem(one) not in text}
        if not left:
            return ""
    return next(iter(left))


def _countries_asked(question: str) -> list[str]:
    before, after = pattern_of_any("question.country_before"), pattern_of_any("question.country_after")
    return [
        found.group()
        for sentence in _SENTENCE.findall(question.replace("U.S.", "USA"))
        if _ASKED.search(sentence) and (said := sentence.strip())
        for found in pattern_of_any("question.country").finditer(said)
        if before.search(said[: found.start()]) or after.search(said[found.end() :])
    ]


def _stem(name: str) -> str:
    """Its beginning: the law may say "Germany" where the question says "German"."""
    return name.casefold()[:_LEAST_STEM]
