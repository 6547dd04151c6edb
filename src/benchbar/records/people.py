"""What a run asks people who answer as an assistant, and what they answer."""

from __future__ import annotations

from benchbar.records.base import Record
from benchbar.records.dialogue import Turn


class PersonQuestion(Record, frozen=True):
    """A reply that a run waits for: any one of these people may give it."""

    id: str
    """Key of the call that the answer becomes, hexadecimal."""
    sample: str
    people: tuple[str, ...]
    """The names under which they sign in."""
    turns: tuple[Turn, ...]
    """All that they are shown: what a model in their place would be sent."""


class PersonAnswer(Record, frozen=True):
    """What a person answered, or why they did not."""

    question: str
    """Id of the question."""
    person: str
    text: str
    """Empty where they declined."""
    seconds: float
    """Of work on it; see docs/lawyer-baseline.md for how it is counted."""
    declined: str = ""
    """Why they give no answer; it counts as a failed dialogue."""


class WithdrawnQuestions(Record, frozen=True):
    """Questions that the run does not ask any more: its suite, its simulated user or its people changed."""

    questions: tuple[str, ...]
