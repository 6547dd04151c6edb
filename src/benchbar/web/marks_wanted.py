"""Which marks can still move the gate: tasks about them come first, and where the owner says so, no others are given out.

Only whose answers are marked next depends on the marks so far. Which of an assistant's answers comes next is left to chance (drawn
with a recorded chance, in random order), so that what is marked of them stays a random part, whenever marking ends.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchbar.ledger.reviews import Reviews
from benchbar.records import COMPARED, GRADED, GateDecision, HumanMarks, ReviewTask
from benchbar.records.errors import BenchbarError
from benchbar.scoring.people import human_marks
from benchbar.web.gating import gate_with
from benchbar.web.mark_stream import MarkStream

Pair = tuple[str, str]
"""Assistant and measure."""
THRESHOLDS = frozenset({"at_least", "at_most"})
"""Kinds of conditions that people's marks carry."""
FRESH = 10.0
"""Seconds for which a decision is taken as it is: fifty reviewers mark several times a second."""
SHARE = 20
"""A decision that takes long is renewed the more rarely: it takes no more than this part of the time."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the gate says of people's marks."""

    resting: frozenset[Pair] = frozenset()
    """Whose conditions rest on them; where none does, all marks are alike."""
    open: frozenset[Pair] = frozenset()
    """Those of them that further marks may decide."""

    @property
    def decided(self) -> bool:
        """Whether no further mark changes what the gate says."""
        return bool(self.resting) and not self.open

    def needless(self, task: ReviewTask) -> bool:
        """Whether a mark of this task moves nothing; what was picked by hand or checks a judge is asked for another reason."""
        drawn = task.kind == "dialogues" and not task.picked
        return bool(self.resting) and drawn and (task.assistant, task.measure) not in self.open


EVERYTHING = Wanted()


def wanted_of(gate: GateDecision, settled: Mapping[Pair, int]) -> Wanted:
    """What a gate's decision says of marks; ``settled`` are the settled ones of each pair that people are asked about.

    A condition that the judge alone decided is open to people until they gave as many marks as the policy asks for. One that fails
    fails the whole gate: then no mark of another moves it.
    """
    resting = {
        (check.assistant, check.measure): check
        for check in gate.checks
        if check.required and check.kind in THRESHOLDS and (check.assistant, check.measure) in settled
    }
    enough = {pair for pair in resting if settled[pair] >= gate.minimum_marks}
    if any(resting[pair].decision == "fail" for pair in enough):
        return Wanted(frozenset(resting))
    decided = {pair for pair in enough if resting[pair].decision == "pass"}
    return Wanted(frozenset(resting), frozenset(set(resting) - decided))


def settled_of(reviews: Reviews, marks: Mapping[str, HumanMarks]) -> dict[Pair, int]:
    """The number of settled marks of each assistant and measure that people are asked about."""
    asked = {(task.assistant, task.measure) for task in reviews.drawn() if task.kind == "dialogues"}
    found: dict[Pair, int] = {}
    for name, measure in asked:
        own = marks.get(name)
        said = own.compared if own and measure == COMPARED else own if measure == GRADED else None
        found[name, measure] = len(said.values) if said else 0
    return found


@dataclass(slots=True)
class _Known:
    number: int
    """Of the last row of the ledger."""
    until: float
    wanted: Wanted


class MarksWanted:
    """What each run's gate said a moment ago; one at a time decides anew, and nobody else waits for it."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._known: dict[Path, _Known] = {}
        self._deciding = threading.Lock()

    def of(self, run: Path, stream: MarkStream) -> Wanted:
        """What is wanted of a run's marks; everything where its gate cannot be decided."""
        known = self._known.get(run)
        number = stream.ask(lambda reviews: reviews.number)
        old = known is None or (known.number != number and known.until < time.monotonic())
        if old and self._deciding.acquire(blocking=False):
            try:
                known = self._known[run] = _decided(run, stream)
            finally:
                self._deciding.release()
        return known.wanted if known else EVERYTHING

    def forget(self, run: Path) -> None:
        """Know nothing of a run that is about to be deleted."""
        self._known.pop(run, None)


def _decided(run: Path, stream: MarkStream) -> _Known:
    began = time.monotonic()

    def read(reviews: Reviews) -> tuple[int, dict[str, HumanMarks], dict[Pair, int]]:
        marks = human_marks(reviews)
        return reviews.number, marks, settled_of(reviews, marks)

    number, marks, settled = stream.ask(read)
    try:
        # Decided outside of the stream's thread, which takes marks meanwhile.
        wanted = wanted_of(gate_with(run, marks), settled)
    except BenchbarError:
        wanted = EVERYTHING
    ended = time.monotonic()
    return _Known(number, ended + max(FRESH, SHARE * (ended - began)), wanted)
