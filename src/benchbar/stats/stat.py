"""A statistic as a command: its columns and options are declared; reading, seeding and printing are written here, once.

A statistic is a function with keyword parameters. It gets each declared column as a list of cells, each option of its
own, and of the following what its parameters name: ``table``, ``names`` (what the user calls each declared column, for
messages), ``missing`` (words that stand for no value), ``confidence``, ``seed``, ``generator`` (seeded with it) and ``resamples`` (its default is that of the option). Only what
is named becomes an option: no command takes a ``--seed`` that it does not use.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from inspect import Parameter, signature
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np

from benchbar.cli.command import Command, section
from benchbar.cli.options import TABLE, NumberRange, json_option, seed_option, split
from benchbar.cli.printing import print_json, print_table, shown
from benchbar.records import Estimate
from benchbar.records.errors import BadInputError, UserError
from benchbar.tables.columns import Columns, clusters, numbers, read_columns, words

Option = Callable[[Callable[..., None]], Callable[..., None]]
Cells = list[Any]
Values = list[float | None]
Words = list[str | None]


class Grid(NamedTuple):
    """A table for people."""

    header: Sequence[str]
    rows: Iterable[Sequence[str]]


class Found(NamedTuple):
    """What a statistic found: one document for ``--json``; grids and lines for people; notes for stderr."""

    document: Mapping[str, Any]
    printed: Iterable[Grid | str]
    notes: Sequence[str] = ()


class Column(NamedTuple):
    """A column that a statistic needs: the option that names it, and how its cells are read."""

    name: str
    help: str
    read: Callable[[Columns, str, Collection[str]], Cells] = numbers
    required: bool = True

    def option(self) -> Option:
        """The option."""
        return click.option(f"--{self.name}", required=self.required, help=self.help)

    def cells(self, table: Columns | None, name: str | None, missing: Collection[str]) -> Cells | None:
        """The cells of the column that the user named; None where it was not named."""
        if name is None:
            return None
        if table is None:
            raise UserError(f"--{self.name} needs FILE")
        return self.read(table, name, missing)


def one_of(*allowed: float) -> Callable[[Columns, str, Collection[str]], Values]:
    """Reads numbers of which only these may stand in the column."""

    def read(table: Columns, name: str, missing: Collection[str]) -> Values:
        values = numbers(table, name, missing)
        for value, line in zip(values, table.lines, strict=True):
            if value is not None and value not in allowed:
                expected = ", ".join(f"{one:g}" for one in allowed[:-1]) + f" or {allowed[-1]:g}"
                raise BadInputError(f"{value:g}; expected {expected}", file=table.path, line=line, field=name)
        return values

    return read


def named(table: Columns, name: str, _missing: Collection[str]) -> Words:
    """Reads names; ``--missing`` is for marks and does not apply to them."""
    return words(table, name)


def drawn_with(table: Columns, name: str, _missing: Collection[str]) -> list[object]:
    """Reads what rows were drawn with; a row without it stands alone."""
    return clusters(table, name) or []


def stat(
    *columns: Column, options: Sequence[Option] = (), needs_file: bool = True
) -> Callable[[Callable[..., Found]], click.Command]:
    """The command of a statistic, called as its function; its help is the function's docstring."""

    def made(measure: Callable[..., Found]) -> click.Command:
        # A statistic gets what it names, and its options follow from the same names: one list, which cannot disagree
        # with itself.
        asked = signature(measure).parameters

        def command(file: Path | None, *, as_json: bool, **given: Any) -> None:
            table = read_columns(file) if file else None
            missing = given.get("missing", [])
            # Kept beside the cells that take their place: messages name the user's column.
            given["names"] = {one.name: given[one.name] for one in columns}
            given |= {one.name: one.cells(table, given[one.name], missing) for one in columns}
            given |= {"table": table, "generator": np.random.default_rng(given.get("seed", 0))}
            found = measure(**{name: given[name] for name in asked})
            if as_json:
                print_json(found.document)
                return
            for part in found.printed:
                if isinstance(part, Grid):
                    print_table(part.header, part.rows)
                else:
                    click.echo(part)
            for note in found.notes:
                click.echo(f"note: {note}", err=True)

        parameters: list[Option] = [
            click.argument("file", type=TABLE, required=needs_file),
            section("Columns of the table", *(one.option() for one in columns)),
            *options,
            *_common(asked, columns),
            json_option,
        ]
        decorated: Callable[..., None] = command
        # Decorators apply from the last to the first, and help lists them in that order.
        for parameter in reversed(parameters):
            decorated = parameter(decorated)
        # A trailing underscore keeps a function from hiding a builtin.
        return click.command(measure.__name__.rstrip("_"), cls=Command, help=measure.__doc__)(decorated)

    return made


def _common(asked: Mapping[str, Parameter], columns: Sequence[Column]) -> list[Option]:
    """The options that follow from what the statistic's parameters name."""
    found: list[Option] = []
    if "resamples" in asked:
        # Below a hundred the 2.5% tail rests on two draws.
        count, allowed = asked["resamples"].default, click.IntRange(100, 100_000)
        found.append(
            click.option("--resamples", default=count, show_default=True, type=allowed, help="Of the bootstrap.")
        )
    if {"generator", "seed"} & set(asked):
        found.append(seed_option)
    if "confidence" in asked:
        # 95 instead of 0.95 would else give intervals of nonsense.
        allowed_level = NumberRange(0.5, 0.999)
        text = "Of every interval."
        found.append(click.option("--confidence", default=0.95, show_default=True, type=allowed_level, help=text))
    if columns or "missing" in asked:
        found.append(click.option("--missing", multiple=True, callback=split, help="Words that mean: no value here."))
    return found


def estimates(values: Mapping[str, Any], prefix: str = "", *, percent: bool = False) -> list[tuple[str, str]]:
    """A row for each estimate, with its name; what is no estimate is left out."""
    found = values.items()
    return [(f"{prefix}{name}", shown(one, percent=percent)) for name, one in found if isinstance(one, Estimate)]
