"""The same number printed twice and differently: by model and task in two tables, or as a count and its percentage in text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from benchbar.audit.printed import Finding, Printed, PrintedTable, is_average, is_count

RATIO = re.compile(
    r"(?<![\d.,/])(\d{1,7})\s?(?:/|of|out of|из|÷)\s?(\d{1,7})(?![\d/]|[.,]\d)\s?(?:=|≈|\(|:|,|，|（|is|or)\s?(\d{1,3}(?:\.\d{1,4})?)\s?\\?[%％]"
)
LONGEST_TEXT = 5_000_000
FEWEST_ALIKE = 3
"""Cells, and half of those in common, that two tables must share before a difference is taken for a slip."""


def check_repeats(tables: Sequence[PrintedTable]) -> tuple[list[Finding], int]:
    """Cells of the same row and column name in two tables that differ beyond rounding, and the number compared.

    Only of tables that otherwise agree: tables of another judge or another setting differ in nearly all cells, and mean to.
    Averages are left out: two tables may average different columns.
    """
    first: dict[tuple[str, str], tuple[str, Printed]] = {}
    found: dict[tuple[str, str], list[Finding]] = {}
    shared: Counter[tuple[str, str]] = Counter()
    for table in tables:
        for row, cells in zip(table.rows, table.cells, strict=True):
            for column, cell in zip(table.columns, cells, strict=True):
                key = (_plain(row), _plain(column))
                if cell is None or not _tells(row, column):
                    continue
                name, other = first.setdefault(key, (table.name, cell))
                if name == table.name:
                    continue
                pair = (table.name, name)
                shared[pair] += 1
                if abs(cell.value - other.value) > cell.half + other.half:
                    found.setdefault(pair, []).append(_contradiction(table.name, row, column, cell, name, other))
    meant = [
        one
        for pair, own in found.items()
        if shared[pair] - len(own) >= max(FEWEST_ALIKE, shared[pair] / 2)
        for one in own
    ]
    return meant, sum(shared.values())


def _tells(row: str, column: str) -> bool:
    # Rows and columns without a name of their own are alike in every table.
    return not (row.startswith("row ") or column.startswith("column ") or is_average(column) or is_count(column))


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()


def _contradiction(table: str, row: str, column: str, cell: Printed, other_table: str, other: Printed) -> Finding:
    return Finding(
        check="contradiction",
        table=table,
        row=row,
        column=column,
        printed=str(cell),
        recomputed=str(other),
        evidence=f"{other_table} prints {other} for the same row and column",
        certainty="possible",
    )


def check_ratios(text: str, name: str) -> tuple[list[Finding], int]:
    """Counts printed with their percentage, such as ``329/349 = 94.3%``, that do not go together; and the number checked."""
    found: list[Finding] = []
    checked = 0
    for match in RATIO.finditer(text[:LONGEST_TEXT]):
        part, whole = int(match[1]), int(match[2])
        if not whole or part > whole:
            continue
        checked += 1
        printed = Printed(float(match[3]), len(match[3].partition(".")[2]))
        true = 100 * part / whole
        # A digit cut off instead of rounded is no contradiction: one unit of the last digit is allowed.
        if abs(true - printed.value) > 2 * printed.half:
            found.append(
                Finding(
                    check="ratio",
                    table=name,
                    row=f"{part} of {whole}",
                    column="",
                    printed=f"{printed}%",
                    recomputed=f"{true:.{printed.decimals + 1}f}%",
                    evidence=f"{part} of {whole} are {true:.{printed.decimals + 1}f}%",
                    certainty="certain",
                )
            )
    return found, checked
