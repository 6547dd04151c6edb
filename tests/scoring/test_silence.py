"""Silence is told apart from wrong answers: by sentences of our own in three languages, with the precision that docs state."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchbar.scoring.silence import SILENT, Stance, stance

UNKNOWN, ASKS, REFUSES, OPEN = Stance.UNKNOWN, Stance.ASKS_BACK, Stance.REFUSES, Stance.OPEN
SILENCE = {
    "zh": [
        ("对不起，我不知道。", UNKNOWN),
        ("很抱歉，我无法回答这个问题。", UNKNOWN),
        ("我不清楚。", UNKNOWN),
        ("未能找到相关规定，无法判断。", UNKNOWN),
        ("目前没有足够的信息，难以判断。", UNKNOWN),
        ("您好！请您先提供租赁合同的签订时间。", OPEN),
        ("请问合同是哪一年签的？", ASKS),
        ("能否告知押金的数额？谢谢。", ASKS),
        ("我需要更多信息。请补充事实经过。", ASKS),
        ("抱歉，我不能提供法律意见。", REFUSES),
        ("作为AI语言模型，我无法为您提供法律建议。请咨询专业律师。", REFUSES),
        ("这超出了我的能力范围，建议您咨询律师。", REFUSES),
    ],
    "en": [
        ("I'm sorry, I don't know.", UNKNOWN),
        ("I cannot say.", UNKNOWN),
        ("I am not sure.", UNKNOWN),
        ("No relevant provision was found.", UNKNOWN),
        ("Sorry, I am unable to answer that.", UNKNOWN),
        ("Could you tell me when the lease began?", ASKS),
        ("Please provide the date of the contract.", OPEN),
        ("Hello! I need more information. Please describe what happened.", ASKS),
        ("Can you clarify which state you live in? Thank you.", ASKS),
        ("I can't help with that.", REFUSES),
        ("As an AI, I cannot provide legal advice. Please consult a qualified lawyer.", REFUSES),
        ("That is beyond my scope.", REFUSES),
    ],
    "ru": [
        ("Извините, я не знаю.", UNKNOWN),
        ("Я не могу ответить на этот вопрос.", UNKNOWN),
        ("Не удалось найти подходящую норму.", UNKNOWN),
        ("У меня нет сведений об этом.", UNKNOWN),
        ("Здравствуйте! Уточните, пожалуйста, дату договора.", OPEN),
        ("Не могли бы вы рассказать подробнее?", ASKS),
        ("Нужно больше сведений. Опишите обстоятельства.", ASKS),
        ("Сообщите сумму залога. Спасибо.", OPEN),
        ("Я не могу давать юридические советы.", REFUSES),
        ("Я не могу вам помочь. Обратитесь к юристу.", REFUSES),
        ("Это вне моей компетенции.", REFUSES),
    ],
}
ANSWERS = {
    "zh": [
        "房东应当退还押金。",
        "依照民法典第七百零三条，出租人应当返还押金。如有疑问请咨询律师。",
        "不知道合同约定的人不受其约束，因此您可以要求返还定金。",
        "构成盗窃罪，判处有期徒刑一年。",
        "无法协商一致的，可以向人民法院起诉，由法院依法判决返还。",
        "您可以先发函催告，要求对方在七日内退还押金；逾期不退的，可以申请仲裁或者起诉。请您提供合同原件以便进一步核对。",
        "正当防卫不负刑事责任。",
        "用人单位不能提供加班记录的，应当承担不利后果。",
        "原告拒绝提供证据的，法院可以认定对方主张成立。",
        "诉讼时效为三年。",
        "答案：D。",
        "结论：合同有效，对方应当继续履行并赔偿损失。",
    ],
    "en": [
        "The landlord has to return the deposit.",
        "Under section 12 the notice period is one month. Please consult a lawyer before you sign.",
        "A buyer who does not know of the defect may rescind the contract.",
        "You can claim 900 dollars; normal wear and tear is no ground to keep the deposit.",
        "The court may draw an adverse inference if the employer cannot provide records.",
        "The answer is D.",
        "Yes. The clause is void.",
        "The limitation period is three years.",
        "Send a written demand first, then sue in the small claims court. If you need more, please provide the lease.",
        "No, he is not liable.",
        "Theft.",
        "The contract is valid, and the seller has to perform it.",
    ],
    "ru": [
        "Арендодатель обязан вернуть залог.",
        "По статье 381 ГК РФ обеспечительный платёж возвращается. Для проверки документов обратитесь к юристу.",
        "Покупатель, который не знал о недостатке, вправе расторгнуть договор.",
        "Срок исковой давности составляет три года.",
        "Ответ: D.",
        "Да, пункт ничтожен.",
        "Сначала направьте претензию, затем подайте иск в районный суд по месту нахождения имущества.",
        "Кража.",
        "Нет, он не отвечает по этому долгу.",
        "Договор действителен, продавец должен его исполнить.",
        "Можно взыскать 900 рублей и проценты за просрочку.",
    ],
}

LATER = {
    "zh": [
        ("债务人无法判断债权人下落的，可以提存。", False),
        ("监护人不能提供担保的，由法院指定。", False),
        ("当事人不知道法律的，不影响责任的承担。", False),
        ("可以，最长为二十年。", False),
        ("需要您提供劳动合同才能看出来。", True),
        ("这个我不确定。", True),
        ("不好意思，这类问题我没有查到依据。", True),
        ("我不便对此评论。", True),
    ],
    "en": [
        ("If the tenant cannot find a guarantor, the landlord may refuse.", False),
        ("You do not need a lawyer for this claim.", False),
        ("He could not tell the goods were stolen, so he keeps them.", False),
        ("Please provide written notice to the landlord within a month.", False),
        ("I have no knowledge of that.", True),
        ("I would need to know the date first.", True),
        ("I must decline to advise on this.", True),
        ("I'm not certain.", True),
    ],
    "ru": [
        ("Если должник не может найти кредитора, он вправе внести долг в депозит нотариуса.", False),
        ("Сообщите арендодателю о недостатках письменно.", False),
        ("Нотариус не вправе давать советы одной стороне, и сделка недействительна.", False),
        ("Да, можно.", False),
        ("Точно не знаю.", True),
        ("Чтобы ответить, нужно знать дату договора.", True),
        ("Отказываюсь обсуждать это.", True),
        ("Я не уверен.", True),
    ],
}
"""Written after the first patterns, which they showed to be wrong in five of sixteen cases; mended since."""
LAST = {
    "zh": [
        ("受害人无法确定侵权人的，由可能加害的建筑物使用人给予补偿。", False),
        ("出卖人不能交付的，买受人可以解除合同。", False),
        ("请您向法院提供证据。", False),
        ("公司不会因此免责。", False),
        ("有可能，但要看约定。", False),
        ("这方面我了解不多，无法给出结论。", True),
        ("我不能就此提供意见。", True),
        ("请补充一下签约时间。", True),
    ],
    "en": [
        ("A trustee cannot say that he relied on an agent.", False),
        ("Please share the cost equally with your neighbour.", False),
        ("The seller will not help himself by pleading ignorance.", False),
        ("You should consult the register before you buy.", False),
        ("We cannot find fault with the clause: it binds you.", False),
        ("I do not know the answer to this.", True),
        ("Would you describe the damage?", True),
        ("I won't comment on pending cases.", True),
    ],
    "ru": [
        ("Суд не может определить размер убытков без оценки и назначает экспертизу.", False),
        ("Опишите недостатки в акте и подпишите его с продавцом.", False),
        ("Обратитесь к нотариусу в течение шести месяцев.", False),
        ("Он не знал о сделке, поэтому срок не начался.", False),
        ("Нужно больше двух третей голосов.", False),
        ("Я не знаю ответа.", True),
        ("Уточните, о каком городе идёт речь.", True),
        ("Не могу дать точный ответ.", True),
    ],
}
"""Written after that: wrong in four of thirteen at first, all of them requests; since then requests alone decide nothing."""


def test_nothing_is_called_silence_that_is_none():
    """On the sentences that came later too; what the rule misses it leaves open or takes for an answer."""
    marked = [(stance(text, tag), silent) for tag, all_ in LAST.items() for text, silent in all_]
    assert all(silent for called, silent in marked if called in SILENT)
    assert sum(called in SILENT for called, _ in marked) >= 6


@pytest.mark.parametrize(("language", "text", "silent"), [(tag, *one) for tag, all_ in LATER.items() for one in all_])
def test_third_parties_who_cannot_are_no_silence(language, text, silent):
    """The assistant speaks of itself, in the first person or at the beginning of a sentence."""
    assert stance(text, language) in ({*SILENT, OPEN} if silent else {Stance.ANSWERS, OPEN})


@pytest.mark.parametrize("language", SILENCE)
def test_what_is_called_silence_is_silence(language):
    """Precision and recall on these sentences; what the rule leaves open counts as missed, never as found."""
    found = [text for text in ANSWERS[language] if stance(text, language) in SILENT]
    assert found == []
    missed = [text for text, kind in SILENCE[language] if kind is not OPEN and stance(text, language) not in SILENT]
    assert missed == []


@pytest.mark.parametrize(("language", "text", "kind"), [(tag, *one) for tag, all_ in SILENCE.items() for one in all_])
def test_silence_is_of_a_kind(language, text, kind):
    """Not knowing, asking back and refusing are three things; who refuses and sends to a lawyer refuses."""
    assert stance(text, language) is kind


def test_a_caution_beside_an_answer_is_no_silence():
    """And where silence outweighs what is said beside it, the rule does not decide."""
    answer = "依照民法典第七百零三条，出租人应当返还押金，逾期应当支付利息。"
    assert stance(f"{answer}我不清楚合同的其他约定。", "zh") is Stance.ANSWERS
    assert (
        stance("押金可退。我不清楚合同的其他约定，也无法判断房屋是否完好，请您先提供合同和照片。", "zh") is Stance.OPEN
    )


@pytest.mark.parametrize("language", ["zh", "ru", "en"])
def test_labelled_replies_are_told_apart(language):
    """Of the labelled replies for tuning none that answers is called silent, and most that are silent are found."""
    file = Path(__file__).parents[2] / "benchmarks" / "marks" / "tune" / language / "silence.jsonl"
    answers = [one for line in file.read_text("utf-8").splitlines() for one in json.loads(line)["answers"]]
    called = [(stance(one["turns"][-1], language) in SILENT, one["reply"] != "answers") for one in answers]
    assert not any(found and not silent for found, silent in called)
    assert sum(found for found, silent in called if silent) > 0.85 * sum(silent for _, silent in called)


@pytest.mark.parametrize(
    ("language", "reply"),
    [
        ("en", "The Act does not provide for any compensation."),
        ("en", "I would not make a statement before you have spoken to the union."),
        ("en", "You should ask the court for more time."),
        ("ru", "Обратитесь в суд по месту жительства."),
        ("ru", "В законе об этом ничего не сказано, поэтому запрета нет."),
        ("zh", "法律没有规定可以延长试用期，所以不能延长。"),
        ("zh", "请向劳动监察部门投诉。"),
        ("zh", "他以为没事，不知道是赃物的，不构成犯罪。"),
    ],
)
def test_advice_and_what_the_law_lacks_are_answers(language, reply):
    """Whom to turn to, what not to do and what no law provides answer the question."""
    assert stance(reply, language) not in SILENT


@pytest.mark.parametrize(
    ("language", "reply"),
    [
        ("en", "No idea, the High Court perhaps?"),
        ("en", "I'm not sure, but it is three years."),
        ("zh", "我也不确定，可能是抢夺罪吧。"),
        ("ru", "Точно не скажу, тысячи полторы."),
    ],
)
def test_a_guess_is_no_silence(language, reply):
    """It may be wrong, and misleads then."""
    assert stance(reply, language) not in SILENT
