"""The column view of a table: words, numbers, groups and clusters, with what is missing."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchbar.records.errors import BadInputError, UnknownNameError
from benchbar.tables.reading import read_table

MISSING = frozenset({"", "na", "n/a", "#n/a", "nan", "null", "none", "—", "–", "н/д", "нет данных", "缺失", "未评分"})
"""Cells that hold nothing, whatever their case; `--missing` adds words."""

WHOLE = re.compile(r"^(-?[0-9]+)\.0+$")
"""A whole number that some program wrote with decimals: the same label as without."""


DECIMAL_COMMA = re.compile(r"-?[0-9]+,[0-9]+")
"""A number as Russian and German spreadsheets write it."""

TRUTHS = {"true": 1.0, "false": 0.0}


class Columns(NamedTuple):
    """Columns of equal length, with the line of the file that each row came from."""

    path: Path
    columns: dict[str, list[Any]]
    lines: Sequence[int]

    def column(self, name: str) -> list[Any]:
        """One column's cells as they were read.

        Raises:
            UnknownNameError: there is no such column; those that are there are listed.
        """
        if name not in self.columns:
            raise UnknownNameError(f"column of {self.path.name}", name, list(self.columns))
        return self.columns[name]

    def rows(self, chosen: Sequence[int]) -> Columns:
        """Some of the rows."""
        return Columns(
            self.path,
            {name: [cells[i] for i in chosen] for name, cells in self.columns.items()},
            [self.lines[i] for i in chosen],
        )


def read_columns(path: Path) -> Columns:
    """The columns of a table; nested objects have dotted names, a field that a row lacks is missing there.

    Raises:
        BadInputError: no such file, no rows, or a row that cannot be used: one that is left out would change the figures.
        MissingDependencyError: a Parquet file without pyarrow.
    """
    table = read_table(path, padded=False)
    rows, lines = [], []
    for line, row in table:
        rows.append(_flattened(row))
        lines.append(line)
    if table.problems:
        first = table.problems[0]
        raise BadInputError(first.message, file=path, line=first.line, field=first.field)
    if not rows:
        raise BadInputError("the table has no rows", file=path)
    names = dict.fromkeys(name for row in rows for name in row)
    return Columns(path, {name: [row.get(name) for row in rows] for name in names}, lines)


def _flattened(row: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested objects as dotted names: ``scores.HanFei``."""
    found: dict[str, Any] = {}
    for name, value in row.items():
        # No table is nested deeper.
        if isinstance(value, dict) and prefix.count(".") < 3:
            found |= _flattened(value, f"{prefix}{name}.")
        else:
            found[prefix + name] = value
    return found


def words(table: Columns, name: str, missing: Collection[str] = ()) -> list[str | None]:
    """A column as words, whole numbers without their decimals (2.0 as 2), None where a cell is missing."""
    gaps = MISSING | {word.lower() for word in missing}
    return [_word(cell, gaps) for cell in table.column(name)]


def _word(cell: Any, gaps: Collection[str]) -> str | None:
    if isinstance(cell, bool):
        return str(cell).lower()
    if cell is None:
        return None
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    text = WHOLE.sub(r"\1", str(cell).strip())
    return None if text.lower() in gaps else text


def numbers(table: Columns, name: str, missing: Collection[str] = ()) -> list[float | None]:
    """A column as finite numbers, None where a cell is missing.

    A decimal comma counts where no cell of the column has a point, and one cannot be read with commas between thousands.

    Raises:
        BadInputError: names file, line and column of a cell that is no finite number.
    """
    found = words(table, name, missing)
    commas = _decimal_commas([word for word in found if word is not None])
    return [
        None if word is None else _number(word, table.path, line, name, commas=commas)
        for word, line in zip(found, table.lines, strict=True)
    ]


def _decimal_commas(found: Sequence[str]) -> bool:
    written = [word for word in found if DECIMAL_COMMA.fullmatch(word)]
    # "1,234" alone may be a thousand and more; "0,5", "0,125" and "12,34" may not.
    certain = any(len(word.rpartition(",")[2]) != 3 or re.match("-?0,", word) for word in written)
    return certain and not any("." in word for word in found)


def _number(word: str, path: Path, line: int, name: str, *, commas: bool) -> float:
    comma = DECIMAL_COMMA.fullmatch(word)
    if comma and not commas:
        message = f"{word[:60]!r}; expected a decimal point; whether this comma is one cannot be told from the column"
        raise BadInputError(message, file=path, line=line, field=name)
    try:
        value = TRUTHS[word.lower()] if word.lower() in TRUTHS else float(word.replace(",", ".") if comma else word)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        message = f"{word[:60]!r}; expected a finite number (use --missing {word[:20]!r} to count it as missing)"
        raise BadInputError(message, file=path, line=line, field=name)
    return value


def groups(table: Columns, by: Sequence[str]) -> dict[str, list[int]]:
    """Rows by the joined words of some columns, in order of first appearance."""
    columns = [words(table, name) for name in by]
    found: dict[str, list[int]] = {}
    for row in range(len(table.lines)):
        name = " / ".join(column[row] or "(missing)" for column in columns)
        found.setdefault(name, []).append(row)
    return found


def clusters(table: Columns, name: str | None) -> list[object] | None:
    """The cluster of each row; a row without one stands alone."""
    if name is None:
        return None
    return [row if word is None else word for row, word in enumerate(words(table, name))]
