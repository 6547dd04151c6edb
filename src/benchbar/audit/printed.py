"""Published tables as they were printed, and what an audit finds in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Literal, NamedTuple

from benchbar.records import Record

Check = Literal[
    "average",
    "attainable",
    "running_total",
    "metric_against_matrix",
    "impossible_f",
    "rescaled_matrix",
    "denominator",
    "ratio",
    "contradiction",
    "recomputed",
    "count",
    "duplicate",
]
Certainty = Literal["certain", "likely", "possible"]

AVERAGE_NAME = re.compile(
    r"(?:macro[ _-]?)?(?:avg|average|mean)\.?(?: score| rate| win rate| accuracy)?(?: ?\(%?\))?|macro|"
    r"平均(?:分|值)?|均值|среднее",
    re.IGNORECASE,
)
OVERALL_NAME = re.compile(
    r"(?:overall|summary|total|all|micro[ _-]?(?:avg|average))(?: score| rate| accuracy)?(?: ?\(%?\))?|"
    r"总体|综合|总分|итого",
    re.IGNORECASE,
)
COUNT_NAME = re.compile(
    r"(?:(?:n|no\.?|num|number|#)(?: of| \()? ?)?(?:n|num|count|counts|samples|total|size|support|questions|items|tasks|cases|#)\)?|"
    r"数量|样本[数量]|样例数|总?题数|题目数|问题数|总数|(?:всего|число|количество|кол-во)(?: (?:вопросов|примеров|заданий|ответов|случаев))?|"
    r"вопросов|примеров|заданий|объ[её]м выборки",
    re.IGNORECASE,
)

TALLY_NAME = re.compile(
    r"(?:no\.? of |number of |#\s*)?(?:wins?|won|loss(?:es)?|lost|ties?|tied|draws?|pass(?:es|ed)?|fail(?:s|ed|ures)?|"
    r"success(?:es)?|correct|incorrect|right|wrong|errors?|hits?|miss(?:es|ed|ing)?|胜|平|负|胜场|平局|负场|正确|错误|通过|"
    r"побед[аы]?|ничь[яи]|поражени[ея]|верно|неверно)",
    re.IGNORECASE,
)
"""Outcomes: a column with such a name holds how many there were, or their rate."""


class Finding(Record, frozen=True):
    """Something printed that cannot be, or is unlikely to be, what it says."""

    check: Check
    table: str
    row: str
    column: str
    printed: str
    recomputed: str
    evidence: str
    certainty: Certainty
    """Certain: arithmetic excludes it. Likely: chance explains it in less than one table in a thousand.
    Possible: it
    does not fit, and other rows of the same table are certainly wrong."""


class Printed(NamedTuple):
    """A number with the decimals it was printed with."""

    value: float
    decimals: int

    @property
    def half(self) -> float:
        """How far the true value may be from the printed one, rounding either way."""
        return 0.5 * 10.0**-self.decimals * (1 + 1e-9) + 1e-12

    def __str__(self) -> str:
        """The number as printed."""
        return f"{self.value:.{self.decimals}f}"


class PrintedTable(NamedTuple):
    """Named rows and columns; None where a cell is empty or holds no number."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    cells: tuple[tuple[Printed | None, ...], ...]

    def column(self, place: int) -> list[Printed | None]:
        """One column's cells."""
        return [row[place] for row in self.cells]


class MetricRecord(NamedTuple):
    """Metrics printed beside the confusion matrix that they should follow from."""

    name: str
    metrics: dict[str, Printed]
    """By name; nested ones are joined with a dot, such as ``class_f1.high``."""
    labels: tuple[str, ...]
    matrix: tuple[tuple[int, ...], ...]
    total: int | None


def rounded(value: float, decimals: int) -> float:
    """The value rounded half up, as people do."""
    step = Decimal(1).scaleb(-decimals)
    return float(Decimal(repr(round(value, decimals + 8))).quantize(step, rounding=ROUND_HALF_UP))


def is_average(name: str) -> bool:
    """Whether a row or column calls itself an average, plain or weighted."""
    return is_plain_average(name) or bool(OVERALL_NAME.fullmatch(name.strip()))


def is_plain_average(name: str) -> bool:
    """Whether it calls itself an average outright: ``overall`` and ``total`` may be weighted by sizes not
    printed.
    """
    return bool(AVERAGE_NAME.fullmatch(name.strip()))


def is_count(name: str) -> bool:
    """Whether a column calls itself a number of samples."""
    return bool(COUNT_NAME.fullmatch(name.strip()))


def sizes_in(table: PrintedTable, n: int | None = None) -> list[int | None]:
    """The samples behind each row: ``n``, or what a column of counts says."""
    if n is not None:
        return [n] * len(table.rows)
    counts = next((i for i, name in enumerate(table.columns) if is_count(name)), None)
    if counts is None:
        return [None] * len(table.rows)
    return [whole(cell) for cell in table.column(counts)]


def whole(cell: Printed | None) -> int | None:
    """The whole number from 1 that a cell holds; None where it holds none."""
    return int(cell.value) if cell is not None and cell.value >= 1 and cell.value.is_integer() else None


def counts_in(table: PrintedTable, sizes: Sequence[int | None]) -> frozenset[int]:
    """The places of columns that hold counts: by name, or whole numbers that the samples of the rows can be divided into.

    ``sizes`` are the samples behind each row, None where the table does not say. Whole numbers under the name of an outcome
    (wins, ties, losses) may be counts or rounded rates; where no row has more of them than samples, they are taken for counts,
    because a rate is then not shown to be impossible.
    """
    whole = [place for place in range(len(table.columns)) if _whole_numbers(table.column(place), sizes)]
    named = {place for place, name in enumerate(table.columns) if is_count(name)}
    tallies = {place for place in whole if TALLY_NAME.fullmatch(table.columns[place].strip())}
    divided = {
        place
        for first in range(len(whole))
        for last in range(first + 2, len(whole) + 1)
        if _adds_up([table.column(one) for one in whole[first:last] if one not in named], sizes)
        for place in whole[first:last]
    }
    return frozenset(named | tallies | divided)


def _whole_numbers(cells: Sequence[Printed | None], sizes: Sequence[int | None]) -> bool:
    """Whether all are whole numbers, none above the samples of its row."""
    known = [(cell.value, size) for cell, size in zip(cells, sizes, strict=True) if cell is not None]
    return bool(known) and all(
        value >= 0 and value.is_integer() and (size is None or value <= size) for value, size in known
    )


def _adds_up(columns: Sequence[Sequence[Printed | None]], sizes: Sequence[int | None]) -> bool:
    """Whether the cells of each row give the number of its samples; one row alone may do so by chance."""
    sums = [
        (sum(cell.value for cell in row if cell is not None), size)
        for row, size in zip(zip(*columns, strict=True), sizes, strict=True)
    ]
    return len(columns) > 1 and len(sums) > 1 and all(total == size for total, size in sums)
