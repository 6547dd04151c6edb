"""`benchbar ledger`: prove a run's record from the record alone."""

from __future__ import annotations

import sys
from pathlib import Path

import click

EXIT_PROBLEMS = 1


@click.group()
def command() -> None:
    """Prove from a run's ledger alone that it is complete and unaltered."""


@command.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
def check(run: Path, *, as_json: bool) -> None:
    """Check the ledger of a RUN folder (or a ledger file).

    Proven from the file alone: every planned item has its outcome, every outcome rests on calls that were asked once and
    answered once, and no row is missing, doubled, altered or torn. Calls of unknown outcome (sent before a crash, never
    answered) and failed ones are counted and named. Exit code 1 where there is a problem.

    \b
      benchbar ledger check runs/ucl-bench
    """  # noqa: D301 - click reads the backspace
    from benchbar.ledger.check import check as examine
    from benchbar.ledger.check import summary
    from benchbar.records import encode

    report = examine(run if run.is_file() else run / "ledger.sqlite")
    click.echo(encode(report).decode() if as_json else summary(report))
    if not report.ok:
        sys.exit(EXIT_PROBLEMS)
