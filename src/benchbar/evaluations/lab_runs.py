"""What only runs of LAB tell: whether work products are grounded in their documents, and answers apart from judges."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchbar.evaluations.formats.lab import CRITERION, PROGRAM, task_folder
from benchbar.evaluations.grounding import Documents, Grounded
from benchbar.evaluations.records import EvaluationLog, LoggedAnswer
from benchbar.records import Estimate, Problem
from benchbar.statistics.components import Observation, Part, variance_parts
from benchbar.statistics.proportions import share
from benchbar.tables.work_products import texts_of

DOCUMENTS = "documents"
LEVELS = ("criterion", "answer", "judge")


class GroundedFile(NamedTuple):
    """The facts of one file of a work product."""

    task: str
    model: str
    file: str
    facts: list[Grounded]


class Grounding(NamedTuple):
    """All files whose task's documents are at hand."""

    files: list[GroundedFile]
    problems: list[Problem]
    """Files that could not be read."""

    def rate(self, answer: str) -> Estimate:
        """The share of facts with this answer; facts of one task are one cluster."""
        found = [(one.task, fact.answer == answer) for one in self.files for fact in one.facts]
        return share([flag for _, flag in found], clusters=[task for task, _ in found], unit="fact")


def grounding_of(logs: Sequence[EvaluationLog]) -> Grounding:
    """Every fact of every work product of LAB, held against its task's documents by rules."""
    files: list[GroundedFile] = []
    problems: list[Problem] = []
    read: dict[Path, Documents] = {}
    for output, one in _products(logs).items():
        folder = task_folder(output.parent, one.group)
        if folder is None or not (folder / DOCUMENTS).is_dir():
            continue
        if folder not in read:
            texts, wrong = texts_of(folder / DOCUMENTS)
            read[folder] = Documents(texts)
            problems += wrong
        written, wrong = texts_of(output)
        problems += wrong
        files += [GroundedFile(one.group, one.model, name, read[folder].check(text)) for name, text in written.items()]
    return Grounding(files, problems)


def _products(logs: Sequence[EvaluationLog]) -> dict[Path, LoggedAnswer]:
    """Each folder of a work product, once, whatever number of criteria it was marked by."""
    return {Path(one.output): one for log in logs if log.program == PROGRAM for one in log.answers if one.output}


def parts_of_variance(logs: Sequence[EvaluationLog]) -> dict[str, Part]:
    """How much criteria, repeated answers and judges each add to the variance of a mark; empty without criteria."""
    rows = [
        Observation((f"{one.model} {one.sample}", one.repeat), value)
        for log in logs
        if log.program == PROGRAM
        for one in log.answers
        if (value := one.scores.get(CRITERION)) is not None
    ]
    return variance_parts(rows, LEVELS) if rows else {}
