"""What repeated dialogues show: where the variance of marks comes from, and how often every trial passes."""

from __future__ import annotations

from benchbar.records.base import Record
from benchbar.records.numbers import Estimate


class VariancePart(Record, frozen=True):
    """What one source adds to the variance of a single value."""

    variance: Estimate
    """0 or more; without a value where it cannot be told, with the reason."""
    within: str = ""
    """The source whose part holds it where it cannot be told apart from that one."""


class PassRates(Record, frozen=True):
    """How often dialogues pass when each is held several times."""

    threshold: float
    """A dialogue passes with a value of at least this; of measures of harm with at most this."""
    at_least: bool
    at: tuple[Estimate, ...]
    """pass@k for k = 1, 2, ...: the chance that at least one of k trials passes."""
    power: tuple[Estimate, ...]
    """pass^k for k = 1, 2, ...: the chance that k trials all pass."""


class AssistantRepeats(Record, frozen=True):
    """What the trials of one assistant show."""

    parts: dict[str, dict[str, VariancePart]]
    """Measure to source (``sample``, ``answer``, ``order``, ``judge``) to its part."""
    passes: dict[str, PassRates]
    """Measure to how often its trials pass."""


class RepeatResults(Record, frozen=True):
    """What a run with repeated dialogues found beside its estimates, which count each sample once."""

    trials: int
    assistants: dict[str, AssistantRepeats]
    rater: VariancePart | None = None
    """What a person adds who marks a dialogue, of all assistants together."""
