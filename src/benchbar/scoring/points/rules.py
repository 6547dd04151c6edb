"""Marks every guidance point of a dialogue by the matcher of its kind."""

from __future__ import annotations

from collections.abc import Callable

from benchbar.records import (
    Category,
    Dialogue,
    DialogueEnd,
    GuidancePoint,
    Layer,
    PointKind,
    Sample,
    Score,
    ScoreStatus,
)
from benchbar.records.precision import LEAST
from benchbar.records.protocols import Asks, ScoringInput
from benchbar.scoring.functions import Verdict
from benchbar.scoring.points.answers import Answers
from benchbar.scoring.points.charge import match_charge
from benchbar.scoring.points.choice import match_choice
from benchbar.scoring.points.citation import match_citation
from benchbar.scoring.points.measured import NO_ANSWER, measured, row_of
from benchbar.scoring.points.quantity import match_quantity
from benchbar.scoring.points.words import match_quote, match_term

VERSION = "5"
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


_ACCUSED = frozenset({PointKind.CHOICE, PointKind.CHARGE})
"""Kinds of which a forbidden one can be found said by a rule: to settle on an option is no way to warn of it."""


class Rules:
    """Marks guidance points by rules; what they leave is a judge's."""

    name, compares = "rules", False
    asks: Asks = "never"
    identity = f"rules:{VERSION}"

    async def score(self, given: ScoringInput) -> tuple[Score, ...]:
        """One score for each guidance point of the sample."""
        return mark_points(given.sample, given.dialogue)


def mark_points(sample: Sample, dialogue: Dialogue, *, every_kind: bool = False) -> tuple[Score, ...]:
    """One score for each guidance point: decided by a rule, or abstained; all failed where the dialogue failed.

    Kinds whose rules were not shown to be precise enough in the sample's language abstain, unless ``every_kind`` is asked for,
    as for measuring them.
    """
    answers = Answers(dialogue, sample.language)
    return tuple(_score(point, dialogue, answers, every_kind=every_kind) for point in sample.guidance.points)


def _score(point: GuidancePoint, dialogue: Dialogue, answers: Answers, *, every_kind: bool) -> Score:
    verdict, status = _verdict(point, dialogue, answers)
    if verdict.value is not None and not (every_kind or _precise(point, verdict, answers.language)):
        # What the rule would have said is not kept: seen beside the point, it would sway whoever marks it.
        reason = f"rules for this kind are not shown to be {LEAST:.0%} precise in this language: left to a judge"
        verdict, status = Verdict(value=None, evidence=verdict.evidence, reason=reason), ScoreStatus.ABSTAINED
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


def _precise(point: GuidancePoint, verdict: Verdict, language: str) -> bool:
    return measured().decides(row_of(point.kind, verdict.value, verdict.evidence, verdict.reason), language)


def _verdict(point: GuidancePoint, dialogue: Dialogue, answers: Answers) -> tuple[Verdict, ScoreStatus]:
    if dialogue.ended is DialogueEnd.ERROR or not answers.all:
        return Verdict(value=None, reason="the dialogue failed"), ScoreStatus.FAILED
    matcher = MATCHERS.get(point.kind)
    verdict = matcher(point, answers) if matcher else Verdict(value=None, reason="only a judge can decide it")
    if not verdict.evidence and point.kind in MATCHERS and answers.silent:
        # Found by the words of the reply, whatever the matcher made of there being no number or law in it.
        verdict = Verdict(value=0.0, reason=NO_ANSWER)
    if point.category is Category.FORBIDDEN and verdict.value and point.kind not in _ACCUSED:
        # Of 38 such marks on the labelled half `held` 9 were wrong: to warn of a thing names it. What accuses has to be sure.
        verdict = Verdict(
            value=None,
            evidence=verdict.evidence,
            reason="the forbidden thing is there; whether it is said is a judge's",
        )
    return verdict, ScoreStatus.ABSTAINED if verdict.value is None else ScoreStatus.SCORED
