"""A model's answer as text: its own words, the last line of them, and the JSON object that they close with."""

from __future__ import annotations

import json
import re
from typing import TypeVar

import msgspec

from benchbar.records.thoughts import parted

T = TypeVar("T")
TURN_MARK = re.compile(
    r"<[|｜][^<>|｜\n]{1,40}[|｜]>|</?s>|<(?:bos|eos|pad|unk|(?:start|end)_of_turn)>|\[/?INST\]", re.IGNORECASE
)
"""What chat templates divide turns by. Servers read it as such even inside a message, so that a reply which holds it could
end the user's turn and begin the judge's."""
_END_OF_TURN = re.compile(r"end|eot|eos|</s>", re.IGNORECASE)
_FENCE = re.compile(r"^```\w*\s*|\s*```$")


def spoken(answer: str) -> str:
    """The model's own words: without thoughts, marks of turns, and whatever a model wrote after its turn had ended."""
    text = parted(answer).answer
    kept: list[str] = []
    at = 0
    for mark in TURN_MARK.finditer(text):
        kept.append(text[at : mark.start()])
        at = mark.end()
        # Base models go on with a conversation that they make up: what "the user" says there is no verdict.
        if _END_OF_TURN.search(mark[0]) and "".join(kept).strip():
            return "".join(kept)
    return "".join((*kept, text[at:]))


def closing_line(answer: str) -> str:
    """The last line of an answer that holds anything but decoration."""
    lines = [line.strip() for line in answer.splitlines()]
    return next((line for line in reversed(lines) if re.search(r"\w", line)), "")


def closing_object(answer: str, head: str) -> str:
    """The last JSON object of an answer whose first key is ``head``, whatever courtesy follows it.

    What stands there may be no JSON after all: the caller's decoder says so.
    """
    text = spoken(answer)
    starts = [match.start() for match in re.finditer(rf'\{{\s{{0,20}}"{re.escape(head)}"', text)]
    if not starts:
        return _FENCE.sub("", closing_line(text))
    try:
        _, end = json.JSONDecoder().raw_decode(text, starts[-1])
    except (ValueError, RecursionError):
        return text[starts[-1] :]
    return text[starts[-1] : end]


def read_closing_object(answer: str, head: str, kind: type[T]) -> T | None:
    """The closing object as a ``kind``; None where there is none, or it is no such thing."""
    try:
        return msgspec.json.decode(closing_object(answer, head), type=kind)
    except (msgspec.MsgspecError, RecursionError):
        return None
