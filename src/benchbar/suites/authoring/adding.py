"""Takes samples from documents into a suite: columns become information, needs and the rest."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from benchbar.languages.text import comparable
from benchbar.records import Problem, Sample, Suite
from benchbar.records.errors import UnknownNameError, UserError
from benchbar.suites.authoring.layout import EXAMPLE, write_samples
from benchbar.suites.folder import read, read_card, read_tasks, sample_of
from benchbar.tables.reading import read_table
from benchbar.tables.table import Table

FIELDS = {
    "id": ("编号", "序号", "номер", "number", "no"),
    "task": ("任务", "задача", "задание"),
    "information": ("信息", "案情", "事实", "案件事实", "背景", "сведения", "информация", "обстоятельства", "facts", "background"),
    "needs": ("需求", "问题", "诉求", "вопрос", "запрос", "потребность", "question", "need"),
    "guidance": ("答案要点", "评分要点", "答案", "указания", "ответ", "answer guidance", "answer"),
    "language": ("语言", "язык"),
    "on": ("日期", "дата", "date"),
    "tags": ("标签", "метки"),
    "source": ("来源", "источник"),
    "reference": ("参考答案", "эталон"),
    "evidence": ("依据", "основание"),
    "long_information": (),
}  # fmt: skip
"""Field of a sample to the heads under which it is known besides its own name."""
_KNOWN = {head: name for name, heads in FIELDS.items() for head in (name, *heads)}
_TRUE, _FALSE = ("true", "yes", "1", "是", "да"), ("false", "no", "0", "", "否", "нет")
_SLUG = re.compile(r"[^\w.-]+")


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
    table = read_table(file, encoding=encoding, sheet=sheet, labels={*_KNOWN, *mapping.values()})
    rows = table.rows
    heads, found = _heads(table, mapping), len(table.problems)
    added = Added(
        encoding=table.encoding,
        understood=table.understood(),
        unread=tuple(name for name in table.columns if name not in heads),
    )
    kept = {sample.id: sample for sample in suite.samples if EXAMPLE not in sample.tags}
    texts = {_text(sample): sample.id for sample in kept.values()}
    free = (f"s{number:03}" for number in count(1) if f"s{number:03}" not in kept)
    for line, row in rows:
        fields = _fields(row, heads, dict(defaults or {}), table, line)
        if fields is None:
            continue
        if "id" not in fields:
            fields["id"] = next(free)
        sample = sample_of(table, line, fields, suite.tasks, suite.card)
        if sample is None:
            continue
        if (same := texts.get(_text(sample))) is not None:
            added.there.append(same)
        elif sample.id in kept:
            table.problem(f"the id {sample.id} is taken; the row is skipped", line=line, field="id")
        else:
            kept[sample.id], texts[_text(sample)] = sample, sample.id
            added.samples.append(sample)
    added.problems = table.problems[:found] + _renamed(table.problems[found:], heads)
    if added.samples and not dry_run:
        write_samples(folder, kept.values())
    return added


def _suite(folder: Path) -> Suite:
    """The suite as it is; one without any sample yet is none the less a suite.

    Raises:
        UserError: rows in it cannot be read, and would be lost.
    """
    card, tasks = read_card(folder), read_tasks(folder)
    file = folder / "samples.jsonl"
    if not (file.exists() and file.stat().st_size) and not (folder / "samples.csv").exists():
        return Suite(card=card, tasks=tasks, samples=(), folder=folder)
    suite = read(folder)
    if suite.problems:
        first = suite.problems[0]
        raise UserError(
            f"{folder} has rows that cannot be read, which would be lost (line {first.line}: {first.message}); "
            f"mend them first, see `benchbar suite check {folder}`"
        )
    return suite


def _heads(table: Table, mapping: Mapping[str, str]) -> dict[str, str]:
    """Head of a column to the field it fills."""
    for name, head in mapping.items():
        if name not in FIELDS:
            raise UnknownNameError("field", name, list(FIELDS))
        if head not in table.columns:
            raise UserError(f"{table.path} has no column {head!r}; it has: {', '.join(table.columns) or 'none'}")
    named = {head: name for name, head in mapping.items()}
    known = {head: _KNOWN[head.strip().lower()] for head in table.columns if head.strip().lower() in _KNOWN}
    return {head: name for head, name in known.items() if name not in mapping} | named


def _fields(
    row: Mapping[str, Any], heads: Mapping[str, str], defaults: dict[str, str], table: Table, line: int
) -> dict[str, Any] | None:
    """The fields of a sample that a row holds; None where one of them cannot be what it should be."""
    fields: dict[str, Any] = defaults | {
        name: cell for head, name in heads.items() if (cell := _stripped(row.get(head))) not in ("", None)
    }
    source = str(fields.pop("source", "") or "").strip()
    if source:
        tags = fields.get("tags", "")
        fields["tags"] = [*(tags.split() if isinstance(tags, str) else tags), f"source:{_SLUG.sub('-', source)}"]
    if isinstance(long := fields.get("long_information"), str):
        if long.strip().lower() not in (*_TRUE, *_FALSE):
            table.problem(
                f"yes or no was expected, found {long[:40]!r}; the row is skipped", line=line, field="long_information"
            )
            return None
        fields["long_information"] = long.strip().lower() in _TRUE
    if (day := fields.get("on")) is not None and not _is_day(str(day)):
        table.problem(
            f"a day such as 2024-06-01 was expected, found {str(day)[:40]!r}; the row is skipped", line=line, field="on"
        )
        return None
    return fields


def _stripped(cell: Any) -> Any:
    return cell.strip() if isinstance(cell, str) else cell


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text.strip()).isoformat() == text.strip()
    except ValueError:
        return False


def _renamed(problems: list[Problem], heads: Mapping[str, str]) -> list[Problem]:
    """Problems of fields, named by the columns that the user knows."""
    back = {name: head for head, name in heads.items()}
    return [msgspec.structs.replace(one, field=back.get(one.field or "", one.field)) for one in problems]


def _text(sample: Sample) -> str:
    return comparable(sample.task + sample.information + sample.needs).text
