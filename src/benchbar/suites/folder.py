"""Reads suites in Benchbar's own form, a folder with card, tasks and samples, and single tables of anyone's questions.

The form is documented in ``docs/suite-format.md``: ``card.toml``, ``tasks.jsonl`` (left out where the tasks are those of
UCL-Bench), ``samples.jsonl`` or ``samples.csv``, and ``law/`` where the suite brings its own statutes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from benchbar.languages.packs import labels, language_fault
from benchbar.records import (
    CONSULTATION,
    LEVELS,
    QUESTION_ANSWERING,
    Category,
    Guidance,
    LeftOut,
    Sample,
    Suite,
    SuiteCard,
    Task,
)
from benchbar.records.base import converted
from benchbar.records.errors import BadInputError, UserError, did_you_mean
from benchbar.records.toml import read_toml
from benchbar.suites.column_heads import own_form
from benchbar.suites.columns import refuse_misspelt, shown_columns
from benchbar.suites.language import Language, language_of
from benchbar.suites.point_columns import point_columns
from benchbar.suites.question_table import question_table
from benchbar.suites.readers.rows import gather
from benchbar.suites.table_rows import PlainRows, dated, plain_rows, with_points
from benchbar.suites.taxonomy import QUESTION, question_in, task_id, tasks_in
from benchbar.tables.reading import read_table
from benchbar.tables.table import Table

_TEXT_FIELDS = ("id", "task", "needs", "information", "language", "on", "reference")
_DIVIDER = re.compile(r"\s*[;；\n]\s*")


def read(path: Path, *, language: str = "", columns: Mapping[str, str] | None = None, sheet: str = "") -> Suite:
    """The suite in a folder, or in one table of questions; samples that cannot be used are listed in its problems.

    Args:
        path: The folder, or a file that :func:`read_table` reads.
        language: Of the samples, where neither card nor text tells it.
        columns: Field of a sample to the head of its column, where the head does not say it.
        sheet: Of a workbook that has several.

    Raises:
        BadInputError: card or tasks cannot be read, no sample can, or what a column or the language is cannot be told.
    """
    folder = path if path.is_dir() else None
    # The language is kept apart: a card has one by default, and only one that was written down outweighs what the text
    # shows.
    card, stated = _card(path)
    table = question_table(_samples_file(path), sheet=sheet, labels=(columns or {}).values())
    if table.columns and not table.rows and not table.problems:
        raise BadInputError("the table has a head and no row below it", file=table.path)
    # A table in our own form is read to the letter; guessing at heads is for tables whose authors never saw ours.
    foreign = bool(columns) or bool((table.rows or table.columns) and not own_form(table.columns))
    plain = plain_rows(table, columns or {}) if foreign else None
    rows, unread = (plain.rows, ()) if plain else _own_rows(table)
    # Both are explicit and one is wrong; prompts and words would follow whichever won.
    if stated and language and language != stated:
        raise BadInputError(f"the card states {stated!r}; leave out --language", file=path, field="language")
    found = language_of([row for _, row in rows], stated=stated or language, file=table.path)
    card = _in_language(card, found.main, stated=bool(stated))
    tasks = read_tasks(path, card.language)
    if plain is not None:
        tasks |= _own_tasks(rows, tasks, card.language)
    made = list(_samples(table, rows, tasks, found))
    samples = gather(table, made, "sample")
    if (left_out := _left_out(table, made)) is not None:
        card = msgspec.structs.replace(card, left_out=left_out)
    # Of a single table only the tasks that its rows name: the others would show as empty rows in every report.
    if plain is not None and folder is None:
        tasks = {id_: tasks[id_] for id_ in dict.fromkeys(sample.task for sample in samples)}
    return Suite(
        card=card if plain is None or folder else msgspec.structs.replace(card, protocol=_protocol(samples)),
        tasks=tasks,
        samples=samples,
        folder=folder,
        problems=tuple(table.problems),
        language=found.told,
        understood=tuple(_understood(table, plain, samples) if plain else (*table.notes, *unread)),
    )


def read_whole(folder: Path) -> Suite:
    """The suite of a folder that is about to be written anew.

    Raises:
        UserError: rows of it cannot be read, and would be lost.
    """
    suite = read(folder)
    if suite.problems:
        first = suite.problems[0]
        raise UserError(
            f"{folder} has rows that cannot be read, which would be lost (line {first.line}: {first.message}); "
            f"mend them first, see `benchbar suite check {folder}`"
        )
    return suite


def read_card(path: Path) -> SuiteCard:
    """The card of a suite folder; one with nothing but a name for a file of samples.

    Raises:
        BadInputError: there is none, or it cannot be read.
    """
    return _card(path)[0]


def _card(path: Path) -> tuple[SuiteCard, str]:
    """The card, and the language that it states; empty where it states none."""
    file = path / "card.toml"
    if path.is_file():
        return SuiteCard(name=path.stem), ""
    if not file.exists():
        raise BadInputError(
            "no card.toml in this folder; expected a suite folder (see docs/suite-format.md)", file=path
        )
    given = read_toml(file, dict[str, Any])
    return converted(given, SuiteCard, file=file), str(given.get("language") or "")


def _in_language(card: SuiteCard, language: str, *, stated: bool) -> SuiteCard:
    """The card of a suite in a language that was found, with that language's mark of the end unless it names its own."""
    if stated:
        return card
    # An end mark of the author's own stays whatever the language.
    usual = card.end_mark == SuiteCard(name="").end_mark
    mark = labels(language, "words")("suite.end_mark") if usual else card.end_mark
    return msgspec.structs.replace(card, language=language, end_mark=mark)


def _protocol(samples: Sequence[Sample]) -> str:
    """Questions alone are asked once; where users know more than they ask, they consult."""
    return CONSULTATION if any(sample.information for sample in samples) else QUESTION_ANSWERING


def _own_tasks(rows: Iterable[tuple[int, dict[str, Any]]], tasks: Mapping[str, Task], language: str) -> dict[str, Task]:
    """The tasks that the rows name and nobody defined, and that of the rows that name none."""
    named = dict.fromkeys(str(fields.get("task") or "").strip() for _, fields in rows)
    usual = question_in(language)
    own = [name for name in named if name and name not in tasks and task_id(name) is None and not _IDS.fullmatch(name)]
    return {usual.id: usual} | {name: msgspec.structs.replace(usual, id=name, name=name) for name in own}


_IDS = re.compile(r"\d{1,2}-\d{1,2}")
"""An id of UCL-Bench's kind: one that there is not is a mistake, and no task of the author's own."""


def _own_rows(table: Table) -> tuple[list[tuple[int, dict[str, Any]]], tuple[str, ...]]:
    """The rows of a table in our own form, and what to say of columns that mean nothing in it.

    Of JSON an unknown field is left for the row to answer for: it stands in that row alone.
    """
    # An object of JSONL that has a strange field is one faulty sample; a strange column is in all of them.
    unknown = [] if table.format.startswith("JSON") else [name for name in table.columns if name not in _FIELDS]
    if not unknown:
        return table.rows, ()
    points = point_columns(table, unknown)
    refuse_misspelt(table, [head for head in unknown if head not in points])
    rows = [(line, {name: cell for name, cell in row.items() if name in _FIELDS}) for line, row in table.rows]
    for (_, fields), (_, row) in zip(rows, table.rows, strict=True):
        with_points(fields, row, points)
    told = [f"columns: {', '.join(f'{head} = {name}' for head, name in points.items())}"] if points else []
    left = [head for head in unknown if head not in points]
    return rows, (*told, *([f"not read: columns {', '.join(left)}"] if left else []))


_FIELDS = frozenset(Sample.__struct_fields__)


def _understood(table: Table, plain: PlainRows, samples: Sequence[Sample]) -> Iterator[str]:
    """What was made of a table, and of its first rows, for a person to look at before it is used."""
    yield f"read {table.path.name}: {table.understood().partition('; columns')[0]}; {len(table.rows)} rows"
    yield from table.notes
    yield from shown_columns(plain.columns, plain.answered, len(table.rows))
    yield from shown_rows(samples)


def shown_rows(samples: Sequence[Sample]) -> Iterator[str]:
    """The first samples as they were understood, each with its points by category."""
    for sample in samples[:SHOWN_ROWS]:
        yield f"{sample.id} ({sample.task}): {_cut(sample.needs)}"
        for point in sample.guidance.points[:SHOWN_POINTS]:
            against = ", counts against the assistant" if point.category is Category.FORBIDDEN else ""
            yield f"  {point.category}{against}: {_cut(point.text)}"
        if more := len(sample.guidance.points) - SHOWN_POINTS:
            yield from [f"  and {more} more points"] if more > 0 else []
    if not any(sample.guidance.points for sample in samples):
        yield "no expected answers: nothing can be marked right or wrong, only compared"


SHOWN_ROWS, SHOWN_POINTS = 3, 4


def _cut(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _WIDTH else f"{plain[:_WIDTH]}…"


_WIDTH = 56
"""Characters of a text, so that its line fits 80 columns."""


def _samples_file(path: Path) -> Path:
    if path.is_file():
        return path
    names = ("samples.jsonl", "samples.csv", "samples.xlsx")
    found = next((path / name for name in names if (path / name).exists()), None)
    if found is None:
        raise BadInputError(f"no {', '.join(names[:-1])} or {names[-1]} in this folder", file=path)
    return found


def _samples(
    table: Table, rows: Iterable[tuple[int, dict[str, Any]]], tasks: Mapping[str, Task], found: Language
) -> Iterator[tuple[int, Sample | None]]:
    for place, (line, row) in enumerate(rows):
        fields = {"language": found.by_row.get(place, found.main)}
        fields |= {name: cell for name, cell in row.items() if cell not in ("", None)}
        if QUESTION in tasks and not fields.get("task"):
            fields["task"] = QUESTION
        yield line, sample_of(table, line, fields, tasks)


def _left_out(table: Table, made: Iterable[tuple[int, Sample | None]]) -> LeftOut | None:
    """The rows with a problem that gave no sample: a doubtful one may give one all the same."""
    used: dict[str, int] = {}
    for line, sample in made:
        if sample is not None:
            used.setdefault(sample.id, line)
    lines = set(used.values())
    lost = [one for one in table.problems if one.line is not None and one.line not in lines]
    if not lost:
        return None
    rows = len({one.line for one in lost})
    return LeftOut(rows=rows, of=rows + len(lines), first=f"{table.path.name}:{lost[0].line}: {lost[0].message}")


def read_tasks(folder: Path, language: str) -> dict[str, Task]:
    """The tasks of a suite folder by id; those of UCL-Bench, in the language of the suite, where it names none.

    Raises:
        BadInputError: one cannot be read, or an id is there twice.
    """
    path = folder / "tasks.jsonl"
    if not folder.is_dir() or not path.exists():
        return dict(tasks_in(language))
    table = read_table(path)
    tasks: dict[str, Task] = {}
    for line, row in table:
        try:
            task = msgspec.convert(row, Task)
        except msgspec.ValidationError as error:
            raise BadInputError(str(error), file=path, line=line) from error
        if task.level not in LEVELS:
            message = f"unknown level {task.level!r}{did_you_mean(task.level, LEVELS)}; known: {', '.join(LEVELS)}"
            raise BadInputError(message, file=path, line=line, field="level")
        if task.id in tasks:
            raise BadInputError(f"a second task with the id {task.id}", file=path, line=line, field="id")
        tasks[task.id] = task
    # A faulty task would take all its samples with it: that ends the reading, where a faulty sample does not.
    if table.problems:
        raise BadInputError(table.problems[0].message, file=path, line=table.problems[0].line)
    return tasks


def sample_of(table: Table, line: int, row: Mapping[str, Any], tasks: Mapping[str, Task]) -> Sample | None:
    """The sample that a row holds; None where it cannot be used, which becomes a problem of the rows."""
    fields = {key: value for key, value in row.items() if value not in ("", None)}
    for name in ("id", "task", "needs"):
        if fields.get(name) is None or not str(fields[name]).strip():
            table.problem("missing or empty; the sample is skipped", line=line, field=name)
            return None
    for name in _TEXT_FIELDS:
        # Written out as text, a list or an object would be asked of the assistant as it stands.
        if isinstance(fields.get(name), dict | list):
            kind = "an object" if isinstance(fields[name], dict) else "a list"
            table.problem(f"a text was expected, found {kind}; the sample is skipped", line=line, field=name)
            return None
    fields |= {name: str(fields[name]) for name in _TEXT_FIELDS if name in fields}
    # Tables give a task by its id or by its name, in any language.
    fields["task"] = fields["task"] if fields["task"] in tasks else task_id(fields["task"]) or fields["task"]
    if fields["task"] not in tasks:
        table.problem(f"unknown task {fields['task']!r}; known: {', '.join(tasks)}", line=line, field="task")
        return None
    if fault := language_fault(fields.get("language", "")) if fields.get("language") else "":
        table.problem(f"{fault}; the sample is skipped", line=line, field="language")
        return None
    if not dated(fields, table, line):
        return None
    try:
        # Not strict: in a table every cell is a text, numbers and truth values, too.
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
        # A suite of single points needs none of its expressions, which take 16 ms to compile.
        from benchbar.suites.guidance_text import read_guidance

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
    # NaN is not above zero either, and would make every score of the sample NaN.
    faults += [f"point {point.id!r} has the weight {point.weight}" for point in guidance.points if not point.weight > 0]
    for fault in faults:
        table.problem(f"{sample.id}: {fault}; the sample is skipped", line=line, field="guidance")
    return not faults
