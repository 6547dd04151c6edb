"""What the readers share: rows of JSONL, CSV or a JSON list become samples, and what cannot is a problem."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from benchbar.records import Sample, Suite, SuiteCard, Task
from benchbar.records.errors import BadInputError
from benchbar.tables.reading import read_table
from benchbar.tables.table import Table

Reader = Callable[[Mapping[str, Any]], Sample]


class Identified(Protocol):
    """Anything with an id."""

    @property
    def id(self) -> str:
        """Unique among its kind."""
        ...


SKIPPED = "; the sample is skipped"
"""What becomes of a row with a problem, where others are read."""
T = TypeVar("T", bound=Identified)


def gather(table: Table, found: Iterable[tuple[int | None, T | None]], what: str) -> tuple[T, ...]:
    """The things that were made of a table's rows, each with an id of its own; None where a row gave nothing.

    Raises:
        BadInputError: there is none at all; the message holds the first problem.
    """
    kept: dict[str, T] = {}
    for line, made in found:
        if made is None:
            continue
        if made.id in kept:
            table.problem(
                f"a second {what} with the id {made.id}; the first one is kept{_why(made.id)}", line=line, field="id"
            )
        else:
            kept[made.id] = made
    if not kept:
        raise BadInputError(f"no usable {what} found in it{_first_problem(table)}", file=table.path)
    return tuple(kept.values())


def _why(id_: str) -> str:
    """How ids come to be the same without their author's doing."""
    if re.fullmatch(r"\d(?:[.,]\d+)?E\+\d+", id_):
        return ". Spreadsheets round long numbers so: format the column as text, and enter the ids again"
    return ". The question is the same" if re.fullmatch(r"q-[0-9a-f]{12}", id_) else ""


def _first_problem(table: Table) -> str:
    if not table.problems:
        return ""
    first = table.problems[0]
    place = f", line {first.line}" if first.line else ""
    field = f"field `{first.field}`: " if first.field else ""
    columns = f"; its columns are {', '.join(table.columns)}" if table.columns else ""
    # Nothing is skipped where nothing is read.
    return f"; first problem{place}: {field}{first.message.removesuffix(SKIPPED)}{columns}"


class RowError(ValueError):
    """A row that is no sample; names the field."""

    def __init__(self, field: str, message: str) -> None:
        """Keep the field apart from the message."""
        self.field = field
        super().__init__(message)


def text(row: Mapping[str, Any], *names: str) -> str:
    """The first of the fields that holds something.

    Raises:
        RowError: none does.
    """
    found = next(filter(None, (_written(row.get(name)) for name in names)), "")
    if not found:
        raise RowError(names[0], "missing or empty")
    return found


def _written(value: Any) -> str:
    # 0 is a value, as the place of the first option is; False and empty lists are how some writers leave a field empty.
    return str(value).strip() if value or (value == 0 and value is not False) else ""


def identity(row: Mapping[str, Any], *names: str) -> str:
    """The first of the fields that is there, as a number of three digits or as it is.

    Raises:
        RowError: there is none.
    """
    found = next((str(row[name]).strip() for name in names if row.get(name) not in (None, "")), "")
    if not found:
        raise RowError(names[0], "missing")
    return found.zfill(3) if found.isdigit() else found


def read_suite(path: Path, card: SuiteCard, tasks: Mapping[str, Task], sample_of: Reader) -> Suite:
    """The suite that the rows of a file make; faulty rows and repeated ids are listed in its problems.

    Raises:
        BadInputError: the file cannot be read, or no row is a sample.
    """
    table = read_table(path)
    samples = gather(table, _samples(table, sample_of), f"sample of {card.name}")
    used = dict.fromkeys(sample.task for sample in samples)
    read = f"{path.name}: {len(samples)} samples from the columns {', '.join(table.columns)}"
    return Suite(
        card=card,
        tasks={task: tasks[task] for task in used},
        samples=samples,
        problems=tuple(table.problems),
        understood=(read,),
    )


def read_tables(
    files: Sequence[Path],
    folder: Path,
    card: SuiteCard,
    tasks: Mapping[str, Task],
    reader_of: Callable[[Path], Reader],
    expected: str,
) -> Suite:
    """The suite that several files of a folder make, each read by the reader made for it; says which files were read.

    Raises:
        BadInputError: there is none of the ``expected`` files, or one cannot be read.
    """
    return joined(folder, card, [read_suite(file, card, tasks, reader_of(file)) for file in files], expected)


def joined(folder: Path, card: SuiteCard, parts: Sequence[Suite], expected: str) -> Suite:
    """The suite that the suites of a folder's files make.

    Raises:
        BadInputError: there is none; the folder lacks what was ``expected``.
    """
    if not parts:
        there = ", ".join(sorted(one.name for one in folder.iterdir())[:8]) or "nothing"
        raise BadInputError(f"found {there}; expected {expected}", file=folder)
    return Suite(
        card=card,
        tasks={id_: task for part in parts for id_, task in part.tasks.items()},
        samples=tuple(sample for part in parts for sample in part.samples),
        problems=tuple(problem for part in parts for problem in part.problems),
        understood=tuple(line for part in parts for line in part.understood),
    )


def _samples(table: Table, sample_of: Reader) -> Iterator[tuple[int | None, Sample | None]]:
    for line, row in table:
        try:
            yield line, sample_of(row)
        except RowError as error:
            table.problem(f"{error}{SKIPPED}", line=line, field=error.field)
