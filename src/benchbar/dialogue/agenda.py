"""A user without a model: states needs and facts, asks again or tells more while the need is not met, then ends."""

from __future__ import annotations

import re
from collections.abc import Sequence

from benchbar.dialogue.phrases import Manner, manner_of
from benchbar.dialogue.temperaments import Temperament
from benchbar.languages.overlap import covered, shingles
from benchbar.languages.text import comparable
from benchbar.records import Reply, Sample, Task, Turn

_SENTENCE = re.compile(r"[^。！？!?；;\n]*[。！？!?；;\n]?")
_EVASIVE = re.compile(
    r"无法(回答|判断|提供|确定)|没有找到|未能找到|未检索到|不能提供|不清楚|请(提供|补充)(更多|详细)"
    r"|cannot (answer|say)|could not find|no relevant|not able to|не могу (ответить|сказать)|не удалось найти",
    re.IGNORECASE,
)
_FILLER = re.compile(
    r"想(?:要|知道|问)?|希望|请问?|帮我|怎么办|怎[么样]|如何|什么|哪[些个一]?|是否|能否|能不能|可不可以|可以|应[该当]|给出|写出|确定|指出|说明"
    r"|解释|多少|有没有|一下|以及|[我你您他的了吗呢吧啊是在和与对把被给就都也还这那]"
    r"|\b(?:i|my|me|we|to|the|a|an|of|is|are|do|does|can|could|should|what|which|how|whether|please|want|know|need)\b"
    r"|\b(?:я|мне|мой|мы|как|что|ли|можно|нужно|хочу|узнать|какой|какая|какие|это|на|в|и|по|с|за)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[^。！？!?；;，,：:\n“”\"]+")
ADDRESSED = 0.25
"""Share of the need's content that a reply must take up in words of its own to count as speaking to it."""
SUBSTANCE = 24
"""Shingles that a reply must hold beyond those of the question."""
WITHHELD_FROM = 4
"""A user with this many facts or more keeps the last quarter back until asked or dissatisfied."""

_WORDS = {
    "zh": ("{facts}{needs}", "补充一点情况：{facts}那么，{needs}", "我还是不太明白，能不能说得更具体一些？{needs}"),
    "en": (
        "{facts} {needs}",
        "I should add: {facts} So: {needs}",
        "I still do not see it. Could you be more specific? {needs}",
    ),
    "ru": ("{facts} {needs}", "Добавлю: {facts} Итак: {needs}", "Мне всё ещё не ясно. Можно подробнее? {needs}"),
}


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
        opening, further, again = _WORDS.get(sample.language, _WORDS["en"])
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
    if _EVASIVE.search(reply):
        return False
    question = comparable(asked).text
    own = " ".join(clause for clause in _CLAUSE.findall(reply) if comparable(clause).text not in question)
    need, said = shingles(_FILLER.sub(" ", sample.needs)), shingles(own)
    return covered(need, said) >= ADDRESSED and len(said - need) >= SUBSTANCE
