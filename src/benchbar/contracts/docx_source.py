"""A DOCX as a contract's paragraphs: body and tables in order, as they are with all tracked changes accepted, or with none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from benchbar.contracts.docx_own import open_contract
from benchbar.contracts.paragraphs import ContractSource, Paragraph, Part, place
from benchbar.tables.docx_numbering import Numbering

Version = Literal["before", "after"]
"""A document with all its tracked changes rejected, or with all of them accepted."""
_HIDDEN: dict[Version, tuple[str, ...]] = {"after": ("w:del", "w:moveFrom"), "before": ("w:ins", "w:moveTo")}
CHANGES = ("w:ins", "w:del", "w:moveFrom", "w:moveTo")
"""Tracked changes of content. Those of formatting (``rPrChange`` and its like) change no word and are not read."""


def read_docx(data: bytes, name: str, version: Version = "after") -> ContractSource:
    """The paragraphs and table rows of a DOCX, with the list numbers that Word would show.

    Raises:
        BadInputError: it is no readable DOCX, or there is no text in it.
    """
    document, left_out = open_contract(data, name)
    warnings = [*left_out, *_warnings(document)]
    return place(_paragraphs(document, version), name=name, form="docx", warnings=warnings)


def tracked_by(document: Any) -> dict[int, tuple[tuple[str, str], ...]]:
    """Index of each paragraph that has tracked changes of content, to their authors and dates, each once."""
    from docx.oxml.ns import qn

    tags = [qn(one) for one in CHANGES]
    found = {}
    for number, element in enumerate(body_paragraphs(document)):
        who = [(one.get(qn("w:author"), ""), one.get(qn("w:date"), "")) for one in element.iter(*tags)]
        if who:
            found[number] = tuple(dict.fromkeys(who))
    return found


def body_paragraphs(document: Any) -> list[Any]:
    """All ``w:p`` elements of the body, tables included, text boxes left out; the index is ``Paragraph.element``."""
    from docx.oxml.ns import qn

    box, p = qn("w:txbxContent"), qn("w:p")
    return [one for one in document.element.body.iter(p) if not any(up.tag == box for up in one.iterancestors())]


def text_nodes(paragraph: Any, version: Version = "after") -> Iterator[tuple[Any, str]]:
    """The nodes of a paragraph that show text in a version of it, each with what it shows."""
    from docx.oxml.ns import qn

    signs = {qn("w:tab"): "\t", qn("w:br"): " ", qn("w:cr"): " ", qn("w:noBreakHyphen"): "-"}
    texts, run = {qn("w:t"), qn("w:delText")}, qn("w:r")
    # What A inserted and B deleted stands in both, and shows in neither version.
    hidden = {qn("w:txbxContent"), *map(qn, _HIDDEN[version])}
    for node in paragraph.iter(*texts, *signs):
        if node.getparent().tag != run or any(up.tag in hidden for up in node.iterancestors()):
            continue  # tab stops of the paragraph's properties; text boxes
        yield node, (node.text or "") if node.tag in texts else signs[node.tag]


def _paragraphs(document: Any, version: Version) -> Iterator[Paragraph]:
    from docx.oxml.ns import qn

    numbering = Numbering(_part(document, "numbering"), _part(document, "styles"))
    levels = _heading_levels(document)
    elements = body_paragraphs(document)
    rows: list[tuple[Any, list[int]]] = []
    carried = ""
    for number, element in enumerate(elements):
        row = next((up for up in element.iterancestors() if up.tag == qn("w:tr")), None)
        if row is not None:
            if not rows or rows[-1][0] is not row:
                rows.append((row, []))
            rows[-1][1].append(number)
            continue
        yield from _flush(rows, elements, version)
        rows.clear()
        text = carried + _shown(element, version)
        carried = ""
        if _mark_hidden(element, version):
            if not text.strip():
                continue  # a paragraph that this version does not have: Word does not count it either
            if version == "before":
                # Its end was inserted, so that it was one paragraph with the next. Accepted text keeps its paragraphs apart:
                # comments are anchored in one element, and a clause is read the same.
                carried = text
                continue
        label = numbering.label(element)
        prefix = f"{label} " if label else ""
        if text.strip():
            yield Paragraph(prefix + text, None, number, len(prefix), heading=_heading(element, levels))
    if carried:
        yield Paragraph(carried, None, len(elements) - 1)
    yield from _flush(rows, elements, version)


def _shown(element: Any, version: Version) -> str:
    return "".join(shown for _, shown in text_nodes(element, version))


def _mark_hidden(element: Any, version: Version) -> bool:
    """Whether the end of the paragraph is a tracked change that this version does not have."""
    from docx.oxml.ns import qn

    mark = element.find(f"{qn('w:pPr')}/{qn('w:rPr')}")
    return mark is not None and any(mark.find(qn(one)) is not None for one in _HIDDEN[version])


def _flush(rows: list[tuple[Any, list[int]]], elements: list[Any], version: Version) -> Iterator[Paragraph]:
    """Rows of the table that has just ended: cells divided by bars, anchored at the first cell that has text."""
    from docx.oxml.ns import qn

    for row, members in rows:
        properties = row.find(qn("w:trPr"))
        if properties is not None and any(properties.find(qn(one)) is not None for one in _HIDDEN[version]):
            continue  # the whole row was inserted, or deleted
        filled = [(number, text) for number in members if (text := _shown(elements[number], version)).strip()]
        parts: list[Part] = []
        for number, text in filled:
            begin = parts[-1].end + len(_BAR) if parts else 0
            parts.append(Part(begin, begin + len(text.strip()), number, len(text) - len(text.lstrip())))
        if filled:
            row_text = _BAR.join(text.strip() for _, text in filled)
            yield Paragraph(row_text, None, filled[0][0], table=True, cells=tuple(parts))


_BAR = " | "
"""Between the cells of a row."""


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
    deletions = sum(1 for _ in body.iter(qn("w:del"), qn("w:moveFrom")))
    insertions = sum(1 for _ in body.iter(qn("w:ins"), qn("w:moveTo")))
    if deletions or insertions:
        yield f"tracked changes: {insertions} insertions were read as text, {deletions} deletions were left out"
