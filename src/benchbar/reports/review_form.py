"""What a person is shown of a dialogue: no assistant's name, no grade; and the same for other tools."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from benchbar.records import (
    GRADED,
    POINT,
    TURN,
    Comparison,
    Dialogue,
    GuidancePoint,
    Mark,
    Record,
    ReviewTask,
    Sample,
    Score,
)
from benchbar.records.errors import BadInputError
from benchbar.tables.reading import csv_text

COLUMNS = ("task", "needs", "information", "guidance", "dialogue", "other", "rater", "score", "reason")
CHECKED = ("task", "needs", "information", "question", "dialogue", "other", "judge")
"""What is shown of tasks that ask whether a judge or a simulated user is right."""
ANSWERS = {POINT: ("rater", "referred", "right", "error", "reason"), TURN: ("rater", "right", "error", "reason")}
"""What people fill in of them."""
EMPTY = ("", "", "")
HUNDRED = 100.0
YES_OR_NO = {"yes": True, "no": False, "1": True, "0": False, "true": True, "false": False}


class Form(Record, frozen=True):
    """One task as a person sees it."""

    task: str
    needs: str
    information: str
    guidance: tuple[str, ...]
    turns: tuple[tuple[str, str], ...]
    """``user`` or ``assistant``, and what was said."""
    other: tuple[tuple[str, str], ...] = ()
    """The second dialogue, where two are shown."""
    measure: str = GRADED
    """What is asked: a grade, which of two is better, or whether a judge or a simulated user is right."""
    question: str = ""
    """The guidance point, or the user's turn, that is asked about."""
    judge: str = ""
    """What the judge said of it."""


def form_of(
    task: ReviewTask,
    dialogue: Dialogue,
    sample: Sample | None,
    other: Dialogue | None = None,
    *,
    scores: Iterable[Score] = (),
    comparisons: Iterable[Comparison] = (),
) -> Form:
    """The form of a task; needs and guidance are empty where the suite is not at hand.

    ``scores`` and ``comparisons`` are those of the sample: of them comes what a judge that is to be checked said.
    """
    points = sample.guidance.points if sample else ()
    return Form(
        task=task.id,
        needs=sample.needs if sample else "",
        information=sample.information if sample else "",
        guidance=tuple(f"{point.category}: {point.text}" for point in points),
        turns=_turns(dialogue),
        other=_turns(other) if other else (),
        measure=task.measure,
        question=_question(task, dialogue, points),
        judge=_words(judge_said(task, scores, comparisons)),
    )


def _question(task: ReviewTask, dialogue: Dialogue, points: Iterable[GuidancePoint]) -> str:
    if task.judged is not None:
        known = {point.id: f"{point.category}: {point.text}" for point in points}
        return known.get(task.judged.point, f"{task.judged.category}: {task.judged.point}")
    return dialogue.turns[task.turn].content if task.turn is not None else ""


class JudgeSaid(Record, frozen=True):
    """What a judge that people check said of a guidance point."""

    text: str
    """Its reasons, or the words of the assistant that it quotes as proof."""
    mark: float | None = None
    """From 0 to 1, where it marked the point by itself; None where it compared two dialogues."""


def judge_said(task: ReviewTask, scores: Iterable[Score], comparisons: Iterable[Comparison]) -> JudgeSaid | None:
    """What the judge that a task asks about said; None where it asks about none, or that is not at hand."""
    one = task.judged
    if one is None:
        return None
    for verdict in comparisons:
        of_pair = (verdict.judge, verdict.left, verdict.order, verdict.repeat)
        if of_pair == (one.judge, task.assistant, one.order, one.repeat):
            return JudgeSaid(verdict.rationale)
    for score in scores:
        of_point = (score.scorer, score.assistant, score.dimension, score.repeat)
        if of_point == (one.judge, task.assistant, one.point, one.repeat) and score.value is not None:
            return JudgeSaid("\n".join(f"“{found.text}”" for found in score.evidence), score.value)
    return None


def _words(said: JudgeSaid | None) -> str:
    if said is None or said.mark is None:
        return said.text if said else ""
    mark = {1.0: "met", 0.5: "partly met", 0.0: "not met"}.get(said.mark, f"{said.mark:.2f}")
    return "\n".join(filter(None, (mark, said.text)))


def _turns(dialogue: Dialogue) -> tuple[tuple[str, str], ...]:
    return tuple((turn.role, turn.content) for turn in dialogue.turns if turn.role != "system")


def as_csv(forms: Iterable[Form]) -> bytes:
    """One row for each task, with empty columns for what people say of it; all tasks are of one measure."""
    known = list(forms)
    answers = ANSWERS.get(known[0].measure) if known else None
    if answers is None:
        graded = (
            (
                one.task,
                one.needs,
                one.information,
                "\n".join(one.guidance),
                _transcript(one.turns),
                _transcript(one.other),
                *EMPTY,
            )
            for one in known
        )
        # With a byte order mark: Excel takes UTF-8 without one for the local code page.
        return csv_text([COLUMNS, *graded]).encode("utf-8-sig")
    shown = (
        (one.task, one.needs, one.information, one.question, _transcript(one.turns), _transcript(one.other), one.judge)
        for one in known
    )
    return csv_text([(*CHECKED, *answers), *((*row, *[""] * len(answers)) for row in shown)]).encode("utf-8-sig")


def _transcript(turns: Iterable[tuple[str, str]]) -> str:
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

    A table with a column ``right`` holds what people found of a judge or of a simulated user: ``right`` and ``referred``
    are yes or no, ``right`` may be ``?`` where it cannot be decided.

    Raises:
        BadInputError: a column is missing, or a score is no number from 0 to 100; names file, line and field.
    """
    found = []
    for line, row in rows:
        asked = "right" if "right" in row else "score"
        if missing := [name for name in ("task", "rater", asked) if name not in row]:
            raise BadInputError("the column is missing", file=file, line=line, field=missing[0])
        rater, answer = _cell(row, "rater"), _cell(row, asked)
        # A row that nobody has filled in yet.
        if not rater and not answer:
            continue
        found.append((_check if asked == "right" else _mark)(row, rater, answer, file, line))
    return found


def _cell(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    return "" if value is None else str(value).strip()


CANNOT_SAY = "?"


def _check(row: Mapping[str, Any], rater: str, answer: str, file: str, line: int) -> Mark:
    """What a person found of one decision; a row that names its rater and says nothing is not filled in yet."""
    if not rater or not answer:
        missing = "right" if rater else "rater"
        raise BadInputError(
            "empty; expected a name" if not rater else f"empty; expected yes, no or {CANNOT_SAY}",
            file=file,
            line=line,
            field=missing,
        )
    right = None if answer == CANNOT_SAY else _yes(answer, file, line, "right")
    referred = _cell(row, "referred")
    return Mark(
        task=_cell(row, "task").removeprefix("'"),
        rater=rater,
        value=None if right is None else float(right),
        reason=_cell(row, "reason"),
        referred=_yes(referred, file, line, "referred") if referred else None,
        error=_cell(row, "error").lower(),
    )


def _yes(text: str, file: str, line: int, field: str) -> bool:
    # Spreadsheets write a ticked box as TRUE, and a 1 that was typed as 1.0.
    found = YES_OR_NO.get(text.lower().removesuffix(".0"))
    if found is None:
        raise BadInputError(f"{text!r}; expected yes or no", file=file, line=line, field=field)
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
