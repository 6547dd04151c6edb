"""Titles above a table: reports and spreadsheets are exported with a name, a day or a blank line above the names of the columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchbar.records.errors import BadInputError
from benchbar.tables.table import Table

_ABOVE = 20
"""Rows within which the table itself begins."""


def refuse_title(table: Table, line: int, head: Sequence[Any], body: Sequence[tuple[int, Sequence[Any]]]) -> None:
    """Refuse a table whose first row is a title: its one cell would be the only column.

    Raises:
        BadInputError: rows just below it are wider.
    """
    if _width(head) > 1:
        return
    if wider := next((number for number, cells in body[:_ABOVE] if _width(cells) > _width(head)), None):
        raise BadInputError(
            f"row {line} has one cell, “{next((str(cell) for cell in head if str(cell).strip()), '')[:40]}”, and row {wider} more:"
            " the names of the columns have to stand in the first row; delete what is above them",
            file=table.path,
            line=line,
        )


def _width(cells: Sequence[Any]) -> int:
    """Cells up to the last that holds something."""
    return max((place for place, cell in enumerate(cells, start=1) if str(cell).strip()), default=0)
