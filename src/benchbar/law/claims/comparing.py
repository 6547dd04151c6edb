"""What a claim and an article have in common, and where they part: numbers, polarity, opposites, exceptions, roles."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from benchbar.languages.text import Span
from benchbar.law.claims.reading import Clause, Number, Reading, Sentence, span_of

_ALONE = 0.25
"""What is added where claim and article have one number of a unit each."""
_EXCEPTED = 0.7
"""What is left of a conflict with a sentence that makes an exception: the claim may be about that."""
FEWEST = 3
"""Terms of a clause below which it says too little to be found again in an article."""


KINDS = ("number", "polarity", "negation", "opposite", "exception", "subject")
"""``polarity`` where both clauses have an operator; ``negation`` where only one has."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """A place at which claim and article part."""

    kind: str
    """One of ``KINDS``."""
    strength: float
    """From 0 to 1: how alike the words around the two places are, less how alike they are where claim and article agree."""
    claim: Span
    article: Span


@dataclass(frozen=True, slots=True)
class Comparison:
    """A claim held against an article."""

    terms: int
    """Of the claim."""
    coverage: float
    """The share of the claim's terms that the article holds."""
    best: float
    """The greatest share that one sentence of it holds."""
    numbers: int
    """Numbers of the claim whose unit the article counts in."""
    matched: int
    """Of these, those that the article has at a like place."""
    unmatched: int
    """Numbers of the claim in units that the article does not have."""
    conflicts: tuple[Conflict, ...]
    """At most one of each kind, the strongest."""
    backed: float
    """How alike the article's clauses are that say yes or no where the claim does: of its least backed clause."""
    place: Span
    """The sentence of the article that is most like the claim."""

    def strength(self, kind: str) -> float:
        """Of the conflict of a kind; 0 where there is none."""
        return next((one.strength for one in self.conflicts if one.kind == kind), 0.0)


def compare(claim: Reading, article: Reading) -> Comparison:
    """A claim held against an article, or the part of one that is cited."""
    pairs = [(own, other, _alike(own.terms, other.terms)) for own in claim.sentences for other in article.sentences]
    found = [one for look in (_numbers, _polarity, _exceptions, _subjects) for one in look(claim, article, pairs)]
    strongest = {
        kind: max((one for one in found if one.kind == kind), key=lambda one: one.strength)
        for kind in {one.kind for one in found}
    }
    counted = [one for one in claim.numbers if any(_comparable(one, other) for other in article.numbers)]
    best = max(pairs, key=lambda pair: pair[2], default=None)
    return Comparison(
        terms=len(claim.terms),
        coverage=_share(claim.terms, article.terms),
        best=max((_share(claim.terms, one.terms) for one in article.sentences), default=0.0),
        numbers=len(counted),
        matched=sum(
            any(_comparable(one, other) and _same_value(one, other) for other in article.numbers) for one in counted
        ),
        unmatched=len(claim.numbers) - len(counted),
        conflicts=tuple(sorted(strongest.values(), key=lambda one: -one.strength)),
        backed=_backing(claim, article),
        place=(best[1].start, best[1].end) if best else (0, 0),
    )


Pairs = list[tuple[Sentence, Sentence, float]]


def _numbers(claim: Reading, article: Reading, pairs: Pairs) -> Iterator[Conflict]:
    """Numbers of one unit at like places, with different values."""
    near = {one: article.near(one.start, one.end) for one in article.numbers}
    own_near = {one: claim.near(one.start, one.end) for one in claim.numbers}
    units = {one.unit for one in article.numbers}
    like: dict[tuple[Number, Number], float] = {}
    for own, other, alike in pairs:
        for number in own.numbers:
            for found in other.numbers:
                # Hours are held against days only where the article counts in no hours.
                if number.unit == found.unit or (number.unit not in units and _comparable(number, found)):
                    words = _alike(own_near[number], near[found])
                    score = 0.6 * words + 0.3 * alike + 0.1 * (number.bound == found.bound)
                    # Where each counts a thing of this kind once, it hardly means another one.
                    alone = all(sum(_comparable(one, found) for one in of.numbers) == 1 for of in (claim, article))
                    like[number, found] = _ALONE + (1 - _ALONE) * score if alone and alike else score
    equal: dict[Number, float] = defaultdict(float)
    repeated: dict[Number, float] = defaultdict(float)
    for (mine, theirs), score in like.items():
        if _same_value(mine, theirs):
            equal[mine], repeated[theirs] = max(equal[mine], score), max(repeated[theirs], score)
    within = {one: other.numbers for other in article.sentences for one in other.numbers}
    for (mine, theirs), score in like.items():
        # Three months, for heads of organisations six: what the sentence says itself cannot be held against it.
        if any(_said(mine, one) for one in within[theirs]):
            continue
        # A number of the article that the claim repeats elsewhere is that one's counterpart.
        if not _same_value(mine, theirs) and score > equal[mine] and score > repeated[theirs]:
            yield Conflict("number", score - 0.5 * equal[mine], span_of(mine), span_of(theirs))


def _said(mine: Number, theirs: Number) -> bool:
    """Whether the article has the number, and not as a bound of the other kind: at least three months are not at most three."""
    other = mine.bound and theirs.bound and mine.bound != theirs.bound
    return (mine.unit, mine.value) == (theirs.unit, theirs.value) and not other


_DAYS = {"minute": 1 / 1440, "hour": 1 / 24, "day": 1.0, "month": 30.4}
"""Days of a unit of time; weeks and years are read as days and months. Working days are not among them: how many days they
are depends on the calendar."""
_LENGTHS = 0.1
"""Share by which two times in other units may differ and be one: a month has 28 to 31 days."""


def _comparable(one: Number, other: Number) -> bool:
    """Whether two numbers count the same: in one unit, or as bounds of one kind in units of time (within five weeks, within five months)."""
    # Without the bound, the hours of one duty would be held against the years of another.
    times = one.unit in _DAYS and other.unit in _DAYS and one.bound == other.bound != ""
    return one.unit == other.unit or times


def _same_value(one: Number, other: Number) -> bool:
    if one.unit == other.unit:
        return one.value == other.value
    mine, theirs = one.value * _DAYS[one.unit], other.value * _DAYS[other.unit]
    return abs(mine - theirs) <= _LENGTHS * max(mine, theirs)


def _polarity(claim: Reading, article: Reading, pairs: Pairs) -> Iterator[Conflict]:
    """Clauses about the same of which one says yes and the other no."""
    alike = {(id(own), id(other)): value for own, other, value in pairs}
    for own in claim.sentences:
        for clause in own.clauses:
            if len(clause.terms) >= FEWEST and not clause.conditional:
                scored = [
                    (0.7 * _like(clause.terms, one.terms) + 0.3 * alike[id(own), id(other)], other, one)
                    for other in article.sentences
                    for one in other.clauses
                    if len(one.terms) >= FEWEST and not one.conditional
                ]
                yield from _against(own, clause, scored)


def _against(own: Sentence, clause: Clause, scored: list[tuple[float, Sentence, Clause]]) -> Iterator[Conflict]:
    agreeing = max((score for score, _, one in scored if not _parts(clause, one)), default=0.0)
    for score, other, one in scored:
        # What stands around a short clause widens it; without a word of its own in common it is about something else.
        if not _parts(clause, one) or score <= agreeing or not clause.own & one.terms:
            continue
        # 未经同意不得 and 经同意可以 say the same: an even number of differences.
        even = (own.denials - other.denials) % 2 == 0 and clause.opposites == one.opposites
        explicit = clause.operators and one.operators
        kind = "polarity" if explicit else "negation" if clause.denied != one.denied else "opposite"
        strength = (score - 0.5 * agreeing) * (0.5 if even else 1.0) * (_EXCEPTED if other.excepts else 1.0)
        yield Conflict(kind, strength, _told(clause), _told(one))


def _backing(claim: Reading, article: Reading) -> float:
    others = [one for sentence in article.sentences for one in sentence.clauses]
    return min(
        (
            max((_like(clause.terms, one.terms) for one in others if not _parts(clause, one)), default=0.0)
            for sentence in claim.sentences
            for clause in sentence.clauses
            if clause.operators
        ),
        default=1.0,
    )


def _parts(clause: Clause, other: Clause) -> bool:
    """Whether one says yes and the other no: an odd number of denials and opposites between them."""
    opposed = sum(
        mine is not None and theirs is not None and mine != theirs
        for mine, theirs in zip(clause.opposites, other.opposites, strict=True)
    )
    return (clause.denied != other.denied) != (opposed % 2 == 1)


def _exceptions(claim: Reading, article: Reading, pairs: Pairs) -> Iterator[Conflict]:
    """The claim denies that there is an exception, in the words in which the article makes it."""
    for own, other, _ in pairs:
        denied = claim.words.universal.search(claim.plain, own.start, own.end)
        made = article.words.exception.search(article.plain, other.start, other.end)
        if denied and made:
            strength = _share(own.terms, other.terms)
            yield Conflict("exception", strength, (denied.start(), own.end), (made.start(), other.end))


def _subjects(claim: Reading, article: Reading, pairs: Pairs) -> Iterator[Conflict]:
    """Duty or right of the one in the claim, and of the other in the article."""
    alike = {(id(own), id(other)): value for own, other, value in pairs}
    for own in claim.sentences:
        for clause in own.clauses:
            scored = [
                (0.7 * _like(clause.terms, one.terms) + 0.3 * alike[id(own), id(other)], one)
                for other in article.sentences
                for one in other.clauses
                if clause.subject and one.subject and not _parts(clause, one)
            ]
            agreeing = max((score for score, one in scored if clause.subject & one.subject), default=0.0)
            for score, one in scored:
                # The article speaks of whom the claim says it of, but says it of somebody else.
                elsewhere = clause.subject & article.terms and not clause.subject & one.own
                shared = (clause.own - clause.subject) & (one.own - one.subject)
                if elsewhere and shared and score > agreeing:
                    yield Conflict("subject", score - 0.5 * agreeing, _whole(clause), _whole(one))


def _whole(clause: Clause) -> Span:
    return clause.start, clause.end


def _told(clause: Clause) -> Span:
    """From its first operator to its end; all of it where it has none."""
    return (clause.operators[0].start if clause.operators else clause.start), clause.end


def _share(terms: frozenset[str], others: frozenset[str]) -> float:
    return len(terms & others) / len(terms) if terms else 0.0


def _alike(terms: frozenset[str], others: frozenset[str]) -> float:
    """Dice's coefficient."""
    return 2 * len(terms & others) / (len(terms) + len(others)) if terms and others else 0.0


def _like(terms: frozenset[str], others: frozenset[str]) -> float:
    """Between Dice's coefficient and the share of the smaller set: a claim may leave out half of a clause."""
    smaller = len(terms & others) / min(len(terms), len(others)) if terms and others else 0.0
    return (smaller + _alike(terms, others)) / 2
