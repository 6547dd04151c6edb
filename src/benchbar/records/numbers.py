"""A number that never leaves home without its uncertainty."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from benchbar.records.base import Record


class Estimate(Record, frozen=True):
    """A value with its interval; ``value`` is None exactly where ``reason`` says why it is undefined."""

    value: float | None
    low: float | None = None
    high: float | None = None
    standard_error: float | None = None
    n: int = 0
    """Units that were measured."""
    n_missing: int = 0
    """Units that were planned and have no value (failed, abstained): counted, never read as zero."""
    method: str = ""
    confidence: float = 0.95
    reason: str = ""
    unit: str = "sample"
    """The sampling unit: what was drawn independently."""
    design_effect: float | UnsetType = UNSET
    """By how much samples that belong together (of one source, document, template) raise the variance; left out elsewhere."""

    def __post_init__(self) -> None:
        """Refuse a missing value without a reason."""
        if self.value is None and not self.reason:
            raise ValueError("an estimate without a value needs a reason")

    @property
    def interval(self) -> tuple[float, float] | None:
        """Its lower and upper end, at ``confidence``; None where there is none, for the reason that is given."""
        return None if self.low is None or self.high is None else (self.low, self.high)

    @property
    def effective_n(self) -> float:
        """The number of independent units that would be as precise: n over the design effect."""
        return self.n if self.design_effect is UNSET else self.n / self.design_effect


def counted(count: int, one: str, many: str = "") -> str:
    """A number with its noun in English: ``1 sample``, ``2 samples``; ``many`` where the plural takes more than an s."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def percent(value: float | None, places: int = 1) -> str:
    """A share in percent; never rounded to 0 or 100 unless it truly is."""
    if value is None:
        return "–"
    shown = round(value * 100.0, places)
    least = 10.0**-places
    if shown <= 0 < value:
        shown = least
    if shown >= 100 and value < 1:
        shown = 100.0 - least
    return f"{shown:.{places}f}"
