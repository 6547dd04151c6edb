"""What one dialogue amounts to by each measure: what gates decide on and comparisons compare."""

from __future__ import annotations

from benchbar.records.base import Record


class Measures(Record, frozen=True):
    """The values of one dialogue, each from 0 to 1; None where nobody could decide it, which is never read as zero."""

    sample: str
    assistant: str
    task: str
    values: dict[str, float | None]
    """Measure to value. ``failed`` is there for every dialogue, the others where the suite or the rubric asks for them."""
