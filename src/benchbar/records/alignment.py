"""What came of holding several ways of judging against people: chosen on one half, reported on the other."""

from __future__ import annotations

from benchbar.records.base import Record
from benchbar.records.numbers import Estimate


class CandidateScore(Record, frozen=True):
    """One way of judging on the half that was chosen by; its figure is for choosing, and too good to be reported."""

    name: str
    agreement: Estimate
    """With people's label, each item judged by a candidate that was fitted without its fold."""
    unread: int = 0
    """Items without a verdict: they count as disagreement."""
    fitted: str = ""
    """What was fitted on the whole half, such as a margin."""


class Alignment(Record, frozen=True):
    """The result of an alignment."""

    items: int
    """With people's label; those on which people are divided are left out."""
    development: int
    """Items that candidates were compared on, by cross-validation."""
    reported: int
    """Items of the other half, which nothing was chosen or fitted by."""
    folds: int
    seed: int
    baseline: str
    candidates: tuple[CandidateScore, ...]
    """The baseline first, then in the order given."""
    chosen: str
    """The name of the best candidate by cross-validation; the baseline where none was better."""
    before: Estimate
    """The baseline's agreement with people on the half that is reported."""
    after: Estimate
    """The chosen candidate's on the same items."""
    difference: Estimate
    """After less before, paired by item."""
    p_value: float | None
    """Two-sided, by sign flips over samples; None where nothing differs."""
    kappa_before: Estimate
    kappa_after: Estimate
    unread_before: int = 0
    unread_after: int = 0
    notes: tuple[str, ...] = ()
