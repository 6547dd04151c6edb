"""`benchbar stats`: numbers that can be believed, from any table."""

from __future__ import annotations

import click

from benchbar.cli.command import Group
from benchbar.cli.stats_agree import agree
from benchbar.cli.stats_correct import correct_command
from benchbar.cli.stats_family import family, worth
from benchbar.cli.stats_ordinal import ordinal
from benchbar.cli.stats_power import power
from benchbar.cli.stats_rank import rank_command
from benchbar.cli.stats_validate import correlate, judges, points
from benchbar.cli.stats_winrate import winrate


@click.group(cls=Group)
def command() -> None:
    """Estimate with intervals from a CSV, TSV, JSONL, JSON or Parquet table.

    benchbar stats winrate judged.csv --preference outcome --by task
    benchbar stats agree marks.csv --raters judge,anna,bo --ties tie
    """


for _subcommand in (
    winrate,
    agree,
    rank_command,
    correct_command,
    ordinal,
    power,
    points,
    judges,
    correlate,
    family,
    worth,
):
    command.add_command(_subcommand)
