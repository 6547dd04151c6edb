"""Tables of other people's numbers: CSV, TSV, JSONL, JSON and Parquet files as named columns."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from benchbar.records.errors import BadInputError, MissingDependencyError, UnknownNameError
from benchbar.records.files import read_bounded
from benchbar.tables.rows import read_text

MISSING = frozenset({"", "na", "n/a", "null", "none"})
"""Cells that hold nothing, whatever their case; `--missing` adds words."""

WHOLE = re.compile(r"^(-?[0-9]+)\.0+$")
"""A whole number that some program wrote with decimals: the same label as without."""


class Table(NamedTuple):
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

    def rows(self, chosen: Sequence[int]) -> Table:
        """Some of the rows."""
        return Table(
            self.path,
            {name: [cells[i] for i in chosen] for name, cells in self.columns.items()},
            [self.lines[i] for i in chosen],
        )


def read_table(path: Path) -> Table:
    """The table in a file, by its ending: .csv, .tsv, .jsonl, .json (a list of objects) or .parquet.

    Raises:
        BadInputError: no such file, no rows, or not what its ending says.
        MissingDependencyError: a Parquet file without pyarrow.
    """
    readers = {
        ".csv": _csv,
        ".tsv": _tsv,
        ".jsonl": _jsonl,
        ".ndjson": _jsonl,
        ".json": _json,
        ".parquet": _parquet,
    }
    suffix = path.suffix.lower()
    if suffix not in readers:
        raise BadInputError(f"ending {suffix or 'none'}; expected one of {', '.join(readers)}", file=path)
    table = readers[suffix](path)
    if not table.lines:
        raise BadInputError("the table has no rows", file=path)
    return table


def _csv(path: Path, delimiter: str = ",") -> Table:
    reader = csv.reader(io.StringIO(read_text(path), newline=""), delimiter=delimiter, strict=True)
    try:
        header = next(reader, None)
        if not header:
            raise BadInputError("no header line", file=path)
        if len(set(header)) != len(header):
            raise BadInputError("two columns have the same name", file=path, line=1)
        rows, lines = [], []
        for row in reader:
            if not row:
                continue
            if len(row) != len(header):
                message = f"{len(row)} cells; expected {len(header)} as in the header"
                raise BadInputError(message, file=path, line=reader.line_num)
            rows.append(row)
            lines.append(reader.line_num)
    except csv.Error as error:
        raise BadInputError(f"not a readable table: {error}", file=path, line=reader.line_num) from error
    return Table(path, {name: [row[i] for row in rows] for i, name in enumerate(header)}, lines)


def _tsv(path: Path) -> Table:
    return _csv(path, "\t")


def _jsonl(path: Path) -> Table:
    rows, lines = [], []
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if line.strip():
            rows.append(_object(line, path, number))
            lines.append(number)
    return _of_objects(path, rows, lines)


def _json(path: Path) -> Table:
    try:
        rows = msgspec.json.decode(read_text(path), type=list[dict[str, Any]])
    except msgspec.MsgspecError as error:
        raise BadInputError(f"expected a list of objects, one a row: {error}", file=path) from error
    return _of_objects(path, rows, range(1, len(rows) + 1))


def _object(line: str, path: Path, number: int) -> dict[str, Any]:
    try:
        return msgspec.json.decode(line, type=dict[str, Any])
    except msgspec.MsgspecError as error:
        raise BadInputError(f"expected one JSON object: {error}", file=path, line=number) from error


def _of_objects(path: Path, rows: list[dict[str, Any]], lines: Sequence[int]) -> Table:
    """A field that a row lacks is missing there."""
    flat = [_flattened(row) for row in rows]
    names = dict.fromkeys(name for row in flat for name in row)
    return Table(path, {name: [row.get(name) for row in flat] for name in names}, lines)


def _flattened(row: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested objects as dotted names: ``scores.HanFei``."""
    found: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, dict) and prefix.count(".") < 3:  # noqa: PLR2004 - no table is nested deeper
            found |= _flattened(value, f"{prefix}{name}.")
        else:
            found[prefix + name] = value
    return found


def _parquet(path: Path) -> Table:
    try:
        from pyarrow import ArrowException, parquet
    except ImportError as error:
        raise MissingDependencyError("pyarrow", "parquet", "reading a Parquet file") from error
    read_bounded(path)
    try:
        columns = parquet.read_table(path).to_pydict()
    except (ArrowException, OSError) as error:
        raise BadInputError(f"not a readable Parquet file: {error}", file=path) from error
    count = len(next(iter(columns.values()), []))
    return Table(path, columns, range(1, count + 1))


def words(table: Table, name: str, missing: Collection[str] = ()) -> list[str | None]:
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


def numbers(table: Table, name: str, missing: Collection[str] = ()) -> list[float | None]:
    """A column as finite numbers, None where a cell is missing.

    Raises:
        BadInputError: names file, line and column of a cell that is no finite number.
    """
    gaps = MISSING | {word.lower() for word in missing}
    found: list[float | None] = []
    for cell, line in zip(table.column(name), table.lines, strict=True):
        word = _word(cell, gaps)
        found.append(None if word is None else _number(word, table.path, line, name))
    return found


def _number(word: str, path: Path, line: int, name: str) -> float:
    try:
        value = 1.0 if word == "true" else 0.0 if word == "false" else float(word)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        message = f"{word[:60]!r}; expected a finite number (use --missing {word[:20]!r} to count it as missing)"
        raise BadInputError(message, file=path, line=line, field=name)
    return value


def groups(table: Table, by: Sequence[str]) -> dict[str, list[int]]:
    """Rows by the joined words of some columns, in order of first appearance."""
    columns = [words(table, name) for name in by]
    found: dict[str, list[int]] = {}
    for row in range(len(table.lines)):
        name = " / ".join(column[row] or "(missing)" for column in columns)
        found.setdefault(name, []).append(row)
    return found


def clusters(table: Table, name: str | None) -> list[object] | None:
    """The cluster of each row; a row without one stands alone."""
    if name is None:
        return None
    return [row if word is None else word for row, word in enumerate(words(table, name))]
