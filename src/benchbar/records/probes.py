"""What came of testing a judge itself: pairs of which it is known which one is better."""

from __future__ import annotations

from benchbar.records.base import Record


class ProbeOutcome(Record, frozen=True):
    """One judge on one made pair about one sample."""

    sample: str
    judge: str
    probe: str
    """``null_model``, ``verbosity``, ``position``, ``format`` or ``authority``."""
    fooled: bool | None
    """None where the judge gave no verdict that could be read."""
