"""The retriever ``embeddings``: lexical and context features with the cosine of an endpoint's vectors, by one regression."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from benchbar.records.errors import BadInputError
from benchbar.retrieval.diversity import LazyRows, Rows
from benchbar.retrieval.embedding import EndpointEmbedder
from benchbar.retrieval.kept_vectors import KeptVectors
from benchbar.retrieval.learned import Candidates, LogisticWeights, candidates, shipped_weights
from benchbar.retrieval.postings import Floats, Integers
from benchbar.retrieval.retrievers import Found, text_similarity
from benchbar.retrieval.store import Store

REFERENCE = 30
"""How many of a question's lexically best passages say what a usual cosine is for it."""

_AT_ONCE = 8
"""Batches in flight while a corpus is embedded; what they bring is written before the next ones are sent."""


class Embedded:
    """Orders a question's lexical candidates, or its first ones, by lexical features and the cosine together."""

    def __init__(
        self,
        store: Store,
        embedder: EndpointEmbedder,
        kept: KeptVectors,
        *,
        lexical: LogisticWeights | None = None,
        weights: LogisticWeights | None = None,
    ) -> None:
        """``lexical`` weighs without the cosine, ``weights`` with it; left out, those shipped for the store's language."""
        self._store, self._embedder, self._kept = store, embedder, kept
        self._lexical = lexical or shipped_weights("learned", store.language)
        self._weights = weights or shipped_weights("embeddings", store.language)
        if self._weights.features[:-1] != self._lexical.features:
            # One table of features serves both regressions: the second adds its column to the rows of the first.
            raise BadInputError("the weights with the cosine are for other features than those without it")
        self._rerank = embedder.settings.rerank

    async def prepare(self, queries: Sequence[str]) -> None:
        """Have the vectors fetched that a search for these questions needs, without keeping anybody waiting for them.

        Raises:
            ModelError: the endpoint does not give them.
        """
        if not self._rerank:
            await self.embed_all()
            await self._embedder.fetch(queries, [])
            return
        positions = {one for query in queries for one in self._needed(self._lexically(query))}
        missing = self._kept.missing(sorted(positions))
        await self._embedder.fetch(queries, [self._store.passages[one].text for one in missing])

    def search(self, queries: Sequence[str], k: int) -> list[list[Found]]:
        """The most probable passages; where only the first are ordered anew, the others follow as words order them."""
        if not queries or not len(self._store.passages):
            return [[] for _ in queries]
        vectors = self._embedder.encode_queries(queries)
        return [self._one(query, vector, k) for query, vector in zip(queries, vectors, strict=True)]

    def _one(self, query: str, vector: Floats, k: int) -> list[Found]:
        if self._rerank:
            ranked = self._lexically(query)
            cosines = self._cosines(self._needed(ranked), vector)
        else:
            everywhere = np.asarray(self._all() @ vector, dtype=np.float32)
            ranked = self._lexically(query, everywhere)
            cosines = everywhere[ranked.positions]
        if not len(cosines):
            return []
        first = len(cosines)
        features = np.column_stack([ranked.features[:first], standing(cosines)])
        chances = self._weights.probabilities(features)
        order = np.argsort(-chances, kind="stable")
        found = [Found(int(ranked.positions[i]), float(chances[i])) for i in order]
        # What was not embedded stays below everything that was, in its own order and without a chance above theirs.
        least = min((one.score for one in found), default=0.0)
        rest = zip(ranked.positions[first:].tolist(), ranked.chances[first:].tolist(), strict=True)
        return [*found, *(Found(position, min(chance, least)) for position, chance in rest)][:k]

    def _lexically(self, query: str, cosines: Floats | None = None) -> _Ranked:
        drawn: Candidates = candidates(self._store, query, drawn_by=cosines, further=self._lexical.further)
        chances = self._lexical.probabilities(drawn.features)
        order = np.argsort(-chances, kind="stable")
        return _Ranked(drawn.positions[order], drawn.features[order], chances[order])

    def _needed(self, ranked: _Ranked) -> Integers:
        return ranked.positions[: self._rerank]

    def _cosines(self, positions: Integers, vector: Floats) -> Floats:
        if missing := self._kept.missing(positions):
            texts = [self._store.passages[one].text for one in missing]
            self._kept.put(missing, self._embedder.encode_passages(texts))
        return np.asarray(self._kept.vectors[positions] @ vector, dtype=np.float32)

    def _all(self) -> Floats:
        for part, texts in self._unknown():
            self._kept.put(part, self._embedder.encode_passages(texts))
        return self._kept.vectors

    async def embed_all(self, done: Callable[[int], None] = lambda _: None) -> None:
        """Embed every passage that is not yet; ``done`` is told how many were at each step.

        Raises:
            ModelError: the endpoint stopped answering; what was embedded is kept, and the next call goes on there.
        """
        for part, texts in self._unknown():
            await self._embedder.fetch([], texts)
            self._kept.put(part, self._embedder.encode_passages(texts))
            done(len(part))

    def without_vector(self) -> list[int]:
        """Positions of the passages that are not embedded yet."""
        return self._kept.missing(np.arange(len(self._store.passages)))

    def _unknown(self) -> Iterator[tuple[list[int], list[str]]]:
        """Positions and texts of the passages without a vector, some batches at a time."""
        missing = self.without_vector()
        step = _AT_ONCE * self._embedder.settings.batch
        for start in range(0, len(missing), step):
            part = missing[start : start + step]
            yield part, [self._store.passages[one].text for one in part]

    def similarity(self, positions: Sequence[int]) -> Rows:
        """Cosines of the passages' vectors where all are known, else of their sets of words."""
        if self._kept.missing(positions):
            return text_similarity(self._store, positions)
        vectors = self._kept.vectors[list(positions)]
        return LazyRows(len(vectors), lambda place: vectors @ vectors[place])


class _Ranked(NamedTuple):
    """A question's candidates in the order of the lexical regression."""

    positions: Integers
    features: Floats
    chances: Floats


def standing(cosines: Floats) -> Floats:
    """Cosines in standard deviations above the mean of the first ``REFERENCE``, as a feature of shape (candidates,).

    Cosines of E5 lie between .7 and 1, those of other models between 0 and .6: relative to what is usual for the question
    one set of weights fits all of them.
    """
    usual = cosines[:REFERENCE]
    return np.asarray((cosines - usual.mean()) / max(float(usual.std()), 1e-4), dtype=np.float32)
