"""`benchbar audit`."""

from __future__ import annotations

from pathlib import Path

import click

from benchbar.cli.command import Command
from benchbar.cli.options import TABLE, json_option, seed_option, split


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
@seed_option
@json_option
def command(
    file: Path,
    n: int | None,
    ties: str,
    columns: list[str],
    confusion: Path | None,
    order: list[str],
    seed: int,
    as_json: bool,
) -> None:
    """Find what cannot be true in a published table (CSV, TSV, JSON, Markdown, LaTeX, Parquet).

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
    )
    if as_json:
        print_json(found)
        return
    for finding in found.findings:
        where = " / ".join(filter(None, (finding.table, finding.row, finding.column)))
        click.echo(f"{finding.certainty:<8} {finding.check}: {where}")
        click.echo(f"         printed {finding.printed}; recomputed {finding.recomputed or '-'}")
        click.echo(f"         {finding.evidence}")
    click.echo(f"{len(found.findings)} findings; {found.checked} numbers checked")
