"""The parties that a contract has: their words in each language, who usually is the stronger, and which of them acts in a sentence."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources

import msgspec

from benchbar.records import Record


class Party(Record, frozen=True):
    """A party by its role, and the words for it."""

    id: str
    counterpart: str
    kind: str
    """The kind of contract that has this party: lease, labour, sales, services, loan."""
    name: dict[str, str]
    """Language to what we call it."""
    words: dict[str, str]
    """Language to a pattern of the forms in which it acts: of Russian the nominative."""
    stronger: bool = False
    """Whether it usually writes the contract; what burdens it alone is no risk for the party that reads it."""
    oblique: dict[str, str] = {}
    """Language to its other forms."""
    pays: bool = False
    """Whether it pays for the goods or the work that its contract is about."""

    @property
    def unspoken(self) -> bool:
        """Whether it only stands for a party of whom the contract does not say what it is."""
        return self.kind == "any"

    @property
    def exchange(self) -> bool:
        """Whether its contract exchanges goods or work for money."""
        return self.kind in _EXCHANGE

    def form(self, language: str) -> str:
        """A pattern of all its words, in any form; empty where a language has none."""
        return "|".join(filter(None, (self.words.get(language), self.oblique.get(language))))


_EXCHANGE = frozenset({"sales", "services", "construction"})


@dataclass(frozen=True, slots=True)
class Mention:
    """A party named in a text."""

    party: Party
    start: int
    end: int
    subject: bool
    """Whether its form allows it to act: in Russian only the nominative does."""


class _Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    party: tuple[Party, ...]


@cache
def parties() -> dict[str, Party]:
    """Every party by its id."""
    text = (resources.files("benchbar.contracts") / "data" / "parties.toml").read_text("utf-8")
    return {one.id: one for one in msgspec.convert(tomllib.loads(text), _Data).party}


def mentions(text: str, language: str) -> Iterator[Mention]:
    """The parties that a text names, in its order."""
    known = parties()
    for match in _form(language).finditer(text):
        name = match.lastgroup or ""
        yield Mention(known[name.removesuffix("_other")], match.start(), match.end(), not name.endswith("_other"))


@cache
def _form(language: str) -> re.Pattern[str]:
    known = parties().values()
    forms = [(one.id, one.words.get(language)) for one in known]
    forms += [(f"{one.id}_other", one.oblique.get(language)) for one in known]
    edge = "" if language == "zh" else r"\b"
    plural = "s?" if language == "en" else ""
    return re.compile(
        "|".join(f"(?P<{name}>{edge}(?:{words}){plural}{edge})" for name, words in forms if words), re.IGNORECASE
    )
