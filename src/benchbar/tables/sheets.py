"""Tables that people fill in: CSV, TSV, JSONL and Word, in whatever encoding; what is wrong is named by row and column."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from benchbar.records import Problem
from benchbar.records.errors import BadInputError
from benchbar.records.files import read_bounded, write_atomically
from benchbar.tables.rows import MAX_FIELD, MAX_FILE

ENDINGS = (".csv", ".tsv", ".jsonl", ".docx")
_GUESSES = ("gb18030", "cp1251")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass
class Sheet:
    """The rows of a table, each with its number, by the names of its columns."""

    path: Path
    columns: tuple[str, ...] = ()
    rows: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    encoding: str = "utf-8"

    def problem(self, message: str, *, line: int | None = None, column: str | None = None) -> None:
        """Note what is wrong with a row."""
        self.problems.append(Problem(file=str(self.path), line=line, field=column, message=message))

    def add(self, line: int, row: dict[str, Any]) -> None:
        """Keep a row that is not too large."""
        if long := [name for name, value in row.items() if isinstance(value, str) and len(value) > MAX_FIELD]:
            self.problem(f"longer than {MAX_FIELD} characters; the row is skipped", line=line, column=long[0])
            return
        self.rows.append((line, row))


def read_sheet(path: Path, *, encoding: str | None = None, labels: Collection[str] = ()) -> Sheet:
    """The rows of a CSV, TSV, JSONL or DOCX file; UTF-8, UTF-16, GB18030 and Windows-1251 are told apart.

    A cell in another encoding than the rest is a problem of its row and column. In a DOCX every table with a head is read,
    or, where there is none, paragraphs that begin with one of the ``labels`` and a colon.

    Raises:
        BadInputError: no such file, an unknown ending, an encoding that does not exist, or two columns of one name.
    """
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise BadInputError(f"ending {ending or 'none'}; expected one of {', '.join(ENDINGS)}", file=path)
    sheet, data = Sheet(path), read_bounded(path, MAX_FILE)
    if ending == ".docx":
        from benchbar.tables.word_tables import read_word_tables

        read_word_tables(sheet, data, labels)
        return sheet
    data, sheet.encoding = _plain(data, encoding, path)
    (_jsonl if ending == ".jsonl" else _csv)(sheet, data, given=encoding is not None)
    return sheet


def _plain(data: bytes, encoding: str | None, path: Path) -> tuple[bytes, str]:
    """The bytes without mark, UTF-16 made UTF-8; and the encoding that most of them are in."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            return data.decode("utf-16").encode(), "utf-8"
        except UnicodeDecodeError as error:
            raise BadInputError(f"not valid UTF-16 at byte {error.start}", file=path) from error
    data = data.removeprefix(codecs.BOM_UTF8)
    if encoding is not None:
        try:
            return data, codecs.lookup(encoding).name
        except LookupError as error:
            raise BadInputError(f"unknown encoding {encoding!r}; utf-8, gb18030 or cp1251?", file=path) from error
    return data, _guess(data)


def _guess(data: bytes) -> str:
    """UTF-8 where more lines are valid in it than not; else Chinese or Russian by what most letters would be."""
    foreign = [line for line in data.splitlines() if not line.isascii()]
    broken = [line for line in foreign if _decoded(line, "utf-8") is None]
    if 2 * len(broken) <= len(foreign):
        return "utf-8"
    sample = b"\n".join(broken)[: 1 << 16]
    return max(_GUESSES, key=lambda name: _likeness(sample.decode(name, errors="replace"), name))


def _likeness(text: str, encoding: str) -> float:
    low, high = ("一", "龥") if encoding == "gb18030" else ("а", "я")
    letters = [char for char in text.lower() if not char.isascii()]
    return sum(low <= char <= high for char in letters) / max(len(letters), 1)


def _decoded(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _cell(sheet: Sheet, raw: str, line: int, column: str, *, given: bool) -> str | None:
    """The text of a cell that was read byte by byte."""
    data = raw.encode("latin-1")
    if (text := _decoded(data, sheet.encoding)) is not None:
        return text.strip()
    other = next((name for name in ("utf-8", *_GUESSES) if _decoded(data, name) is not None), "no encoding known here")
    hint = "check --encoding" if given else "save the file in one encoding"
    sheet.problem(
        f"not {sheet.encoding.upper()}, as the rest of the file is, but perhaps {other.upper()}; the row is skipped: {hint}",
        line=line,
        column=column,
    )
    return None


def _csv(sheet: Sheet, data: bytes, *, given: bool) -> None:
    # Read as Latin-1, bytes pass unchanged: each cell is decoded by itself, so that a fault has its column.
    text = data.decode("latin-1")
    head = text.partition("\n")[0]
    sign = "\t" if sheet.path.suffix.lower() == ".tsv" else ";" if ";" in head and "," not in head else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=sign, strict=True)
    try:
        for number, cells in _numbered(reader):
            if not sheet.columns:
                sheet.columns = _head(sheet, cells, number, given=given)
            elif len(cells) > len(sheet.columns) and any(cell.strip() for cell in cells[len(sheet.columns) :]):
                sheet.problem(f"{len(cells)} cells; the head has {len(sheet.columns)}", line=number)
            else:
                whole = [*cells, *[""] * (len(sheet.columns) - len(cells))]
                pairs = zip(sheet.columns, whole, strict=False)
                row = {name: _cell(sheet, raw, number, name, given=given) for name, raw in pairs}
                if None not in row.values():
                    sheet.add(number, {name: _live(str(value)) for name, value in row.items()})
    except csv.Error as error:
        sheet.problem(f"not valid CSV from here on: {error}", line=reader.line_num)


def _numbered(reader: Any) -> Iterator[tuple[int, list[str]]]:
    """Each row that holds something, with the line it begins on."""
    begins = 1
    for cells in reader:
        line, begins = begins, reader.line_num + 1
        if any(cell.strip() for cell in cells):
            yield line, cells


def _head(sheet: Sheet, cells: list[str], line: int, *, given: bool) -> tuple[str, ...]:
    names = [
        _cell(sheet, raw, line, f"{number}", given=given) or f"column {number}" for number, raw in enumerate(cells, 1)
    ]
    return checked_head(sheet, names, line)


def checked_head(sheet: Sheet, names: list[str], line: int) -> tuple[str, ...]:
    """The names of the columns.

    Raises:
        BadInputError: two are the same.
    """
    doubled = [name for name in names if names.count(name) > 1]
    if doubled:
        raise BadInputError("two columns have this name; rename one", file=sheet.path, line=line, field=doubled[0])
    return tuple(names)


def _jsonl(sheet: Sheet, data: bytes, *, given: bool) -> None:
    names: dict[str, None] = {}
    for number, raw in enumerate(data.split(b"\n"), start=1):
        if not raw.strip() or (text := _cell(sheet, raw.decode("latin-1"), number, "", given=given)) is None:
            continue
        try:
            row = msgspec.json.decode(text)
        except (msgspec.DecodeError, RecursionError) as error:
            sheet.problem(f"not valid JSON: {error}", line=number)
            continue
        if not isinstance(row, dict):
            sheet.problem(f"a JSON object was expected, found {type(row).__name__}", line=number)
            continue
        names |= dict.fromkeys(row)
        sheet.add(number, row)
    sheet.columns = tuple(names)


def write_sheet(path: Path, columns: list[str], rows: list[dict[str, str]]) -> None:
    """A CSV or DOCX file that people fill in and `read_sheet` reads back; a cell can never act as a formula.

    Raises:
        BadInputError: the ending is neither.
    """
    if path.suffix.lower() == ".docx":
        from benchbar.tables.word_tables import word_table

        write_atomically(path, word_table(columns, rows))
        return
    if path.suffix.lower() != ".csv":
        raise BadInputError("the file must end in .csv or .docx", file=path)
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([[_inert(row.get(name, "")) for name in columns] for row in rows])
    write_atomically(path, codecs.BOM_UTF8 + out.getvalue().encode())  # with the mark spreadsheets know it as UTF-8


def _inert(cell: str) -> str:
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def _live(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(_FORMULA) else cell
