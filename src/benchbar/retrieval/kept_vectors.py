"""Vectors of a store's passages, kept in a mapped file that is filled as they become known."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.lib.format import open_memmap
from numpy.typing import NDArray

from benchbar.records.errors import BadInputError, UserError
from benchbar.retrieval.arrays import load_array
from benchbar.retrieval.postings import Floats, Integers

_VECTORS, _KNOWN = "vectors.npy", "known.npy"


class KeptVectors:
    """One row for each passage, and which rows are known.

    The file has its full length from the start and is no larger on disk than what is known (a sparse file). So embedding a
    whole corpus goes on where it was stopped, and a search that embeds its best passages alone keeps what it paid for.
    """

    def __init__(self, vectors: Floats, known: NDArray[np.bool_]) -> None:
        """Shapes (passages, dimensions) and (passages,)."""
        self.vectors, self.known = vectors, known

    @classmethod
    def empty(cls, passages: int, dimensions: int) -> KeptVectors:
        """In memory alone."""
        return cls(np.zeros((passages, dimensions), np.float32), np.zeros(passages, bool))

    @staticmethod
    def make(folder: Path, passages: int, dimensions: int) -> None:
        """Write the files of a store of which nothing is known yet."""
        # Not whole in one go, as other files of an index are: a corpus takes hours to embed, and what is paid for stays.
        for name, kind, shape in ((_VECTORS, np.float32, (passages, dimensions)), (_KNOWN, np.bool_, (passages,))):
            open_memmap(folder / name, mode="w+", dtype=kind, shape=shape).flush()

    @classmethod
    def open(cls, folder: Path, passages: int) -> KeptVectors:
        """Map what ``make`` wrote; of a folder that may not be written what is learned stays in memory.

        Raises:
            BadInputError: files are missing, damaged or of another corpus.
        """
        for name in (_VECTORS, _KNOWN):
            load_array(folder / name)
        try:
            vectors, known = (np.load(folder / name, mmap_mode="r+", allow_pickle=False) for name in (_VECTORS, _KNOWN))
        except OSError:
            vectors, known = (np.load(folder / name, mmap_mode="c", allow_pickle=False) for name in (_VECTORS, _KNOWN))
        if vectors.ndim != 2 or not len(vectors) == len(known) == passages:
            raise BadInputError(
                f"vectors of {len(vectors)} passages, not {passages}; embed the corpus again", file=folder
            )
        return cls(vectors, known)

    def missing(self, positions: Sequence[int] | Integers) -> list[int]:
        """Those of these positions whose vector is not known."""
        chosen = np.asarray(positions, dtype=np.int64)
        return [int(one) for one in chosen[~self.known[chosen]]]

    def put(self, positions: Sequence[int], vectors: Floats) -> None:
        """Keep vectors, shape (positions, dimensions).

        Raises:
            UserError: they have another length than those that are kept.
        """
        if vectors.shape[1] != self.vectors.shape[1]:
            raise UserError(
                f"the model gives vectors of {vectors.shape[1]} numbers, and those kept in this index have"
                f" {self.vectors.shape[1]}: it is another model under the same name. Embed the corpus again"
            )
        self.vectors[list(positions)] = vectors
        # First the rows, then the mark that they are there: a crash between the two costs a call and never a wrong vector.
        if isinstance(self.vectors, np.memmap):
            self.vectors.flush()
        self.known[list(positions)] = True

    @property
    def complete(self) -> bool:
        """Whether the vector of every passage is known."""
        return bool(self.known.all())
