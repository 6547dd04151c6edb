"""How often verdicts on claims were right on claims nobody tuned on, and so which may be given: a table the engine reads.

``python benchmarks/claim_checking.py ../shared/data --write`` writes ``measured.json``.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec

from benchbar.languages.packs import pack
from benchbar.records import Record

ALL, GOLD = "all", "gold"
LEAST = 0.95
"""A verdict whose precision is not shown to reach this is not given: of twenty accusations at most one is wrong."""


class Precision(Record, frozen=True):
    """One verdict, for one kind of conflict, in one language."""

    pairs: int
    """Pairs of claim and article that were looked at."""
    said: int
    right: int
    low: float
    high: float
    """Wilson's 95% interval of ``right / said``."""


class Measured(Record, frozen=True):
    """Rows such as ``contradicts number zh`` and ``supports all en``."""

    rules: str
    """The version of the rules that were measured."""
    rows: dict[str, Precision]

    def holds(self, verdict: str, kind: str, language: str) -> bool:
        """Whether a verdict is shown to be precise enough in a language.

        Below 73 verdicts no interval reaches 95%, not even without an error, so that the interval may be that of the kind in
        all languages, which one comparison decides. In the language itself, and on the gold of our own, whose claims are in
        assistants' words, the precision has to reach 95% nonetheless.
        """
        own, gold = (self.rows.get(f"{verdict} {of} {pack(language).root}") for of in (kind, f"{GOLD}-{kind}"))
        if own is None or any(one.right < LEAST * one.said for one in (own, gold) if one):
            return False
        shown = (own, self.rows.get(f"{verdict} {kind} {ALL}"))
        return any(one is not None and one.low >= LEAST for one in shown)


@cache
def measured() -> Measured:
    """The table of the rules as they are."""
    return msgspec.json.decode(files(__package__).joinpath("measured.json").read_bytes(), type=Measured)
