"""Two versions of a contract as one Word document: the earlier text with the changes to the later one tracked."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import Any

from benchbar.contracts.clauses import clauses as split_clauses
from benchbar.contracts.docx_runs import add_comment
from benchbar.contracts.paragraphs import ContractSource
from benchbar.contracts.redlines.changes import ClauseChange
from benchbar.contracts.redlines.docx_proposals import Revisions
from benchbar.contracts.redlines.telling import change_lines
from benchbar.contracts.redlines.words import Operation, Piece

_CONTROL = {code: None for code in range(32) if code not in (9, 10)}


def write_comparison(
    after: ContractSource, changes: Sequence[ClauseChange], language: str, now: dt.datetime | None = None
) -> bytes:
    """The bytes of a DOCX of plain paragraphs; each change has a comment that says what was made of it.

    It is made of the texts, since the versions may be of any two formats. With all changes accepted it is the later text; with
    all rejected it has the clauses of the earlier one, those that were moved in their new place.
    """
    import docx

    document = docx.Document()
    revisions = Revisions(document, now)
    for pieces, change in _rows(after, changes):
        runs: list[Any] = []
        for line in _lines(pieces):
            runs += _paragraph(document, line, revisions)
        if change is not None and runs:
            text = "\n".join(change_lines(change, language)).translate(_CONTROL)
            add_comment(document, runs, text)
    buffer = BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def _rows(
    after: ContractSource, changes: Sequence[ClauseChange]
) -> Iterator[tuple[Sequence[Piece], ClauseChange | None]]:
    """Every clause of the later version, changed or not; those that were removed stand before the next change."""
    waiting = list(changes)
    by_clause = {one.clause: one for one in changes if one.clause}
    for clause in split_clauses(after):
        change = by_clause.get(clause.id)
        while change is not None and waiting and waiting[0] is not change:
            gone = waiting.pop(0)
            if not gone.clause:
                yield gone.pieces, gone
        if change is not None:
            waiting = waiting[1:]
            yield (change.pieces if change.kind != "moved" else (("same", clause.text),)), change
        else:
            yield (("same", clause.text),), None
    for gone in waiting:
        yield gone.pieces, gone


Line = tuple[list[Piece], Operation]
"""The pieces of one paragraph, and what became of its end."""


def _lines(pieces: Sequence[Piece]) -> Iterator[Line]:
    line: list[Piece] = []
    for operation, text in pieces:
        *ended, rest = text.split("\n")
        for part in ended:
            line.append((operation, part))
            yield line, operation
            line = []
        line.append((operation, rest))
    # The end of a clause that only one version has is that version's, too.
    kinds = {operation for operation, _ in pieces}
    yield line, kinds.pop() if len(kinds) == 1 else "same"


def _paragraph(document: Any, line: Line, revisions: Revisions) -> list[Any]:
    """The paragraph's runs; deleted and inserted ones in their tracked changes, its end marked where it came or went."""
    from docx.oxml import OxmlElement

    pieces, end = line
    element = document.add_paragraph()._p  # noqa: SLF001 - python-docx has no tracked changes
    if end != "same":
        mark = OxmlElement("w:rPr")
        mark.append(revisions.element("w:ins" if end == "added" else "w:del"))
        element.get_or_add_pPr().append(mark)
    runs = []
    for operation, text in pieces:
        if not text.translate(_CONTROL):
            continue
        run = _run(text, "w:delText" if operation == "removed" else "w:t")
        if operation == "same":
            element.append(run)
        else:
            holder = revisions.element("w:ins" if operation == "added" else "w:del")
            holder.append(run)
            element.append(holder)
        runs.append(run)
    return runs


def _run(text: str, tag: str) -> Any:
    from docx.oxml import OxmlElement

    run, node = OxmlElement("w:r"), OxmlElement(tag)
    node.text = text.translate(_CONTROL).replace("\t", " ")
    node.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
    run.append(node)
    return run
