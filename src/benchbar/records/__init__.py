"""Every frozen record that reaches disk: one type for each stage of an item."""

from benchbar.records.base import Record, decode, decode_lines, encode, fingerprint
from benchbar.records.dialogue import (
    Dialogue,
    DialogueEnd,
    GuardFinding,
    Reply,
    Turn,
    Usage,
)
from benchbar.records.law import (
    Article,
    Citation,
    CitationStatus,
    Decision,
    Law,
    LawVersion,
    Piece,
)
from benchbar.records.layers import Measures
from benchbar.records.numbers import Estimate
from benchbar.records.results import AssistantResults, Cell, RunResults, Spending, Timing
from benchbar.records.scoring import (
    Comparison,
    Evidence,
    GateCheck,
    GateDecision,
    Layer,
    Score,
    ScoreStatus,
    Winner,
)
from benchbar.records.suite import Suite
from benchbar.records.suites import (
    LEVELS,
    SCENARIOS,
    Category,
    Guidance,
    GuidancePoint,
    PointKind,
    Problem,
    Sample,
    SuiteCard,
    Task,
)

__all__ = [
    "LEVELS",
    "SCENARIOS",
    "Article",
    "AssistantResults",
    "Category",
    "Cell",
    "Citation",
    "CitationStatus",
    "Comparison",
    "Decision",
    "Dialogue",
    "DialogueEnd",
    "Estimate",
    "Evidence",
    "GateCheck",
    "GateDecision",
    "GuardFinding",
    "Guidance",
    "GuidancePoint",
    "Law",
    "LawVersion",
    "Layer",
    "Measures",
    "Piece",
    "PointKind",
    "Problem",
    "Record",
    "Reply",
    "RunResults",
    "Sample",
    "Score",
    "ScoreStatus",
    "Spending",
    "Suite",
    "SuiteCard",
    "Task",
    "Timing",
    "Turn",
    "Usage",
    "Winner",
    "decode",
    "decode_lines",
    "encode",
    "fingerprint",
]
