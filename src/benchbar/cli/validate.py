"""`benchbar validate`: what a run's own records say of its judge and its simulated user."""

from __future__ import annotations

from pathlib import Path

import click

from benchbar.cli.command import Command
from benchbar.cli.options import json_option


@click.command(cls=Command)
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Also write the tables as a page (HTML).")
@json_option
def command(run: Path, out: Path | None, *, as_json: bool) -> None:
    """Validate the judge and the simulated user of a RUN from its own records.

    How the judge treats guidance points by people's marks, its agreement with people, its liking for its own model family,
    what other judges of the panel say, which form of judging is worth its cost, whether the weights of points help, what
    values go along with, and how true the simulated user stays. Each part says what it had and what was missing. Nothing is
    asked or paid.

    benchbar validate runs/r
    benchbar validate runs/r --out validations.html
    """
    from benchbar.cli.printing import print_json
    from benchbar.runs.validating import validate

    found = validate(run)
    if out is not None:
        from benchbar.records.files import write_atomically
        from benchbar.reports.validation import validation_page

        write_atomically(out, validation_page(found.run, found.validations))
    if as_json:
        print_json(found)
        return
    from benchbar.reports.validation import show_validations

    show_validations(found.validations)
    if out is not None:
        click.echo(f"written: {out}")
