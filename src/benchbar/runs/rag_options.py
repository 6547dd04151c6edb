"""Settings of the judge kind ``rag`` from a spec."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from benchbar.records import Record
from benchbar.records.errors import UserError

if TYPE_CHECKING:
    from benchbar.scoring.rag import Similarity

TERMS = "terms"


class RagSettings(Record, frozen=True):
    """What may stand in ``[judge.rag]``."""

    similarity: str = ""
    """The name or folder of a sentence-transformers model, or ``terms``, which compares words; empty: what needs it is missing."""
    weights: tuple[float, float] = (0.75, 0.25)
    questions: int = 3
    further: tuple[str, ...] = ()
    """Measures beside the five usual ones (``records.rag.FURTHER``)."""


def rag_options(settings: Mapping[str, Any]) -> dict[str, Any]:
    """What the judge is built with.

    Raises:
        UserError: a setting is unknown or of another type, or the model cannot be loaded.
    """
    try:
        chosen = msgspec.convert(dict(settings), RagSettings)
    except msgspec.ValidationError as error:
        raise UserError(f"judge.rag: {error}; known: {', '.join(RagSettings.__struct_fields__)}") from error
    return {
        "similarity": similarity(chosen.similarity) if chosen.similarity else None,
        "weights": chosen.weights,
        "questions": chosen.questions,
        "further": chosen.further,
    }


def similarity(name: str) -> Similarity:
    """By terms (stems, and uni- and bigrams of characters) or by the vectors of a model."""
    if name != TERMS:
        return ModelSimilarity(name)
    from benchbar.retrieval.tokens import grams
    from benchbar.scoring.rag import TermSimilarity

    def terms(text: str) -> list[str]:
        unigrams, bigrams = grams(text)
        return [*unigrams, *bigrams]

    return TermSimilarity(terms)


class ModelSimilarity:
    """Cosine of a model's sentence vectors; one below 0 counts as 0."""

    def __init__(self, model: str) -> None:
        """Load a sentence-transformers model by name or folder."""
        from benchbar.retrieval.embedders import HubEmbedder

        self._embedder = HubEmbedder(model)
        self.identity = f"model {model}"

    def __call__(self, text: str, others: Sequence[str]) -> list[float]:
        """The cosine with each of the others."""
        vectors = self._embedder.encode_queries([text, *others])
        return [min(1.0, max(0.0, float(value))) for value in vectors[1:] @ vectors[0]]
