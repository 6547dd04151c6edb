"""The default retriever: lexical and context features, weighed by a logistic regression of a few numbers.

What a question asks is often said not in one article alone but in its neighbours and its law; so beside how well an
article itself matches, it counts how well the two before and after it do, and how well its law does.
The weights were fitted by ``scripts/fit_retriever.py``; they are a file of kilobytes in this package.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import resources
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchbar.languages.packs import pack
from benchbar.records import Record, decode
from benchbar.records.errors import BadInputError
from benchbar.retrieval.expansion import legal_terms
from benchbar.retrieval.postings import Floats, Integers
from benchbar.retrieval.store import Store
from benchbar.retrieval.tokens import grams, prefixes, words
from benchbar.retrieval.weighting import bm25, coverage, tfidf_dot

DEPTH = 300
# Beyond some hundred candidates recall grows little and the time in proportion.
"""How many of the best passages of each ranking become candidates."""
NEIGHBOUR_SHARE = 0.3
"""How much of its neighbours' scores is added to a passage's own when candidates are drawn."""
REACH = 2
"""How many passages before and after are neighbours."""

FEATURES = (
    "bm25", "tfidf", "words", "unigram_coverage", "bigram_coverage",
    "neighbours", "group_bm25",
    "log_length", "log_group_size", "interpretation", "regulation",
)  # fmt: skip
"""What every set of weights weighs."""
FURTHER = ("prefix", "terms", "with_terms", "title")
"""What only some do: beginnings of words, the terms of law for what was said, and both with the question; headings."""


class LogisticWeights(Record, frozen=True):
    """A fitted logistic regression over standardised features."""

    version: str
    features: tuple[str, ...]
    means: tuple[float, ...]
    scales: tuple[float, ...]
    coefficients: tuple[float, ...]
    intercept: float
    fitted_on: str = ""

    @property
    def further(self) -> tuple[str, ...]:
        """The features of ``FURTHER`` that it weighs, in their order."""
        return tuple(name for name in FURTHER if name in self.features)

    def probabilities(self, values: Floats) -> Floats:
        """The fitted probability that each row is relevant; ``values`` has shape (rows, features)."""
        standardised = (values - np.array(self.means)) / np.array(self.scales)
        logits = standardised @ np.array(self.coefficients) + self.intercept
        return np.asarray(1 / (1 + np.exp(-logits)), dtype=np.float32)


class Candidates(NamedTuple):
    """Passages worth weighing for one query."""

    positions: Integers
    features: Floats
    """Shape (candidates, features), in the order of ``FEATURES``, then those asked for."""


@cache
def shipped_weights(name: str = "learned", language: str = "zh") -> LogisticWeights:
    """The weights that come with this package for passages in a language; where it has none, those of another one."""
    folder = resources.files("benchbar.retrieval") / "weights"
    # Russian ones stand in for other languages with spaces: they weigh headings and beginnings of words, which Chinese has not.
    # So they did for English, until it had its own: on 27 questions 14 had a right article in five, with Chinese ones 12.
    names = [f"{name}_{language}.json", *([f"{name}_ru.json"] if pack(language).about.spaces else []), f"{name}.json"]
    file = next(file for one in names if (file := folder / one).is_file())
    weights = decode(file.read_bytes(), LogisticWeights, file=str(file))
    if weights.features[: len(FEATURES)] != FEATURES:
        # The weights belong to columns by place: other features would be weighed by wrong numbers without an
        # error.
        raise BadInputError("these weights are for other features; run scripts/fit_retriever.py", file=str(file))
    return weights


def fitted_for(name: str, language: str) -> bool:
    """Whether weights of this name were fitted on questions in a language, and are not those of Chinese."""
    folder = resources.files("benchbar.retrieval") / "weights"
    return language == "zh" or (folder / f"{name}_{language}.json").is_file()


def candidates(
    store: Store,
    query: str,
    extra: Floats | None = None,
    *,
    drawn_by: Sequence[Floats] = (),
    further: Sequence[str] = (),
) -> Candidates:
    """The passages that some ranking puts high, with their features.

    Args:
        store: the passages and their counts.
        query: the question.
        extra: one more score of every passage, shape (passages,), that draws candidates and becomes the last feature.
        drawn_by: scores of every passage that draw candidates and are no features.
        further: names of ``FURTHER``; each draws candidates and is a column before the extra one.
    """
    unigrams, bigrams = grams(query)
    one, two = store.characters.match(unigrams), store.characters.match(bigrams)
    # Each ranking finds what others miss: pairs of characters the wording, words the dictionary's sense,
    # neighbours the context.
    pairs = bm25(store.characters, two)
    own = bm25(store.characters, one) + pairs
    cosine = (tfidf_dot(store.characters, one) + tfidf_dot(store.characters, two)) / np.maximum(store.norms, 1e-6)
    by_words = bm25(store.words, store.words.match(words(query)))
    around = neighbour_sums(own, store.group)
    beyond = _further(store, query, [*unigrams, *bigrams], own, further)
    more = [*beyond, *drawn_by, *([] if extra is None else [extra])]
    rankings = [own, pairs, cosine, by_words, own + NEIGHBOUR_SHARE * around, *more]
    positions = np.unique(np.concatenate([best(scores, DEPTH) for scores in rankings]))
    whole = bm25(store.groups, store.groups.match([*unigrams, *bigrams]))
    group, rank = store.group[positions], store.rank[positions]
    columns = [
        # Relative to the best of this query: absolute scores of BM25 grow with the length of the question.
        _relative(own)[positions],
        _relative(cosine)[positions],
        _relative(by_words)[positions],
        coverage(store.characters, one)[positions],
        coverage(store.characters, two)[positions],
        _relative(around)[positions],
        _relative(whole)[group],
        np.log1p(store.characters.lengths[positions]),
        np.log(store.group_sizes[group]),
        # Kind of law as two columns: interpretations and regulations answer other questions than statutes do.
        rank == 1,
        # What the ranks mean: rank_of_law.
        rank == 2,
        *(_relative(scores)[positions] for scores in beyond),
        *([] if extra is None else [extra[positions]]),
    ]
    return Candidates(positions, np.stack(columns, axis=1).astype(np.float32))


def _further(store: Store, query: str, terms: list[str], own: Floats, wanted: Sequence[str]) -> list[Floats]:
    """Scores of every passage for the features wanted beyond the usual ones, in the order of ``FURTHER``."""
    if not wanted:
        return []
    unigrams, bigrams = grams(legal_terms(query, store.language))
    # Once each: two everyday words that mean one term do not make it twice as important.
    added = [*dict.fromkeys(unigrams), *dict.fromkeys(bigrams)]
    by_terms = bm25(store.characters, store.characters.match(added))
    scores: dict[str, Callable[[], Floats]] = {
        "prefix": lambda: bm25(store.prefixes, store.prefixes.match(prefixes(query))),
        "terms": lambda: by_terms,
        "with_terms": lambda: own + by_terms,
        "title": lambda: bm25(store.titles, store.titles.match([*terms, *added])),
    }
    return [scores[name]() for name in FURTHER if name in wanted]


def neighbour_sums(scores: Floats, group: NDArray[np.int32]) -> Floats:
    """For every passage, the scores of the passages next to it in the same group, summed; shape (passages,)."""
    sums = np.zeros_like(scores)
    for distance in range(1, min(REACH, len(scores) - 1) + 1):
        same = group[distance:] == group[:-distance]
        sums[distance:] += np.where(same, scores[:-distance], 0)
        sums[:-distance] += np.where(same, scores[distance:], 0)
    return sums


def best(scores: Floats, k: int) -> Integers:
    """Positions of the k highest scores above zero, highest first; equal scores in the order of the passages."""
    # partition finds the k-th score in linear time; ties with it are all kept and then sorted stably.
    if k < len(scores):
        least = -np.partition(-scores, k - 1)[k - 1]
        positions = np.flatnonzero(scores >= max(least, np.finfo(np.float32).tiny))
    else:
        positions = np.flatnonzero(scores > 0)
    return positions[np.argsort(-scores[positions], kind="stable")][:k]


def _relative(scores: Floats) -> Floats:
    return scores / max(float(scores.max(initial=0)), 1e-9)
