"""How assistants fare with users of different temperaments."""

from __future__ import annotations

from benchbar.records.base import Record
from benchbar.records.numbers import Estimate


class TemperamentCell(Record, frozen=True):
    """One assistant with the users of one temperament."""

    samples: int
    measures: dict[str, Estimate]
    """``win_rate``, ``point_score``, ``satisfied`` and ``turns``."""

    def __getitem__(self, measure: str) -> Estimate:
        """The estimate of a measure.

        Raises:
            KeyError: it is not estimated for each temperament.
        """
        return self.measures[measure]


class Robustness(Record, frozen=True):
    """How much worse an assistant serves the users whom it serves worst."""

    worst: str
    best: str
    difference: Estimate
    """Point score with the worst temperament less that with the best one, paired within blocks of samples."""


class TemperamentResults(Record, frozen=True, kw_only=True):
    """What a run with temperaments found."""

    names: tuple[str, ...]
    seed: int
    """Of the assignment."""
    assigned: dict[str, int]
    """Temperament to the number of samples."""
    blocks: int
    """Groups of samples in which each temperament comes once."""
    without_mistake: int
    """Samples of mistaken users that hold no number to be mistaken about: these users are calm."""
    assistants: dict[str, dict[str, TemperamentCell]]
    """Assistant to temperament to what was found; recorded dialogues are in none."""
    robustness: dict[str, Robustness | None]
    """Assistant to its spread; None where no two temperaments have a point score."""
