"""`benchbar gate`: may this assistant be released?"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from benchbar.cli.command import Command
from benchbar.cli.languages import language_option
from benchbar.cli.options import json_option


@click.command(cls=Command, context_settings={"show_default": True})
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--policy",
    metavar="FILE",
    help="TOML file with the conditions, or a built-in one: release, attacks.  [default: the one that the run was made with, else the built-in `release`]",
)
@click.option(
    "--baseline",
    type=click.Path(path_type=Path),
    help="Run it must not be worse than: its folder, or a file of `baseline save`.",
)
@click.option(
    "--assistant", "assistants", multiple=True, metavar="NAME", help="Whom to decide on.  [default: all candidates]"
)
@click.option(
    "--mark-cost",
    type=click.FloatRange(min=0),
    help="What one more human mark costs, in the currency of the run's prices: an open condition says what deciding costs.",
)
@click.option("--junit", type=click.Path(path_type=Path, dir_okay=False), help="Write the checks as JUnit XML.")
@click.option("--summary", type=click.Path(path_type=Path, dir_okay=False), help="Write a Markdown summary.")
@click.option("--badge", type=click.Path(path_type=Path, dir_okay=False), help="Write an SVG badge.")
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), help="Write a page that opens offline.")
@language_option("Of sentences and reasons.", default="en")
@click.option("--full", is_flag=True, help="Print every condition with its reason, also those that pass.")
@click.option("--annotations", is_flag=True, help="Print GitHub annotations instead of a table.")
@json_option
def command(
    run: Path,
    policy: str | None,
    baseline: Path | None,
    assistants: tuple[str, ...],
    mark_cost: float | None,
    language: str,
    *,
    full: bool,
    annotations: bool,
    as_json: bool,
    **outputs: Path | None,
) -> None:
    """Decide whether an assistant may be released, on the intervals of a finished RUN.

    Every condition answers pass, fail or insufficient evidence; one that fails fails all. Where the evidence does not
    suffice, the answer says how many more samples or human marks would decide, and which way: you may follow it and look
    again. No call is made.

      Exit codes: 0 pass, 3 fail, 4 insufficient evidence.

    benchbar gate runs/model-jurisdiction-zh
    benchbar gate runs/new --policy policy.toml --baseline runs/old --junit gate.xml
    """
    from benchbar.languages.packs import labels
    from benchbar.measures.beside_people import of_run
    from benchbar.records import encode
    from benchbar.records.files import write_atomically
    from benchbar.reports import beside_people
    from benchbar.reports.gate import EXIT_CODES, FILES, show_gate, summary, workflow_commands
    from benchbar.reports.printing import console, printable
    from benchbar.runs.run import Run

    opened = Run(run)
    invented_law = opened.results.invented_law or ""
    gate = opened.gate(policy, baseline=baseline, assistants=assistants, mark_cost=mark_cost).record
    # Before the exit code: a failed gate is what the files are looked at for.
    for form, path in outputs.items():
        if path is not None:
            write_atomically(path, FILES[form](gate, language, invented_law))
    if as_json:
        click.echo(encode(gate).decode())
    elif annotations:
        click.echo(workflow_commands(gate), nl=False)
    else:
        out = console()
        show_gate(gate, out, language, full=full, invented_law=invented_law)
        for line in beside_people.lines(of_run(run), labels(language)):
            out.print(printable(line), highlight=False, style="dim", markup=False)
    if page := os.environ.get("GITHUB_STEP_SUMMARY"):
        # Appended: other steps of the job write to the same page.
        with Path(page).open("a", encoding="utf-8") as file:
            file.write(summary(gate, language, invented_law))
    sys.exit(EXIT_CODES[gate.decision])
