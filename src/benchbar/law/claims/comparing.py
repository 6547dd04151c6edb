"""What a claim and an article have in common, and where they part: numbers, polarity, opposites, exceptions, roles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from benchbar.languages.text import Span
from benchbar.law.claims.bounds import allowed_beyond, turned
from benchbar.law.claims.conditions import waived
from benchbar.law.claims.reading import Clause, Number, Reading, Sentence, span_of
from benchbar.law.claims.statements import partings

_ALONE = 0.25
"""What is added where claim and article have one number of a unit each."""
_EXCEPTED = 0.7
"""What is left of a conflict with a sentence that makes an exception: the claim may be about that."""
_SAME_ACT = 0.3
"""How alike what is governed has to be, for a duty and a prohibition to be of one act."""
_ONE_ACT = 0.75
"""Share of what a claim makes a duty or forbids that the article's clause has to hold, for it to be the same act."""
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
    """At most one of each kind, the strongest first; of equals in the order of ``KINDS``."""
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
    found = [
        one
        for look in (_numbers, _bounds, _polarity, _exceptions, _waived, _stated, _subjects, _exchanged)
        for one in look(claim, article, pairs)
    ]
    strongest = {
        kind: max((one for one in found if one.kind == kind), key=lambda one: one.strength)
        for kind in KINDS
        if any(one.kind == kind for one in found)
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
    """Numbers of one unit that say the same thing's measure, with different values.

    The words around a number tell which number of the article is its counterpart, never its place. Where the article has the number
    itself, it may be said of another subject, and where two of its numbers are as likely a counterpart, nothing is proven.
    """
    places = [one for own, other, alike in pairs for one in _places(own, other, alike, claim, article)]
    for mine in claim.numbers:
        found = sorted((one for one in places if one.mine == mine), key=lambda one: -one.aligned)
        others = [one for one in found if not _stands(mine, one.theirs)]
        if not others:
            continue
        equal = max((one.score for one in found if _stands(mine, one.theirs)), default=0.0)
        first, standing = others[0], (one for one in article.numbers if _stands(mine, one))
        proven = (
            _certain(others)
            and not _allowed(first)
            and (not _instance(first, claim, article) or allowed_beyond(first.mine, first.theirs, claim, article))
            and all(_elsewhere(first, one, places) for one in standing)
        )
        strength = first.score if proven else min(_UNPROVEN, first.score - 0.5 * equal)
        if proven or first.score > equal:
            yield Conflict("number", strength, span_of(mine), span_of(first.theirs))


def _bounds(claim: Reading, article: Reading, pairs: Pairs) -> Iterator[Conflict]:
    """One number is said to be the least, which the article says is the most."""
    return (Conflict("number", *one) for own, other, _ in pairs for one in turned(claim, own, article, other))


def _stated(claim: Reading, article: Reading, _pairs: Pairs) -> Iterator[Conflict]:
    """By word of mouth, whose proof it is, one alone of several."""
    return (Conflict("opposite", *one) for one in partings(claim, article))


def _elsewhere(counterpart: _Place, standing: Number, places: list[_Place]) -> bool:
    """Whether the article says the claim's number of another thing: as a bound of the other kind (三个月以上, 不得超过三个月)."""
    mine = counterpart.mine
    own = max((one.aligned for one in places if one.mine == mine and one.theirs == standing), default=0.0)
    # 不超过二十年 and 超过二十年的，不予保护 are one bound: what is forbidden above it is allowed up to it.
    other = {mine.bound, standing.bound} == {"at_least", "at_most"}
    return other and counterpart.aligned - own >= _MARGIN


def _instance(one: _Place, claim: Reading, article: Reading) -> bool:
    """Whether a number that is no bound may be one of a case.

    Its words say so, or it is held against the article's tiers (at fifteen, of 14 to 16), or breaks its bound in a clause that says no (six hours a day are
    not allowed, where four are the most).
    """
    mine, theirs = one.mine, one.theirs
    if mine.case:
        return True
    if mine.bound or not theirs.bound:
        return False
    tiers = {each.value for each in article.numbers if each.unit == theirs.unit and each.bound}
    clause = claim.clause_at(mine.start)
    denied = clause is not None and clause.denied
    breaks = mine.value < theirs.value if theirs.bound in {"at_least", "more"} else mine.value > theirs.value
    return len(tiers) > 1 or (denied and breaks)


class _Place(NamedTuple):
    """A number of the claim beside one of the article."""

    mine: Number
    theirs: Number
    score: float
    aligned: float
    """The same, with the words right beside the numbers: 价款 of 价款十倍, рабочей недели of 24 часов в неделю."""


def _places(own: Sentence, other: Sentence, alike: float, claim: Reading, article: Reading) -> list[_Place]:
    found = list[_Place]()
    for mine in own.numbers:
        for theirs in other.numbers:
            # 4 hours in two days and 120 hours a year: other units are compared only where there is one of them.
            if mine.unit != theirs.unit and not (
                _alone(mine, claim) and _alone(theirs, article) and _comparable(mine, theirs)
            ):
                continue
            alone = all(sum(_comparable(mine, one) for one in of.numbers) == 1 for of in (claim, article))
            words = _alike(claim.near(*span_of(mine)), article.near(*span_of(theirs)))
            score = 0.6 * words + 0.3 * alike + 0.1 * (mine.bound == theirs.bound)
            # Where each counts a thing of this kind once, it hardly means another one.
            score = _ALONE + (1 - _ALONE) * score if alone and alike else score
            beside = _alike(claim.beside(*span_of(mine)), article.beside(*span_of(theirs)))
            found.append(_Place(mine, theirs, score, score + _BESIDE * beside))
    return found


def _certain(found: list[_Place]) -> bool:
    """Whether one number of the article is the counterpart by more than a little; the ends of a range are no rivals."""
    first = found[0]
    rivals = (one for one in found[1:] if one.theirs.value != first.theirs.value)
    margin = _MARGIN_OF_TIMES if first.theirs.unit == "times" else _MARGIN
    return all(first.aligned - one.aligned >= margin or _range(first.theirs, one.theirs) for one in rivals)


def _range(one: Number, other: Number) -> bool:
    return {one.bound, other.bound} == {"at_least", "at_most"} and abs(one.start - other.start) <= _RANGE


def _allowed(one: _Place) -> bool:
    """Whether a number that is no bound itself keeps the article's bound: two months where three are the most."""
    mine, theirs = one.mine, one.theirs
    if mine.bound or mine.unit != theirs.unit:
        return False
    return {"at_most": mine.value <= theirs.value, "at_least": mine.value >= theirs.value,
            "more": mine.value > theirs.value, "less": mine.value < theirs.value}.get(theirs.bound, False)  # fmt: skip


_BESIDE = 0.5
"""Weight of the words right beside two numbers where it is told which one is meant."""
_MARGIN = 0.03
"""By how much the counterpart of a number has to be likelier than any other."""
_MARGIN_OF_TIMES = 0.1
"""The same for times: of the price or of the loss, and the base is often left out."""
_UNPROVEN = 0.3
"""Greatest strength of a conflict whose counterpart in the article is not certain: it bars support and proves nothing."""
_RANGE = 12
"""Characters between the two ends of a range."""
_DAYS = {"minute": 1 / 1440, "hour": 1 / 24, "day": 1.0, "month": 30.4}
"""Days of a unit of time; weeks and years are read as days and months. Working days are not among them: how many days they
are depends on the calendar."""
_LENGTHS = 0.1
"""Share by which two times in other units may differ and be one: a month has 28 to 31 days."""


def _comparable(one: Number, other: Number) -> bool:
    """Whether two numbers count the same: in one unit, or as bounds of one kind in units of time (within five weeks, within 72 hours)."""
    # Without the bound, the hours of one duty would be held against the years of another.
    times = one.unit in _DAYS and other.unit in _DAYS and one.bound == other.bound != ""
    return one.unit == other.unit or times


def _alone(one: Number, of: Reading) -> bool:
    """Whether a text counts things of this kind once; of times it may have no other in any unit."""
    return sum(each.unit == one.unit or (each.unit in _DAYS and one.unit in _DAYS) for each in of.numbers) == 1


def _stands(mine: Number, other: Number) -> bool:
    """Whether a number is another one, told in any unit of time."""
    times = mine.unit in _DAYS and other.unit in _DAYS
    return (mine.unit == other.unit or times) and _same_value(mine, other)


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
                    # A Chinese condition (不支付租金的，…) is widened by what follows from it, and would agree with any denial there.
                    if len(one.terms) >= FEWEST and (claim.words.spaces or not one.conditional)
                ]
                free = _free_of_exceptions(own, claim, article)
                yield from _against(own, clause, scored, qualified=_numbers_apart(clause, claim, article), free=free)


def _numbers_apart(clause: Clause, claim: Reading, article: Reading) -> bool:
    """Whether a clause says yes or no of a number that the article does not name: six hours may be too long where four are not."""
    mine = (one for one in claim.numbers if clause.start <= one.start < clause.end and not one.bound)
    return any(
        not any(_stands(one, other) for other in article.numbers)
        and any(one.unit == other.unit for other in article.numbers)
        for one in mine
    )


def _free_of_exceptions(own: Sentence, claim: Reading, article: Reading) -> bool:
    """Whether a claim says that there is no exception (at any time, as it likes), and names none of the article's."""
    if not claim.words.universal.search(claim.plain, own.start, own.end):
        return False
    made = (article.words.exception.search(article.plain, one.start, one.end) for one in article.sentences)
    behind = (
        article.terms_between(found.end(), one.end)
        for found, one in zip(made, article.sentences, strict=True)
        if found is not None
    )
    return not any(terms & own.terms for terms in behind)


def _against(
    own: Sentence, clause: Clause, scored: list[tuple[float, Sentence, Clause]], *, qualified: bool, free: bool
) -> Iterator[Conflict]:
    agreeing = max((score for score, _, one in scored if not _parts(clause, one)), default=0.0)
    for score, other, one in scored:
        # What stands around a short clause widens it; without a word of its own in common it is about something else.
        apart = _parts(clause, one) and clause.own & one.terms and not _compatible(clause, one)
        # A condition denies nothing, though a claim may agree with one.
        if not apart or score <= agreeing or one.conditional:
            continue
        # 未经同意不得 and 经同意可以 say the same: an even number of differences.
        even = (own.denials - other.denials) % 2 == 0 and clause.opposites == one.opposites
        acts = not (clause.barred and one.barred) and _like(clause.act, one.act) >= _SAME_ACT
        explicit = clause.operators and one.operators and acts
        kind = "polarity" if explicit else "negation" if clause.denied != one.denied else "opposite"
        strength = (score - 0.5 * agreeing) * (0.5 if even else 1.0)
        strength *= _EXCEPTED if other.excepts and not free else 1.0
        other_subject = one.subject and not one.subject & own.terms and not clause.denied
        strength = min(strength, _UNPROVEN) if one.excepting or qualified or other_subject else strength
        yield Conflict(kind, strength, _told(clause), _told(one))


def _compatible(clause: Clause, other: Clause) -> bool:
    """Whether both can be true though one denies: who may need not, and a duty of one thing goes with a ban on another (in money, in goods)."""
    kinds = {clause.kind, other.kind}
    return kinds == {"may", "need_not"} or (
        kinds == {"must", "must_not"} and _share(clause.act, other.terms) < _ONE_ACT
    )


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
        # Where the article says itself that something does not matter, the claim may be about that.
        itself = article.words.universal.search(article.plain, other.start, other.end)
        if denied and made and not itself:
            behind = claim.terms_between(denied.end(), own.end)
            named = _share(behind, article.terms_between(made.start(), other.end)) if len(behind) > 1 else 0.0
            strength = min(_share(own.terms, other.terms), max(named, _UNPROVEN))
            yield Conflict("exception", strength, (denied.start(), own.end), (made.start(), other.end))


def _waived(claim: Reading, article: Reading, _pairs: Pairs) -> Iterator[Conflict]:
    """The claim does away with a condition that the article makes, or makes one that the article does away with."""
    return (Conflict("exception", *one) for one in waived(claim, article))


def _exchanged(claim: Reading, article: Reading, _pairs: Pairs) -> Iterator[Conflict]:
    """One party has to do for the other what the article makes the other do for the one: the tenant pays the landlord."""
    clauses = [one for other in article.sentences for one in other.clauses]
    for mine in (one for own in claim.sentences for one in own.clauses):
        exchanged = [one for one in clauses if _parties_exchanged(mine, one)]
        same = any(mine.subject & one.subject and _like(mine.act, one.act) >= _ONE_ACT for one in clauses)
        if exchanged and not same:
            best = max(exchanged, key=lambda one: _like(mine.own, one.own))
            yield Conflict("subject", _like(mine.own, best.own), _whole(mine), _whole(best))


def _parties_exchanged(mine: Clause, other: Clause) -> bool:
    """Whether the one who acts in each is the one who is acted for in the other, in one act of one kind."""
    if not mine.subject or not other.subject or mine.subject & other.subject or mine.kind != other.kind:
        return False
    parties = mine.subject | other.subject
    shared = (mine.act & other.act) - parties
    crossed = mine.subject <= other.act and other.subject <= mine.act
    return crossed and len(shared) > 1 and _like(mine.act - parties, other.act - parties) >= _ONE_ACT


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
