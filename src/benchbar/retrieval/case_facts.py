"""Whether a query tells the facts of a case, as a decision does, rather than asks about the law."""

from __future__ import annotations

import re

from benchbar.languages.packs import pack
from benchbar.languages.text import detect_language

SHORTEST = 120
"""Characters. All 22 facts of decisions that were measured are told by it, and 6 of 500 questions of users, which ask for something in
several sentences without a question mark."""
FEWEST = 2
"""Sentences."""
_ASKS = re.compile(r"[?？]")
_ENDS = re.compile(r"[.!](?:\s|$)")


def tells_a_case(query: str) -> bool:
    """Whether a query is long, of several sentences and asks nothing, in a language whose words stand between spaces.

    From the facts of one decision to others the words alone find more there than weights that were fitted on short questions
    (docs/results-law.md). In Chinese that is not so, and no query is taken for facts.
    """
    told = len(query) >= SHORTEST and not _ASKS.search(query) and len(_ENDS.findall(query)) >= FEWEST
    return told and pack(detect_language(query)).about.spaces
