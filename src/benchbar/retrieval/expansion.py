"""What a layman's words are called in law: a map of terms that comes with this package, for each language."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from importlib import resources

from benchbar.retrieval.tokens import grams

_Phrase = tuple[str, ...]


def legal_terms(question: str, language: str) -> str:
    """The terms of law for what a question says in everyday words, each once; empty where it says nothing of the kind.

    The map lists what people usually ask about in consultations; it was written by hand (docs/results-retrieval.md says what
    was seen while it was).
    """
    said = grams(question)[0]
    found: dict[str, None] = {}
    phrases = _phrases(language)
    for place, word in enumerate(said):
        for phrase, terms in phrases.get(word, ()):
            if tuple(said[place : place + len(phrase)]) == phrase:
                found.setdefault(terms)
    return " ".join(found)


@cache
def _phrases(language: str) -> dict[str, list[tuple[_Phrase, str]]]:
    """First stem (in Chinese: character) of an everyday phrase to the phrase and its terms."""
    file = resources.files("benchbar.retrieval") / "terms" / f"{language}.tsv"
    found: dict[str, list[tuple[_Phrase, str]]] = defaultdict(list)
    if file.is_file():
        for line in file.read_text("utf-8").splitlines():
            everyday, _, terms = line.partition("\t")
            for phrase in everyday.split(","):
                stems = tuple(grams(phrase)[0])
                if stems:
                    found[stems[0]].append((stems, terms))
    return dict(found)
