"""What one dialogue amounts to by each measure: what gates decide on and comparisons compare."""

from __future__ import annotations

from enum import StrEnum

from benchbar.records.base import Record
from benchbar.records.scoring import ScoreStatus


class MissingKind(StrEnum):
    """Why a dialogue has no value of a measure."""

    NOT_APPLICABLE = "not_applicable"
    """The measure asks nothing of this dialogue: no guidance, no citation. It is not missing, and counted nowhere."""
    FAILED = "failed"
    """The dialogue ended in an error."""
    REFUSED = "refused"
    """A model or a filter refused to answer, and the dialogue ended so."""
    UNREADABLE = "unreadable"
    """The judge gave no mark that could be read."""
    UNDECIDED = "undecided"
    """Rules and judge left it open."""
    DISPUTED = "disputed"
    """People could not agree on it."""
    UNKNOWN = "unknown"
    """The run was made before reasons were kept."""


class Measures(Record, frozen=True, omit_defaults=True):
    """The values of one dialogue, each from 0 to 1; None where nobody could decide it, which is never read as zero."""

    sample: str
    assistant: str
    task: str
    values: dict[str, float | None]
    """Measure to value. ``failed`` is there for every dialogue, the others where the suite or the rubric asks for them."""
    cluster: str = ""
    """What the sample shares with others (a source, document, drafter, template); empty where it stands alone."""
    missing: dict[str, MissingKind] = {}
    """Measure to why its value is None; files of older runs have no reasons. Where dialogues are repeated, also of a measure
    whose value is the mean of some trials, others having none."""
    trials: tuple[dict[str, float | None], ...] = ()
    """The values of each trial where dialogues are repeated; ``values`` are then the means of those that are there."""


class ItemMark(Record, frozen=True):
    """What one rule item of a dimension decided, or why it left the item."""

    item: str
    weight: float
    value: float | None
    reason: str = ""


class DimensionScore(Record, frozen=True):
    """One dimension of one dialogue or trace, with what each layer gave to it."""

    sample: str
    assistant: str
    dimension: str
    mode: str
    """``rule_only``, ``rule_plus_llm``, ``llm_only``, or ``composite``."""
    status: ScoreStatus
    value: float | None = None
    """From 0 to 1: the rules' share and, for the rest, the mean of the judge's runs."""
    shown: float | None = None
    """The same with the median of the judge's runs, for display and routing."""
    rule_share: float = 0.0
    """Share of the dimension's weight that rules decided."""
    rule_value: float | None = None
    """What the rules alone say of the part they decided."""
    judge_value: float | None = None
    """The mean of the judge's runs on what it was asked."""
    items: tuple[ItemMark, ...] = ()
    reason: str = ""


class DimensionBar(Record, frozen=True):
    """What a rubric asks of a dimension."""

    weight: float
    core: bool = False
    at_least: float | None = None
    veto_below: float | None = None
    """A single dialogue below it fails the release."""
