"""Scores of every passage for one query: BM25, TF-IDF cosine, coverage.

BM25 as in Robertson and Zaragoza (2009), "The Probabilistic Relevance Framework: BM25 and Beyond", with the idf that
Lucene uses, which is never negative.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchbar.retrieval.postings import SATURATION, Floats, Matches, Postings

# A frequency is one byte, so that there are 256 logarithms to know.
_DAMPED = (1 + np.log(np.maximum(np.arange(256), 1))).astype(np.float32)
"""1 + ln(frequency), for every frequency that is kept."""


def bm25(postings: Postings, found: Matches) -> Floats:
    """BM25 of every passage, shape (passages,), not negative."""
    share = lucene_idf(postings.size, found.counts) * found.repeats * (SATURATION + 1)
    frequency = found.frequencies.astype(np.float32)
    per_passage = frequency + postings.length_penalty[found.passages]
    return _add_up(postings, found, np.repeat(share, found.counts) * frequency / per_passage)


def tfidf_dot(postings: Postings, found: Matches) -> Floats:
    """Product of the query's and every passage's TF-IDF weights, shape (passages,): not yet divided by the norms."""
    share = inverse_document_frequency(postings.size, found.counts) ** 2 * (1 + np.log(found.repeats))
    return _add_up(postings, found, np.repeat(share.astype(np.float32), found.counts) * _DAMPED[found.frequencies])


# Known terms alone: a word that the corpus lacks is familiarity's matter.
def coverage(postings: Postings, found: Matches) -> Floats:
    """Share of the known query terms, weighted by rarity, that every passage holds: shape (passages,), 0 to 1."""
    rarity = np.log(1 + postings.size / np.maximum(found.counts, 1)).astype(np.float32)
    return _add_up(postings, found, np.repeat(rarity, found.counts)) / max(float(rarity.sum()), 1e-9)


def inverse_document_frequency(size: int, counts: NDArray[Any]) -> NDArray[Any]:
    """The smooth idf of TF-IDF: ln((1 + N) / (1 + df)) + 1."""
    return np.log((1 + size) / (1 + counts)) + 1


def tfidf_norms(postings: Postings) -> Floats:
    """Euclidean length of every passage's TF-IDF vector, shape (passages,)."""
    counts = np.diff(postings.starts)
    weights = np.repeat(inverse_document_frequency(postings.size, counts), counts) * _DAMPED[postings.frequencies]
    return np.sqrt(np.bincount(postings.passages, weights**2, minlength=postings.size)).astype(np.float32)


def lucene_idf(size: int, counts: NDArray[Any]) -> Floats:
    """ln(1 + (N - df + 1/2) / (df + 1/2)), never negative."""
    return np.log1p((size - counts + 0.5) / (counts + 0.5)).astype(np.float32)


def rarity(postings: Postings, terms: Iterable[str]) -> dict[str, float]:
    """The idf of each term; one that the index does not know is the rarest."""
    distinct = list(dict.fromkeys(terms))
    counts = postings.counted(distinct)
    return dict(zip(distinct, lucene_idf(postings.size, counts).tolist(), strict=True))


def _add_up(postings: Postings, found: Matches, weights: Floats) -> Floats:
    return np.bincount(found.passages, weights, minlength=postings.size).astype(np.float32)
