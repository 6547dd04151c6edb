"""Rows under a table that are no part of it: totals, sources, remarks."""

from __future__ import annotations

import math
from collections.abc import Mapping

from benchbar.tables.table import Table

_MOST = 5
"""Rows of a footer."""
_FILLED = 0.8
"""Share of the rows above it that have an expected answer."""
_EXPECTED = ("reference", "guidance")


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
