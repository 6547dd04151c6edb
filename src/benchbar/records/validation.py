"""What the records of a run say of its judge and its simulated user, each question with what it had and what was missing."""

from __future__ import annotations

from benchbar.records.base import Record
from benchbar.records.numbers import Estimate


class Figure(Record, frozen=True):
    """One estimate of a validation."""

    group: str
    """The row of the table: a category, a judge, an assistant, or ``all``."""
    measure: str
    """The column."""
    estimate: Estimate
    share: bool = True
    """Whether it is shown in percent."""


class Validation(Record, frozen=True):
    """The answer to one question about a run's judge or simulated user."""

    name: str
    question: str
    """What the figures answer, in one sentence."""
    figures: tuple[Figure, ...] = ()
    had: tuple[str, ...] = ()
    """The records that the figures rest on, with their number."""
    missing: tuple[str, ...] = ()
    """What was not there, and how to come by it."""
    notes: tuple[str, ...] = ()
    """What a reader has to know to read the figures right."""

    @property
    def answered(self) -> bool:
        """Whether there is a figure at all."""
        return any(one.estimate.value is not None for one in self.figures)
