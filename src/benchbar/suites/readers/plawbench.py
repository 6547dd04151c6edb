"""Reads PLawBench: consultations, case analyses and pleadings, each with criteria that a judge marks.

Layout as in ``practical_case_analysis_250.jsonl``, ``public_legal_consultation_18.json``, ``Plantiffs_Statement.json`` and
``Defendants_Statement.json`` of SKYLENAGE-AI/PLawBench at commit f6ee07b.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchbar.records import Category, Guidance, GuidancePoint, Sample, Suite, SuiteCard, Task
from benchbar.suites.readers.data_folder import in_data_folder
from benchbar.suites.readers.official import Answered, Estimates, Mark, averaged
from benchbar.suites.readers.rows import RowError, read_tables, text

CARD = SuiteCard(
    name="plawbench",
    description="280 published tasks of Chinese legal practice, marked by criteria with points (SKYLENAGE-AI).",
    source="https://github.com/SKYLENAGE-AI/PLawBench",
    licence="none stated in the repository",
    jurisdiction="PRC",
    version="f6ee07b",
    protocol="question_answering",
)
TASKS = {
    id_: Task(id=id_, name=name, level=level, scenarios=(scenario,))
    for id_, name, level, scenario in (
        ("consultation", "Facts to be asked for", "analyze", "general_public"),
        ("case-analysis", "Case analysis", "evaluate", "law_office"),
        ("complaint", "Complaint", "create", "law_office"),
        ("defence", "Statement of defence", "create", "law_office"),
    )
}
_FILES = (
    ("consultation", "consultation"), ("case_analysis", "case-analysis"), ("plantiff", "complaint"),
    ("plaintiff", "complaint"), ("defendant", "defence"),
)  # fmt: skip
_EXPECTED = "the files of PLawBench, such as practical_case_analysis_250.jsonl"
_PATTERNS = ("consultation", "case_analysis", "[Pp]lantiff", "[Pp]laintiff", "[Dd]efendant")


@in_data_folder(*(f"*{part}*.json*" for part in _PATTERNS), expected=_EXPECTED)
def read(path: Path) -> Suite:
    """The tasks of one of the set's files, or of the folder that holds them; each criterion is a point with its worth as weight.

    Raises:
        BadInputError: there is none of its files, or one cannot be read.
    """
    given = sorted(path.glob("*.json*")) if path.is_dir() else [path]
    own = [file for file in given if _task(file)]
    folder = path if path.is_dir() else path.parent
    return read_tables(own, folder, CARD, TASKS, _in_file, _EXPECTED)


def _task(file: Path) -> str:
    return next((task for part, task in _FILES if part in file.stem.lower()), "")


def _in_file(file: Path) -> Callable[[Mapping[str, Any]], Sample]:
    task, counter = _task(file), iter(range(10**9))

    def sample(row: Mapping[str, Any]) -> Sample:
        place = next(counter)
        if task == "case-analysis":
            needs, points = f"{text(row, 'context')}\n\n{text(row, 'question')}", _listed(row.get("rubrics"))
        else:
            needs, points = text(row, "conversation"), _written(text(row, "rubrics", "Rubrics"), task)
        tag = str(row.get("label") or row.get("tag") or "")
        return Sample(
            id=f"{task}-{place:03d}",
            task=task,
            needs=needs,
            guidance=Guidance(points=points),
            tags=(f"topic:{tag}",) if tag else (),
            instructions="",
        )

    return sample


def _listed(rubrics: Any) -> tuple[GuidancePoint, ...]:
    if not isinstance(rubrics, list) or not rubrics:
        raise RowError("rubrics", "found no list of criteria")
    pairs = [
        (str(one.get("criterion") or ""), str(one.get("points") or "")) for one in rubrics if isinstance(one, dict)
    ]
    if any(not words or not worth.isdigit() for words, worth in pairs):
        raise RowError("rubrics", "a criterion lacks its text or its points")
    return _points(pairs)


_NUMBERED = re.compile(r"^\s*\d+\s*[.．、]\s*[（(]\s*\+\s*(?P<worth>\d+)\s*分\s*[）)]\s*(?P<text>.+)$", re.MULTILINE)
_SECTION = re.compile(
    r"^\s*[一二三四五六七八九十]+\s*、[^\n]*?[（(]\s*占?\s*(?P<worth>\d+)\s*分\s*[）)][^\n]*$", re.MULTILINE
)


def _written(rubrics: str, task: str) -> tuple[GuidancePoint, ...]:
    """Criteria of a running text: numbered questions with points, or sections (一、…) with all that they give and cost."""
    if task == "consultation":
        pairs = [(found["text"].strip(), found["worth"]) for found in _NUMBERED.finditer(rubrics)]
    else:
        heads = list(_SECTION.finditer(rubrics))
        ends = [*(head.start() for head in heads), len(rubrics)][1:]
        pairs = [(rubrics[head.start() : end].strip(), head["worth"]) for head, end in zip(heads, ends, strict=False)]
    if not pairs:
        raise RowError("rubrics", "found no criterion with points")
    return _points(pairs)


def _points(pairs: Sequence[tuple[str, str]]) -> tuple[GuidancePoint, ...]:
    return tuple(
        GuidancePoint(id=f"p{place}", category=Category.MANDATORY, text=words, weight=float(worth))
        for place, (words, worth) in enumerate(pairs, start=1)
        if float(worth)
    )


def official(answered: Sequence[Answered], _: np.random.Generator) -> Estimates:
    """No figure by rule: the share of points is what a judge gives, and stands in the run as ``point_score``."""
    return averaged(answered, marked, "share of points, by a judge")


def marked(_: Answered) -> Mark:
    """None: criteria are marked by a judge."""
    return Mark(None)
