"""What turns texts into vectors: a weighted bag of terms with a table of our own, or a model from a hub."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from benchbar.records.errors import BadInputError, MissingDependencyError
from benchbar.retrieval.arrays import load_array, save_array
from benchbar.retrieval.postings import Floats, Integers, Postings, term_keys
from benchbar.retrieval.tokens import grams
from benchbar.retrieval.vectors import unit
from benchbar.retrieval.weighting import inverse_document_frequency

if TYPE_CHECKING:
    from scipy import sparse

DIMENSIONS = 192
# The rarest terms stand in so few passages that there is nothing to learn about them.
TERMS = 60_000
"""Size of the table: the uni- and bigrams that most passages hold."""


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    def encode_queries(self, texts: Sequence[str]) -> Floats:
        """Unit vectors of questions, shape (texts, dimensions)."""
        ...

    def encode_passages(self, texts: Sequence[str]) -> Floats:
        """Unit vectors of passages, shape (texts, dimensions)."""
        ...


class BagEmbedder:
    """Each text is the sum of its terms' rows in a table, weighted by TF-IDF: no order of words, no download."""

    def __init__(self, keys: NDArray[np.uint64], idf: Floats, table: Floats) -> None:
        """``keys`` sorted, shape (terms,); ``table`` of shape (terms, dimensions)."""
        self.keys, self.idf, self.table = keys, idf, table

    def encode_queries(self, texts: Sequence[str]) -> Floats:
        """Unit vectors; a text without any known term is a vector of zeros."""
        return unit(np.asarray(self.bags(texts) @ self.table, dtype=np.float32))

    def encode_passages(self, texts: Sequence[str]) -> Floats:
        """As questions are encoded."""
        return self.encode_queries(texts)

    def bags(self, texts: Iterable[str]) -> sparse.csr_matrix:
        """TF-IDF weights of the texts, each row of length 1, shape (texts, terms)."""
        from scipy import sparse

        columns, values, starts = [], [], [0]
        for text in texts:
            unigrams, bigrams = grams(text)
            places, weights = self._bag([*unigrams, *bigrams])
            columns.append(places)
            values.append(weights)
            starts.append(starts[-1] + len(places))
        shape = (len(starts) - 1, len(self.keys))
        data = np.concatenate([np.empty(0, np.float32), *values])
        indices = np.concatenate([np.empty(0, np.int64), *columns])
        return sparse.csr_matrix((data, indices, np.array(starts)), shape=shape)

    def _bag(self, terms: Sequence[str]) -> tuple[Integers, Floats]:
        keys, repeats = np.unique(term_keys(terms), return_counts=True)
        places = np.searchsorted(self.keys, keys)
        # searchsorted gives the place after the last for keys beyond it: any valid place will do, for the next
        # line compares.
        places[places == len(self.keys)] = 0
        known = self.keys[places] == keys if len(self.keys) else np.zeros(len(keys), dtype=bool)
        places = places[known]
        weights = (1 + np.log(repeats[known])) * self.idf[places]
        # A text without known terms has length 0.
        return places, (weights / max(float(np.linalg.norm(weights)), 1e-9)).astype(np.float32)

    def save(self, folder: Path) -> None:
        """Write the table in one byte a number, with a scale for each row."""
        # One byte a number is a quarter of the file; a scale for each row keeps rare terms from vanishing beside
        # frequent ones.
        scales = np.maximum(np.abs(self.table).max(axis=1, initial=0), 1e-12) / 127
        save_array(folder / "keys.npy", self.keys)
        save_array(folder / "idf.npy", self.idf)
        save_array(folder / "scales.npy", scales.astype(np.float32))
        save_array(folder / "table.npy", np.round(self.table / scales[:, None]).astype(np.int8))

    @classmethod
    def load(cls, folder: Path) -> BagEmbedder:
        """The embedder that ``save`` wrote.

        Raises:
            BadInputError: files are missing, damaged or do not fit one another.
        """
        keys, idf, scales, table = (load_array(folder / f"{name}.npy") for name in ("keys", "idf", "scales", "table"))
        if not len(keys) == len(idf) == len(scales) == len(table):
            raise BadInputError("its arrays do not fit one another; train the encoder again", file=folder)
        return cls(np.asarray(keys), np.asarray(idf), table.astype(np.float32) * scales[:, None])


def corpus_bags(postings: Postings, terms: int = TERMS) -> tuple[NDArray[np.uint64], Floats, sparse.csr_matrix]:
    """Keys and idf of the terms that most passages hold, and all passages' unit TF-IDF weights over them.

    Ties in document frequency are broken by the term's key, so that two builds agree.
    """
    from scipy import sparse

    counts = np.diff(postings.starts)
    # Sorted again, so that keys stay in the order that `searchsorted` needs.
    chosen = np.sort(np.argsort(-counts, kind="stable")[:terms])
    damped = 1 + np.log(np.maximum(postings.frequencies, 1, dtype=np.float32))
    matrix = sparse.csc_matrix((damped, postings.passages, postings.starts), shape=(postings.size, len(postings.keys)))[
        :, chosen
    ]
    idf = inverse_document_frequency(postings.size, counts[chosen]).astype(np.float32)
    weighted = sparse.csr_matrix(matrix @ sparse.diags(idf))
    lengths = np.sqrt(np.asarray(weighted.multiply(weighted).sum(axis=1)).ravel())
    scaled = sparse.csr_matrix(sparse.diags(1 / np.maximum(lengths, 1e-9)) @ weighted, dtype=np.float32)
    return np.asarray(postings.keys[chosen]), idf, scaled


def latent_semantic(postings: Postings, *, dimensions: int = DIMENSIONS, seed: int = 0) -> BagEmbedder:
    """Latent semantic analysis: the table is the right singular vectors of the passages' TF-IDF weights.

    Deerwester et al. (1990); randomised SVD after Halko, Martinsson and Tropp (2011).
    """
    keys, idf, bags = corpus_bags(postings)
    return BagEmbedder(keys, idf, singular_table(bags, dimensions, seed))


def singular_table(bags: sparse.csr_matrix, dimensions: int, seed: int) -> Floats:
    """Right singular vectors, shape (terms, dimensions or fewer)."""
    from sklearn.utils.extmath import randomized_svd

    rank = min(dimensions, *bags.shape)
    if not rank:
        return np.zeros((bags.shape[1], 0), np.float32)
    # Two power iterations: the spectrum of term counts falls slowly, and without them the small vectors are
    # mixed up.
    _, _, right = randomized_svd(bags, rank, n_iter=2, random_state=seed)
    return np.ascontiguousarray(right.T, dtype=np.float32)


class HubEmbedder:
    """A sentence-transformers model by its name on a hub or the folder it lies in (LaBSE, BGE, ...)."""

    def __init__(self, model: str, *, batch: int = 32) -> None:
        """Load the model.

        Raises:
            MissingDependencyError: sentence-transformers is not installed.
            BadInputError: there is no such model, or it cannot be read or downloaded.
        """
        self._batch = batch
        self._model = load_hub_model("SentenceTransformer", model)

    def encode_queries(self, texts: Sequence[str]) -> Floats:
        # Models that were trained with a prompt are much worse without it; the library knows it.
        """Unit vectors of questions, after the prompt that the model states for them, if any."""
        return self._unit(self._model.encode_query, texts)

    def encode_passages(self, texts: Sequence[str]) -> Floats:
        """Unit vectors of passages, after the prompt that the model states for them, if any."""
        return self._unit(self._model.encode_document, texts)

    def _unit(self, encode: Callable[..., Any], texts: Sequence[str]) -> Floats:
        vectors = encode(
            list(texts),
            batch_size=self._batch,
            normalize_embeddings=True,
            convert_to_numpy=True,
            show_progress_bar=False,
        )
        return np.asarray(vectors, dtype=np.float32)


class HubReranker:
    """A cross-encoder by name or folder, which scores question and passage together."""

    def __init__(self, model: str) -> None:
        """Load the model.

        Raises:
            MissingDependencyError: sentence-transformers is not installed.
            BadInputError: there is no such model, or it cannot be read or downloaded.
        """
        self._model = load_hub_model("CrossEncoder", model)

    def scores(self, question: str, texts: Sequence[str]) -> Floats:
        """One score for each text, higher is better, shape (texts,)."""
        return np.asarray(
            self._model.predict([(question, text) for text in texts], show_progress_bar=False), dtype=np.float32
        ).ravel()


def load_hub_model(kind: str, model: str) -> Any:
    """A ``SentenceTransformer`` or ``CrossEncoder``; no code that comes with a model is run."""
    try:
        import sentence_transformers
    except ImportError as error:
        raise MissingDependencyError("sentence-transformers", "hub", f"the model {model}") from error
    try:
        # Never code from a hub: a name in a spec must not run a stranger's program.
        return getattr(sentence_transformers, kind)(model, trust_remote_code=False)
    except (OSError, ValueError, KeyError) as error:
        raise BadInputError(f"cannot load it as a {kind}: {error}", file=model) from error
