"""Every frozen record that reaches disk: one type for each stage of an item.

A module of records is imported when one of its names is first used, so that what needs only `records.errors`, such as
`benchbar --help`, does not pay for all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchbar.records.lazily import importing

if TYPE_CHECKING:
    from benchbar.records.base import Record, decode, decode_lines, encode, fingerprint, nonce
    from benchbar.records.dialogue import (
        ContextPassage,
        Dialogue,
        DialogueEnd,
        GuardFinding,
        Reply,
        Turn,
        Usage,
    )
    from benchbar.records.law import (
        INVENTED,
        UNDECIDED,
        Article,
        Citation,
        CitationStatus,
        CitedIn,
        ClaimCheck,
        ClaimVerdict,
        Decision,
        Law,
        LawVersion,
        Piece,
    )
    from benchbar.records.layers import DimensionBar, DimensionScore, ItemMark, Measures, MissingKind
    from benchbar.records.numbers import Estimate
    from benchbar.records.rag import RagMeasures, RagResults, RagScore, RagVerdict
    from benchbar.records.results import AssistantResults, Cell, RunResults, Spending, Timing
    from benchbar.records.review import COMPARED, GRADED, HumanMarks, KeptMark, Mark, ReviewPlan, ReviewTask
    from benchbar.records.sample_result import SampleResult, Scored, Trial
    from benchbar.records.scoring import (
        Comparison,
        Evidence,
        GateCheck,
        GateDecision,
        GateReason,
        Layer,
        Order,
        Score,
        ScoreStatus,
        Winner,
    )
    from benchbar.records.suite import Suite
    from benchbar.records.suites import (
        CONSULTATION,
        LEVELS,
        QUESTION_ANSWERING,
        SCENARIOS,
        UNANSWERABLE,
        UNVERIFIED,
        Category,
        Guidance,
        GuidancePoint,
        PointKind,
        Problem,
        Sample,
        SuiteCard,
        Task,
    )
    from benchbar.records.temperaments import Robustness, TemperamentCell, TemperamentResults

_HOMES = {
    "base": ("Record", "decode", "decode_lines", "encode", "fingerprint", "nonce"),
    "dialogue": ("ContextPassage", "Dialogue", "DialogueEnd", "GuardFinding", "Reply", "Turn", "Usage"),
    "law": (
        "INVENTED",
        "UNDECIDED",
        "Article",
        "Citation",
        "CitationStatus",
        "CitedIn",
        "ClaimCheck",
        "ClaimVerdict",
        "Decision",
        "Law",
        "LawVersion",
        "Piece",
    ),
    "layers": ("DimensionBar", "DimensionScore", "ItemMark", "Measures", "MissingKind"),
    "numbers": ("Estimate",),
    "rag": ("RagMeasures", "RagResults", "RagScore", "RagVerdict"),
    "results": ("AssistantResults", "Cell", "RunResults", "Spending", "Timing"),
    "review": ("COMPARED", "GRADED", "HumanMarks", "KeptMark", "Mark", "ReviewPlan", "ReviewTask"),
    "sample_result": ("SampleResult", "Scored", "Trial"),
    "scoring": (
        "Comparison",
        "Evidence",
        "GateCheck",
        "GateDecision",
        "GateReason",
        "Layer",
        "Order",
        "Score",
        "ScoreStatus",
        "Winner",
    ),
    "suite": ("Suite",),
    "suites": (
        "CONSULTATION",
        "LEVELS",
        "QUESTION_ANSWERING",
        "SCENARIOS",
        "UNANSWERABLE",
        "UNVERIFIED",
        "Category",
        "Guidance",
        "GuidancePoint",
        "PointKind",
        "Problem",
        "Sample",
        "SuiteCard",
        "Task",
    ),
    "temperaments": ("Robustness", "TemperamentCell", "TemperamentResults"),
}

__all__ = [
    "COMPARED",
    "CONSULTATION",
    "GRADED",
    "INVENTED",
    "LEVELS",
    "QUESTION_ANSWERING",
    "SCENARIOS",
    "UNANSWERABLE",
    "UNDECIDED",
    "UNVERIFIED",
    "Article",
    "AssistantResults",
    "Category",
    "Cell",
    "Citation",
    "CitationStatus",
    "CitedIn",
    "ClaimCheck",
    "ClaimVerdict",
    "Comparison",
    "ContextPassage",
    "Decision",
    "Dialogue",
    "DialogueEnd",
    "DimensionBar",
    "DimensionScore",
    "Estimate",
    "Evidence",
    "GateCheck",
    "GateDecision",
    "GateReason",
    "GuardFinding",
    "Guidance",
    "GuidancePoint",
    "HumanMarks",
    "ItemMark",
    "KeptMark",
    "Law",
    "LawVersion",
    "Layer",
    "Mark",
    "Measures",
    "MissingKind",
    "Order",
    "Piece",
    "PointKind",
    "Problem",
    "RagMeasures",
    "RagResults",
    "RagScore",
    "RagVerdict",
    "Record",
    "Reply",
    "ReviewPlan",
    "ReviewTask",
    "Robustness",
    "RunResults",
    "Sample",
    "SampleResult",
    "Score",
    "ScoreStatus",
    "Scored",
    "Spending",
    "Suite",
    "SuiteCard",
    "Task",
    "TemperamentCell",
    "TemperamentResults",
    "Timing",
    "Trial",
    "Turn",
    "Usage",
    "Winner",
    "decode",
    "decode_lines",
    "encode",
    "fingerprint",
    "nonce",
]

if not TYPE_CHECKING:
    # A type checker would take a module with `__getattr__` to have every name.
    __getattr__ = importing(__name__, {f"{__name__}.{module}": names for module, names in _HOMES.items()})
