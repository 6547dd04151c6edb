"""`benchbar law index`: statutes and decisions read into an index."""

from __future__ import annotations

from pathlib import Path

import click

from benchbar.cli.command import Command
from benchbar.cli.options import json_option
from benchbar.records.errors import UserError

# Levels and not names of laws: a source is whole for the constitution and laws, and a selection for all below.
CLAIMS = ("constitution", "law", "regulation", "rule", "interpretation", "local", "decision", "*")
_SHOWN = 20


@click.command("index", cls=Command)
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH…")
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), help="Folder of the index; made where it is not."
)
@click.option(
    "--claim",
    "claims",
    multiple=True,
    type=click.Choice(CLAIMS),
    help="A level of law that the files hold all of, so that a law of it that is not there does not exist; `*` for all "
    "law. Without it, a citation of an unknown law is `outside_corpus`.",
)
@click.option(
    "--as-of",
    default="",
    metavar="DATE",
    help="Last day, YYYY-MM-DD, that the files know the law of: on later days citations are `after_snapshot`.  [default: of "
    "a compilation of a country's law, the day its last act was adopted; else none]",
)
@click.option(
    "--ocr",
    is_flag=True,
    help="Have `ocrmypdf`, which has to be installed, recognise the pages of PDF files that are pictures.",
)
@json_option
def command(
    paths: tuple[Path, ...], out: Path, claims: tuple[str, ...], as_of: str, *, ocr: bool, as_json: bool
) -> None:
    """Read the law under each PATH into an index.

    Acts and decisions are read from text, Markdown, DOCX, PDF, HTML, RTF, ODT and EPUB, from JSON lines, and from the XML
    of official sites: CLML, Akoma Ntoso, USLM and Formex. What each file was taken for is printed, and kept with the
    index (`benchbar law list`); a `law.toml` beside the files corrects it. Files that have not changed since the last time
    are not read again. What cannot be read is named with the reason.

    benchbar law index statutes/ cases.jsonl --out indexes/prc
    benchbar law index acts/ --out indexes/ours --claim '*'
    """
    from benchbar.cli.law_list import print_documents
    from benchbar.cli.printing import print_json, progress
    from benchbar.law.dates import checked
    from benchbar.law.index import build_index
    from benchbar.retrieval.ordering import MOST_PASSAGES

    # The reader of dates takes other forms; in an index the day is compared as text.
    if as_of and checked(as_of) != as_of:
        raise UserError(f"--as-of {as_of!r}: expected a date as YYYY-MM-DD")
    report = build_index(
        paths, out, claims=frozenset(claims), as_of=as_of, ocr=ocr, progress=lambda files: progress(files, "reading")
    )
    if as_json:
        print_json(report)
        return
    unchanged = sum(file.unchanged for file in report.read)
    click.echo(
        f"{out}: {report.laws} laws, {report.articles} articles, {report.decisions} decisions, {report.pieces} pieces "
        f"from {len(report.read)} files ({unchanged} unchanged) in {report.seconds:.1f} s"
    )
    until = (
        f"as of {report.as_of}: on later days"
        if report.as_of
        else "no last day is known (`--as-of` gives one): on no day"
    )
    click.echo(f"{until} citations are `after_snapshot`")
    print_documents(report.read, most=_SHOWN)
    for one in report.skipped[:_SHOWN]:
        click.echo(f"skipped {one.file}: {one.reason}")
    if len(report.skipped) > _SHOWN:
        click.echo(f"… and {len(report.skipped) - _SHOWN} more: `--json` lists them all")
    if report.articles > MOST_PASSAGES:
        click.echo(
            f"more than {MOST_PASSAGES:,} articles: `ask` states no rule here but of articles that a question names; it lists articles to read"
        )
    if report.articles:
        click.echo(f"which retriever finds most in it: benchbar law tune --law {out}")
