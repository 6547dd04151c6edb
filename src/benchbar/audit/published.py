"""Published results as tables and metric records: CSV, TSV, JSON, JSONL, Markdown, LaTeX, HTML, PDF and Parquet."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchbar.audit.latex import latex_grids, without_comments
from benchbar.audit.pages import html_grids, pdf_grids
from benchbar.audit.printed import MetricRecord, Printed, PrintedTable, is_average
from benchbar.records.errors import BadInputError
from benchbar.tables.encodings import read_text
from benchbar.tables.json_rows import read_json
from benchbar.tables.reading import read_table

LONGEST_CELL = 300
DEEPEST = 12
NUMBER = re.compile(r"([-+−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?|[-+−]?\.(\d+))\s*(%?)")
AFTER_NUMBER = re.compile(r"(?:±|\+/-|\\pm|\(|\[|†|‡|\*|\^)")
TOTAL_NAME = re.compile(r"(?i)^(?:total|n|count|n_samples|num_samples|size)$")


class Published(NamedTuple):
    """What a file prints."""

    tables: list[PrintedTable]
    records: list[MetricRecord]
    text: str = ""
    """Of the page around the tables, where there is one."""


def read_published(path: Path) -> Published:
    """The tables in a file, by its ending; JSON may also hold records with a confusion matrix.

    Raises:
        BadInputError: the file holds no table of numbers and no confusion matrix.
    """
    suffix = path.suffix.lower()
    if suffix == ".json":
        found = _json(path)
    elif suffix in PAGES:
        grids, text = PAGES[suffix](path)
        found = Published([t for i, grid in enumerate(grids, 1) if (t := _of_grid(f"table {i}", grid))], [], text)
    else:
        table = read_table(path, unnamed=True, padded=False)
        rows = table.rows
        if table.problems:
            first = table.problems[0]
            raise BadInputError(first.message, file=path, line=first.line, field=first.field)
        read = _of_grid(
            path.stem, [list(table.columns), *([row.get(name) for name in table.columns] for _, row in rows)]
        )
        found = Published([read] if read else [], [])
    if not found.tables and not found.records:
        message = (
            "no table of numbers; expected rows and columns of printed results (CSV, JSON, Markdown, LaTeX, HTML, PDF)"
        )
        raise BadInputError(message, file=path)
    return found


def _text_of(path: Path, grids_in: Callable[[str], Iterator[list[list[str]]]]) -> tuple[list[list[list[str]]], str]:
    text = read_text(path)
    return list(grids_in(text)), text


PAGES: dict[str, Callable[[Path], tuple[list[list[list[str]]], str]]] = {
    ".md": lambda path: _text_of(path, _markdown),
    ".markdown": lambda path: _text_of(path, _markdown),
    ".tex": lambda path: (list(latex_grids(text := without_comments(read_text(path)))), text),
    ".html": lambda path: html_grids(read_text(path)),
    ".htm": lambda path: html_grids(read_text(path)),
    ".pdf": pdf_grids,
}
"""Ending to the tables of a page, and its text."""


def with_matrices(tables: Sequence[PrintedTable], path: Path) -> list[MetricRecord]:
    """Each row of the tables beside the confusion matrix in a file: one for all, or one by the row's name.

    Raises:
        BadInputError: the file holds no matrix, or none for any row.
    """
    given = read_json(path)
    found = []
    for table in tables:
        for row, cells in zip(table.rows, table.cells, strict=True):
            source = given.get(row, given) if isinstance(given, dict) else {}
            matrix = _matrix_in(source) if isinstance(source, dict) else None
            if matrix is None:
                continue
            metrics = {name: cell for name, cell in zip(table.columns, cells, strict=True) if cell is not None}
            labels = _labels(source, {}, len(matrix))
            found.append(MetricRecord(row, _without_total(metrics), labels, matrix, _total(metrics)))
    if not found:
        raise BadInputError('expected {"labels": […], "matrix": rows of truth}, or that by row name', file=path)
    return found


def number(cell: Any) -> Printed | None:
    """The number in a cell and the decimals it was printed with; None where it holds none, or more than a
    number.
    """
    if isinstance(cell, bool) or cell is None:
        return None
    if isinstance(cell, int | float):
        return _of_float(float(cell)) if math.isfinite(cell) else None
    text = _unmarked(str(cell))
    match = NUMBER.match(text) if len(text) <= LONGEST_CELL else None
    if match is None:
        return None
    rest = text[match.end() :].strip()
    if rest and not AFTER_NUMBER.match(rest):
        return None
    decimals = len(match.group(2) or match.group(3) or "")
    return Printed(float(match.group(1).replace(",", "").replace("−", "-")), decimals)


def _of_float(value: float) -> Printed:
    text = f"{value:.12f}".rstrip("0")
    return Printed(value, len(text.partition(".")[2]))


def _unmarked(text: str) -> str:
    """Without the marks of Markdown and LaTeX for emphasis."""
    text = re.sub(r"\\(?:textbf|textit|underline|emph|mathbf|uline|bf|cellcolor\{[^{}]*\})\b", "", text)
    return text.replace("$", "").replace("{", "").replace("}", "").replace("**", "").replace("__", "").strip(" *_`~")


def _of_grid(name: str, grid: list[list[Any]]) -> PrintedTable | None:
    """A table from rows of cells under a header; None where nothing but words is in it."""
    header, *body = grid
    # A name and a number.
    if not body or len(header) < 2:
        return None
    read = [[number(cell) for cell in row] for row in body]
    width = len(header)
    numeric = [i for i in range(width) if sum(row[i] is not None for row in read) >= max(1, len(body) // 2)]
    named = [i for i in range(width) if i not in numeric]
    if not numeric:
        return None
    rows = tuple(
        " / ".join(_unmarked(str(row[i])) for i in named[:2] if row[i] not in (None, "")) or f"row {place}"
        for place, row in enumerate(body, start=1)
    )
    columns = tuple(_unmarked(str(header[i])) or f"column {i + 1}" for i in numeric)
    cells = [[row[i] for i in numeric] for row in read]
    by_column = [_same_decimals([row[i] for row in cells]) for i in range(len(numeric))]
    return PrintedTable(name, columns, rows, tuple(zip(*by_column, strict=True)))


def _same_decimals(cells: Sequence[Printed | None]) -> list[Printed | None]:
    """With the decimals of the longest: a program that drops zeros prints 40.0 as 40."""
    most = max((cell.decimals for cell in cells if cell is not None), default=0)
    return [None if cell is None else Printed(cell.value, most) for cell in cells]


def _markdown(text: str) -> Iterator[list[list[str]]]:
    """Pipe tables: a header, a line of dashes, rows."""
    lines: list[list[str]] = []
    for line in [*text.split("\n"), ""]:
        stripped = line.strip()
        if "|" in stripped and not stripped.startswith("```"):
            lines.append([cell.strip() for cell in stripped.strip("|").split("|")])
            continue
        if len(lines) > 2 and all(re.fullmatch(r":?-+:?", cell) for cell in lines[1]):
            yield _squared([lines[0], *lines[2:]])
        lines = []


def _squared(rows: list[list[str]]) -> list[list[str]]:
    """Rows of the header's width; a shorter row is filled up, a longer one cut."""
    width = len(rows[0])
    return [(row + [""] * width)[:width] for row in rows]


def _json(path: Path) -> Published:
    found = Published([], [])
    _walk(read_json(path), path.stem, [], found, 0)
    return found


def _walk(value: Any, name: str, words: list[list[str]], found: Published, depth: int) -> None:
    """Collect tables and records; ``words`` are lists of names seen on the way, which may head columns."""
    if depth > DEEPEST:
        return
    if isinstance(value, list):
        rows = [row for row in value if isinstance(row, dict)]
        if len(rows) == len(value) > 0 and not any(_matrix_in(row) for row in rows):
            table = _of_objects(name, rows)
            if table is not None:
                found.tables.append(table)
                return
        for place, item in enumerate(value, start=1):
            _walk(item, f"{name} {place}", words, found, depth + 1)
    elif isinstance(value, dict):
        _walk_object(value, name, words, found, depth)


def _walk_object(value: dict[str, Any], name: str, words: list[list[str]], found: Published, depth: int) -> None:
    record = _record(name, value)
    if record is not None:
        found.records.append(record)
        return
    words = words + [item for item in value.values() if _all_text(item)]
    table = _of_lists(name, value, words) or _of_nested(name, value)
    if table is not None:
        found.tables.append(table)
        return
    for key, item in value.items():
        inner = name if key in ("metrics", "results") else key
        _walk(item, inner, words, found, depth + 1)


def _all_text(value: Any) -> bool:
    return isinstance(value, list) and len(value) > 1 and all(isinstance(item, str) for item in value)


def _all_numbers(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) > 1
        and all(item is None or (isinstance(item, int | float) and not isinstance(item, bool)) for item in value)
    )


def _of_lists(name: str, value: Mapping[str, Any], words: list[list[str]]) -> PrintedTable | None:
    """Row name to list of numbers; a list longer by one than the columns' names ends in their average."""
    rows = {key: item for key, item in value.items() if _all_numbers(item)}
    widths = {len(row) for row in rows.values()}
    if not rows or len(widths) != 1 or any(isinstance(item, dict) for item in value.values()):
        return None
    width = widths.pop()
    header = next((names for names in words if len(names) in (width, width - 1)), None)
    if header is None:
        header = [f"column {place}" for place in range(1, width + 1)]
    columns = tuple(header) if len(header) == width else (*header, "average")
    return _leveled(name, columns, tuple(rows), [[number(cell) for cell in row] for row in rows.values()])


def _leveled(
    name: str, columns: tuple[str, ...], rows: tuple[str, ...], cells: list[list[Printed | None]]
) -> PrintedTable:
    """Cells of one kind share their decimals, averages theirs: JSON keeps no trailing zeros."""
    inner = [i for i, column in enumerate(columns) if not is_average(column)]
    found = [list(row) for row in cells]
    for kind in (inner, [i for i in range(len(columns)) if i not in inner]):
        flat = _same_decimals([row[i] for row in cells for i in kind])
        for place, row in enumerate(found):
            for offset, i in enumerate(kind):
                row[i] = flat[place * len(kind) + offset]
    return PrintedTable(name, columns, rows, tuple(tuple(row) for row in found))


def _of_objects(name: str, rows: list[dict[str, Any]]) -> PrintedTable | None:
    header = list(dict.fromkeys(key for row in rows for key in row))
    return _of_grid(name, [header, *([row.get(key) for key in header] for row in rows)]) if len(header) > 1 else None


def _of_nested(name: str, value: Mapping[str, Any]) -> PrintedTable | None:
    """Row name to an object of numbers."""
    rows = {key: item for key, item in value.items() if isinstance(item, dict)}
    flat = all(not isinstance(cell, dict | list) for row in rows.values() for cell in row.values())
    # One row is no table.
    if len(rows) < 2 or len(rows) != len(value) or not flat:
        return None
    return _of_objects(name, [{"": key, **row} for key, row in rows.items()])


def _record(name: str, value: Mapping[str, Any]) -> MetricRecord | None:
    """An object that holds a confusion matrix beside numbers."""
    matrix = _matrix_in(value)
    if matrix is None:
        return None
    flat = dict(_flat(value))
    if not flat:
        return None
    inside = [cell.decimals for cell in flat.values() if 0 <= cell.value <= 1]
    most = max(inside, default=0)
    metrics = {k: Printed(c.value, most if 0 <= c.value <= 1 else c.decimals) for k, c in flat.items()}
    return MetricRecord(name, _without_total(metrics), _labels(value, value, len(matrix)), matrix, _total(flat))


def _flat(value: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Printed]]:
    for key, item in value.items():
        if isinstance(item, dict) and not prefix:
            yield from _flat(item, f"{key}.")
        elif isinstance(item, int | float) and (read := number(item)) is not None:
            yield prefix + key, read


def _total(metrics: Mapping[str, Printed]) -> int | None:
    return next((int(c.value) for name, c in metrics.items() if TOTAL_NAME.match(name) and c.value >= 1), None)


def _without_total(metrics: Mapping[str, Printed]) -> dict[str, Printed]:
    return {name: cell for name, cell in metrics.items() if not TOTAL_NAME.match(name)}


def _matrix_in(value: Mapping[str, Any]) -> tuple[tuple[int, ...], ...] | None:
    """A square list of lists of counts under any key."""
    for item in value.values():
        # One class is no matrix.
        if not isinstance(item, list) or len(item) < 2:
            continue
        if all(isinstance(row, list) and len(row) == len(item) for row in item):
            cells = [cell for row in item for cell in row]
            if all(isinstance(cell, int) and not isinstance(cell, bool) and cell >= 0 for cell in cells) and any(cells):
                return tuple(tuple(row) for row in item)
    return None


def _labels(value: Mapping[str, Any], nested: Mapping[str, Any], size: int) -> tuple[str, ...]:
    """A list of names of the matrix's size, or the keys of an object of that size; else numbers."""
    for item in value.values():
        if _all_text(item) and len(item) == size:
            return tuple(item)
    for item in nested.values():
        if isinstance(item, dict) and len(item) == size:
            return tuple(item)
    return tuple(str(place) for place in range(size))
