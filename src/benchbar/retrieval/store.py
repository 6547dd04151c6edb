"""What is counted once over the passages of one store, and kept on disk beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchbar.records import Piece
from benchbar.records.errors import BadInputError
from benchbar.retrieval.arrays import load_array, save_array
from benchbar.retrieval.passages import group_of, rank_of_law
from benchbar.retrieval.postings import Floats, Postings
from benchbar.retrieval.tokens import grams, words
from benchbar.retrieval.weighting import tfidf_norms

_ARRAYS = ("group", "rank", "norms")


class Store:
    """The passages of one store with their inverted indexes: by characters, by words, and by law as a whole."""

    def __init__(
        self,
        passages: Sequence[Piece],
        characters: Postings,
        by_words: Postings,
        by_group: Postings,
        group: NDArray[np.int32],
        rank: NDArray[np.int8],
        norms: Floats,
    ) -> None:
        """Take the passages in the order in which they were counted."""
        self.passages = passages
        self.characters, self.words, self.groups = characters, by_words, by_group
        self.group, self.rank, self.norms = group, rank, norms
        # Sizes of all groups, those without a passage in this store as well.
        self.group_sizes = np.bincount(group, minlength=by_group.size)

    @classmethod
    def build(cls, passages: Sequence[Piece]) -> Store:
        """Count passages; the articles of one law should stand in their order, for neighbours are read as context."""
        characters = Postings.build([*unigrams, *bigrams] for unigrams, bigrams in map(grams, _texts(passages)))
        by_words = Postings.build(map(words, _texts(passages)))
        numbers: dict[str, int] = {}
        # Numbered in the order of first appearance, so that two builds agree.
        group = np.array([numbers.setdefault(group_of(passage), len(numbers)) for passage in passages], dtype=np.int32)
        rank = np.array([rank_of_law(passage.law) for passage in passages], dtype=np.int8)
        by_group = characters.grouped(group, len(numbers))
        return cls(passages, characters, by_words, by_group, group, rank, tfidf_norms(characters))

    def save(self, folder: Path) -> None:
        """Write what was counted (not the passages) into ``folder``."""
        for name, postings in (("characters", self.characters), ("words", self.words), ("groups", self.groups)):
            postings.save(folder, name)
        for name in _ARRAYS:
            save_array(folder / f"{name}.npy", getattr(self, name))

    @classmethod
    def load(cls, folder: Path, passages: Sequence[Piece]) -> Store:
        """Map what ``save`` wrote about these passages.

        Raises:
            BadInputError: files are missing or damaged.
        """
        characters, by_words, by_group = (Postings.load(folder, name) for name in ("characters", "words", "groups"))
        group, rank, norms = (load_array(folder / f"{name}.npy") for name in _ARRAYS)
        sizes = {len(passages), characters.size, by_words.size, len(group), len(rank), len(norms)}
        if len(sizes) != 1:
            raise BadInputError(f"its arrays are for {sorted(sizes)} passages; build the index again", file=folder)
        return cls(passages, characters, by_words, by_group, group, rank, norms)


def _texts(passages: Sequence[Piece]) -> Iterator[str]:
    return (passage.text for passage in passages)
