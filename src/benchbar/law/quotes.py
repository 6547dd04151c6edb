"""The passage quoted next to a citation, and how much of it stands in the article."""

from __future__ import annotations

import re
from functools import lru_cache

from rapidfuzz import fuzz

from benchbar.languages.text import comparable
from benchbar.law.mention import Mention

_PAIRS = {"“": "”", "「": "」", "『": "』", "«": "»", "„": "“", '"': '"', "‘": "’"}
# At most forty characters and twelve more lead from a citation to its quotation: beyond that the
# quotation is of something else.
_LEAD = re.compile(
    r"(?:[^“「『«\"„‘。；;.\n《]{0,40}?)(?:规定|指出|明确|载明|内容|原文|称|写明|为|是|即|：|:|，|,|\s|states?|provides?|гласит|установлено|указано|согласно)"
    r"?[^“「『«\"„‘。；;\n《]{0,12}(?=[“「『«\"„‘])"
)
_ELLIPSIS = re.compile(r"…+|\.{3,}|。{3,}|\[\s*(?:…|\.\.\.)\s*\]")
# “合同” in quotation marks is a term.
_SHORTEST = 8
"""Letters and digits below which quotation marks set off a term rather than quote a passage."""
# The longest articles are shorter.
_LONGEST = 3000


def quote_after(text: str, mention: Mention, limit: int) -> tuple[int, int] | None:
    """The span within quotation marks that follows a citation, before the next one (``limit``); None if there is none."""
    lead = _LEAD.match(text, mention.span[1], min(limit, mention.span[1] + 80))
    if not lead or "\n\n" in lead[0]:
        return None
    return _quoted(text, lead.end())


def quote_before(text: str, mention: Mention) -> tuple[int, int] | None:
    """The span within quotation marks that a citation in brackets or at a sentence's end follows: “…”（《…》第…条）."""
    before = re.search(
        # Only before a bracket or dash: marks further away set off other words.
        r"[”」』»\"’]\s{0,2}[（(—\[]{1,2}\s{0,2}(?:见|参见|根据)?\s{0,2}$",
        text[max(0, mention.span[0] - 12) : mention.span[0]],
    )
    if not before:
        return None
    close = max(0, mention.span[0] - 12) + before.start()
    opening = next((one for one, other in _PAIRS.items() if other == text[close]), None)
    start = text.rfind(opening, max(0, close - _LONGEST), close) if opening else -1
    return _long_enough(text, start + 1, close) if start >= 0 else None


def _quoted(text: str, start: int) -> tuple[int, int] | None:
    opening = text[start]
    closing, depth = _PAIRS[opening], 0
    for index in range(start, min(len(text), start + _LONGEST)):
        char = text[index]
        # "…" opens and closes with the same sign.
        if char == closing and (opening != closing or index > start):
            depth -= 1
            if depth <= 0:
                return _long_enough(text, start + 1, index)
        elif char == opening:
            depth += 1
    return None


def _long_enough(text: str, start: int, end: int) -> tuple[int, int] | None:
    return (start, end) if len(comparable(text[start:end]).text) >= _SHORTEST else None


# What is quoted once is mostly quoted again: in the next turn, and by the assistant beside it.
@lru_cache(maxsize=512)
def quote_score(quote: str, article: str) -> float:
    """From 0 to 1, how much of a quote stands in the article: 1 exactly where every part of it does, word for word.

    Compared are letters and digits in NFKC form; the parts between ellipses are looked for in order. A part that is not
    there counts by its best aligned window (normalised Indel similarity, rapidfuzz ``partial_ratio``).
    """
    whole = comparable(article).text
    parts = [part for part in (comparable(one).text for one in _ELLIPSIS.split(quote)) if part]
    total = sum(map(len, parts))
    if not total or not whole:
        return 0.0
    score, place = 0.0, 0
    for part in parts:
        at = whole.find(part, place)
        if at >= 0:
            score += len(part)
            place = at + len(part)
        else:
            similarity = fuzz.ratio(part, whole) if len(part) > len(whole) else fuzz.partial_ratio(part, whole)
            # A part that is there, but out of order or changed, is never the whole of it.
            # 1 is kept for quotes that stand there word for word.
            score += len(part) * min(similarity / 100, 0.99)
    return round(score / total, 4)
