"""Settings of the judge kind ``rag`` from a spec."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from benchbar.records import Record, fingerprint
from benchbar.records.errors import TruncatedJsonError, UserError
from benchbar.scoring.rag.similarity import Compared, Similarity

if TYPE_CHECKING:
    from benchbar.retrieval.embedding import Asking, EmbeddingSettings

TERMS = "terms"
_CUT = "a text is too long for the encoder, and its beginning alone was compared"


class RagSettings(Record, frozen=True):
    """What may stand in ``[judge.rag]``."""

    similarity: str = ""
    """The name or folder of a sentence-transformers model, or ``terms``, which compares words; empty: what needs it is missing."""
    embeddings: dict[str, Any] = {}
    """An embedding model at an endpoint in place of it (``retrieval.embedding.EmbeddingSettings``)."""
    weights: tuple[float, float] = (0.75, 0.25)
    questions: int = 3
    further: tuple[str, ...] = ()
    """Measures beside the five usual ones (``records.rag.FURTHER``)."""


def rag_options(settings: Mapping[str, Any], asking: Asking) -> dict[str, Any]:
    """What the judge is built with; ``asking`` gives the embedding model at an endpoint.

    Raises:
        UserError: a setting is unknown or of another type, or the model cannot be loaded or asked.
    """
    try:
        chosen = msgspec.convert(dict(settings), RagSettings)
    except msgspec.ValidationError as error:
        raise UserError(f"judge.rag: {error}; known: {', '.join(RagSettings.__struct_fields__)}") from error
    return {
        "similarity": _chosen(chosen, asking),
        "weights": chosen.weights,
        "questions": chosen.questions,
        "further": chosen.further,
    }


def _chosen(settings: RagSettings, asking: Asking) -> Similarity | None:
    from benchbar.retrieval.embedding import read_settings

    named = settings.similarity
    if named and settings.embeddings:
        raise UserError(
            "judge.rag names similarity and embeddings; expected one of them, for one encoder compares the texts"
        )
    if named.startswith(("http://", "https://")):
        raise UserError(
            f"judge.rag.similarity is an address ({named}); an embedding model at an endpoint is named as judge.rag.embeddings ="
            f' {{ model = "MODEL", base_url = "{named}" }}'
        )
    endpoint = read_settings(settings.embeddings)
    if endpoint is not None:
        return EndpointSimilarity(endpoint, asking)
    return similarity(named) if named else None


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


class EndpointSimilarity:
    """Cosine of the vectors of an embedding model at an endpoint; one below 0 counts as 0.

    One comparison is one request (more where the settings' ``batch`` is smaller): text and others together. So each is one call of the
    ledger by its content, and a resumed run finds it there.
    """

    def __init__(self, settings: EmbeddingSettings, asking: Asking) -> None:
        """Refuse what cannot be asked.

        Raises:
            UserError: the variable that should hold the key is not set, or there is a budget and no price.
        """
        from benchbar.retrieval.embedding import EndpointEmbedder

        self._embedder = EndpointEmbedder(settings, asking)
        changes = fingerprint([settings.query_prefix, settings.params, settings.query_params, settings.dimensions])[:8]
        self.identity = f"embeddings {settings.identity} {changes}"

    async def __call__(self, text: str, others: Sequence[str]) -> Compared:
        """The cosine with each of the others.

        Raises:
            ModelError: the endpoint gives no vectors, or one of nothing but zeros, which is like nothing and unlike nothing.
        """
        texts = [text, *others]
        vectors = await self._embedder.asked(texts)
        if not vectors.any(axis=1).all():
            raise TruncatedJsonError("an embedding of zeros alone: nothing can be compared with it")
        cut = any(self._embedder.was_cut(one) for one in texts)
        values = [min(1.0, max(0.0, float(value))) for value in vectors[1:] @ vectors[0]]
        return Compared(values, _CUT if cut else "")


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
