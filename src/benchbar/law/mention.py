"""What a citation looks like, and what stands around it, before anything is known about the law it names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import msgspec

_BEFORE, _BEHIND = 90, 45
"""Characters around a name that say of which country, time and kind it is: about its sentence and the one before."""


# A dataclass that is frozen takes six times as long to make, a twentieth of the time of a scan.
class Mention(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One citation in a text: an article of a law, a law as a whole, or a court decision."""

    span: tuple[int, int]
    text: str
    language: str
    law: str = ""
    """The law's name as written here; empty where the text goes back to a law named before, or names none."""
    antecedent: str = ""
    """The law that an elliptical citation goes back to, or the full name that the text gave a short one."""
    article: str = ""
    """Digits of the article; empty for a law as a whole and for a decision."""
    sub: str = ""
    """The M of 第N条之M; the digits after the point of a Russian article such as 333.19; the letter of 12A."""
    paragraph: str = ""
    item: str = ""
    below: str = ""
    """A part of the item: подп. «а» of п. 6 ч. 1, the (ii) of 4(1)(a)(ii)."""
    case_number: str = ""
    """In one form: full-width brackets, no spaces, 号 or the Russian year at the end."""
    year: str = ""
    """The year of the edition, where the text names one: 《房屋租赁法》（2012年）."""
    through: str = ""
    """The last article, where this one opens a range."""
    document_number: str = ""
    """The number of the document beside its title: 法释〔2020〕17号."""
    bare: bool = False
    """The law is taken from further up: no name, list or range ties the article to it."""

    @property
    def names(self) -> str:
        """The law meant: its full name where the text gave one, else as written, else the one it goes back to."""
        return self.antecedent or self.law


class Scanning(Protocol):
    """How far a grammar has read a text."""

    text: str
    position: int


def places(form: re.Pattern[str], scan: Scanning) -> Iterator[re.Match[str]]:
    """Where a citation may begin, behind whatever was read as one so far."""
    for found in form.finditer(scan.text):
        if found.start() >= scan.position:
            yield found


# One set for all texts: a corpus of all statutes brings three thousand names.
@lru_cache(maxsize=16)
def united(own: frozenset[str], further: frozenset[str]) -> frozenset[str]:
    """The names of laws that a grammar knows without brackets, and those of the corpus at hand."""
    return own | further


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The text around a citation, as far as it tells of which country, time and kind the citation is."""

    before: str = ""
    behind: str = ""
    text: str = ""
    """The whole text: it says of which country's law it speaks in one place for all."""

    @classmethod
    def of(cls, text: str, span: tuple[int, int]) -> Surroundings:
        """What stands around a span, cut at an empty line."""
        before = text[max(0, span[0] - _BEFORE) : span[0]].rsplit("\n\n", 1)[-1]
        return cls(before, text[span[1] : span[1] + _BEHIND].split("\n", 1)[0], text)


NOWHERE = Surroundings()
"""A citation that is given alone."""
