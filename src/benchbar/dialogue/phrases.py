"""What users of each temperament say, and when, if no model plays them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from benchbar.dialogue.temperaments import Mistake, Temperament, mistake_of
from benchbar.records import Sample, fingerprint

Said = Sequence[str]
"""What the user has said so far."""


@dataclass(frozen=True, slots=True)
class Phrases:
    """The words of one language; ``{facts}`` and ``{needs}`` are filled in, ``{right}`` and ``{wrong}`` as well."""

    worry: str
    reassure: str
    prove: str
    source: str
    correct: str
    terse_more: str
    asides: tuple[str, ...]


PHRASES = {
    "zh": Phrases(
        worry="我现在特别着急，这几天一直睡不好觉。{facts}{needs}后果会不会很严重？求您快点告诉我。",
        reassure="真的是这样吗？我还是很担心。我最要紧的是先做哪一步？我问的是：{needs}",
        prove="{facts}{needs}请别说套话，说清楚依据在哪里。",
        source="这话有什么依据？请告诉我是哪部法律第几条，不然我不敢信。我问的是：{needs}",
        correct="我刚才说错了，不是{wrong}，是{right}。{needs}",
        terse_more="{facts}",
        asides=(
            "说来话长，那天天气还特别热。",
            "我邻居老陈也跟我说过他家装修的事，不过那是另一回事了。",
            "我本来打算早点来问的，家里孩子又要考试。",
            "顺便说一句，我平时很爱看电视剧。",
            "我手机打字比较慢，您别介意。",
            "我们这儿最近在修路，出门很不方便。",
            "我以前在厂里上班，同事们人都挺好的。",
        ),
    ),
    "en": Phrases(
        worry="I am so worried, I have hardly slept for days. {facts} {needs} Will it end very badly? Please tell me quickly.",
        reassure="Is that really so? I am still afraid. What is the one thing that I have to do first? My question: {needs}",
        prove="{facts} {needs} No empty phrases, please: say what it rests on.",
        source="Why should I believe that? Which law says so, and which section? My question: {needs}",
        correct="I said something wrong: it is not {wrong}, it is {right}. {needs}",
        terse_more="{facts}",
        asides=(
            "It is a long story, and the weather was dreadful that day.",
            "My neighbour told me about his new kitchen, but that is another matter.",
            "I meant to ask sooner, only the children have their examinations.",
            "By the way, I am very fond of old films.",
            "I am slow at typing, please bear with me.",
            "They are mending the road outside, you can hardly leave the house.",
            "I used to work at the mill, they were all kind people there.",
        ),
    ),
    "ru": Phrases(
        worry="Я очень волнуюсь, уже несколько дней почти не сплю. {facts} {needs} Это кончится плохо? Ответьте скорее, пожалуйста.",
        reassure="Это точно так? Мне всё равно страшно. Что мне сделать прежде всего? Мой вопрос: {needs}",
        prove="{facts} {needs} Только без общих слов: скажите, на чём это основано.",
        source="С чего вы это взяли? Какой закон и какая статья это говорят? Мой вопрос: {needs}",
        correct="Я ошибся: не {wrong}, а {right}. {needs}",
        terse_more="{facts}",
        asides=(
            "Это долгая история, да и погода в тот день была ужасная.",
            "Сосед ещё рассказывал про свой ремонт, но это другое дело.",
            "Я собирался спросить раньше, но у детей экзамены.",
            "Кстати, я очень люблю старые фильмы.",
            "Печатаю я медленно, не обессудьте.",
            "У нас чинят дорогу, из дома не выйти.",
            "Раньше я работал на заводе, люди там были хорошие.",
        ),
    ),
}
"""None of it holds a number or a fact of a matter: guards would take it for invented."""

_SOURCE = re.compile(
    r"《[^》]{1,40}》|第[零一二三四五六七八九十百千\d]{1,10}条|(?:section|article|sec\.|art\.|§)\s{0,2}\d"
    r"|\bact\b|(?:стать[а-яё]{1,3}|ст\.)\s{0,2}\d|\bкодекс",
    re.IGNORECASE,
)
_ASKS_TO_CHECK = re.compile(
    r"确认|核实|核对|属实|是否准确|是否正确|confirm|verify|double-check|are you sure|is (?:it|that) (?:right|correct)"
    r"|уточн|подтверд|проверьте|верно ли",
    re.IGNORECASE,
)
_ASKS_HOW_MUCH = re.compile(
    r"多少|几[个天年月元]|how (?:much|many|long)|what (?:sum|amount)|сколько|какая сумма", re.IGNORECASE
)
_QUESTION = re.compile(r"[^。！!\n]*[?？吗]")


@dataclass(frozen=True)
class Manner:
    """How the user of one sample talks."""

    temperament: Temperament
    sample: Sample
    phrases: Phrases

    @property
    def mistake(self) -> Mistake | None:
        """What the user gets wrong."""
        return mistake_of(self.sample) if self.temperament is Temperament.MISTAKEN else None

    def told_as(self, text: str) -> str:
        """Facts as the user tells them before being corrected."""
        return self.mistake.made_in(text) if self.mistake else text

    def kept_back(self, count: int, usual: int) -> int:
        """How many of ``count`` facts are told later, one at a time."""
        return max(count - 1, 0) if self.temperament is Temperament.TERSE else usual

    def opening(self, words: str) -> str:
        """The frame of the first message."""
        return {Temperament.ANXIOUS: self.phrases.worry, Temperament.DISTRUSTFUL: self.phrases.prove}.get(
            self.temperament, words
        )

    def further(self, words: str) -> str:
        """The frame of a message with one more fact."""
        return self.phrases.terse_more if self.temperament is Temperament.TERSE else words

    def spoken(self, text: str, said: Said) -> str:
        """The message as it leaves the user's mouth: a rambling one wanders off before and after."""
        if self.temperament is not Temperament.RAMBLING:
            return text
        asides, first = self.phrases.asides, int(fingerprint(self.sample.id)[:8], 16)
        before, after = (asides[(first + 2 * len(said) + place) % len(asides)] for place in (0, 1))
        between = "" if self.sample.language == "zh" else " "
        return between.join([before, text, after])

    def correction(self, said: Said, reply: str) -> str:
        """What a mistaken user says when it is asked about its number, once."""
        if self.mistake is None or not asks_about(self.mistake, reply):
            return ""
        words = self.phrases.correct.format(needs=self.sample.needs, right=self.mistake.right, wrong=self.mistake.wrong)
        return "" if words in said else words

    def corrected(self, said: Said) -> bool:
        """Whether the user has put its mistake right."""
        return self.mistake is not None and any(
            self.phrases.correct.partition("{")[0] in one and self.mistake.right in one for one in said
        )

    def demand(self, said: Said, replies: Said) -> str:
        """What the user still wants after its need was met: reassurance once, or a source until one is named."""
        if self.temperament is Temperament.ANXIOUS:
            words = self.phrases.reassure.format(needs=self.sample.needs)
            return "" if words in said else words
        if self.temperament is Temperament.DISTRUSTFUL and not any(_SOURCE.search(reply) for reply in replies):
            return self.phrases.source.format(needs=self.sample.needs)
        return ""

    def reassured(self, said: Said) -> bool:
        """Whether the user asked for reassurance: its need was met before, and whatever came then ends it."""
        return self.temperament is Temperament.ANXIOUS and not self.demand(said, ())


def asks_about(mistake: Mistake, reply: str) -> bool:
    """Whether a reply asks the user to check facts, for an amount, or about the wrong number itself."""
    if _ASKS_TO_CHECK.search(reply) or _ASKS_HOW_MUCH.search(reply):
        return True
    return any(mistake.wrong in question for question in _QUESTION.findall(reply))


def manner_of(temperament: Temperament, sample: Sample) -> Manner:
    """The manner of a sample's user; English words for languages that there are none of."""
    return Manner(temperament, sample, PHRASES.get(sample.language, PHRASES["en"]))
