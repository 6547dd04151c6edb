"""Rows among and under those of a table that are no part of it: heads that come again, totals, sources, remarks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from benchbar.tables.cells import texts_of
from benchbar.tables.table import Row, Table

_MOST = 5
"""Rows of a footer."""
_FILLED = 0.8
"""Share of the rows above it that have an expected answer."""
_EXPECTED = ("reference", "guidance")


_TOTALS = frozenset({
    "total", "totals", "grand total", "subtotal", "sum", "average", "mean", "итого", "всего", "итог", "среднее",
    "合计", "总计", "小计", "平均", "平均值", "平均分", "合計", "總計", "小計",
})  # fmt: skip


def names_total(text: str) -> bool:
    """Whether a text is what stands before totals and nothing else."""
    return text.strip().rstrip(":：").lower() in _TOTALS


def without_totals(table: Table, rows: Iterable[Row]) -> Iterator[Row]:
    """The rows without those of totals: the first cell says so, and behind it stand numbers alone."""
    for line, row in rows:
        # Every row of a large table comes by here; hardly one begins with such a word.
        first = next((text for cell in row.values() if cell is not None and (text := str(cell).strip())), "")
        if names_total(first) and not any(char.isalpha() for cell in _texts(row)[1:] for char in cell):
            table.lose(f"{first!r} stands over totals, and is no question; the row is left out", line=line)
        else:
            yield line, row


def without_repeated_heads(table: Table, rows: Iterable[Row]) -> Iterator[Row]:
    """The rows without those that hold the names of the columns again, as on each page of a report, and a title just above them."""
    held: Row | None = None
    for line, row in rows:
        again = len(row) > 1 and all(str(cell).strip() == name for name, cell in row.items())
        if again:
            if held is not None and len(_texts(held[1])) == 1:
                table.lose("a title above names of the columns that come again; the row is left out", line=held[0])
                held = None
            table.lose("the names of the columns come again; the row is left out", line=line)
        if held is not None:
            yield held
        held = None if again else (line, row)
    if held is not None:
        yield held


def _texts(row: Mapping[str, Any]) -> list[str]:
    return texts_of([cell for cell in row.values() if cell is not None])


def footer_from(table: Table, fields: Mapping[str, str]) -> float:
    """The line from which rows are a footer: they stand below an empty row, are few, and none has an expected answer as those
    above do. Infinity where there is none.

    Args:
        table: Whose rows have been read.
        fields: Head to field.
    """
    heads = [head for head, name in fields.items() if name in _EXPECTED]
    lines = [line for line, _ in table.rows]
    if not heads:
        return math.inf
    expects = [any(str(row.get(head) or "").strip() for head in heads) for _, row in table.rows]
    gaps = [place for place in range(1, len(lines)) if lines[place] in table.gaps]
    for place in gaps:
        below, above = expects[place:], expects[:place]
        if len(below) <= min(_MOST, len(above)) and not any(below) and sum(above) >= _FILLED * len(above):
            return lines[place]
    return math.inf
