"""A user without a model: states needs and facts, asks again or tells more while the need is not met, then ends."""

from __future__ import annotations

import re
from collections.abc import Sequence

from benchbar.dialogue.phrases import Manner, manner_of
from benchbar.dialogue.temperaments import Temperament
from benchbar.languages.overlap import covered, shingles
from benchbar.languages.packs import labels, pattern_of_any
from benchbar.languages.text import comparable
from benchbar.records import Reply, Sample, Task, Turn

_SENTENCE = re.compile(r"[^。！？!?；;\n]*[。！？!?；;\n]?")
_CLAUSE = re.compile(r"[^。！？!?；;，,：:\n“”\"]+")
ADDRESSED = 0.25
"""Share of the need's content that a reply must take up in words of its own to count as speaking to it."""
SUBSTANCE = 24
"""Shingles that a reply must hold beyond those of the question."""
WITHHELD_FROM = 4
"""A user with this many facts or more keeps the last quarter back until asked or dissatisfied."""


class AgendaUser:
    """Follows a fixed agenda; what it says depends on the sample and on whether the last reply met the need."""

    identity = "agenda"

    def __init__(self, *, end_mark: str, temperament: str = Temperament.CALM) -> None:
        """Says ``end_mark`` when satisfied; the temperament decides how it talks until then."""
        self._end_mark, self._temperament = end_mark, Temperament(temperament)

    async def speak(self, task: Task, sample: Sample, turns: Sequence[Turn]) -> Reply:  # noqa: ARG002 - the role
        """The user's next utterance."""
        said = [turn.content for turn in turns if turn.role == "user"]
        replies = [turn.content for turn in turns if turn.role == "assistant"]
        manner = manner_of(self._temperament, sample)
        text = self._next(sample, manner, said, replies)
        return Reply(content=manner.spoken(text, said) if text else self._end_mark)

    @classmethod
    def _next(cls, sample: Sample, manner: Manner, said: list[str], replies: list[str]) -> str:
        """What there is left to say; empty where the user has what it came for."""
        words = labels(sample.language, "words").texts
        opening, further, again = (words[f"agenda.{key}"] for key in ("opening", "further", "again"))
        told, withheld = cls._facts(sample, manner, said)
        if not replies:
            return cls._say(manner.opening(opening), sample, told)
        if correction := manner.correction(said, replies[-1]):
            return correction
        if meets_need(sample, "\n".join([sample.information, *said]), replies[-1]) or manner.reassured(said):
            return manner.demand(said, replies)
        if len(replies) <= len(withheld):
            return cls._say(manner.further(further), sample, withheld[len(replies) - 1])
        return cls._say(again, sample, "")

    @staticmethod
    def _say(words: str, sample: Sample, facts: str) -> str:
        return words.format(facts=facts, needs=sample.needs).strip()

    @staticmethod
    def _facts(sample: Sample, manner: Manner, said: list[str]) -> tuple[str, list[str]]:
        """What the user tells at once, and what it tells later, one fact at a time."""
        if sample.long_information:
            return "", []
        sentences = [part for part in _SENTENCE.findall(sample.information) if part.strip()]
        if not manner.corrected(said):
            sentences = [manner.told_as(sentence) for sentence in sentences]
        usual = len(sentences) // 4 if len(sentences) >= WITHHELD_FROM else 0
        kept = manner.kept_back(len(sentences), usual)
        told = sentences[: len(sentences) - kept]
        return "".join(told), sentences[len(sentences) - kept :]


def meets_need(sample: Sample, asked: str, reply: str) -> bool:
    """Whether a reply speaks to the need: takes up its content, says something beyond it, and is no evasion.

    What the reply merely repeats of the question does not count.
    """
    if pattern_of_any("user.evasive").search(reply):
        return False
    question = comparable(asked).text
    own = " ".join(clause for clause in _CLAUSE.findall(reply) if comparable(clause).text not in question)
    need, said = shingles(pattern_of_any("user.filler").sub(" ", sample.needs)), shingles(own)
    return covered(need, said) >= ADDRESSED and len(said - need) >= SUBSTANCE
