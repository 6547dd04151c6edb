"""Where dense vectors are kept and searched: in an array, in FAISS; one role for all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from benchbar.records.errors import MissingDependencyError
from benchbar.retrieval.postings import Floats, Integers

# Above eight queries the libraries' own order pays for itself.
_FEW = 8
"""Queries up to which the vectors are multiplied piece by piece."""
_SAMPLED = 20_000
"""Scores from which it pays to find a bound on a sample before all are partitioned."""
_PRODUCTS, _STEPS = 1024, 900_000
"""Entries of a piece's product and multiplications it takes, at most. BLAS libraries multiply matrices this small as they
lie; larger ones they first copy into another order, which costs several times the product when there are few queries."""


class VectorIndex(Protocol):
    """Unit vectors by position, searched by inner product."""

    def search(self, queries: Floats, k: int) -> tuple[Integers, Floats]:
        """Positions and cosines of the nearest vectors, both of shape (queries, k or fewer), best first."""
        ...

    def all_scores(self, query: Floats) -> Floats:
        """The cosine of every vector with one query of shape (dimensions,)."""
        ...

    def vectors(self, positions: Sequence[int]) -> Floats:
        """The vectors themselves, shape (n, dimensions)."""
        ...


class ExactIndex:
    """Every product is taken: exact, no building, fast to some hundred thousand vectors."""

    def __init__(self, vectors: Floats) -> None:
        """Take unit vectors, shape (n, dimensions); a mapped array stays on disk."""
        self._vectors = vectors

    def search(self, queries: Floats, k: int) -> tuple[Integers, Floats]:
        """Exact neighbours; of equal cosines the first position wins."""
        scores = self._products(queries)
        k = min(k, scores.shape[1])
        if not k:
            return np.empty((len(queries), 0), np.int64), np.empty((len(queries), 0), np.float32)
        positions = np.array([_highest(row, k) for row in scores])
        return positions, np.array([row[own] for row, own in zip(scores, positions, strict=True)])

    def _products(self, queries: Floats) -> Floats:
        """All queries are multiplied with a piece of the vectors before the next piece is read."""
        if not 1 < len(queries) <= _FEW:
            return np.asarray(queries @ self._vectors.T)
        # An even number: for an odd one the libraries end each piece with a slower step for a single row.
        # The first query is taken twice and its second row thrown away.
        even = np.concatenate([queries, queries[:1]]) if len(queries) % 2 else queries
        scores = np.empty((len(even), len(self._vectors)), dtype=np.result_type(queries, self._vectors))
        rows = max(min(_PRODUCTS, _STEPS // max(self._vectors.shape[1], 1)) // len(even), 1)
        for start in range(0, len(self._vectors), rows):
            np.matmul(even, self._vectors[start : start + rows].T, out=scores[:, start : start + rows])
        return scores[: len(queries)]

    def all_scores(self, query: Floats) -> Floats:
        """One matrix-vector product."""
        return np.asarray(self._vectors @ query, dtype=np.float32)

    def vectors(self, positions: Sequence[int]) -> Floats:
        """Rows of the array."""
        return np.asarray(self._vectors[list(positions)], dtype=np.float32)


def _highest(scores: Floats, k: int) -> Integers:
    """Places of the k highest scores; a sample gives a bound that spares partitioning the whole row."""
    if len(scores) > max(_SAMPLED, 50 * k):
        # A regular sample of about twenty times k: its k-th score lies below the k-th of all, so nothing is lost.
        bound = np.partition(scores[:: max(len(scores) // (20 * k), 1)], -k)[-k]
        places = (scores >= bound).nonzero()[0]
        return np.asarray(places[_highest_of_few(scores[places], k)])
    return _highest_of_few(scores, k)


def _highest_of_few(scores: Floats, k: int) -> Integers:
    if len(scores) > k:
        least = np.partition(scores, len(scores) - k)[len(scores) - k]
        places = (scores >= least).nonzero()[0]
        # Stable: of equal scores the earlier passage, as in `best`.
        return np.asarray(places[(-scores[places]).argsort(kind="stable")][:k])
    return np.asarray((-scores).argsort(kind="stable"))


class FaissIndex:
    """Vectors in a FAISS index: exact by default, a graph (HNSW) where millions make exactness too slow."""

    def __init__(self, vectors: Floats, *, graph: bool = False) -> None:
        """Build from unit vectors, shape (n, dimensions).

        Raises:
            MissingDependencyError: faiss is not installed.
        """
        faiss = _faiss()
        dimensions = vectors.shape[1]
        self._index: Any = (
            faiss.IndexHNSWFlat(dimensions, 32, faiss.METRIC_INNER_PRODUCT) if graph else faiss.IndexFlatIP(dimensions)
        )
        self._index.add(np.ascontiguousarray(vectors, dtype=np.float32))

    def search(self, queries: Floats, k: int) -> tuple[Integers, Floats]:
        """Neighbours as FAISS finds them."""
        k = min(k, self._index.ntotal)
        scores, positions = self._index.search(np.ascontiguousarray(queries, dtype=np.float32), k)
        return positions, scores

    def all_scores(self, query: Floats) -> Floats:
        """Every cosine, from the stored vectors."""
        return np.asarray(self._index.reconstruct_n(0, self._index.ntotal) @ query, dtype=np.float32)

    def vectors(self, positions: Sequence[int]) -> Floats:
        """The stored vectors."""
        return np.stack([self._index.reconstruct(int(place)) for place in positions])


def _faiss() -> Any:
    try:
        import faiss
    except ImportError as error:
        raise MissingDependencyError("faiss-cpu", "faiss", "the vector index FAISS") from error
    return faiss


def unit(vectors: Floats) -> Floats:
    """The vectors scaled to length 1; a vector of zeros stays one."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-12), dtype=np.float32)
