"""Titles above a table: reports and spreadsheets are exported with a name, a day or a blank line above the names of the columns.

They are left out where it is certain where the names stand: a known name is among them, and above it stand rows of one cell each.
What was left out is noted for people. Anything else is refused, with the row and what to do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from benchbar.records.errors import BadInputError
from benchbar.tables.cells import Rows, text_of, texts_of, width_of
from benchbar.tables.table import Table

Wanted = Callable[[Sequence[str]], int]
"""How many of these are known as names of columns; 0 where they are not those of such a table as is looked for."""

_ABOVE = 20
"""Rows within which the table itself begins."""
_ROWS, _ROWS_OF_TWO = 3, 5
"""So many rows of equal width are no sentences with equally many commas; of two cells, one comma each, it takes more."""
_FULL = 0.8
"""Share of the rows below a head of unknown names that fill several cells."""
_LONGEST = 60
"""Characters of the name of a column; a longer cell is a text."""
_SENTENCE = ("?", "？", "。", "!", "！", "…")
"""How a question or a sentence ends, and no name of a column."""
_SHOWN, _SHOWN_CELL = 3, 40


def without_titles(
    table: Table, rows: Rows, wanted: Wanted | None, *, divided: bool = False, even: Rows | None = None
) -> int:
    """How many rows stand above the names of the columns and are left out, which is noted; 0 where the first row is the head.

    Args:
        table: Of which they are told.
        rows: From the first that holds something.
        wanted: Which names are looked for.
        divided: As of :func:`titles_above`.
        even: The first of the rows, and those below it that show that it is a title; all unless told.

    Raises:
        BadInputError: the first row is a title, and where the names of the columns stand is not certain.
    """
    if count := noted_titles(table, rows, wanted, divided=divided):
        return count
    if even := rows if even is None else even:
        _refuse_title(table, *even[0], even[1:], wanted)
    if rows:
        table.names_in = _names_below(rows, wanted)
    return 0


def noted_titles(table: Table, rows: Rows, wanted: Wanted | None, *, divided: bool = False) -> int:
    """The same, and 0 where it is not certain."""
    if count := titles_above(rows, wanted, divided=divided):
        table.note(_note_of(rows[:count]))
    return count


def titles_above(rows: Rows, wanted: Wanted | None, *, divided: bool = False) -> int:
    """How many rows of one cell each stand above the names of the columns; 0 where that is not certain.

    Args:
        rows: From the first that holds something.
        wanted: Which names are looked for.
        divided: Whether signs divide the cells that may stand in sentences too: “Question, may I leave” names no columns.
    """
    widths = [_filled(cells) for _, cells in rows[: _ABOVE + 1]]
    place = next((place for place, width in enumerate(widths) if width > 1), 0)
    if not place or wanted is None:
        return 0
    head, below = rows[place][1], [cells for _, cells in rows[place + 1 :]]
    if not _are_names(head) or any(width_of(cells) > width_of(head) for cells in below):
        return 0
    known = wanted(texts_of(head))
    if divided:
        certain = known > 1 or (known == 1 and _is_grid(head, below))
    else:
        certain = known > 0 or not (any(wanted(texts_of(cells)) for _, cells in rows[:place]) or _is_sparse(below))
    return place if certain else 0


def _is_sparse(below: Sequence[Sequence[Any]]) -> bool:
    """Whether few rows fill more than one cell, as remarks beside a single column do."""
    return len(below) < _ROWS or sum(_filled(cells) > 1 for cells in below) < _FULL * len(below)


def _is_grid(head: Sequence[Any], below: Sequence[Sequence[Any]]) -> bool:
    """Whether sentences can hardly give these rows: each has as many cells as the head, and no name comes again below itself."""
    even = all(len(cells) == len(head) for cells in below[:-1])
    again = any(text_of(cell) == text_of(name) for cells in below for name, cell in zip(head, cells, strict=False))
    # The last row of a sample may be cut off.
    return even and not again and len(below) >= (_ROWS if len(head) > 2 else _ROWS_OF_TWO)


def _names_below(rows: Rows, wanted: Wanted | None) -> int | None:
    """The row further down that may hold the names of the columns; None where the first does, or none seems to."""
    if wanted is None:
        return None
    # “Questions | 2024” is a title too, although it has the name of a column.
    first = wanted(texts_of(rows[0][1]))
    below = ((line, texts_of(cells)) for line, cells in rows[1 : _ABOVE + 1] if _are_names(cells))
    # One alone may stand in any row: “question” is a kind of text as well.
    return next((line for line, texts in below if wanted(texts) > max(1, first)), None)


def _refuse_title(table: Table, line: int, head: Sequence[Any], body: Rows, wanted: Wanted | None) -> None:
    """Refuse a table whose first row is a title: its one cell would be the only column.

    Raises:
        BadInputError: rows just below it are wider.
    """
    # In the middle above a table a title leaves the first columns without a name; so does a counter beside the questions.
    centred = width_of(head) > 1
    if _filled(head) > 1 or (centred and (wanted is None or wanted(texts_of(head)))):
        return
    wider = (number for number, cells in body[:_ABOVE] if (_filled if centred else width_of)(cells) > 1)
    if found := next(wider, None):
        # Lines of parameters may stand between the title and the names.
        found = _names_below([(line, head), *body], wanted) or found
        raise BadInputError(
            f"row {line} has one cell, “{next(iter(texts_of(head)), '')[:40]}”, and row {found} more:"
            " the names of the columns have to stand in the first row; delete what is above them",
            file=table.path,
            line=line,
        )


def _are_names(cells: Sequence[Any]) -> bool:
    """Short texts beside each other, no two alike; a number, a question or a sentence names no column."""
    places = [place for place, cell in enumerate(cells) if text_of(cell)]
    texts = [text_of(cell) for cell in cells if text_of(cell)]
    beside = all(after == before + 1 for before, after in pairwise(places))
    return beside and len(set(texts)) == len(texts) and all(map(_may_be_name, texts))


def _may_be_name(text: str) -> bool:
    return len(text) <= _LONGEST and not text.replace(".", "").isdigit() and not text.endswith(_SENTENCE)


def _note_of(titles: Rows) -> str:
    first, last = titles[0][0], titles[-1][0]
    shown = ", ".join(f"“{' '.join(text.split())[:_SHOWN_CELL]}”" for text in _shown(titles))
    cells = shown + (" …" if len(titles) > _SHOWN else "")
    if first == last:
        return f"row {first} above the names of the columns is not read: {cells}"
    return f"rows {first} to {last} above the names of the columns are not read: {cells}"


def _shown(titles: Rows) -> Iterator[str]:
    for _, cells in titles[:_SHOWN]:
        yield from texts_of(cells)


def _filled(cells: Sequence[Any]) -> int:
    return len(texts_of(cells))
