"""What rules, judges and people said about a dialogue, and what a gate made of it."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from benchbar.records.base import Record
from benchbar.records.numbers import Estimate


class ScoreStatus(StrEnum):
    """Whether there is a value; a missing score is never zero."""

    SCORED = "scored"
    ABSTAINED = "abstained"
    FAILED = "failed"


class Layer(StrEnum):
    """Who decided."""

    RULE = "rule"
    LLM = "llm"
    HUMAN = "human"


class Evidence(Record, frozen=True):
    """A span of one turn, in characters of its content."""

    turn: int
    start: int
    end: int
    text: str


class Score(Record, frozen=True):
    """A mark from 0 to 1 for one dimension or guidance point of one dialogue."""

    sample: str
    assistant: str
    dimension: str
    """A dimension's name, or the id of a guidance point."""
    layer: Layer
    status: ScoreStatus
    value: float | None = None
    evidence: tuple[Evidence, ...] = ()
    reason: str = ""
    scorer: str = ""
    version: str = "1"
    rater: str = ""
    repeat: int = 0
    probabilities: dict[str, float] = {}
    """Mark to the judge's own probability of it, where its endpoint stated one."""

    def __post_init__(self) -> None:
        """A value exactly where the status says so."""
        # Missing is never zero: the record itself refuses a failed mark with a value, and a scored one
        # without.
        if (self.value is None) == (self.status is ScoreStatus.SCORED):
            raise ValueError(f"status {self.status} does not fit value {self.value}")


class Winner(StrEnum):
    """Who served the user better."""

    LEFT = "left"
    RIGHT = "right"
    TIE = "tie"


Order = Literal["left_first", "right_first"]
"""Which of two dialogues a judge is shown first."""


Reduction = Literal["mean", "majority", "median", "strict"]
"""How what the judges of a panel say of one thing becomes one value."""


class Comparison(Record, frozen=True):
    """A judge's verdict on two dialogues about one sample."""

    sample: str
    left: str
    """The candidate."""
    right: str
    """The reference assistant."""
    order: Order
    status: ScoreStatus
    winner: Winner | None = None
    rationale: str = ""
    judge: str = ""
    version: str = "1"
    repeat: int = 0
    attempts: int = 1
    """How often the judge was asked until its verdict could be read."""
    reason: str = ""
    probabilities: dict[str, float] = {}
    """Winner to the judge's own probability of it, where its endpoint stated one."""
    value: float | None = None
    """What the verdict is worth to the candidate by these probabilities, where the spec counts verdicts so; else None."""


Decision = Literal["pass", "fail", "insufficient_evidence"]


class GateReason(Record, frozen=True):
    """One thing that a decision rests on, in a form that every language can say: ``gate_reason.KEY`` in its pack."""

    key: str
    values: dict[str, str | int | float | dict[str, int]] = {}
    """What the text is filled with; numbers in the unit of the check."""


class GateCheck(Record, frozen=True):
    """One condition of a gate."""

    name: str
    decision: Decision
    estimate: Estimate
    """What decides: its interval holds whatever was assumed of missing values and of the judge."""
    threshold: float
    reason: str
    """The reasons in English."""
    unit: str = "share"
    """Of estimate and threshold, as the measure's definition has it; ``difference`` where two runs are compared."""
    required: bool = True
    """Whether the gate's decision rests on it; else it is shown and decides nothing."""
    detectable: float | None = None
    """The smallest true distance from the threshold that so many samples show with 80% power."""
    kind: str = ""
    """The table of the policy that it comes from: ``at_least``, ``at_most``, ``never``, ``evidence`` or ``not_worse``."""
    measure: str = ""
    assistant: str = ""
    reasons: tuple[GateReason, ...] = ()
    """None in runs of before they were kept."""
    holds: Literal["", "complete", "worst_case", "as_observed"] = ""
    """Whether no value is missing, whether it holds whatever the missing ones are, or if they are like the others."""
    observed: Estimate | None = None
    """Of the values that are there alone, where the deciding estimate allows for more."""
    missing: dict[str, int] = {}
    """Why values are missing to how many; those to which the measure does not apply are not among them."""


class GateDecision(Record, frozen=True):
    """Ship, do not ship, or not enough evidence to say."""

    decision: Decision
    checks: tuple[GateCheck, ...] = ()
    missing: dict[str, int] = {}
    """Check name to how many more samples or marks, like those that are there, would decide it with 80% power.

    The reasons of the check say which way."""
    policy: str = ""
    """Name of the policy."""
    assistants: tuple[str, ...] = ()
    """Whom the gate decides on."""
    reasons: tuple[GateReason, ...] = ()
    """What holds of the decision as a whole: a low confidence, the error budget of releases."""
    confidence: float = 0.95
    """Of the intervals that are held against thresholds."""
    minimum_n: int = 0
    """Samples below which nothing passes."""
    minimum_marks: int = 0
    """Human marks below which nothing passes that rests on them."""
