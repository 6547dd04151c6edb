"""A claim that does away with a condition that the article makes, or makes one that it does away with: without notice, only if, even if not.

Sentences are taken apart at the words that make a condition (unless, only with, until) or do away with one (without, even if … not): what is done is
compared with what is done, and the condition with the condition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from benchbar.languages.text import Span
from benchbar.law.claims.reading import Reading, Sentence
from benchbar.law.claims.wordings import ConditionWords

_SAME = 0.6
"""Share of the smaller set of a condition's terms that the other has to hold."""
_ACT = 0.5
"""The same for what is done."""
_FEWEST = 2
"""Terms that condition or act have to share: one word in common shows nothing."""


@dataclass(frozen=True, slots=True)
class Parted:
    """A sentence taken apart at a word that makes a condition or does away with one."""

    act: frozenset[str]
    condition: frozenset[str]
    place: Span


def waived(claim: Reading, article: Reading) -> Iterator[tuple[float, Span, Span]]:
    """How alike, and where in claim and article: each condition that one of them makes and the other does away with."""
    words = claim.words.conditions
    if words is None:
        return
    left = _in_exceptions(article, words)
    asked = [
        one
        for each in article.sentences
        for one in (
            *_parted(article, each, words.only),
            *(_parted(article, each, words.made) if _denies(article, each, words) else ()),
        )
    ]
    free = [
        one
        for each in article.sentences
        if not _denies(article, each, words)
        for one in _parted(article, each, words.waived)
    ]
    for own in claim.sentences:
        if _denies(claim, own, words):
            continue
        # may … without notice, against: shall not … unless notice was given, may … only with notice.
        mine = [one for one in _parted(claim, own, words.waived) if _said(claim, own, one)]
        yield from _opposed(_of_every_case(own, mine), asked, free, left)
        # only if reasons are given, against: without giving reasons.
        yield from _opposed(_of_every_case(own, [*_parted(claim, own, words.only)]), free, asked, left)


def _of_every_case(own: Sentence, mine: list[Parted]) -> list[Parted]:
    """Those of a sentence that has no further condition: with one it speaks of another case."""
    at = [one.start for one in own.clauses if one.conditional]
    return [one for one in mine if all(one.place[0] <= start <= one.place[1] for start in at)]


def _said(claim: Reading, own: Sentence, one: Parted) -> bool:
    """Whether it says that this is so: *without* alone may be left of a ban that is quoted in part."""
    allowed = (each for clause in own.clauses for each in clause.operators if each.start < one.place[0])
    return not claim.plain.startswith("without", one.place[0]) or any(each.kind == "may" for each in allowed)


def _opposed(
    mine: list[Parted], theirs: list[Parted], agreeing: list[Parted], left: frozenset[str]
) -> Iterator[tuple[float, Span, Span]]:
    for one in mine:
        # Where the article says the same in some case, the claim may be of that case.
        if any(_smaller(one.condition, each.condition) >= _SAME for each in agreeing):
            continue
        for other in theirs:
            condition, act = _smaller(one.condition, other.condition), _smaller(one.act, other.act)
            shared = max(len(one.condition & other.condition), len(one.act & other.act))
            # A word that stands in another exception: the claim may be about that one.
            elsewhere = ((one.act | one.condition) & left) - other.condition - other.act
            if condition >= _SAME and act >= _ACT and shared >= _FEWEST and not elsewhere:
                yield (condition + act) / 2, one.place, other.place


def _smaller(mine: frozenset[str], other: frozenset[str]) -> float:
    return len(mine & other) / min(len(mine), len(other)) if mine and other else 0.0


def _in_exceptions(article: Reading, words: ConditionWords) -> frozenset[str]:
    parts = [one.condition for each in article.sentences for one in _parted(article, each, words.exception)]
    return frozenset().union(*parts)


def _denies(reading: Reading, sentence: Sentence, words: ConditionWords) -> bool:
    """Whether a sentence forbids or denies before any word that makes a condition or does away with one."""
    found = (
        form.search(reading.plain, sentence.start, sentence.end) for form in (words.only, words.made, words.waived)
    )
    end = min((one.start() for one in found if one), default=sentence.end)
    kinds = [one.kind for clause in sentence.clauses for one in clause.operators if one.start < end]
    return sum(kind in {"must_not", "not"} for kind in kinds) % 2 == 1


def _parted(reading: Reading, sentence: Sentence, form: re.Pattern[str]) -> Iterator[Parted]:
    for found in form.finditer(reading.plain, sentence.start, sentence.end):
        stop = _STOP.search(reading.plain, found.end(), sentence.end)
        end = stop.start() if stop else sentence.end
        act = reading.terms_between(sentence.start, found.start() - 1)
        if condition := reading.terms_between(found.end(), end):
            yield Parted(act - condition, condition, (found.start(), end))


_STOP = re.compile(r"[,;:]|\b(?:unless|except|save|but|if|where|whatever|as long as|at all)\b")
