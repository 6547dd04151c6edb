"""What is printed on a terminal: tables of one look, and text that cannot speak to the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

PLAIN_WIDTH = 80
"""Columns where the output is no terminal, so that files and logs look alike everywhere; also what tables are designed for."""
FIRST_WIDTH = 34
"""Columns that the names of rows take at most where a table has to fit."""
BETWEEN, AROUND = 3, 2
"""Columns that the box takes between two columns of a table, and at its edges."""


def printable(text: str) -> str:
    """The text without control characters, which a terminal would obey and XML cannot hold."""
    # Replaced and not dropped, so that a reader sees that something was there.
    return "".join(character if character.isprintable() else "\ufffd" for character in text)


def printable_lines(text: str) -> str:
    """The same, with its line ends kept."""
    return "\n".join(printable(line) for line in text.splitlines())


def cell(text: str, style: str = "") -> Text:
    """A cell of a table. Names come from files: they are text, not markup."""
    from rich.text import Text

    return Text(printable_lines(text), style=style)


def console(width: int = PLAIN_WIDTH) -> Console:
    """Standard output; ``width`` columns wide wherever it is no terminal."""
    from rich.console import Console

    found = Console()
    # Rich would take 80 columns for a file and wrap every table.
    return found if found.is_terminal else Console(width=width)


def empty_table(first: str = "", *, width: int | None = None, title: str = "", fold: bool = False) -> Table:
    """A table with its first column, which takes at most ``width`` characters, cut or folded; the others are the caller's."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(title=cell(title) if title else None, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    if width is None:
        table.add_column(cell(first), overflow="fold")
    else:
        table.add_column(cell(first), max_width=width, no_wrap=not fold, overflow="fold" if fold else "ellipsis")
    return table


def table_width(widths: Sequence[int]) -> int:
    """Columns that a table takes on the terminal whose own columns are so wide."""
    return sum(widths) + BETWEEN * (len(widths) - 1) + AROUND


def sections(
    head: Sequence[str], rows: Sequence[Sequence[Text]], width: int, *, whole: bool = False
) -> Iterator[Table]:
    """The rows as tables one below the other, each with the first column and as many further ones as ``width`` holds.

    So a value is never cut, and no interval is torn in two. A single column that is wider than the rest of the line is folded,
    and so is the first one where it has to be ``whole``.
    """
    from rich.cells import cell_len

    columns = zip(head, *([text.plain for text in row] for row in rows), strict=True)
    widths = [max(cell_len(line) for text in column for line in text.split("\n")) for column in columns]
    widths[0] = min(widths[0], FIRST_WIDTH)
    begin = 1
    while begin < len(head):
        end = begin + 1
        while end < len(head) and table_width([widths[0], *widths[begin : end + 1]]) <= width:
            end += 1
        table = empty_table(head[0], width=FIRST_WIDTH, fold=whole)
        for name in head[begin:end]:
            table.add_column(cell(name), justify="right", overflow="fold")
        for one in rows:
            table.add_row(one[0], *one[begin:end])
        yield table
        begin = end


def print_table(
    header: Sequence[str], rows: Iterable[Sequence[str]], title: str = "", *, out: Console | None = None
) -> None:
    """Rows under a header on stdout; what does not fit is wrapped, never cut."""
    first, *others = header
    table = empty_table(first, title=title)
    for name in others:
        table.add_column(cell(name), overflow="fold")
    for row in rows:
        table.add_row(*map(cell, row))
    (out or console()).print(table)
