"""An inverted index in plain arrays, which scores every passage at once.

A search engine returns the best passages; the learned retriever also needs the scores of their neighbours and of the
other articles of their law. So this index keeps, for each term, the passages that hold it and how often, and adds up
whole vectors of scores. It lies in memory-mapped files and is opened without being read.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchbar.records.errors import BadInputError
from benchbar.retrieval.arrays import load_array, save_array

if TYPE_CHECKING:
    from scipy import sparse

Floats = NDArray[np.floating[Any]]
Integers = NDArray[np.int64]

# The usual values of the literature for k1 and b.
SATURATION = 1.2
"""BM25's k1."""
LENGTH_NORMALISATION = 0.75
"""BM25's b."""
# A block's counts fit into memory whatever the corpus.
_BLOCK = 20_000
_MOST = 255
# Three quarters less than four bytes, of the largest array there is; the damped weight of 255 and 1,000
# differs little.
"""Frequencies are kept in one byte: a term said more often than this in one passage counts as this often."""
_FIELDS = ("keys", "starts", "passages", "frequencies", "lengths")


class Matches(NamedTuple):
    """The postings of a query's terms, laid end to end."""

    passages: NDArray[np.int32]
    frequencies: NDArray[np.uint8]
    counts: Integers
    """Postings of each term, in the order of ``terms``."""
    terms: Integers
    """Which terms of the index, by number."""
    repeats: Floats
    """How often the query says each term."""


class Postings:
    """For each term, the passages that hold it and how often they do."""

    def __init__(
        self,
        keys: NDArray[np.uint64],
        starts: Integers,
        passages: NDArray[np.int32],
        frequencies: NDArray[np.uint8],
        lengths: Floats,
    ) -> None:
        """Take the arrays; ``keys`` is sorted, and term i owns the postings ``starts[i]:starts[i + 1]``."""
        # Sorted keys: a term is found by bisection in a mapped file, without a dictionary in memory.
        self.keys, self.starts, self.passages, self.frequencies = keys, starts, passages, frequencies
        self.lengths = lengths
        self.size = len(lengths)

    @classmethod
    def build(cls, documents: Iterable[Sequence[str]]) -> Postings:
        """The index of documents that come as lists of terms."""
        from scipy import sparse

        vocabulary: dict[str, int] = {}
        blocks = [_counts(block, vocabulary) for block in _blocks(documents)] or [_counts([], vocabulary)]
        widened = [_widened(block, len(vocabulary)) for block in blocks]
        keys = term_keys(vocabulary)
        order = np.argsort(keys)
        return cls._of(keys[order], sparse.csc_matrix(sparse.csc_matrix(sparse.vstack(widened))[:, order]))

    @classmethod
    def _of(cls, keys: NDArray[np.uint64], matrix: sparse.csc_matrix) -> Postings:
        matrix.sort_indices()
        return cls(
            keys,
            matrix.indptr.astype(np.int64),
            matrix.indices.astype(np.int32),
            np.minimum(matrix.data, _MOST).astype(np.uint8),
            np.asarray(matrix.sum(axis=1), dtype=np.float32).ravel(),
        )

    def grouped(self, groups: NDArray[np.int32], size: int) -> Postings:
        """The index whose passages are groups of this one's: passage i goes to group ``groups[i]``, of ``size``."""
        from scipy import sparse

        matrix = sparse.csc_matrix(
            (self.frequencies.astype(np.int32), self.passages, self.starts), shape=(self.size, len(self.keys))
        )
        members = sparse.csr_matrix(
            (np.ones(self.size, np.int32), (groups, np.arange(self.size))), shape=(size, self.size)
        )
        return self._of(self.keys, sparse.csc_matrix(members @ matrix))

    def save(self, folder: Path, name: str) -> None:
        """Write the arrays into ``folder``, each as one file whose name begins with ``name``."""
        for field in _FIELDS:
            save_array(folder / f"{name}-{field}.npy", getattr(self, field))

    @classmethod
    def load(cls, folder: Path, name: str) -> Postings:
        """Map the arrays of ``folder``.

        Raises:
            BadInputError: a file is missing, cut short or does not fit the others.
        """
        found = cls(*(load_array(folder / f"{name}-{field}.npy") for field in _FIELDS))
        fits = (
            len(found.starts) == len(found.keys) + 1
            and len(found.passages) == len(found.frequencies)
            # The last start must be the end, or a cut file would be read beyond.
            and (not len(found.keys) or int(found.starts[-1]) == len(found.passages))
        )
        if not fits:
            raise BadInputError("its arrays do not fit one another; build the index again", file=folder)
        return found

    @cached_property
    def length_penalty(self) -> Floats:
        """What BM25 adds to a term's frequency in each passage, for its length; shape (passages,)."""
        relative = self.lengths / max(float(self.lengths.sum()) / max(self.size, 1), 1e-9)
        return (SATURATION * (1 - LENGTH_NORMALISATION + LENGTH_NORMALISATION * relative)).astype(np.float32)

    def document_frequency(self, terms: Integers) -> Integers:
        """In how many passages each of these terms stands."""
        return np.asarray(self.starts[terms + 1] - self.starts[terms])

    def counted(self, terms: Sequence[str]) -> Integers:
        """In how many passages each of these terms stands, in their order; 0 for one that the index does not know."""
        keys = term_keys(terms)
        places = np.minimum(np.searchsorted(self.keys, keys), max(len(self.keys) - 1, 0))
        counts = np.zeros(len(keys), dtype=np.int64)
        known = self.keys[places] == keys if len(self.keys) else np.zeros(len(keys), dtype=bool)
        counts[known] = self.document_frequency(places[known])
        return counts

    def match(self, query: Sequence[str]) -> Matches:
        # Unknown terms have no postings; retrievers that need their number compare `repeats` with the query.
        """The postings of the query's terms; terms the index does not know are passed over."""
        keys, repeats = np.unique(term_keys(query), return_counts=True)
        places = np.searchsorted(self.keys, keys)
        known = np.zeros(len(keys), dtype=bool)
        inside = places < len(self.keys)
        known[inside] = self.keys[places[inside]] == keys[inside]
        terms = places[known].astype(np.int64)
        # Lists: a slice by two of numpy's own integers takes three times as long, and a question has hundreds.
        spans = list(map(slice, self.starts[terms].tolist(), self.starts[terms + 1].tolist()))
        return Matches(
            np.concatenate([self.passages[span] for span in spans] or [np.empty(0, np.int32)]),
            np.concatenate([self.frequencies[span] for span in spans] or [np.empty(0, np.uint8)]),
            self.document_frequency(terms),
            terms,
            repeats[known].astype(np.float32),
        )


def term_keys(terms: Iterable[str]) -> NDArray[np.uint64]:
    """A number for each term."""
    return np.array(list(map(_key, terms)), dtype=np.uint64)


@lru_cache(maxsize=1 << 17)
def _key(term: str) -> int:
    """64 bits of the term: with a million terms two collide once in forty million indexes."""
    # Not hash(): it differs from process to process, and keys lie on disk.
    return int.from_bytes(blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def _blocks(documents: Iterable[Sequence[str]]) -> Iterable[list[Sequence[str]]]:
    block: list[Sequence[str]] = []
    for document in documents:
        block.append(document)
        if len(block) == _BLOCK:
            yield block
            block = []
    if block:
        yield block


def _counts(block: list[Sequence[str]], vocabulary: dict[str, int]) -> sparse.csr_matrix:
    """How often each document of a block holds each term; new terms enter the vocabulary."""
    from scipy import sparse

    terms = array("q")
    starts = array("q", [0])
    for document in block:
        terms.extend([vocabulary.setdefault(term, len(vocabulary)) for term in document])
        starts.append(len(terms))
    columns = np.frombuffer(terms, np.int64) if terms else np.empty(0, np.int64)
    ones = np.ones(len(terms), np.int32)
    matrix = sparse.csr_matrix((ones, columns, np.frombuffer(starts, np.int64)), shape=(len(block), len(vocabulary)))
    matrix.sum_duplicates()
    return matrix


def _widened(block: sparse.csr_matrix, columns: int) -> sparse.csr_matrix:
    """The same counts with room for terms that came later."""
    from scipy import sparse

    return sparse.csr_matrix((block.data, block.indices, block.indptr), shape=(block.shape[0], columns))
