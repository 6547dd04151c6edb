"""`benchbar survey analyse`."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchbar.records.errors import UserError

if TYPE_CHECKING:
    from benchbar.records.survey import OpenGroup, Questionnaire, Statement, SurveyResults

GROUPS, LEDGER = "groups.toml", "groups.sqlite"
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command()
@click.argument("responses", type=click.Path(path_type=Path, exists=True))
@click.option("--questionnaire", required=True, type=_FILE, help="What was asked (TOML).")
@click.option("--min-minutes", type=click.FloatRange(min=0), help="Less is too fast.  [default: of the questionnaire]")
@click.option(
    "--threshold", type=float, default=0.10, show_default=True, help="Share from which a use case is retained."
)
@click.option("--groups", type=_FILE, help="Groups of open answers with your decisions.  [default: OUT/groups.toml]")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Folder for reports and groups.")
@click.option(
    "--language", type=click.Choice(["en", "zh", "ru"]), help="Of the reports.  [default: of the questionnaire]"
)
@click.option(
    "--model", default="", help="Chat model that proposes groups of open answers; needs --base-url and --out."
)
@click.option("--base-url", default="", help="Its OpenAI-compatible address, e.g. http://127.0.0.1:8000/v1.")
@click.option("--api-key-env", default="", help="Name of the environment variable with the key.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
def command(
    responses: Path,
    questionnaire: Path,
    min_minutes: float | None,
    threshold: float,
    groups: Path | None,
    out: Path | None,
    language: str | None,
    *,
    as_json: bool,
    **model: str,
) -> None:
    """Tell from RESPONSES (CSV, TSV, JSONL) which use cases users want.

    With --out, reports are written, and groups.toml with proposed groups of open answers: accept or refuse each in that
    file, then run the same command again. A use case is retained from --threshold of its scenario's respondents;
    where the interval holds the threshold, that is said.

    \b
      benchbar survey analyse responses.csv --questionnaire needs.toml
      benchbar survey analyse responses.csv --questionnaire needs.toml --out needs --threshold 0.10 --min-minutes 5
    """  # noqa: D301 - click reads the backspace
    from benchbar.cli.printing import print_json
    from benchbar.cli.survey_files import tell_problems, write_documents
    from benchbar.records.files import write_atomically
    from benchbar.survey.analysis import analysed
    from benchbar.survey.exclusions import sorted_out
    from benchbar.survey.group_file import read_groups, written
    from benchbar.survey.grouping import statements, ungrouped
    from benchbar.survey.questionnaire import read_questionnaire
    from benchbar.survey.report import survey_document
    from benchbar.survey.responses import read_responses

    asked = read_questionnaire(questionnaire)
    collected = read_responses(responses, asked)
    least = asked.min_minutes if min_minutes is None else min_minutes
    valid, _ = sorted_out(collected.responses, asked, min_minutes=least)
    file = groups or (out / GROUPS if out and (out / GROUPS).is_file() else None)
    known = read_groups(file, asked) if file else ()
    new, notes = _proposed(ungrouped(statements(valid), known), asked, out, model)
    every = (*known, *new)
    results = analysed(collected, asked, threshold=threshold, min_minutes=least, groups=every, notes=notes)
    files = []
    if out:
        files = write_documents(out, "survey", survey_document(results, language or ""), results)
        if every:
            write_atomically(out / GROUPS, written(every))
            files.append(out / GROUPS)
    if as_json:
        print_json(results)
        return
    tell_problems(results.problems)
    _show(results, language or asked.language)
    for path in files:
        click.echo(f"written: {path}")


def _proposed(
    found: Mapping[str, Sequence[Statement]], asked: Questionnaire, out: Path | None, model: Mapping[str, str]
) -> tuple[list[OpenGroup], list[str]]:
    """Groups of what is in none yet: by the model where one is named, and by the words for what it left."""
    from benchbar.survey.grouping import proposed, ungrouped

    if not model["model"] or not found:
        return proposed(found, asked)
    if out is None or not model["base_url"]:
        raise UserError("--model needs --base-url, and --out for the folder that keeps its answers")
    groups, notes = asyncio.run(_by_model(found, asked, out / LEDGER, model))
    others, more = proposed(ungrouped(found, groups), asked)
    return [*groups, *others], [*notes, *more]


async def _by_model(
    found: Mapping[str, Sequence[Statement]], asked: Questionnaire, file: Path, model: Mapping[str, str]
) -> tuple[list[OpenGroup], list[str]]:
    from benchbar.cli.progress import progress
    from benchbar.clients import Budget, ChatModel, Client, Endpoint
    from benchbar.ledger import Ledger
    from benchbar.survey.model_grouping import ModelGrouping, calls_needed

    ledger, budget = Ledger(file), Budget(None)
    client = Client(ledger, budget=budget, concurrency=8, seed=0)
    endpoint = Endpoint(
        model=model["model"],
        base_url=model["base_url"],
        api_key_env=model["api_key_env"],
        params={"temperature": 0},
    )
    try:
        with progress(calls_needed(found), ledger, budget, show=True, label="grouping") as done:
            grouping = ModelGrouping(ChatModel(endpoint, client), ledger.nonce)
            return await grouping.proposed(found, asked, lambda: done("grouping"))
    finally:
        await client.close()
        ledger.close()


def _show(results: SurveyResults, language: str) -> None:
    from benchbar.cli.printing import print_table
    from benchbar.reports.catalogue import labels
    from benchbar.reports.printing import printable
    from benchbar.survey.tables import survey_intro, survey_tables

    say = labels(language)
    for line in survey_intro(results, say):
        click.echo(printable(line))
    for title, (head, *rows) in survey_tables(results, say):
        print_table(head, ([printable(cell) for cell in row] for row in rows), title)
    for note in results.notes:
        click.echo(printable(note), err=True)
