"""What differs between two versions of a contract, clause by clause: two files, or one with the other side's tracked changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from benchbar.contracts.clauses import clauses as split_clauses
from benchbar.contracts.guards import guarded_words
from benchbar.contracts.marks import read_mark
from benchbar.contracts.paragraphs import ContractSource
from benchbar.contracts.redlines.preservation import counted
from benchbar.contracts.redlines.words import Piece, pieces
from benchbar.languages.text import nfkc
from benchbar.records import Record
from benchbar.records.contracts import Clause, RiskLevel

_SIMILAR, _SIMILAR_OF_ONE_NUMBER = 0.55, 0.3
"""Least similarity of two clauses that are one, changed. A clause keeps its number more often than its words."""
_MOST_COMPARED = 250_000
"""Pairs of leftover clauses that are all compared, in about two seconds; beyond, only those of one number are."""


Verdict = Literal["worse", "better", "turned", "wording", "unread"]
"""Of a change: it brings a risk, takes one away, touches words that clauses turn on, or none of them; or a review failed."""


class Turned(Record, frozen=True):
    """Words of one guarded kind (number, party, negation, deadline…) that a change took out or put in."""

    kind: str
    lost: tuple[str, ...] = ()
    gained: tuple[str, ...] = ()


class ClauseChange(Record, frozen=True):
    """One clause in both versions."""

    kind: Literal["changed", "added", "removed", "moved"]
    name: str
    """Number of the clause as it stands, else its id."""
    before: str
    after: str
    pieces: tuple[Piece, ...]
    turned: tuple[Turned, ...] = ()
    clause: str = ""
    """Its id in the later version, empty where it was removed."""
    was: str = ""
    """Its id in the earlier version, empty where it was added."""
    by: tuple[tuple[str, str], ...] = ()
    """Authors of tracked changes with their dates, as they stand in the file."""
    verdict: Verdict = "wording"
    level_before: RiskLevel | None = None
    """None where that version was not examined, or has no such clause."""
    level_after: RiskLevel | None = None
    new: tuple[str, ...] = ()
    """Names of the findings above low that only the later version has; empty where a model named them."""
    gone: tuple[str, ...] = ()


def clause_changes(
    before: ContractSource, after: ContractSource, by: Mapping[int, tuple[tuple[str, str], ...]] | None = None
) -> tuple[ClauseChange, ...]:
    """The clauses that differ, in the order of the later version; a clause that only has another number does not.

    ``by`` names who changed a paragraph, by the index of its element.
    """
    old, new = split_clauses(before), split_clauses(after)
    rows = (_change(row, before, after, by or {}) for row in _paired(old, new))
    return tuple(change for change in rows if change is not None)


Row = tuple[Clause | None, Clause | None, bool]
"""A clause before and after, and whether it was moved past others."""


def _paired(old: Sequence[Clause], new: Sequence[Clause]) -> list[Row]:
    """Each clause with its other version, in the order of the later one; removed ones where they stood."""
    left, right = [_body(one) for one in old], [_body(one) for one in new]
    same = dict(_in_order(left, right))
    partner = same | _similar(old, new, left, right, same)
    # Clauses in the longest common order have kept their place; others were moved past them.
    kept = set(_longest_rising([(one, partner[one]) for one in sorted(partner)]))
    earlier = {two: one for one, two in partner.items()}
    rows: list[Row] = []
    removed = [one for one in range(len(old)) if one not in partner]
    for two, clause in enumerate(new):
        one = earlier.get(two)
        while removed and one is not None and one in kept and removed[0] < one:
            rows.append((old[removed.pop(0)], None, False))
        rows.append((None if one is None else old[one], clause, one is not None and one not in kept))
    return rows + [(old[one], None, False) for one in removed]


def _body(clause: Clause) -> str:
    """What a clause says, without its number: width and spaces change nothing."""
    return "".join(nfkc(_said(clause)).split())


def _said(clause: Clause | None) -> str:
    mark = read_mark(clause.text) if clause else None
    return clause.text[mark.end if mark else 0 :] if clause else ""


def _in_order(left: Sequence[str], right: Sequence[str]) -> Iterator[tuple[int, int]]:
    from rapidfuzz.distance import Indel

    for one in Indel.opcodes(left, right):
        if one.tag == "equal":
            yield from zip(range(one.src_start, one.src_end), range(one.dest_start, one.dest_end), strict=True)


def _similar(
    old: Sequence[Clause], new: Sequence[Clause], left: Sequence[str], right: Sequence[str], same: Mapping[int, int]
) -> dict[int, int]:
    """Leftover clauses that are the same one changed, most similar first; each has one partner."""
    from rapidfuzz import fuzz

    taken = set(same.values())
    ones = [one for one in range(len(old)) if one not in same]
    twos = [two for two in range(len(new)) if two not in taken]
    everything = len(ones) * len(twos) <= _MOST_COMPARED
    scored = []
    for one in ones:
        for two in twos:
            numbered = old[one].number != "" and old[one].number == new[two].number
            if not numbered and not everything:
                continue
            least = _SIMILAR_OF_ONE_NUMBER if numbered else _SIMILAR
            score = fuzz.ratio(left[one], right[two], score_cutoff=100 * least) / 100
            if score and old[one].kind == new[two].kind:
                scored.append((score + 0.1 * numbered, one, two))
    found: dict[int, int] = {}
    for _, one, two in sorted(scored, key=lambda row: (-row[0], row[1], row[2])):
        if one not in found and two not in taken:
            found[one] = two
            taken.add(two)
    return found


def _longest_rising(pairs: Sequence[tuple[int, int]]) -> Iterator[int]:
    """First members of the longest run of pairs whose second members rise, too (patience sorting)."""
    from bisect import bisect_left

    tops: list[int] = []
    piles: list[int] = []
    above: list[int | None] = []
    for index, (_, two) in enumerate(pairs):
        place = bisect_left(tops, two)
        above.append(piles[place - 1] if place else None)
        tops[place : place + 1] = [two]
        piles[place : place + 1] = [index]
    last = piles[-1] if piles else None
    while last is not None:
        yield pairs[last][0]
        last = above[last]


def _change(
    row: Row, before: ContractSource, after: ContractSource, by: Mapping[int, tuple[tuple[str, str], ...]]
) -> ClauseChange | None:
    one, two, moved = row
    was, now = one.text if one else "", two.text if two else ""
    same = one is not None and two is not None and _body(one) == _body(two)
    if same and not moved:
        return None
    named = two or one
    if named is None:
        return None
    who = [_authors(one, before, by), _authors(two, after, by)]
    return ClauseChange(
        kind="added" if one is None else "removed" if two is None else "moved" if same else "changed",
        name=named.number.rstrip(".．、 ") or named.id,
        before=was,
        after=now,
        pieces=pieces(was, now),
        turned=() if same else turned(_said(one), _said(two)),
        clause=two.id if two else "",
        was=one.id if one else "",
        by=tuple(dict.fromkeys(author for authors in who for author in authors)),
    )


def _authors(
    clause: Clause | None, source: ContractSource, by: Mapping[int, tuple[tuple[str, str], ...]]
) -> list[tuple[str, str]]:
    blocks = [block for block in source.blocks if clause and block.start < clause.end and block.end > clause.start]
    # A row of a table has an element for each cell.
    elements = [part.element for block in blocks for part in block.parts]
    return [author for element in elements if element is not None for author in by.get(element, ())]


def turned(before: str, after: str) -> tuple[Turned, ...]:
    """The guarded words that one text has and the other has not, by kind.

    Numbers, in digits or words, are compared by value and shown as they are written, one that is written twice once.
    """
    was, now = guarded_words(before), guarded_words(after)
    rows = [("number", *_numbers_turned(before, after))]
    rows += [(kind, _less(was[kind], now[kind]), _less(now[kind], was[kind])) for kind in was if kind != "number"]
    return tuple(Turned(kind=kind, lost=lost, gained=gained) for kind, lost, gained in rows if lost or gained)


def _numbers_turned(before: str, after: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    was, now = counted(before), counted(after)
    lost, gained = (
        _less([value for value, _ in one], [value for value, _ in two]) for one, two in ((was, now), (now, was))
    )
    return _as_written(lost, was), _as_written(gained, now)


def _as_written(values: Sequence[str], found: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    written = dict(reversed(found))
    return tuple(written[one] for one in dict.fromkeys(values))


def _less(one: Sequence[str], other: Sequence[str]) -> tuple[str, ...]:
    return tuple((Counter(one) - Counter(other)).elements())
