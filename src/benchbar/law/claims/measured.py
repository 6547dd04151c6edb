"""How often verdicts on claims were right on claims nobody tuned on, and so which may be given: a table the engine reads.

``python benchmarks/claim_checking.py ../shared/data --write`` writes ``measured.json``.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec

from benchbar.languages.packs import known, pack
from benchbar.records import Record
from benchbar.records.precision import Precision, precise_group

ALL, GOLD = "all", "gold"
NAMED_ALONE = frozenset(("subject",))
"""Kinds that are named and not said: edits show them to be right, and one of seven among unread claims of laymen was not."""


class Measured(Record, frozen=True):
    """Rows such as ``contradicts number zh`` and ``supports all en``."""

    rules: str
    """The version of the rules that were measured."""
    rows: dict[str, Precision]

    def holds(self, verdict: str, kind: str, language: str) -> bool:
        """Whether a verdict is shown to be precise enough in a language, alone or with the other languages.

        One comparison decides for a kind in all languages. In the language itself, and on the gold of our own, whose claims are
        in assistants' words, the precision has to be there nonetheless.
        """
        if kind in NAMED_ALONE:
            return False
        root = pack(language).root
        own, gold = (self.rows.get(f"{verdict} {of} {root}") for of in (kind, f"{GOLD}-{kind}"))
        if own is None:
            return False
        groups = {root: own, ALL: self.rows.get(f"{verdict} {kind} {ALL}")}
        return precise_group([own, gold] if gold else [own], groups) is not None


@cache
def measured() -> Measured:
    """The table of the rules as they are."""
    return msgspec.json.decode(files(__package__).joinpath("measured.json").read_bytes(), type=Measured)


def contradictions_given() -> dict[str, Precision]:
    """Kind of contradiction that rules may tell in any language, to how often it was right in all languages together."""
    rows = {
        name.split()[1]: row
        for name, row in measured().rows.items()
        if name.startswith("contradicts ") and name.endswith(f" {ALL}")
    }
    return {
        kind: row for kind, row in rows.items() if any(measured().holds("contradicts", kind, one) for one in known())
    }


def contradictions_right(kind: str, language: str) -> Precision | None:
    """How often contradictions of a kind that rules told were right in a language; None where that was not measured.

    A verdict that accuses never stands without the figures by which rules may give it.
    """
    return measured().rows.get(f"contradicts {kind} {pack(language).root}")
