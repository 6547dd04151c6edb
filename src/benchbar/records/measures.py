"""What a measure is called, in which unit it counts, and which way is better."""

from __future__ import annotations

from collections.abc import Collection
from math import isfinite
from typing import Literal

from benchbar.records.base import Record

SHARE = "share"
"""The unit of values from 0 to 1, which are shown in percent. Any other unit is shown as it is."""
DIFFERENCE = "difference"
"""The unit of a share less another, from -1 to 1: shown in points of 100. Other measures' differences are in their own unit."""
OF_CITATIONS = ("citation_validity", "invented_citation", "contradicted_citation", "wrong_authority_citation")
"""Measures of a dialogue that rest on its citations and the law at hand alone."""
Better = Literal["higher", "lower", "neither"]


class MeasureDefinition(Record, frozen=True):
    """One measure, as every format, gate and comparison takes it."""

    name: str
    """Its key in measures.jsonl and results.json."""
    unit: str = SHARE
    """``share``, or what is counted: ``exchanges``, ``characters``, ``seconds``."""
    better: Better = "higher"
    label: str = ""
    """A few English words. Another language has its own under the key ``measure.NAME`` of its labels."""
    by_task: bool = False
    """Whether tasks have metrics of their own under this name, such as accuracy and ROUGE-L: no mean over several tasks is given."""

    def __post_init__(self) -> None:
        """Refuse a measure that nobody could name."""
        if not self.name.strip():
            raise ValueError("a measure needs a name")

    @property
    def is_share(self) -> bool:
        """Whether values lie between 0 and 1."""
        return self.unit == SHARE

    @property
    def heading(self) -> str:
        """The label with its unit where numbers do not tell it: ``guidance met, %``."""
        label = self.label or self.name
        return f"{label}, %" if self.is_share else label

    def is_defined_over(self, tasks: Collection[str]) -> bool:
        """Whether one figure of these tasks together says something."""
        return not self.by_task or len(tasks) <= 1

    def allows(self, value: float) -> bool:
        """Whether a dialogue may have this value, or a policy this threshold."""
        # A scoring rule from outside may return anything; NaN or infinity would spoil every mean it
        # enters.
        return 0 <= value <= 1 if self.is_share else isfinite(value)
