"""What a reader got out of one file."""

from __future__ import annotations

from dataclasses import dataclass, field

from benchbar.records import Article, Decision, LawVersion, Record


class Skipped(Record, frozen=True):
    """A file, or a part of one, that did not go into the corpus, and why."""

    file: str
    reason: str


@dataclass(slots=True)
class Material:
    """Versions of laws, articles and decisions, and what was left out."""

    versions: list[LawVersion] = field(default_factory=list)
    articles: list[Article] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    claims: frozenset[str] = frozenset()
    """Levels of law (``law``, ``regulation``…, ``decision``, or ``*``) that the source holds all of."""
    as_of: str = ""
    """Last day (YYYY-MM-DD) that the source knows the law of; empty where it does not say."""

    def extend(self, other: Material) -> None:
        """Add what another file held."""
        self.versions += other.versions
        self.articles += other.articles
        self.decisions += other.decisions
        self.skipped += other.skipped
        self.claims |= other.claims
        # Of several snapshots the earliest bounds what is known.
        self.as_of = min(filter(None, (self.as_of, other.as_of)), default="")
