"""Keeps what assistants wrote from speaking as the judge.

What they wrote stands between bars that carry a nonce nobody can guess; bars and verdicts inside it are made harmless; and
of the judge's answer only the closing line counts.
"""

from __future__ import annotations

import re
import unicodedata

from benchbar.languages.packs import labels
from benchbar.records import Dialogue

_VERDICT = re.compile(r"[\[［【]\s{0,3}[\[［【]\s{0,3}([1-3１-３])\s{0,3}[\]］】]\s{0,3}[\]］】]")
_BAR = re.compile(r"[<＜]{3,}|[>＞]{3,}")
_HEADS = re.compile(r"([\"“](?:marks|claims|verdicts|questions|useful|noncommittal)[\"”])\s{0,3}[:：]")
_SUSPECT = re.compile(r"[\[［【<＜>＞\"“]")
"""What the three begin with; most texts hold none of it."""
_FENCE = re.compile(r"^```\w*\s*|\s*```$")
MAX_DIALOGUE = 200_000
"""Characters of a dialogue that a judge is shown; beyond them no model's context would hold it."""


def harmless(text: str) -> str:
    """The text with verdict tokens, bars and heads of answers in a form that no parser and no reader takes for real."""
    if not _SUSPECT.search(text):
        return text
    text = _VERDICT.sub(lambda match: f"⟦{match[1]}⟧", text)
    text = _BAR.sub("‹›", text)
    return _HEADS.sub(r"\1 ", text)


def transcript(dialogue: Dialogue, language: str) -> str:
    """The talk as a judge is shown it: speakers without names, what they wrote made harmless."""
    say = labels(language, "words")
    names = {role: say(f"judge.{role}") for role in ("user", "assistant")}
    lines = [f"{names[turn.role]}: {harmless(turn.content)}" for turn in dialogue.turns if turn.role in names]
    return cut("\n".join(lines), language)


def cut(text: str, language: str) -> str:
    """The text, or as much of it as a judge is shown, and that it was cut."""
    return text if len(text) <= MAX_DIALOGUE else text[:MAX_DIALOGUE] + labels(language, "words")("judge.cut")


def closing_line(answer: str) -> str:
    """The last line of an answer that holds anything but decoration."""
    lines = [line.strip() for line in answer.splitlines()]
    return next((line for line in reversed(lines) if re.search(r"\w", line)), "")


def closing_object(answer: str, head: str) -> str:
    """The JSON object that the closing line is; or, where a model spread it over lines, the closing one.

    ``head`` is its first key. What stands there may be no JSON after all: the caller's decoder says so.
    """
    line = closing_line(answer)
    if line.startswith("{"):
        return _FENCE.sub("", line)
    blocks = re.findall(r"```(?:json)?\s*(\{.*?\})\s*```\s*\Z", answer.strip(), re.DOTALL)
    if blocks:
        return str(blocks[-1])
    start = answer.rfind(f'{{"{head}"')
    return _FENCE.sub("", answer[start:].strip() if start >= 0 else line)


def verdict_of(answer: str) -> str | None:
    """``1``, ``2`` or ``3`` from the closing line; None where it holds no verdict, or more than one."""
    found = _VERDICT.findall(closing_line(answer))
    return unicodedata.normalize("NFKC", found[0]) if len(found) == 1 else None
