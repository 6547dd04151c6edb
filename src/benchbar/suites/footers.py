"""Rows under a table that are no part of it: totals, sources, remarks."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from benchbar.tables.table import Table

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


def total_fault(row: Mapping[str, Any]) -> str:
    """Why a row holds totals: its first cell says so, and behind it stand numbers alone. Empty where it does not."""
    first, *others = [str(cell).strip() for cell in row.values() if cell is not None and str(cell).strip()] or [""]
    if names_total(first) and not any(char.isalpha() for cell in others for char in cell):
        return f"{first!r} stands over totals, and is no question; the row is left out"
    return ""


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
