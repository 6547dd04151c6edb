"""A table from outside: its rows one by one, what was understood of it, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from benchbar.records import Problem
from benchbar.records.errors import BadInputError
from benchbar.tables.encodings import NAMES

MAX_FILE = 256 * 1024 * 1024
MAX_FIELD = 1 << 20
"""Characters of one field; a longer one is a mistake of export and would only be paid for."""
MAX_COLUMNS = 16_384
"""What a sheet of Excel can hold."""
MAX_DEPTH = 64
"""Lists and objects within each other in one field; what reads them on would end in a RecursionError near 1,000."""


Row = tuple[int, dict[str, Any]]
"""Number of a row and its fields."""


class Table:
    """The rows of one file, each with the number of its line or row, by the names of the columns.

    Rows are read as they are asked for, so that a file of many is not held twice. Those that cannot be used are left out
    and named in ``problems``, so that the good ones can go on.
    """

    def __init__(self, path: Path, form: str, *, max_field: int = MAX_FIELD) -> None:
        """Of the file at ``path`` in the format ``form``; nothing is read yet."""
        self.path, self.format = path, form
        self.encoding = ""
        """As Python's codecs call it; empty where the format knows no other than its own."""
        self.delimiter = ""
        """Between the cells of a delimited file."""
        self.sheet = ""
        """Of a workbook."""
        self.problems: list[Problem] = []
        self.lost: list[tuple[int, str]] = []
        """Rows that gave nothing: number and why."""
        self.notes: tuple[str, ...] = ()
        """What was taken of a file that holds more than its rows, and what was not, for people."""
        self.head_line = 1
        """Where the names of the columns stand."""
        self.names_in: int | None = None
        """A row below the head that seems to hold the names of the columns; None where the head itself does."""
        self.gaps: set[int] = set()
        """Rows that stand below an empty one."""
        self.sheets: tuple[str, ...] = ()
        """Of a workbook all that may be read: they are visible and hold rows."""
        self._source: Iterable[Row] = ()
        self._max_field = max_field
        self._columns: dict[str, None] = {}

    @property
    def columns(self) -> tuple[str, ...]:
        """Of JSON those that were met so far: all only when the rows have been read."""
        return tuple(self._columns)

    def meets(self, names: Iterable[str]) -> None:
        """Take these for columns as well."""
        self._columns.update(dict.fromkeys(names))

    def reads(self, source: Iterable[Row]) -> None:
        """Take the rows from here."""
        self._source = source

    def goes_through(self, filtered: Callable[[Iterable[Row]], Iterable[Row]]) -> None:
        """Take of the rows what this leaves of them; it notes itself which it loses."""
        self._source = filtered(self._source)

    def note(self, message: str) -> None:
        """Note for people what was understood of the file, or left out."""
        self.notes += (message,)

    def problem(self, message: str, *, line: int | None = None, field: str | None = None) -> None:
        """Note that something in a row is wrong."""
        self.problems.append(Problem(file=str(self.path), line=line, field=field, message=message))

    def lose(self, message: str, *, line: int, field: str | None = None) -> None:
        """Note that a row cannot be used at all."""
        self.problem(message, line=line, field=field)
        self.lost.append((line, f"{field}: {message}" if field else message))

    def __iter__(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Number and fields of each row that can be used; once, since the file is read along with it."""
        for line, row in self._source:
            if (long := _too_long(row, self._max_field)) is not None:
                self.lose(f"longer than {self._max_field} characters; the row is left out", line=line, field=long)
            elif len(row) > MAX_COLUMNS:
                self.lose(f"{len(row)} fields; expected {MAX_COLUMNS} at most; the row is left out", line=line)
            else:
                yield line, row

    @cached_property
    def rows(self) -> list[tuple[int, dict[str, Any]]]:
        """All rows at once; after it columns and problems are complete."""
        return list(self)

    def understood(self) -> str:
        """How the file was read, in a few words: format, encoding, delimiter or sheet, and the columns."""
        signs = {"\t": "tabs", ",": "commas", ";": "semicolons", "|": "bars"}
        parts = [
            self.format,
            NAMES.get(self.encoding, self.encoding.upper()),
            f"divided by {signs[self.delimiter]}" if self.delimiter else "",
            f"sheet {self.sheet}" if self.sheet else "",
            f"columns {', '.join(self.columns)}" if self.columns else "no columns",
        ]
        return "; ".join(part for part in parts if part)

    def head(self, names: Sequence[str], line: int, *, unnamed: bool = False) -> tuple[str, ...]:
        """The names of the columns, checked; empty ones at the end are left out.

        Args:
            names: As they stand in the file.
            line: Of the head.
            unnamed: Whether columns need no names, as the first one of printed tables.

        Raises:
            BadInputError: two columns have one name, one has none, or there are too many.
        """
        self.head_line = line
        named = [name.strip() for name in names]
        while named and not named[-1]:
            named.pop()
        if len(named) > MAX_COLUMNS:
            message = f"{len(named)} columns; expected {MAX_COLUMNS} at most"
            raise BadInputError(message, file=self.path, line=line)
        for place, name in enumerate(named, start=1):
            if not name and not unnamed:
                message = f"column {place} has no name; name it, or take it out; heads over two rows have to become one row, without merged cells; of two tables beside each other leave one"
                raise BadInputError(message, file=self.path, line=line)
            if name in named[: place - 1]:
                raise BadInputError("two columns have this name; rename one", file=self.path, line=line, field=name)
        return tuple(named)


def _too_long(row: dict[str, Any], limit: int) -> str | None:
    return next((name for name, value in row.items() if isinstance(value, str) and len(value) > limit), None)
