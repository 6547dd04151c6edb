"""Sees by rule what should not happen in a simulated consultation; what is seen is recorded, not punished."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache

from benchbar.languages.overlap import copied, shingles_of
from benchbar.languages.packs import pattern_of_any
from benchbar.languages.text import nfkc
from benchbar.records import GuardFinding, Sample, Task, Turn

_FACT = re.compile(r"\d+(?:[.,]\d+)*")
NEAR_ECHO = 0.95
"""Share of two texts' characters that stand in both in the same order, from which on one repeats the other."""
ON_TOPIC = 0.1
SHORT = 8


def inspect(task: Task, sample: Sample, turns: Sequence[Turn], *, mistaken: bool = False) -> tuple[GuardFinding, ...]:
    """What the guards see in the turns of one dialogue, in order of the turns.

    The one number that a ``mistaken`` user is to get wrong is not invented.
    """
    found: list[GuardFinding] = []
    seen = _Seen(task, sample)
    if mistaken:
        seen.facts |= _misremembered(sample)
    for index, turn in enumerate(turns):
        made = _Made(turn.content)
        if turn.role == "user":
            found.extend(_user(turn.content, made, seen, index))
        elif turn.role == "assistant":
            found.extend(_assistant(made, seen, index))
        seen.add(turn.role, made)
    return tuple(found)


def _misremembered(sample: Sample) -> set[str]:
    from benchbar.dialogue.temperaments import mistake_of

    mistake = mistake_of(sample)
    return _Made(mistake.wrong).facts if mistake else set()


class _Made:
    """What a text is made of; it is taken apart once, and only as far as somebody asks."""

    def __init__(self, text: str) -> None:
        self.plain = nfkc(text)
        # Numbers of two digits or more: single ones are too often mere list numbers.
        self.facts = {number for number in _FACT.findall(self.plain) if len(number) > 1}

    @cached_property
    def shingles(self) -> frozenset[str]:
        """Bigrams and words."""
        return shingles_of(self.plain)


@lru_cache(maxsize=64)
def _told(text: str) -> _Made:
    """Of a sample that several assistants are asked about."""
    return _Made(text)


class _Seen:
    """What was told and said before a turn."""

    def __init__(self, task: Task, sample: Sample) -> None:
        told = _told(f"{task.background}\n{sample.information}\n{sample.needs}")
        self.facts = set(told.facts)
        self.last = ""
        self.replies: list[str] = []
        self._known = [told]

    def knows(self, own: frozenset[str]) -> bool:
        """Whether words like these were told or said before; mostly what was told is enough to see it."""
        new = own
        # Text by text: replies are long, and taking them apart would be most of what the guards cost.
        for one in self._known:
            new = new - one.shingles
            if (len(own) - len(new)) / len(own) >= ON_TOPIC:
                return True
        return False

    def add(self, role: str, made: _Made) -> None:
        self._known.append(made)
        self.facts |= made.facts
        self.last = made.plain
        if role == "assistant":
            self.replies.append(made.plain)


def _user(said: str, made: _Made, seen: _Seen, index: int) -> Iterator[GuardFinding]:
    own = made.shingles
    if pattern_of_any("user.asserts").search(said) and not pattern_of_any("user.question").search(said):
        yield GuardFinding(guard="answers_itself", turn=index, detail="states law or advice and asks nothing")
    if len(own) >= SHORT and not seen.knows(own):
        yield GuardFinding(guard="leaves_needs", turn=index, detail="shares almost nothing with information and needs")
    if invented := sorted(made.facts - seen.facts):
        yield GuardFinding(guard="invents_facts", turn=index, detail=f"numbers not given: {', '.join(invented[:5])}")


def _assistant(made: _Made, seen: _Seen, index: int) -> Iterator[GuardFinding]:
    said = made.plain
    if not said.strip():
        yield GuardFinding(guard="empty_reply", turn=index)
        return
    if len(said) > SHORT and copied(said, seen.last, NEAR_ECHO):
        yield GuardFinding(guard="echo", turn=index, detail="repeats the user's message")
    if any(copied(said, other, NEAR_ECHO) for other in seen.replies):
        yield GuardFinding(guard="repeats_itself", turn=index, detail="gives an earlier reply again")
