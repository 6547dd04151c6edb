"""Sees by rule what should not happen in a simulated consultation; what is seen is recorded, not punished."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from benchbar.dialogue.temperaments import mistake_of
from benchbar.language.overlap import covered, shingles, similarity
from benchbar.records import GuardFinding, Sample, Task, Turn

_QUESTION = re.compile(
    r"[?？]|请|吗|呢|怎么|怎样|如何|什么|哪|是否|能否|可否|多少|几|想知道|帮|告诉"
    r"|how|what|which|whether|can |should|please|как|что|ли |можно|нужно|подскаж|скажите|помогите|сколько|какой|какая|какие",
    re.IGNORECASE,
)
_ASSERTS = re.compile(
    r"根据《|依据《|依照《|您可以|你可以|建议您|建议你|according to article|согласно стать|вам следует|you may "
)
_FACT = re.compile(r"\d+(?:[.,]\d+)*")
NEAR_ECHO = 0.9
ON_TOPIC = 0.1
SHORT = 8


def inspect(task: Task, sample: Sample, turns: Sequence[Turn], *, mistaken: bool = False) -> tuple[GuardFinding, ...]:
    """What the guards see in the turns of one dialogue, in order of the turns.

    The one number that a ``mistaken`` user is to get wrong is not invented.
    """
    mistake = mistake_of(sample) if mistaken else None
    found: list[GuardFinding] = []
    for index, turn in enumerate(turns):
        if turn.role == "user":
            found.extend(_user(task, sample, turns, index, mistake.wrong if mistake else ""))
        elif turn.role == "assistant":
            found.extend(_assistant(turns, index))
    return tuple(found)


def _user(task: Task, sample: Sample, turns: Sequence[Turn], index: int, wrong: str) -> Iterator[GuardFinding]:
    said = turns[index].content
    if _ASSERTS.search(said) and not _QUESTION.search(said):
        yield GuardFinding(guard="answers_itself", turn=index, detail="states law or advice and asks nothing")
    before = "\n".join(turn.content for turn in turns[:index])
    told = f"{task.background}\n{sample.information}\n{sample.needs}\n{before}\n{wrong}"
    known = shingles(told)
    own = shingles(said)
    if len(own) >= SHORT and covered(own, known) < ON_TOPIC:
        yield GuardFinding(guard="leaves_needs", turn=index, detail="shares almost nothing with information and needs")
    if invented := sorted(_facts(said) - _facts(told)):
        yield GuardFinding(guard="invents_facts", turn=index, detail=f"numbers not given: {', '.join(invented[:5])}")


def _facts(text: str) -> set[str]:
    """Numbers of two digits or more: single ones are too often mere list numbers."""
    return {number for number in _FACT.findall(unicodedata.normalize("NFKC", text)) if len(number) > 1}


def _assistant(turns: Sequence[Turn], index: int) -> Iterator[GuardFinding]:
    said = turns[index].content
    if not said.strip():
        yield GuardFinding(guard="empty_reply", turn=index)
        return
    asked = turns[index - 1].content
    if len(said) > SHORT and similarity(said, asked) >= NEAR_ECHO:
        yield GuardFinding(guard="echo", turn=index, detail="repeats the user's message")
    earlier = [turn.content for turn in turns[:index] if turn.role == "assistant"]
    if any(similarity(said, other) >= NEAR_ECHO for other in earlier):
        yield GuardFinding(guard="repeats_itself", turn=index, detail="gives an earlier reply again")
