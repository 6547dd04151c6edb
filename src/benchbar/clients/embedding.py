"""An embedding model behind the protocol of OpenAI's ``/embeddings``: every batch is one call of the ledger."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from benchbar.clients.client import Client
from benchbar.clients.encoder import Encoder, Read
from benchbar.clients.endpoint import Endpoint
from benchbar.clients.protocol import UsageStated, error_inside
from benchbar.records.errors import ContextTooLongError, TruncatedJsonError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

ROLE = "embedder"
SHORTEST = 64
"""Characters below which a text that is refused as too long is not cut any further."""


class _Vector(msgspec.Struct):
    embedding: list[float] | str
    index: int | None = None


class _Answer(msgspec.Struct):
    data: list[_Vector] = []
    usage: UsageStated | None = None
    model: str | None = None
    error: Any = None


_DECODER = msgspec.json.Decoder(_Answer, strict=False)


class EmbeddingModel:
    """Turns texts into vectors at an endpoint, through ledger, budget and limits."""

    def __init__(self, endpoint: Endpoint, client: Client) -> None:
        """The endpoint's ``params`` go into every request.

        Raises:
            UserError: the variable that should hold the key is not set, or there is a budget and no price.
        """
        self._encoder = Encoder(endpoint, client, path="embeddings", role=ROLE, kind="embedding model")
        # Hashes, not texts: of a corpus there may be many, and only whether one was cut is asked.
        self._cut = set[int]()

    @property
    def shortened(self) -> int:
        """Texts that were cut because the model refused them as too long."""
        return len(self._cut)

    def was_cut(self, text: str) -> bool:
        """Whether this text's vector is that of its beginning alone."""
        return hash(text) in self._cut

    async def vectors(self, texts: Sequence[str], params: Mapping[str, Any]) -> Vectors:
        """The texts' vectors as the model gives them, shape (texts, dimensions); ``params`` go into the request.

        A batch that is too long for the model is halved; a single text that is, is cut in half until it fits: servers
        with a short context refuse where others cut by themselves.

        Raises:
            ModelError: there are none; the subclass says why.
            BudgetExhaustedError: they might cost more than is left.
        """
        import numpy as np

        try:
            return await self._batch(texts, params)
        except ContextTooLongError:
            if len(texts) > 1:
                middle = len(texts) // 2
                halves = [await self.vectors(part, params) for part in (texts[:middle], texts[middle:])]
                return np.concatenate(halves)
            if len(texts[0]) < SHORTEST:
                raise
        return await self._of_the_beginning(texts[0], params)

    async def _of_the_beginning(self, text: str, params: Mapping[str, Any]) -> Vectors:
        shorter = text
        while True:
            shorter = shorter[: len(shorter) // 2]
            try:
                found = await self._batch([shorter], params)
            except ContextTooLongError:
                if len(shorter) < SHORTEST:
                    raise
                continue
            self._cut.add(hash(text))
            return found

    async def _batch(self, texts: Sequence[str], params: Mapping[str, Any]) -> Vectors:
        fields = {**self._encoder.endpoint.params, **params}
        body = msgspec.json.encode({"model": self._encoder.endpoint.model, "input": list(texts), **fields})
        count = len(texts)
        return unpacked(await self._encoder.ask(texts, body, fields, lambda answer: _read(answer, count)), count)


def _read(answer: bytes, count: int) -> Read:
    vectors, usage, model = read_vectors(answer, count)
    return Read(packed(vectors), usage.prompt_tokens, model)


def read_vectors(body: bytes, count: int) -> tuple[Vectors, UsageStated, str]:
    """The vectors that a 200 response carries, in the order of their texts, with tokens and the model's own name.

    Raises:
        ModelError: they are not whole, not ``count`` of equal length, or not numbers.
    """
    import numpy as np

    try:
        answer = _DECODER.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise TruncatedJsonError(f"not a complete answer with embeddings ({error})") from error
    if answer.error:
        raise error_inside(body)
    # Most servers answer in order and some number their answers: the number counts where there is one.
    places = [number if one.index is None else one.index for number, one in enumerate(answer.data)]
    if sorted(places) != list(range(count)):
        raise TruncatedJsonError(f"{len(answer.data)} embeddings for {count} texts, or wrongly numbered")
    rows = [_numbers(answer.data[places.index(place)].embedding) for place in range(count)]
    if len({len(row) for row in rows}) != 1 or not len(rows[0]):
        raise TruncatedJsonError(f"embeddings of {sorted({len(row) for row in rows})} numbers in one answer")
    found = np.stack(rows)
    if not np.isfinite(found).all():
        raise TruncatedJsonError("an embedding holds what is no number")
    return found, answer.usage or UsageStated(), answer.model or ""


def _numbers(embedding: list[float] | str) -> Vectors:
    import numpy as np

    if not isinstance(embedding, str):
        return np.asarray(embedding, dtype=np.float32)
    try:
        return np.frombuffer(base64.b64decode(embedding, validate=True), dtype="<f4").astype(np.float32)
    except (binascii.Error, ValueError) as error:
        raise TruncatedJsonError(f"an embedding is neither numbers nor base64: {error}") from error


def packed(vectors: Vectors) -> str:
    """Vectors as text for the ledger: base64 of 32-bit numbers, an eighth of their length in digits."""
    return base64.b64encode(vectors.astype("<f4").tobytes()).decode()


def unpacked(text: str, count: int) -> Vectors:
    """The vectors that ``packed`` wrote, shape (count, dimensions)."""
    import numpy as np

    return np.frombuffer(base64.b64decode(text), dtype="<f4").reshape(count, -1).astype(np.float32)
