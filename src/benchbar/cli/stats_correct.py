"""`benchbar stats correct`."""

from __future__ import annotations

from pathlib import Path

import click

from benchbar.cli.command import Command
from benchbar.cli.printing import plain, print_json, print_table, shown
from benchbar.cli.stats_options import TABLE, common
from benchbar.statistics import correct
from benchbar.tables.columns import clusters, numbers, read_table


@click.command(cls=Command, name="correct")
@click.argument("file", type=TABLE)
@click.option("--judge", required=True, help="Column of the judge's marks, on every row.")
@click.option("--human", required=True, help="Column of people's marks, empty where nobody marked.")
@click.option("--probability", help="Column of each row's recorded chance to be marked.")
@click.option("--stratum", help="Column of the task (or other stratum) that rows were drawn within.")
@common
def correct_command(
    file: Path,
    judge: str,
    human: str,
    probability: str | None,
    stratum: str | None,
    seed: int,  # noqa: ARG001 - nothing is drawn here; the option is common to all
    confidence: float,
    missing: list[str],
    as_json: bool,  # noqa: FBT001 - click passes it by name
) -> None:
    """What people would have said of all rows, from a judge on all and people on some.

    The rows that people marked must be a random sample, or carry the --probability with which they were
    chosen.

    benchbar stats correct marks.csv --judge judge_score --human human_score --stratum task
    """
    table = read_table(file)
    found = correct(
        numbers(table, judge, missing),
        numbers(table, human, missing),
        probability=numbers(table, probability, missing) if probability else None,
        strata=clusters(table, stratum),
        confidence=confidence,
    )
    if as_json:
        document = plain(found)
        document["lambda"] = document.pop("weight")
        print_json(document)
        return
    print_table(
        ["estimate", "value"],
        [
            ("judge alone", shown(found.judge_only)),
            ("people alone", shown(found.human_only)),
            ("corrected", shown(found.corrected)),
            ("Rogan-Gladen", shown(found.rogan_gladen)),
            ("lambda", "-" if found.weight is None else f"{found.weight:.3f}"),
            ("effective labels", "-" if found.effective_labels is None else f"{found.effective_labels:.0f}"),
        ],
    )
    for warning in found.warnings:
        click.echo(f"note: {warning}", err=True)
