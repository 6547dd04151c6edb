"""A contract as one text whose every paragraph knows where in the file it stands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from benchbar.records.errors import BadInputError

MAX_CHARACTERS = 20_000_000
"""A thousand pages are about two million."""

Format = Literal["docx", "pdf", "markdown", "text"]


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a paragraph that one element of the file holds: a cell's paragraph in a table's row, else all but the label."""

    start: int
    end: int
    element: int | None
    offset: int = 0
    """Characters of the element before it."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph's text before it is placed."""

    text: str
    page: int | None = None
    element: int | None = None
    """Number of the paragraph's element in a DOCX, in document order."""
    label: int = 0
    """Characters at the start that the file does not hold: Word counts its numbered lists itself."""
    table: bool = False
    heading: int = 0
    """1 to 6 where the file marks a heading of that level, else 0."""
    cells: tuple[Part, ...] = ()
    """Of a row of a Word table: its cells' paragraphs, in characters of the row's text."""


@dataclass(frozen=True, slots=True)
class Block(Paragraph):
    """A paragraph and its place in the contract's text."""

    start: int = 0
    end: int = 0

    @property
    def parts(self) -> tuple[Part, ...]:
        """What elements of the file hold of it, in characters of the contract's text; labels and bars between cells are in none."""
        own = self.cells or (Part(self.label, len(self.text), self.element),)
        return tuple(Part(self.start + one.start, self.start + one.end, one.element, one.offset) for one in own)


@dataclass(frozen=True, slots=True)
class ContractSource:
    """The text of a contract file: its blocks in order, divided by line feeds."""

    name: str
    format: Format
    text: str
    blocks: tuple[Block, ...]
    pages: int | None = None
    warnings: tuple[str, ...] = ()


def place(
    paragraphs: Iterable[Paragraph], *, name: str, form: Format, pages: int | None = None, warnings: Iterable[str] = ()
) -> ContractSource:
    """The paragraphs joined by line feeds, each with its span; empty ones are left out."""
    blocks: list[Block] = []
    at = 0
    for one in paragraphs:
        if not one.text.strip():
            continue
        end = at + len(one.text)
        blocks.append(Block(one.text, one.page, one.element, one.label, one.table, one.heading, one.cells, at, end))
        at = end + 1
        if at > MAX_CHARACTERS:
            raise BadInputError(f"more than {MAX_CHARACTERS} characters of text: split the file", file=name)
    if not blocks:
        raise BadInputError("there is no text in it", file=name)
    return ContractSource(name, form, "\n".join(block.text for block in blocks), tuple(blocks), pages, tuple(warnings))
