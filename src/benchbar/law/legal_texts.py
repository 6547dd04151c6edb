"""Legal texts as the readers of files hand them on: versions of laws, articles, decisions, and what a file was taken for."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Literal

from msgspec import field

from benchbar.records import Article, Decision, LawVersion, Record


class Skipped(Record, frozen=True):
    """A file, or a part of one, that did not go into the corpus, and why."""

    file: str
    reason: str


class Understood(Record, frozen=True):
    """What a file was taken for: shown after indexing, kept with the index, and open to correction."""

    kind: Literal["act", "decision"]
    name: str
    """Name of the act; title of the decision."""
    document: str
    """law_id of the act; id of the decision."""
    form: str = ""
    """The format it was read as, such as ``DOCX`` or ``CLML``."""
    number: str = ""
    """Number of the act in its series, or case number."""
    court: str = ""
    dates: dict[str, str] = field(default_factory=dict)
    """``adopted``, ``in_force``, ``until`` or ``decided``, each YYYY-MM-DD."""
    origins: dict[str, str] = field(default_factory=dict)
    """Where name, number and each date were read: ``first line``, ``end of the text``, ``file name``, ``law.toml``…"""
    signs: tuple[str, ...] = ()
    """What told an act from a decision."""
    articles: int = 0
    language: str = ""
    identifiers: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """What is doubtful or missing: pages without text, outstanding amendments, signs of the other kind."""


@dataclass(slots=True)
class LegalTexts:
    """Versions of laws, articles and decisions, and what was left out."""

    versions: list[LawVersion] = dataclass_field(default_factory=list)
    articles: list[Article] = dataclass_field(default_factory=list)
    decisions: list[Decision] = dataclass_field(default_factory=list)
    skipped: list[Skipped] = dataclass_field(default_factory=list)
    understood: list[Understood] = dataclass_field(default_factory=list)
    claims: frozenset[str] = frozenset()
    """Levels of law (``law``, ``regulation``…, ``decision``, or ``*``) that the source holds all of."""
    as_of: str = ""
    """Last day (YYYY-MM-DD) that the source knows the law of; empty where it does not say."""

    def extend(self, other: LegalTexts) -> None:
        """Add what another file held."""
        self.versions += other.versions
        self.articles += other.articles
        self.decisions += other.decisions
        self.skipped += other.skipped
        self.understood += other.understood
        self.claims |= other.claims
        # Of several snapshots the earliest bounds what is known.
        self.as_of = min(filter(None, (self.as_of, other.as_of)), default="")
