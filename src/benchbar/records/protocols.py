"""The roles that rooms hand to each other: whoever fits the shape may play the part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol, runtime_checkable

from benchbar.records import Citation, Comparison, Dialogue, GuidancePoint, RagScore, Reply, Sample, Score, Task, Turn


@runtime_checkable
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


class CitationChecker(Protocol):
    """Holds the citations of a text against a body of law."""

    identity: str
    """Fingerprint of the law."""
    today: str
    """The day (YYYY-MM-DD) whose law counts where a matter has no date of its own."""

    def check(self, text: str, *, on: str | None, language: str) -> tuple[Citation, ...]:
        """Every citation of the text, with its status on that day."""
        ...


@runtime_checkable
class Comparer(Protocol):
    """A judge that compares two dialogues about one sample."""

    identity: str

    async def compare(
        self,
        task: Task,
        sample: Sample,
        left: Dialogue,
        right: Dialogue,
        *,
        order: Literal["left_first", "right_first"],
        repeat: int = 0,
    ) -> Comparison:
        """The verdict on the two dialogues, shown in this order."""
        ...


@runtime_checkable
class Marker(Protocol):
    """A judge that marks single guidance points."""

    identity: str

    async def mark(
        self, task: Task, sample: Sample, dialogue: Dialogue, points: Sequence[GuidancePoint], *, repeat: int = 0
    ) -> tuple[Score, ...]:
        """One score for each of the points."""
        ...


@runtime_checkable
class AnswerJudge(Protocol):
    """A judge that measures one answer against its passages and the reference answer."""

    identity: str

    async def assess(self, sample: Sample, dialogue: Dialogue, *, repeat: int = 0) -> tuple[RagScore, ...]:
        """One score for each measure that applies to the sample."""
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


@runtime_checkable
class Grader(Protocol):
    """A judge that grades a whole dialogue by written criteria."""

    identity: str

    async def grade(self, task: Task, sample: Sample, dialogue: Dialogue, *, repeat: int = 0) -> tuple[Score, ...]:
        """One score for each criterion."""
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

    def path(self, name: str) -> Path:
        """A file named in the spec, relative to the spec's folder."""
        ...

    def law(self, name: str | None = None) -> Path:
        """The folder of a corpus: the one named, else the one the suite brings; raises ``UserError`` where none is."""
        ...

    async def post(self, url: str, body: bytes, headers: Mapping[str, str], seconds: float) -> bytes:
        """The body of a 200 answer, with the run's limits and retries; raises ``ModelError``."""
        ...
