"""`benchbar survey import`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

EXIT_PROBLEMS = 1


@click.command()
@click.argument("responses", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--questionnaire",
    required=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="What was asked (TOML).",
)
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="JSONL file to write the responses to.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
def command(responses: Path, questionnaire: Path, out: Path, *, as_json: bool) -> None:
    """Read RESPONSES of a spreadsheet or survey service (CSV, TSV or JSONL) and write them in one form.

    UTF-8, UTF-16 and GB18030 are told apart by themselves. A row that cannot be understood is named by file, row and
    column, and left out; exit code 1 says that there was one.

    \b
      benchbar survey import export.csv --questionnaire needs.toml --out responses.jsonl
    """  # noqa: D301 - click reads the backspace
    from benchbar.cli.printing import print_json
    from benchbar.cli.survey_files import tell_problems
    from benchbar.records import encode
    from benchbar.records.files import write_atomically
    from benchbar.survey.questionnaire import read_questionnaire
    from benchbar.survey.responses import read_responses

    found = read_responses(responses, read_questionnaire(questionnaire))
    write_atomically(out, b"".join(encode(one) + b"\n" for one in found.responses))
    if as_json:
        print_json(
            {
                "responses": len(found.responses),
                "unreadable": found.unreadable,
                "problems": found.problems,
                "ignored_columns": found.ignored,
            }
        )
    else:
        tell_problems(found.problems)
        click.echo(f"{len(found.responses)} responses written: {out}")
        if found.unreadable:
            click.echo(f"{len(found.unreadable)} rows could not be read")
        if found.ignored:
            click.echo(f"columns that are none of the questionnaire's: {', '.join(found.ignored)}")
    if found.problems:
        sys.exit(EXIT_PROBLEMS)
