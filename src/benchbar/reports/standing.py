"""How a citation is shown wherever it stands: one sign and one style for what the law at hand says of it."""

from __future__ import annotations

from benchbar.law.shown import verdict_keys
from benchbar.records import UNDECIDED, Citation, CitationStatus

AGAINST = "against"
"""The style of a citation that exists and speaks against what it is cited for: whoever sees a green line reads no further."""
NEUTRAL = "neutral"
SIGNS = {CitationStatus.VERIFIED.value: "✓", NEUTRAL: "·"} | {one.value: "?" for one in UNDECIDED}
"""Style to its sign; every other citation is wrong."""
WRONG = "✗"


def standing(citation: Citation, *, invented: bool) -> str:
    """The style of a citation, that of its gravest verdict: its status; ``against`` where its article says otherwise or is no
    authority; ``neutral`` where only an invented law verifies it.

    Args:
        citation: Held against the law.
        invented: Whether that law is invented: that it verifies an article is no good news for anybody.
    """
    kind, _, value = verdict_keys(citation)[0].partition(".")
    if kind != "citation":
        return AGAINST
    return NEUTRAL if invented and value == CitationStatus.VERIFIED else value


def sign(style: str) -> str:
    """What stands before a citation of this style."""
    return SIGNS.get(style, WRONG)
