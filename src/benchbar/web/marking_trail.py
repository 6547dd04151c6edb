"""How people's marks came to decide: so many of those that were drawn, and the gate's intervals after the first ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchbar.artefacts.layout import RunFolder
from benchbar.ledger.reviews import Reviews
from benchbar.records import GateCheck, KeptMark, ReviewPlan
from benchbar.records.errors import BenchbarError
from benchbar.scoring.people import human_marks
from benchbar.web.folders import REMEMBERED
from benchbar.web.gating import gate_with
from benchbar.web.mark_stream import MarkStream
from benchbar.web.marks_wanted import Pair, Wanted, settled_of, wanted_of

CUTS = (5, 10, 20, 40, 80, 160, 320, 640, 1280)
"""Marks after which it is looked at how far the decision was; each twice the last one, as an interval shrinks by the root."""


@dataclass(frozen=True, slots=True)
class Step:
    """A condition after some of the marks."""

    marks: int
    """Settled ones of its assistant and measure."""
    check: GateCheck


@dataclass(frozen=True, slots=True)
class Ending:
    """How far people's marks are from a decision."""

    wanted: Wanted
    marks: int
    """Settled ones on which the gate rests."""
    planned: int
    """Those and the ones that wait."""
    chances: tuple[float, float]
    """The least and the greatest chance with which the tasks were drawn."""
    steps: tuple[tuple[Step, ...], ...]
    """For each condition on people's marks, from its first ones to those of now."""


def ending(run: Path, stream: MarkStream) -> Ending | None:
    """How far a run's marks are from a decision; None where nothing of the gate rests on them, or it cannot be decided."""
    plans, marks = stream.ask(lambda reviews: (tuple(reviews.plans), tuple(_drawn(reviews))))
    cuts = [*(cut for cut in CUTS if cut < len(marks)), len(marks)]
    try:
        looks = [_look(run, plans, marks[:cut]) for cut in cuts]
    # The page says elsewhere why there is no gate.
    except BenchbarError:
        return None
    wanted, settled, _ = looks[-1]
    if not wanted.resting:
        return None
    tasks = [task for plan in plans for task in plan.tasks if (task.assistant, task.measure) in wanted.resting]
    drawn = {task.id: task.probability for task in tasks if not task.picked}
    return Ending(
        wanted=wanted,
        marks=sum(settled[pair] for pair in wanted.resting),
        planned=len(drawn),
        chances=(min(drawn.values()), max(drawn.values())),
        steps=tuple(_steps(pair, looks) for pair in sorted(wanted.resting)),
    )


Looked = tuple[Wanted, dict[Pair, int], dict[Pair, GateCheck]]


def _drawn(reviews: Reviews) -> Iterator[KeptMark]:
    """The marks of dialogues that chance chose, in the order in which they came."""
    asked = {task.id for task in reviews.drawn() if task.kind == "dialogues"}
    return (one for one in reviews.marks if one.mark.task in asked)


def _look(run: Path, plans: tuple[ReviewPlan, ...], marks: Sequence[KeptMark]) -> Looked:
    # The first marks stay the first ones: what was said of them is read once.
    key = ("look", run, len(plans), len(marks), marks[-1].number if marks else 0)
    return REMEMBERED.get(key, RunFolder(run).states("measures"), lambda: _looked(run, Reviews(plans, marks)))


def _looked(run: Path, reviews: Reviews) -> Looked:
    marks = human_marks(reviews)
    settled, gate = settled_of(reviews, marks), gate_with(run, marks)
    wanted = wanted_of(gate, settled)
    checks = {(check.assistant, check.measure): check for check in gate.checks if check.required}
    return wanted, settled, {pair: checks[pair] for pair in wanted.resting}


def _steps(pair: Pair, looks: Sequence[Looked]) -> tuple[Step, ...]:
    found: dict[int, Step] = {}
    for _, settled, checks in looks:
        if settled.get(pair) and pair in checks:
            # Marks of others, or a second one that is waited for, change nothing of it.
            found[settled[pair]] = Step(settled[pair], checks[pair])
    return tuple(found.values())
