"""Citations of law found in text: pure extraction, before any corpus is asked."""

from __future__ import annotations

import re

from benchbar.law.mention import Mention

__all__ = ["Mention", "extract"]

_CHINESE = re.compile(r"第\s?[\d０-９一-龥]|《|[（(〔\[【][12１２]")
_CYRILLIC = re.compile(r"[а-яА-Я]")
_LATIN = re.compile(r"[A-Za-z§]")


def extract(text: str, language: str | None = None, *, known: frozenset[str] = frozenset()) -> tuple[Mention, ...]:
    """The citations of a text, in order, in Chinese, Russian and English.

    Args:
        text: any text, of any length; the time is linear in it.
        language: ``zh``, ``ru`` or ``en`` to look for that language's forms only.
        known: further names of Chinese laws that may stand without 《》.
    """
    # The forms of a language take a while to compile: they are, once a text needs them.
    found: list[Mention] = []
    if language in {None, "zh"} and _CHINESE.search(text):
        from benchbar.law.citations_zh import extract_chinese

        found.extend(extract_chinese(text, known))
    if language in {None, "ru"} and _CYRILLIC.search(text):
        from benchbar.law.citations_ru import extract_russian

        found.extend(extract_russian(text))
    if language in {None, "en"} and _LATIN.search(text):
        from benchbar.law.citations_en import extract_english

        found.extend(extract_english(text))
    return tuple(sorted(found, key=lambda one: one.span))
