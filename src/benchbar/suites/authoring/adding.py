"""Takes samples from documents into a suite: columns become information, needs and the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import msgspec

from benchbar.languages.text import comparable
from benchbar.records import Problem, Sample, Suite
from benchbar.suites.authoring.layout import EXAMPLE, write_samples
from benchbar.suites.columns import known_columns
from benchbar.suites.folder import read_card, read_tasks, read_whole, sample_of
from benchbar.suites.question_table import question_table
from benchbar.suites.table_rows import fields_of


@dataclass
class Added:
    """What became of a file: the samples taken, those passed over because they are there already, and the problems."""

    samples: list[Sample] = field(default_factory=list)
    there: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    unread: tuple[str, ...] = ()
    """Columns that mean nothing here."""
    encoding: str = ""
    """Of the file; empty where its format knows no other than its own."""
    notes: tuple[str, ...] = ()
    """What was taken of the file, and what was not."""
    understood: str = ""
    """How the file was read."""


def add(
    folder: Path,
    file: Path,
    *,
    columns: Mapping[str, str] | None = None,
    defaults: Mapping[str, str] | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
    dry_run: bool = False,
) -> Added:
    """Take the samples of a table into the suite in ``folder``; good rows go on without the bad.

    Args:
        folder: The suite.
        file: The table.
        columns: Field of a sample to the head of its column, where the head does not say it.
        defaults: Field to what it is where the file does not say.
        encoding: Of the file, where it is not to be found out.
        sheet: Of a workbook that has several.
        dry_run: Write nothing.

    Raises:
        UserError: a field or column that there is not, or the suite cannot be written.
        BadInputError: suite or file cannot be read.
    """
    suite = _suite(folder)
    mapping = dict(columns or {})
    table = question_table(file, encoding=encoding, sheet=sheet, labels=mapping.values())
    rows = table.rows
    heads, found = known_columns(table, mapping), len(table.problems)
    added = Added(encoding=table.encoding, notes=table.notes, understood=table.understood(), unread=heads.unread)
    # The first samples of one's own replace the example.
    kept = {sample.id: sample for sample in suite.samples if EXAMPLE not in sample.tags}
    texts = {_text(sample): sample.id for sample in kept.values()}
    free = (f"s{number:03}" for number in count(1) if f"s{number:03}" not in kept)
    for line, row in rows:
        fields = fields_of(row, heads.fields, defaults or {}, table, line)
        if fields is None:
            continue
        if "id" not in fields:
            fields["id"] = next(free)
        sample = sample_of(table, line, {"language": suite.card.language} | fields, suite.tasks)
        if sample is None:
            continue
        # By text and not by id: a table that is added a second time brings nothing, whatever its ids.
        if (same := texts.get(_text(sample))) is not None:
            added.there.append(same)
        elif sample.id in kept:
            table.problem(f"the id {sample.id} is taken; the row is skipped", line=line, field="id")
        else:
            kept[sample.id], texts[_text(sample)] = sample, sample.id
            added.samples.append(sample)
    added.problems = table.problems[:found] + _renamed(table.problems[found:], heads.fields)
    if added.samples and not dry_run:
        write_samples(folder, kept.values())
    return added


def _suite(folder: Path) -> Suite:
    """The suite as it is; one without any sample yet is none the less a suite.

    Raises:
        UserError: rows in it cannot be read, and would be lost.
    """
    card = read_card(folder)
    tasks = read_tasks(folder, card.language)
    file = folder / "samples.jsonl"
    if not (file.exists() and file.stat().st_size) and not (folder / "samples.csv").exists():
        return Suite(card=card, tasks=tasks, samples=(), folder=folder)
    return read_whole(folder)


def _renamed(problems: list[Problem], heads: Mapping[str, str]) -> list[Problem]:
    """Problems of fields, named by the columns that the user knows."""
    back = {name: head for head, name in heads.items()}
    return [msgspec.structs.replace(one, field=back.get(one.field or "", one.field)) for one in problems]


def _text(sample: Sample) -> str:
    return comparable(sample.task + sample.information + sample.needs).text
