"""The official metrics of public sets: each a scoring rule for a run, and figures by task over what a run has said."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from benchbar.records import Dialogue, DialogueEnd, Record, Sample, Suite
from benchbar.records.numbers import Estimate
from benchbar.scoring.functions import FunctionScorer, Verdict, mark, scorer
from benchbar.suites.public_sets import reader_of
from benchbar.suites.readers.official import Answered

if TYPE_CHECKING:
    import numpy as np


class TaskFigures(Record, frozen=True):
    """What one assistant reached in one task, by the set's own metrics."""

    assistant: str
    task: str
    n: int
    """Samples of the task."""
    metrics: dict[str, Estimate]


def figures(
    name: str, suite: Suite, dialogues: Iterable[Dialogue], generator: np.random.Generator
) -> list[TaskFigures]:
    """The official figures of each assistant and task; a sample without a dialogue, or with one that failed, is missing.

    Raises:
        UnknownNameError: ``name`` is no set with metrics of its own.
    """
    reader = reader_of(name)
    said: dict[str, dict[str, Dialogue]] = {}
    for dialogue in dialogues:
        said.setdefault(dialogue.assistant, {}).setdefault(dialogue.sample, dialogue)
    found = []
    for assistant, own in said.items():
        for task in suite.tasks:
            answered = [_answered(sample, own.get(sample.id)) for sample in suite.samples if sample.task == task]
            if answered:
                metrics = reader.official(answered, generator)
                found.append(TaskFigures(assistant=assistant, task=task, n=len(answered), metrics=metrics))
    return found


def _answered(sample: Sample, dialogue: Dialogue | None) -> Answered:
    if dialogue is None or dialogue.ended is DialogueEnd.ERROR or not dialogue.replies:
        return Answered(sample, None)
    return Answered(sample, dialogue.replies[-1], dialogue.contexts)


def _rule(name: str) -> FunctionScorer:
    """The scoring rule of a set; its mean is the official figure wherever that is a mean over samples."""

    @scorer(name=f"{name.replace('-', '_')}_score", label=f"{name}: the set's own mark")
    def rule(sample: Sample, dialogue: Dialogue) -> Verdict:
        found = reader_of(name).marked(_answered(sample, dialogue))
        none = f"{name} has no mark by rule for this sample: see `benchbar suite get {name}`"
        return mark(found.score, reason=none if found.score is None else "nothing was named" if found.abstained else "")

    return rule


LAWBENCH = _rule("lawbench")
LEXEVAL = _rule("lexeval")
LEXAM = _rule("lexam")
LEGALBENCH = _rule("legalbench")
CUAD = _rule("cuad")
LEGALBENCH_RAG = _rule("legalbench-rag")
ACORD = _rule("acord")
COLIEE = _rule("coliee")
AILA = _rule("aila")
PLAWBENCH = _rule("plawbench")
J1_EVAL = _rule("j1-eval")
