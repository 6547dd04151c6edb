"""Proposals as tracked changes of a Word document: minimal, by an author of our own, and proved to leave the rest as it was."""

from __future__ import annotations

import copy
import datetime as dt
from collections.abc import Iterator, Sequence
from typing import Any

from benchbar.contracts.docx_own import AUTHOR
from benchbar.contracts.docx_runs import runs_between
from benchbar.contracts.docx_source import CHANGES, body_paragraphs, text_nodes
from benchbar.contracts.paragraphs import Block, Part
from benchbar.contracts.redlines.proposals import Proposal
from benchbar.contracts.redlines.words import Piece
from benchbar.records.errors import BenchbarError

_OTHERS = ("w:ins", "w:moveTo")
"""Changes of the other side whose words show: what is put in stands beside them, not inside."""


class Revisions:
    """The ids, author and date of the tracked changes that are put into one document."""

    def __init__(self, document: Any, now: dt.datetime | None = None) -> None:
        """Ids go on after those that the document has, since Word repairs a file in which two changes share one."""
        from docx.oxml.ns import qn

        used = [one.get(qn("w:id"), "") for one in document.element.body.iter(*map(qn, CHANGES))]
        self._last = max((int(one) for one in used if one.isdecimal()), default=0)
        # Word reads the day and time without a zone as local time; Z is what it writes itself.
        self._date = (now or dt.datetime.now(dt.UTC)).strftime("%Y-%m-%dT%H:%M:%SZ")

    def element(self, tag: str) -> Any:
        """An empty ``w:ins`` or ``w:del`` (or the mark of a paragraph's end) with the attributes that Word asks for."""
        from docx.oxml import OxmlElement
        from docx.oxml.ns import qn

        self._last += 1
        made = OxmlElement(tag)
        made.set(qn("w:id"), str(self._last))
        made.set(qn("w:author"), AUTHOR)
        made.set(qn("w:date"), self._date)
        return made


def write_proposals(
    document: Any, blocks: Sequence[Block], made: Sequence[Proposal], now: dt.datetime | None = None
) -> None:
    """Track every proposal that was not refused; the last one first, since each moves the places behind it.

    Raises:
        BenchbarError: with our changes rejected a paragraph would not say what it said: nothing is to be written then.
    """
    elements = body_paragraphs(document)
    revisions = Revisions(document, now)
    touched: dict[int, str] = {}
    for one in sorted((one for one in made if not one.refused), key=lambda one: -one.start):
        over = [block for block in blocks if block.start < one.end and one.start < block.end]
        parts = [part for block in over for part in block.parts if part.start < one.end and one.start < part.end]
        for part, pieces in reversed(list(_divided(one, parts))):
            if part.element is None:
                continue
            paragraph = elements[part.element]
            touched.setdefault(part.element, _text(paragraph))
            begin = max(one.start, part.start) - part.start + part.offset
            _track(paragraph, pieces, begin, revisions)
        for block in over[:-1]:
            if block.element is not None and _is_removed(one, block.end):
                _delete_end(elements[block.element], revisions)
    for number, was in touched.items():
        if _text(without_ours(elements[number])) != was:
            raise BenchbarError(
                f"paragraph {number + 1}: the tracked proposal would change other words; nothing was written"
            )


def _text(paragraph: Any) -> str:
    return "".join(shown for _, shown in text_nodes(paragraph))


def without_ours(paragraph: Any) -> Any:
    """A copy of the paragraph with the changes of our author rejected."""
    from docx.oxml.ns import qn

    clean = copy.deepcopy(paragraph)
    for one in [one for one in clean.iter(qn("w:ins"), qn("w:del")) if one.get(qn("w:author")) == AUTHOR]:
        if one.tag == qn("w:ins"):
            one.getparent().remove(one)
            continue
        for run in list(one):
            one.addprevious(run)
            for node in run.iter(qn("w:delText")):
                node.tag = qn("w:t")
        one.getparent().remove(one)
    return clean


def _divided(one: Proposal, parts: Sequence[Part]) -> Iterator[tuple[Part, list[Piece]]]:
    """For each element that a proposal touches the pieces that stand in it; what is added stands where the words before it do."""
    for part in parts:
        own: list[Piece] = []
        at = one.start
        for operation, text in one.pieces:
            if operation == "added":
                # At the very end of a part it is this part's; at its begin it was the last one's.
                if part.start < at <= part.end or (part is parts[0] and at == one.start):
                    own.append((operation, text))
                continue
            inside = text[max(0, part.start - at) : max(0, part.end - at)]
            own += [(operation, inside)] if inside else []
            at += len(text)
        yield part, own


def _is_removed(one: Proposal, at: int) -> bool:
    place = one.start
    for operation, text in one.pieces:
        if operation != "added":
            if place <= at < place + len(text):
                return operation == "removed"
            place += len(text)
    return False


def _delete_end(paragraph: Any, revisions: Revisions) -> None:
    """The paragraph's end as deleted: once accepted, the next one goes on in it."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    properties = paragraph.get_or_add_pPr()
    mark = properties.find(qn("w:rPr"))
    if mark is None:
        mark = OxmlElement("w:rPr")
        # The schema wants only the section's properties and a change of properties behind it.
        behind = [one for one in properties if one.tag in (qn("w:sectPr"), qn("w:pPrChange"))]
        (behind[0].addprevious if behind else properties.append)(mark)
    mark.insert(0, revisions.element("w:del"))


def _track(paragraph: Any, pieces: Sequence[Piece], at: int, revisions: Revisions) -> None:
    """The pieces that stand in one paragraph, from their end: what was read before an offset keeps its place."""
    length = sum(len(text) for operation, text in pieces if operation != "added")
    place = at + length
    pending = ""
    for operation, text in reversed(pieces):
        if operation == "added":
            pending = text
            continue
        start = place - len(text)
        runs = runs_between(paragraph, start, place)
        if operation == "removed":
            _insert_after(runs[-1], pending, revisions)
            _delete(runs, revisions)
        elif pending:
            # Added between words that stay: a new run after those that the next piece begins behind.
            _insert_after(runs[-1], pending, revisions)
        pending = ""
        place = start
    if pending:
        first = runs_between(paragraph, at, at + length)[0]
        _insert_after(first, pending, revisions, before=True)


def _insert_after(run: Any, text: str, revisions: Revisions, *, before: bool = False) -> None:
    """A tracked insertion with the formatting of ``run``, behind it; outside of what the other side inserted."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    if not text:
        return
    inserted, made = revisions.element("w:ins"), OxmlElement("w:r")
    properties = run.find(qn("w:rPr"))
    if properties is not None:
        own = copy.deepcopy(properties)
        for change in own.findall(qn("w:rPrChange")):
            own.remove(change)
        made.append(own)
    node = OxmlElement("w:t")
    node.text = text
    node.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
    made.append(node)
    inserted.append(made)
    place = _outside(run, revisions, before=before)
    (place.addprevious if before else place.addnext)(inserted)


def _outside(run: Any, revisions: Revisions, *, before: bool) -> Any:
    """The run, or the other side's insertion that it ends (or begins), cut in two where the run stands in its middle."""
    from docx.oxml.ns import qn

    outer = run.getparent()
    if outer.tag not in set(map(qn, _OTHERS)):
        return run
    rest = [run, *run.itersiblings()] if before else list(run.itersiblings())
    if not rest or (before and run.getprevious() is None):
        return outer
    second = copy.copy(outer)
    for child in list(second):
        second.remove(child)
    second.set(qn("w:id"), revisions.element("w:ins").get(qn("w:id")))
    for child in rest:
        second.append(child)
    outer.addnext(second)
    return second if before else outer


def _delete(runs: Sequence[Any], revisions: Revisions) -> None:
    """Runs as deleted: neighbours share one ``w:del``; one inside the other side's insertion stays inside it."""
    from docx.oxml.ns import qn

    for group in _neighbours(runs):
        deleted = revisions.element("w:del")
        group[0].addprevious(deleted)
        for run in group:
            deleted.append(run)
            for node in run.iter(qn("w:t"), qn("w:instrText")):
                node.tag = qn("w:delText") if node.tag == qn("w:t") else qn("w:delInstrText")


def _neighbours(runs: Sequence[Any]) -> Iterator[list[Any]]:
    group: list[Any] = []
    for run in runs:
        if group and group[-1].getnext() is not run:
            yield group
            group = []
        group.append(run)
    if group:
        yield group
