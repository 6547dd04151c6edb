"""Reads LEXam, and marks its multiple-choice questions as its authors' script does.

Layout and metric as in ``data/*.xlsx`` and ``evaluation.py`` of LEXam-Benchmark/LEXam at commit 487f729.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from string import ascii_uppercase
from typing import Any

import numpy as np

from benchbar.records import Category, Guidance, GuidancePoint, PointKind, Sample, Suite, SuiteCard, Task
from benchbar.suites.readers.data_folder import in_data_folder
from benchbar.suites.readers.official import Answered, Estimates, Mark, averaged
from benchbar.suites.readers.rows import RowError, joined, read_suite, text

CARD = SuiteCard(
    name="lexam",
    description="Questions of 340 law exams at the University of Zurich, open and multiple choice (Fan et al. 2025).",
    source="https://github.com/LEXam-Benchmark/LEXam",
    licence="CC BY 4.0 (data), Apache-2.0 (code)",
    language="de",
    jurisdiction="Switzerland, EU, international",
    version="2025-05",
    protocol="question_answering",
)
OPEN = "open"
_CHOICES = (4, 8, 16, 32)
TASKS = {
    OPEN: Task(id=OPEN, name="Open question", level="analyze", scenarios=("college",)),
    **{
        f"choice-{count}": Task(
            id=f"choice-{count}", name=f"Choice among {count}", level="apply", scenarios=("college",)
        )
        for count in _CHOICES
    },
}
_FORM = "\n\nReason step by step, then name exactly one option, as ###{0}### for option {0}."
_SAID = re.compile(r"###([A-Z]|[1-9]\d?)###")
_MOST = 99


_TESTS = ("MCQs_test.xlsx", "open_questions_test.xlsx")
_OTHERS = ("MCQs_test_perturbation.xlsx", "open_questions_dev.xlsx")
"""Not read with the tests: perturbed choices are the same questions once more, and the development split is there to be tuned on."""


@in_data_folder(*_TESTS, *_OTHERS, expected=f"one of {', '.join((*_TESTS, *_OTHERS))}")
def read(path: Path) -> Suite:
    """The questions of one of LEXam's tables; of a folder, those of both test tables.

    A row of perturbed choices is a sample for each number of options.

    Raises:
        BadInputError: the file cannot be read, or holds no question.
    """
    if path.is_file():
        return _table(path)
    tests, others = ([path / name for name in names if (path / name).is_file()] for names in (_TESTS, _OTHERS))
    suite = joined(path, CARD, [_table(file) for file in tests], f"{' or '.join(_TESTS)}, or one of the others by name")
    left = tuple(f"left out: {file.name}; name the file to read it" for file in others)
    return replace(suite, understood=(*suite.understood, *left))


def _table(path: Path) -> Suite:
    head = _columns(path)
    if head and "4_choices" in head:
        return _perturbed(path)
    return read_suite(path, CARD, TASKS, _sample)


def _columns(path: Path) -> Sequence[str]:
    from benchbar.tables.reading import read_table

    table = read_table(path)
    next(iter(table), None)
    return table.columns


def _perturbed(path: Path) -> Suite:
    from msgspec.structs import replace as with_fields

    parts = [read_suite(path, CARD, TASKS, partial(_choice, count=count, prefix=f"{count}_")) for count in _CHOICES]
    first = parts[0]
    return Suite(
        card=with_fields(CARD, version=f"{CARD.version}, perturbed"),
        tasks={id_: task for part in parts for id_, task in part.tasks.items()},
        samples=tuple(sample for part in parts for sample in part.samples),
        problems=tuple(problem for part in parts for problem in part.problems),
        understood=first.understood,
    )


def _sample(row: Mapping[str, Any]) -> Sample:
    if row.get("choices"):
        return _choice(row, 4, "")
    answer = text(row, "answer")
    point = GuidancePoint(id="p1", category=Category.GROUND_TRUTH, text=answer, weight=4.0)
    return _built(row, OPEN, text(row, "question"), point, answer)


def _choice(row: Mapping[str, Any], count: int, prefix: str) -> Sample:
    options = _options(text(row, f"{prefix}choices"))
    gold = text(row, f"{prefix}choices_gold" if prefix else "gold")
    if not gold.isdigit() or int(gold) >= len(options):
        raise RowError("gold", f"found {gold!r}; expected the place of one of {len(options)} options, from 0")
    # Upstream's letters end at Z; its sets of more options are numbered from 1.
    names = ascii_uppercase if len(options) <= len(ascii_uppercase) else [str(place + 1) for place in range(_MOST)]
    right = names[int(gold)]
    listed = "\n".join(f"{name}. {option}" for name, option in zip(names, options, strict=False))
    point = GuidancePoint(id="p1", category=Category.GROUND_TRUTH, kind=PointKind.CHOICE, text=right, weight=4.0)
    return _built(row, f"choice-{count}", f"{text(row, 'question')}\n\n{listed}{_FORM.format(names[2])}", point, right)


def _options(cell: str) -> list[str]:
    """The cell is a Python list, which is read as a literal and never run."""
    try:
        found = ast.literal_eval(cell)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        found = None
    if not isinstance(found, list) or not 2 <= len(found) <= _MOST:
        raise RowError("choices", f"found {cell[:40]!r}; expected a list of options")
    return [str(option) for option in found]


def _built(row: Mapping[str, Any], task: str, needs: str, point: GuidancePoint, answer: str) -> Sample:
    course = str(row.get("course") or "")
    return Sample(
        id=f"{task}-{text(row, 'id')}",
        task=task,
        needs=needs,
        guidance=Guidance(points=(point,), text=answer),
        reference=answer,
        language="en" if row.get("language") == "en" else "de",
        # Questions of one exam share its facts, its law and its author.
        tags=(f"document:{course} {row.get('year') or ''}".strip(),) if course else (),
        instructions="",
    )


def official(answered: Sequence[Answered], _: np.random.Generator) -> Estimates:
    """LEXam's accuracy of multiple choice; open questions are graded by a judge, whose mark stands in the run."""
    if answered[0].sample.task == OPEN:
        return averaged(answered, marked, "judge's grade")
    return averaged(answered, marked, "accuracy", abstentions=True)


def marked(one: Answered) -> Mark:
    """Right where the last letter or number between triple hashes is that of the right option; an answer without one is wrong."""
    if one.sample.task == OPEN:
        return Mark(None)
    said = _SAID.findall(one.text or "")
    return Mark(float(bool(said) and said[-1] == one.sample.guidance.text), abstained=not said)
