"""From what a claim and an article have in common to a verdict, given only where its precision was measured to be enough."""

from __future__ import annotations

from math import exp
from typing import NamedTuple

from benchbar.law.claims.comparing import KINDS, Comparison, Conflict
from benchbar.law.claims.measured import measured
from benchbar.law.topic import TopicFeatures
from benchbar.records import ClaimVerdict

_ABOUT = (-2.36, -1.9, 4.26, 2.74, 7.55)
"""Intercept, and weights of the claim's share in the article, of that in its best sentence, and of the two measures of
topic: a logistic regression of claims on their own articles against the same on others, see docs/results-law.md."""
_AGREES = (2.39, 0.52, -2.06, -9.16, -9.4, -3.46, 0.0, -1.56, -5.78)
"""Intercept, and weights of the share of the claim's numbers that the article has, of numbers it does not count, and of the
conflicts in the order of ``KINDS``: fitted in the same way on claims against the same with an operator or a number changed."""
_UNKNOWN_TOPIC = TopicFeatures(0.2, 0.0)
"""Of a claim with too few words for a topic: about the mean of right citations and others."""
LEAST_STRENGTH = {
    "number": 0.45,
    "polarity": 0.5,
    "negation": 0.6,
    "opposite": 0.5,
    "exception": 0.5,
    "subject": 0.6,
}
"""Strength from which a conflict is a contradiction: the lowest at which at most about 2% of right claims had one, in
cross-validation. In English .4 finds two more of ten on the half for development and accused a right claim on the other. Of the
subject a lower one is of clauses that are told from another side."""
SUPPORTED, SILENT = 0.85, 0.02
"""Probability from which an article supports a claim; chance below which it is on another matter. At .15, 9% of experts'
right claims, which apply an article more than they repeat it, were called so."""
_UNSURE = 0.01
"""Strength from which a conflict bars support."""


_ON_TOPIC = 0.5
"""Chance from which a conflict is a contradiction: an article on another matter has other numbers and duties."""
_BACKED = 0.4
"""How alike a clause of the article has to be for each duty, right or denial of a claim that is supported, and
share of the claim's words that one sentence has to hold."""
_TELLING = 6
"""Terms below which a claim says too little for an article to be silent on it."""
UNIVERSAL = "universal"
"""A claim that there is no exception: it can be contradicted, but no article says so in these words."""


class Decision(NamedTuple):
    """What rules make of a comparison."""

    verdict: ClaimVerdict
    probability: float
    conflict: Conflict | None
    """The one that decided, or that bars support; None where there is none."""
    reason: str = ""


def decide(
    compared: Comparison, topic: TopicFeatures | None, language: str, *, reserved: str, every: bool = False
) -> Decision:
    """Supports, contradicts, silent, or cannot tell.

    Args:
        compared: the claim held against the article.
        topic: how far the claim is about the article and not about its neighbours.
        language: of the claim; verdicts are given only in languages where they were measured.
        reserved: why the claim is not one about the law alone (a breach is told, a view is reported); empty where it is.
        every: give every verdict, measured or not: for measuring.
    """
    about, agrees = about_it(compared, topic), agreeing(compared)
    strongest = next(iter(compared.conflicts), None)
    found = Decision(ClaimVerdict.CANNOT_TELL, round(about * agrees, 4), strongest)
    proven = [one for one in compared.conflicts if one.strength >= LEAST_STRENGTH[one.kind]]
    shown = [
        one for one in proven if about >= _ON_TOPIC and (every or measured().holds("contradicts", one.kind, language))
    ]
    if proven and reserved not in {"", UNIVERSAL}:
        return found._replace(conflict=proven[0], reason=reserved)
    if shown:
        return found._replace(verdict=ClaimVerdict.CONTRADICTS, conflict=shown[0])
    if proven:
        return found._replace(conflict=proven[0], reason="unproven")
    clean = strongest is None or strongest.strength < _UNSURE
    numbers = not compared.unmatched and compared.matched == compared.numbers
    if (
        about * agrees >= SUPPORTED
        and clean
        and numbers
        and min(compared.backed, compared.best) >= _BACKED
        and not reserved
    ):
        verdict = ClaimVerdict.SUPPORTS
    elif about < SILENT and compared.terms >= _TELLING:
        verdict = ClaimVerdict.SILENT
    else:
        return found
    if every or measured().holds(verdict.value, "all", language):
        return found._replace(verdict=verdict, conflict=None)
    return found


def about_it(compared: Comparison, topic: TopicFeatures | None) -> float:
    """The chance that the claim is about what the article, or the cited part of it, is about."""
    topic = topic or _UNKNOWN_TOPIC
    return _logistic(_ABOUT, (compared.coverage, compared.best, topic.within, topic.margin))


def agreeing(compared: Comparison) -> float:
    """The chance that nothing in the claim was turned round."""
    return _logistic(_AGREES, features(compared))


def features(compared: Comparison) -> tuple[float, ...]:
    """What tells a claim from the same with an operator or a number changed, in the order of the weights."""
    share = compared.matched / compared.numbers if compared.numbers else 0.5
    return share, min(compared.unmatched, 2), *(compared.strength(kind) for kind in KINDS)


def _logistic(weights: tuple[float, ...], values: tuple[float, ...]) -> float:
    total = weights[0] + sum(weight * value for weight, value in zip(weights[1:], values, strict=True))
    return 1 / (1 + exp(-total))
