"""`benchbar survey verify`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from benchbar.records.survey import VerificationResults

EXIT_REWORK = 1
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command()
@click.argument("ratings", type=_FILE)
@click.option("--threshold", type=float, default=4.0, show_default=True, help="Mean that a task has to reach, 1 to 5.")
@click.option("--survey", type=_FILE, help="survey.json of the analysis: retained use cases without a task are named.")
@click.option(
    "--mapping", type=_FILE, help="Table with the columns task and use_case, where the ratings do not say it."
)
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Folder for the reports.")
@click.option(
    "--language", type=click.Choice(["en", "zh", "ru"]), default="en", show_default=True, help="Of the reports."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the bootstrap of agreement.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
def command(
    ratings: Path,
    threshold: float,
    survey: Path | None,
    mapping: Path | None,
    out: Path | None,
    language: str,
    seed: int,
    *,
    as_json: bool,
) -> None:
    """Tell from RATINGS (columns rater, task, clarity, relevance, practicality) which tasks pass.

    A row is what one person says of one task, 1 to 5; round, comment and use_case may be told as well. Exit code 1 says
    that a task has to be reworked.

    \b
      benchbar survey verify ratings.csv
      benchbar survey verify ratings.csv --survey needs/survey.json --out needs
    """  # noqa: D301 - click reads the backspace
    from benchbar.cli.printing import print_json
    from benchbar.cli.survey_files import tell_problems, write_documents
    from benchbar.records import decode
    from benchbar.records.files import read_bounded
    from benchbar.records.survey import SurveyResults
    from benchbar.survey.report import verification_document
    from benchbar.survey.verification import read_mapping, read_ratings, verified

    results = verified(
        read_ratings(ratings),
        threshold=threshold,
        seed=seed,
        survey=decode(read_bounded(survey), SurveyResults, file=survey) if survey else None,
        mapping=read_mapping(mapping) if mapping else None,
    )
    document = verification_document(results, language)
    written = write_documents(out, "verification", document, results) if out else []
    if as_json:
        print_json(results)
    else:
        tell_problems(results.problems)
        _show(results, language)
        for path in written:
            click.echo(f"written: {path}")
    if results.rework:
        sys.exit(EXIT_REWORK)


def _show(results: VerificationResults, language: str) -> None:
    from benchbar.cli.printing import print_table
    from benchbar.reports.catalogue import labels
    from benchbar.reports.printing import printable
    from benchbar.survey.tables import verification_intro, verification_tables

    say = labels(language)
    for line in verification_intro(results, say):
        click.echo(printable(line))
    for title, (head, *rows) in verification_tables(results, say):
        print_table(head, ([printable(cell) for cell in row] for row in rows), title)
