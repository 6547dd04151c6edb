"""Which way the bound of a number points: a least that is told as a most, and what is said to be enough though it breaks the bound."""

from __future__ import annotations

from collections.abc import Iterator

from benchbar.languages.text import Span
from benchbar.law.claims.reading import Number, Reading, Sentence, span_of

_UPWARD = {"at_least": True, "more": True, "at_most": False, "less": False}
_HELD = 0.75
"""Share of a claim's terms that the article's sentence has to hold, for one bound to be held against the other."""


def allowed_beyond(mine: Number, theirs: Number, claim: Reading, article: Reading) -> bool:
    """Whether a number that breaks the article's bound is said to be enough: a notice of two weeks is valid, where four are the least."""
    words, own, other = claim.words.enough, claim.sentence_at(mine.start), article.sentence_at(theirs.start)
    if words is None or own is None or other is None or own.denials or mine.unit != theirs.unit:
        return False
    upward = _upward(theirs, other, article)
    tiers = {each.value for each in article.numbers if each.unit == theirs.unit}
    # More than three years may be where a rule begins, and no bound that has to be kept.
    if upward is None or len(tiers) > 1 or theirs.bound == "more":
        return False
    # What may be done if the other agrees, and a bound behind which an exception stands, leave less to be enough.
    conditional = any(one.conditional for one in own.clauses)
    if conditional or article.words.exception.search(article.plain, theirs.end, other.end):
        return False
    breaks = mine.value < theirs.value if upward else mine.value > theirs.value
    return breaks and words.search(claim.plain, own.start, own.end) is not None


def turned(claim: Reading, own: Sentence, article: Reading, other: Sentence) -> Iterator[tuple[float, Span, Span]]:
    """How alike, and where: a number that the claim calls the least and the article the most, or the other way round."""
    if claim.words.enough is None or own.denials or own.excepts or not own.terms:
        return
    held = len(own.terms & other.terms) / len(own.terms)
    if held < _HELD or _opposed(own, other):
        return
    for mine in own.numbers:
        if mine.bound not in {"at_least", "at_most"}:
            continue
        equal = [one for one in article.numbers if one.unit == mine.unit and one.value == mine.value]
        ways = {_upward(one, at, article) if (at := article.sentence_at(one.start)) else None for one in equal}
        here = next((one for one in equal if other.start <= one.start < other.end), None)
        if here and ways == {not _UPWARD[mine.bound]}:
            yield held, span_of(mine), span_of(here)


def _upward(one: Number, sentence: Sentence, of: Reading) -> bool | None:
    """Whether it is the least; None where it is no bound, or where denials and exceptions leave open which."""
    if one.bound not in _UPWARD:
        return None
    clause = of.clause_at(one.start)
    denied = clause is not None and clause.denied
    # What is denied beside a least or a most may be another thing: two days off at most, without pay.
    if one.bound in {"at_least", "at_most"}:
        return None if denied else _UPWARD[one.bound]
    if of.words.exception.search(of.plain, sentence.start, sentence.end) or sentence.denials > 1:
        return None
    return _UPWARD[one.bound] != denied if sentence.denials == int(denied) else None


def _opposed(own: Sentence, other: Sentence) -> bool:
    """Whether one has a word of which the other has the opposite."""
    sides = [[each.opposites for each in of.clauses] for of in (own, other)]
    return any(
        a is not None and b is not None and a != b
        for mine in sides[0]
        for theirs in sides[1]
        for a, b in zip(mine, theirs, strict=True)
    )
