"""Vectors of the lines of the subject index: a question in a layman's words is nearer to such a line than to the article that it leads to."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from benchbar.retrieval.embedding import EndpointEmbedder
from benchbar.retrieval.kept_vectors import KeptVectors
from benchbar.retrieval.postings import Floats, Integers
from benchbar.retrieval.store import Store
from benchbar.retrieval.subject_index import held, written


class HeldLines:
    """The lines of the index that lead to passages of a store, each with a number of its own from 0."""

    def __init__(self, store: Store) -> None:
        """``texts`` are their phrases as they are embedded; none where the index knows no law of the store."""
        pairs = held(store)
        numbers, self._lines = np.unique(pairs.lines, return_inverse=True)
        order = np.argsort(pairs.passages, kind="stable")
        self._passages, self._lines = pairs.passages[order], self._lines[order]
        rows = written(store.language) if len(numbers) else []
        self.texts = [rows[number][2] for number in numbers.tolist()]

    @property
    def name(self) -> str:
        """What they are, in twelve letters: vectors of other lines are not theirs."""
        return hashlib.sha256("\n".join(self.texts).encode()).hexdigest()[:12]

    def of(self, position: int) -> Integers:
        """The numbers of the lines that lead to a passage."""
        start, end = np.searchsorted(self._passages, [position, position + 1])
        return self._lines[start:end]


class EmbeddedLines:
    """How near a question is to the lines that lead to some passages."""

    def __init__(self, lines: HeldLines, embedder: EndpointEmbedder, kept: KeptVectors) -> None:
        """``kept`` has a row for each line; lines are embedded as passages are."""
        self._held, self._embedder, self._kept = lines, embedder, kept

    def unknown(self, positions: Sequence[int] | Integers | None = None) -> list[int]:
        """The lines of these passages, or all of them, that have no vector yet."""
        if positions is None:
            return self._kept.missing(np.arange(len(self._held.texts)))
        return self._kept.missing(np.unique(np.concatenate([np.empty(0, np.int64), *map(self._held.of, positions)])))

    def texts(self, lines: Sequence[int]) -> list[str]:
        """What is embedded of these lines."""
        return [self._held.texts[one] for one in lines]

    def embed(self, lines: Sequence[int]) -> None:
        """Ask for the vectors of these lines, and keep them."""
        if lines:
            self._kept.put(lines, self._embedder.encode_passages(self.texts(lines)))

    def cosines(self, positions: Integers, vector: Floats) -> Floats:
        """The cosine of a question with the nearest line of each passage, shape (positions,); NaN where no line leads to it."""
        self.embed(self.unknown(positions))
        lines = [self._held.of(int(one)) for one in positions]
        return np.array(
            [float((self._kept.vectors[one] @ vector).max()) if len(one) else np.nan for one in lines], dtype=np.float32
        )
