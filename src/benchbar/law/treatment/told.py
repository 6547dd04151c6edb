"""What one text says became of one decision, before it is known which decisions a corpus holds."""

from __future__ import annotations

from dataclasses import dataclass

from benchbar.records import TreatmentKind


@dataclass(frozen=True, slots=True)
class Told:
    """One treatment as a text tells it."""

    kind: TreatmentKind
    span: tuple[int, int]
    """Where the text says it."""
    number: str = ""
    """The treated decision's number; empty where the text names it by court and day alone."""
    court: str = ""
    """The words that name its court, as they stand."""
    day: str = ""
    """The day that it is of (YYYY-MM-DD), where the text gives one."""
    interim: bool = False
    """Named as a ruling on procedure, which often has the number of the judgment."""
    by: str = ""
    """Number of the decision that did it; empty for the decision whose text this is."""
    by_court: str = ""
    by_day: str = ""
    partly: bool = False
    """Only a part of it, or on other grounds."""
    by_other: bool = False
    """Done by another decision than the one whose text this is."""
