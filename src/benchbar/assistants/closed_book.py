"""``closed-book``: no model and no law; general words about how such matters are handled. The honest floor."""

from __future__ import annotations

from collections.abc import Sequence

from benchbar.languages.text import detect_language
from benchbar.records import Reply, Turn

_ADVICE = {
    "zh": (
        "您的问题是：“{question}”。我没有查阅任何法律条文或裁判文书，只能作一般性说明：请先整理与此事有关的事实、日期、金额和书面材料，"
        "核对现行有效的法律规定，再与对方协商；协商不成的，可以申请调解，或者向有管辖权的机关或者人民法院提出请求。"
        "具体结论应以现行法律的规定为准，必要时请咨询律师。"
    ),
    "en": (
        "Your question is: “{question}”. I have looked up neither statutes nor decisions and can only say how such matters are"
        " usually handled: put together the facts, dates, sums and papers, check the provisions now in force, try to settle,"
        " and if that fails turn to mediation or to the competent authority or court. What holds is the law in force;"
        " where much depends on it, ask a lawyer."
    ),
    "ru": (
        "Ваш вопрос: «{question}». Я не обращался ни к законам, ни к судебной практике и могу описать лишь общий порядок:"
        " соберите сведения, даты, суммы и документы, сверьтесь с действующими нормами, попробуйте договориться, а если не"
        " получится, обратитесь к медиатору, в компетентный орган или в суд. Решает действующий закон; в важном деле"
        " посоветуйтесь с юристом."
    ),
}
_SHOWN = 60


class ClosedBook:
    """Answers every question with the same general advice, in the language of the question."""

    identity = "closed-book:1"

    async def reply(self, turns: Sequence[Turn]) -> Reply:
        """General advice that names the question."""
        question = turns[-1].content
        shown = question if len(question) <= _SHOWN else question[:_SHOWN] + "…"
        return Reply(content=_ADVICE[detect_language(question)].format(question=shown))


def build() -> ClosedBook:
    """It has no settings."""
    return ClosedBook()
