"""Tasks rated by the users that they are made for: what passes, and what has to be reworked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchbar.records import Estimate, Problem
from benchbar.records.errors import BadInputError
from benchbar.statistics import Agreement, mean, ratings
from benchbar.survey.analysis import UNIT, retained_cases
from benchbar.survey.records import RATED, SurveyResults, TaskRating, TaskVerification, VerificationResults
from benchbar.tables.reading import read_table
from benchbar.tables.table import Table

LEAST, MOST = 1, 5
LABELS = tuple(str(value) for value in range(LEAST, MOST + 1))
"""The scale: 1 worst, 5 best."""
MAX_ANSWER = 20_000
"""Characters of one answer."""
FIELDS: dict[str, tuple[str, ...]] = {
    "rater": ("rater", "respondent", "评分人", "受访者", "респондент"),
    "task": ("task", "task id", "任务", "задача"),
    "round": ("round", "轮次", "раунд"),
    "clarity": ("clarity", "清晰度", "ясность"),
    "relevance": ("relevance", "相关性", "相关度", "уместность"),
    "practicality": ("practicality", "实用性", "полезность"),
    "comment": ("comment", "suggestions", "建议", "意见", "комментарий"),
    "use_case": ("use_case", "use case", "用途", "случай"),
    "scenario": ("scenario", "场景", "сценарий"),
}
_NAMES = {name: field for field, names in FIELDS.items() for name in names}
# Excel writes 4 as 4.0; a 4.5 is no mark of this scale and must not be rounded to one.
_WHOLE = re.compile(r"\d{1,4}(?:\.0{1,6})?")


class Rated(NamedTuple):
    """Everything that a file of ratings held."""

    ratings: tuple[TaskRating, ...]
    problems: tuple[Problem, ...]


def read_ratings(path: Path) -> Rated:
    """The ratings of a CSV, TSV or JSONL file, one person's word on one task a row.

    Raises:
        BadInputError: the file cannot be read, a column is missing, or no row can be used.
    """
    table = read_table(path, max_field=MAX_ANSWER)
    rows = table.rows
    fields = {field: head for head in table.columns if (field := _NAMES.get(head.lower()))}
    needed = ("rater", "task", *RATED)
    if rows and (missing := [name for name in needed if name not in fields]):
        raise BadInputError(
            f"no column {', '.join(missing)}; expected {', '.join(needed)}; there are {', '.join(table.columns)}",
            file=path,
        )
    found: dict[tuple[str, str, int], TaskRating] = {}
    for line, row in rows:
        one = _rating(table, fields, line, row)
        if one is None:
            continue
        key = (one.rater, one.task, one.round)
        if key in found:
            message = f"{one.rater} rated {one.task} twice in round {one.round}; the first rating is kept"
            # The first is kept, as it was given without the others in sight; a mean of both would be a rating nobody
            # gave.
            table.problem(message, line=line, field=fields["rater"])
        else:
            found[key] = one
    if not found:
        first = f"; first problem: {table.problems[0].message}" if table.problems else ""
        raise BadInputError(f"no usable rating found in it{first}", file=path)
    return Rated(tuple(found.values()), tuple(table.problems))


def _rating(table: Table, fields: Mapping[str, str], line: int, row: Mapping[str, Any]) -> TaskRating | None:
    """The row's rating; None where it names no rater or task, or a number is none."""
    before = len(table.problems)

    def text(field: str) -> str:
        cell = row.get(fields.get(field, ""), "")
        return "" if cell is None else str(cell).strip()

    for field in ("rater", "task"):
        if not text(field):
            table.problem("empty; the row is left out", line=line, field=fields[field])
    in_round = _number(table, fields.get("round", ""), line, text("round"), 1, 1000) if text("round") else 1
    values = {
        name: value
        for name in RATED
        if text(name) and (value := _number(table, fields[name], line, text(name), LEAST, MOST)) is not None
    }
    if len(table.problems) > before or in_round is None:
        return None
    return TaskRating(
        rater=text("rater"),
        task=text("task"),
        round=in_round,
        values=values,
        comment=text("comment"),
        use_case=text("use_case"),
        scenario=text("scenario"),
    )


def _number(table: Table, head: str, line: int, said: str, low: int, high: int) -> int | None:
    value = int(float(said)) if _WHOLE.fullmatch(said) else None
    if value is None or not low <= value <= high:
        message = f"{said[:60]!r}; expected a whole number from {low} to {high}; the row is left out"
        table.problem(message, line=line, field=head)
        return None
    return value


def verified(
    rated: Rated,
    *,
    threshold: float = 4.0,
    seed: int = 0,
    survey: SurveyResults | None = None,
    mapping: Mapping[str, Sequence[str]] | None = None,
) -> VerificationResults:
    """Each task's means by round, and whether it passes: every mean of its last round at ``threshold`` or above.

    ``mapping`` adds use cases to tasks; with ``survey``, retained use cases without a task are named.

    Raises:
        BadInputError: the threshold is outside the scale.
    """
    if not LEAST <= threshold <= MOST:
        raise BadInputError(f"{threshold:g}; expected {LEAST} to {MOST}", field="threshold")
    by_task: dict[str, list[TaskRating]] = {}
    for one in rated.ratings:
        by_task.setdefault(one.task, []).append(one)
    tasks = tuple(_task(name, own, threshold, mapping or {}) for name, own in by_task.items())
    last = [one for one in rated.ratings for task in tasks if task.task == one.task and task.round == one.round]
    return VerificationResults(
        threshold=threshold,
        dimensions=RATED,
        raters=len({one.rater for one in rated.ratings}),
        rounds=tuple(sorted({one.round for one in rated.ratings})),
        tasks=tasks,
        passed=sum(task.passed for task in tasks),
        rework=tuple(task.task for task in tasks if not task.passed),
        at_threshold=tuple(f"{task.task}: {dimension}" for task in tasks for dimension in task.at_threshold),
        undecided=sum(len(task.undecided) for task in tasks),
        agreement={name: _agreement(last, name, seed) for name in RATED},
        without_task=tuple(_without_task(survey, tasks)) if survey else (),
        problems=rated.problems,
    )


def _task(
    name: str, own: Sequence[TaskRating], threshold: float, mapping: Mapping[str, Sequence[str]]
) -> TaskVerification:
    rounds = sorted({one.round for one in own})
    means = {str(number): _means([one for one in own if one.round == number]) for number in rounds}
    last = [one for one in own if one.round == rounds[-1]]
    final = means[str(rounds[-1])]
    # What nobody rated does not pass: silence is no approval.
    below = tuple(dimension for dimension, one in final.items() if one.value is None or one.value < threshold)
    cases = dict.fromkeys([*(one.use_case for one in own if one.use_case), *mapping.get(name, ())])
    return TaskVerification(
        task=name,
        use_cases=tuple(cases),
        round=rounds[-1],
        raters=len({one.rater for one in last}),
        rounds=means,
        passed=not below,
        below=below,
        # Pointed out, since one rating more may turn it.
        at_threshold=tuple(dimension for dimension, one in final.items() if one.value == threshold),
        undecided=tuple(dimension for dimension, one in final.items() if _undecided(one, threshold)),
        comments=tuple(one.comment for one in last if one.comment),
    )


def _means(own: Sequence[TaskRating]) -> dict[str, Estimate]:
    return {
        name: mean([one.values.get(name) for one in own], low=float(LEAST), high=float(MOST), unit=UNIT)
        for name in RATED
    }


def _undecided(one: Estimate, threshold: float) -> bool:
    """Whether the interval holds the threshold; a mean without an interval decides nothing beyond its raters."""
    return one.low is None or one.high is None or one.low < threshold <= one.high


def _agreement(last: Sequence[TaskRating], dimension: str, seed: int) -> dict[str, Estimate]:
    """How far people agree on tasks: raw, Krippendorff's alpha (ordinal) and Gwet's AC2 (linear weights)."""
    tasks = list(dict.fromkeys(one.task for one in last))
    raters = list(dict.fromkeys(one.rater for one in last))
    said = {(one.rater, one.task): one.values.get(dimension) for one in last}
    columns = {
        rater: [None if (value := said.get((rater, task))) is None else str(value) for task in tasks]
        for rater in raters
    }
    # The last round alone, as for the verdict: with its earlier wording a task was another one.
    found = Agreement(ratings(columns, LABELS), np.random.default_rng(seed))
    return {
        "raw": found.raw(_pairs(len(raters))),
        "krippendorff_alpha": found.krippendorff_alpha("ordinal"),
        "gwet_ac2": found.gwet("linear"),
    }


def _pairs(count: int) -> list[tuple[int, int]]:
    return [(one, other) for one in range(count) for other in range(one + 1, count)]


def _without_task(survey: SurveyResults, tasks: Iterable[TaskVerification]) -> Iterator[str]:
    """Retained use cases that no task names, by id or by their words."""
    named = {case for task in tasks for case in task.use_cases}
    for id_, case in retained_cases(survey).items():
        if id_ not in named and case.text not in named:
            yield id_


def read_mapping(path: Path) -> dict[str, list[str]]:
    """Task to its use cases, from a table with the columns ``task`` and ``use_case``.

    Raises:
        BadInputError: a column is missing.
    """
    table = read_table(path, max_field=MAX_ANSWER)
    rows = table.rows
    fields = {field: head for head in table.columns if (field := _NAMES.get(head.lower()))}
    if missing := [name for name in ("task", "use_case") if name not in fields]:
        raise BadInputError(f"no column {', '.join(missing)}; there are {', '.join(table.columns)}", file=path)
    found: dict[str, list[str]] = {}
    for _, row in rows:
        found.setdefault(str(row.get(fields["task"], "")), []).append(str(row.get(fields["use_case"], "")))
    return found
