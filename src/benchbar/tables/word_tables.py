"""Tables and labelled paragraphs of Word files, read and written."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from io import BytesIO
from typing import TYPE_CHECKING, Any

from benchbar.tables.word_files import open_docx

if TYPE_CHECKING:
    from benchbar.tables.sheets import Sheet

_LABELLED = re.compile(r"\s{0,8}([^\s:：][^:：\n]{0,39})[:：][ \t]*(.*)", re.DOTALL)
_CONTROL = {code: None for code in range(32) if code not in (9, 10, 13)}


def read_word_tables(sheet: Sheet, data: bytes, labels: Collection[str]) -> None:
    """Put the rows of a document's tables into the sheet; where it has no table, its labelled paragraphs."""
    document = open_docx(data, str(sheet.path))
    if document.tables:
        for table in document.tables:
            _rows(sheet, table)
        return
    _paragraphs(sheet, [paragraph.text for paragraph in document.paragraphs], {label.lower() for label in labels})


def _rows(sheet: Sheet, table: Any) -> None:
    from benchbar.tables.sheets import checked_head

    grid = [[cell.text.strip() for cell in row.cells] for row in table.rows]
    if not grid:
        return
    begin = sheet.rows[-1][0] if sheet.rows else 0
    names = checked_head(sheet, [name or f"column {number}" for number, name in enumerate(grid[0], 1)], begin + 1)
    sheet.columns = tuple(dict.fromkeys((*sheet.columns, *names)))
    for number, cells in enumerate(grid[1:], start=begin + 2):
        if any(cells):
            sheet.add(number, dict(zip(names, cells, strict=False)))


def _paragraphs(sheet: Sheet, texts: list[str], labels: set[str]) -> None:
    """``Label: text`` begins a field, other paragraphs go on with it; a label that comes a second time begins the next row."""
    names: dict[str, None] = {}
    for line, row in _records(texts, labels):
        names |= dict.fromkeys(row)
        sheet.add(line, {name: "\n".join(parts).strip() for name, parts in row.items()})
    sheet.columns = tuple(names)
    if not sheet.rows:
        sheet.problem("neither a table nor a paragraph such as “needs: …” was found")


def _records(texts: list[str], labels: set[str]) -> Iterator[tuple[int, dict[str, list[str]]]]:
    begun, row, current = 1, dict[str, list[str]](), ""
    for number, text in enumerate(texts, start=1):
        labelled = _LABELLED.fullmatch(text)
        name = labelled[1].strip() if labelled else ""
        if labelled and name.lower() in labels:
            if name in row:
                yield begun, row
                row = {}
            begun = begun if row else number
            current, row[name] = name, [labelled[2]]
        elif row and text.strip():
            row[current].append(text)
    if row:
        yield begun, row


def word_table(columns: list[str], rows: list[dict[str, str]]) -> bytes:
    """A document with one table."""
    import docx

    document = docx.Document()
    table = document.add_table(rows=1, cols=len(columns))
    table.style = "Table Grid"
    for cell, name in zip(table.rows[0].cells, columns, strict=True):
        cell.text = name
    for row in rows:
        for cell, name in zip(table.add_row().cells, columns, strict=True):
            cell.text = row.get(name, "").translate(_CONTROL)
    buffer = BytesIO()
    document.save(buffer)
    return buffer.getvalue()
