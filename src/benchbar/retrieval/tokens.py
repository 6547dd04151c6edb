"""Text to index terms: character uni- and bigrams where words are not spaced, stems where they are."""

from __future__ import annotations

import re
import threading
from functools import lru_cache
from typing import Any

from benchbar.languages.text import nfkc

UNSPACED = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""Han characters, between which no space tells where a word ends."""
_RUNS = re.compile(rf"([{UNSPACED}]+)|([^\W_{UNSPACED}]+)")
PREFIX = 5
"""Letters of a prefix; by cross-validation on Russian questions five did as well as four, and fewer roots collide."""
_SHORT = 2
"""Letters of a word that is no more than a preposition."""
_CYRILLIC = re.compile("[\u0400-\u04ff]")
# A stemmer keeps state while it works: one for each thread.
_stemmers = threading.local()


def grams(text: str) -> tuple[list[str], list[str]]:
    """Unigrams and bigrams of a text, in order: of characters in Chinese, of stems in spaced languages.

    A bigram never spans punctuation in Chinese, nor two scripts.
    """
    unigrams: list[str] = []
    bigrams: list[str] = []
    previous = ""
    for match in _RUNS.finditer(normalise(text)):
        run = match[1]
        if run:
            unigrams.extend(run)
            bigrams.extend(run[i : i + 2] for i in range(len(run) - 1))
            # No pair spans two scripts: it would be a term that nobody searches for.
            previous = ""
        else:
            stem = _stem(match[2])
            unigrams.append(stem)
            if previous:
                bigrams.append(f"{previous} {stem}")
            previous = stem
    return unigrams, bigrams


def words(text: str) -> list[str]:
    """Words of a text, in order: as a dictionary cuts them in Chinese, stems in spaced languages."""
    found: list[str] = []
    for match in _RUNS.finditer(normalise(text)):
        if match[1]:
            found.extend(_cut(match[1]))
        else:
            found.append(_stem(match[2]))
    return found


def prefixes(text: str) -> list[str]:
    """The first letters of each word of a spaced language: words of one root that a stemmer keeps apart are one.

    Snowball leaves "выселить" and "выселение" two stems; a layman asks with the verb what a statute says with the noun.
    """
    return [match[2][:PREFIX] for match in _RUNS.finditer(normalise(text)) if match[2] and len(match[2]) > _SHORT]


def normalise(text: str) -> str:
    """The text in one width and case, with ё read as е."""
    return nfkc(text).casefold().replace("ё", "е")


def _cut(run: str) -> list[str]:
    import rjieba

    return rjieba.cut(run)


# A corpus repeats its words; the cache holds most of a language.
@lru_cache(maxsize=200_000)
def _stem(word: str) -> str:
    # Numbers and mixed words (GPT4, 12a) have no stem.
    if word.isascii():
        return str(_stemmer("english").stemWord(word)) if word.isalpha() else word
    return str(_stemmer("russian").stemWord(word)) if _CYRILLIC.search(word) else word


def _stemmer(language: str) -> Any:
    """One per thread: a Snowball stemmer keeps its state while it works."""
    if not hasattr(_stemmers, language):
        import snowballstemmer

        setattr(_stemmers, language, snowballstemmer.stemmer(language))
    return getattr(_stemmers, language)
