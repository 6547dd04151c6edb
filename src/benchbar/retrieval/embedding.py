"""Vectors from an embedding model at an endpoint: its settings, and the embedder that asks it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import msgspec
import numpy as np

from benchbar.clients.endpoint import Endpoint, is_local
from benchbar.records import fingerprint
from benchbar.records.errors import BadInputError, UserError
from benchbar.retrieval.postings import Floats
from benchbar.retrieval.vectors import unit

if TYPE_CHECKING:
    from pathlib import Path

    from benchbar.records.protocols import VectorModel

T = TypeVar("T")
Asking: TypeAlias = "Callable[[Mapping[str, Any]], VectorModel]"
"""Gives the embedding model at an endpoint with these fields, whose calls are kept and paid by a run or a session."""

ADDRESS = "BENCHBAR_EMBEDDINGS_URL"
"""Environment variable that names an address beyond this machine to which questions may be sent."""
REMEMBERED = 4096
"""Vectors of texts that an embedder keeps in memory: 6 MB at 384 numbers."""


class EmbeddingSettings(Endpoint, frozen=True, kw_only=True):
    """An embedding model behind the protocol of OpenAI's ``/embeddings``, and how a corpus is embedded by it."""

    query_prefix: str = ""
    """Put before each question: models such as E5 were trained with ``query: ``."""
    passage_prefix: str = ""
    """Put before each passage, such as ``passage: ``."""
    query_params: dict[str, Any] = {}
    """Goes into the request for questions, such as ``{ input_type = "query" }``."""
    passage_params: dict[str, Any] = {}
    """Goes into the request for passages."""
    dimensions: int = 0
    """Numbers of a vector; 0 takes what the model gives. Another length is refused."""
    batch: int = 32
    """Texts of one request."""
    rerank: int = 0
    """Only so many of a question's lexically best passages are embedded and ordered anew; 0 embeds the whole corpus."""
    max_cost: float | None = None
    """The most that embedding a corpus may cost, in the currency of the price."""

    def __post_init__(self) -> None:
        """Refuse what could not be asked.

        Raises:
            UserError: a number is out of range, or an endpoint's own fields are wrong.
        """
        super().__post_init__()
        if self.batch < 1 or self.rerank < 0 or self.dimensions < 0:
            raise UserError(
                f"embeddings: batch = {self.batch}, rerank = {self.rerank}, dimensions = {self.dimensions};"
                " expected a batch of at least 1, and the others not below 0"
            )

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of its endpoint."""
        return {name: msgspec.to_builtins(getattr(self, name)) for name in Endpoint.__struct_fields__}

    @property
    def name(self) -> str:
        """What makes two vectors of one passage the same: model, prefix and parameters, wherever the model is served."""
        return fingerprint([self.model, self.passage_prefix, self.params, self.passage_params, self.dimensions])[:12]


def read_settings(given: Mapping[str, Any] | None) -> EmbeddingSettings | None:
    """The settings in a table of a spec; None where there is none.

    Raises:
        UserError: a field is unknown or of another type.
    """
    if not given:
        return None
    try:
        return msgspec.convert(dict(given), EmbeddingSettings)
    except msgspec.ValidationError as error:
        known = ", ".join(EmbeddingSettings.__struct_fields__)
        raise UserError(f"embeddings: {error}; known: {known}") from error


def trusted(settings: EmbeddingSettings, file: Path, address: str) -> EmbeddingSettings:
    """Settings that lie in an index, if its questions may be sent there: to this machine, or to ``address``.

    An index may come from somebody else. Were its address simply asked, questions and a key would go to whoever wrote it.

    Raises:
        BadInputError: they name another machine, which the user has not named.
    """
    from urllib.parse import urlsplit

    if is_local(urlsplit(settings.base_url).hostname or "") or settings.base_url.rstrip("/") == address.rstrip("/"):
        return settings
    raise BadInputError(
        f"this index would send questions to {settings.base_url}; to allow it, set {ADDRESS}={settings.base_url}, or name"
        " the endpoint in the spec (retrieval.embeddings)",
        file=file,
    )


class EndpointEmbedder:
    """Asks an embedding model; vectors of a text that was just asked for are remembered."""

    def __init__(self, settings: EmbeddingSettings, asking: Asking | None = None) -> None:
        """With ``asking``, vectors are fetched ahead (``fetch``) through the ledger and budget of a run or a session."""
        self.settings = settings
        self._model = None if asking is None else asking(settings.fields)
        self._known: dict[tuple[str, str], Floats] = {}

    async def fetch(self, queries: Sequence[str], passages: Sequence[str]) -> None:
        """Ask for the vectors of these texts now, so that the calls without ``await`` find them.

        Raises:
            ModelError: the endpoint does not give them.
        """
        if self._model is not None:
            await self._fill(self._model, "query", queries)
            await self._fill(self._model, "passage", passages)

    async def asked(self, texts: Sequence[str]) -> Floats:
        """Unit vectors of texts as questions are encoded, each asked for through the ledger; what is remembered is not looked at.

        Which calls a resumed run makes must not depend on what this process was asked before.

        Raises:
            ModelError: the endpoint does not give them.
            UserError: there is no run or session to ask through, or vectors have another length than is stated.
        """
        if self._model is None:
            raise UserError(
                "vectors are asked for outside of a run or session; expected one whose ledger keeps the calls"
            )
        return await self._asked(self._model, "query", texts)

    def was_cut(self, text: str) -> bool:
        """Whether the vector of this text, taken as a question, is that of its beginning alone."""
        cut = getattr(self._model, "was_cut", None)
        return cut is not None and bool(cut(self.settings.query_prefix + text))

    def encode_queries(self, texts: Sequence[str]) -> Floats:
        """Unit vectors of questions, each after the prefix for questions."""
        return self._encoded("query", texts)

    def encode_passages(self, texts: Sequence[str]) -> Floats:
        """Unit vectors of passages, each after the prefix for passages."""
        return self._encoded("passage", texts)

    def _encoded(self, kind: str, texts: Sequence[str]) -> Floats:
        if not len(texts):
            return np.empty((0, self.settings.dimensions), np.float32)
        found = {text: self._known[kind, text] for text in texts if (kind, text) in self._known}
        if missing := [text for text in dict.fromkeys(texts) if text not in found]:
            found |= dict(zip(missing, _elsewhere(self._in_a_session(kind, missing)), strict=True))
        return np.stack([found[text] for text in texts])

    @property
    def shortened(self) -> int:
        """Texts that were cut because the model takes no longer ones."""
        return getattr(self._model, "shortened", 0)

    def dimensions(self, text: str) -> int:
        """Numbers of a vector: as stated, else as the model gives for one passage."""
        return self.settings.dimensions or self.encode_passages([text]).shape[1]

    async def _in_a_session(self, kind: str, texts: Sequence[str]) -> Floats:
        from benchbar.clients.session import open_session

        async with open_session(max_cost=self.settings.max_cost) as session:
            return await self._asked(session.embedding(self.settings.fields), kind, texts)

    async def _fill(self, model: VectorModel, kind: str, texts: Sequence[str]) -> None:
        missing = [text for text in dict.fromkeys(texts) if (kind, text) not in self._known]
        if missing:
            vectors = await self._asked(model, kind, missing)
            for text in list(self._known)[: max(len(self._known) + len(missing) - REMEMBERED, 0)]:
                del self._known[text]
            self._known |= {(kind, text): vector for text, vector in zip(missing, vectors, strict=True)}

    async def _asked(self, model: VectorModel, kind: str, texts: Sequence[str]) -> Floats:
        own = self.settings
        prefix, params = {
            "query": (own.query_prefix, own.query_params),
            "passage": (own.passage_prefix, own.passage_params),
        }[kind]
        batches = [texts[start : start + own.batch] for start in range(0, len(texts), own.batch)]
        found = await asyncio.gather(*(model.vectors([prefix + text for text in batch], params) for batch in batches))
        vectors = unit(np.concatenate(found))
        if own.dimensions and vectors.shape[1] != own.dimensions:
            raise UserError(
                f"{own.model} gives vectors of {vectors.shape[1]} numbers where dimensions = {own.dimensions}; state its own"
                ' number, or ask for another with params = { "dimensions": … } where the model knows that'
            )
        return vectors


def _elsewhere(work: Coroutine[Any, Any, T]) -> T:
    """What the work returns, done in a loop of its own: a search is a plain call, whether or not a loop runs around it."""
    results: list[T] = []
    failures: list[BaseException] = []

    def run() -> None:
        try:
            results.append(asyncio.run(work))
        except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
            failures.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if failures:
        raise failures[0]
    return results[0]
