"""How grave a clause is by the weight of its wordings and by the cases of its rules."""

from __future__ import annotations

from collections.abc import Sequence

from benchbar.contracts.cues import danger, find_cues, protection
from benchbar.contracts.rules import RiskRule
from benchbar.records.contracts import RiskLevel

HIGH, MEDIUM = 2.0, 0.5
"""Least weight of a level: a right given up alone is high, one open term medium."""

PROTECTED = 0.75
"""How much a protective wording counts against a dangerous one on the second look."""


def level_of(weight: float) -> RiskLevel:
    """The level that a weight of wordings stands for."""
    return RiskLevel.HIGH if weight >= HIGH else RiskLevel.MEDIUM if weight >= MEDIUM else RiskLevel.LOW


def least_level(text: str, rules: Sequence[RiskRule] = ()) -> RiskLevel:
    """The level that the clause's own wordings and its rules' cases call for, whatever else it says."""
    return max(level_of(danger(find_cues(text))), ruled_level(rules, text), key=lambda one: one.rank)


def ruled_level(rules: Sequence[RiskRule], text: str, side: str = "") -> RiskLevel:
    """The gravest level that a case of the rules names; where only keywords meet, medium. Retrieval alone names none."""
    levels = [RiskLevel.LOW]
    for rule in rules:
        named = rule.level_of(text, side)
        if named is not None:
            levels.append(named)
        elif rule.stands_in(text, side) and not protection(find_cues(text)):
            levels.append(RiskLevel.MEDIUM)
    return max(levels, key=lambda one: one.rank)
