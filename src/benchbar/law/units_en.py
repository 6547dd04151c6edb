"""Which laws have provisions of which name: acts have no rules, regulations no sections."""

from __future__ import annotations

import re

from benchbar.law.names_en import CALLED, RULES_OF_COURT, YEAR

OF_REGULATIONS = re.compile(rf"\s(?:Regulations|Order|Rules)\s{YEAR}$")
"""What counts in regulations, articles and rules, and has no sections."""


def fits(provision: str, law: str) -> bool:
    """Whether a law has provisions of this name: acts have no rules, directives and treaties no sections."""
    unit = provision[0].lower()
    # Sections and articles stand beside rules of court in a judgment of its own: in Section 5 I summarise the law.
    if unit != "r" and RULES_OF_COURT.match(law):
        return False
    if provision.lower().startswith(("r.", "rr.", "r ", "rule", "reg")):
        return re.search(r"Rule|Regulations|Procedure|CPR|Order|^Fed", law) is not None
    if unit == "a":
        return re.search(r"\bAct\b|Ordinance|USC$|CPR|\bRules\b", law) is None
    if OF_REGULATIONS.search(law):
        return False
    return (
        re.search(rf"^(?:{CALLED.removesuffix('|UCC')})$|^(?:Regulation|Directive|Decision)\s|Convention|Charter", law)
        is None
    )
