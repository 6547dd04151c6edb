"""Any table from outside, by the ending of its name; and the tables that people are given to fill in."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from benchbar.records.errors import BadInputError, MissingDependencyError
from benchbar.records.files import read_bounded, write_atomically
from benchbar.tables.delimited import OTHER_DELIMITERS, inert, read_delimited
from benchbar.tables.json_rows import read_lines, read_list
from benchbar.tables.labels import Begins, no_label
from benchbar.tables.table import MAX_FIELD, MAX_FILE, Table
from benchbar.tables.title_rows import Wanted

_DELIMITED = {".csv": ("CSV", ","), ".tsv": ("TSV", "\t"), ".txt": ("text", "\t")}
_OTHERS = {
    ".xlsx": "XLSX", ".xlsm": "XLSX", ".docx": "DOCX", ".jsonl": "JSON lines", ".ndjson": "JSON lines", ".json": "JSON",
    ".parquet": "Parquet",
}  # fmt: skip
ENDINGS = (*_DELIMITED, *_OTHERS)
CELLS = (*_DELIMITED, ".xlsx", ".xlsm")
"""Those of tables that are rows of cells, as spreadsheets write them."""


def read_table(
    path: Path,
    *,
    encoding: str | None = None,
    sheet: str | None = None,
    begins: Begins = no_label,
    unnamed: bool = False,
    padded: bool = True,
    max_field: int = MAX_FIELD,
    wanted: Wanted | None = None,
) -> Table:
    """The table in a CSV, TSV, XLSX, DOCX, JSON lines, JSON or Parquet file, in whatever encoding and with any delimiter.

    Args:
        path: The file.
        encoding: Of its text, where it is not to be found out.
        sheet: Of a workbook that has several.
        begins: Which labels of paragraphs begin a field of a row, in a DOCX without a table; none unless told.
        unnamed: Whether columns need no names, as in tables made for print.
        padded: Whether cells that a row of CSV lacks at its end are empty; else the row is a problem.
        max_field: Characters of one field.
        wanted: Which names of columns are looked for, below rows of a title and in several sheets; what is left out is in
            the table's ``notes``, and the caller shows them. Without it titles and several sheets are refused.

    Raises:
        SeveralSheetsError: several sheets of a workbook may be meant.
        BadInputError: it cannot be read, its ending is unknown, its encoding or delimiter cannot be told, or two columns
            have one name, or one has none.
        MissingDependencyError: a Parquet file without pyarrow.
    """
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        cure = next((cure for endings, cure in _CURES if ending in endings), "")
        raise BadInputError(f"ending {ending or 'none'}; expected one of {', '.join(ENDINGS)}{cure}", file=path)
    if sheet is not None and _OTHERS.get(ending) != "XLSX":
        raise BadInputError(f"--sheet {sheet}: only workbooks (.xlsx, .xlsm) have sheets; leave it out", file=path)
    data = read_bounded(path, MAX_FILE)
    if fault := _no_table(path, data, ending):
        raise BadInputError(fault, file=path)
    if ending in _DELIMITED:
        form, usual = _DELIMITED[ending]
        table = Table(path, form, max_field=max_field)
        read_delimited(table, data, usual=usual, encoding=encoding, unnamed=unnamed, padded=padded, wanted=wanted)
        return table
    table = Table(path, _OTHERS[ending], max_field=max_field)
    if table.format == "XLSX":
        from benchbar.tables.workbooks import read_workbook

        read_workbook(table, data, sheet, unnamed=unnamed, wanted=wanted)
    elif table.format == "DOCX":
        from benchbar.tables.word import read_word

        read_word(table, data, begins, wanted)
    elif table.format == "Parquet":
        _read_parquet(table, data)
    else:
        if _by_lines(data):
            table.format = _OTHERS[".jsonl"]
        (read_list if table.format == "JSON" else read_lines)(table, data, encoding)
    return table


def sheets_of(path: Path) -> tuple[str, ...]:
    """The sheets of a workbook that may be read: visible ones with rows; none where it is no workbook that can be read."""
    if _OTHERS.get(path.suffix.lower()) != "XLSX":
        return ()
    from benchbar.tables.workbooks import read_workbook

    table = Table(path, "XLSX")
    # Known also where the one that would be read has a fault.
    with suppress(BadInputError):
        read_workbook(table, read_bounded(path, MAX_FILE), None)
    return table.sheets


def _by_lines(data: bytes) -> bool:
    """Whether an object on the first line is followed by another one: JSON lines, also under the name .json."""
    first, _, rest = data.lstrip(b"\xef\xbb\xbf \r\n").partition(b"\n")
    return first.startswith(b"{") and first.rstrip().endswith(b"}") and rest.lstrip().startswith(b"{")


_CURES = (
    ((".xls", ".ods", ".numbers", ".gsheet", ".et"), ". Save or download it as .xlsx or .csv"),
    ((".doc", ".rtf", ".odt", ".pages", ".wps"), ". Save it as .docx"),
    (
        (".pdf", ".png", ".jpg", ".jpeg", ".md", ".html", ".htm"),
        ". Copy the questions into a table and save that as .xlsx or .csv",
    ),
    ((".zip", ".rar", ".7z", ".gz"), ". Unpack it, and name the file in it"),
    (("",), ". Give the file the ending of what it is"),
)
"""By the ending, what turns such a file into one that is read."""


def _no_table(path: Path, data: bytes, ending: str) -> str:
    """What a file is that only has the name of a table; empty where nothing shows that."""
    if path.name.startswith("~$"):
        return "this is the lock file of an open document: close it there, and name the document itself"
    if not data and ending not in (*_DELIMITED, ".jsonl", ".ndjson"):
        return "the file is empty (0 bytes): save or download it again"
    # A link that was saved before signing in gives the page, under the name that was asked for.
    if data[:200].lstrip().lower().startswith((b"<!doctype html", b"<html")):
        return "this is a web page under the name of a table: sign in there, and download the table itself"
    return ""


def _read_parquet(table: Table, data: bytes) -> None:
    try:
        from pyarrow import ArrowException, BufferReader, parquet
    except ImportError as error:
        raise MissingDependencyError("pyarrow", "parquet", "reading a Parquet file") from error
    try:
        file = parquet.ParquetFile(BufferReader(data))
        unpacked = sum(file.metadata.row_group(i).total_byte_size for i in range(file.metadata.num_row_groups))
        if unpacked > 2 * MAX_FILE:
            raise BadInputError(f"unpacks to {unpacked} bytes; at most {2 * MAX_FILE} are read", file=table.path)
        table.meets(table.head(file.schema_arrow.names, 1))
        # Damage shows only when pages are read: all are, so that it is an error here and not in the middle of a command.
        batches = list(file.iter_batches())
    except (ArrowException, OSError) as error:
        raise BadInputError(f"not a readable Parquet file: {error}", file=table.path) from error
    table.reads(_batched(batches))


def _batched(batches: Sequence[Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    number = 0
    for batch in batches:
        for row in batch.to_pylist():
            number += 1
            yield number, row


def write_table(path: Path, columns: Sequence[str], rows: Sequence[Mapping[str, str]]) -> None:
    """A CSV or DOCX file that people fill in and :func:`read_table` reads back; a cell can never act as a formula.

    Raises:
        BadInputError: the ending is neither.
    """
    if path.suffix.lower() == ".docx":
        from benchbar.tables.word import word_table

        write_atomically(path, word_table(columns, rows))
        return
    if path.suffix.lower() != ".csv":
        raise BadInputError("the file must end in .csv or .docx", file=path)
    cells = [[row.get(name, "") for name in columns] for row in rows]
    # With the mark spreadsheets know it as UTF-8.
    write_atomically(path, codecs.BOM_UTF8 + csv_text([columns, *cells], ends="\r\n").encode())


def csv_text(rows: Sequence[Sequence[object]], *, ends: str = "\n") -> str:
    """Rows as CSV, the head first; no cell can act as a formula, None is an empty one."""
    out = io.StringIO(newline="")
    # A head that holds another delimiter would be read back as several columns.
    divided = any(sign in str(name) for name in next(iter(rows), ()) for sign in OTHER_DELIMITERS)
    writer = csv.writer(out, lineterminator=ends, quoting=csv.QUOTE_ALL if divided else csv.QUOTE_MINIMAL)
    writer.writerows([inert(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    return out.getvalue()
