"""The roles that rooms hand to each other: whoever fits the shape may play the part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from benchbar.records import (
    Citation,
    CitedIn,
    Dialogue,
    GuidancePoint,
    OpenClaim,
    Order,
    Reply,
    Sample,
    Score,
    Scored,
    ScoreStatus,
    Task,
    Turn,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@runtime_checkable
# Turns alone, so that no assistant can see guidance by accident: what is not passed needs no rule against
# using it.
class Assistant(Protocol):
    """A system under test. It sees turns and nothing else: no guidance, no suite."""

    async def reply(self, turns: Sequence[Turn]) -> Reply:
        """The answer to the last turn, which is the user's."""
        ...


@runtime_checkable
class UserSimulator(Protocol):
    """Plays the user: knows the task, the information and the needs, never the guidance."""

    async def speak(self, task: Task, sample: Sample, turns: Sequence[Turn]) -> Reply:
        """The user's next utterance; it holds the suite's end mark when the user is satisfied."""
        ...


@runtime_checkable
class RecordedDialogues(Protocol):
    """Dialogues that took place elsewhere, looked up by sample."""

    def dialogue(self, sample: Sample) -> Dialogue | None:
        """The dialogue about this sample, or None where none was recorded."""
        ...


@runtime_checkable
class Model(Protocol):
    """A chat model that is asked through the ledger."""

    @property
    def identity(self) -> str:
        """What makes it the same model in two runs."""
        ...

    async def ask(self, messages: Sequence[Turn], *, role: str, repeat: int = 0, attempt: int = 0) -> Reply:
        """The model's answer to the messages; raises ``ModelError`` where there is none."""
        ...


@dataclass(frozen=True)
class AnswerSchema:
    """The form of an answer: one JSON object with these fields and no others."""

    name: str
    fields: Mapping[str, Any]
    """JSON Schema of each, in the order in which they are written."""
    decides: str = ""
    """The field, at any depth, that holds the decision."""
    choices: tuple[str, ...] = ()
    """What it may be, where the probability of each is wanted."""

    @property
    def document(self) -> dict[str, Any]:
        """The JSON Schema."""
        return object_schema(self.fields)


@dataclass(frozen=True)
class Tool:
    """A tool that a model is offered."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    """JSON Schema of its arguments."""


def object_schema(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON Schema of an object with all of these fields, and no others, in their order."""
    return {
        "type": "object",
        "properties": dict(fields),
        "required": list(fields),
        "additionalProperties": False,
    }


@runtime_checkable
class StructuredModel(Protocol):
    """A model that may be held to the form of its answer."""

    @property
    def room(self) -> int | None:
        """Tokens that an answer may have; None where nothing bounds it."""
        ...

    async def holds_to_schemas(self) -> bool:
        """Whether its endpoint holds answers to a schema."""
        ...

    async def ask(
        self,
        messages: Sequence[Turn],
        *,
        role: str,
        repeat: int = 0,
        attempt: int = 0,
        schema: AnswerSchema | None = None,
    ) -> Reply:
        """The model's answer to the messages, in the form of the schema; raises ``ModelError`` where there is none."""
        ...


class VectorModel(Protocol):
    """An embedding model that is asked through the ledger."""

    async def vectors(self, texts: Sequence[str], params: Mapping[str, Any]) -> NDArray[np.float32]:
        """The texts' vectors, shape (texts, dimensions); raises ``ModelError`` where there are none."""
        ...


class CitationChecker(Protocol):
    """Holds the citations of a text against a body of law."""

    identity: str
    """Fingerprint of the law."""
    scope: str
    """What the law at hand is said to be all of, and until when it is known: with it, what is not there is judged."""
    invented: str
    """The jurisdiction of the law, where it is invented; empty where it is a country's."""
    today: str
    """The day (YYYY-MM-DD) whose law counts where a matter has no date of its own."""

    def check(self, text: str, *, on: str | None, language: str) -> tuple[Citation, ...]:
        """Every citation of the text, with its status on that day."""
        ...

    def open_claim(self, text: str, cited: CitedIn) -> OpenClaim | None:
        """What the text says on the authority of a citation; None where rules decided, or there is nothing to be held against."""
        ...


Asks = Literal["never", "sometimes", "always"]


@dataclass(frozen=True, slots=True)
# No msgspec record: it is never written, and holds whole dialogues that need not be checked again.
class ScoringInput:
    """What one call of a scorer looks at: a dialogue, or two of them about one sample."""

    task: Task
    sample: Sample
    dialogue: Dialogue
    """The dialogue to be scored; where two are compared, the candidate's."""
    reference: Dialogue | None = None
    """The reference assistant's dialogue; None unless the scorer compares."""
    order: Order | None = None
    """Which of the two the judge is shown first; None unless the scorer compares."""
    repeat: int = 0
    """Index of a planned repetition: each one is a call of its own."""
    scores: tuple[Score, ...] = ()
    """What the scorers that ask no model said of this dialogue before."""
    claims: tuple[OpenClaim, ...] = ()
    """What the dialogue says on the authority of articles, where rules cannot tell whether they say it."""

    @property
    def pair(self) -> tuple[Dialogue, Dialogue, Order]:
        """Candidate, reference and order.

        Raises:
            ValueError: the input is of one dialogue alone.
        """
        if self.reference is None or self.order is None:
            raise ValueError("a comparison needs the reference's dialogue and an order")
        return self.dialogue, self.reference, self.order

    @property
    def open_points(self) -> tuple[GuidancePoint, ...]:
        """The guidance points that rules left to a judge."""
        # Only an abstention opens a point to the judge: where a rule failed, the failure stands.
        closed = {score.dimension for score in self.scores if score.status is not ScoreStatus.ABSTAINED}
        return tuple(point for point in self.sample.guidance.points if point.id not in closed)


@runtime_checkable
class Scorer(Protocol):
    """Says how good a dialogue is: by rules, by a judge model, or by comparing it with the reference's."""

    name: str
    """Kind of its planned items, and the beginning of their ids; no two scorers of a run share it, but a panel does."""
    identity: str
    """What makes it the same scorer in two runs."""
    compares: bool
    """Whether it looks at a candidate's dialogue beside the reference's, in both orders."""
    asks: Asks
    """Whether scoring takes calls. What never does is neither planned nor settled in the ledger, since nothing was paid."""

    async def score(self, given: ScoringInput) -> tuple[Scored, ...]:
        """The marks; where there is no value, one whose status says so.

        Raises:
            ModelError: the model can never answer, so that going on is pointless.
        """
        ...


class Documents(Protocol):
    """The documents of a body of law, by any name they go by."""

    def named(self, name: str) -> frozenset[str]:
        """Ids of the documents that an id, a citation or a case number may mean."""
        ...

    def text(self, document: str) -> str | None:
        """The words of a document; None where there is none of that id."""
        ...

    def store(self, document: str) -> str:
        """``law`` for an article, ``practice`` for a decision; empty where there is none of that id."""
        ...


class Context(Protocol):
    """What a plugin's factory may take from the run that asks for it."""

    @property
    def language(self) -> str:
        """Language of the suite: zh, ru or en."""
        ...

    def model(self, settings: Mapping[str, Any]) -> Model:
        """A chat model at an endpoint, its calls recorded, limited and paid from the run's budget."""
        ...

    def embedding(self, settings: Mapping[str, Any]) -> VectorModel:
        """An embedding model at an endpoint, its calls recorded, limited and paid from the run's budget."""
        ...

    async def asked_people(self, turns: Sequence[Turn], *, identity: str, people: tuple[str, ...]) -> Reply:
        """What one of these people answered to the last turn; raises ``WaitingForPeopleError`` while nobody has."""
        ...

    def nonce(self, form: str, *shown: str) -> str:
        """The mark of the bars that keep texts of others apart in a prompt, made of all that is ``shown`` between them."""
        ...

    def path(self, name: str) -> Path:
        """A file named in the spec, relative to the spec's folder."""
        ...

    def law(self, name: str | None = None) -> Path:
        """The folder of a corpus: the one named, else the one the suite brings; raises ``UserError`` where none is."""
        ...

    @property
    def paths_in_law_identity(self) -> bool:
        """Whether a corpus is known by its content and the paths of its files: only in runs begun when it was so."""
        ...

    async def post(self, url: str, body: bytes, headers: Mapping[str, str], seconds: float) -> bytes:
        """The body of a 200 answer, with the run's limits and retries; raises ``ModelError``."""
        ...
