"""The official metrics of public sets: each a scoring rule for a run, and figures by task over what a run has said."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from benchbar.records import Dialogue, DialogueEnd, Record, Sample, Suite
from benchbar.records.errors import UserError
from benchbar.records.numbers import Estimate
from benchbar.scoring.functions import FunctionScorer, Verdict, mark, scorer
from benchbar.suites.public_sets import public_sets, reader_of
from benchbar.suites.readers.official import Answered
from benchbar.suites.readers.retrieved import TEXTS, without_ids

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
        UserError: the suite is not made from this set.
    """
    reader = reader_of(name)
    _refuse_another_set(name, suite)
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


def _refuse_another_set(name: str, suite: Suite) -> None:
    # Readers look tasks up by their ids and take the rest to be of the usual form: another set's samples would be marked by
    # rules that were not made for them, with figures that look real. Authors may rename a suite; its source stays.
    if name == suite.card.name or reader_of(name).CARD.source == suite.card.source:
        return
    theirs = next((set_ for set_, card in public_sets().items() if card.source == suite.card.source), suite.card.name)
    raise UserError(
        f"this suite is {theirs}, not {name}; make one of {name} with `benchbar suite get {name} COPY --out FOLDER`"
    )


def _answered(sample: Sample, dialogue: Dialogue | None) -> Answered:
    if dialogue is None or dialogue.ended is DialogueEnd.ERROR or not dialogue.replies:
        return Answered(sample, None)
    return Answered(sample, dialogue.replies[-1], dialogue.contexts)


def _rule(name: str, *, by_task: bool = False) -> FunctionScorer:
    """The scoring rule of a set; its mean is the official figure wherever that is a mean over samples.

    ``by_task``: the set's tasks have different metrics, of which its card allows no mean.
    """

    @scorer(name=f"{name.replace('-', '_')}_score", label=f"{name}: the set's own mark", by_task=by_task)
    def rule(sample: Sample, dialogue: Dialogue) -> Verdict:
        answered = _answered(sample, dialogue)
        found = reader_of(name).marked(answered)
        none = f"{name} has no mark by rule for this sample: see `benchbar suite get {name}`"
        if sample.evidence and without_ids(answered):
            none = TEXTS
        return mark(found.score, reason=none if found.score is None else "nothing was named" if found.abstained else "")

    return rule


LAWBENCH = _rule("lawbench", by_task=True)
LEXEVAL = _rule("lexeval", by_task=True)
LEXAM = _rule("lexam")
LEGALBENCH = _rule("legalbench", by_task=True)
CUAD = _rule("cuad")
LEGALBENCH_RAG = _rule("legalbench-rag")
ACORD = _rule("acord")
COLIEE = _rule("coliee", by_task=True)
AILA = _rule("aila")
PLAWBENCH = _rule("plawbench")
J1_EVAL = _rule("j1-eval")
