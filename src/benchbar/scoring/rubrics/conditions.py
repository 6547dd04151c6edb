"""What rule items can ask of dialogues, guidance points, citations and contract reviews."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from benchbar.languages.text import comparable
from benchbar.records import Category, Citation, DialogueEnd, Guidance, Record
from benchbar.records.contracts import ExcerptStatus, LawStatus, ReviewStatus
from benchbar.scoring.citations import invented, validity
from benchbar.scoring.functions import Verdict
from benchbar.scoring.rubrics.subject import Subject
from benchbar.scoring.weighing import weigh


class Nothing(Record, frozen=True):
    """No parameters."""


class Words(Record, frozen=True):
    """Words that have to stand in the output."""

    words: tuple[str, ...]


class Categories(Record, frozen=True):
    """Guidance categories."""

    categories: tuple[Category, ...]


class Number(Record, frozen=True):
    """A count."""

    n: int


class Between(Record, frozen=True):
    """Bounds, both included."""

    low: int = 0
    high: int = 1_000_000


class Condition(NamedTuple):
    """A rule that can be named in a rubric."""

    parameters: type[Record]
    decide: Callable[[Subject, Any], Verdict]


NO_SUCH_POINTS = "the guidance has no such points"
NO_LAW = "no law at hand"
NOT_ASKED = frozenset({NO_SUCH_POINTS, NO_LAW})
"""Why a rule leaves what does not apply, as opposed to what is open."""


def left(reason: str) -> Verdict:
    """The rule leaves the item to others."""
    return Verdict(value=None, reason=reason)


def said(value: float, reason: str) -> Verdict:
    """The rule decided, from 0 to 1."""
    return Verdict(value=min(max(value, 0.0), 1.0), reason=reason)


def mentions(subject: Subject, given: Words) -> Verdict:
    """The share of the words that stand in the output, whatever their width and case."""
    text = comparable(subject.output).text
    found = [word for word in given.words if comparable(word).text in text]
    return said(len(found) / len(given.words), f"{len(found)}/{len(given.words)} mentioned")


def length(subject: Subject, given: Between) -> Verdict:
    """Whether the output has so many characters."""
    n = len(subject.output)
    return said(float(given.low <= n <= given.high), f"{n} characters")


def satisfied(subject: Subject, _: Nothing) -> Verdict:
    """Whether the simulated user ended satisfied."""
    if subject.dialogue is None:
        return left("no dialogue")
    return said(float(subject.dialogue.ended is DialogueEnd.SATISFIED), str(subject.dialogue.ended))


def exchanges(subject: Subject, given: Number) -> Verdict:
    """Whether the dialogue took at most so many exchanges."""
    if subject.dialogue is None:
        return left("no dialogue")
    return said(float(subject.dialogue.exchanges <= given.n), f"{subject.dialogue.exchanges} exchanges")


def unguarded(subject: Subject, _: Nothing) -> Verdict:
    """Whether no guard saw the assistant echo, repeat itself or say nothing."""
    if subject.dialogue is None:
        return left("no dialogue")
    seen = sorted({finding.guard for finding in subject.dialogue.guards})
    return said(float(not seen), ", ".join(seen) or "no guard spoke")


def points_met(subject: Subject, given: Categories) -> Verdict:
    """The weighted share of decided guidance points of these categories; for forbidden ones the share avoided."""
    if subject.sample is None:
        return left("no guidance")
    whole = subject.sample.guidance
    points = tuple(point for point in whole.points if point.category in given.categories)
    if not points:
        return left(NO_SUCH_POINTS)
    # Weighed as everywhere else, forbidden points and groups included.
    worth = weigh(Guidance(points=points, at_least=whole.at_least), subject.scores, subject.reduction)
    if worth.value is None:
        return left("no such point was decided")
    # What was found of some forbidden points says nothing good of those that nobody decided.
    if worth.value == 1.0 and worth.decided < worth.weight and set(given.categories) == {Category.FORBIDDEN}:
        return left(f"none of the decided was said, but {worth.decided:g} of weight {worth.weight:g} is decided")
    return said(worth.value, f"{worth.decided:g} of weight {worth.weight:g} decided")


def citations_valid(subject: Subject, _: Nothing) -> Verdict:
    """The share of citations that stand, among those that the law at hand can judge."""
    if subject.citations is None:
        return left(NO_LAW)
    found = validity(subject.citations)
    return left("no citation that the law at hand can judge") if found is None else said(found, f"{found:.0%} stand")


def nothing_invented(subject: Subject, _: Nothing) -> Verdict:
    """Whether no law and no article is cited that does not exist."""
    if subject.citations is None:
        return left(NO_LAW)
    return said(float(not invented(subject.citations)), f"{len(subject.citations)} citations")


def cites(subject: Subject, given: Number) -> Verdict:
    """The share of so many different valid citations that the output has."""
    if subject.citations is None:
        return left(NO_LAW)
    # Different ones: the same article ten times is one source.
    found = {_document(one) for one in subject.citations if one.article_id}
    return said(len(found) / given.n if given.n else 1.0, f"{len(found)} articles or decisions")


def _document(one: Citation) -> str:
    return one.article_id or ""


def on_topic(subject: Subject, _: Nothing) -> Verdict:
    """The mean chance that what is said next to citations is about the cited articles."""
    if subject.citations is None:
        return left(NO_LAW)
    shares = [one.topic for one in subject.citations if one.topic is not None]
    return (
        said(sum(shares) / len(shares), f"{len(shares)} citations")
        if shares
        else left("nothing cited to hold it against")
    )


def reviews_read(subject: Subject, _: Nothing) -> Verdict:
    """The share of clauses whose review could be read."""
    if not subject.reviews:
        return left("no contract review")
    good = sum(one.status is ReviewStatus.REVIEWED for one in subject.reviews)
    return said(good / len(subject.reviews), f"{good}/{len(subject.reviews)} reviewed")


def findings_proven(subject: Subject, _: Nothing) -> Verdict:
    """The share of findings whose excerpt stands in the clause."""
    findings = [finding for review in subject.reviews or () for finding in review.findings]
    if not findings:
        return left("no findings")
    good = sum(bool(one.excerpt and one.excerpt.status is ExcerptStatus.VERIFIED) for one in findings)
    return said(good / len(findings), f"{good}/{len(findings)} proven")


def findings_lawful(subject: Subject, _: Nothing) -> Verdict:
    """The share of checked citations in findings that exist, are in force and bear the point."""
    laws = [law for review in subject.reviews or () for finding in review.findings for law in finding.laws]
    checked = [law for law in laws if law.status is not LawStatus.NOT_CHECKED]
    if not checked:
        return left("no citation that was checked")
    good = sum(law.status is LawStatus.VERIFIED for law in checked)
    return said(good / len(checked), f"{good}/{len(checked)} stand")


def findings_mended(subject: Subject, _: Nothing) -> Verdict:
    """The share of findings that suggest another wording."""
    findings = [finding for review in subject.reviews or () for finding in review.findings]
    if not findings:
        return left("no findings")
    good = sum(bool(one.suggestion.strip()) for one in findings)
    return said(good / len(findings), f"{good}/{len(findings)} with a suggestion")


CONDITIONS: dict[str, Condition] = {
    "mentions": Condition(Words, mentions),
    "length": Condition(Between, length),
    "satisfied": Condition(Nothing, satisfied),
    "exchanges_at_most": Condition(Number, exchanges),
    "no_guard": Condition(Nothing, unguarded),
    "points_met": Condition(Categories, points_met),
    "citations_valid": Condition(Nothing, citations_valid),
    "nothing_invented": Condition(Nothing, nothing_invented),
    "cites": Condition(Number, cites),
    "citations_on_topic": Condition(Nothing, on_topic),
    "reviews_read": Condition(Nothing, reviews_read),
    "findings_proven": Condition(Nothing, findings_proven),
    "findings_lawful": Condition(Nothing, findings_lawful),
    "findings_mended": Condition(Nothing, findings_mended),
}


def parameters_of(condition: Condition, given: dict[str, Any]) -> Record:
    """The parameters of a condition as its record; raises ``msgspec.ValidationError``."""
    return msgspec.convert(given, condition.parameters)
