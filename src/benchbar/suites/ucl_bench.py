"""Reads UCL-Bench: a clone as published, upstream's JSON (task name to list of samples), one-object-a-line exports of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from benchbar.languages.text import detect_language
from benchbar.records import Guidance, PointKind, Sample, Suite, SuiteCard
from benchbar.records.errors import BadInputError
from benchbar.suites.guidance_text import read_guidance
from benchbar.suites.readers.rows import gather
from benchbar.suites.taxonomy import IN_PROMPT, PUBLISHED, TASKS, task_id, tasks_in
from benchbar.suites.ucl_files import (
    Clone,
    assistant_name,
    filled,
    identified,
    number,
    outcome,
    read_clone,
    turns_of,
)
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
_TELLING = 50
"""Samples whose needs tell the language of a file."""
_GUIDANCE_FIELDS = ("guidance", "evaluation_hints")


def read(path: Path) -> Suite:
    """The suite that a file or a clone of UCL-Bench holds; rows that cannot be used are listed in its problems.

    Raises:
        BadInputError: the file cannot be read, or holds no sample at all.
    """
    if path.is_dir():
        return _of_clone(read_clone(path))
    table = Table(path, "JSON") if path.suffix.lower() == ".json" else read_table(path)
    rows = _by_task(table) if table.format == "JSON" else table
    samples = gather(table, ((line, _sample(table, line, row)) for line, row in rows), "UCL-Bench sample")
    return Suite(card=CARD, tasks=dict(TASKS), samples=samples, problems=tuple(table.problems))


def samples_of(clone: Clone, table: Table, understood: list[str]) -> dict[str, tuple[Sample, Mapping[str, Any]]]:
    """Our id of each sample of a clone to the sample and upstream's item; what was made of each file is added to ``understood``."""
    kept: dict[str, tuple[Sample, Mapping[str, Any]]] = {}
    for file, items in clone.samples.items():
        rows = [{"task": task} | dict(item) for task, item in items]
        found = [(sample, row) for row in rows if (sample := _sample(table, None, row)) is not None]
        language = detect_language("\n".join(sample.needs for sample, _ in found[:_TELLING]))
        named = [(_in_language(sample, language), row) for sample, row in found]
        new = {sample.id: (sample, row) for sample, row in named if sample.id not in kept}
        kept |= new
        again = f"; {len(found) - len(new)} of them are in a larger file as well" if len(new) < len(found) else ""
        told = sum(bool(sample.instructions) for sample, _ in new.values())
        sent = f"; {told} with instructions, which the assistant is sent" if new else ""
        understood.append(f"{clone.name(file)}: {len(found)} samples in {language}{again}{sent}")
    return kept


def _of_clone(clone: Clone) -> Suite:
    table = Table(clone.place, "JSON")
    understood: list[str] = []
    kept = samples_of(clone, table, understood)
    samples = gather(table, ((None, sample) for sample, _ in kept.values()), "UCL-Bench sample")
    answers = dict(_answers(clone, kept, understood))
    for file, items in clone.verdicts.items():
        outcomes = [outcome(item.get("evaluation_score")) for _, item in identified(items)]
        missing = sum(one is None for one in outcomes)
        understood.append(
            f"{clone.name(file)}: verdicts on {len(outcomes)} samples, {missing} of them missing ([-1, -1]);"
            " `benchbar reproduce ucl-bench` prints their table"
        )
    card = replace(CARD, language=Counter(one.language for one in samples).most_common(1)[0][0])
    return Suite(
        card=card,
        tasks=dict(tasks_in(card.language)),
        samples=samples,
        problems=tuple(table.problems),
        understood=tuple(understood),
        answers=answers,
    )


def _in_language(sample: Sample, language: str) -> Sample:
    """The sample in the language of its file; ids of translations say so, as they repeat those of the original."""
    if language == PUBLISHED:
        return sample
    return replace(sample, id=f"{sample.id}-{language}", language=language)


def _answers(
    clone: Clone, samples: Container[str], understood: list[str]
) -> Iterator[tuple[str, tuple[dict[str, Any], ...]]]:
    """Each assistant with its dialogues; those about no sample of the clone are left out and counted."""
    named: Counter[str] = Counter()
    for file, items in clone.dialogues.items():
        name = assistant_name(file, items)
        named[name] += 1
        name += f"-{named[name]}" if named[name] > 1 else ""
        rows = []
        for id_, item in identified(items):
            turns = turns_of(str(item.get("dialogue") or ""))
            if id_ in samples and turns:
                rows.append({"sample": id_, "turns": [{"role": one.role, "content": one.content} for one in turns]})
        left = len(items) - len(rows)
        understood.append(
            f"{clone.name(file)}: dialogues of {name} about {len(rows)} samples"
            + (f"; {left} left out" if left else "")
        )
        yield name, tuple(rows)


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
    id_ = f"{task}-{number(row['id'])}"
    text = next((str(row[name]) for name in _GUIDANCE_FIELDS if row.get(name)), "")
    reading = read_guidance(text.replace("/", _STROKE) if task == PATHS else text)
    for fault in reading.problems(id_):
        table.problem(fault, line=line, field="guidance")
    information = str(row.get("information") or "")
    instructions = filled(str(row.get("model_prompt") or ""), {"information": information})
    return Sample(
        id=id_,
        task=task,
        information=information,
        needs=str(row["needs"]),
        guidance=_with_paths(reading.guidance, text) if task == PATHS else reading.guidance,
        long_information=task in IN_PROMPT and bool(information),
        instructions=instructions if instructions.strip() else UNSET,
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
