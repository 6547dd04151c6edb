"""What a suite is made of: tasks, samples, and the expert guidance that answers are marked against."""

from __future__ import annotations

from enum import StrEnum

from msgspec import UNSET, UnsetType

from benchbar.records.base import Record

LEVELS = ("memory", "understand", "apply", "analyze", "evaluate", "create")
"""Bloom's levels, from the lowest."""
SCENARIOS = ("general_public", "college", "law_office", "court", "procuratorate")
"""The five kinds of users that UCL-Bench's survey found."""


class Category(StrEnum):
    """How much a guidance point matters (UCL-Bench, Table 2, and its forbidden mentions)."""

    GROUND_TRUTH = "ground_truth"
    MANDATORY = "mandatory"
    ADVISABLE = "advisable"
    ENCOURAGED = "encouraged"
    FORBIDDEN = "forbidden"


class PointKind(StrEnum):
    """What a guidance point asks for; it decides which matcher marks it."""

    CHOICE = "choice"
    NUMBER = "number"
    RANGE = "range"
    TERM = "term"
    CHARGE = "charge"
    CITATION = "citation"
    QUOTE = "quote"
    SEMANTIC = "semantic"


class GuidancePoint(Record, frozen=True):
    """One point of an answer guidance."""

    id: str
    category: Category
    text: str
    kind: PointKind = PointKind.SEMANTIC
    weight: float = 1.0
    alternatives: tuple[str, ...] = ()
    """Other wordings that count as the same point: synonyms, other articles, other spellings."""
    exhaustive: bool = True
    """Text and alternatives are all the ways to say it: where none occurs, a rule may decide that it is not met."""
    low: float | None = None
    """Lower bound of a number or range, in ``unit``."""
    high: float | None = None
    unit: str = ""
    """``month``, ``yuan``, ``point``, ``day``, ``percent`` or empty."""
    tolerance: float = 0.0
    """How far outside the bounds still counts as met, in ``unit``."""
    group: str = ""
    """Points of one group stand for each other: ``Guidance.at_least`` says how many are needed."""


class Guidance(Record, frozen=True):
    """The expert's answer guidance for one sample."""

    points: tuple[GuidancePoint, ...] = ()
    at_least: dict[str, int] = {}
    """Group name to the number of its points that suffices."""
    text: str = ""
    """The text the points were read from, kept as it was."""


class Task(Record, frozen=True):
    """A kind of legal work that a suite tests."""

    id: str
    name: str
    level: str
    """Bloom level, one of ``LEVELS``."""
    scenarios: tuple[str, ...]
    """Who asks, some of ``SCENARIOS``."""
    background: str = ""
    """What the simulated user is told about the situation."""


class Sample(Record, frozen=True):
    """One item of a suite: what a user knows and wants, and how a good answer is recognised."""

    id: str
    task: str
    needs: str
    information: str = ""
    guidance: Guidance = Guidance()
    long_information: bool = False
    """The information goes into the assistant's prompt, so that the simulated user only asks."""
    language: str = "zh"
    on: str | None = None
    """Date of the matter (YYYY-MM-DD); citations are checked against the law in force on it."""
    tags: tuple[str, ...] = ()
    reference: str = ""
    """The right answer to the question, where answers are measured against one."""
    evidence: tuple[str, ...] = ()
    """What bears that answer: ids of documents, law and article, or case numbers; ``ID@10-45`` names the characters."""
    gains: dict[str, float] = {}
    """Relevance of single entries of ``evidence`` where it is graded; 1 for those not named here."""
    instructions: str | UnsetType = UNSET
    """What the suite has the assistant told before the dialogue, word for word, in place of our sentence about the information:
    a closed list of labels to choose from, the form of the answer. Unset and not empty where there is none, so that the
    fingerprints of all suites without it stay what they were."""


UNVERIFIED = "unverified"
"""Tag of a sample that a model wrote and no person has accepted."""
UNANSWERABLE = "unanswerable"
"""Tag of a question that the law at hand does not answer: the right reply says so."""
CONSULTATION, QUESTION_ANSWERING = "consultation", "question_answering"


class LeftOut(Record, frozen=True):
    """Rows of a table that gave no sample."""

    rows: int
    of: int
    """How many rows there are."""
    first: str
    """Where the first of them stands, and why it gave nothing."""


class SuiteCard(Record, frozen=True):
    """Where a suite comes from and what may be done with it."""

    name: str
    description: str = ""
    source: str = ""
    licence: str = ""
    language: str = "zh"
    jurisdiction: str = ""
    version: str = "1"
    protocol: str = CONSULTATION
    """``question_answering`` has each sample's question asked once, without a simulated user."""
    # The mark of UCL-Bench; suites in other languages set their own.
    end_mark: str = "咨询结束"
    """What the simulated user says when it has what it came for."""
    left_out: LeftOut | UnsetType = UNSET
    """What the suite does not have of the table that it was read from; kept with it, so that its results say so."""


class Problem(Record, frozen=True, kw_only=True):
    """Something in an input file that kept a sample out, or that a person should look at."""

    file: str
    line: int | None = None
    field: str | None = None
    message: str
