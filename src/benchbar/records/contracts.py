"""What is read from a contract, and what a reviewer said about each of its clauses."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, cast

from benchbar.records.base import Record
from benchbar.records.dialogue import Usage


class RiskLevel(StrEnum):
    """How much a clause endangers the party that reads it, mildest first."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"

    @property
    def rank(self) -> int:
        """0 for low, 1 for medium, 2 for high."""
        return list(RiskLevel).index(self)


class ClauseKind(StrEnum):
    """What part of a contract a stretch of text is."""

    PREAMBLE = "preamble"
    HEADING = "heading"
    CLAUSE = "clause"
    TABLE = "table"
    SIGNATURE = "signature"
    ANNEX = "annex"


class CrossReference(Record, frozen=True):
    """A mention of another clause of the same contract."""

    start: int
    """In characters of the clause's text."""
    end: int
    text: str
    number: str
    """What is mentioned, in plain digits: ``5``, ``3.2``, ``annex 1``."""
    target: str | None = None
    """Id of the clause, or None where the contract has no such clause."""


class Clause(Record, frozen=True):
    """One unit of a contract: what is reviewed at once."""

    id: str
    kind: ClauseKind
    text: str
    """Exactly the characters ``start`` to ``end`` of the contract's text."""
    start: int
    end: int
    number: str = ""
    """The mark as it stands: ``第五条``, ``3.2``, ``Section 4``."""
    title: str = ""
    path: tuple[str, ...] = ()
    """The headings above, outermost first."""
    depth: int = 0
    parent: str | None = None
    page: int | None = None
    """First page, from 1, where the format has pages."""
    references: tuple[CrossReference, ...] = ()


class RuleHit(Record, frozen=True):
    """A risk rule that the retrieval proposed for a clause."""

    rule: str
    name: str
    score: float
    """Fused retrieval score; it orders rules for one clause and says nothing about the level of risk."""
    rank: int
    matched: tuple[str, ...] = ()
    """Keywords and pattern names of the rule found literally in the clause."""
    near: bool = False
    """Whether it is so much nearer than the next rule that it may name a finding."""


class ExcerptStatus(StrEnum):
    """Whether an excerpt stands in the clause."""

    VERIFIED = "verified"
    """Word for word, but for width, spaces and parts that an ellipsis stands for."""
    CLOSE = "close"
    """Nearly: ``differences`` shows where it leaves the clause. No proof before a person has read both."""
    REJECTED = "rejected"
    ABSENT = "absent"
    """The reply gave no excerpt."""


class ExcerptCheck(Record, frozen=True):
    """Whether, where and by which step an excerpt was found in its clause."""

    excerpt: str
    status: ExcerptStatus
    method: Literal["exact", "ellipsis", "fuzzy", "reranked", "none"] = "none"
    spans: tuple[tuple[int, int], ...] = ()
    """Characters of the clause's text, one span for each part between ellipses."""
    score: float | None = None
    """Similarity 0 to 1 of the fuzzy step or of the reranker; None where the match was exact."""
    reason: str = ""
    differences: tuple[tuple[str, str], ...] = ()
    """Of a close excerpt: the clause's words and the excerpt's, wherever they part."""


class LawStatus(StrEnum):
    """What became of a citation of law."""

    VERIFIED = "verified"
    NOT_FOUND = "not_found"
    NOT_IN_FORCE = "not_in_force"
    OFF_TOPIC = "off_topic"
    """The article shares almost no telling words with the point."""
    NOT_CHECKED = "not_checked"


class LawCheck(Record, frozen=True):
    """Whether a cited article exists, is in force, and bears the point made."""

    citation: str
    status: LawStatus
    law: str = ""
    article: str = ""
    topic: float | None = None
    """How much of the finding's wording the article holds, 0 to 1."""
    reason: str = ""


class Finding(Record, frozen=True):
    """One risk in one clause: the six parts of the review form, and how they were checked."""

    risk: str
    level: RiskLevel
    evidence: str = ""
    analysis: str = ""
    law: str = ""
    suggestion: str = ""
    rule: str = ""
    """Id of the rule behind it, where there is one."""
    confidence: float | None = None
    kind: Literal["risk", "prompt_injection", "broken_reference", "inconsistency", "missing_clause", "playbook"] = (
        "risk"
    )
    excerpt: ExcerptCheck | None = None
    laws: tuple[LawCheck, ...] = ()


class Reflection(Record, frozen=True):
    """The second look at a verdict."""

    outcome: Literal["keep", "adjust", "doubtful", "unparsed"]
    before: RiskLevel
    after: RiskLevel
    confidence: float | None = None
    """Of the first look; it decides whether there is a second."""
    reason: str = ""


class ReviewStatus(StrEnum):
    """Whether the reply could be read as a review."""

    REVIEWED = "reviewed"
    NOT_EXAMINED = "not_examined"
    """No check had anything to say about this clause; it may hold any risk."""
    UNPARSED = "unparsed"
    FAILED = "failed"
    """No reply came; ``reason`` says why."""


Answer = Literal["risk", "no_risk_found", "not_examined", "unparsed", "failed"]


class ClauseReview(Record, frozen=True):
    """All that a reviewer said about one clause, and what it cost."""

    clause: str
    status: ReviewStatus
    level: RiskLevel | None = None
    """The gravest level found; None exactly where the status is not ``reviewed``."""
    findings: tuple[Finding, ...] = ()
    rules: tuple[RuleHit, ...] = ()
    confidence: float | None = None
    votes: dict[str, int] = {}
    """Level (or ``unparsed``) to how many of the repeated replies gave it."""
    reflection: Reflection | None = None
    doubtful: bool = False
    """A person has to look: the reviewer doubts itself, a guard refused its evidence, or a clause speaks to it."""
    reason: str = ""
    replies: tuple[str, ...] = ()
    raw_excerpts: tuple[ExcerptCheck, ...] = ()
    """The excerpts as they were first given, before the evidence guard asked again or withheld any."""
    calls: int = 0
    latency: float = 0.0
    """Seconds from the clause to its review: search, the slowest of the repeated replies, and what followed them."""
    usage: Usage = Usage()
    cost: float | None = None

    @property
    def answer(self) -> Answer:
        """The one answer for the clause: a risk, no risk found by the checks that are listed, or why there is neither."""
        if self.level is None:
            return cast("Answer", str(self.status))
        found = any(one.level is not RiskLevel.LOW or one.kind != "risk" for one in self.findings)
        return "risk" if found or self.level is not RiskLevel.LOW else "no_risk_found"

    def __post_init__(self) -> None:
        """A level exactly where the status says so."""
        # A clause that could not be read has no level; LOW would let it pass as harmless.
        if (self.level is None) == (self.status is ReviewStatus.REVIEWED):
            raise ValueError(f"status {self.status} does not fit level {self.level}")


class LabelledClause(Record, frozen=True):
    """A clause with the level and the rules that an expert gave it."""

    id: str
    text: str
    level: RiskLevel
    contract_type: str = ""
    rules: tuple[str, ...] = ()
    """Ids of the rules that the clause should trigger; none for a clause without risk."""
    group: str = ""
    """Clauses that were written for the same rule; the sampling unit of intervals."""
    laws: tuple[str, ...] = ()
