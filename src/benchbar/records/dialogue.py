"""What was said between a simulated user and an assistant."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from msgspec import UNSET, UnsetType

from benchbar.records.base import Record
from benchbar.records.scoring import Evidence


class ToolCall(Record, frozen=True):
    """A tool that a model asks to have called."""

    id: str
    name: str
    arguments: str
    """JSON, as the model wrote it: it may be none."""
    signature: str | UnsetType = UNSET
    """What a provider wants back with the call, unread: Gemini refuses a conversation whose calls have lost theirs."""


class Turn(Record, frozen=True):
    """One utterance."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    tool_calls: tuple[ToolCall, ...] | UnsetType = UNSET
    """What an assistant asked its tools. Like the next field it is not written where there is none: the keys of all other calls,
    and the records of all other dialogues, stay what they were."""
    answers: str | UnsetType = UNSET
    """Id of the call that a tool's turn answers."""


class Usage(Record, frozen=True):
    """Tokens of one or more calls; None where the endpoint did not say."""

    input_tokens: int | None = None
    output_tokens: int | None = None


class ContextPassage(Record, frozen=True):
    """A passage that an answer was written from."""

    id: str
    """Of the article, decision or document; where a source gives none, a fingerprint of the text."""
    text: str


class ProductFile(Record, frozen=True):
    """A file that an agent left."""

    name: str
    sha256: str
    size: int
    """Bytes."""


class Reply(Record, frozen=True):
    """What an assistant, a simulator or a judge answered."""

    content: str
    usage: Usage = Usage()
    latency: float = 0.0
    """Seconds from sending to the last byte."""
    cost: float | None = None
    """In the currency of the user's prices; None where no price was given."""
    model: str = ""
    """The model that the endpoint says answered."""
    finish: str = ""
    contexts: tuple[ContextPassage, ...] | None = None
    """The passages it was written from, best first; empty where none was found, None where it does not say."""
    probabilities: tuple[dict[str, float], ...] = ()
    """Of each choice, at every place where an answer of a given form decides; empty where they were not asked for."""
    thoughts: str = ""
    """What a reasoning model thought before it answered: kept, and never marked, sent on or cited."""
    thought_tokens: int | None = None
    """How many of the output tokens were thoughts; None where the endpoint does not say. They are paid like the others."""
    thought_cost: float | UnsetType = UNSET
    """What these tokens cost, a part of ``cost``; not written where no price or no number of tokens was given."""
    cached_tokens: int | UnsetType = UNSET
    """How many of the input tokens the provider had in its cache; not written where the endpoint does not say."""
    tool_calls: tuple[ToolCall, ...] | UnsetType = UNSET
    """What the model wants its tools to be asked before it goes on; not written where it asks for nothing."""
    product: tuple[ProductFile, ...] | UnsetType = UNSET
    """The files that an agent left; not written of what leaves none."""


class Thought(Record, frozen=True):
    """What the assistant thought before one of its replies: shown folded, and never marked, sent on or cited."""

    turn: int
    """Of the reply that it came before."""
    text: str
    """Empty where the endpoint told the number of tokens and kept the text."""
    tokens: int | None = None
    cost: float | None = None
    """A part of the dialogue's cost."""


class DialogueEnd(StrEnum):
    """Why a dialogue ended."""

    SATISFIED = "satisfied"
    TURN_LIMIT = "turn_limit"
    ERROR = "error"


class GuardFinding(Record, frozen=True):
    """Something that should not happen in a simulated consultation, seen at one turn."""

    guard: str
    turn: int
    detail: str = ""


class Dialogue(Record, frozen=True):
    """One consultation: sample and assistant, turns, and how it ended."""

    sample: str
    assistant: str
    turns: tuple[Turn, ...]
    ended: DialogueEnd
    error: str = ""
    """Slug and message of what ended it, where it ended in an error."""
    closing: str = ""
    """What the simulated user said before the end mark, kept apart from the turns."""
    guards: tuple[GuardFinding, ...] = ()
    usage: Usage = Usage()
    """Of the assistant alone; the simulator's is counted in the run's totals."""
    cost: float | None = None
    latency: float = 0.0
    """Seconds the assistant took, summed over its replies; 0 where nobody measured them, as in recorded answers."""
    contexts: tuple[ContextPassage, ...] | None = None
    """The passages that its replies were written from, each once; None where none of them said."""

    temperament: str = ""
    """Of the simulated user; empty where temperaments are off."""
    thoughts: tuple[Thought, ...] | UnsetType = UNSET
    """Of a reasoning model. Not written where there are none: records of other dialogues stay what they were, and with them
    the digests that ledgers keep."""
    product: tuple[ProductFile, ...] | UnsetType = UNSET
    """The files that an agent left, of its last reply that left any; not written of what leaves none."""

    @property
    def replies(self) -> tuple[str, ...]:
        """What the assistant answered, in order; empty where it never did."""
        return tuple(turn.content for turn in self.turns if turn.role == "assistant")

    def find(self, text: str) -> Evidence | None:
        """Where the assistant said exactly this, the last time it did; None where it never did."""
        # From the end: an assistant that corrects itself is held to what it said last.
        for index in range(len(self.turns) - 1, -1, -1):
            turn = self.turns[index]
            start = turn.content.rfind(text) if text and turn.role == "assistant" else -1
            if start >= 0:
                return Evidence(turn=index, start=start, end=start + len(text), text=text)
        return None

    @property
    def exchanges(self) -> int:
        """How often the assistant answered."""
        return sum(turn.role == "assistant" for turn in self.turns)

    def show(self) -> str:
        """What was said, one utterance after the other, each with its role: for reading in a terminal or notebook."""
        said = [f"{turn.role}: {turn.content}" for turn in self.turns if turn.role != "system"]
        return "\n\n".join([*said, f"({self.ended.value}{f': {self.error}' if self.error else ''})"])
