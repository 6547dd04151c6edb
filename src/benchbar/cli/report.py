"""`benchbar report`: write the report of a finished run in one of several formats."""

from __future__ import annotations

from pathlib import Path

import click

from benchbar.artefacts.layout import RunFolder
from benchbar.cli.command import Command
from benchbar.cli.languages import language_option
from benchbar.records import RunResults, Suite
from benchbar.records.errors import BenchbarError, UnknownNameError, UserError

NAMES = ("html", "md", "csv", "json", "latex", "ragas", "inspect")


@click.command(cls=Command, context_settings={"show_default": True})
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--format", "form", type=click.Choice(NAMES), default="html", help="What to write.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where to write it.  [default: RUN/report.html for html, RUN/inspect/ASSISTANT.eval for inspect, stdout for the others]",
)
@click.option("--assistant", metavar="NAME", help="Whose answers a Ragas dataset or a log of Inspect is to hold.")
@language_option("Of the words of the HTML page.  [default: of the suite]")
def command(run: Path, form: str, out: Path | None, assistant: str | None, language: str | None) -> None:
    """Write the report of a finished run in one of several formats.

    RUN is the folder that `benchbar run` filled. No call is made: the numbers are those of results.json, the sample pages
    come from the JSONL files next to it; where people have marked since, the gate is that of their marks. json prints results.json itself; ragas writes
    the answers of one assistant as a dataset that Ragas reads; inspect a log for each assistant, which `inspect view` opens.

    benchbar report runs/model-jurisdiction-zh --language en
    benchbar report runs/model-jurisdiction-zh --format csv --out results.csv
    benchbar report runs/model-jurisdiction-zh --format latex
    benchbar report runs/model-jurisdiction-zh --format ragas --assistant extractive --out answers.jsonl
    benchbar report runs/model-jurisdiction-zh --format inspect
    """
    from benchbar.artefacts.folder import read_results
    from benchbar.cli.printing import print_bytes
    from benchbar.records.files import read_bounded, write_atomically
    from benchbar.runs.gating import as_marked

    results = read_results(run)
    if form == "inspect":
        _inspect(run, results, assistant, out)
        return
    if form == "json":
        # As it is on disk: encoding it anew would write the schema of this version.
        data = read_bounded(RunFolder(run).results)
    elif form == "html":
        data = _html(run, as_marked(run, results), language)
        out = out or RunFolder(run).report
    elif form == "ragas":
        data = _ragas(run, results, assistant)
    elif form == "md":
        from benchbar.measures.beside_people import of_run
        from benchbar.reports.tables import as_markdown

        data = as_markdown(as_marked(run, results), of_run(run)).encode()
    else:
        from benchbar.reports.tables import FORMATS

        data = FORMATS[form](results).encode()
    if out is None:
        print_bytes(data)
        return
    write_atomically(out, data)
    click.echo(f"written: {out}")


def _ragas(run: Path, results: RunResults, assistant: str | None) -> bytes:
    from benchbar.artefacts.folder import read_material
    from benchbar.reports.ragas_export import as_ragas

    suite, missing = suite_of(run, results)
    if suite is None:
        raise UserError(f"the questions are not at hand: {missing}")
    return as_ragas(results, read_material(run), suite, assistant)


def _inspect(run: Path, results: RunResults, assistant: str | None, out: Path | None) -> None:
    from datetime import UTC, datetime

    from benchbar.artefacts.folder import read_material, read_measures
    from benchbar.records.files import write_atomically
    from benchbar.reports.inspect_export import as_inspect

    if out is not None and assistant is None and len(results.assistants) > 1:
        raise UserError(
            f"a log of Inspect is about one system; name it with --assistant: {', '.join(results.assistants)}"
        )
    suite, missing = suite_of(run, results)
    if missing:
        click.echo(f"without the suite: {missing}", err=True)
    # The only clock of a finished run; nothing in its results depends on one.
    made = datetime.fromtimestamp(RunFolder(run).results.stat().st_mtime, UTC)
    logs = as_inspect(results, read_material(run), read_measures(run), suite, made=made, assistant=assistant)
    for name, data in logs.items():
        file = out or RunFolder(run).inspect_log(name)
        write_atomically(file, data)
        click.echo(f"written: {file}")


def _html(run: Path, results: RunResults, language: str | None) -> bytes:
    from benchbar.artefacts.folder import read_material
    from benchbar.artefacts.shown import kept, most_apart, narrowed
    from benchbar.reports.html import html

    chosen = most_apart(run)
    suite, missing = kept(run, results, chosen), ""
    if suite is None:
        suite, missing = suite_of(run, results)
    if missing:
        click.echo(f"without the suite: {missing}", err=True)
    if suite:  # the other samples of a large run need not be held while the page is made
        suite = narrowed(suite, chosen)
    return html(results, read_material(run, chosen), suite, missing_suite=missing, language=language)


def suite_of(run: Path, results: RunResults) -> tuple[Suite | None, str]:
    """The suite that the run was made from; else None and why it is not at hand."""
    from benchbar.runs.assembling import chosen_suite
    from benchbar.runs.manifest import read_manifest

    try:
        manifest = read_manifest(run)
        if manifest is None:
            return None, "run.json is not in the folder"
        suite = chosen_suite(manifest.spec, Path(manifest.folder))
    except UnknownNameError as error:
        # A file that is elsewhere now: the names of all bundled suites would be no help.
        return None, str(error).partition("; known")[0]
    except BenchbarError as error:
        return None, str(error)
    # Guidance that was changed since would stand beside marks made by the old one.
    if suite.fingerprint != results.suite_fingerprint:
        return None, f"{manifest.spec.suite} has changed since the run"
    return suite, ""
