"""Citations of law found in text: pure extraction, before any corpus is asked.

Each language has its grammar in a file of this room, ``citations_zh.py`` and so on, named like the folder of its pack.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import Literal, Protocol, cast

from msgspec.structs import replace

from benchbar.languages.packs import known as known_languages
from benchbar.languages.packs import matched, pack
from benchbar.languages.text import by_common_words, variant
from benchbar.law.links import plainly
from benchbar.law.mention import Mention

__all__ = ["Grammar", "Mention", "extract", "grammar"]


class Grammar(Protocol):
    """What the file of a grammar holds."""

    PARAGRAPHS: Literal["lines", "numbers", ""]
    """How the text of an article shows its paragraphs: one a line, or by number; empty where it shows none."""

    def extract_mentions(self, text: str, known: frozenset[str]) -> Iterator[Mention]:
        """The citations of a text in order; ``known`` holds further names of laws that may stand without brackets."""
        ...

    def cite(self, name: str, short_names: Sequence[str], number: str, sub: str) -> str:
        """The citation of an article of the law called ``name``, or of the law as a whole."""
        ...


def extract(text: str, language: str | None = None, *, known: frozenset[str] = frozenset()) -> tuple[Mention, ...]:
    """The citations of a text, in order, in every language that has a grammar.

    Args:
        text: any text, of any length; the time is linear in it.
        language: a tag such as ``zh`` to look for that language's forms only; of a language with variants, the text's
            own characters tell which one it is where no language is named.
        known: further names of Chinese laws that may stand without 《》.

    The marks of Markdown and HTML and the addresses of links are passed over: a citation's span may hold some, its ``text`` holds none.
    """
    if marked := plainly(text):
        plain, placed = marked
        return tuple(replace(one, span=placed(one.span)) for one in _extract(plain, language, known))
    return _extract(text, language, known)


def _extract(text: str, language: str | None, known: frozenset[str]) -> tuple[Mention, ...]:
    found: list[Mention] = []
    # A text without the signs of a language is not scanned by its grammar, whose forms are the slowest part.
    for tag in _languages(text, language):
        if all(sign.search(text) for sign in _signs(tag)):
            found.extend(grammar(tag).extract_mentions(text, known))
    for tag, sign in _OTHER_SCRIPT.items():
        if language is None and any(one.language != tag for one in found) and sign.search(text):
            found = _joined(found, list(grammar(tag).extract_mentions(text, known)))
    return tuple(sorted(found, key=lambda one: one.span))


_OTHER_SCRIPT = {"zh": re.compile(r"第[^\s第條条]{1,9}条"), "zh-Hant": re.compile(r"第[^\s第條条]{1,9}條")}
"""Articles as each of the two Chinese scripts writes them: a text may quote the other one's."""


def _joined(found: list[Mention], further: list[Mention]) -> list[Mention]:
    """The mentions of both readings of a text: of two at one place the one that names an article."""
    own = [one for one in further if one.article and one.language not in {other.language for other in found}]
    taken = [one.span for one in own]

    def covered(one: Mention) -> bool:
        return not one.article and any(begin <= one.span[0] and one.span[1] <= end for begin, end in taken)

    return [*(one for one in found if not covered(one)), *own]


@cache
def grammar(language: str) -> Grammar:
    """The grammar of a known language; the forms take a while to compile and are, once a text needs them."""
    folder = pack(language).tag.lower().replace("-", "_")
    return cast("Grammar", import_module(f"benchbar.law.citations_{folder}"))


def _languages(text: str, language: str | None) -> list[str]:
    if language is not None:
        tag = matched(language)
        return [tag] if tag else []
    # Languages of one script share forms (§ 433), and variants share their root's: one of them is chosen by the text's own
    # words and characters, or each citation would be found twice.
    roots = (by_common_words(text, tag) for tag in known_languages() if not pack(tag).about.variant_of)
    return [variant(text, root) for root in dict.fromkeys(roots)]


@cache
def _signs(language: str) -> list[re.Pattern[str]]:
    about = pack(language).about
    # A letter of the script, and signs of citations where the pack names them: (1) alone is of any language.
    return [re.compile(one) for one in (about.letters, about.citations) if one]
