"""What a rule answers."""

from __future__ import annotations

from benchbar.records import Evidence, Record


class Verdict(Record, frozen=True):
    """What a matcher says of a point: a value with evidence, or None with the reason why it leaves the point."""

    value: float | None
    evidence: tuple[Evidence, ...] = ()
    reason: str = ""
