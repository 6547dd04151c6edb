"""What the commands of a survey share: problems on stderr, reports in a folder."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from benchbar.records import Problem, encode

if TYPE_CHECKING:
    from benchbar.survey.report import Document

SHOWN = 20
"""Problems told one by one; all of them are in the reports."""


def tell_problems(problems: Iterable[Problem]) -> None:
    """Each problem by file, row and column."""
    listed = list(problems)
    for one in listed[:SHOWN]:
        place = f"{one.file}{'' if one.line is None else f', row {one.line}'}"
        column = f", column {one.field}" if one.field else ""
        click.echo(f"{place}{column}: {one.message}", err=True)
    if len(listed) > SHOWN:
        click.echo(f"and {len(listed) - SHOWN} more problems", err=True)


def write_documents(folder: Path, name: str, document: Document, results: object) -> list[Path]:
    """The report in every form, and the numbers as JSON; each file is written whole."""
    from benchbar.records.files import write_atomically
    from benchbar.survey.report import CHART, FORMATS

    made = {f"{name}.{ending}": write(document).encode() for ending, write in FORMATS.items()}
    made[f"{name}.json"] = msgspec.json.format(encode(results), indent=2) + b"\n"
    if document.chart:
        made[CHART] = document.chart.encode()
    for file, data in made.items():
        write_atomically(folder / file, data)
    return [folder / file for file in made]
