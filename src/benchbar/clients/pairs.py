"""A model that classifies pairs of texts, behind ``/predict`` of Hugging Face's text-embeddings-inference.

A request holds a batch of pairs; the answer has for each of them the labels of the model with their probabilities. The protocol
is that of the server's OpenAPI document (version 1.9). ``GET /info``, where there is one, says which model is served: another
than the named one is not asked, since its scores would be kept under the wrong name.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from benchbar.clients.client import Client
from benchbar.clients.encoder import Encoder, Read
from benchbar.clients.endpoint import Endpoint, below
from benchbar.clients.protocol import OK, decoded
from benchbar.records.errors import (
    BadRequestError,
    ContextTooLongError,
    ModelError,
    TruncatedJsonError,
    UnknownModelError,
)

ROLE = "entailment"
Pair = tuple[str, str]
Scores = dict[str, float]
"""Label to its probability, for one pair."""


class _Prediction(msgspec.Struct):
    label: str
    score: float


class _Info(msgspec.Struct):
    model_id: str = ""
    served_model_name: str = ""
    model_type: dict[str, msgspec.Raw] = {}


_PREDICTIONS = msgspec.json.Decoder(list[list[_Prediction]])
_KEPT = msgspec.json.Decoder(list[Scores])
_SUM = 0.01
"""By how much the probabilities of one pair may miss 1."""


class PairClassifier:
    """Scores the labels of pairs of texts at an endpoint, through ledger, budget and limits."""

    def __init__(self, endpoint: Endpoint, client: Client) -> None:
        """The endpoint's ``params`` go into every request.

        Raises:
            UserError: the variable that should hold the key is not set, or there is a budget and no price.
        """
        self._encoder = Encoder(endpoint, client, path="predict", role=ROLE, kind="entailment model")
        self._looked = False

    async def scores(self, pairs: Sequence[Pair]) -> list[Scores | None]:
        """For each pair the probability of every label; None for a pair that is longer than the model reads.

        Nothing is cut: half an article may leave out the exception. A batch that the server refuses as too long or too many is
        halved.

        Raises:
            ModelError: there are none; the subclass says why.
            BudgetExhaustedError: they might cost more than is left.
        """
        try:
            return [*await self._batch(pairs)]
        except ContextTooLongError:
            if len(pairs) == 1:
                return [None]
        middle = len(pairs) // 2
        return [*await self.scores(pairs[:middle]), *await self.scores(pairs[middle:])]

    async def _batch(self, pairs: Sequence[Pair]) -> list[Scores]:
        asked = {**self._encoder.endpoint.params, "truncate": False, "raw_scores": False}
        body = msgspec.json.encode({"inputs": pairs, **asked})
        texts = [text for pair in pairs for text in pair]
        kept = await self._encoder.ask(
            texts, body, asked, lambda answer: Read(read_scores(answer, len(pairs))), before=self._look
        )
        return _KEPT.decode(kept)

    async def _look(self) -> None:
        """Ask once which model is served.

        Raises:
            ModelError: it is another one, or none that classifies.
        """
        if self._looked:
            return
        endpoint = self._encoder.endpoint
        try:
            answer = await self._encoder.client.fetched(
                "GET", below(endpoint.base_url, "info"), None, self._encoder.headers
            )
            info = msgspec.json.decode(answer.body, type=_Info) if answer.status == OK else _Info()
        # What it is cannot be told, as behind a gateway: the answers themselves will show whether it classifies.
        except (ModelError, msgspec.MsgspecError, UnicodeDecodeError):
            return
        self._looked = True
        names = [name for name in (info.served_model_name, info.model_id) if name]
        if names and endpoint.model not in names:
            raise UnknownModelError(
                f"{endpoint.base_url} serves {names[0]} and not {endpoint.model}: name the model that it serves"
            )
        if info.model_type and "classifier" not in info.model_type:
            kind = ", ".join(info.model_type)
            raise BadRequestError(
                f"{endpoint.model} at {endpoint.base_url} is served as {kind}; a classifier of pairs was expected"
            )


def read_scores(body: bytes, count: int) -> str:
    """The scores that a 200 response carries, as text for the ledger, in the order of their pairs.

    Raises:
        TruncatedJsonError: they are not whole, not of ``count`` pairs, or no probabilities.
    """
    found = decoded(_PREDICTIONS, body, "the predictions of a batch")
    if len(found) != count:
        raise TruncatedJsonError(f"predictions of {len(found)} pairs for {count} that were sent")
    rows = [{one.label: one.score for one in row} for row in found]
    for row, stated in zip(rows, found, strict=True):
        if len(row) != len(stated) or not row:
            raise TruncatedJsonError("a pair with no labels, or with one label twice")
        if abs(sum(row.values()) - 1) > _SUM or not all(0 <= score <= 1 for score in row.values()):
            raise TruncatedJsonError(f"scores that are no probabilities of one label each: {row}")
    return msgspec.json.encode(rows).decode()
