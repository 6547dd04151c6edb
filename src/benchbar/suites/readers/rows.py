"""What the readers share: rows of JSONL, CSV or a JSON list become samples, and what cannot is a problem."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from benchbar.records import Sample, Suite, SuiteCard, Task
from benchbar.records.errors import BadInputError
from benchbar.tables.rows import Rows, read_text

Reader = Callable[[Mapping[str, Any]], Sample]


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
    found = next((str(row[name]).strip() for name in names if str(row.get(name) or "").strip()), "")
    if not found:
        raise RowError(names[0], "missing or empty; the sample is skipped")
    return found


def identity(row: Mapping[str, Any], *names: str) -> str:
    """The first of the fields that is there, as a number of three digits or as it is.

    Raises:
        RowError: there is none.
    """
    found = next((str(row[name]).strip() for name in names if row.get(name) not in (None, "")), "")
    if not found:
        raise RowError(names[0], "missing; the sample is skipped")
    return found.zfill(3) if found.isdigit() else found


def read_suite(path: Path, card: SuiteCard, tasks: Mapping[str, Task], sample_of: Reader) -> Suite:
    """The suite that the rows of a file make; faulty rows and repeated ids are listed in its problems.

    Raises:
        BadInputError: the file cannot be read, or no row is a sample.
    """
    rows = Rows(path)
    samples = rows.gather(_samples(rows, sample_of), f"sample of {card.name}")
    used = dict.fromkeys(sample.task for sample in samples)
    return Suite(card=card, tasks={task: tasks[task] for task in used}, samples=samples, problems=tuple(rows.problems))


def _samples(rows: Rows, sample_of: Reader) -> Iterator[tuple[int | None, Sample | None]]:
    for line, row in _objects(rows):
        try:
            yield line, sample_of(row)
        except RowError as error:
            rows.problem(str(error), line=line, field=error.field)


def _objects(rows: Rows) -> Iterator[tuple[int | None, dict[str, Any]]]:
    if rows.path.suffix.lower() != ".json":
        yield from rows.objects()
        return
    try:
        items = msgspec.json.decode(read_text(rows.path), type=list[dict[str, Any]])
    except (msgspec.MsgspecError, RecursionError) as error:
        raise BadInputError(f"expected a list of objects: {error}", file=rows.path) from error
    yield from ((None, item) for item in items)
