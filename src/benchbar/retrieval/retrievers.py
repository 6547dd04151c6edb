"""The role of a retriever, and those that need nothing but a store's own counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from benchbar.languages.overlap import shingles
from benchbar.retrieval.diversity import LazyRows, Rows
from benchbar.retrieval.embedders import Embedder
from benchbar.retrieval.learned import LogisticWeights, best, candidates, fitted_for, shipped_weights
from benchbar.retrieval.ordering import ordered, ordering_of
from benchbar.retrieval.postings import SATURATION, Floats, Matches, Postings
from benchbar.retrieval.store import Store
from benchbar.retrieval.tokens import grams
from benchbar.retrieval.vectors import VectorIndex
from benchbar.retrieval.weighting import bm25, inverse_document_frequency, lucene_idf, tfidf_dot


class Found(NamedTuple):
    """A passage of a store by its position, with a score from 0 to 1 (cosines: -1 to 1)."""

    position: int
    score: float


@runtime_checkable
class Retriever(Protocol):
    """Ranks the passages of one store."""

    def search(self, queries: Sequence[str], k: int) -> list[list[Found]]:
        """For each query up to k passages, best first; a passage without anything in common is left out."""
        ...

    def similarity(self, positions: Sequence[int]) -> Rows:
        """How alike these passages are: n rows of n, on the scale of the scores; an array, or rows worked out when asked for."""
        ...


@runtime_checkable
class Prepared(Protocol):
    """A retriever that has to ask somebody before it can search."""

    async def prepare(self, queries: Sequence[str]) -> None:
        """Ask now, so that the search for these questions waits for nobody; raises ``ModelError``."""
        ...


class Learned:
    """The default: lexical and context features, weighed by a fitted logistic regression; scores are probabilities.

    In a large store the first passages are ordered once more (``retrieval.ordering``).
    """

    def __init__(
        self, store: Store, *, encoder: VectorRetriever | None = None, weights: LogisticWeights | None = None
    ) -> None:
        """With an ``encoder`` trained on the corpus, its cosine is one more feature."""
        if not fitted_for("learned_encoder", store.language):
            # The weights with the encoder know no terms of law, which are worth more than the encoder in other languages.
            encoder = None
        self._store, self._encoder = store, encoder
        # Two files of weights: with the encoder's cosine every other feature weighs something else.
        self._weights = weights or shipped_weights("learned" if encoder is None else "learned_encoder", store.language)
        # Fitted on the first probabilities as they come without an encoder or weights of one's own.
        self._ordering = None if encoder or weights else ordering_of(store)

    def search(self, queries: Sequence[str], k: int) -> list[list[Found]]:
        """The most probable passages."""
        return [self._one(query, k) for query in queries]

    def _one(self, query: str, k: int) -> list[Found]:
        if not len(self._store.passages):
            return []
        cosines = None if self._encoder is None else self._encoder.cosines(query)
        if self._ordering is None:
            drawn = candidates(self._store, query, cosines, further=self._weights.further)
            chances = self._weights.probabilities(drawn.features)
            order = np.argsort(-chances, kind="stable")[:k]
            return [Found(int(drawn.positions[one]), float(chances[one])) for one in order]
        found = ordered(self._store, query, self._weights, self._ordering)
        # The scores stay where they are: what a threshold means, and how many pass it, is the first regression's.
        scores = np.sort(found.chances)[::-1]
        return [Found(int(place), float(score)) for place, score in zip(found.positions[:k], scores[:k], strict=True)]

    def similarity(self, positions: Sequence[int]) -> Rows:
        """Cosine of the sets of character bigrams and words."""
        return text_similarity(self._store, positions)


class _OfPostings:
    """Searches the store's own postings of uni- and bigrams."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def search(self, queries: Sequence[str], k: int) -> list[list[Found]]:
        """The passages with the highest scores."""
        return [_top(self._scores(query), k) for query in queries]

    def _scores(self, query: str) -> Floats:
        raise NotImplementedError

    def similarity(self, positions: Sequence[int]) -> Rows:
        """Cosine of the sets of character bigrams and words."""
        return text_similarity(self._store, positions)


class Lexical(_OfPostings):
    """BM25 over uni- and bigrams; scores are shares of what a passage with every word of the query could reach."""

    def _scores(self, query: str) -> Floats:
        unigrams, bigrams = grams(query)
        terms = [*unigrams, *bigrams]
        postings = self._store.characters
        found = postings.match(terms)
        return bm25(postings, found) / np.float32(attainable(postings, found, len(terms)))


class TermFrequency(_OfPostings):
    """Cosine of TF-IDF weights over uni- and bigrams."""

    def _scores(self, query: str) -> Floats:
        unigrams, bigrams = grams(query)
        postings = self._store.characters
        found = postings.match([*unigrams, *bigrams])
        weights = inverse_document_frequency(postings.size, found.counts) * (1 + np.log(found.repeats))
        length = max(float(np.linalg.norm(weights)), 1e-9)
        return tfidf_dot(postings, found) / (np.maximum(self._store.norms, 1e-6) * np.float32(length))


class VectorRetriever:
    """Cosine of dense vectors, by whatever embeds texts and whatever keeps vectors."""

    def __init__(self, embedder: Embedder, index: VectorIndex) -> None:
        """The index holds the vector of each passage at the passage's position."""
        self._embedder, self._index = embedder, index

    def search(self, queries: Sequence[str], k: int) -> list[list[Found]]:
        """The passages with the highest cosine; all queries are embedded and searched at once."""
        if not queries:
            return []
        positions, scores = self._index.search(self._embedder.encode_queries(queries), k)
        return [
            list(map(Found._make, zip(row[:above], values, strict=False)))
            for row, values, above in zip(
                positions.tolist(), scores.tolist(), (scores > 0).sum(axis=1).tolist(), strict=True
            )
        ]

    def cosines(self, query: str) -> Floats:
        """The cosine of every passage, shape (passages,)."""
        return self._index.all_scores(self._embedder.encode_queries([query])[0])

    def similarity(self, positions: Sequence[int]) -> Rows:
        """Cosines of the passages' vectors."""
        vectors = self._index.vectors(positions)
        return LazyRows(len(vectors), lambda place: vectors @ vectors[place])


class Restricted:
    """Another retriever, of whose findings only some may be handed on: the law in force on a day."""

    def __init__(self, retriever: Retriever, allowed: NDArray[np.bool_]) -> None:
        """``allowed`` says for each position whether it may be found; shape (passages,)."""
        self._retriever, self._allowed = retriever, allowed
        self._most = len(allowed)

    async def prepare(self, queries: Sequence[str]) -> None:
        """As the other retriever does."""
        if isinstance(self._retriever, Prepared):
            await self._retriever.prepare(queries)

    def search(self, queries: Sequence[str], k: int) -> list[list[Found]]:
        """Up to k allowed passages for each query; more are fetched until there are enough or no more."""
        fetch = min(self._most, 2 * k + 20)
        while True:
            rankings = self._retriever.search(queries, fetch)
            kept = [[found for found in ranking if self._allowed[found.position]] for ranking in rankings]
            # Only a ranking that came back full can have more behind it.
            short = any(len(own) < k and len(all_) == fetch for own, all_ in zip(kept, rankings, strict=True))
            if not short or fetch >= self._most:
                return [ranking[:k] for ranking in kept]
            fetch = min(self._most, 4 * fetch)

    def similarity(self, positions: Sequence[int]) -> Rows:
        """As the other retriever has it."""
        return self._retriever.similarity(positions)


def attainable(postings: Postings, found: Matches, terms: int) -> float:
    """The least upper bound of the BM25 of so many terms, of which these were found; one not known counts as the rarest."""
    # An unknown term could have been anything rare: the bound stays above every reachable score.
    unknown = terms - float(found.repeats.sum())
    known = float((lucene_idf(postings.size, found.counts) * found.repeats).sum())
    return max((known + unknown * float(lucene_idf(postings.size, np.zeros(())))) * (SATURATION + 1), 1e-9)


def text_similarity(store: Store, positions: Sequence[int]) -> Rows:
    """Cosines of the passages' sets of character bigrams and words: n rows of n."""
    sets = [shingles(store.passages[position].text) for position in positions]

    def row(place: int) -> list[float]:
        own = sets[place]
        return [
            # Exactly 1 with itself; rounding of the root would give .9999.
            1.0 if i == place else len(own & other) / max((len(own) * len(other)) ** 0.5, 1.0)
            for i, other in enumerate(sets)
        ]

    return LazyRows(len(sets), row)


def _top(scores: Floats, k: int) -> list[Found]:
    return [Found(int(position), float(scores[position])) for position in best(scores, k)]
