"""Whether an assistant answered at all: told apart from a wrong answer, which misleads, a missing one, which does not.

A reply counts as silent only where nothing but silence and courtesies stands in it. A caution before or after an answer is an
answer; where most of a reply is silence and something else is said beside it, the rule does not decide. Nor does it where all
that is said is a request: "describe the damage" may ask back or be the advice.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache

from benchbar.languages.packs import labels
from benchbar.languages.text import sentences
from benchbar.records import Dialogue, DialogueEnd

SUBSTANCE = 0.5
"""Share of a reply's characters beside silence and courtesies, from which on it is an answer."""


class Stance(StrEnum):
    """What a reply does with a question."""

    ANSWERS = "answers"
    UNKNOWN = "unknown"
    """It says that it does not know."""
    ASKS_BACK = "asks_back"
    REFUSES = "refuses"
    OPEN = "open"
    """The rule does not decide."""


SILENT = (Stance.REFUSES, Stance.UNKNOWN, Stance.ASKS_BACK)
"""In the order in which they name a reply that has several of them."""


def stance_of(dialogue: Dialogue, language: str) -> Stance | None:
    """What the assistant's last word does; None where the dialogue failed, or nothing was said."""
    if dialogue.ended is DialogueEnd.ERROR or not dialogue.replies:
        return None
    # The last reply: who asks back first and then answers has answered.
    return stance(dialogue.replies[-1], language)


# The rules that mark and the measure of refusals ask of the same reply.
@lru_cache(maxsize=256)
def stance(reply: str, language: str) -> Stance:
    """What a reply does with the question that it was given."""
    found: set[Stance] = set()
    silent = substance = requests = 0
    contrast = _pattern("contrast", language)
    parts = [part.strip() for start, end in sentences(reply, language) for part in contrast.split(reply[start:end])]
    enough = SUBSTANCE * sum(map(len, parts))
    for text in parts:
        kind = _silent(text, language)
        if kind:
            # One kind for each part: "I cannot help; do you mean …?" refuses and asks in two.
            found.add(kind)
            silent += len(text)
        elif _pattern("requests", language).search(text):
            requests += 1
        elif not _pattern("courtesy", language).search(text):
            substance += len(text)
            # Whatever the rest is: most replies answer, and are read to their middle.
            if substance > enough:
                return Stance.ANSWERS
    # Requests alone may be the way to an answer, or a way around it.
    if not found and requests and not substance:
        return Stance.OPEN
    if not found or substance > SUBSTANCE * (silent + substance):
        return Stance.ANSWERS
    return Stance.OPEN if substance else next(one for one in SILENT if one in found)


def _silent(part: str, language: str) -> Stance | None:
    """How a part of a sentence is silent; None where it says something, if only beside: "I'm not sure, three years perhaps"."""
    kind = next((one for one in SILENT if _pattern(one.value, language).search(part)), None)
    if kind in {None, Stance.ASKS_BACK} and part.endswith(_QUESTION):
        return Stance.ASKS_BACK
    # "No idea, the High Court perhaps?" guesses; a question that says nothing of not knowing may hold numbers and is one.
    guesses = kind is not None and _pattern("beside", language).search(part) is not None
    return None if guesses else kind


_QUESTION = ("?", "？")


# Asked for three times in every sentence.
@lru_cache(maxsize=64)
def _pattern(name: str, language: str) -> re.Pattern[str]:
    return labels(language, "patterns").pattern(f"silence.{name}")
