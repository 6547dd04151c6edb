"""Rates that no count of that many samples can give (the GRIM test)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import ceil, floor
from typing import NamedTuple

from benchbar.audit.printed import Finding, Printed, PrintedTable, counts_in, is_average, is_count, sizes_in, whole

NOT_A_RATE = re.compile(
    r"(?<![a-z])(?:time|latency|secs?|seconds?|cost|price|tokens?|len|lengths?|turns|years?|rank|kappa|alpha|"
    r"correlation|controlled|weighted|lc|precision|recall|f\d|f-?score|auc|bleu|rouge|meteor|mrr|ndcg|se|sd|"
    r"errors?|deviation|rating|grade|points|(?:lower|upper) (?:bound|limit)|ci)(?![a-z])|^(?:mean |avg )?score$|^id$|_id$|"
    r"平均|分数|评分|得分|打分|上限|下限|置信|балл|оценк|рейтинг|границ|\+-|±",
    re.IGNORECASE,
)
RATE = re.compile(
    r"(?<![a-z])(?:rates?|accuracy|acc|shares?|ratio|percent|pct|proportion|wins?|winrate|coverage)(?![a-z])|%|率|доля|процент",
    re.IGNORECASE,
)
TIES = re.compile(r"(?<![a-z])(?:ties?|tied|draws?)(?![a-z])|平|ничь", re.IGNORECASE)
WINS = re.compile(r"(?<![a-z])(?:wins?|winrate|won)(?![a-z])|胜|побед", re.IGNORECASE)
LOW = re.compile(r"(?:95 ?%?[ _-]?)?(?:ci[ _-]?)?(?:low|lower|lo)", re.IGNORECASE)
HIGH = re.compile(r"(?:95 ?%?[ _-]?)?(?:ci[ _-]?)?(?:high|higher|upper|hi)", re.IGNORECASE)
MIDDLE = re.compile(r"mid|medium|med|moderate", re.IGNORECASE)
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
    check instead. Averages are left out, and so are bounds of intervals. Wins beside ties may count these half, and
    rates may be of a part that another column counts.
    """
    sizes = sizes_in(table, n)
    whole_table = is_percent(
        [cell for name, row in zip(table.rows, table.cells, strict=True) if not is_count(name) for cell in row]
    )
    # A row of counts holds the sizes of the columns: tasks often have different numbers of questions.
    counts = next((i for i, name in enumerate(table.rows) if n is None and is_count(name)), None)
    found: list[Finding] = []
    checked: list[RateCell] = []
    passed = counts_in(table, sizes) | _bounds(table)
    for place, name in enumerate(table.columns):
        if (
            name not in columns
            if columns
            else place in passed or not _is_rate(table, place, counts, named=n is None and counts is None)
        ):
            continue
        percent = is_percent(table.column(place)) if RATE.search(name) else whole_table
        halves = ties_half or (bool(WINS.search(name)) and any(TIES.search(one) for one in table.columns))
        cells = {
            row: RateCell(cell, size, percent)
            for row, of_row in enumerate(sizes)
            if row != counts and not is_average(table.rows[row]) and table.rows[row] not in explained
            if (cell := table.cells[row][place]) is not None
            if (size := of_row if counts is None else whole(table.cells[counts][place])) is not None
        }
        checked += cells.values()
        if counts is None and _of_a_part(table, place, cells, ties_half=halves):
            continue
        found += [
            _finding(table, row, place, cell, size, ties_half=halves, percent=percent)
            for row, (cell, size, _) in cells.items()
            if not attainable(cell, size, ties_half=halves, percent=percent)
        ]
    return found, checked


def _of_a_part(table: PrintedTable, place: int, cells: Mapping[int, RateCell], *, ties_half: bool) -> bool:
    """Whether another column says of what a column's rates are: all of them are rates of its counts, or of what its counts leave.

    Such as the share of those answered that are right, beside how many were answered.
    """
    parts = counts_in(table, [cells[row].n if row in cells else None for row in range(len(table.rows))]) | {
        other for other in range(len(table.columns)) if other != place and not RATE.search(table.columns[other])
    }
    return bool(cells) and any(
        all(
            (size := whole(table.cells[row][other])) is not None
            and size <= n
            and attainable(cell, size if of_it else n - size or n, ties_half=ties_half, percent=percent)
            for row, (cell, n, percent) in cells.items()
        )
        for other in parts - {place}
        for of_it in (True, False)
    )


def _bounds(table: PrintedTable) -> frozenset[int]:
    """Columns with the ends of an interval: one low and one high, where nothing lies in the middle."""
    low, high, middle = (
        [place for place, name in enumerate(table.columns) if form.fullmatch(name.strip())]
        for form in (LOW, HIGH, MIDDLE)
    )
    return frozenset(low + high) if low and high and not middle else frozenset()


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
