"""What users were asked about their work, what they answered, and what follows for a suite."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from benchbar.records.base import Record
from benchbar.records.numbers import Estimate
from benchbar.records.suites import Problem

RATED = ("clarity", "relevance", "practicality")
"""What a task is rated on (UCL-Bench, appendix B.1)."""


class UseCase(Record, frozen=True):
    """Something that users may want an assistant for."""

    id: str
    text: str
    origin: str = ""
    """Where it was found: ``interview``, ``open_answer`` or a word of one's own."""


class SurveyScenario(Record, frozen=True):
    """Who is asked, and what is offered to them."""

    id: str
    name: str
    use_cases: tuple[UseCase, ...] = ()
    prompt: str = ""
    """The words above the list of use cases."""


class BackgroundQuestion(Record, frozen=True):
    """A question on the respondent; one of ``options``, or a number."""

    id: str
    text: str
    kind: Literal["choice", "number"] = "choice"
    options: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None


class Questionnaire(Record, frozen=True, kw_only=True):
    """A survey of users: consent, scenario, use cases to tick, an open question."""

    name: str
    title: str
    language: str = "en"
    introduction: str = ""
    consent: str = ""
    """What the respondent agrees to before anything is asked."""
    min_minutes: float = 5.0
    """A response given in less time was not read."""
    scenario_question: str = ""
    scenarios: tuple[SurveyScenario, ...]
    background: tuple[BackgroundQuestion, ...] = ()
    open_question: str = ""
    columns: dict[str, str] = {}
    """Field of a response to the head of its column in an imported table."""
    schema_version: int = 1


class Response(Record, frozen=True, kw_only=True):
    """One filled-in questionnaire."""

    id: str
    scenario: str
    selected: tuple[str, ...] = ()
    """Ids of use cases, as ticked."""
    none: bool = False
    """The respondent said that none of the offered use cases is of interest."""
    open: str = ""
    # None is counted apart and never as 0, which would exclude everybody whose service keeps no time.
    minutes: float | None = None
    # Optional: most survey services export no respondent, and whoever needs none should ask for none.
    respondent: str = ""
    """Who answered, if the table says: two responses of one respondent are one too many."""
    consent: bool | None = None
    background: dict[str, str] = {}


class Exclusion(StrEnum):
    """Why a response does not count."""

    UNREADABLE = "unreadable"
    NO_CONSENT = "no_consent"
    EMPTY = "empty"
    CONTRADICTORY = "contradictory"
    TOO_FAST = "too_fast"
    DUPLICATE = "duplicate"


class Excluded(Record, frozen=True):
    """A response that was collected and does not count."""

    response: str
    reason: Exclusion
    detail: str = ""
    line: int | None = None


class Statement(Record, frozen=True):
    """One wish of an open answer."""

    response: str
    text: str


class Acceptance(StrEnum):
    """What a person said of a proposed group."""

    PENDING = "pending"
    ACCEPTED = "accepted"
    REFUSED = "refused"


class OpenGroup(Record, frozen=True, kw_only=True):
    """Open answers that may mean the same use case; they count once a person has accepted the group."""

    id: str
    scenario: str
    label: str
    use_case: str = ""
    """An offered use case that it is another wording of; empty for a new one, whose id is the group's."""
    # Never accepted by itself: a model or a cosine that decided would raise shares that nobody has read.
    decision: Acceptance = Acceptance.PENDING
    proposed_by: str = "lexical"
    members: tuple[Statement, ...] = ()


class UseCaseShare(Record, frozen=True, kw_only=True):
    """How many of a scenario's users want a use case."""

    id: str
    scenario: str
    text: str
    origin: str
    ticked: int
    mentioned: int
    """Respondents who did not tick it and whose open answer was accepted as meaning it."""
    share: Estimate
    retained: bool
    undecided: bool
    """The interval holds the threshold: more responses may turn the decision."""


class BackgroundAnswers(Record, frozen=True, kw_only=True):
    """What the valid responses say to one question on the respondent."""

    id: str
    text: str
    shares: dict[str, Estimate] = {}
    mean: Estimate | None = None
    """Of a number."""


class SurveyResults(Record, frozen=True, kw_only=True):
    """What a survey found."""

    questionnaire: str
    fingerprint: str
    """Of the questionnaire."""
    title: str
    language: str
    threshold: float
    min_minutes: float
    collected: int
    valid: int
    without_time: int
    """Valid responses that do not say how long they took."""
    exclusions: dict[str, int]
    excluded: tuple[Excluded, ...]
    scenarios: dict[str, str]
    """Id to name."""
    by_scenario: dict[str, int]
    """Valid responses."""
    background: tuple[BackgroundAnswers, ...]
    use_cases: tuple[UseCaseShare, ...]
    """By scenario, the most wanted first."""
    retained: int
    dropped: int
    undecided: int
    open_answers: int
    groups: dict[str, int]
    """Groups of open answers by decision."""
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()
    schema_version: int = 1


class TaskRating(Record, frozen=True, kw_only=True):
    """What one person says of one task in one round."""

    rater: str
    task: str
    round: int = 1
    values: dict[str, int]
    """Dimension to 1 to 5; what was not rated is left out."""
    comment: str = ""
    use_case: str = ""
    scenario: str = ""


class TaskVerification(Record, frozen=True, kw_only=True):
    """How one task stands after the last round that it was rated in."""

    task: str
    use_cases: tuple[str, ...]
    round: int
    raters: int
    rounds: dict[str, dict[str, Estimate]]
    """Round to dimension to mean."""
    passed: bool
    """Every dimension was rated, and its mean reaches the threshold."""
    below: tuple[str, ...]
    """Dimensions whose mean is below the threshold, or that nobody rated."""
    at_threshold: tuple[str, ...]
    """Dimensions whose mean is the threshold exactly."""
    undecided: tuple[str, ...]
    """Dimensions whose interval holds the threshold, or that have none."""
    comments: tuple[str, ...] = ()
    """Of that round."""


class VerificationResults(Record, frozen=True, kw_only=True):
    """What the verification of tasks found."""

    threshold: float
    dimensions: tuple[str, ...]
    raters: int
    rounds: tuple[int, ...]
    tasks: tuple[TaskVerification, ...]
    passed: int
    rework: tuple[str, ...]
    """Tasks that do not pass yet."""
    at_threshold: tuple[str, ...]
    """``task: dimension`` of every mean that is the threshold exactly."""
    undecided: int
    """Means whose interval holds the threshold."""
    agreement: dict[str, dict[str, Estimate]]
    """Dimension to ``raw``, ``krippendorff_alpha`` and ``gwet_ac2``, over tasks of the last round of each."""
    without_task: tuple[str, ...] = ()
    """Retained use cases that no task stands for; only where a survey was given."""
    problems: tuple[Problem, ...] = ()
    schema_version: int = 1
