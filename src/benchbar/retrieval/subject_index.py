"""A subject index of the laws that people ask about most: what a layman says of a matter, and the articles that settle it.

As in the alphabetical subject index at the end of a printed code, a line (``subjects/*.tsv``: law, articles, phrases) was written for the
articles one after the other, from what they provide and not from questions. An article is taken for the one that a line means where
enough of the terms that stood in it (``subjects/*_articles.tsv``) stand in it still: after a new numbering the line is silent.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections import defaultdict
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from benchbar.law.names import LawKey, law_key
from benchbar.records.compiled import keep, kept
from benchbar.retrieval import tokens
from benchbar.retrieval.tokens import UNSPACED, grams, normalise, prefixes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchbar.retrieval.postings import Floats, Integers
    from benchbar.retrieval.store import Store

SUBJECT_SIGNALS = ("subject", "subject_phrase", "subject_strength", "subject_of_all", "subject_place")
_MOST = 0.5
"""Share of a store's passages that are of acts the index names, from which it knows the store."""
STORE_SUBJECT_SIGNALS = (
    "subject_held", "subject_elsewhere", "subject_lead", "subject_share",
    "subject_ten", "subject_ten_phrases", "subject_alone",
)  # fmt: skip
_COUNTED = 5
"""Phrases of a line that count: with five, ranks of articles are as with all, and lines of few phrases stand beside those of many."""
_FIRST = 10
"""One line of another law may say a question's words by chance; where the ten best of all laws are held tells more."""
FOLDER = "subjects"
_PHRASE = re.compile(r"\s*[,，;；、]\s*")
_HAN = re.compile(f"[{UNSPACED}]")
_STILL = 0.6
"""Share of an article's own terms that have to stand in it."""


class Matched(NamedTuple):
    """How well the index knows a question, by line."""

    sums: Floats
    """What the few phrases of a line that know it best say of it, shape (lines,)."""
    best: Floats
    """What the best phrase says of it, shape (lines,)."""


class _Lines(NamedTuple):
    laws: tuple[LawKey, ...]
    """Of each line: a law and what a court issued about it are two."""
    articles: tuple[tuple[str, ...], ...]
    phrases: Phrases


class Phrases(NamedTuple):
    """The phrases of some lines with their terms."""

    line_of: Integers
    """The line of each phrase."""
    whole: Floats
    """What a question that says all of a phrase gives it, shape (phrases,)."""
    terms: dict[str, int]
    """The number of each term."""
    weights: Floats
    """The rarity of each term among the lines, shape (terms,)."""
    starts: Integers
    """Where in ``holders`` the phrases that hold a term begin, shape (terms + 1,)."""
    holders: Integers


def written(language: str) -> list[tuple[str, tuple[str, ...], str]]:
    """The lines of a language as they are in the package: law, articles, phrases; none where it has no index."""
    file = resources.files("benchbar.retrieval") / FOLDER / f"{language}.tsv"
    rows = [line.split("\t") for line in file.read_text("utf-8").splitlines()] if file.is_file() else []
    return [(law, tuple(articles.split(",")), phrases) for law, articles, phrases in rows]


@cache
def _lines(language: str) -> _Lines:
    rows = written(language)
    laws = tuple(law_key(law) for law, _, _ in rows)
    return _Lines(laws, tuple(articles for _, articles, _ in rows), compiled([phrases for _, _, phrases in rows]))


_TYPES = {"line_of": "<i8", "whole": "<f4", "weights": "<f4", "starts": "<i8", "holders": "<i8"}


def compiled(lines: list[str]) -> Phrases:
    """The phrases of all lines with their terms, which take a second to find and are kept."""
    key = hashlib.sha256("\n".join(lines).encode())
    for module in (tokens, sys.modules[__name__]):
        key.update(Path(str(module.__file__)).read_bytes())
    found = kept("subjects", key.hexdigest())
    if found is None:
        made = _made(lines)
        found = {name: getattr(made, name).astype(kind).tobytes() for name, kind in _TYPES.items()}
        found["terms"] = list(made.terms)
        keep("subjects", key.hexdigest(), found)
    arrays = {name: np.frombuffer(found[name], dtype=kind) for name, kind in _TYPES.items()}
    return Phrases(terms={term: number for number, term in enumerate(found["terms"])}, **arrays)


def _made(lines: list[str]) -> Phrases:
    parts = [
        (place, _phrase_terms(one)) for place, phrases in enumerate(lines) for one in _PHRASE.split(phrases) if one
    ]
    known: dict[str, set[int]] = defaultdict(set)
    found: dict[str, list[int]] = defaultdict(list)
    for number, (place, terms) in enumerate(parts):
        # Sorted, since the order of a set is another one in every process.
        for term in sorted(terms):
            known[term].add(place)
            found[term].append(number)
    weights = {term: float(np.log(1 + len(lines) / (1 + len(places)))) for term, places in known.items()}
    return Phrases(
        np.array([place for place, _ in parts], dtype=np.int64),
        np.array([sum(map(weights.__getitem__, sorted(terms))) for _, terms in parts], dtype=np.float32),
        {term: number for number, term in enumerate(found)},
        np.array(list(weights.values()), dtype=np.float32),
        np.cumsum([0, *map(len, found.values())], dtype=np.int64),
        np.array([one for places in found.values() for one in places], dtype=np.int64),
    )


# The lines are compiled alone and among those for other laws: the second time their terms are known.
@lru_cache(maxsize=1 << 17)
def _phrase_terms(phrase: str) -> frozenset[str]:
    return terms_of(phrase)


def terms_of(text: str) -> frozenset[str]:
    """Characters and pairs of them in Chinese, stems and beginnings of words where words are spaced."""
    unigrams, bigrams = grams(text)
    return frozenset([*unigrams, *bigrams] if _HAN.search(text) else [*unigrams, *prefixes(text)])


@lru_cache(maxsize=64)
def matched(question: str, language: str) -> Matched:
    """How well each line of a language knows a question: the rarity of what it says of each phrase, the more of it the more."""
    lines = _lines(language)
    return Matched(*weighed(question, lines.phrases, len(lines.laws)))


def weighed(question: str, phrases: Phrases, lines: int) -> tuple[Floats, Floats]:
    """What the few best phrases of each line say of a question, and what the best one does, each of shape (lines,).

    Of all phrases a line with many of them would know every question.
    """
    said = np.zeros(len(phrases.whole), dtype=np.float32)
    for number in sorted(phrases.terms[term] for term in terms_of(question) if term in phrases.terms):
        said[phrases.holders[phrases.starts[number] : phrases.starts[number + 1]]] += phrases.weights[number]
    met = np.flatnonzero(said)
    scores = said[met] * np.sqrt(said[met] / phrases.whole[met])
    order = np.lexsort((-scores, phrases.line_of[met]))
    scores, line_of = scores[order], phrases.line_of[met][order]
    first = np.flatnonzero(np.diff(line_of, prepend=-1))
    place = np.arange(len(line_of)) - np.repeat(first, np.diff(first, append=len(line_of)))
    sums, best = (np.zeros(lines, dtype=np.float32) for _ in range(2))
    np.add.at(sums, line_of[place < _COUNTED], scores[place < _COUNTED])
    best[line_of[first]] = scores[first]
    return sums, best


class _Held(NamedTuple):
    """What a store holds of the index, as pairs."""

    passages: Integers
    lines: Integers


# A store does not change, and reading its articles takes longer than a search.
_HELD: WeakKeyDictionary[Store, _Held] = WeakKeyDictionary()


def held(store: Store) -> _Held:
    """Which passages belong to which lines."""
    if store not in _HELD:
        pairs = sorted(_pairs(store))
        _HELD[store] = _Held(*(np.array([pair[side] for pair in pairs], dtype=np.int64) for side in (0, 1)))
    return _HELD[store]


def _pairs(store: Store) -> set[tuple[int, int]]:
    lines, own = _lines(store.language), _own_terms(store.language)
    wanted: dict[LawKey, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for place, (law, articles) in enumerate(zip(lines.laws, lines.articles, strict=True)):
        for article in articles:
            wanted[law][article].append(place)
    places: dict[tuple[LawKey, str, int], list[int]] = defaultdict(list)
    for law, group, positions in laws_of(store):
        for position in positions if law in wanted else ():
            piece = store.passages[position]
            places[law, f"{piece.article}.{piece.sub}" if piece.sub else piece.article, group].append(position)
    found = set()
    for (law, article, _), positions in places.items():
        if article in wanted[law] and _stands(own.get((law, article), ()), (store.passages[one] for one in positions)):
            found |= {(position, line) for position in positions for line in wanted[law][article]}
    return found


def laws_of(store: Store) -> Iterable[tuple[LawKey, int, list[int]]]:
    """The key of each law of a store, its number and its passages."""
    if not len(store.passages):
        return
    order = np.argsort(store.group, kind="stable")
    starts = np.flatnonzero(np.diff(store.group[order], prepend=-1))
    for number, positions in enumerate(np.split(order, starts[1:])):
        yield _plain(store.passages[int(positions[0])].law), number, positions.tolist()


def _plain(law: str) -> LawKey:
    """The key of a law by its name; the parts of a code are one law."""
    return law_key(re.sub(r"\s*\((?:часть|part)[^()]*\)", "", law))


def _stands(own: Iterable[str], pieces: Iterable[object]) -> bool:
    terms = list(own)
    text = normalise(" ".join(f"{piece.title} {piece.text}" for piece in pieces))  # type: ignore[attr-defined]
    return bool(terms) and sum(term in text for term in terms) >= _STILL * len(terms)


@cache
def _own_terms(language: str) -> dict[tuple[LawKey, str], tuple[str, ...]]:
    """The terms of each article that the index names, as they stood in it."""
    file = resources.files("benchbar.retrieval") / FOLDER / f"{language}_articles.tsv"
    rows = [line.split("\t") for line in file.read_text("utf-8").splitlines()] if file.is_file() else []
    return {(law_key(law), article): tuple(terms.split()) for law, article, terms in rows}


def subject_scores(store: Store, question: str) -> Floats:
    """How well the best line of each passage knows a question, shape (passages,); 0 for passages without a line."""
    return _spread(store, matched(question, store.language).sums)


def _spread(store: Store, scores: Floats) -> Floats:
    spread = np.zeros(len(store.passages), dtype=np.float32)
    pairs = held(store)
    if len(pairs.lines):
        np.maximum.at(spread, pairs.passages, scores[pairs.lines])
    return spread


def subject_signals(store: Store, question: str, positions: Integers) -> list[Floats]:
    """What the index says of some passages and a question, in the order of ``SUBJECT_SIGNALS``, each of shape (positions,)."""
    found = matched(question, store.language)
    sums, best = _spread(store, found.sums), _spread(store, found.best)
    place = np.empty(len(sums), dtype=np.int64)
    place[np.argsort(-sums, kind="stable")] = np.arange(1, len(sums) + 1)
    own = sums[positions]
    return [
        own / max(float(sums.max(initial=0)), 1e-9),
        best[positions] / max(float(best.max(initial=0)), 1e-9),
        np.log1p(own),
        # Of all laws of the index, whether they are here or not: a question of another one has its best line there.
        own / max(float(found.sums.max(initial=0)), 1e-9),
        np.where(own > 0, 1 / place[positions], 0),
    ]


def is_indexed(store: Store) -> bool:
    """Whether most of a store is law that the index knows: of other law it cannot say what is held elsewhere."""
    known = np.unique(store.group[held(store).passages])
    return bool(len(store.passages)) and float(np.isin(store.group, known).mean()) >= _MOST


def store_subject_signals(store: Store, question: str) -> list[float]:
    """What the index says of a question and a whole store, in the order of ``STORE_SUBJECT_SIGNALS``.

    The best line of a law that is here, the best of one that is not, how far the first is ahead of the second, and its share of both; what
    share of the ten best lines is here, the same by their best phrases, and how far the best line here is ahead of the next one here.
    """
    found = matched(question, store.language)
    here = np.zeros(len(found.sums), dtype=bool)
    here[held(store).lines] = True
    own, other = (float(found.sums[side].max(initial=0)) for side in (here, ~here))
    first, second = np.sort(np.concatenate([found.sums[here], [0.0, 0.0]]))[:-3:-1]
    return [
        float(np.log1p(own)),
        float(np.log1p(other)),
        own - other,
        own / max(own + other, 1e-9),
        _held_share(found.sums, here),
        _held_share(found.best, here),
        float(first - second),
    ]


def _held_share(scores: Floats, here: Floats) -> float:
    best = np.argsort(-scores, kind="stable")[:_FIRST]
    return float(scores[best][here[best]].sum()) / max(float(scores[best].sum()), 1e-9)
