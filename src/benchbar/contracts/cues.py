"""Wordings that make a clause dangerous or safe whatever it is about: the offline reviewer's ground for a level.

The weights are set by hand, from what such words do in law: to give up a right or to exclude liability weighs 2, to leave a
term open or to shift a cost weighs 1, to tie a power to agreement, law or notice takes 1 away. No weight was fitted,
but the wordings were chosen with public labelled clauses in view: measure the reviewer on others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from benchbar.contracts.parties import parties
from benchbar.contracts.patterns import pattern
from benchbar.contracts.polarity import Relation, meant
from benchbar.languages.packs import every
from benchbar.languages.text import sentences


@dataclass(frozen=True, slots=True)
class Cue:
    """A kind of wording and its weight; each language's pack has its wordings, and what it means for the reader."""

    name: str
    weight: float
    relation: Relation = "unknown"
    """Whether it gives its subject a power or lays a burden on it."""

    @property
    def wordings(self) -> tuple[str, ...]:
        """The patterns of every language: a clause may quote another one."""
        return every("cues", f"wording.{self.name}")


@dataclass(frozen=True, slots=True)
class CueHit:
    """One wording found."""

    cue: Cue
    start: int
    end: int
    text: str


CUES = (
    Cue("waiver", 2.0, "burden"),
    Cue("exclusion", 2.0, "power"),
    Cue("unilateral", 2.0, "power"),
    Cue("unconditional", 1.5),
    Cue("forfeiture", 2.0),
    Cue("open_term", 1.0),
    Cue("deemed", 1.0, "burden"),
    Cue("burden", 1.0, "burden"),
    Cue("limited", 1.0),
    Cue("agreed", -1.5),
    Cue("lawful", -1.5),
    Cue("duty_of_stronger", -1.5),
)


@lru_cache(maxsize=1)
def _compiled() -> tuple[tuple[Cue, tuple[re.Pattern[str], ...]], ...]:
    return tuple((cue, tuple(pattern(wording) for wording in cue.wordings)) for cue in CUES)


def find_cues(text: str, side: str = "") -> tuple[CueHit, ...]:
    """Every cue's wordings in a text, in order; one hit for each sentence and cue, the first."""
    found: list[CueHit] = []
    for start, end in sentences(text):
        for cue, forms in _compiled():
            match = next((hit for form in forms if (hit := _first(cue, form, text[start:end], side))), None)
            if match:
                low, high = start + match[0], start + match[1]
                found.append(CueHit(cue, low, high, text[low:high]))
    return tuple(sorted(found, key=lambda hit: (hit.start, hit.end)))


def _first(cue: Cue, form: re.Pattern[str], sentence: str, side: str) -> tuple[int, int] | None:
    """Where a cue's wording first stands in a sentence; a dangerous one that the sentence denies is none."""
    if cue.weight > 0:
        found = meant(form, sentence, relation=cue.relation, side=side)
        # The wordings are of what harms the weaker party: the stronger one is harmed where the sentence says so.
        told = found is not None and (found.harmed or side not in parties() or not parties()[side].stronger)
        return (found.start, found.end) if found and told else None
    match = form.search(sentence)
    return match.span() if match else None


def power_over(sentence: str) -> str:
    """What a power in a sentence is over: a ``refund``, the ``end`` of the contract, ``entry``, ``change`` of terms, a ``sum``; empty where its words name none.

    A stock wording that mends a power has to be about the same: what a party may not change is no answer to when it may leave.
    """
    return next((name for name in _OVER if any(form.search(sentence) for form in _over(name))), "")


_OVER = ("refund", "end", "entry", "change", "sum")


@lru_cache(maxsize=len(_OVER))
def _over(name: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(one, re.IGNORECASE) for one in every("cues", f"power_over.{name}"))


def danger(hits: Sequence[CueHit]) -> float:
    """The weight of the dangerous wordings, each kind once."""
    return _sum(hits, sign=1)


def protection(hits: Sequence[CueHit]) -> float:
    """The weight of the protective wordings, each kind once, as a positive number."""
    return -_sum(hits, sign=-1)


def _sum(hits: Sequence[CueHit], *, sign: int) -> float:
    return sum({hit.cue.name: hit.cue.weight for hit in hits if hit.cue.weight * sign > 0}.values())
