"""Whether rules are shown to be precise enough to give a verdict, for all tables of measured precision alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from benchbar.records.base import Record

LEAST = 0.95
"""Verdicts whose precision is not shown to reach this are not given: of twenty at most one is wrong."""


class Shown(Protocol):
    """A precision that was measured: the share of verdicts that were right, and the lower end of its 95% interval."""

    @property
    def value(self) -> float: ...

    @property
    def low(self) -> float: ...


class Precision(Record, frozen=True):
    """How often verdicts of one kind were right."""

    pairs: int
    """That were looked at."""
    said: int
    right: int
    low: float
    high: float
    """Wilson's 95% interval of ``right / said``."""

    @property
    def value(self) -> float:
        """Of the verdicts that were given, the share that was right."""
        return self.right / self.said if self.said else 0.0

    @property
    def figures(self) -> dict[str, str]:
        """The same as texts of a label: ``right``, ``said``, ``low`` and ``high``."""
        return {
            "right": str(self.right),
            "said": str(self.said),
            "low": f"{self.low:.2f}",
            "high": f"{self.high:.2f}",
        }


def precise_group(own: Iterable[Shown], groups: Mapping[str, Shown | None]) -> str | None:
    """The first group whose lower bound reaches ``LEAST``; None where none does, or where a value of ``own`` falls short.

    Below 73 verdicts no interval reaches 95%, not even without an error, so that the interval may be that of a larger group
    which the own verdicts belong to. The own value has to reach 95% nonetheless: a good group may hide a part that errs.
    """
    if any(one.value < LEAST for one in own):
        return None
    return next((name for name, one in groups.items() if one is not None and one.low >= LEAST), None)
