"""Rates that no count of that many samples can give (the GRIM test)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import ceil, floor
from typing import NamedTuple

from benchbar.audit.printed import Finding, Printed, PrintedTable, counts_in, is_average, is_count, sizes_in, whole

NOT_A_RATE = re.compile(
    r"(?<![a-z])(?:time|latency|secs?|seconds?|cost|price|tokens?|len|lengths?|turns|years?|rank|kappa|alpha|"
    r"correlation|controlled|weighted|lc|precision|recall|f\d|f-?score|auc|bleu|rouge|meteor|mrr|ndcg|se|sd|"
    r"errors?|deviation)(?![a-z])|^(?:mean |avg )?score$|^id$|_id$|平均|分数|\+-|±",
    re.IGNORECASE,
)
RATE = re.compile(
    r"(?<![a-z])(?:rates?|accuracy|acc|shares?|ratio|percent|pct|proportion|wins?|winrate|coverage)(?![a-z])|%|率|доля|процент",
    re.IGNORECASE,
)
ALTERNATIVES = range(5, 201)


class RateCell(NamedTuple):
    """A cell that was held against a number of samples."""

    printed: Printed
    n: int
    percent: bool


def attainable(printed: Printed, n: int, *, ties_half: bool, percent: bool) -> bool:
    """Whether some count of n samples, or of half-points where ties count half, prints so.

    Source: Brown and Heathers, The GRIM test, Social Psychological and Personality Science 8 (2017).
    """
    steps = n * (2 if ties_half else 1)
    scale = steps / (100 if percent else 1)
    low, high = (printed.value - printed.half) * scale, (printed.value + printed.half) * scale
    slack = 1e-9 * steps
    return max(ceil(low - slack), 0) <= min(floor(high + slack), steps)


def is_percent(cells: Sequence[Printed | None]) -> bool:
    """Whether rates are printed as 0 to 100 rather than 0 to 1."""
    return any(cell.value > 1 for cell in cells if cell is not None)


def check_attainable(
    table: PrintedTable,
    n: int | None,
    *,
    ties_half: bool,
    columns: frozenset[str] = frozenset(),
    explained: frozenset[str] = frozenset(),
) -> tuple[list[Finding], list[RateCell]]:
    """Cells that cannot be rates of n samples, and all that were checked; rows that are ``explained`` are left out.

    With ``n``, columns are checked that can be rates by their values and are nothing else by their names; without,
    a row or column of counts in the table is used, and only for columns that are rates by name. ``columns`` names those to
    check instead. Averages are left out.
    """
    sizes = sizes_in(table, n)
    whole_table = is_percent(
        [cell for name, row in zip(table.rows, table.cells, strict=True) if not is_count(name) for cell in row]
    )
    # A row of counts holds the sizes of the columns: tasks often have different numbers of questions.
    counts = next((i for i, name in enumerate(table.rows) if n is None and is_count(name)), None)
    found, checked = [], []
    tallies = counts_in(table, sizes)
    for place, name in enumerate(table.columns):
        if (
            name not in columns
            if columns
            else place in tallies or not _is_rate(table, place, counts, named=n is None and counts is None)
        ):
            continue
        percent = is_percent(table.column(place)) if RATE.search(name) else whole_table
        for row, of_row in enumerate(sizes):
            cell, size = table.cells[row][place], of_row if counts is None else whole(table.cells[counts][place])
            if cell is None or size is None or is_average(table.rows[row]) or table.rows[row] in explained:
                continue
            if row == counts:
                continue
            checked.append(RateCell(cell, size, percent))
            if not attainable(cell, size, ties_half=ties_half, percent=percent):
                found.append(_finding(table, row, place, cell, size, ties_half=ties_half, percent=percent))
    return found, checked


def _is_rate(table: PrintedTable, place: int, counts: int | None, *, named: bool) -> bool:
    """Whether a column holds rates: by its name alone, or else by its values and no other name."""
    name = table.columns[place]
    cells = [cell for row, cell in enumerate(table.column(place)) if cell is not None and row != counts]
    if not cells or is_average(name) or min(cell.value for cell in cells) < 0:
        return False
    # Percent.
    if max(cell.value for cell in cells) > 100 or NOT_A_RATE.search(name):
        return False
    return bool(RATE.search(name)) or (not named and any(cell.decimals for cell in cells))


def _finding(
    table: PrintedTable, row: int, place: int, cell: Printed, size: int, *, ties_half: bool, percent: bool
) -> Finding:
    unit = (100 if percent else 1) / size / (2 if ties_half else 1)
    below = floor(cell.value / unit) * unit
    digits = cell.decimals + 1
    others = [k for k in ALTERNATIVES if attainable(cell, k, ties_half=ties_half, percent=percent)]
    rest = f"; it fits n = {', '.join(map(str, others[:6]))}" if others else ""
    counted = "ties as half, " if ties_half else ""
    return Finding(
        check="attainable",
        table=table.name,
        row=table.rows[row],
        column=table.columns[place],
        printed=str(cell),
        recomputed=f"{below:.{digits}f} or {below + unit:.{digits}f}",
        evidence=f"{counted}{size} samples give only multiples of {unit:.4g}{rest}",
        certainty="certain",
    )
