"""The proof of a proposal: which numbers, parties, negations and defined terms it moves, and whether anybody asked for it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

from benchbar.contracts.guards import negations, numbers, parties
from benchbar.languages.text import folded, nfkc
from benchbar.records import Record

Kind = Literal["number", "party", "negation", "defined term"]

# 一方 and 第三方 count nobody; without this every "a party" would be a number that came or went.
_NO_NUMBER = re.compile(
    r"(?:任何|每|同|另|某)?一(?=[方切旦般致律并样些定经])|统一|唯一|万一|第三(?=[方人])|(?<=[甲乙])乙(?=双方)|十分"
)
_COLLECTIVE = re.compile(
    r"双方|各方|[任每]何?一方|一方|守约方|违约方|对方|\b(?:both|either|each|neither|a|any|one|the other) part(?:y|ies)\b|\bthe parties\b|\bthe other\b"
    r"|\b(?:стороны|сторон|сторона|сторону|стороной|стороне)\b",
    re.IGNORECASE,
)
"""Words for whoever it is of the parties: a duty that is made mutual names them so."""
_DEFINED = (
    re.compile(r"[“\"«](?P<term>[^”\"»\n]{2,40})[”\"»]\s{0,2}(?:是指|系指|指|means?\b|shall mean|has the meaning|означает)"),
    re.compile(r"(?:以下简称|下称|简称|далее\s?[–—-]|hereinafter|the|collectively)[^“\"«（(\n]{0,20}[“\"«](?P<term>[^”\"»\n]{2,40})[”\"»]", re.IGNORECASE),
    re.compile(r"[(（]\s?[“\"«](?P<term>[^”\"»\n]{2,40})[”\"»]\s?[)）]"),
)  # fmt: skip
_SEGMENT = re.compile(r"[，,；;。.!?！？\n]")


class Moved(Record, frozen=True):
    """What of one kind a proposal takes out and puts in, and whether that was asked for."""

    kind: Kind
    lost: tuple[str, ...] = ()
    gained: tuple[str, ...] = ()
    asked: bool = True


def defined_terms(text: str) -> tuple[str, ...]:
    """The terms that a contract defines, as they are written, each once."""
    found = (match["term"].strip() for form in _DEFINED for match in form.finditer(text))
    return tuple(dict.fromkeys(found))


def moves(before: str, after: str, *, named: str, by_rule: bool, contract: str) -> tuple[Moved, ...]:
    """What a replacement of ``before`` by ``after`` moves; empty where it moves nothing that is guarded.

    What is asked for is decided narrowly, so that a doubt refuses the proposal. ``named`` is the finding's own words: a number
    that it names may change. ``by_rule`` says that a rule, bound or playbook wrote the wording and not a model: then what
    it brings in was asked for by whoever wrote the rule. ``contract`` is the whole text, of whose parties and terms it may speak.
    """
    found = (
        _numbers(before, after, named, by_rule=by_rule),
        _parties(before, after, contract),
        _negations(before, after),
        _terms(before, after, defined_terms(contract)),
    )
    return tuple(one for one in found if one is not None)


def _numbers(before: str, after: str, named: str, *, by_rule: bool) -> Moved | None:
    was, now, told = (numbers(_NO_NUMBER.sub("", nfkc(one))) for one in (before, after, named))
    lost, gained = _less(was, now), _less(now, was)
    asked = set(lost) <= set(told) and (by_rule or set(gained) <= set(told))
    return _moved("number", lost, gained, asked=asked)


def _parties(before: str, after: str, contract: str) -> Moved | None:
    """A named party may become "either party"; another named party in its place is another deal."""
    was, now = set(_named(before)), set(_named(after))
    lost, gained = sorted(was - now), sorted(now - was)
    made_mutual = _COLLECTIVE.search(nfkc(after)) is not None
    known = set(_named(contract))
    asked = (not lost or made_mutual) and set(gained) <= known and not (lost and gained)
    return _moved("party", lost, gained, asked=asked)


def _named(text: str) -> list[str]:
    return [one for one in parties(text) if not _COLLECTIVE.fullmatch(one)]


def _negations(before: str, after: str) -> Moved | None:
    """The accused words often are a negation ("no liability"); a second one in the passage is a rule of its own."""
    lost, gained = _less(negations(before), negations(after)), _less(negations(after), negations(before))
    said = folded(after)
    gone = [one for one in _SEGMENT.split(folded(before)) if negations(one) and one.strip() not in said]
    return _moved("negation", lost, gained, asked=len(lost) == 0 or len(gone) <= 1)


def _terms(before: str, after: str, terms: Sequence[str]) -> Moved | None:
    lost = [one for one in terms if one in before and one not in after]
    gained = [one for one in terms if one in after and one not in before]
    return _moved("defined term", lost, gained, asked=not lost and not gained)


def _moved(kind: Kind, lost: Iterable[str], gained: Iterable[str], *, asked: bool) -> Moved | None:
    out, into = tuple(lost), tuple(gained)
    return Moved(kind=kind, lost=out, gained=into, asked=asked) if out or into else None


def _less(one: Sequence[str], other: Sequence[str]) -> tuple[str, ...]:
    return tuple((Counter(one) - Counter(other)).elements())
