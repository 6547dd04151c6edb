"""The first page of a review, put before a contract in Word."""

from __future__ import annotations

from typing import Any

from benchbar.contracts.first_page import FirstPage
from benchbar.contracts.first_page_text import first_page_parts
from benchbar.languages.packs import labels

_CONTROL = {code: None for code in range(32) if code not in (9, 10, 13)}
_COLOURS = {"high": "B3261E", "medium": "9A6700"}


def insert_first_page(document: Any, page: FirstPage, language: str) -> None:
    """Put the page before the first paragraph and a page break after it; the contract's own text and styles are not touched."""
    words = labels(language, "contract").section("first_page")
    body = document.element.body
    first = body[0]
    known = set(body)
    _paragraph(document, words["title"], size=18, bold=True)
    for part in first_page_parts(page, language):
        _paragraph(document, part.heading, size=12, bold=True, space=8)
        for line in part.lines:
            _paragraph(document, line.text, size=10.5, colour=_COLOURS.get(line.level, ""), bold=bool(line.level))
            if line.note:
                _paragraph(document, line.note, size=9, colour="666666")
    last = _paragraph(document, words["own_words"], size=9, colour="666666", space=8)
    _break_page(last)
    # python-docx adds paragraphs at the end: they are moved to the front.
    for element in [one for one in body if one not in known]:
        first.addprevious(element)


def _break_page(paragraph: Any) -> None:
    from docx.enum.text import WD_BREAK

    paragraph.add_run().add_break(WD_BREAK.PAGE)


def _paragraph(document: Any, text: str, *, size: float, bold: bool = False, colour: str = "", space: float = 0) -> Any:
    from docx.shared import Pt, RGBColor

    paragraph = document.add_paragraph()
    paragraph.paragraph_format.space_before, paragraph.paragraph_format.space_after = Pt(space), Pt(2)
    # A contract's usual style may be indented: the page looks the same before each.
    paragraph.paragraph_format.first_line_indent = Pt(0)
    run = paragraph.add_run(text.translate(_CONTROL))
    run.font.size, run.bold = Pt(size), bold
    if colour:
        run.font.color.rgb = RGBColor.from_string(colour)
    return paragraph
