"""`benchbar ledger`: prove a run's record from the record alone."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from benchbar.cli.command import Group
from benchbar.cli.options import json_option

EXIT_PROBLEMS = 1


def place_of(run: str) -> Path | str:
    """The ledger that a user names: by an address, a file, or the folder of a run."""
    from benchbar.ledger.opening import is_address, ledger_of

    return run if is_address(run) else ledger_of(Path(run))


@click.group(cls=Group)
def command() -> None:
    """Prove from a run's ledger alone that it is complete and unaltered."""


@command.command()
@click.argument("run")
@json_option
def check(run: str, *, as_json: bool) -> None:
    """Check the ledger of a RUN: its folder, a ledger file, or the address of a run in PostgreSQL.

    Proven from the ledger alone: every planned item has its outcome, every outcome rests on calls that were asked once and
    answered once, and no row is missing, doubled, altered or torn. Calls of unknown outcome (sent before a crash, never
    answered) and failed ones are counted and named. Exit code 1 where there is a problem.

    benchbar ledger check runs/ucl-bench
    benchbar ledger check "postgresql://me@db.example/evaluations?run=ucl-bench"
    """
    from benchbar.ledger.check import check as examine
    from benchbar.ledger.check import summary
    from benchbar.records import encode

    report = examine(place_of(run))
    click.echo(encode(report).decode() if as_json else summary(report))
    if not report.ok:
        sys.exit(EXIT_PROBLEMS)


@command.command()
@click.argument("source")
@click.argument("target")
@json_option
def copy(source: str, target: str, *, as_json: bool) -> None:
    """Copy the ledger of a run from SOURCE to TARGET, and prove that both are the same.

    Each of them is the folder of a run, a ledger file, or the address of a run in PostgreSQL; the target must be new. It is
    there whole or not at all, the source stays as it is. Both are then read again: one hash over every column of every row.

    benchbar ledger copy runs/two "postgresql://me@db.example/evaluations?run=two"
    benchbar ledger copy "postgresql://me@db.example/evaluations?run=two" runs/two-here
    """
    from benchbar.ledger.copy import copy as copied
    from benchbar.records import encode
    from benchbar.runs.manifest import carry_over, target_of

    to = target_of(target, source)
    report = copied(place_of(source), to)
    carry_over(source, to)
    if as_json:
        click.echo(encode(report).decode())
        return
    counts = ", ".join(f"{table} {number}" for table, number in report.rows.items())
    click.echo(f"copied: {counts} rows\nequal in both: {report.digest}")
