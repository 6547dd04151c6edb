"""People as a scorer: what reviewers' marks in a ledger amount to, told in the records that every scorer gives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path

import filelock
from msgspec.structs import replace

from benchbar.artefacts.derived import write_marks
from benchbar.artefacts.folder import read_marks
from benchbar.ledger.opening import ledger_of, open_store
from benchbar.ledger.reviews import Reviews, read_reviews
from benchbar.ledger.store import LedgerStore
from benchbar.records import (
    COMPARED,
    GRADED,
    DialogueEnd,
    HumanMarks,
    Layer,
    ReviewTask,
    Score,
    ScoreStatus,
)
from benchbar.records.errors import LedgerError
from benchbar.records.protocols import Asks, ScoringInput

MAX_REASON = 4000
"""Characters of all reasons together: a page shows them beside the mark, and the ledger keeps each one whole."""


class People:
    """Gives the settled marks of a ledger's reviews; asks nobody, since people are asked through the review queue.

    It is never a stage of a run. Marks come days after the run was derived, and a stage's marks would stand in
    scores.jsonl, where each new one would change the bytes of a finished run; people's stay in marks.json, which is
    derived anew with every mark. A stage's marks would also count as rules when a judge is told what is still open.
    """

    name, identity, compares = "people", "people", False
    asks: Asks = "never"

    def __init__(self, reviews: Reviews) -> None:
        """What the reviews say at the time of asking: they may be followed while marks come in."""
        self._reviews = reviews

    async def score(self, given: ScoringInput) -> tuple[Score, ...]:
        """The settled marks of the dialogue; none where it failed, since nobody is shown a failed one."""
        if given.dialogue.ended is DialogueEnd.ERROR:
            return ()
        return tuple(mark for _, mark in self.marks(given.dialogue.assistant, sample=given.sample.id) if mark)

    def marks(
        self, assistant: str, *, sample: str | None = None, measure: str | None = None
    ) -> Iterator[tuple[ReviewTask, Score | None]]:
        """Each drawn task about an assistant's dialogues with its mark; None while people are waited for.

        Of one sample, or of one measure, alone where it is named.
        """
        for task in self._reviews.drawn():
            fits = sample in {None, task.sample} and measure in {None, task.measure}
            if task.assistant == assistant and fits:
                yield task, self._mark(task)

    def _mark(self, task: ReviewTask) -> Score | None:
        """Scored where it is settled, abstained where it stays disputed."""
        status, value = self._reviews.status(task)
        # "differ" is no end: a third person is still to settle it. Only one who cannot settle it leaves it disputed.
        if status in {"open", "differ"}:
            return None
        given = [one.mark for one in self._reviews.standing(task.id)]
        reasons = [f"{mark.rater}: {mark.reason}" for mark in given if mark.reason]
        # First, since the reasons that follow contradict each other.
        if value is None:
            reasons.insert(0, "disputed")
        return Score(
            sample=task.sample,
            assistant=task.assistant,
            dimension=task.measure,
            layer=Layer.HUMAN,
            status=ScoreStatus.ABSTAINED if value is None else ScoreStatus.SCORED,
            value=value,
            reason="; ".join(reasons)[:MAX_REASON],
            scorer=self.identity,
            rater=", ".join(dict.fromkeys(mark.rater for mark in given)),
        )


def human_marks(reviews: Reviews) -> dict[str, HumanMarks]:
    """Assistant to what people's marks amount to; disputed ones apart, those that wait counted. Kept as marks.json."""
    graded, compared = (
        {name: _of(reviews, name, measure) for name in _names(reviews, measure)} for measure in (GRADED, COMPARED)
    )
    nothing = HumanMarks(values={}, probability={})
    return {
        name: replace(graded.get(name, nothing), compared=compared.get(name))
        for name in dict.fromkeys([*graded, *compared])
    }


def current_marks(run: Path) -> dict[str, HumanMarks]:
    """What people's marks of a run amount to now; marks.json is renewed where the ledger knows more.

    A mark is kept in the ledger at once and marks.json is derived a moment later: a process that was killed in between
    left a file without it. Where the ledger was left behind, as in a published folder, the file is all there is.

    Raises:
        LedgerError: the ledger lies in a database that does not answer.
        BadInputError: the file, run.json or the ledger is damaged.
    """
    ledger = ledger_of(run)
    if isinstance(ledger, Path) and not ledger.is_file():
        return read_marks(run)
    try:
        store = open_store(ledger, writable=False)
    except LedgerError:
        # A ledger of an older version is only read by that version, which nobody marks with any more. A database that
        # is away may hold marks of a minute ago: no old file is put in its place.
        if isinstance(ledger, Path):
            return read_marks(run)
        raise
    with closing(store):
        if not any(True for _ in store.reviews()):
            return read_marks(run)
        # What cannot be written, as on a read-only disk, is still told.
        with suppress(OSError):
            return renew_marks(run, store, Reviews())
        return human_marks(read_reviews(store))


def renew_marks(run: Path, store: LedgerStore, reviews: Reviews) -> dict[str, HumanMarks]:
    """Derive marks.json anew from the reviews, brought up to date; returns what it holds."""
    # Of several processes the last to write must be the last to read.
    with filelock.FileLock(run / ".marks.lock"):
        found = human_marks(reviews.follow(store))
        write_marks(run, found)
    return found


def _names(reviews: Reviews, measure: str) -> Iterable[str]:
    return dict.fromkeys(name for plan in reviews.plans if plan.measure == measure for name in plan.frame)


def _of(reviews: Reviews, name: str, measure: str) -> HumanMarks:
    values: dict[str, float] = {}
    disputed, waiting = [], 0
    for task, mark in People(reviews).marks(name, measure=measure):
        if mark is None:
            waiting += 1
        # Two people and a third could not settle it: neither a value nor waiting.
        elif mark.value is None:
            disputed.append(task.sample)
        else:
            values[task.sample] = mark.value
    probability = _chances(reviews, name, measure)
    if waiting and values:
        # The queue is in random order: what is settled of it is a random part of what was drawn.
        settled = len(values) / (len(values) + waiting)
        probability = {sample: chance * settled for sample, chance in probability.items()}
    return HumanMarks(values=values, probability=probability, disputed=tuple(disputed), waiting=waiting)


def _chances(reviews: Reviews, name: str, measure: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for plan in reviews.plans:
        for sample, chance in plan.frame.get(name, {}).items() if plan.measure == measure else ():
            # Chosen in either of two drawings.
            found[sample] = 1 - (1 - found.get(sample, 0.0)) * (1 - chance)
    return found


def doubly_marked(reviews: Reviews, measure: str) -> list[Mapping[str, float]]:
    """For each task of a measure that more than one person marked: rater to value.

    Without adjudications: who settles a difference has seen the other marks, so theirs is no independent one. Who could
    not say is left out.
    """
    return [row for _, row in doubly_marked_tasks(reviews, measure)]


def doubly_marked_tasks(reviews: Reviews, measure: str) -> Iterator[tuple[ReviewTask, Mapping[str, float]]]:
    """The same, each with its task."""
    for task in reviews.drawn():
        if task.measure != measure:
            continue
        marks = [one.mark for one in reviews.standing(task.id) if not one.mark.adjudication]
        row = {mark.rater: mark.value for mark in marks if mark.value is not None}
        if len(row) > 1:
            yield task, row
