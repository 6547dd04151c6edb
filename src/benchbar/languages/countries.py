"""What the countries that suites invented are called: their law names them in the language that it is written in."""

from __future__ import annotations

from benchbar.languages.packs import labels


def country_in(name: str, language: str) -> str:
    """The name of an invented country in a language; any other name as it is."""
    return labels(language, "words").name("jurisdiction", name)
