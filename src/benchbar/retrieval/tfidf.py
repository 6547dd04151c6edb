"""TF-IDF weights of a few thousand short texts in memory, exact and without a seed.

The weights are those of scikit-learn's ``TfidfVectorizer(sublinear_tf=True)``, which costs a second to import for each process: more
than reviewing a contract offline takes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from benchbar.retrieval.weighting import inverse_document_frequency

if TYPE_CHECKING:
    from scipy import sparse

Analyzer = Callable[[str], list[str]]
"""The terms of a text, with repeats."""


class TfidfView:
    """Texts as rows of TF-IDF weights over the terms of the texts it was made of."""

    def __init__(self, texts: Sequence[str], analyzer: Analyzer) -> None:
        """Learn terms and their document frequencies."""
        self._analyzer = analyzer
        held = Counter(term for text in texts for term in set(analyzer(text)))
        self._columns = {term: column for column, term in enumerate(sorted(held))}
        counts = np.array([held[term] for term in self._columns], dtype=np.float64)
        self._idf: npt.NDArray[np.float64] = inverse_document_frequency(len(texts), counts)

    def transform(self, texts: Sequence[str]) -> sparse.csr_matrix:
        """Rows of length 1, shape (texts, terms); a text without a known term is a row of zeros."""
        from scipy import sparse

        columns: list[int] = []
        counts: list[int] = []
        starts = [0]
        for text in texts:
            known = Counter(self._columns[term] for term in self._analyzer(text) if term in self._columns)
            columns.extend(known)
            counts.extend(known.values())
            starts.append(len(columns))
        places = np.array(columns, dtype=np.int64)
        weights = (1 + np.log(np.array(counts, dtype=np.float64))) * self._idf[places]
        rows = sparse.csr_matrix((weights, places, np.array(starts)), shape=(len(texts), len(self._columns)))
        rows.sort_indices()
        lengths = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
        rows.data /= np.repeat(np.where(lengths > 0, lengths, 1.0), np.diff(rows.indptr))
        return rows
