"""Cells of a row before anybody knows what they mean: their text, and how far the row reaches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Rows = Sequence[tuple[int, Sequence[Any]]]
"""Rows that hold something: line and cells."""


def text_of(cell: Any) -> str:
    """What stands in a cell, without the blanks around it."""
    return str(cell).strip()


def texts_of(cells: Sequence[Any]) -> list[str]:
    """What stands in those cells that hold something."""
    return [text for cell in cells if (text := text_of(cell))]


def width_of(cells: Sequence[Any]) -> int:
    """Cells up to the last that holds something."""
    width = len(cells)
    while width and not text_of(cells[width - 1]):
        width -= 1
    return width
