"""The validations of a run as tables: on a terminal, and as one page that opens offline."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from importlib.resources import files

from rich.cells import cell_len

from benchbar.records import Estimate
from benchbar.records.numbers import percent
from benchbar.records.templates import environment
from benchbar.records.validation import Figure, Validation
from benchbar.reports.printing import console, print_table, printable


def show_validations(found: tuple[Validation, ...]) -> None:
    """Print each validation: what it asks, its table, what it had, and what was missing."""
    out = console()
    for one in found:
        title = f"{one.name}: {one.question}"
        header, rows = tabled(one)
        if one.figures and _width(header, rows) <= out.width:
            print_table(header, rows, title, out=out)
        else:
            # Nine measures side by side would be cut into columns of six letters each.
            for line in (title, *_lines(header, rows)):
                out.print(printable(line), markup=False, highlight=False, soft_wrap=True)
        for label, lines in (("had", one.had), ("missing", one.missing), ("note", one.notes)):
            for line in lines:
                style = "yellow" if label == "missing" else "dim"
                out.print(printable(f"  {label}: {line}"), style=style, markup=False, highlight=False, soft_wrap=True)
        out.print()


def _width(header: list[str], rows: list[list[str]]) -> int:
    return sum(_GAP + max(map(cell_len, column)) for column in zip(header, *rows, strict=True))


_GAP = 2
"""Spaces beside each column of a printed table."""


def _lines(header: list[str], rows: list[list[str]]) -> Iterator[str]:
    """The table with a line for each of its figures, under its group."""
    for group, *cells in rows:
        yield f"  {group}"
        width = max(map(cell_len, header)) if header else 0
        yield from (f"    {name:<{width}}  {cell}" for name, cell in zip(header[1:], cells, strict=True) if cell)


def tabled(one: Validation) -> tuple[list[str], list[list[str]]]:
    """Header and rows: groups down, measures across, each in the order in which it first came."""
    measures = list(dict.fromkeys(figure.measure for figure in one.figures))
    cells: dict[str, dict[str, Figure]] = {}
    for figure in one.figures:
        cells.setdefault(figure.group, {})[figure.measure] = figure
    rows = [
        [group, *(_cell(own[measure]) if measure in own else "" for measure in measures)]
        for group, own in cells.items()
    ]
    return ["", *measures], rows


def _cell(figure: Figure) -> str:
    """Value, interval and n; the reason where there is no value."""
    one = figure.estimate
    if one.value is None:
        return f"– ({one.reason})"
    number = percent if figure.share else _plain
    text = number(one.value)
    if one.low is not None and one.high is not None:
        text += f" [{number(one.low)}, {number(one.high)}]"
    return f"{text} n={one.n}{_missing(one)}"


def _missing(one: Estimate) -> str:
    return f" ({one.n_missing} missing)" if one.n_missing else ""


def _plain(value: float | None) -> str:
    return "–" if value is None else f"{value:.3g}" if abs(value) >= 1 else f"{value:.2f}"


def validation_page(run: str, found: tuple[Validation, ...]) -> bytes:
    """The same as HTML, UTF-8; shares in percent."""
    from markupsafe import Markup

    style = (files(__package__) / "templates" / "report.css").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    made = environment("benchbar.reports")
    page = made.get_template("validation.html.j2").render(
        run=run,
        parts=list(_parts(found)),
        style=Markup(style),  # noqa: S704 - our own file
        policy=f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'",
    )
    return page.encode()


def _parts(found: tuple[Validation, ...]) -> Iterator[tuple[Validation, list[str], list[list[str]]]]:
    for one in found:
        yield (one, *tabled(one))
