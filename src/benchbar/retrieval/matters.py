"""Whether a question names a matter that laws name by one word, and the law at hand never does: a passport, a customs duty, a school record.

Scores compare passages, and in a law without passports some passage is best for a question of passports, too. Where a matter has a name
that every law on it has to use, its absence from the whole text tells more. The names of a language (``matters/*.txt``) are sets, one a line, of
a statute's word and people's words for the same. Words of where a
story takes place (a taxi, a hospital) are left out: they come with questions of any law. Chinese alone has a table: a Russian one, whose
beginnings of words stand in stories, refused answered questions of others (docs/results-retrieval.md).
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from benchbar.languages.text import folded
from benchbar.retrieval.asked_for import asking

if TYPE_CHECKING:
    from benchbar.retrieval.store import Store

MATTER_SIGNALS = ("matter_told", "matter_asked")


def matter_signals(store: Store, question: str) -> list[float]:
    """In the order of ``MATTER_SIGNALS``: whether a name that the store never uses stands in the question, and in what of it asks."""
    return [float(bool(unmentioned_matter(store, text))) for text in (question, asking(question))]


def unmentioned_matter(store: Store, question: str) -> str:
    """The first name, as its line writes it, of a matter that a question names and no passage of a store does; empty for none."""
    text = folded(question).casefold()
    named = (names for names, said in _matters(store.language) if said.search(text))
    return next((names[0] for names in named if not _mentioned(store, names)), "")


# A store does not change, and a large one takes long to read.
_KNOWN: WeakKeyDictionary[Store, dict[tuple[str, ...], bool]] = WeakKeyDictionary()


def _mentioned(store: Store, names: tuple[str, ...]) -> bool:
    known = _KNOWN.setdefault(store, {})
    if names not in known:
        said = _pattern(names)
        known[names] = any(said.search(f"{one.title} {one.text}".casefold()) for one in store.passages)
    return known[names]


def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, names)))


@cache
def _matters(language: str) -> tuple[tuple[tuple[str, ...], re.Pattern[str]], ...]:
    """The sets of names of a language with what finds them; none where it has no table."""
    return tuple((names, _pattern(names)) for names in matters_of(language))


def matters_of(language: str) -> tuple[tuple[str, ...], ...]:
    """The sets of names of a language as they are in the package; none where it has no table."""
    file = resources.files("benchbar.retrieval") / "matters" / f"{language}.txt"
    rows = file.read_text("utf-8").splitlines() if file.is_file() else []
    return tuple(tuple(row.casefold().split("/")) for row in rows)
