"""The rows of a table from outside as fields of samples, and the answers that stand beside them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchbar.law.dates import day_of
from benchbar.records import fingerprint
from benchbar.records.errors import UserError
from benchbar.suites.column_heads import KNOWN_HEADS, NOT_IN_SLUG, bare_head, own_form
from benchbar.suites.columns import Columns, known_columns, told_columns
from benchbar.suites.footers import footer_from, names_total
from benchbar.suites.point_columns import CATEGORIES, joined, points_text
from benchbar.tables.table import Table

_TRUE, _FALSE = ("true", "yes", "1", "是", "да"), ("false", "no", "0", "", "否", "нет")


@dataclass(frozen=True)
class PlainRows:
    """The rows of such a table as fields of samples."""

    columns: Columns
    rows: list[tuple[int, dict[str, Any]]]
    """Line and fields; ``id`` is always there."""
    answered: dict[str, int]
    """Name of an assistant to the number of rows that it answers."""


def plain_rows(table: Table, mapping: Mapping[str, str]) -> PlainRows:
    """The rows of a table of questions, each with an id: the table's, else one made of the question.

    Raises:
        BadInputError, UserError: as :func:`told_columns`.
    """
    table.rows  # noqa: B018 - the columns of JSON are known when all rows are read
    columns = told_columns(table, mapping)
    rows: list[tuple[int, dict[str, Any]]] = []
    footer = footer_from(table, columns.fields)
    for line, row in table.rows:
        # Totals and sources are no questions, and would count as samples that nobody can fail.
        if line >= footer:
            table.problem(
                "below an empty row and without an expected answer: a note under the table, left out", line=line
            )
            continue
        # Sheets end in rows that hold nothing but a format.
        filled = any(_stripped(cell) not in ("", None) for cell in row.values())
        if not filled or (fields := fields_of(row, columns.fields, {}, table, line)) is None:
            continue
        if fault := _no_question(str(fields.get("needs") or "")):
            head = next(head for head, name in columns.fields.items() if name == "needs")
            table.problem(f"{fault}; the row is skipped", line=line, field=head)
            continue
        _identify(fields)
        # The expected answer is all the guidance that there is; without it nothing could be marked.
        if "guidance" not in columns.fields.values() and "reference" in fields:
            fields["guidance"] = joined([str(fields["reference"]), str(fields.get("guidance", ""))])
        rows.append((line, fields))
    answered = {name: sum(bool(_cell(row, head)) for _, row in table.rows) for name, head in columns.answers.items()}
    return PlainRows(columns, rows, answered)


def _no_question(text: str) -> str:
    """Why a cell cannot be a question; empty where it may be one."""
    if not text:
        return "the question is empty"
    if text in _EXCEL_ERRORS:
        return f"Excel's error {text} stands in place of the question: mend the cell, and save"
    if _FORMULA.match(text):
        return f"a formula ({text[:30]}) stands in place of the question: save the table with its values"
    if names_total(text):
        return f"{text!r} stands over totals, and is no question"
    if KNOWN_HEADS.get(bare_head(text)) == "needs":
        return f"{text!r} is the name of a column: the question is missing, or the head stands twice"
    if not any(char.isalpha() for char in text):
        return f"{text[:30]!r} is no question: is another column meant? Say --map needs=COLUMN"
    return ""


_EXCEL_ERRORS = frozenset({"#REF!", "#N/A", "#VALUE!", "#NAME?", "#DIV/0!", "#NULL!", "#NUM!", "#SPILL!", "#CALC!"})


_FORMULA = re.compile(r"=[A-Z][A-Z0-9.]{0,30}\(")


def answers_in(table: Table, column: str, mapping: Mapping[str, str]) -> dict[str, str]:
    """The answers under a head of a table of questions, by the id of the sample.

    Raises:
        UserError: there is no such column.
        BadInputError: the table holds no questions.
    """
    table.rows  # noqa: B018
    if column not in table.columns:
        raise UserError(f"{table.path} has no column {column!r}; it has: {', '.join(table.columns) or 'none'}")
    heads = (known_columns if own_form(table.columns) else told_columns)(table, mapping).fields
    heads = {head: name for head, name in heads.items() if name in {"id", "needs", "information"}}
    found: dict[str, str] = {}
    for _, row in table.rows:
        fields: dict[str, Any] = {name: _stripped(row.get(head)) for head, name in heads.items()}
        _identify(fields)
        if answer := _cell(row, column):
            # The first row of an id is the one that became the sample.
            found.setdefault(str(fields.get("id")), answer)
    return found


def _identify(fields: dict[str, Any]) -> None:
    if fields.get("id") in ("", None) and fields.get("needs"):
        # Of the question, not of its place: rows that are put in or sorted later keep their marks and comparisons.
        fields["id"] = f"q-{fingerprint([fields['needs'], fields.get('information') or ''])[:12]}"


def _cell(row: Mapping[str, Any], head: str) -> str:
    # A zero is an answer: of JSON it comes as a number.
    return "" if (cell := row.get(head)) is None else str(cell).strip()


def fields_of(
    row: Mapping[str, Any], heads: Mapping[str, str], defaults: Mapping[str, str], table: Table, line: int
) -> dict[str, Any] | None:
    """The fields of a sample that a row holds; None where one of them cannot be what it should be."""
    fields: dict[str, Any] = {
        **defaults,
        **{name: cell for head, name in heads.items() if (cell := _stripped(row.get(head))) not in ("", None)},
    }
    with_points(fields, row, {head: name for head, name in heads.items() if name in CATEGORIES})
    source = str(fields.pop("source", "") or "").strip()
    if source:
        tags = fields.get("tags", "")
        # As a tag, where shares of sources are counted from; a sample has no field for it.
        fields["tags"] = [*(tags.split() if isinstance(tags, str) else tags), f"source:{NOT_IN_SLUG.sub('-', source)}"]
    # A yes in a cell is a text, and any text would count as true.
    if isinstance(long := fields.get("long_information"), str):
        if long.strip().lower() not in (*_TRUE, *_FALSE):
            table.problem(
                f"yes or no was expected, found {long[:40]!r}; the row is skipped", line=line, field="long_information"
            )
            return None
        fields["long_information"] = long.strip().lower() in _TRUE
    return fields if dated(fields, table, line) else None


def with_points(fields: dict[str, Any], row: Mapping[str, Any], heads: Mapping[str, str]) -> None:
    """Put the points of columns of their own, head to category, behind the guidance that there is."""
    for name in heads.values():
        fields.pop(name, None)
    if points := points_text(row, heads):
        fields["guidance"] = joined([str(fields.get("guidance", "")), points])


def dated(fields: dict[str, Any], table: Table, line: int) -> bool:
    """Whether the day of the matter is one, which is then written as YYYY-MM-DD; if not, that is a problem of the table.

    Read here, and not where the law is asked: there a date that is none would end a run whose dialogues are paid for.
    """
    if fields.get("on") in (None, ""):
        return True
    try:
        fields["on"] = day_of(str(fields["on"]))
    except ValueError as error:
        table.problem(f"{error}; the row is skipped", line=line, field="on")
        return False
    return True


def _stripped(cell: Any) -> Any:
    # A mark of byte order within a file comes from files that were put together.
    return cell.strip().strip("\ufeff").strip() if isinstance(cell, str) else cell
