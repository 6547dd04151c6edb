"""The second ordering of the default retriever: its first passages, told apart by what a score of words cannot say.

Words find the right article but put those of special cases before it: asked how long one may wait with an inheritance, the
articles that name heirs, notaries and flats come first. So the first passages are weighed once more: how much of each matter of
the question a passage holds (`terms/*.tsv`, each line by itself and not all terms in one bag), what of its heading nobody asked
about, and whether it states what was asked for: a time limit, an amount, a definition, a penalty, a procedure, a right. Vectors of words
(the word table of multilingual-e5-small) were tried as a further signal and ordered no question better.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from benchbar.languages.packs import any_of
from benchbar.records import decode
from benchbar.records.errors import BadInputError
from benchbar.retrieval.expansion import SENTENCE, Concept, concepts
from benchbar.retrieval.learned import LogisticWeights, candidates
from benchbar.retrieval.passages import LEAST_PASSAGES
from benchbar.retrieval.subject_index import SUBJECT_SIGNALS, subject_scores, subject_signals
from benchbar.retrieval.tokens import PREFIX, grams, prefixes, words
from benchbar.retrieval.weighting import bm25, coverage, rarity

if TYPE_CHECKING:
    from benchbar.records import Piece
    from benchbar.retrieval.postings import Floats, Integers, Postings
    from benchbar.retrieval.store import Store

DEPTH = 50
"""How many passages are ordered anew: of questions that are answered below the fifth place most are above the twentieth."""
_BY_OTHERS = 30
"""How many passages the subject index adds to them, and the cosine of an embedding model where all passages have a vector."""
KINDS = ("deadline", "amount", "definition", "right", "penalty", "procedure")
"""What a question may ask for; keys of ``patterns.toml`` under ``provision``."""
SIGNALS = (
    "first", "unigrams", "bigrams", "words", "prefixes", "best_sentence", "last_sentence",
    "concepts", "rarest_concept", "whole_concepts", "longest_concept", "headed_concepts", "heading_known", "heading_unknown",
    *(f"{kind}_stated" for kind in KINDS), *(f"{kind}_headed" for kind in KINDS),
    "log_length", "heading_length", "first_piece", *SUBJECT_SIGNALS,
)  # fmt: skip
MOST_PASSAGES = 20_000
"""Of the largest store that the weights of usual stores were fitted on there are 10,681 passages. Over 56,226 passages of Chinese law they put .065 of LawBench's
questions 3-2 out of the first five: what tells articles apart there is their law, which the first order weighs. Such stores have weights of their own."""
_WHOLE = 0.95
_LEAST_CHANCE = 1e-6


@cache
def shipped_ordering(language: str, *, large: bool = False) -> LogisticWeights | None:
    """The weights over ``SIGNALS`` that come with this package for a language, or for its large stores; None where none were fitted.

    Raises:
        BadInputError: the file is for other signals.
    """
    file = resources.files("benchbar.retrieval") / "weights" / f"ordering_{'large_' if large else ''}{language}.json"
    if not file.is_file():
        return None
    weights = decode(file.read_bytes(), LogisticWeights, file=str(file))
    if weights.features != SIGNALS:
        raise BadInputError("these weights are for other signals; run scripts/fit_ordering.py", file=str(file))
    return weights


def ordering_of(store: Store) -> LogisticWeights | None:
    """The weights for a store; None for one of a few acts, where a heading says nothing, and where none were fitted for so many passages."""
    if len(store.passages) < LEAST_PASSAGES:
        return None
    return shipped_ordering(store.language, large=is_large(store))


def is_large(store: Store) -> bool:
    """Whether a store is about all the law there is, so that what was fitted on codes does not hold for it."""
    return len(store.passages) > MOST_PASSAGES


class Ranked(NamedTuple):
    """Passages with their probabilities by the first regression, the most probable first."""

    positions: Integers
    chances: Floats
    first: int
    """How many of them are ordered anew: the most probable, and those that the subject index puts first."""


def ranked(store: Store, question: str, weights: LogisticWeights, drawn_by: Floats | None = None) -> Ranked:
    """The candidates of a question; those that are ordered anew stand before the others.

    Args:
        store: the passages and their counts.
        question: as it was put.
        weights: the first regression.
        drawn_by: one more score of every passage, of which the best are ordered anew as well.
    """
    scores = [subject_scores(store, question), *([] if drawn_by is None else [drawn_by])]
    drawn = candidates(store, question, drawn_by=scores, further=weights.further)
    chances = weights.probabilities(drawn.features)
    order = np.argsort(-chances, kind="stable")
    wanted = order < 0
    wanted[:DEPTH] = True
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    for own in (one[drawn.positions] for one in scores):
        wanted[place[[one for one in np.argsort(-own, kind="stable")[:_BY_OTHERS] if own[one] > 0]]] = True
    order = np.concatenate([order[wanted], order[~wanted]])
    return Ranked(drawn.positions[order], chances[order], int(wanted.sum()))


class Ordered(NamedTuple):
    """Passages in the second order, then those that are not ordered anew in the first one."""

    positions: Integers
    chances: Floats
    """By the first regression, shape (passages,)."""
    second: Floats
    """By the second one, of those that are ordered anew, shape (first,)."""


def ordered(
    store: Store, question: str, weights: LogisticWeights, again: LogisticWeights, drawn_by: Floats | None = None
) -> Ordered:
    """The candidates of a question as both regressions order them.

    Args:
        store: the passages and their counts.
        question: as it was put.
        weights: the first regression.
        again: the second, over ``SIGNALS``.
        drawn_by: one more score of every passage, of which the best are ordered anew as well.
    """
    found = ranked(store, question, weights, drawn_by)
    values = signals(store, question, found.positions[: found.first], found.chances[: found.first])
    second = again.probabilities(values)
    order = np.argsort(-second, kind="stable")
    return Ordered(
        np.concatenate([found.positions[: found.first][order], found.positions[found.first :]]),
        np.concatenate([found.chances[: found.first][order], found.chances[found.first :]]),
        second[order],
    )


def signals(store: Store, question: str, positions: Integers, chances: Floats) -> Floats:
    """What is known of each of a question's first passages, shape (passages, signals).

    Args:
        store: the passages and their counts.
        question: as it was put.
        positions: the passages, best first.
        chances: their probabilities by the first regression.
    """
    pieces = [store.passages[int(place)] for place in positions]
    called = concepts(question, store.language)
    kept = np.clip(chances, _LEAST_CHANCE, 1 - _LEAST_CHANCE)
    columns = [
        np.log(kept / (1 - kept)),
        *_by_words(store, question, positions),
        *_by_concepts(store, called, positions),
        *_by_heading(store, question, called, pieces),
        *_by_kind(question, pieces),
        np.log([max(len(piece.text), 1) for piece in pieces]),
        np.log1p([len(piece.title) for piece in pieces]),
        np.array([piece.number == 1 for piece in pieces]),
        *subject_signals(store, question, positions),
    ]
    return np.stack(columns, axis=1).astype(np.float32)


def _by_words(store: Store, question: str, positions: Integers) -> list[Floats]:
    """Each ranking by words, and the rankings of the sentences: facts and question are mostly told apart by a full stop."""
    unigrams, bigrams = grams(question)
    sentences = [
        _relative(store.characters, [term for terms in grams(sentence) for term in terms], positions)
        for sentence in SENTENCE.split(question)
        if sentence.strip()
    ] or [np.zeros(len(positions))]
    return [
        _relative(store.characters, unigrams, positions),
        _relative(store.characters, bigrams, positions),
        _relative(store.words, words(question), positions),
        _relative(store.prefixes, prefixes(question), positions),
        np.max(sentences, axis=0),
        sentences[-1],
    ]


def _relative(postings: Postings, terms: Sequence[str], positions: Integers) -> Floats:
    scores = bm25(postings, postings.match(terms))
    return scores[positions] / max(float(scores.max(initial=0)), 1e-9)


def _by_concepts(store: Store, called: list[Concept], positions: Integers) -> list[Floats]:
    """How much of each concept the passages hold, the rarer the concept the more it counts."""
    total = 1e-9
    mean, rarest, whole, longest, headed = (np.zeros(len(positions)) for _ in range(5))
    for concept in called:
        unigrams, bigrams = (list(dict.fromkeys(terms)) for terms in grams(concept.terms))
        held = _held(store.characters, unigrams) + _held(store.characters, bigrams)
        best = max(float(held.max(initial=0)), 1e-6)
        # "Employer" stands in every second article of a labour code and tells little; "pregnant" stands in ten.
        rare = -float(np.log(max(float(np.mean(held >= _COMMON * best)), 1 / len(held))))
        share, heading = held[positions] / best, _held(store.titles, unigrams)
        mean += rare * share
        rarest = np.maximum(rarest, rare * share)
        whole += rare * (share >= _WHOLE)
        longest = np.maximum(longest, concept.parts * share)
        headed += rare * heading[positions] / max(float(heading.max(initial=0)), 1e-6)
        total += rare
    return [mean / total, rarest, whole / total, longest, headed / total]


_COMMON = 0.6
"""Share of the best passage's cover from which another one counts as about the same matter."""


def _held(postings: Postings, terms: Sequence[str]) -> Floats:
    return coverage(postings, postings.match(terms))


def _by_heading(store: Store, question: str, called: list[Concept], pieces: list[Piece]) -> list[Floats]:
    """Share of each heading, by rarity, that the question or its terms of law say, and how rare the rest is."""
    told = f"{question} {' '.join(concept.terms for concept in called)}"
    said = {*grams(told)[0], *prefixes(told)}
    headings = [list(dict.fromkeys(grams(piece.title)[0])) for piece in pieces]
    rare = rarity(store.titles, [stem for heading in headings for stem in heading])
    known = np.array([sum(rare[stem] for stem in one if stem in said or stem[:PREFIX] in said) for one in headings])
    whole = np.array([sum(rare[stem] for stem in one) for one in headings])
    return [known / np.maximum(whole, 1e-6), whole - known]


def _by_kind(question: str, pieces: list[Piece]) -> list[Floats]:
    """For each kind that is asked for, how often a passage states it, and whether its heading does; 0 for the others."""
    asked = [pattern("asked", kind).search(question) is not None for kind in KINDS]

    def columns(found: Callable[[str, Piece], float]) -> list[Floats]:
        return [
            np.array([found(kind, piece) for piece in pieces]) if wanted else np.zeros(len(pieces))
            for kind, wanted in zip(KINDS, asked, strict=True)
        ]

    return [
        *columns(lambda kind, piece: float(np.log1p(len(pattern("stated", kind).findall(piece.text))))),
        *columns(lambda kind, piece: float(pattern("headed", kind).search(piece.title) is not None)),
    ]


@cache
def pattern(where: str, kind: str) -> re.Pattern[str]:
    """How a kind is ``asked`` for in a question, ``stated`` in an article, or ``headed`` in its heading."""
    return re.compile(any_of(f"provision.{kind}_{where}"), re.IGNORECASE)
