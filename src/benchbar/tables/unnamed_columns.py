"""Columns without a name: those at the left that are empty or only count the rows are left out; what else has none is refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchbar.records.errors import BadInputError
from benchbar.tables.cells import Rows, text_of, width_of
from benchbar.tables.table import Table

_FIRST = ("0", "1")
"""With which programs begin to count."""


def without_counter(table: Table, head: Sequence[Any], body: Rows) -> int:
    """How many columns at the left have no name and are not read: empty ones, and one that counts the rows, which is noted."""
    named = next((place for place, name in enumerate(head) if text_of(name)), 0)
    columns = [[_text(cells, place) for _, cells in body] for place in range(named)]
    filled = [place for place, cells in enumerate(columns, start=1) if any(cells)]
    if not filled:
        return named
    if len(filled) > 1 or not _counts(columns[filled[0] - 1]):
        return 0
    table.note(f"column {filled[0]} has no name and only counts the rows: it is not read")
    return named


def refuse_narrow_head(table: Table, line: int, names: Sequence[str], body: Rows) -> None:
    """Refuse a head that all rows reach beyond: they would all be lost, and the first of them would be told.

    Raises:
        BadInputError: names how far both reach.
    """
    if len(names) > 1 and len(body) > 1 and all(width_of(cells) > len(names) for _, cells in body):
        least = min(width_of(cells) for _, cells in body)
        raise BadInputError(
            f"the names of the columns reach to column {len(names)}, and every row below to column {least} or further: name"
            " these columns too; heads over two rows have to become one row, without merged cells",
            file=table.path,
            line=line,
        )


def _counts(cells: Sequence[str]) -> bool:
    """Whether each cell is one more than the last, from 0 or 1 on; a row of totals has none."""
    numbers = [cell for cell in cells if cell]
    return numbers[0] in _FIRST and numbers == [str(int(numbers[0]) + place) for place in range(len(numbers))]


def _text(cells: Sequence[Any], place: int) -> str:
    return text_of(cells[place]) if place < len(cells) else ""
