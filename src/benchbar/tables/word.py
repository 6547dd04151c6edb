"""Word files from outside: opened within bounds; their tables and labelled paragraphs as rows, and one written."""

from __future__ import annotations

import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

from benchbar.records.errors import BadInputError
from benchbar.tables.archives import archive
from benchbar.tables.title_rows import noted_titles

if TYPE_CHECKING:
    from docx.document import Document
    from docx.table import Table as WordTable

    from benchbar.tables.labels import Begins
    from benchbar.tables.table import Table
    from benchbar.tables.title_rows import Wanted

_LABELLED = re.compile(
    r"\s{0,8}(?:[(（]?\d{1,3}[.)）、．]\s{0,3}|[一二三四五六七八九十]{1,3}、\s{0,3})?([^\s:：][^:：\n]{0,39})[:：][ \t]*(.*)",
    re.DOTALL,
)
_NUMBER = re.compile(r"(?<=\S)\s*(?:[#№]\s*)?(?:\d{1,3}|[一二三四五六七八九十]{1,3})[.)）、．]?$")
"""``Question 3``, 问题3, 问题三: the number of the row at the end of its label."""
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


def read_word(table: Table, data: bytes, begins: Begins, wanted: Wanted | None = None) -> None:
    """Make the table read the rows of all tables of a document; where it has none, its labelled paragraphs.

    Rows are counted through all tables, heads included.

    Raises:
        BadInputError: no readable document, or the head of a table has two columns of one name or one without.
    """
    document = open_docx(data, str(table.path))
    if document.tables:
        found = list(_gridded(table, [_grid(one) for one in document.tables], wanted))
    else:
        found = list(_paragraphs([one.text for one in document.paragraphs], begins))
        for _, row in found:
            table.meets(row)
        if not found:
            table.problem(
                "no table and no paragraph such as “Question: …” (“needs: …”) was found; write each question after that word, and “Expected answer: …” below it"
            )
    table.reads(found)


class _Grid(NamedTuple):
    """The rows of a table of a document."""

    rows: list[list[str]]
    """A merged cell has its text in each column that it covers."""
    apart: list[list[str]]
    """The same with the text of a merged cell in the first of its columns alone."""


def _grid(table: WordTable) -> _Grid:
    rows, apart = [], []
    for row in table.rows:
        cells = row.cells
        texts = [cell.text.strip() for cell in cells]
        first = [place == 0 or cell is not cells[place - 1] for place, cell in enumerate(cells)]
        rows.append(texts)
        apart.append([text if begins else "" for text, begins in zip(texts, first, strict=True)])
    return _Grid(rows, apart)


def _gridded(table: Table, grids: Iterable[_Grid], wanted: Wanted | None) -> Iterator[tuple[int, dict[str, Any]]]:
    number = 0
    for grid in grids:
        if not grid.rows:
            continue
        # Blank rows hold no title; they are counted all the same.
        filled = [(line, cells) for line, cells in enumerate(grid.apart, start=number + 1) if any(cells)]
        titles = noted_titles(table, filled, wanted)
        begins = filled[titles][0] - number - 1 if titles else 0
        names = table.head(grid.rows[begins], number + begins + 1)
        table.meets(names)
        for number, cells in enumerate(grid.rows[begins + 1 :], start=number + begins + 2):  # noqa: B020 - counted through all tables
            if any(cells[len(names) :]):
                table.lose(f"{len(cells)} cells; the head has {len(names)}", line=number)
            elif any(cells):
                yield number, dict(zip(names, [*cells, *[""] * len(names)], strict=False))


def _paragraphs(texts: list[str], begins: Begins) -> Iterator[tuple[int, dict[str, Any]]]:
    """``Label: text`` begins a field, other paragraphs go on with it; a label that comes a second time begins the next row."""
    often = _often(texts, begins)
    begun, row, current = 1, dict[str, list[str]](), ""
    for number, text in enumerate([*texts, ""], start=1):
        name, said = _label(text, begins)
        sure = begins(name, current) if name else False
        if sure or (sure is None and name in often):
            if name in row:
                yield begun, _joined(row)
                row = {}
            begun = begun if row else number
            current, row[name] = name, [said]
        elif row and text.strip():
            row[current].append(text)
    if row:
        yield begun, _joined(row)


def _often(texts: Sequence[str], begins: Begins) -> set[str]:
    """Labels that stand at least half as often as the one that stands most often among those that begin a field for certain."""
    counted = Counter(name for text in texts if (name := _label(text, begins)[0]))
    known = max((count for name, count in counted.items() if begins(name, "")), default=0)
    return {name for name, count in counted.items() if count > 1 and 2 * count >= known}


def _label(text: str, begins: Begins) -> tuple[str, str]:
    """The label with which a paragraph begins, without the number of its row, and what follows it; both empty where it has none."""
    labelled = _LABELLED.fullmatch(text)
    if labelled is None:
        return "", ""
    name = labelled[1].strip()
    plain = _NUMBER.sub("", name)
    return (plain if begins(plain, "") else name), labelled[2]


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
