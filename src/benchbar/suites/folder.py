"""Reads suites in Benchbar's own form: a folder with card, tasks and samples, or one file of samples.

The form is documented in ``docs/suite-format.md``: ``card.toml``, ``tasks.jsonl`` (left out where the tasks are those of
UCL-Bench), ``samples.jsonl`` or ``samples.csv``, and ``law/`` where the suite brings its own statutes.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

from benchbar.records import Guidance, Sample, Suite, SuiteCard, Task
from benchbar.records.errors import BadInputError
from benchbar.records.toml import read_toml
from benchbar.suites.guidance_text import read_guidance
from benchbar.suites.readers.rows import gather
from benchbar.suites.taxonomy import TASKS, task_id
from benchbar.tables.reading import read_table
from benchbar.tables.table import Table

_TEXT_FIELDS = ("id", "task", "needs", "information", "language", "on", "reference")
_DIVIDER = re.compile(r"\s*[;；\n]\s*")


def read(path: Path) -> Suite:
    """The suite in a folder, or in one JSONL or CSV file; samples that cannot be used are listed in its problems.

    Raises:
        BadInputError: card or tasks cannot be read, or no sample can.
    """
    folder = path if path.is_dir() else None
    card, tasks = read_card(path), read_tasks(path)
    table = read_table(_samples_file(path))
    samples = gather(table, ((line, sample_of(table, line, row, tasks, card)) for line, row in table), "sample")
    return Suite(card=card, tasks=tasks, samples=samples, folder=folder, problems=tuple(table.problems))


def read_card(path: Path) -> SuiteCard:
    """The card of a suite folder; one with nothing but a name for a file of samples.

    Raises:
        BadInputError: there is none, or it cannot be read.
    """
    file = path / "card.toml"
    if path.is_file():
        return SuiteCard(name=path.stem)
    if not file.exists():
        raise BadInputError(
            "no card.toml in this folder; expected a suite folder (see docs/suite-format.md)", file=path
        )
    return read_toml(file, SuiteCard)


def _samples_file(path: Path) -> Path:
    if path.is_file():
        return path
    found = next((path / name for name in ("samples.jsonl", "samples.csv") if (path / name).exists()), None)
    if found is None:
        raise BadInputError("neither samples.jsonl nor samples.csv in this folder", file=path)
    return found


def read_tasks(folder: Path) -> dict[str, Task]:
    """The tasks of a suite folder by id; those of UCL-Bench where it names none.

    Raises:
        BadInputError: one cannot be read, or an id is there twice.
    """
    path = folder / "tasks.jsonl"
    if not folder.is_dir() or not path.exists():
        return dict(TASKS)
    table = read_table(path)
    tasks: dict[str, Task] = {}
    for line, row in table:
        try:
            task = msgspec.convert(row, Task)
        except msgspec.ValidationError as error:
            raise BadInputError(str(error), file=path, line=line) from error
        if task.id in tasks:
            raise BadInputError(f"a second task with the id {task.id}", file=path, line=line, field="id")
        tasks[task.id] = task
    if table.problems:
        raise BadInputError(table.problems[0].message, file=path, line=table.problems[0].line)
    return tasks


def sample_of(table: Table, line: int, row: dict[str, Any], tasks: dict[str, Task], card: SuiteCard) -> Sample | None:
    """The sample that a row holds; None where it cannot be used, which becomes a problem of the rows."""
    fields = {"language": card.language} | {key: value for key, value in row.items() if value not in ("", None)}
    for name in ("id", "task", "needs"):
        if not str(fields.get(name) or "").strip():
            table.problem("missing or empty; the sample is skipped", line=line, field=name)
            return None
    fields |= {name: str(fields[name]) for name in _TEXT_FIELDS if name in fields}
    fields["task"] = fields["task"] if fields["task"] in tasks else task_id(fields["task"]) or fields["task"]
    if fields["task"] not in tasks:
        table.problem(f"unknown task {fields['task']!r}; known: {', '.join(tasks)}", line=line, field="task")
        return None
    try:
        sample = msgspec.convert(_plain(table, line, fields), Sample, strict=False)
    except msgspec.ValidationError as error:
        message, _, where = str(error).partition(" - at `")
        table.problem(message, line=line, field=where.rstrip("`").lstrip("$.") or None)
        return None
    return sample if _whole(table, line, sample) else None


def _plain(table: Table, line: int, fields: dict[str, Any]) -> dict[str, Any]:
    """Guidance written as labelled text becomes points; tags and evidence written in one cell become lists."""
    guidance, tags, evidence = (fields.get(name) for name in ("guidance", "tags", "evidence"))
    if isinstance(guidance, str):
        reading = read_guidance(guidance)
        for fault in reading.problems(fields["id"]):
            table.problem(fault, line=line, field="guidance")
        fields |= {"guidance": msgspec.to_builtins(reading.guidance)}
    if isinstance(tags, str):
        fields |= {"tags": tags.split()}
    if isinstance(evidence, str):
        fields |= {"evidence": [one for one in _DIVIDER.split(evidence) if one]}
    return fields


def _whole(table: Table, line: int, sample: Sample) -> bool:
    """Whether the guidance fits together: ids once, groups with members enough, weights above zero."""
    guidance: Guidance = sample.guidance
    ids = Counter(point.id for point in guidance.points)
    members = Counter(point.group for point in guidance.points)
    faults = [f"point id {id_!r} stands {count} times" for id_, count in ids.items() if count > 1]
    faults += [
        f"group {name!r} asks for {n} of {members[name]}"
        for name, n in guidance.at_least.items()
        if not 0 < n <= members[name]
    ]
    faults += [f"point {point.id!r} has the weight {point.weight}" for point in guidance.points if not point.weight > 0]
    for fault in faults:
        table.problem(f"{sample.id}: {fault}; the sample is skipped", line=line, field="guidance")
    return not faults
