"""Keeps what assistants wrote from speaking as the judge.

What they wrote stands between bars that carry a nonce nobody can guess; bars, verdicts and marks of turns inside it are made
harmless. What counts of the judge's answer is in ``reading``.
"""

from __future__ import annotations

import re
from functools import lru_cache

from benchbar.languages.packs import labels
from benchbar.records import Dialogue
from benchbar.records.answers import TURN_MARK

VERDICT = re.compile(r"[\[［【]\s{0,3}[\[［【]\s{0,3}([1-3１-３])\s{0,3}[\]］】]\s{0,3}[\]］】]")
_BAR = re.compile(r"[<＜]{3,}|[>＞]{3,}")
_HEADS = re.compile(
    r"([\"“](?:marks|claims?|article|verdicts?|questions|useful|noncommittal|grounded)[\"”])\s{0,3}[:：]"
)
_SUSPECT = re.compile(r"[\[［【<＜>＞\"“]")
"""What all of them begin with; most texts hold none of it."""
MAX_DIALOGUE = 200_000
"""Characters of a dialogue that a judge is shown; beyond them no model's context would hold it."""


# A dialogue is shown in both orders, and its sample's facts with each: most texts come again soon.
@lru_cache(maxsize=256)
def harmless(text: str) -> str:
    """The text with verdicts, bars, marks of turns and heads of answers in a form that no parser takes for real."""
    if not _SUSPECT.search(text):
        return text
    text = TURN_MARK.sub(lambda match: f"‹{match[0][1:-1]}›", text)
    text = VERDICT.sub(lambda match: f"⟦{match[1]}⟧", text)
    text = _BAR.sub("‹›", text)
    return _HEADS.sub(r"\1 ", text)


def transcript(dialogue: Dialogue, language: str) -> str:
    """The dialogue as a judge is shown it: speakers without names, what they wrote made harmless."""
    say = labels(language, "words")
    names = {role: say(f"judge.{role}") for role in ("user", "assistant")}
    lines = [f"{names[turn.role]}: {harmless(turn.content)}" for turn in dialogue.turns if turn.role in names]
    return cut("\n".join(lines), language)


def cut(text: str, language: str) -> str:
    """The text, or as much of it as a judge is shown, and that it was cut."""
    return text if len(text) <= MAX_DIALOGUE else text[:MAX_DIALOGUE] + labels(language, "words")("judge.cut")
