"""Workbooks of Excel: one sheet as rows, dates as ISO 8601 writes them."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from io import BytesIO
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from benchbar.records.errors import BadInputError, SeveralSheetsError
from benchbar.tables.archives import archive
from benchbar.tables.cells import texts_of
from benchbar.tables.sheet_marks import SheetMarks, sheet_marks
from benchbar.tables.title_rows import Wanted, titles_above, without_titles
from benchbar.tables.unnamed_columns import refuse_narrow_head, without_counter

if TYPE_CHECKING:
    from python_calamine import CalamineSheet, CalamineWorkbook

    from benchbar.tables.table import Table

MAX_CELLS = 5_000_000
"""Rows times columns of a sheet: calamine sets up the whole rectangle (32 bytes a cell) before it gives a row, and where
there is no memory for it, ends the process: two cells in opposite corners, a file of 2 KB, ask for 512 GiB."""
_ELEMENT = re.compile(rb"<(?:\w{1,20}:)?(row|c)[\s/>]([^<>]{0,2000})")
_PLACE = re.compile(rb"""(?:^|\s)r\s{0,9}=\s{0,9}["']([A-Za-z]{0,9})(\d{0,9})""")


def read_workbook(
    table: Table, data: bytes, sheet: str | None, *, unnamed: bool = False, wanted: Wanted | None = None
) -> None:
    """Make the table read the rows of one sheet: the named one, the only one that holds any, or the only one that is wanted.

    Raises:
        SeveralSheetsError: several sheets may be meant.
        BadInputError: no readable workbook, no such sheet, or a faulty head.
    """
    with archive(data, table.path, "XLSX") as opened:
        _bounded(opened, table)
    try:
        from python_calamine import load_workbook

        book = load_workbook(BytesIO(data))
        chosen = _chosen(book, table, sheet, wanted)
        rows = [] if chosen is None else _numbered(chosen)
        with archive(data, table.path, "XLSX") as opened:
            marks = SheetMarks() if chosen is None else sheet_marks(opened, book.sheet_names.index(chosen.name))
    except BadInputError:
        raise
    except BaseException as error:
        # Damaged files end in calamine's own errors, and in panics of Rust, which are no Exception.
        if isinstance(error, KeyboardInterrupt | SystemExit):
            raise
        raise BadInputError(
            f"not a readable XLSX: {str(error)[:200] or type(error).__name__}", file=table.path
        ) from error
    if not rows:
        return
    (line, head), *body = rows[without_titles(table, rows, wanted) :]
    if wanted is not None and (left := without_counter(table, head, body)):
        head, body = head[left:], [(number, cells[left:]) for number, cells in body]
    else:
        left = 0
    names = table.head([str(cell) for cell in head], line, unnamed=unnamed)
    if table.names_in is None:
        refuse_narrow_head(table, line, names, body)
    table.meets(names)
    table.gaps = {number for (before, _), (number, _) in pairwise(body) if number > before + 1}
    _tell(table, marks, names, {number for number, _ in body}, left + ((chosen.start or (0, 0))[1] if chosen else 0))
    table.reads(_rows(table, names, body))


def _tell(table: Table, marks: SheetMarks, names: Sequence[str], lines: Collection[int], first: int) -> None:
    """Say what is read although nobody sees it, and what is empty although something stands there."""
    if hidden := sorted(marks.hidden & set(lines)):
        shown = ", ".join(map(str, hidden[:_SHOWN])) + (" …" if len(hidden) > _SHOWN else "")
        table.note(f"hidden rows are read too: {len(hidden)} of {len(lines)} ({shown}); delete what is not meant")
    for cell in marks.unvalued:
        letters, number = re.fullmatch(r"([A-Z]+)(\d+)", cell).groups()  # type: ignore[union-attr]
        place = _column(letters.encode()) - 1 - first
        if int(number) in lines and 0 <= place < len(names):
            message = f"the formula in {cell} has no stored value, so the cell is empty: open the file in Excel or LibreOffice, and save it"
            table.problem(message, line=int(number), field=names[place])


_SHOWN = 5


def _bounded(opened: zipfile.ZipFile, table: Table) -> None:
    """Refuse a sheet whose rectangle of cells is too large.

    Raises:
        BadInputError: one is, or a part is larger than it says.
    """
    for entry in opened.infolist():
        part = opened.read(entry)
        if entry.filename.endswith("sharedStrings.xml"):
            continue
        if b"\0" in part[:1000] and entry.filename.endswith(".xml"):
            raise BadInputError(f"not a readable XLSX: {entry.filename} is not UTF-8", file=table.path)
        rows, columns = _extent(part)
        if rows * columns > MAX_CELLS:
            message = (
                f"{entry.filename} reaches over {rows} rows and {columns} columns; at most {MAX_CELLS} cells are read"
            )
            raise BadInputError(f"{message}: delete what stands far below or beside the table", file=table.path)


def _extent(part: bytes) -> tuple[int, int]:
    """The last row and column of the cells in a part; those that do not say their place follow each other."""
    row, column, last_row, last_column = 0, 0, 0, 0
    for match in _ELEMENT.finditer(part):
        placed = _PLACE.search(match[2])
        if match[1] == b"row":
            row, column = int(placed[2]) if placed and placed[2] else row + 1, 0
        else:
            column = _column(placed[1]) if placed and placed[1] else column + 1
            row = int(placed[2]) if placed and placed[2] else row
        last_row, last_column = max(last_row, row), max(last_column, column)
    return last_row, last_column


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters.upper():
        number = number * 26 + letter - ord("A") + 1
    return number


def _chosen(book: CalamineWorkbook, table: Table, sheet: str | None, wanted: Wanted | None) -> CalamineSheet | None:
    """The sheet to read; None where all are empty.

    Raises:
        SeveralSheetsError: several hold rows, and not one of them alone has the columns that are wanted.
        BadInputError: there is none of that name, or all are hidden.
    """
    if sheet is not None and sheet not in book.sheet_names:
        message = f"no sheet {sheet!r}; there are {', '.join(book.sheet_names)}"
        raise BadInputError(message, file=table.path)
    from python_calamine import SheetVisibleEnum

    visible = [one.name for one in book.sheets_metadata if one.visible == SheetVisibleEnum.Visible]
    if sheet is None and not visible:
        message = f"all sheets are hidden ({', '.join(book.sheet_names)}): unhide the one that is meant, and save"
        raise BadInputError(message, file=table.path)
    sheets = {name: book.get_sheet_by_name(name) for name in visible}
    # A single row, as on the cover of a report, is no table beside one.
    filled = {name: one for name, one in sheets.items() if one.height > 1}
    filled = filled or {name: one for name, one in sheets.items() if one.height}
    table.sheets = tuple(filled)[:_MOST_OFFERED]
    table.sheet = sheet if sheet is not None else _only_wanted(filled, table, wanted)
    return book.get_sheet_by_name(table.sheet) if table.sheet else None


def _only_wanted(filled: Mapping[str, CalamineSheet], table: Table, wanted: Wanted | None) -> str:
    """The name of the sheet that is meant, which is noted where others hold rows too; empty where none holds any."""
    if len(filled) < 2:
        return next(iter(filled), "")
    fitting = [name for name, one in filled.items() if wanted is not None and _is_wanted(one, wanted)]
    if len(fitting) == 1:
        others = _listed([name for name in filled if name != fitting[0]])
        table.note(
            f"sheet “{fitting[0]}” is read, the only one of {len(filled)} with a column of questions; not read: {others}"
        )
        return fitting[0]
    cure = "save the one that is meant" if wanted is None else "say which is meant with --sheet NAME, or save it"
    message = f"{len(filled)} sheets hold rows: {_listed([*filled])}; {cure} as a file of its own"
    raise SeveralSheetsError(message, sheets=table.sheets, file=table.path)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(name[:_LONGEST_NAME] for name in names[:_NAMED]) + (" …" if len(names) > _NAMED else "")


_NAMED, _LONGEST_NAME = 10, 40
"""Names of sheets in a message, and characters of each: Excel takes 31."""
_MOST_OFFERED = 100


def _is_wanted(sheet: CalamineSheet, wanted: Wanted) -> bool:
    rows = _numbered(sheet)
    head = rows[titles_above(rows, wanted)][1] if rows else []
    return wanted(texts_of(head)) > 0


def _numbered(sheet: CalamineSheet) -> list[tuple[int, list[Any]]]:
    """Rows that hold something, by the numbers that Excel shows beside them."""
    # Calamine leaves out what is empty above and left of the first cell.
    first = (sheet.start or (0, 0))[0] + 1
    rows = ((number, [_value(cell) for cell in cells]) for number, cells in enumerate(sheet.iter_rows(), start=first))
    return [(number, cells) for number, cells in rows if any(str(cell).strip() for cell in cells)]


def _value(cell: Any) -> Any:
    """Excel knows numbers of one kind only: whole ones are shown, and read, without decimals."""
    if isinstance(cell, float) and cell.is_integer():
        return int(cell)
    if isinstance(cell, datetime) and cell.time() == time():
        return cell.date().isoformat()
    if isinstance(cell, date | time):
        return cell.isoformat()
    return str(cell) if isinstance(cell, timedelta) else cell


def _rows(
    table: Table, names: tuple[str, ...], body: list[tuple[int, list[Any]]]
) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, cells in body:
        if any(str(cell).strip() for cell in cells[len(names) :]):
            table.lose(f"{len(cells)} cells; the head has {len(names)}", line=line)
        else:
            yield line, dict(zip(names, [*cells, *[""] * len(names)], strict=False))
