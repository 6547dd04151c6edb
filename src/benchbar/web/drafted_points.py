"""Guidance drafted from the indexed law: what the consultant finds for a question, as points that a person accepts or not."""

from __future__ import annotations

import re
from collections.abc import Iterable

from benchbar.languages.packs import labels
from benchbar.web.advice import Advice, Consultant

MOST_POINTS = 3
"""Of one question. What is found further down bears on it more and more seldom."""
_LONGEST = 220
"""Characters of a point: a judge is asked whether one thing was said, not a whole article."""
_SENTENCE = re.compile(r"[^。.!?！？;；]+[。.!?！？;；]?")


def drafted(consultant: Consultant, question: str) -> tuple[str, ...]:
    """Points for one question, each a line of guidance with its label; none where the consultant is silent.

    Raises:
        BenchbarError: the law cannot be read, or a model does not answer.
    """
    return tuple(_points(consultant(question, "general")))


def _points(advice: Advice) -> Iterable[str]:
    if advice.abstained:
        return
    label = labels(advice.language, "words")("judge.mandatory")
    used = [one for one in advice.sources if one.used and one.kind == "law"]
    for source in used[:MOST_POINTS]:
        # In one line: a line break would begin another point.
        yield f"{label}: {source.citation} — {_first_sentence(source.text)}"


def _first_sentence(text: str) -> str:
    plain = " ".join(text.split())
    found = _SENTENCE.match(plain)
    # A semicolon divides points, and the sentence is one.
    return (found[0] if found else plain)[:_LONGEST].rstrip(";； ")
