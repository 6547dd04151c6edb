"""Marks every guidance point of a dialogue by the matcher of its kind."""

from __future__ import annotations

from collections.abc import Callable

from benchbar.records import (
    Dialogue,
    DialogueEnd,
    GuidancePoint,
    Layer,
    PointKind,
    Sample,
    Score,
    ScoreStatus,
)
from benchbar.records.protocols import Asks, ScoringInput
from benchbar.scoring.functions import Verdict
from benchbar.scoring.points.answers import Answers
from benchbar.scoring.points.choice import match_choice
from benchbar.scoring.points.citation import match_citation
from benchbar.scoring.points.quantity import match_quantity
from benchbar.scoring.points.words import match_charge, match_quote, match_term

VERSION = "2"
"""Raised when a matcher's behaviour changes, so that old marks are not mixed with new ones."""

MATCHERS: dict[PointKind, Callable[[GuidancePoint, Answers], Verdict]] = {
    PointKind.CHOICE: match_choice,
    PointKind.NUMBER: match_quantity,
    PointKind.RANGE: match_quantity,
    PointKind.TERM: match_term,
    PointKind.CHARGE: match_charge,
    PointKind.CITATION: match_citation,
    PointKind.QUOTE: match_quote,
}


class Rules:
    """Marks guidance points by rules; what they leave is a judge's."""

    name, compares = "rules", False
    asks: Asks = "never"
    identity = f"rules:{VERSION}"

    async def score(self, given: ScoringInput) -> tuple[Score, ...]:
        """One score for each guidance point of the sample."""
        return mark_points(given.sample, given.dialogue)


def mark_points(sample: Sample, dialogue: Dialogue) -> tuple[Score, ...]:
    """One score for each guidance point: decided by a rule, or abstained; all failed where the dialogue failed."""
    answers = Answers(dialogue, sample.language)
    return tuple(_score(point, dialogue, answers) for point in sample.guidance.points)


def _score(point: GuidancePoint, dialogue: Dialogue, answers: Answers) -> Score:
    verdict, status = _verdict(point, dialogue, answers)
    return Score(
        sample=dialogue.sample,
        assistant=dialogue.assistant,
        dimension=point.id,
        layer=Layer.RULE,
        status=status,
        value=verdict.value,
        evidence=verdict.evidence,
        reason=verdict.reason,
        scorer=f"rule:{point.kind}",
        version=VERSION,
    )


def _verdict(point: GuidancePoint, dialogue: Dialogue, answers: Answers) -> tuple[Verdict, ScoreStatus]:
    if dialogue.ended is DialogueEnd.ERROR or not answers.all:
        return Verdict(value=None, reason="the dialogue failed"), ScoreStatus.FAILED
    matcher = MATCHERS.get(point.kind)
    verdict = matcher(point, answers) if matcher else Verdict(value=None, reason="only a judge can decide it")
    return verdict, ScoreStatus.ABSTAINED if verdict.value is None else ScoreStatus.SCORED
