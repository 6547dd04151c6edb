"""Everything that came of one sample, as it is handed from the engine to results, files and reports."""

from __future__ import annotations

from benchbar.records.base import Record
from benchbar.records.dialogue import Dialogue
from benchbar.records.law import CitedIn
from benchbar.records.layers import DimensionScore, Measures
from benchbar.records.rag import RagScore
from benchbar.records.scoring import Comparison, Score


class SampleResult(Record, frozen=True):
    """Everything that came of one sample."""

    sample: str
    dialogues: tuple[Dialogue, ...]
    scores: tuple[Score, ...]
    comparisons: tuple[Comparison, ...]
    citations: tuple[CitedIn, ...] = ()
    measures: tuple[Measures, ...] = ()
    rag: tuple[RagScore, ...] = ()
    dimensions: tuple[DimensionScore, ...] = ()
