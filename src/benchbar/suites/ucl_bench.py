"""Reads UCL-Bench's data: upstream's JSON (task name to list of samples) and one-object-a-line exports of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from benchbar.records import Guidance, PointKind, Sample, Suite, SuiteCard
from benchbar.records.errors import BadInputError
from benchbar.suites.guidance_text import read_guidance
from benchbar.suites.readers.rows import gather
from benchbar.suites.taxonomy import IN_PROMPT, TASKS, task_id
from benchbar.tables.json_rows import read_json
from benchbar.tables.reading import read_table
from benchbar.tables.table import Table

CARD = SuiteCard(
    name="ucl-bench",
    description="Consultations of five kinds of legal users, with expert answer guidance (Gan et al., UCL-Bench).",
    source="https://github.com/killerqueen-wonder/UCL-bench",
    licence="MIT",
    jurisdiction="PRC",
)
PATHS = "4-2"
"""The task whose labels are paths of a closed list, such as 本金争议/借贷合意/书面协议or电子协议/本金（金额）."""
_STROKE = "\u2215"
"""Stands for the stroke of a path while the guidance is read, where a stroke divides wordings of one point."""
_LEAD = re.compile(r"^[^：:]{0,12}[：:]\s*")
_GUIDANCE_FIELDS = ("guidance", "evaluation_hints")


def read(path: Path) -> Suite:
    """The suite that a UCL-Bench file holds; rows that cannot be used are listed in its problems.

    Raises:
        BadInputError: the file cannot be read, or holds no sample at all.
    """
    table = Table(path, "JSON") if path.suffix.lower() == ".json" else read_table(path)
    rows = _by_task(table) if table.format == "JSON" else table
    samples = gather(table, ((line, _sample(table, line, row)) for line, row in rows), "UCL-Bench sample")
    return Suite(card=CARD, tasks=dict(TASKS), samples=samples, problems=tuple(table.problems))


def _by_task(table: Table) -> Iterator[tuple[None, dict[str, Any]]]:
    document = read_json(table.path)
    if not isinstance(document, dict):
        raise BadInputError(
            f"an object of task name to list was expected, found {type(document).__name__}", file=table.path
        )
    for task, items in document.items():
        if not isinstance(items, list):
            table.problem(f"a list of samples was expected, found {type(items).__name__}", field=task)
            continue
        for item in items:
            if isinstance(item, dict):
                yield None, {"task": task} | item
            else:
                table.problem("a sample should be an object", field=task)


def _sample(table: Table, line: int | None, row: dict[str, Any]) -> Sample | None:
    task = task_id(str(row.get("task") or row.get("task_name") or ""))
    if task is None:
        table.problem(f"unknown task {row.get('task') or row.get('task_name')!r}", line=line, field="task")
        return None
    if row.get("id") is None or not str(row.get("needs") or "").strip():
        missing = "id" if row.get("id") is None else "needs"
        table.problem("missing or empty; the sample is skipped", line=line, field=missing)
        return None
    id_ = f"{task}-{_number(row['id'])}"
    text = next((str(row[name]) for name in _GUIDANCE_FIELDS if row.get(name)), "")
    reading = read_guidance(text.replace("/", _STROKE) if task == PATHS else text)
    for fault in reading.problems(id_):
        table.problem(fault, line=line, field="guidance")
    return Sample(
        id=id_,
        task=task,
        information=str(row.get("information") or ""),
        needs=str(row["needs"]),
        guidance=_with_paths(reading.guidance, text) if task == PATHS else reading.guidance,
        long_information=task in IN_PROMPT and bool(row.get("information")),
    )


def _with_paths(guidance: Guidance, text: str) -> Guidance:
    """The guidance with each label whole: cut at its strokes, an answer that names any part of it would be right."""
    points = tuple(
        replace(point, kind=PointKind.TERM, text=_LEAD.sub("", point.text).replace(_STROKE, "/"), exhaustive=False)
        if _STROKE in point.text
        else point
        for point in guidance.points
    )
    return replace(guidance, points=points, text=text)


def _number(id_: object) -> str:
    text = str(id_).strip()
    return text.zfill(3) if text.isdigit() else text
