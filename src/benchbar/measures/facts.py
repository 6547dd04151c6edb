"""What counts of one dialogue and of one sample: small enough to be kept for every dialogue of a large run."""

from __future__ import annotations

from dataclasses import dataclass, field

from benchbar.scoring.weighing import Weighing
from benchbar.statistics import OrderedOutcome


@dataclass(frozen=True, slots=True)
class DialogueFacts:
    """What counts of one dialogue."""

    sample: str
    task: str
    failed: bool
    exchanges: int
    satisfied: bool
    guards: frozenset[str]
    input_tokens: int | None
    output_tokens: int | None
    cost: float | None
    latency: float
    weighing: Weighing
    coverage: dict[str, tuple[float | None, ...]]
    """Category to the value of each of its points, None where nobody decided it."""
    abstained: int
    failed_marks: int
    citations: tuple[tuple[str, float | None], ...]
    """Status and quote score of each citation."""
    values: dict[str, float | None] = field(default_factory=dict)
    """Measure to value: those of the registry that the dialogue alone gives, and those that scoring rules declare."""
    temperament: str = ""
    """Of the simulated user; empty where temperaments are off, and for dialogues recorded elsewhere."""


@dataclass(frozen=True, slots=True)
class SampleFacts:
    """What counts of one sample."""

    dialogues: dict[str, DialogueFacts]
    """By assistant."""
    outcomes: dict[str, OrderedOutcome]
    """Candidate to its outcome under both orders; empty where no judge compared."""
