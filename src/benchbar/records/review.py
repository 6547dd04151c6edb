"""What people are asked to mark, why, with what chance, and what they said."""

from __future__ import annotations

from typing import Literal

from benchbar.records.base import Record
from benchbar.records.scoring import Order

GRADED, COMPARED = "overall", "win_rate"
"""The measures that people mark: a dialogue's grade, or the outcome of a dialogue against the reference's."""
POINT, TURN = "judged_point", "user_turn"
"""What else people are asked: whether a judge decided a guidance point rightly, and whether a simulated user's turn is aligned."""
KINDS = {"dialogues": (GRADED, COMPARED), "points": (POINT,), "turns": (TURN,)}
"""What tasks are about, to their measures: dialogues, a judge's decisions on guidance points, turns of the simulated user."""
ERRORS: dict[str, tuple[str, ...]] = {
    POINT: ("missed_point", "detail_over_accuracy", "partly_met", "other"),
    TURN: ("answers_itself", "leaves_needs", "invents_facts", "withholds_information", "other"),
}
"""Measure to the types of error that people choose from: those that the authors of UCL-Bench found, and the rest."""
PICKED = "picked"
"""The reason of a task that somebody picked by hand: no chance chose it, so it stands for no other and counts in no estimate."""
JudgeForm = Literal["pairwise", "checklist"]
"""The forms of judge that speak of single guidance points."""


class JudgedPoint(Record, frozen=True):
    """One guidance point in one judgement of a judge, which people check."""

    point: str
    """Its id."""
    category: str
    form: JudgeForm
    judge: str
    """Identity of the scorer."""
    order: Order | None = None
    """Which dialogue the judge was shown first; None where it saw one alone."""
    repeat: int = 0


SPANS = ("wrong_law", "outdated", "invented", "misses_fact", "contradiction", "good")
"""What people mark passages of an answer as."""
LONGEST_QUOTE = 1000
"""Characters of a passage; a longer one says nothing of where."""


class MarkedSpan(Record, frozen=True):
    """A passage of an answer that a person marked."""

    kind: Literal["wrong_law", "outdated", "invented", "misses_fact", "contradiction", "good"]
    turn: int
    """The turn in which it stands, counted among those that are shown."""
    quote: str
    """Its words as they were shown."""
    against: bool = False
    """Whether it stands in the dialogue that the task's was compared with."""


class ReviewTask(Record, frozen=True):
    """One dialogue that people should mark."""

    id: str
    """Says nothing about sample or assistant: raters are blind."""
    sample: str
    assistant: str
    reasons: tuple[str, ...]
    """Of spread, panel, conflict, high_risk, new, disputed_before, audit; validation where a sample was drawn to check by; picked
    where somebody picked it by hand."""
    probability: float
    """The chance with which it was chosen: 1 for everything that has to be seen, 0 for what was picked by hand."""
    annotators: int = 1
    against: str = ""
    """The reference, where two dialogues about the sample are held side by side; empty where one is shown."""
    judged: JudgedPoint | None = None
    """The decision of a judge that is to be checked; None where people judge for themselves."""
    turn: int | None = None
    """The turn of the simulated user that is to be checked."""

    @property
    def measure(self) -> str:
        """What marks of this task are values of."""
        if self.judged is not None:
            return POINT
        if self.turn is not None:
            return TURN
        return COMPARED if self.against else GRADED

    @property
    def picked(self) -> bool:
        """Whether somebody picked it by hand."""
        return PICKED in self.reasons

    @property
    def kind(self) -> str:
        """What it is about: one of ``KINDS``."""
        return next(kind for kind, measures in KINDS.items() if self.measure in measures)

    @property
    def compared(self) -> bool:
        """Whether people say which of two dialogues is better."""
        return self.measure == COMPARED

    @property
    def voted(self) -> bool:
        """Whether marks are a yes or a no, which the majority settles."""
        return self.measure in ERRORS


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
    judge: str = ""
    """The judge whose decisions were drawn; empty where people judge for themselves."""


class Mark(Record, frozen=True):
    """What one person said of one task; a correction is another mark that names the one it corrects."""

    task: str
    rater: str
    value: float | None
    """From 0 to 1, where two were compared 1, 0.5 or 0 for the task's assistant; of a judge's decision or a user's turn 1 for
    right and 0 for wrong; None where it cannot be decided."""
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
    referred: bool | None = None
    """Whether the judge speaks of the guidance point; None where nobody was asked."""
    error: str = ""
    """The type of error of what is wrong."""
    spans: tuple[MarkedSpan, ...] = ()
    """Passages that the person marked, in the order in which they did."""

    def __post_init__(self) -> None:
        """Refuse a value off the scale, or nobody's."""
        if self.value is not None and not 0 <= self.value <= 1:
            raise ValueError(f"a mark of {self.value}; expected a value from 0 to 1")
        if not self.rater.strip() or not self.task:
            raise ValueError("a mark needs a task and a rater")


class Assignment(Record, frozen=True):
    """A task that an owner gives to one person by name, or takes back from them."""

    task: str
    person: str
    by: str
    """Who asks."""
    back: bool = False
    """Whether it is taken back."""

    def __post_init__(self) -> None:
        """Refuse what is given to nobody, by nobody, or is nothing."""
        if not (self.task and self.person.strip() and self.by.strip()):
            raise ValueError("an assignment needs a task, a person and who asks")


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
