"""What a run lends to the factories of its parts: models, files, the suite's law, the way out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchbar.clients import ChatModel, Client, Endpoint
from benchbar.clients.embedding import EmbeddingModel
from benchbar.clients.pairs import PairClassifier
from benchbar.clients.retry import with_retries
from benchbar.law.bundled import law_path
from benchbar.ledger import Ledger
from benchbar.records import Reply, Suite, Turn
from benchbar.records.base import converted
from benchbar.records.errors import BadInputError, UserError
from benchbar.runs.asking_people import PeopleAsked

HTTP_TRIES = 6


class RunContext:
    """Fits ``benchbar.records.protocols.Context``."""

    def __init__(self, client: Client, suite: Suite, base: Path, *, paths_in_law_identity: bool = False) -> None:
        """Paths in the spec are taken from ``base``."""
        self._client, self._suite, self._base = client, suite, base
        self.paths_in_law_identity = paths_in_law_identity
        self.people = PeopleAsked(client.ledger)

    @property
    def ledger(self) -> Ledger:
        """Of the run."""
        return self._client.ledger

    @property
    def language(self) -> str:
        """Of the suite."""
        return self._suite.card.language

    def model(self, settings: Mapping[str, Any]) -> ChatModel:
        """A chat model at an endpoint."""
        return ChatModel(_endpoint(settings), self._client)

    def embedding(self, settings: Mapping[str, Any]) -> EmbeddingModel:
        """An embedding model at an endpoint."""
        return EmbeddingModel(_endpoint(settings), self._client)

    def pairs(self, endpoint: Endpoint) -> PairClassifier:
        """A model that classifies pairs of texts at an endpoint."""
        return PairClassifier(endpoint, self._client)

    async def asked_people(self, turns: Sequence[Turn], *, identity: str, people: tuple[str, ...]) -> Reply:
        """What one of these people answered to the last turn; raises ``WaitingForPeopleError`` while nobody has."""
        return await self.people.answer(turns, identity=identity, people=people)

    def nonce(self, form: str, *shown: str) -> str:
        """The mark of the bars in an assistant's own prompts."""
        return self._client.ledger.nonce(f"assistant {form}", *shown)

    def path(self, name: str) -> Path:
        """A file named in the spec."""
        return self._base / name

    def law(self, name: str | None = None) -> Path:
        """A corpus by name, else the suite's own."""
        if name:
            return law_path(name, self._base)
        if self._suite.law is None:
            raise UserError(f'the suite {self._suite.card.name!r} brings no law; name a corpus: corpus = "FOLDER"')
        return self._suite.law

    async def post(self, url: str, body: bytes, headers: Mapping[str, str], seconds: float) -> bytes:
        """The body of a 200 answer, tried again while that may help."""
        answer, _ = await with_retries(
            lambda: self._client.post(url, body, headers, seconds), tries=HTTP_TRIES, chance=self._client.chance
        )
        return answer


def _endpoint(settings: Mapping[str, Any]) -> Endpoint:
    try:
        return converted(dict(settings), Endpoint)
    except BadInputError as error:
        known = ", ".join(Endpoint.__struct_fields__)
        raise UserError(f"settings of the model {settings.get('model', '')}: {error}; known: {known}") from error
