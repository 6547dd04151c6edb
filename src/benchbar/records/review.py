"""What people are asked to mark, why, with what chance, and what they said."""

from __future__ import annotations

from benchbar.records.base import Record

GRADED, COMPARED = "overall", "win_rate"
"""The measures that people mark: a dialogue's grade, or the outcome of a dialogue against the reference's."""


class ReviewTask(Record, frozen=True):
    """One dialogue that people should mark."""

    id: str
    """Says nothing about sample or assistant: raters are blind."""
    sample: str
    assistant: str
    reasons: tuple[str, ...]
    """Of spread, panel, conflict, high_risk, new, disputed_before, audit."""
    probability: float
    """The chance with which it was chosen: 1 for everything but the audit."""
    annotators: int = 1
    against: str = ""
    """The reference, where two dialogues about the sample are held side by side; empty where one is graded."""

    @property
    def measure(self) -> str:
        """What marks of this task are values of."""
        return COMPARED if self.against else GRADED


class ReviewPlan(Record, frozen=True):
    """One drawing of what people should mark, over a frozen list of dialogues."""

    tasks: tuple[ReviewTask, ...]
    frame: dict[str, dict[str, float]]
    """Assistant to sample to its chance of being chosen, chosen or not."""
    seed: int
    fingerprint: str
    """Of the routing's settings and the frame: the same one is not planned twice."""
    agree: float = 0.15
    """Marks further apart than this are settled by one more person."""
    measure: str = GRADED
    """What its marks are values of."""


class Mark(Record, frozen=True):
    """What one person said of one task; a correction is another mark that names the one it corrects."""

    task: str
    rater: str
    value: float | None
    """From 0 to 1, where two were compared 1, 0.5 or 0 for the task's assistant; None where it cannot be decided."""
    reason: str = ""
    corrects: int | None = None
    """Number of the mark that this one corrects."""
    adjudication: bool = False
    """Settles a difference between others."""
    criteria: dict[str, float] = {}
    """Points by criterion, where the person gave them."""
    met: tuple[str, ...] = ()
    """Ids of the guidance points that the person ticked as met."""
    met_against: tuple[str, ...] = ()
    """The same for the dialogue that the task's was compared with."""

    def __post_init__(self) -> None:
        """Refuse a value off the scale, or nobody's."""
        if self.value is not None and not 0 <= self.value <= 1:
            raise ValueError(f"a mark of {self.value}; expected a value from 0 to 1")
        if not self.rater.strip() or not self.task:
            raise ValueError("a mark needs a task and a rater")


class KeptMark(Record, frozen=True):
    """A mark as the ledger keeps it."""

    number: int
    at: float
    """Seconds since 1970."""
    mark: Mark


class HumanMarks(Record, frozen=True):
    """What people's marks amount to for one assistant; derived from the ledger into marks.json."""

    values: dict[str, float]
    """Sample to the settled mark."""
    probability: dict[str, float]
    """Sample to its chance of being chosen, for the whole frozen list."""
    disputed: tuple[str, ...] = ()
    """Samples on which people could not be brought together: kept out of the statistics."""
    waiting: int = 0
    """Tasks that are not settled yet."""
    compared: HumanMarks | None = None
    """The same for the outcomes against the reference; None where nobody was asked to compare."""
