"""`benchbar survey template`."""

from __future__ import annotations

from pathlib import Path

import click

from benchbar.records.errors import UserError


@click.command()
@click.option("--language", type=click.Choice(["zh", "en"]), default="en", show_default=True, help="Of the questions.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="File to write.  [default: stdout]")
def command(language: str, out: Path | None) -> None:
    """Write a questionnaire to begin from: five scenarios, 33 use cases, an open question.

    \b
      benchbar survey template --language zh --out needs.toml
    """  # noqa: D301 - click reads the backspace
    from benchbar.records.files import write_atomically
    from benchbar.survey.questionnaire import template

    text = template(language)
    if out is None:
        click.echo(text, nl=False)
        return
    if out.exists():
        raise UserError(f"{out} is there already; name a new file")
    write_atomically(out, text.encode())
    click.echo(f"written: {out}")
