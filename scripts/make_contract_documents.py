"""Writes two of the bundled contracts as Word documents, as contracts come in practice; ``--check`` tells whether they are up to date.

The lease has its articles numbered by Word itself: their numbers stand in no paragraph. The labour contract has its parties in
a table and its numbers typed.
"""

from __future__ import annotations

import re
import sys
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import docx
from docx.oxml import OxmlElement
from docx.oxml.ns import qn

CONTRACTS = Path(__file__).resolve().parents[1] / "src/benchbar/suites/data/model-jurisdiction-zh/contracts"
NUMBERED, TYPED = "lease-2", "labour-2"
ARTICLE = re.compile(r"^第[一二三四五六七八九十]+条\s*")
PARTY = re.compile(r"^(?P<side>[^：]{1,12})：(?P<name>.+)$")
STAMP = (2024, 1, 1, 0, 0, 0)
"""A fixed time in the archive: the same contract gives the same file."""


def numbering(document: Any) -> str:
    """The id of a list whose items Word counts as 第一条, 第二条 and so on."""
    part = document.part.numbering_part.element
    abstract = OxmlElement("w:abstractNum")
    abstract.set(qn("w:abstractNumId"), "90")
    level = OxmlElement("w:lvl")
    level.set(qn("w:ilvl"), "0")
    for tag, value in (("start", "1"), ("numFmt", "chineseCountingThousand"), ("lvlText", "第%1条"), ("suff", "space")):
        child = OxmlElement(f"w:{tag}")
        child.set(qn("w:val"), value)
        level.append(child)
    abstract.append(level)
    part.insert(0, abstract)
    number = part.add_num(90)
    return str(number.numId)


def numbered(paragraph: Any, list_id: str) -> None:
    """Make the paragraph an item of the list."""
    item = OxmlElement("w:numPr")
    for tag, value in (("ilvl", "0"), ("numId", list_id)):
        child = OxmlElement(f"w:{tag}")
        child.set(qn("w:val"), value)
        item.append(child)
    paragraph.paragraph_format.element.get_or_add_pPr().append(item)


def parties(document: Any, rows: list[tuple[str, str]]) -> None:
    """The parties as a table of two columns."""
    table = document.add_table(rows=0, cols=2)
    for side, name in rows:
        cells = table.add_row().cells
        cells[0].text, cells[1].text = f"{side}：", name


def document_of(text: str, *, by_word: bool) -> Any:
    """A contract in Markdown as a Word document, its articles numbered by Word or typed."""
    document = docx.Document()
    document.sections[0].header.paragraphs[0].text = "合同文本"
    list_id = numbering(document) if by_word else ""
    blocks = [block.strip() for block in text.split("\n\n") if block.strip()]
    waiting: list[tuple[str, str]] = []
    for block in blocks:
        if not by_word and (party := PARTY.match(block)) and not ARTICLE.match(block) and "签署" not in block:
            waiting.append((party["side"], party["name"]))
            continue
        if waiting:
            parties(document, waiting)
            waiting = []
        add(document, block, list_id)
    return document


def add(document: Any, block: str, list_id: str) -> None:
    """One block of the Markdown as a heading, an item or a paragraph."""
    if block.startswith("#"):
        marks, _, title = block.partition(" ")
        document.add_heading(title, level=0 if marks == "#" else 1)
    elif list_id and ARTICLE.match(block):
        numbered(document.add_paragraph(ARTICLE.sub("", block)), list_id)
    else:
        document.add_paragraph(block)


def packed(document: Any) -> bytes:
    """The document's bytes, without the clock."""
    buffer, fixed = BytesIO(), BytesIO()
    document.save(buffer)
    with zipfile.ZipFile(buffer) as source, zipfile.ZipFile(fixed, "w", zipfile.ZIP_DEFLATED) as target:
        for name in sorted(source.namelist(), key=lambda name: (name != "[Content_Types].xml", name)):
            target.writestr(zipfile.ZipInfo(name, STAMP), source.read(name), zipfile.ZIP_DEFLATED)
    return fixed.getvalue()


def texts(data: bytes) -> list[str]:
    """What a document says, paragraph by paragraph; two archives may differ in bytes and say the same."""
    return [paragraph.text for paragraph in docx.Document(BytesIO(data)).element.body.iter(qn("w:p"))]


def main() -> int:
    """Write both documents, or compare them with what is there."""
    stale = []
    for name, by_word in ((NUMBERED, True), (TYPED, False)):
        data = packed(document_of((CONTRACTS / f"{name}.md").read_text("utf-8"), by_word=by_word))
        path = CONTRACTS / f"{name}.docx"
        if "--check" not in sys.argv:
            path.write_bytes(data)
        elif not path.exists() or texts(path.read_bytes()) != texts(data):
            stale.append(path.name)
    if stale:
        print(f"not up to date: {', '.join(stale)}; run python scripts/make_contract_documents.py", file=sys.stderr)
    return bool(stale)


if __name__ == "__main__":
    sys.exit(main())
