"""What a layman's words are called in law: a map of terms that comes with this package, for each language."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import NamedTuple

from benchbar.retrieval.tokens import PREFIX, UNSPACED, grams

SENTENCE = re.compile(r"[。！？!?；;.\n]+")
"""What parts sentences; a comma does not: in Chinese it ends most of them."""
_HAN = re.compile(f"[{UNSPACED}]")
_Part = tuple[str, ...]


class Concept(NamedTuple):
    """A line of the map that a question calls up."""

    terms: str
    """What the law calls it."""
    parts: int
    """Words (in Chinese: characters) of the longest of its phrases that was said: the more, the less by chance."""


class _Phrase(NamedTuple):
    parts: tuple[_Part, ...]
    terms: str


def legal_terms(question: str, language: str) -> str:
    """The terms of law for what a question says in everyday words, each once; empty where it says nothing of the kind.

    The map lists what people usually ask about in consultations; it was written by hand (docs/results-retrieval.md says what
    was seen while it was).
    """
    return " ".join(concept.terms for concept in concepts(question, language))


def concepts(question: str, language: str) -> list[Concept]:
    """The lines of the map that a question calls up, in the order in which they are first said.

    All parts of a phrase have to stand in one sentence, in any order: "не отдаёт долг" and "долг он мне не отдаёт" are one.
    """
    phrases = _phrases(language)
    found: dict[str, int] = {}
    for sentence in SENTENCE.split(question):
        said = grams(sentence)[0]
        short = [stem[:PREFIX] for stem in said]
        for first in dict.fromkeys([*said, *short]):
            for phrase in phrases.get(first, ()):
                if all(_stands(part, said) or _stands(part, short) for part in phrase.parts):
                    size = sum(map(len, phrase.parts))
                    found[phrase.terms] = max(size, found.get(phrase.terms, 0))
    return [Concept(terms, size) for terms, size in found.items()]


def everyday_phrases(stems: frozenset[str], language: str) -> list[str]:
    """The everyday phrases of those lines of the map whose terms of law a text says, given its unigrams; the other way round."""
    return [phrase for terms, phrases in _lines(language) if terms <= stems for phrase in phrases]


@cache
def _lines(language: str) -> list[tuple[frozenset[str], tuple[str, ...]]]:
    """The unigrams of each line's terms, and its everyday phrases as they are written."""
    rows = (line.partition("\t") for line in _written(language))
    return [
        (frozenset(grams(terms)[0]), tuple(one.strip() for one in everyday.split(",") if one.strip()))
        for everyday, _, terms in rows
        if terms.strip()
    ]


def _written(language: str) -> list[str]:
    file = resources.files("benchbar.retrieval") / "terms" / f"{language}.tsv"
    return file.read_text("utf-8").splitlines() if file.is_file() else []


def _stands(part: _Part, said: Sequence[str]) -> bool:
    """Whether a part stands in a sentence, its stems or characters next to each other."""
    if len(part) == 1:
        return part[0] in said
    return any(tuple(said[place : place + len(part)]) == part for place in range(len(said) - len(part) + 1))


@cache
def _phrases(language: str) -> dict[str, list[_Phrase]]:
    """First stem (in Chinese: character) of an everyday phrase to the phrase and its terms."""
    found: dict[str, list[_Phrase]] = defaultdict(list)
    for line in _written(language):
        everyday, _, terms = line.partition("\t")
        for phrase in everyday.split(","):
            parts = _parts(phrase)
            if parts:
                found[parts[0][0]].append(_Phrase(parts, terms))
    return dict(found)


def _parts(phrase: str) -> tuple[_Part, ...]:
    """What has to stand in a sentence for a phrase to be said: words, or the pieces of a Chinese phrase between spaces."""
    if _HAN.search(phrase):
        return tuple(tuple(grams(piece)[0]) for piece in phrase.split())
    stems = grams(phrase)[0]
    # The beginning alone of a word that does not stand alone: "отрезало" and "отрежет" are two stems.
    return tuple((stem[:PREFIX] if len(stems) > 1 else stem,) for stem in stems)
