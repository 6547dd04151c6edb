"""Everything that came of one sample, as it is handed from the engine to results, files and reports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Self

from benchbar.records.base import Record
from benchbar.records.dialogue import Dialogue
from benchbar.records.law import CitedIn
from benchbar.records.layers import DimensionScore, Measures
from benchbar.records.probes import ProbeOutcome
from benchbar.records.rag import RagScore
from benchbar.records.scoring import Comparison, Score
from benchbar.records.suites import Sample


class Trial(Record, frozen=True):
    """What came of one sample when its dialogues were held once more: everything is asked and marked anew."""

    sample: str
    trial: int
    """From 1; the first trial stands in the files of its own."""
    dialogues: tuple[Dialogue, ...] = ()
    scores: tuple[Score, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    citations: tuple[CitedIn, ...] = ()
    rag: tuple[RagScore, ...] = ()
    dimensions: tuple[DimensionScore, ...] = ()


Scored = Score | RagScore | Comparison | CitedIn
"""What a scorer gives: a mark of one dialogue, of one answer, a verdict on two dialogues, or on a claim beside its citation."""


class SampleResult(Record, frozen=True):
    """Everything that came of one sample.

    The fields but the first are the derived files of a run: ``scores`` is what stands of this sample in ``scores.jsonl``.
    """

    sample: str
    dialogues: tuple[Dialogue, ...] = ()
    scores: tuple[Score, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    citations: tuple[CitedIn, ...] = ()
    measures: tuple[Measures, ...] = ()
    rag: tuple[RagScore, ...] = ()
    dimensions: tuple[DimensionScore, ...] = ()
    probes: tuple[ProbeOutcome, ...] = ()
    """Of the judges' own test; its calls are in the ledger, its rates in ``results.json``, and no file has a line of it."""
    trials: tuple[Trial, ...] = ()
    """The second trial and those after it; the other fields are of the first, but ``measures``, which are of all."""

    def each(self) -> Iterator[Self]:
        """What came of every trial, the first one first."""
        yield self
        for one in self.trials:
            yield type(self)(
                sample=one.sample,
                dialogues=one.dialogues,
                scores=one.scores,
                comparisons=one.comparisons,
                citations=one.citations,
                rag=one.rag,
                dimensions=one.dimensions,
            )

    def as_trial(self, trial: int) -> Trial:
        """The same as a further trial."""
        return Trial(
            sample=self.sample,
            trial=trial,
            dialogues=self.dialogues,
            scores=self.scores,
            comparisons=self.comparisons,
            citations=self.citations,
            rag=self.rag,
            dimensions=self.dimensions,
        )

    @classmethod
    def of(cls, sample: Sample, scored: Iterable[Scored]) -> Self:
        """The marks, each kind in its field and otherwise in their order."""
        scored = list(scored)
        points = {point.id for point in sample.guidance.points}
        # Guidance points come before grades, whichever dialogue they are of: so stands every scores.jsonl there is.
        scores = sorted((one for one in scored if isinstance(one, Score)), key=lambda one: one.dimension not in points)
        return cls(
            sample=sample.id,
            scores=tuple(scores),
            comparisons=tuple(one for one in scored if isinstance(one, Comparison)),
            rag=tuple(one for one in scored if isinstance(one, RagScore)),
            citations=tuple(one for one in scored if isinstance(one, CitedIn)),
        )
