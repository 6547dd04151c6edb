"""`benchbar law index`: statutes and decisions read into an index."""

from __future__ import annotations

from pathlib import Path

import click

from benchbar.cli.command import Command
from benchbar.cli.options import json_option

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
@json_option
def command(paths: tuple[Path, ...], out: Path, claims: tuple[str, ...], *, as_json: bool) -> None:
    """Read the law under each PATH into an index: Markdown, text, JSON lines, DOCX and PDF.

    Files that have not changed since the last time are not read again. What cannot be read is named with the reason.

    benchbar law index statutes/ cases.jsonl --out indexes/prc
    benchbar law index acts/ --out indexes/ours --claim '*'
    """
    from benchbar.cli.printing import print_json, progress
    from benchbar.law.index import build_index

    report = build_index(paths, out, claims=frozenset(claims), progress=lambda files: progress(files, "reading"))
    if as_json:
        print_json(report)
        return
    unchanged = sum(file.unchanged for file in report.read)
    click.echo(
        f"{out}: {report.laws} laws, {report.articles} articles, {report.decisions} decisions, {report.pieces} pieces "
        f"from {len(report.read)} files ({unchanged} unchanged) in {report.seconds:.1f} s"
    )
    for one in report.skipped[:_SHOWN]:
        click.echo(f"skipped {one.file}: {one.reason}")
    if len(report.skipped) > _SHOWN:
        click.echo(f"… and {len(report.skipped) - _SHOWN} more: `--json` lists them all")
