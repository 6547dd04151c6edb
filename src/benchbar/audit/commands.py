"""`benchbar audit`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchbar.cli.command import Command
from benchbar.cli.options import TABLE, json_option, seed_option, split
from benchbar.records.numbers import counted

if TYPE_CHECKING:
    from benchbar.audit.printed import PrintedTable

FOLDED = 5
"""Findings of a kind in one table up to which each is printed."""


@click.command(cls=Command, part="Numbers", short_help="Find what cannot be true in a published table.")
@click.argument("file", metavar="TABLE", type=TABLE)
@click.option("--n", type=click.IntRange(1, 1_000_000), help="Samples behind each rate; else a column of counts.")
@click.option(
    "--ties",
    type=click.Choice(["none", "half"]),
    default="none",
    show_default=True,
    help="Ties count half a win.",
)
@click.option("--columns", multiple=True, callback=split, help="Columns that hold rates (else told by their names).")
@click.option("--confusion", type=TABLE, help='JSON {"labels": […], "matrix": rows of truth}, or that by row name.')
@click.option("--order", multiple=True, callback=split, help="Columns in the order they were computed, if known.")
@click.option("--each", is_flag=True, help="Print every finding, not only one line for those of a kind.")
@seed_option
@json_option
def command(
    file: Path,
    n: int | None,
    ties: str,
    columns: list[str],
    confusion: Path | None,
    order: list[str],
    each: bool,
    seed: int,
    as_json: bool,
) -> None:
    """Find what cannot be true in a published table (CSV, TSV, JSON, Markdown, LaTeX, HTML, PDF, Parquet).

    Averages are recomputed, rates tested against their n, rows searched for running totals, and metrics held
    against their confusion matrix. Each finding has its evidence and says how sure it is.

    benchbar audit leaderboard.csv --n 50 --ties half
    benchbar audit metrics.json --json
    benchbar audit results.tex --confusion matrix.json
    """
    import numpy as np

    from benchbar.audit.auditing import TASK_NAMES, audit
    from benchbar.audit.published import read_published, with_matrices
    from benchbar.cli.printing import print_json

    published = read_published(file)
    records = [*published.records, *(with_matrices(published.tables, confusion) if confusion else [])]
    found = audit(
        published.tables,
        records,
        np.random.default_rng(seed),
        n=n,
        ties_half=ties == "half",
        rate_columns=frozenset(columns),
        order=order,
        task_names=TASK_NAMES,
        text=published.text,
    )
    if as_json:
        print_json(found)
        return
    for table in published.tables:
        click.echo(f"read     {table.name}: {_shape(table)}")
    for group in found.groups:
        own = [one for one in found.findings if (one.check, one.table) == (group.check, group.table)]
        click.echo(f"{group.certainty:<8} {group.check}: {group.table}: {group.summary}")
        for finding in own if each or len(own) <= FOLDED else own[:1]:
            where = " / ".join(filter(None, (finding.row, finding.column)))
            click.echo(f"         {where}: printed {finding.printed}; recomputed {finding.recomputed or '-'}")
            click.echo(f"         {finding.evidence}")
        if not each and len(own) > FOLDED:
            click.echo(f"         and {len(own) - 1} more (--each lists all)")
        click.echo(f"         ask first: {group.innocent}")
    click.echo(f"{counted(len(found.findings), 'finding')}; {counted(found.checked, 'number')} checked")


def _shape(table: PrintedTable) -> str:
    """What was understood of a table, so that a misread one is seen before its findings are believed."""
    return f"{_some(table.rows)} ({len(table.rows)} rows) by {_some(table.columns)} ({len(table.columns)} columns)"


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (" …" if len(names) > 3 else "")
