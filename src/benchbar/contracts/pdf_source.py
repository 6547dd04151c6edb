"""A PDF as a contract's paragraphs: lines joined again, running headers left out, each paragraph with its page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from benchbar.contracts.marks import read_mark
from benchbar.contracts.paragraphs import ContractSource, Paragraph, place
from benchbar.tables.pdf import pdf_pages

_HEAD_AND_FOOT = 2
_RUNNING_SHARE = 0.6
_MIN_PAGES_FOR_RUNNING = 3
_FULL_LINE = 0.72
_CJK = re.compile(r"[\u2e80-\u9fff\uff00-\uffef]")
_PAGE_NUMBER = re.compile(
    r"[-–—\s]*(?:第\s*)?\d{1,4}(?:\s*页)?(?:\s*[/／共ofиз]{1,2}\s*\d{1,4}\s*页?)?[-–—\s]*", re.IGNORECASE
)

Line = tuple[int, str]
"""Page and text."""


def read_pdf(data: bytes, name: str) -> ContractSource:
    """The text of a PDF.

    Raises:
        BadInputError: it is protected by a password, damaged, or holds pictures of pages and no text.
    """
    texts = pdf_pages(data, name)
    pages = len(texts)
    empty = [number for number, text in enumerate(texts, start=1) if not text.strip()]
    warnings = (
        [f"no text on {len(empty)} of {pages} pages ({_listed(empty)}): scanned pages are not reviewed"]
        if empty
        else []
    )
    lines, dropped = _without_running_lines([[line.strip() for line in text.splitlines()] for text in texts])
    if dropped:
        warnings.append(f"{dropped} running headers, footers and page numbers were left out")
    return place(_paragraphs(lines), name=name, form="pdf", pages=pages, warnings=warnings)


def _listed(numbers: list[int], most: int = 8) -> str:
    return ", ".join(map(str, numbers[:most])) + (", …" if len(numbers) > most else "")


def _without_running_lines(pages: list[list[str]]) -> tuple[list[Line], int]:
    """Lines at a page's head or foot that most pages share once digits are masked, and bare page numbers."""
    pages = [[line for line in page if line] for page in pages]
    edges = Counter(mask for page in pages for mask in {_mask(line) for line in _edge_lines(page)})
    often = max(_MIN_PAGES_FOR_RUNNING, _RUNNING_SHARE * len(pages))
    lines: list[Line] = []
    dropped = 0
    for number, page in enumerate(pages, start=1):
        for index, line in enumerate(page):
            at_edge = index < _HEAD_AND_FOOT or index >= len(page) - _HEAD_AND_FOOT
            last_or_first = index in (0, len(page) - 1)
            if (at_edge and edges[_mask(line)] >= often) or (last_or_first and _is_page_number(line, number)):
                dropped += 1
            else:
                lines.append((number, line))
    return lines, dropped


def _edge_lines(page: list[str]) -> list[str]:
    return page[:_HEAD_AND_FOOT] + page[-_HEAD_AND_FOOT:]


def _mask(line: str) -> str:
    return re.sub(r"\d+", "#", line)


def _is_page_number(line: str, page: int) -> bool:
    return len(line) < 24 and _PAGE_NUMBER.fullmatch(line) is not None and str(page) in line


def _paragraphs(lines: list[Line]) -> Iterator[Paragraph]:
    width = max((_width(text) for _, text in lines), default=0)
    current, page, previous = "", 0, ""
    for number, text in lines:
        if current and not _begins(text, previous, width):
            current = _joined(current, text)
        else:
            if current:
                yield Paragraph(current, page)
            current, page = text, number
        previous = text
    if current:
        yield Paragraph(current, page)


def _width(text: str) -> int:
    return len(text) + len(_CJK.findall(text))


def _begins(text: str, previous: str, width: int) -> bool:
    """A line begins a paragraph when it carries a clause mark, or when the line before it ended early."""
    if read_mark(text) is not None:
        return True
    return _width(previous) < _FULL_LINE * width


def _joined(left: str, right: str) -> str:
    if left.endswith("-") and left[-2:-1].isalpha() and right[:1].islower():
        return left[:-1] + right
    glue = "" if _CJK.match(left[-1:]) or _CJK.match(right[:1]) else " "
    return left + glue + right
