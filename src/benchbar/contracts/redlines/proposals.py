"""Proposals: a finding's suggested wording in the place of the words it accuses, or the reason why it stays a comment."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise

import msgspec

from benchbar.contracts.limits import LimitHit
from benchbar.contracts.marks import read_mark
from benchbar.contracts.paragraphs import Block, ContractSource
from benchbar.contracts.redlines.notation import in_notation
from benchbar.contracts.redlines.preservation import Moved, is_edit, moves, proved
from benchbar.contracts.redlines.words import Piece, pieces
from benchbar.languages.packs import labels
from benchbar.languages.text import folded, sentences
from benchbar.records import Record
from benchbar.records.contracts import Clause, ClauseReview, ExcerptStatus, Finding, RiskLevel

_ADVICE = re.compile(
    r"\s{0,3}(?:建议|可以?(?:考虑|增加|补充|约定)|应(?:当)?(?:明确|删除|补充|增加|修改|约定)|需要?(?:明确|补充)|请|删除|补充|增加|明确|修改|参照"
    r"|consider|(?:we )?(?:recommend|suggest|advise)|delete|remove|add|insert|clarify|specify|state|ensure|make|negotiate|limit|include|define|replace|amend|revise"
    r"|рекоменд|следует|предлага|добав|исключ|уточн|указат|укажите|удалит|замен|измен|ограничит|предусмотр)",
    re.IGNORECASE,
)
"""How advice begins. What a person is told to do must not become a sentence of the contract."""
_QUOTED = re.compile(
    r"(?:修改为|改为|调整为|表述为|replace[d]? (?:it )?with|revise[d]? to|amend(?:ed)? to|read|reads|заменить на|изложить(?: в редакции)?)\s{0,2}[:：]?\s{0,2}[“\"«‘「](?P<wording>[^”\"»’」]{4,2000})[”\"»’」]",
    re.IGNORECASE,
)
_END = re.compile(r"[。.；;！!？?，,]\s*$")


class Proposal(Record, frozen=True):
    """One finding's wording for the contract: written as a tracked change where ``refused`` is empty."""

    clause: str
    finding: int
    """Its place among the findings of the clause."""
    start: int
    """In characters of the contract's text."""
    end: int
    before: str
    after: str
    pieces: tuple[Piece, ...]
    moved: tuple[Moved, ...] = ()
    refused: str = ""
    """Why it stays a comment, as a name in the labels: advice, stock, stands, contradicts, unasked, paragraphs, table, taken; empty where it was written."""
    edit: bool = False
    """Whether it edits the clause's own words; a new sentence in their place has to be read."""
    proved: bool = False
    """Whether it is sure that no number, party, negation, name or defined term differs."""


def proposals(
    source: ContractSource,
    clauses: Sequence[Clause],
    reviews: Sequence[ClauseReview],
    *,
    by_rule: bool,
    bounds: Callable[[str], Sequence[LimitHit]] = lambda _: (),
) -> tuple[Proposal, ...]:
    """A proposal for every finding above low whose evidence stands in its clause and that says what to write instead.

    ``by_rule`` says that rules wrote the wordings and not a model. A rule knows kinds of words and not this contract: its wording
    is written only where it edits the clause's own words, a number beyond a bound becomes the bound (``bounds`` reads them), and a
    playbook's wording stands for its topic. Everything else stays a comment.
    """
    by_id = {clause.id: clause for clause in clauses}
    return tuple(
        one
        for review in reviews
        for one in _of_clause(source, by_id[review.clause], review, by_rule=by_rule, bounds=bounds)
    )


def apart(found: Sequence[Proposal], reviews: Sequence[ClauseReview]) -> tuple[Proposal, ...]:
    """The proposals in the order of the text, of which no two change the same words: the graver finding's does, then the first."""
    levels = {(review.clause, place): one.level.rank for review in reviews for place, one in enumerate(review.findings)}
    # Of two wordings for one passage the one that keeps more of it is less likely to drop what only the other spoke of.
    order = sorted(
        found, key=lambda one: (-levels[one.clause, one.finding], -_likeness(one.before, one.after), one.start)
    )
    return tuple(sorted(_apart(order), key=lambda one: (one.start, one.clause, one.finding)))


def _apart(order: Sequence[Proposal]) -> Iterator[Proposal]:
    taken: list[tuple[int, int]] = []
    for one in order:
        if not one.refused and any(one.start < end and start < one.end for start, end in taken):
            yield msgspec.structs.replace(one, refused="taken")
            continue
        if not one.refused:
            taken.append((one.start, one.end))
        yield one


def _of_clause(
    source: ContractSource,
    clause: Clause,
    review: ClauseReview,
    *,
    by_rule: bool,
    bounds: Callable[[str], Sequence[LimitHit]],
) -> Iterator[Proposal]:
    for place, finding in enumerate(review.findings):
        if finding.kind not in ("risk", "playbook") or finding.level is RiskLevel.LOW or not finding.suggestion.strip():
            continue
        if finding.excerpt is None or finding.excerpt.status is not ExcerptStatus.VERIFIED or not finding.excerpt.spans:
            continue
        number = _number(clause, finding, bounds) if by_rule else None
        if number is not None:
            yield _to_bound(source, clause, place, finding, number)
            continue
        wording = _wording(finding.suggestion)
        start, end = _in_one_cell(source.blocks, *_passage(clause, finding, wording))
        before = source.text[start:end]
        after = _ended(wording, before)
        named = f"{finding.risk} {finding.analysis}"
        own = by_rule or finding.kind == "playbook"
        moved = moves(_without_marks(before), after, named=named, by_rule=own, contract=source.text)
        made = Proposal(
            clause.id,
            place,
            start,
            end,
            before,
            after,
            pieces(before, after),
            moved,
            edit=is_edit(before, after),
            proved=proved(_without_marks(before), after, source.text),
        )
        # A model was asked about this very clause, and a playbook says what its owner writes on the topic.
        foreign = by_rule and finding.kind != "playbook" and (not made.edit or _is_stock(finding))
        yield msgspec.structs.replace(made, refused=_refusal(source.blocks, made, wording, foreign=foreign))


def _is_stock(finding: Finding) -> bool:
    """Whether its wording answers a kind of words, in any language: it may be about something else than the clause."""
    return any(finding.suggestion.strip() in texts for texts in _stock())


@cache
def _stock() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(labels(one, "contract").section("remedy").values()) for one in ("zh", "zh_hant", "ru", "en"))


def _number(clause: Clause, finding: Finding, bounds: Callable[[str], Sequence[LimitHit]]) -> LimitHit | None:
    """The number that the finding is about, where it can stand at its bound."""
    hits = (one for one in bounds(clause.text) if one.beyond and one.mended and one.span[1] > one.span[0])
    return next((one for one in hits if one.limit.name == finding.risk), None)


def _to_bound(source: ContractSource, clause: Clause, place: int, finding: Finding, hit: LimitHit) -> Proposal:
    end = clause.start + hit.span[1]
    start, after = in_notation(source.text, clause.start + hit.span[0], end, hit.mended)
    before = source.text[start:end]
    named = f"{finding.analysis} {before}"
    moved = moves(before, after, named=named, by_rule=True, contract=source.text)
    changed: tuple[Piece, ...] = (("removed", before), ("added", after))
    made = Proposal(clause.id, place, start, end, before, after, changed, moved, edit=True)
    return msgspec.structs.replace(made, refused=_barrier(source.blocks, made))


def _without_marks(text: str) -> str:
    """A passage without the numbers of its list's lines: (a), （二） go with their lines and are no number of the contract."""
    first, *rest = text.split("\n")
    marks = [read_mark(line) for line in rest]
    return "\n".join([first, *(line[mark.end :] if mark else line for line, mark in zip(rest, marks, strict=True))])


def _in_one_cell(blocks: Sequence[Block], start: int, end: int) -> tuple[int, int]:
    """A passage of one row of a table, without the cells that only name what its longest one says."""
    over = [block for block in blocks if block.start < end and start < block.end]
    if len(over) != 1 or len(over[0].parts) == 1:
        return start, end
    spans = [(max(start, cell.start), min(end, cell.end)) for cell in over[0].parts]
    return max(spans, key=lambda span: span[1] - span[0])


def _refusal(blocks: Sequence[Block], one: Proposal, wording: str, *, foreign: bool) -> str:
    if not wording or _ADVICE.match(folded(wording)):
        return "advice"
    if foreign:
        return "stock"
    if barrier := _barrier(blocks, one):
        return barrier
    return "" if all(moved.asked for moved in one.moved) else "unasked"


def _barrier(blocks: Sequence[Block], one: Proposal) -> str:
    """What is removed must stand in elements of the file, or be the whole end of a paragraph with the number of the next.

    Two cells of a table never become one. A number that Word counts itself is in no run: it can go with its paragraph, not by itself.
    """
    over = [block for block in blocks if block.start < one.end and one.start < block.end]
    if not over or one.start < over[0].parts[0].start:
        return "paragraphs"
    for block, after in zip(over, [*over[1:], None], strict=True):
        cells = block.parts
        bars = [(left.end, right.start) for left, right in pairwise(cells)]
        if any(_removed(one, low, high) for low, high in bars):
            return "table"
        if after is not None:
            gone = _removed(one, block.end, after.parts[0].start)
            if gone and (block.table or after.table):
                return "table"
            if 0 < gone < after.parts[0].start - block.end:
                return "paragraphs"
    return ""


def _removed(one: Proposal, low: int, high: int) -> int:
    """How many characters from ``low`` to ``high`` of the contract's text the proposal removes."""
    at, count = one.start, 0
    for operation, text in one.pieces:
        if operation == "added":
            continue
        if operation == "removed":
            count += max(0, min(at + len(text), high) - max(at, low))
        at += len(text)
    return count


def _wording(suggestion: str) -> str:
    """The words to be written: of advice that quotes them, the quotation."""
    quoted = _QUOTED.search(suggestion)
    return " ".join((quoted["wording"] if quoted else suggestion).split())


def _passage(clause: Clause, finding: Finding, wording: str) -> tuple[int, int]:
    """What the wording stands for, in the contract's text: the words quoted, their sentences, parts of these between commas
    (Chinese only, where a part stands by itself), or the clause after its number.

    The one that it is most like, as a model may answer with the words alone or with the clause anew; the sentences in a tie,
    and where it is like none of them.
    """
    text = clause.text
    spans = finding.excerpt.spans if finding.excerpt else ()
    mark = read_mark(text)
    body = (mark.end if mark and not mark.is_item else 0), len(text.rstrip())
    # The clause's number may be part of the quotation, and never of what is replaced.
    quoted = max(body[0], min(low for low, _ in spans)), max(body[0], *(high for _, high in spans))
    touched = [(low, high) for low, high in sentences(text) if low < quoted[1] and quoted[0] < high] or [quoted]
    whole = _trimmed(text, max(body[0], touched[0][0]), max(quoted[1], touched[-1][1]))
    candidates = (whole, quoted, *_parts(text, *whole), body)
    best = max(candidates, key=lambda span: _likeness(text[slice(*span)], wording) // _CLEARLY)
    return clause.start + best[0], clause.start + best[1]


_CLEARLY = 12
"""Points of 100 by which one passage must be more like the wording than another to be preferred to a longer one."""
_MOST_PARTS = 8


def _parts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    cuts = [start, *(match.end() for match in _COMMA.finditer(text, start, end)), end]
    if 2 < len(cuts) <= _MOST_PARTS:
        yield from sorted(combinations(cuts, 2), key=lambda span: span[0] - span[1])


_COMMA = re.compile(r"[，；]")


def _likeness(before: str, wording: str) -> float:
    from rapidfuzz import fuzz

    return fuzz.ratio(before, wording)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), end - (len(part) - len(part.rstrip()))


def _ended(wording: str, before: str) -> str:
    """The wording with the stop that the passage ends with, a comma too; without any where it has none."""
    own, theirs = _END.search(wording), _END.search(before)
    return (wording[: own.start()] if own else wording) + (theirs[0].strip() if theirs else "")
