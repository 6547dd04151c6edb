"""Reads LexRubric: questions of the judicial examination with weighted criteria, some of them forbidden."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from benchbar.records import Category, Guidance, GuidancePoint, Sample, Suite, SuiteCard, Task
from benchbar.suites.point_kinds import classify
from benchbar.suites.readers.rows import RowError, identity, read_suite, text

CARD = SuiteCard(
    name="lexrubric",
    description="Legal questions marked by weighted criteria; a criterion with negative points is forbidden.",
    source="https://github.com/foggpoy/LexRubric",
    licence="MIT",
    jurisdiction="PRC",
    protocol="question_answering",
)
TASKS = {
    id_: Task(id=id_, name=name, level="analyze", scenarios=(scenario,))
    for id_, name, scenario in (
        ("exam", "Judicial Examination", "college"),
        ("consultation", "Consultation", "general_public"),
    )
}


def read(path: Path) -> Suite:
    """The samples of a LexRubric file, each criterion a guidance point with its points as weight.

    Raises:
        BadInputError: the file cannot be read, or holds no sample.
    """
    return read_suite(path, CARD, TASKS, _sample)


def _sample(row: Mapping[str, Any]) -> Sample:
    task = "consultation" if "consult" in str(row.get("category") or row.get("type") or "").lower() else "exam"
    rubrics = row.get("rubrics")
    if not isinstance(rubrics, list) or not rubrics:
        raise RowError("rubrics", "a list of criteria was expected")
    points = tuple(_point(place, rubric) for place, rubric in enumerate(rubrics, start=1))
    group = row.get("case_group")
    return Sample(
        id=f"{task}-{identity(row, 'id', 'ID')}",
        task=task,
        needs=text(row, "question"),
        guidance=Guidance(points=points, text=str(row.get("answer") or "")),
        tags=() if group is None else (f"case_group:{group}",),
    )


def _point(place: int, rubric: Any) -> GuidancePoint:
    """A criterion; its worth is called ``point`` in the data and ``points`` in its documentation."""
    if not isinstance(rubric, dict):
        raise RowError("rubrics", f"criterion {place} is no object")
    worth = rubric.get("point", rubric.get("points"))
    if isinstance(worth, bool) or not isinstance(worth, int | float) or worth == 0:
        raise RowError("rubrics", f"criterion {place} is worth {worth!r}; a number other than 0 was expected")
    category = Category.FORBIDDEN if worth < 0 else Category.MANDATORY
    return replace(classify(f"p{place}", category, text(rubric, "criterion")), weight=float(abs(worth)))
