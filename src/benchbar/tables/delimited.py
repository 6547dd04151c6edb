"""CSV, TSV and their like: the delimiter told from the file, each fault by its line and column."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any, NoReturn

from benchbar.records.errors import BadInputError
from benchbar.tables.encodings import Encoding, encoding_of, is_utf8, lines, odd, sure
from benchbar.tables.table import MAX_FIELD, Table
from benchbar.tables.title_rows import Wanted, titles_above, without_titles
from benchbar.tables.unnamed_columns import without_counter

OTHER_DELIMITERS = (";", "\t", "|")
"""What divides cells where commas do not."""
_DELIMITERS = (",", *OTHER_DELIMITERS)
_NAMES = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet takes a cell that begins so for a formula."""
_SAMPLE_LINES = 50
"""Lines by which the delimiter is told: a head and enough rows to see whether they are as wide."""


def inert(cell: str) -> str:
    """The text as a cell that no spreadsheet takes for a formula; :func:`live` takes the mark off again."""
    return f"'{cell}" if cell.lstrip("'").startswith(_FORMULA) else cell


def live(cell: str) -> str:
    """The text of a cell that may have been made inert."""
    return cell[1:] if cell.startswith("'") and cell.lstrip("'").startswith(_FORMULA) else cell


def read_delimited(
    table: Table,
    data: bytes,
    *,
    usual: str,
    encoding: str | None = None,
    unnamed: bool = False,
    padded: bool = True,
    wanted: Wanted | None = None,
) -> None:
    """Make the table read the rows of a delimited file; its columns are known at once.

    Args:
        table: What is to read them.
        data: The file.
        usual: The delimiter that its ending promises, where the file itself does not tell.
        encoding: Of the file, where it is not to be found out.
        unnamed: Whether columns need no names.
        padded: Whether cells that a row lacks at its end are empty; else the row is a problem.
        wanted: Which names of columns are looked for below rows of a title.

    Raises:
        BadInputError: there is no telling encoding, delimiter or columns.
    """
    found = sure(encoding_of(data, table.path, given=encoding, mixed=True), table.path)
    table.encoding = found.name
    texts = lines(data, found, table.path, ends=_LINE)
    sample = list(islice(texts, _SAMPLE_LINES))
    skipped = 0
    if sample and sample[0].lower().startswith("sep=") and len(sample[0].strip()) == len("sep=;"):
        # Excel writes and reads this line to say the delimiter; it is no part of the table.
        table.delimiter, skipped = sample.pop(0)[4], 1
    else:
        table.delimiter = _below_titles(sample, wanted) or _delimiter(table, sample, usual)
    # The limit is of the whole process; it is only ever raised, to what a field may have here.
    csv.field_size_limit(max(csv.field_size_limit(), MAX_FIELD + 1))
    reader = csv.reader(chain(sample, texts), delimiter=table.delimiter, strict=True)
    rows = _parsed(sample, table.delimiter, skipped)
    even = _even_rows(sample, table.delimiter, skipped)
    titles = without_titles(table, rows, wanted, divided=True, even=even)
    left = without_counter(table, rows[titles][1], rows[titles + 1 :]) if wanted is not None and rows else 0
    clean = found.name == "utf-8" and is_utf8(data)
    records = _Records(table, reader, skipped, None if clean else found, given=encoding is not None, padded=padded)
    records.skip(titles, left)
    table.meets(records.head(unnamed=unnamed))
    table.reads(records.rows())


def _below_titles(sample: list[str], wanted: Wanted | None) -> str:
    """The sign that divides the names of the columns below rows of a title; empty where none does, or more than one may."""
    found = [sign for sign in _DELIMITERS if titles_above(_parsed(sample, sign, 0), wanted, divided=True)]
    return found[0] if len(found) == 1 else ""


def _even_rows(sample: list[str], sign: str, skipped: int) -> list[tuple[int, list[str]]]:
    """The first row that holds something, and those below it that are as many cells as most.

    A title often has no delimiter at all: the sign is then the one that gives most rows below it one number of cells. One comma
    in sentences that stand under each other makes no table.
    """
    for one in (sign, *(other for other in _DELIMITERS if other != sign)):
        rows = _parsed(sample, one, skipped)
        below = Counter(len(cells) for _, cells in rows[1:])
        most, often = max(below.items(), key=lambda item: item[1], default=(0, 0))
        least = 2 if rows and len(rows[0][1]) == most else 3
        if often > 1 and often * 2 > len(rows) - 1 and most >= least:
            return [rows[0], *((line, cells) for line, cells in rows[1:] if len(cells) == most)]
    return []


def _parsed(sample: list[str], sign: str, skipped: int) -> list[tuple[int, list[str]]]:
    reader = csv.reader(sample, delimiter=sign)
    rows, begins = [], 1 + skipped
    try:
        for cells in reader:
            line, begins = begins, reader.line_num + skipped + 1
            if any(cell.strip() for cell in cells):
                rows.append((line, cells))
    except csv.Error:
        # Told where the rows are read.
        return rows
    return rows


class _Records:
    """Rows of one file: numbered by their first lines, checked cell by cell."""

    def __init__(
        self, table: Table, reader: Any, skipped: int, doubtful: Encoding | None, *, given: bool, padded: bool
    ) -> None:
        self.table, self.doubtful, self.padded = table, doubtful, padded
        self.hint = "check --encoding" if given else "save the file in one encoding"
        self.left = 0
        """Columns without a name, at the left, that are not read."""
        self.numbered = self._numbered(reader, skipped)

    def _numbered(self, reader: Any, skipped: int) -> Iterator[tuple[int, list[str]]]:
        """Each row that holds something, with the line it begins on."""
        begins, gap = 1 + skipped, False
        try:
            for cells in reader:
                line, begins = begins, reader.line_num + skipped + 1
                if any(cell.strip() for cell in cells):
                    if gap:
                        self.table.gaps.add(line)
                    gap = False
                    yield line, cells
                else:
                    gap = True
        except csv.Error as error:
            self.table.lose(f"not valid {self.table.format} from here on: {_plain(error)}", line=begins)

    def skip(self, rows: int, left: int) -> None:
        """Leave out so many rows that hold something, and so many columns at the left."""
        self.left = left
        for _ in range(rows):
            next(self.numbered, None)

    def head(self, *, unnamed: bool) -> tuple[str, ...]:
        line, cells = next(self.numbered, (1, []))
        names = [
            self._cell(line, cell, f"column {place}") or "" for place, cell in enumerate(cells[self.left :], start=1)
        ]
        if any(one.line == line for one in self.table.problems):
            first = self.table.problems[0]
            raise BadInputError(first.message, file=self.table.path, line=line, field=first.field)
        return self.table.head(names, line, unnamed=unnamed)

    def rows(self) -> Iterator[tuple[int, dict[str, Any]]]:
        columns = self.table.columns
        for line, cells in self._beside_left():
            short = len(cells) < len(columns) and not self.padded
            if short or any(cell.strip() for cell in cells[len(columns) :]):
                self.table.lose(f"{len(cells)} cells; the head has {len(columns)}", line=line)
                continue
            row = {name: self._cell(line, cell, name) for name, cell in zip(columns, cells, strict=False)}
            if None not in row.values():
                # Spreadsheets leave out empty cells at the end of a row.
                yield line, row | dict.fromkeys(columns[len(cells) :], "")

    def _beside_left(self) -> Iterator[tuple[int, list[str]]]:
        """The rows without the columns at the left; one that has more than a number there is lost."""
        if not self.left:
            yield from self.numbered
        for line, cells in self.numbered:
            unread = next((cell for cell in cells[: self.left] if cell.strip() and not cell.strip().isdigit()), "")
            if unread:
                self.table.lose(f"“{unread[:40]}” stands in a column without a name", line=line)
            else:
                yield line, cells[self.left :]

    def _cell(self, line: int, cell: str, name: str) -> str | None:
        """The text of a cell; None where it is in another encoding, which is noted once for the row."""
        if self.doubtful is None or (other := odd(cell, self.doubtful)) is None:
            return live(cell)
        if not self.table.lost or self.table.lost[-1][0] != line:
            message = f"in {other}, while the file is in {self.doubtful.shown}; the row is left out: {self.hint}"
            self.table.lose(message, line=line, field=name)
        return None


def _plain(error: csv.Error) -> str:
    said = str(error)
    if said == "unexpected end of data" or "field limit" in said:
        return "a quotation mark that begins a cell is never closed"
    return said


def _delimiter(table: Table, sample: list[str], usual: str) -> str:
    """The sign that divides the head, and divides the rows into as many cells.

    Raises:
        BadInputError: two signs do.
    """
    widths = {sign: _widths(sample, sign) for sign in _DELIMITERS}
    dividing = [sign for sign, found in widths.items() if found and found[0] > 1]
    # No choice to make: but a sign that divides no row, and ends the head, is a part of the only column's name.
    if len(dividing) < 2:
        undivided = dividing and set(widths[dividing[0]][1:]) == {1}
        alone = undivided and sample[0].strip().endswith(dividing[0])
        # Tables divided by tabs may leave out empty cells: the head would have a second column that no row fills.
        if undivided and not alone and dividing[0] == "\t" != usual:
            _refuse(table, ["\t", usual])
        return dividing[0] if dividing and not alone else usual
    even = [sign for sign in dividing if len(widths[sign]) > 1 and set(widths[sign]) == {widths[sign][0]}]
    if len(even) > 1:
        _refuse(table, even)
    if even:
        return even[0]
    return usual if usual in dividing else max(dividing, key=lambda sign: widths[sign][0])


def _refuse(table: Table, signs: Sequence[str]) -> NoReturn:
    names = " or ".join(_NAMES[sign] for sign in signs)
    message = f"the cells may be divided by {names}: both fit head and rows; put cells that hold one in quotation marks"
    raise BadInputError(message, file=table.path, line=1)


def _widths(sample: list[str], sign: str) -> list[int]:
    """Cells of the rows; the last is left out, which the end of the sample may have cut."""
    found = []
    try:
        found = [len(cells) for cells in csv.reader(sample, delimiter=sign) if any(cell.strip() for cell in cells)]
    except csv.Error:
        return []
    return found[:-1] if len(sample) == _SAMPLE_LINES else found
