"""How precise the rules were on labelled answers, and so which kinds they may decide: a table that the engine reads.

``make marks --write`` writes ``measured.json`` from the half of the labelled answers that no rule was tuned on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from importlib.resources import files

import msgspec

from benchbar.languages.packs import pack
from benchbar.records import Evidence, PointKind, Record
from benchbar.records.precision import precise_group

ALL = "all"
SILENCE = "silence"
"""Marks of any kind where no reply says anything: it is not known, asked back, refused."""
ABSENCE = "no-"
"""Before a kind: its marks where replies say something, and the wanted thing is not found in it: no number, no law."""
NO_ANSWER = "no answer is given"
"""The reason of a mark that rests on silence."""


def row_of(kind: str, value: float | None, evidence: Sequence[Evidence], reason: str) -> str:
    """The row that a mark is counted in and goes by: its kind's where it rests on a place in a reply, else ``silence`` or ``no-KIND``.

    These are rows of their own, because not to find a thing and to read how it is said err in different ways, at different rates.
    """
    if value != 0.0 or evidence:
        return kind
    return SILENCE if reason == NO_ANSWER else ABSENCE + kind


def is_unsaid(row: str) -> bool:
    """Whether a row counts marks that rest on nothing being said or found."""
    return row == SILENCE or row.startswith(ABSENCE)


class Precision(Record, frozen=True):
    """The rules on the labelled answers of one kind in one language, or of several taken together."""

    answers: int
    decided: int
    right: int
    low: float
    high: float
    """Wilson's 95% interval of ``right / decided``."""
    recall: float
    """The share of answers with a plain label that was decided."""

    @property
    def value(self) -> float:
        """Of the marks that were given, the share that was right."""
        return self.right / self.decided if self.decided else 0.0


class Basis(Record, frozen=True):
    """Why a kind is decided in a language: its own figures, and those of the group whose interval shows enough."""

    own: Precision
    group: str
    shown: Precision


class Measured(Record, frozen=True):
    """The table: figures by kind and language (``charge zh``), kind (``charge all``) and language (``all zh``).

    ``silence`` stands among the kinds: what of all kinds was marked not met because no reply says anything. So does ``no-KIND``: what of
    a kind was marked not met because it was not found. No other row counts these.
    """

    rules: str
    """The version of the rules that were measured."""
    rows: dict[str, Precision]

    def basis(self, kind: str, language: str) -> Basis | None:
        """What shows that a kind may be decided in a language; None where nothing does, and a judge has to.

        A single kind in one language has 7 to 60 decided answers, too few for an interval of its own. So the interval may be that
        of the kind in all languages, or of the language over all kinds: one stance reader decides for all kinds, and its
        wordings are the language's.
        """
        root = pack(language).root
        own = self.rows.get(f"{kind} {root}")
        if own is None:
            return None
        names = [f"{kind} {root}", f"{kind} {ALL}"]
        groups = {name: self.rows.get(name) for name in (names if is_unsaid(kind) else [*names, f"{ALL} {root}"])}
        group = precise_group([own], groups)
        return None if group is None else Basis(own=own, group=group, shown=self.rows[group])

    def decides(self, row: str, language: str) -> bool:
        """Whether a mark of a row (`row_of`) may stand in a language."""
        return self.basis(row, language) is not None

    def decided_kinds(self, language: str) -> tuple[str, ...]:
        """The kinds of points that rules decide in a language, and ``silence`` and ``no-KIND`` where these are decided."""
        rows = (*PointKind, SILENCE, *(ABSENCE + kind for kind in PointKind))
        return tuple(row for row in rows if self.basis(row, language) is not None)

    def by_language(self, languages: Collection[str] | None = None) -> Iterator[tuple[str, Precision, tuple[str, ...]]]:
        """Each measured language with the figures of all its kinds together, and the kinds that rules decide in it.

        Of these ``languages`` alone, where they are known; one that was not measured brings nothing.
        """
        wanted = None if languages is None else {pack(one).root for one in languages}
        for name, found in sorted(self.rows.items()):
            kind, language = name.split()
            if kind == ALL and language != ALL and (wanted is None or language in wanted):
                yield language, found, self.decided_kinds(language)


@cache
def measured() -> Measured:
    """The table of the rules as they are."""
    return msgspec.json.decode(files(__package__).joinpath("measured.json").read_bytes(), type=Measured)
