"""What is said in a form of its own: by word of mouth, whose proof it is, and of one alone of several that the article names.

Each takes the part of a sentence that tells it by the words of the language; in a language for which these were not written nothing is found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from benchbar.languages.text import Span
from benchbar.law.claims.reading import Reading, Sentence
from benchbar.law.claims.wordings import StatementWords

_FEWEST = 2
"""Terms that claim and article have to share beside what is compared: one word in common shows nothing."""
_SHARED = 0.5
"""Share of the claim's terms that the sentence of the article has to hold."""

_FREEING = {"must_not", "need_not", "not"}


class Parting(NamedTuple):
    """Where a claim says something else than the article, and how much of the claim its sentence holds."""

    strength: float
    claim: Span
    article: Span


def partings(claim: Reading, article: Reading) -> Iterator[Parting]:
    """Each statement of a claim that one of the article contradicts."""
    words = claim.words.statements
    if words is None:
        return
    for own in claim.sentences:
        for other in article.sentences:
            yield from _proven_by(claim, own, article, other, words)
            # A denial turns the statement round, and an exception makes it one of another case.
            if not own.denials and not own.excepts:
                yield from _by_mouth(claim, own, article, other, words)
                yield from _one_alone(claim, own, article, other, words)


def _by_mouth(
    claim: Reading, own: Sentence, article: Reading, other: Sentence, words: StatementWords
) -> Iterator[Parting]:
    """What is said to do by word of mouth has to be in writing."""
    said = words.oral.search(claim.plain, own.start, own.end)
    needed = words.in_writing.search(article.plain, other.start, other.end)
    # A lease of more than three years in writing leaves one of a year to a word.
    if not said or not needed or other.numbers or words.oral.search(article.plain):
        return
    if not words.enough.search(claim.plain, own.start, own.end):
        return
    left = own.terms - claim.terms_between(*said.span())
    yield from _parting(left, other, own, (other.start, other.end))


def _proven_by(
    claim: Reading, own: Sentence, article: Reading, other: Sentence, words: StatementWords
) -> Iterator[Parting]:
    """The proof is said to be somebody's, where the article lays it on another whom it names."""
    mine, theirs = _bearers(claim, own, words), _bearers(article, other, words)
    # What is proven may be that something is not; that nobody has to prove it is another statement.
    found = words.proof.search(claim.plain, own.start, own.end)
    freed = found and any(
        each.kind in _FREEING and each.start < found.end() for clause in own.clauses for each in clause.operators
    )
    if not mine or not theirs or freed or not mine <= article.terms:
        return
    if any(mine & _bearers(article, each, words) for each in article.sentences):
        return
    yield from _parting(own.terms - mine, other, own, (other.start, other.end), fewest=1)


def _bearers(text: Reading, sentence: Sentence, words: StatementWords) -> frozenset[str]:
    """The terms of all who have to prove something; none of a pronoun, or nobody."""
    found = (
        _in_group(text, match, name)
        for match in words.proof.finditer(text.plain, sentence.start, sentence.end)
        for name, value in match.groupdict().items()
        # A claimant or a person may be anybody whom the article names.
        if value and not words.whoever.search(value)
    )
    return frozenset().union(*found)


def _in_group(text: Reading, match: re.Match[str], group: str | int) -> frozenset[str]:
    """The terms that begin in a group of a match."""
    return text.terms_between(match.start(group), match.end(group) - 1)


def _one_alone(
    claim: Reading, own: Sentence, article: Reading, other: Sentence, words: StatementWords
) -> Iterator[Parting]:
    """One alone is said to, where the article says it of several (only landlords, of a landlord or a tenant)."""
    said = words.alone.match(claim.plain, own.start, own.end)
    if not said:
        return
    who = _in_group(claim, said, 1)
    several = (
        _in_group(article, found, 1) | _in_group(article, found, 2)
        for found in words.several.finditer(article.plain, other.start, other.end)
    )
    # Where one of them is named again, what the claim says may be said of that one.
    once = article.plain.count(said[1].split()[-1].rstrip("s"), other.start, other.end) == 1
    if who and once and any(who < each for each in several):
        yield from _parting(own.terms - who, other, own, (other.start, other.end))


def _parting(
    left: frozenset[str], other: Sentence, own: Sentence, place: Span, *, fewest: int = _FEWEST
) -> Iterator[Parting]:
    shared = left & other.terms
    if left and len(shared) >= fewest and len(shared) / len(left) >= _SHARED:
        yield Parting(max(len(shared) / len(left), 0.6), (own.start, own.end), place)
