"""The drawn sample as a table that people mark blind, and what they marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from benchbar.evaluations.records import LoggedAnswer
from benchbar.evaluations.rejudging import Drawn, Opinion, answer_text
from benchbar.records.errors import BadInputError
from benchbar.tables.reading import read_table, write_table

COLUMNS = ("number", "question", "criterion", "right_answer", "answer", "other_answer", "mark", "remark")
MARKS = {"yes": 1.0, "1": 1.0, "met": 1.0, "partly": 0.5, "0.5": 0.5, "tie": 0.5, "no": 0.0, "0": 0.0, "not met": 0.0}
PREFERENCES = {"answer": 1.0, "tie": 0.5, "other": 0.0}
LONGEST = 32_000
"""Characters of a cell: a spreadsheet holds 32,767."""


def write_queue(path: Path, drawn: Sequence[Drawn], answers: Mapping[tuple[str, ...], LoggedAnswer]) -> None:
    """One row for each drawn answer, without model, score and judge; the order is that of the draw, which is random.

    Raises:
        BadInputError: the file ends in neither .csv nor .docx.
    """
    rows = []
    for number, one in enumerate(drawn, start=1):
        row = answers[one.place]
        rows.append(
            {
                "number": str(number),
                "question": row.question[:LONGEST],
                "criterion": row.criteria.get(one.measure, "")[:LONGEST],
                "right_answer": row.reference[:LONGEST],
                "answer": answer_text(row)[:LONGEST],
                "other_answer": row.opponent[:LONGEST],
            }
        )
    write_table(path, COLUMNS, rows)


def read_marks(path: Path, drawn: Sequence[Drawn]) -> list[Opinion]:
    """What people marked: yes, partly or no; of two answers: answer, tie or other. Rows without a mark have no opinion.

    Raises:
        BadInputError: a number is none of the drawn ones, or a mark is another word.
    """
    found = []
    for line, row in read_table(path, max_field=1 << 22):
        said = str(row.get("mark") or "").strip().lower()
        number = str(row.get("number") or "").strip()
        if not number.isdecimal() or not 1 <= int(number) <= len(drawn):
            raise BadInputError(
                f"{number!r}; expected a number from 1 to {len(drawn)}", file=path, line=line, field="number"
            )
        one = drawn[int(number) - 1]
        known = {**MARKS, **PREFERENCES} if one.is_preference else MARKS
        if said and said not in known:
            raise BadInputError(
                f"{said[:40]!r}; expected one of {', '.join(known)}", file=path, line=line, field="mark"
            )
        value, reason = (known[said], "") if said else (None, "nobody has marked it")
        found.append(
            Opinion(drawn=one, by="people", value=value, reason=reason, rationale=str(row.get("remark") or ""))
        )
    return found
