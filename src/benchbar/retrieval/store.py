"""What is counted once over the passages of one store, and kept on disk beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchbar.languages.packs import pack
from benchbar.languages.text import detect_language
from benchbar.records import Piece
from benchbar.records.errors import BadInputError
from benchbar.retrieval.arrays import load_array, save_array
from benchbar.retrieval.passages import group_of, rank_of_law
from benchbar.retrieval.postings import Floats, Integers, Postings
from benchbar.retrieval.tokens import grams, prefixes, words
from benchbar.retrieval.weighting import tfidf_norms

_POSTINGS = ("characters", "words", "groups", "prefixes", "titles")
_ARRAYS = ("group", "rank", "norms")
_LOOKED_AT = 20
"""Passages that tell a store's language: of a few only, a foreign name in one could decide."""


class _Kept(NamedTuple):
    """What was mapped from files."""

    characters: Postings
    words: Postings
    groups: Postings
    prefixes: Postings
    titles: Postings
    group: NDArray[np.int32]
    rank: NDArray[np.int8]
    norms: Floats


class Store:
    """The passages of one store with their inverted indexes: by characters, by words, and by law as a whole.

    Each is counted when it is first asked for: a search by characters alone needs no dictionary of words, whose loading and
    cutting is two thirds of the whole count.
    """

    def __init__(self, passages: Sequence[Piece], kept: _Kept | None = None) -> None:
        """Passages in the order in which they are counted; the articles of one law in theirs, for neighbours are read as context."""
        self.passages, self._kept = passages, kept

    @cached_property
    def characters(self) -> Postings:
        """The index of character uni- and bigrams; of stems where words are spaced."""
        if self._kept:
            return self._kept.characters
        return Postings.build([*unigrams, *bigrams] for unigrams, bigrams in map(grams, _texts(self.passages)))

    @cached_property
    def words(self) -> Postings:
        """The index of words."""
        return self._kept.words if self._kept else Postings.build(map(words, _texts(self.passages)))

    @cached_property
    def prefixes(self) -> Postings:
        """The index of the beginnings of words, in spaced languages; of nothing in Chinese."""
        return self._kept.prefixes if self._kept else Postings.build(map(prefixes, _texts(self.passages)))

    @cached_property
    def titles(self) -> Postings:
        """The index of headings by character uni- and bigrams: all pieces of an article are found by its heading."""
        if self._kept:
            return self._kept.titles
        return Postings.build(
            [*unigrams, *bigrams] for unigrams, bigrams in (grams(passage.title) for passage in self.passages)
        )

    @cached_property
    def language(self) -> str:
        """Language of the passages, by a few of them: zh, ru or en."""
        step = max(len(self.passages) // _LOOKED_AT, 1)
        found = detect_language("\n".join(self.passages[place].text for place in range(0, len(self.passages), step)))
        return pack(found).about.variant_of or found

    @cached_property
    def group(self) -> NDArray[np.int32]:
        """Which law or document each passage belongs to, numbered by first appearance so that two builds agree."""
        if self._kept:
            return self._kept.group
        numbers: dict[str, int] = {}
        return np.array(
            [numbers.setdefault(group_of(passage), len(numbers)) for passage in self.passages], dtype=np.int32
        )

    @cached_property
    def groups(self) -> Postings:
        """The index of laws and documents as a whole."""
        if self._kept:
            return self._kept.groups
        return self.characters.grouped(self.group, int(self.group.max(initial=-1)) + 1)

    @cached_property
    def group_sizes(self) -> Integers:
        """Passages of each group; shape (groups,)."""
        return np.bincount(self.group, minlength=self.groups.size)

    @cached_property
    def rank(self) -> NDArray[np.int8]:
        """What kind of law each passage is of."""
        if self._kept:
            return self._kept.rank
        return np.array([rank_of_law(passage.law) for passage in self.passages], dtype=np.int8)

    @cached_property
    def norms(self) -> Floats:
        """Euclidean length of each passage's TF-IDF vector."""
        return self._kept.norms if self._kept else tfidf_norms(self.characters)

    def save(self, folder: Path) -> None:
        """Write what was counted (not the passages) into ``folder``."""
        for name in _POSTINGS:
            getattr(self, name).save(folder, name)
        for name in _ARRAYS:
            save_array(folder / f"{name}.npy", getattr(self, name))

    @classmethod
    def load(cls, folder: Path, passages: Sequence[Piece]) -> Store:
        """Map what ``save`` wrote about these passages.

        Raises:
            BadInputError: files are missing or damaged.
        """
        characters, by_words, by_group, by_prefix, titles = (Postings.load(folder, name) for name in _POSTINGS)
        group, rank, norms = (load_array(folder / f"{name}.npy") for name in _ARRAYS)
        sizes = {len(passages), len(group), len(rank), len(norms)}
        sizes |= {postings.size for postings in (characters, by_words, by_prefix, titles)}
        if len(sizes) != 1:
            raise BadInputError(f"its arrays are for {sorted(sizes)} passages; build the index again", file=folder)
        return cls(passages, _Kept(characters, by_words, by_group, by_prefix, titles, group, rank, norms))


def _texts(passages: Sequence[Piece]) -> Iterator[str]:
    return (passage.text for passage in passages)
