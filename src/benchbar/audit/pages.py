"""Tables on pages: HTML as it is marked up, PDF as columns of its laid-out text."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

from benchbar.records.errors import BadInputError
from benchbar.records.files import read_bounded

MOST_CELLS = 200_000
"""Of all tables of a page together; a page with more is no article."""
WIDEST_SPAN = 100
MOST_PAGES = 300
MOST_BYTES = 64 * 1024 * 1024
_HIDDEN = frozenset({"script", "style", "sup"})
"""Footnote marks in <sup> would be read as digits: 56.8<sup>2</sup> is not 56.82."""
_NUMBER = re.compile(r"[-–—]|[*†‡]?[-+−]?\d{0,6}(?:,\d{3}){0,3}(?:\.\d{1,8})?\s?%?[*†‡]?(?:\s?±\s?[\d.]{1,8})?")
_GAP = re.compile(r"\s{2,}")


def html_grids(text: str) -> tuple[list[list[list[str]]], str]:
    """The tables of a page as rows of cells under their header, and the text outside of scripts."""
    reader = _Tables()
    reader.feed(text)
    reader.close()
    return [made for grid in reader.grids if (made := squared(grid))], " ".join(reader.text)


class _Tables(HTMLParser):
    """Collects cells; one that spans several columns is repeated, so that headers stand above their numbers."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.grids: list[list[list[str]]] = []
        self.text: list[str] = []
        self._open: list[list[list[str]]] = []
        self._cell: list[str] | None = None
        self._span = 1
        self._hidden = 0
        self._cells = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a table, a row or a cell."""
        if tag in _HIDDEN:
            self._hidden += 1
        elif tag == "table":
            self._end_cell()
            self._open.append([])
        elif tag == "tr" and self._open:
            self._end_cell()
            self._open[-1].append([])
        elif tag in ("td", "th") and self._open:
            self._end_cell()
            if not self._open[-1]:
                self._open[-1].append([])
            span = dict(attrs).get("colspan") or "1"
            self._cell, self._span = [], min(int(span), WIDEST_SPAN) if span.isdecimal() and len(span) < 5 else 1

    def handle_endtag(self, tag: str) -> None:
        """End a cell or a table; rows and cells may lack their own end."""
        if tag in _HIDDEN:
            self._hidden = max(0, self._hidden - 1)
        elif tag in ("td", "th", "tr"):
            self._end_cell()
        elif tag == "table" and self._open:
            self._end_cell()
            self.grids.append([row for row in self._open.pop() if row])

    def handle_data(self, data: str) -> None:
        """Text of a cell and of the page."""
        if self._hidden:
            return
        self.text.append(data)
        if self._cell is not None:
            self._cell.append(data)

    def _end_cell(self) -> None:
        if self._cell is None or not self._open:
            return
        self._cells += self._span
        if self._cells > MOST_CELLS:
            raise BadInputError(
                f"more than {MOST_CELLS:,} cells; save the tables you want to audit as a page of their own"
            )
        self._open[-1][-1] += [" ".join("".join(self._cell).split())] * self._span
        self._cell = None


def pdf_grids(path: Path) -> tuple[list[list[list[str]]], str]:
    """Tables of numbers in the laid-out text of a PDF, and the whole text.

    A table is at least two lines one after the other with equally many numbers, at least two, that stand apart. Its header is
    the nearest line above with as many words that stand apart.

    Raises:
        BadInputError: no readable PDF, too long, or a scan.
    """
    lines = _lines(path)
    return list(_numeric_blocks(lines)), "\n".join(lines)


def _lines(path: Path) -> list[str]:
    from io import BytesIO

    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    # pypdf reports every oddity of a damaged file; the outcome is reported here once.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        reader = PdfReader(BytesIO(read_bounded(path, MOST_BYTES)))
        if len(reader.pages) > MOST_PAGES:
            raise BadInputError(f"{len(reader.pages)} pages; at most {MOST_PAGES} are read", file=path)
        # The plain text runs columns together: only the laid-out one keeps the gaps that tell cells apart.
        pages = [page.extract_text(extraction_mode="layout") or "" for page in reader.pages]
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, RecursionError, IndexError, OSError) as error:
        raise BadInputError(f"not a readable PDF: {error}", file=path) from error
    lines = [line for page in pages for line in [*page.splitlines(), ""]]
    if not any(line.strip() for line in lines):
        raise BadInputError("a scan: no page holds text; run text recognition first", file=path)
    return lines


def _numeric_blocks(lines: list[str]) -> Iterator[list[list[str]]]:
    rows = [(place, _row(line)) for place, line in enumerate(lines) if line.strip()]
    block: list[tuple[int, list[str]]] = []
    for (place, row), (_, following) in pairwise([*rows, (len(lines), [])]):
        if len(row) > 2:
            block.append((place, row))
        if not row or len(following) != len(row):
            # One line of numbers may be anything: a date, an equation, a page of references.
            if len(block) > 1:
                yield [_header(lines, block[0][0], len(row)), *(cells for _, cells in block)]
            block = []


def _row(line: str) -> list[str]:
    """A name and its numbers; empty where a line is no such row."""
    cells = _GAP.split(line.strip())
    first = next((i for i, cell in enumerate(cells) if _NUMBER.fullmatch(cell)), len(cells))
    numbers = cells[first:]
    if len(numbers) < 2 or not all(_NUMBER.fullmatch(cell) for cell in numbers):
        return []
    return [" ".join(cells[:first]), *numbers]


def _header(lines: list[str], first: int, width: int) -> list[str]:
    for line in reversed(lines[max(0, first - 6) : first]):
        cells = _GAP.split(line.strip())
        if len(cells) == width and not _row(line):
            return cells
        if len(cells) == width - 1 and line.strip():
            return ["", *cells]
    return ["", *(f"column {place}" for place in range(1, width))]


def squared(grid: list[list[str]]) -> list[list[str]]:
    """Rows under the last row without numbers, which is the header; empty where there is nothing below one."""
    head = next((i for i, row in enumerate(grid) if sum(bool(_NUMBER.fullmatch(cell)) for cell in row if cell) >= 1), 0)
    body = grid[head:]
    if not body:
        return []
    width = max(len(row) for row in body)
    header = grid[head - 1] if head else [""] * width
    header = (header + [""] * width)[:width] if len(header) >= width else [""] * (width - len(header)) + header
    # Of a header of two rows the lower one names columns, and the upper one those that it leaves out.
    above = grid[head - 2] if head > 1 and len(grid[head - 2]) == width else [""] * width
    header = [own or other for own, other in zip(header, above, strict=True)]
    return [header, *((row + [""] * width)[:width] for row in body)]
