"""Word files from outside: opened within bounds; their tables and labelled paragraphs as rows, and one written."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any

from benchbar.records.errors import BadInputError
from benchbar.tables.archives import archive

if TYPE_CHECKING:
    from docx.document import Document

    from benchbar.tables.table import Table

_LABELLED = re.compile(r"\s{0,8}([^\s:：][^:：\n]{0,39})[:：][ \t]*(.*)", re.DOTALL)
_CONTROL = {code: None for code in range(32) if code not in (9, 10, 13)}
"""Characters that XML cannot hold."""


def open_docx(data: bytes, name: str) -> Document:
    """The document that python-docx reads from the bytes.

    Raises:
        BadInputError: a password protects it, it is no DOCX, or it unpacks to more than 256 MiB.
    """
    with archive(data, name, "DOCX") as opened:
        broken = opened.testzip()
        if broken is not None:
            raise BadInputError(f"not a readable DOCX: its part {broken} is damaged", file=name)
    import docx
    from docx.opc.exceptions import OpcError
    from lxml.etree import LxmlError

    try:
        return docx.Document(BytesIO(data))
    except (OpcError, LxmlError, KeyError, ValueError, AttributeError, TypeError, zipfile.BadZipFile) as error:
        raise BadInputError(f"not a readable DOCX: {error}", file=name) from error


def read_word(table: Table, data: bytes, labels: Collection[str]) -> None:
    """Make the table read the rows of all tables of a document; where it has none, its labelled paragraphs.

    Rows are counted through all tables, heads included.

    Raises:
        BadInputError: no readable document, or the head of a table has two columns of one name or one without.
    """
    document = open_docx(data, str(table.path))
    if document.tables:
        grids = [[[cell.text.strip() for cell in row.cells] for row in one.rows] for one in document.tables]
        found = list(_gridded(table, grids))
    else:
        found = list(_paragraphs([one.text for one in document.paragraphs], {label.lower() for label in labels}))
        for _, row in found:
            table.meets(row)
        if not found:
            table.problem(
                "no table and no paragraph such as “Question: …” (“needs: …”) was found; write each question after that word, and “Expected answer: …” below it"
            )
    table.reads(found)


def _gridded(table: Table, grids: list[list[list[str]]]) -> Iterator[tuple[int, dict[str, Any]]]:
    number = 0
    for grid in grids:
        if not grid:
            continue
        names = table.head(grid[0], number + 1)
        table.meets(names)
        for number, cells in enumerate(grid[1:], start=number + 2):  # noqa: B020 - counted through all tables
            if any(cells[len(names) :]):
                table.lose(f"{len(cells)} cells; the head has {len(names)}", line=number)
            elif any(cells):
                yield number, dict(zip(names, [*cells, *[""] * len(names)], strict=False))


def _paragraphs(texts: list[str], labels: set[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """``Label: text`` begins a field, other paragraphs go on with it; a label that comes a second time begins the next row."""
    begun, row, current = 1, dict[str, list[str]](), ""
    for number, text in enumerate([*texts, ""], start=1):
        labelled = _LABELLED.fullmatch(text)
        name = labelled[1].strip() if labelled else ""
        if labelled and name.lower() in labels:
            if name in row:
                yield begun, _joined(row)
                row = {}
            begun = begun if row else number
            current, row[name] = name, [labelled[2]]
        elif row and text.strip():
            row[current].append(text)
    if row:
        yield begun, _joined(row)


def _joined(row: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    return {name: "\n".join(parts).strip() for name, parts in row.items()}


def word_table(columns: Sequence[str], rows: Sequence[Mapping[str, str]]) -> bytes:
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
