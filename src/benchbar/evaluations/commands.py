"""`benchbar judge`."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchbar.cli.command import Command, section
from benchbar.cli.options import FILE, concurrency_option, json_option, max_cost_option, quiet_option, seed_option
from benchbar.records.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchbar.clients import Endpoint
    from benchbar.evaluations.auditing import Reading
    from benchbar.evaluations.rejudging import Corrected, Drawn, Opinion

SHOWN = 40
"""Lines of a list on the terminal; the report has all."""


@click.command(cls=Command, part="Numbers", short_help="Judge the logs of another program's evaluation again.")
@click.argument("logs", nargs=-1, required=True, type=click.Path(path_type=Path))
@section(
    "A second opinion",
    click.option("--judge", "judges", multiple=True, metavar="MODEL@URL", help="A second judge; several are a panel."),
    click.option("--measure", default="", help="Which score is judged again, where the log has several."),
    click.option(
        "--opponent", default="", metavar="FIELD", help="Where a log keeps the answer that each one was compared with."
    ),
    click.option("--criterion", default="", help="By what answers are judged, where the log does not say it."),
    click.option("--size", type=click.IntRange(2), default=100, show_default=True, help="Samples drawn of each task."),
    click.option(
        "--repeats", type=click.IntRange(1, 20), default=1, show_default=True, help="Times each judge is asked."
    ),
    click.option(
        "--reduce",
        "reduction",
        type=click.Choice(["mean", "majority", "median", "strict"]),
        default="mean",
        show_default=True,
        help="How what several judges say becomes one value.",
    ),
    click.option(
        "--people", type=click.Path(path_type=Path), help="Write the drawn sample as a table for people to mark."
    ),
    click.option("--marks", type=FILE, help="That table with their marks: figures are corrected to what people say."),
)
@click.option(
    "--out", type=click.Path(path_type=Path), help="Folder of the report, the sample and the judges' answers."
)
@seed_option
@concurrency_option(16)
@max_cost_option
@json_option
@quiet_option
def command(logs: tuple[Path, ...], *, out: Path | None, as_json: bool, opponent: str, **options: Any) -> None:
    r"""Judge the logs of another program's evaluation again: published, recomputed, corrected.

    Reads Inspect .eval, EvalScope, promptfoo, DeepEval, Ragas, AlpacaEval, Harvey LAB, OpenTelemetry and Langfuse files,
    or folders of them. Figures are recomputed with intervals and checked for what cannot be true. A second judge, or
    people, look at a sample drawn at random, and the figures are corrected by what they say.

    benchbar judge results.json
    benchbar judge logs/2026-05-01.eval --out judged --judge m2@http://127.0.0.1:8000/v1 --size 100
    benchbar judge annotations.json leaderboard.csv --out judged --people queue.csv
    benchbar judge annotations.json leaderboard.csv --out judged --marks queue.csv
    """
    from benchbar.artefacts.layout import RunFolder
    from benchbar.cli.printing import print_json
    from benchbar.evaluations.auditing import read
    from benchbar.evaluations.report import as_html, as_markdown, document
    from benchbar.records import encode
    from benchbar.records.files import write_atomically

    asked = bool(options["judges"] or options["people"] or options["marks"])
    if asked and out is None:
        raise UserError("--judge, --people and --marks need --out: the folder that keeps the sample and the answers")
    reading = read(logs, opponent=opponent)
    if not as_json:
        _show_reading(reading)
    found, by, lost = _second_opinion(reading, out, **options) if asked and out else ([], [], [])
    if out is not None:
        write_atomically(out / "judged.json", encode(document(reading, found, lost)))
        folder = RunFolder(out)
        write_atomically(folder.tables, as_markdown(reading, found, by, lost))
        write_atomically(folder.report, as_html(reading, found, by, lost))
    if as_json:
        print_json(document(reading, found, lost))
        return
    # Before the figures: a judge that nobody could read leaves them without a second opinion, and says nothing of them.
    for line in lost:
        click.echo(f"judge    {line}")
    show_figures(reading, found, by)
    if out is not None:
        click.echo(f"written: {RunFolder(out).report}, {RunFolder(out).tables.name}, judged.json")


def _second_opinion(
    reading: Reading, out: Path, *, measure: str, size: int, seed: int, reduction: Any, **options: Any
) -> tuple[list[Corrected], list[str], list[str]]:
    """Corrected figures, by whom, and which judges gave no readable answer."""
    import numpy as np

    from benchbar.evaluations.auditing import sample_of
    from benchbar.evaluations.people import read_marks, write_queue
    from benchbar.evaluations.rejudging import answers_of, corrected, drawn_measure, unanswered_opinions

    measure = drawn_measure(reading.figures, measure)
    drawn = sample_of(reading, measure, size, np.random.default_rng(seed), out)
    if options["people"]:
        write_queue(options["people"], drawn, answers_of(reading.figures, drawn))
        click.echo(
            f"{len(drawn)} answers for people to mark: {options['people']}; then --marks {options['people']}", err=True
        )
    opinions: Sequence[Opinion] = read_marks(options["marks"], drawn) if options["marks"] else ()
    by, lost = ["people"] if opinions else [], list[str]()
    # People have the last word: what judges say as well is kept in the folder beside their marks.
    if options["judges"]:
        said = _asked(reading, drawn, out, seed=seed, **options)
        lost = unanswered_opinions(said)
        if not opinions:
            opinions, by = said, list(dict.fromkeys(one.by for one in said))
    return (corrected(reading.figures, opinions, measure, reduction), by, lost) if opinions else ([], [], lost)


def _asked(
    reading: Reading, drawn: Sequence[Drawn], out: Path, *, judges: Sequence[str], quiet: bool, **options: Any
) -> list[Opinion]:
    from benchbar.cli.progress import watched
    from benchbar.evaluations.auditing import second_opinions

    with watched(show=not quiet) as (on_progress, cancel):
        return asyncio.run(
            second_opinions(
                reading,
                drawn,
                endpoints(judges),
                folder=out,
                criterion=options["criterion"],
                repeats=options["repeats"],
                max_cost=options["max_cost"],
                concurrency=options["concurrency"],
                seed=options["seed"],
                on_progress=on_progress,
                cancel=cancel,
            )
        )


def endpoints(judges: Sequence[str]) -> dict[str, Endpoint]:
    """Each judge by its model, or by model and address where two have one name."""
    from benchbar.assistants.build import endpoint_at

    found = [endpoint_at(f"judge={text}", {"temperature": 0})[1] for text in judges]
    models = [one.model for one in found]
    return {one.model if models.count(one.model) == 1 else one.identity: one for one in found}


def _show_reading(reading: Reading) -> None:
    from benchbar.evaluations.report import finding_lines, problems, understood

    for line in understood(reading):
        click.echo(f"read     {line}")
    wrong = problems(reading)
    for line in wrong[:SHOWN]:
        click.echo(f"problem  {line}")
    if len(wrong) > SHOWN:
        click.echo(f"problem  and {len(wrong) - SHOWN} more")
    for line in finding_lines(reading):
        click.echo(f"found    {line}")


def show_figures(reading: Reading, found: Sequence[Corrected], by: Sequence[str]) -> None:
    """Print a line for each figure, and what LAB's runs tell besides."""
    from benchbar.cli.printing import print_table
    from benchbar.evaluations.report import HEAD, lab_lines, lines_of, notes
    from benchbar.records.numbers import counted

    lines = lines_of(reading, found)
    print_table(HEAD, lines[:SHOWN])
    if len(lines) > SHOWN:
        click.echo(f"and {len(lines) - SHOWN} more figures (--json, or --out for the report)")
    about_labs = list(lab_lines(reading))
    for line in about_labs[:SHOWN]:
        click.echo(line)
    if len(about_labs) > SHOWN:
        click.echo(f"and {len(about_labs) - SHOWN} more lines (--out for the report)")
    for note in notes(found, by):
        click.echo(note)
    click.echo(f"{counted(len(lines), 'figure')}; {counted(len(reading.findings), 'finding')}")
