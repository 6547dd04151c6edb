"""The retriever ``embeddings``: what words say of a passage and the cosine of an endpoint's vectors, weighed by one regression.

Where stores have a second order (``retrieval.ordering``), its log-odds are what words say; elsewhere lexical and context features are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import resources
from typing import NamedTuple

import numpy as np

from benchbar.records import decode
from benchbar.records.errors import BadInputError
from benchbar.retrieval.diversity import LazyRows, Rows
from benchbar.retrieval.embedded_lines import EmbeddedLines
from benchbar.retrieval.embedding import EndpointEmbedder
from benchbar.retrieval.kept_vectors import KeptVectors
from benchbar.retrieval.learned import Candidates, LogisticWeights, candidates, shipped_weights
from benchbar.retrieval.ordering import Ordered, is_large, ordered, ordering_of
from benchbar.retrieval.postings import Floats, Integers
from benchbar.retrieval.retrievers import Found, text_similarity
from benchbar.retrieval.store import Store

REFERENCE = 30
"""How many of a question's lexically best passages say what a usual cosine is for it."""

_AT_ONCE = 8
"""Batches in flight while a corpus is embedded; what they bring is written before the next ones are sent."""


class Embedded:
    """Orders a question's lexical candidates, or its first ones, by what words say of them and the cosine together."""

    def __init__(
        self,
        store: Store,
        embedder: EndpointEmbedder,
        kept: KeptVectors,
        *,
        lines: EmbeddedLines | None = None,
        lexical: LogisticWeights | None = None,
        weights: LogisticWeights | None = None,
    ) -> None:
        """``lexical`` weighs without the cosine, ``weights`` with it; left out, those shipped for the store's language.

        ``lines`` are those of the subject index that lead to passages of the store, where there are any.
        """
        self._store, self._embedder, self._kept = store, embedder, kept
        self._lexical = lexical or shipped_weights("learned", store.language)
        self._weights = weights or shipped_weights("embeddings", store.language)
        if self._weights.features[:-1] != self._lexical.features:
            # One table of features serves both regressions: the second adds its column to the rows of the first.
            raise BadInputError("the weights with the cosine are for other features than those without it")
        self._rerank = embedder.settings.rerank
        # Fitted on the second order of the shipped weights.
        own = lexical is None and weights is None and not is_large(store)
        self._ordering = ordering_of(store) if own else None
        self._fused = shipped_fusion(store.language) if self._ordering else None
        self._lines = lines if self._fused else None
        self._of_passages = self._fused is None or _weighs(self._fused, "cosine")

    async def prepare(self, queries: Sequence[str]) -> None:
        """Have the vectors fetched that a search for these questions needs, without keeping anybody waiting for them.

        Raises:
            ModelError: the endpoint does not give them.
        """
        if not self._rerank:
            await self.embed_all()
            await self._embedder.fetch(queries, [])
            return
        positions = {one for query in queries for one in self._first(query)}
        missing = self._kept.missing(sorted(positions)) if self._of_passages else []
        lines = self._lines.texts(self._lines.unknown(sorted(positions))) if self._lines else []
        await self._embedder.fetch(queries, [*(self._store.passages[one].text for one in missing), *lines])

    def search(self, queries: Sequence[str], k: int) -> list[list[Found]]:
        """The most probable passages; where only the first are ordered anew, the others follow as words order them."""
        if not queries or not len(self._store.passages):
            return [[] for _ in queries]
        vectors = self._embedder.encode_queries(queries)
        return [self._one(query, vector, k) for query, vector in zip(queries, vectors, strict=True)]

    def _first(self, query: str) -> Integers:
        """The passages whose vectors a question needs, where only its first ones are embedded."""
        again = self._second(query)
        return (self._lexically(query) if again is None else again).positions[: self._rerank]

    def _second(self, query: str, cosines: Floats | None = None) -> Ordered | None:
        """The candidates in the second order; None where there is none for this store, or no weights that go on from it."""
        if self._ordering is None or self._fused is None:
            return None
        return ordered(self._store, query, self._lexical, self._ordering, cosines)

    def _one(self, query: str, vector: Floats, k: int) -> list[Found]:
        everywhere = None if self._rerank else np.asarray(self._all() @ vector, dtype=np.float32)
        again = self._second(query, everywhere)
        if again is None or self._fused is None:
            return self._by_features(query, vector, everywhere, k)
        first = again.positions[: min(len(again.second), self._rerank or len(again.second))]
        if not len(first):
            return []
        if everywhere is not None:
            cosines = everywhere[first]
        else:
            # Where they weigh nothing they are not paid for.
            cosines = self._cosines(first, vector) if self._of_passages else np.zeros(len(first), np.float32)
        lines = None if self._lines is None else self._lines.cosines(first, vector)
        chances = self._fused.probabilities(dense_signals(again.second[: len(first)], cosines, lines))
        return _followed(again.positions, chances, again.chances[len(first) :], k)

    def _by_features(self, query: str, vector: Floats, everywhere: Floats | None, k: int) -> list[Found]:
        if everywhere is None:
            ranked = self._lexically(query)
            cosines = self._cosines(ranked.positions[: self._rerank], vector)
        else:
            ranked = self._lexically(query, everywhere)
            cosines = everywhere[ranked.positions]
        if not len(cosines):
            return []
        first = len(cosines)
        features = np.column_stack([ranked.features[:first], standing(cosines)])
        return _followed(ranked.positions, self._weights.probabilities(features), ranked.chances[first:], k)

    def _lexically(self, query: str, cosines: Floats | None = None) -> _Ranked:
        scores = [] if cosines is None else [cosines]
        drawn: Candidates = candidates(self._store, query, drawn_by=scores, further=self._lexical.further)
        chances = self._lexical.probabilities(drawn.features)
        order = np.argsort(-chances, kind="stable")
        return _Ranked(drawn.positions[order], drawn.features[order], chances[order])

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
        unknown = self._lines.unknown() if self._lines else []
        for start in range(0, len(unknown), _AT_ONCE * self._embedder.settings.batch):
            lines = unknown[start : start + _AT_ONCE * self._embedder.settings.batch]
            if self._lines:
                await self._embedder.fetch([], self._lines.texts(lines))
                self._lines.embed(lines)

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


def _followed(positions: Integers, chances: Floats, others: Floats, k: int) -> list[Found]:
    """The passages that were weighed with their cosine, best first, then those that were not.

    Args:
        positions: those that were weighed before the others, shape (passages,).
        chances: of those that were, shape (weighed,).
        others: of the others by words alone, shape (passages - weighed,).
        k: how many are handed on.
    """
    order = np.argsort(-chances, kind="stable")
    found = [Found(int(positions[one]), float(chances[one])) for one in order]
    # What was not embedded stays below everything that was, in its own order and without a chance above theirs.
    least = min((one.score for one in found), default=0.0)
    rest = zip(positions[len(chances) :].tolist(), others.tolist(), strict=True)
    return [*found, *(Found(position, min(chance, least)) for position, chance in rest)][:k]


DENSE_SIGNALS = ("second", "cosine", "cosine_place", "line", "line_place")
"""What orders passages that the second order has ordered already: its log-odds, and the standing and the place of the cosines with the passage and with its line."""
_LEAST_CHANCE = 1e-6


@cache
def shipped_fusion(language: str) -> LogisticWeights | None:
    """The weights over ``DENSE_SIGNALS`` that come with this package for a language; None where none were fitted.

    Raises:
        BadInputError: the file is for other signals.
    """
    file = resources.files("benchbar.retrieval") / "weights" / f"embedded_{language}.json"
    if not file.is_file():
        return None
    weights = decode(file.read_bytes(), LogisticWeights, file=str(file))
    if weights.features != DENSE_SIGNALS:
        raise BadInputError("these weights are for other signals; run scripts/fit_embedded_ordering.py", file=str(file))
    return weights


def _weighs(weights: LogisticWeights, name: str) -> bool:
    """Whether signals of this name weigh anything."""
    return any(
        weight for one, weight in zip(weights.features, weights.coefficients, strict=True) if one.startswith(name)
    )


def dense_signals(chances: Floats, cosines: Floats, lines: Floats | None = None) -> Floats:
    """What is known of a question's first passages, shape (passages, signals), in the order of ``DENSE_SIGNALS``.

    Args:
        chances: their probabilities by the second order, highest first.
        cosines: of the question's vector with theirs.
        lines: of the question's vector with that of the nearest line of the subject index, NaN where none leads to a passage.
    """
    kept = np.clip(chances, _LEAST_CHANCE, 1 - _LEAST_CHANCE)
    columns = [np.log(kept / (1 - kept)), standing(cosines), 1 / _places(cosines), *_of_lines(lines, len(cosines))]
    return np.stack(columns, axis=1).astype(np.float32)


def _of_lines(lines: Floats | None, size: int) -> list[Floats]:
    """Standing and place of passages with a line among those with one; those without stand as the lowest of them does."""
    known = np.zeros(size, dtype=bool) if lines is None else ~np.isnan(lines)
    columns = [np.zeros(size, dtype=np.float32) for _ in range(2)]
    if lines is not None and known.any():
        found = standing(lines[known])
        columns[0][:] = found.min()
        columns[0][known] = found
        columns[1][known] = 1 / _places(lines[known])
    return columns


def _places(cosines: Floats) -> Floats:
    """The place of each, 1 for the highest, shape (passages,)."""
    place = np.empty(len(cosines), dtype=np.float32)
    place[np.argsort(-cosines, kind="stable")] = np.arange(1, len(cosines) + 1)
    return place


def standing(cosines: Floats) -> Floats:
    """Cosines in standard deviations above the mean of the first ``REFERENCE``, as a feature of shape (candidates,).

    Cosines of E5 lie between .7 and 1, those of other models between 0 and .6: relative to what is usual for the question
    one set of weights fits all of them.
    """
    usual = cosines[:REFERENCE]
    return np.asarray((cosines - usual.mean()) / max(float(usual.std()), 1e-4), dtype=np.float32)
