"""Keeps what assistants wrote from speaking as the judge.

What they wrote stands between bars that carry a nonce nobody can guess; bars and verdicts inside it are made harmless; and
of the judge's answer only the closing line counts.
"""

from __future__ import annotations

import re
import unicodedata

from benchbar.records import Dialogue

_VERDICT = re.compile(r"[\[［【]\s{0,3}[\[［【]\s{0,3}([1-3１-３])\s{0,3}[\]］】]\s{0,3}[\]］】]")
_BAR = re.compile(r"[<＜]{3,}|[>＞]{3,}")
_MARKS = re.compile(r"([\"“]marks[\"”])\s{0,3}[:：]")
MAX_DIALOGUE = 200_000
"""Characters of a dialogue that a judge is shown; beyond them no model's context would hold it."""

_SPEAKERS = {"zh": ("用户", "助手"), "en": ("User", "Assistant"), "ru": ("Пользователь", "Помощник")}
_CUT = {"zh": "（后文过长，已截去）", "en": "(too long; the rest is cut)", "ru": "(слишком длинно; остальное обрезано)"}


def harmless(text: str) -> str:
    """The text with verdict tokens, bars and checklist heads in a form that no parser and no reader takes for real."""
    text = _VERDICT.sub(lambda match: f"⟦{match[1]}⟧", text)
    text = _BAR.sub("‹›", text)
    return _MARKS.sub(r"\1 ", text)


def transcript(dialogue: Dialogue, language: str) -> str:
    """The talk as a judge is shown it: speakers without names, what they wrote made harmless."""
    user, assistant = _SPEAKERS.get(language, _SPEAKERS["en"])
    names = {"user": user, "assistant": assistant}
    lines = [f"{names[turn.role]}: {harmless(turn.content)}" for turn in dialogue.turns if turn.role in names]
    text = "\n".join(lines)
    return text if len(text) <= MAX_DIALOGUE else text[:MAX_DIALOGUE] + _CUT.get(language, _CUT["en"])


def closing_line(answer: str) -> str:
    """The last line of an answer that holds anything but decoration."""
    lines = [line.strip() for line in answer.splitlines()]
    return next((line for line in reversed(lines) if re.search(r"\w", line)), "")


def verdict_of(answer: str) -> str | None:
    """``1``, ``2`` or ``3`` from the closing line; None where it holds no verdict, or more than one."""
    found = _VERDICT.findall(closing_line(answer))
    return unicodedata.normalize("NFKC", found[0]) if len(found) == 1 else None
