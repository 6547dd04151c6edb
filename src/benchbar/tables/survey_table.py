"""Rows of answers from CSV, TSV and JSONL files; whatever is wrong with one is named by file, row and column."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from benchbar.records import Problem
from benchbar.records.errors import BadInputError
from benchbar.records.files import read_bounded
from benchbar.tables.decoding import decoded

MAX_FILE = 64 * 1024 * 1024
MAX_CELL = 20_000
"""Characters of one answer."""
_SEPARATED = {".csv": ",", ".tsv": "\t", ".txt": "\t"}
_LINES = (".jsonl", ".ndjson")


class AnswerTable:
    """The rows of one file, and the problems found in it."""

    def __init__(self, path: Path) -> None:
        """Reads the file.

        Raises:
            BadInputError: it cannot be read at all, its ending is unknown, or columns have the same name.
        """
        self.path = path
        self.problems: list[Problem] = []
        self.lost: list[tuple[int, str]] = []
        """Rows that gave nothing: line and why."""
        self.header: tuple[str, ...] = ()
        suffix = path.suffix.lower()
        if suffix not in (*_SEPARATED, *_LINES):
            known = ", ".join((*_SEPARATED, *_LINES))
            raise BadInputError(f"ending {suffix or 'none'}; expected one of {known}", file=path)
        found = decoded(read_bounded(path, MAX_FILE))
        self.encoding = found.encoding
        self._strange = dict(found.strange)
        self._ends: dict[int, int] = {}
        for line, what in found.strange:
            self.problem(f"this line is {what}; save the file in one encoding", line=line)
        made = self._lines(found.text) if suffix in _LINES else self._cells(found.text, _delimiter(suffix, found.text))
        self.rows = [(line, row) for line, row in made if self._fits(line, row)]

    def problem(self, message: str, *, line: int | None = None, column: str | None = None) -> None:
        """Note that something is wrong."""
        self.problems.append(Problem(file=str(self.path), line=line, field=column, message=message))

    def _lose(self, line: int, message: str, column: str | None = None) -> None:
        self.problem(message, line=line, column=column)
        self.lost.append((line, f"{column}: {message}" if column else message))

    def _fits(self, line: int, row: dict[str, Any]) -> bool:
        """Whether a row may be used: in the encoding of its file, and no cell of it too long."""
        strange = [self._strange[one] for one in range(line, self._ends.get(line, line) + 1) if one in self._strange]
        if strange:
            self.lost.append((line, strange[0]))
            return False
        long = [name for name, value in row.items() if isinstance(value, str) and len(value) > MAX_CELL]
        if long:
            self._lose(line, f"longer than {MAX_CELL} characters; the row is left out", long[0])
        return not long

    def _lines(self, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
        names: dict[str, None] = {}
        for number, line in enumerate(text.split("\n"), start=1):
            if not line.strip():
                continue
            try:
                row = msgspec.json.decode(line)
            except (msgspec.DecodeError, RecursionError) as error:
                self._lose(number, f"not valid JSON: {error}")
                continue
            if not isinstance(row, dict):
                self._lose(number, f"expected a JSON object, found {type(row).__name__}")
                continue
            names |= dict.fromkeys(row)
            self.header = tuple(names)
            yield number, row

    def _cells(self, text: str, delimiter: str) -> Iterator[tuple[int, dict[str, Any]]]:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        begins = 1
        try:
            for cells in reader:
                line, begins = begins, reader.line_num + 1
                if not any(cell.strip() for cell in cells):
                    continue
                if not self.header:
                    self.header = self._head(cells)
                elif len(cells) > len(self.header) and any(cell.strip() for cell in cells[len(self.header) :]):
                    self._lose(line, f"{len(cells)} cells; expected {len(self.header)} as in the head")
                else:
                    whole = [*cells, *[""] * (len(self.header) - len(cells))]
                    self._ends[line] = reader.line_num
                    yield line, dict(zip(self.header, (cell.strip() for cell in whole), strict=False))
        except csv.Error as error:
            self._lose(begins, f"not valid CSV from here on: {error}")

    def _head(self, cells: list[str]) -> tuple[str, ...]:
        names = tuple(cell.strip() for cell in cells)
        doubled = [name for name, count in Counter(names).items() if count > 1 and name]
        if doubled:
            raise BadInputError("two columns have this name; rename one", file=self.path, line=1, field=doubled[0])
        return names


def _delimiter(suffix: str, text: str) -> str:
    """What the ending says; spreadsheets of many countries write a semicolon into .csv files."""
    head = text.partition("\n")[0]
    if suffix == ".csv" and "," not in head:
        return next((sign for sign in (";", "\t") if sign in head), ",")
    return _SEPARATED[suffix]
