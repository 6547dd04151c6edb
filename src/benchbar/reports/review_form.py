"""What a person is shown of a dialogue: no assistant's name, no grade; and the same for other tools."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from benchbar.records import Dialogue, Mark, Record, Sample
from benchbar.records.errors import BadInputError
from benchbar.tables.reading import csv_text

COLUMNS = ("task", "needs", "information", "guidance", "dialogue", "other", "rater", "score", "reason")
EMPTY = ("", "", "")
HUNDRED = 100.0


class Form(Record, frozen=True):
    """One task as a person sees it."""

    task: str
    needs: str
    information: str
    guidance: tuple[str, ...]
    turns: tuple[tuple[str, str], ...]
    """``user`` or ``assistant``, and what was said."""
    other: tuple[tuple[str, str], ...] = ()
    """The second dialogue, where two are compared."""


def form_of(task: str, dialogue: Dialogue, sample: Sample | None, other: Dialogue | None = None) -> Form:
    """The form of a task; needs and guidance are empty where the suite is not at hand."""
    return Form(
        task=task,
        needs=sample.needs if sample else "",
        information=sample.information if sample else "",
        guidance=tuple(f"{point.category}: {point.text}" for point in sample.guidance.points) if sample else (),
        turns=_turns(dialogue),
        other=_turns(other) if other else (),
    )


def _turns(dialogue: Dialogue) -> tuple[tuple[str, str], ...]:
    return tuple((turn.role, turn.content) for turn in dialogue.turns if turn.role != "system")


def as_csv(forms: Iterable[Form]) -> bytes:
    """One row for each task, with empty columns for rater, score (0 to 100) and reason."""
    rows = (
        (one.task, one.needs, one.information, "\n".join(one.guidance), _talk(one.turns), _talk(one.other), *EMPTY)
        for one in forms
    )
    # With a byte order mark: Excel takes UTF-8 without one for the local code page.
    return csv_text([COLUMNS, *rows]).encode("utf-8-sig")


def _talk(turns: Iterable[tuple[str, str]]) -> str:
    return "\n\n".join(f"[{role}] {text}" for role, text in turns)


def as_label_studio(forms: Iterable[Form]) -> bytes:
    """Tasks to import into Label Studio; `docs/review.md` has the labelling interface."""
    tasks = [
        {
            "data": {
                "task": one.task,
                "needs": one.needs,
                "information": one.information,
                "guidance": "\n".join(one.guidance),
                "dialogue": [{"author": role, "text": text} for role, text in one.turns],
                "other": [{"author": role, "text": text} for role, text in one.other],
            }
        }
        for one in forms
    ]
    return msgspec.json.format(msgspec.json.encode(tasks), indent=2) + b"\n"


FORMATS = {"csv": as_csv, "label-studio": as_label_studio}


def marks_of_rows(rows: Iterable[tuple[int, Mapping[str, Any]]], file: str) -> list[Mark]:
    """The marks in rows of task, rater, score and reason; rows without rater and score are passed over.

    Raises:
        BadInputError: a column is missing, or a score is no number from 0 to 100; names file, line and field.
    """
    found = []
    for line, row in rows:
        if missing := [name for name in ("task", "rater", "score") if name not in row]:
            raise BadInputError("the column is missing", file=file, line=line, field=missing[0])
        rater, score = str(row["rater"]).strip(), str(row["score"]).strip()
        # A row that nobody has filled in yet.
        if not rater and not score:
            continue
        found.append(_mark(row, rater, score, file, line))
    return found


def _mark(row: Mapping[str, Any], rater: str, score: str, file: str, line: int) -> Mark:
    if not rater:
        raise BadInputError("a score without a rater", file=file, line=line, field="rater")
    try:
        # A rater without a score could not say, which is an answer.
        value = value_of(float(score)) if score else None
    except ValueError as error:
        raise BadInputError(
            f"{score!r}; expected a number from 0 to 100", file=file, line=line, field="score"
        ) from error
    # Put before cells that a spreadsheet would take for a formula, and kept by some on the way back.
    task = str(row["task"]).strip().removeprefix("'")
    return Mark(task=task, rater=rater, value=value, reason=str(row.get("reason", "")))


def value_of(score: float) -> float:
    """0 to 100 as 0 to 1; raises ValueError for anything else."""
    if not 0 <= score <= HUNDRED:
        raise ValueError(f"{score:g} is not from 0 to 100")
    return score / HUNDRED


def marks_of_label_studio(tasks: Any, file: str) -> list[Mark]:
    """The marks in an export of Label Studio (JSON), one for each annotation that was not cancelled.

    Raises:
        BadInputError: it is no such export, or a score is missing or out of range.
    """
    try:
        return [
            _annotated(task, annotation, file)
            for task in tasks
            for annotation in task["annotations"]
            if not annotation.get("was_cancelled")
        ]
    except (KeyError, TypeError, AttributeError) as error:
        raise BadInputError(f"no export of Label Studio: {error!r}", file=file) from error


def _annotated(task: Mapping[str, Any], annotation: Mapping[str, Any], file: str) -> Mark:
    who = annotation.get("completed_by", "")
    # Some exports hold a number, others the whole person.
    rater = str(who.get("email") or who.get("id", "")) if isinstance(who, Mapping) else str(who)
    values = {result["from_name"]: result["value"] for result in annotation["result"]}
    name = str(task["data"]["task"])
    number = values.get("score", {}).get("number")
    try:
        value = None if number is None else value_of(float(number))
        reason = "\n".join(values.get("reason", {}).get("text", ()))
        return Mark(task=name, rater=rater, value=value, reason=reason)
    except ValueError as error:
        raise BadInputError(str(error), file=file, field=f"task {name}") from error
