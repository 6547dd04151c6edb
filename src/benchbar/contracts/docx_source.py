"""A DOCX as a contract's paragraphs: body and tables in order, insertions read, deletions and comments not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchbar.contracts.paragraphs import ContractSource, Paragraph, place
from benchbar.tables.docx_numbering import Numbering
from benchbar.tables.word import open_docx


def read_docx(data: bytes, name: str) -> ContractSource:
    """The paragraphs and table rows of a DOCX, with the list numbers that Word would show."""
    document = open_docx(data, name)
    warnings = list(_warnings(document))
    return place(_paragraphs(document), name=name, form="docx", warnings=warnings)


def body_paragraphs(document: Any) -> list[Any]:
    """All ``w:p`` elements of the body, tables included, text boxes left out; the index is ``Paragraph.element``."""
    from docx.oxml.ns import qn

    box, p = qn("w:txbxContent"), qn("w:p")
    return [one for one in document.element.body.iter(p) if not any(up.tag == box for up in one.iterancestors())]


def text_nodes(paragraph: Any) -> Iterator[tuple[Any, str]]:
    """The nodes of a paragraph that show text, each with what it shows."""
    from docx.oxml.ns import qn

    signs = {qn("w:tab"): "\t", qn("w:br"): " ", qn("w:cr"): " ", qn("w:noBreakHyphen"): "-"}
    text, run, box = qn("w:t"), qn("w:r"), qn("w:txbxContent")
    for node in paragraph.iter(text, *signs):
        if node.getparent().tag != run or any(up.tag == box for up in node.iterancestors()):
            continue  # tab stops of the paragraph's properties; text boxes
        yield node, (node.text or "") if node.tag == text else signs[node.tag]


def _paragraphs(document: Any) -> Iterator[Paragraph]:
    from docx.oxml.ns import qn

    numbering = Numbering(_part(document, "numbering"), _part(document, "styles"))
    levels = _heading_levels(document)
    elements = body_paragraphs(document)
    rows: list[tuple[Any, list[int]]] = []
    for number, element in enumerate(elements):
        row = next((up for up in element.iterancestors() if up.tag == qn("w:tr")), None)
        if row is not None:
            if not rows or rows[-1][0] is not row:
                rows.append((row, []))
            rows[-1][1].append(number)
            continue
        yield from _flush(rows, elements)
        rows.clear()
        label = numbering.label(element)
        prefix = f"{label} " if label else ""
        text = "".join(shown for _, shown in text_nodes(element))
        if text.strip():
            yield Paragraph(prefix + text, None, number, len(prefix), heading=_heading(element, levels))
    yield from _flush(rows, elements)


def _flush(rows: list[tuple[Any, list[int]]], elements: list[Any]) -> Iterator[Paragraph]:
    """Rows of the table that has just ended: cells divided by bars, anchored at the first cell that has text."""
    for _, members in rows:
        cells = [(number, "".join(shown for _, shown in text_nodes(elements[number])).strip()) for number in members]
        filled = [(number, text) for number, text in cells if text]
        if filled:
            yield Paragraph(" | ".join(text for _, text in filled), None, filled[0][0], table=True)


def _part(document: Any, kind: str) -> Any:
    for relation in document.part.rels.values():
        if not relation.is_external and relation.reltype.endswith(f"/{kind}"):
            return getattr(relation.target_part, "element", None)
    return None


def _heading(element: Any, levels: dict[str, int]) -> int:
    from docx.oxml.ns import qn

    style = element.find(f"{qn('w:pPr')}/{qn('w:pStyle')}")
    return levels.get(style.get(qn("w:val")), 0) if style is not None else 0


def _heading_levels(document: Any) -> dict[str, int]:
    levels = {}
    for style in document.styles:
        kind, _, number = (style.name or "").partition(" ")
        if kind.lower() == "heading" and number.isdigit():
            levels[style.style_id] = int(number)
        elif (style.name or "").lower() == "title":
            levels[style.style_id] = 1
    return levels


def _warnings(document: Any) -> Iterator[str]:
    from docx.oxml.ns import qn

    body = document.element.body
    boxes = sum(1 for _ in body.iter(qn("w:txbxContent")))
    if boxes:
        yield f"{boxes} text boxes were not read"
    deletions = sum(1 for _ in body.iter(qn("w:del")))
    insertions = sum(1 for _ in body.iter(qn("w:ins")))
    if deletions or insertions:
        yield f"tracked changes: {insertions} insertions were read as text, {deletions} deletions were left out"
