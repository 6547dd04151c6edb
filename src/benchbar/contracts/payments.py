"""What a contract says of money, in its own words: prices and payments first, then every other amount, shares and rates."""

from __future__ import annotations

import re
from functools import cache

from benchbar.contracts.terms import root
from benchbar.languages.quantities import quantities
from benchbar.languages.text import folded, sentences

_LONGEST = 1000
"""Characters of a sentence that are searched."""
_MONEY = frozenset({"yuan", "rouble", "dollar", "pound", "euro"})
_CODES = "CHF|JPY|CNY|RUB|HKD|SGD|AUD|CAD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|KZT|BYN|UAH|INR|AED|KRW|BRL|TRY|ZAR"
_OTHER_CURRENCY = re.compile(
    rf"\b(?:{_CODES})\s?\d|\d\s?(?:{_CODES})\b|\d[\d ]*(?:тенге|₸|сом\b|бел\. ?руб)|[¥₹₩₽]\s?\d|(?:\d|thousand|million|hundred) pounds\b(?! of)"
)
_IN_WORDS = re.compile(r"(?<=\d)\s?\([^)\d]{3,80}\)")
"""Between a number and its currency: “85 000 (восемьдесят пять тысяч) руб.”"""
_PAY = {
    "zh": r"租金|价款|总价|货款|服务费|工资|薪|报酬|押金|按金|保证金|费用|单价|费(?=为|按|[0-9一二三四五六七八九十人])|投资款|认购|本金|借款",
    "en": r"\brents?\b|\bpric\w+|\bfees?\b|salary|wages?\b|deposit|\bpa(?:y|ys|id|yable)\b|charge|\bcosts?\b|\blends?\b|consideration|remuneration",
    "ru": r"плат|цен|стоимост|оклад|вознагражден|залог|обеспечительн|аванс|займ|переда[её]т Заёмщику",
}
_EACH = {
    "zh": r"(?:每|/)(?:个)?(?:月|年|季度?|周|日|天|小时|平方米)",
    "en": r"\b(?:a|an|per|each|every) (?:calendar )?(?:week|month|quarter|year|day|hour|annum)\b|\b(?:weekly|monthly|quarterly|yearly|annual(?:ly)?|pcm|pw|pa)\b",
    "ru": r"\b(?:в|за) (?:кажд\w{2,3} )?(?:месяц|недел\w|год|квартал|сутки|день|час)\b|ежемесячно|еженедельно|ежегодно|ежеквартально",
}
"""An amount for each week or month is a payment, whether or not a word says what for: “at 210 dollars a week”."""
_RATE = {
    "zh": r"(?:利率|分成|佣金|提成|抽成|比例|管理费|使用费|收益|股权|股份)[^。；，,\n]{0,20}?(?:\d[\d.]*\s?[%％]|百分之)|(?:\d[\d.]*\s?[%％])的?(?:股权|股份|佣金|提成|收益)|(?:营业额|销售额|收入|利润|净利)的?(?:\d[\d.]*\s?[%％]|百分之)",
    "en": r"\b(?:interest|commission|royalt\w+|share of (?:the )?(?:profits?|revenue)|shareholding)\b[^.;\n]{0,40}?\d[\d.]*\s?(?:%|per ?cent)|\d[\d.]*\s?(?:%|per ?cent) (?:interest|commission|royalty|of the (?:shares|profits?|revenue))",
    "ru": r"(?:вознагражден|процентная ставка|доля|роялти|комисси)\w*[^.;\n]{0,40}?\d[\d,]*\s?(?:%|процент)|\d[\d,]*\s?(?:%|процент\w*) (?:годовых|от (?:цены|суммы|выручки|стоимости))",
}
_SPLIT = re.compile(
    r"(?<![\d./:-])(\d{1,2})\s?[%％]?(?:\s?[/:：、]\s?(\d{1,2})\s?[%％]?)(?:\s?[/:：、]\s?(\d{1,2})\s?[%％]?)?(?![\d/:.-])"
)
"""Two or three numbers that may be shares of a hundred: 90/10, 90%：10%, 30%、40%、30%."""
PRICE, PERIODIC, AMOUNT, RATE = range(4)


def money_of(clause: str, language: str) -> tuple[int, str] | None:
    """The sentence of a clause that says most of money, and how much it says; None where none does.

    0 is a price or another payment with its amount, 1 an amount for each day, month or year, 2 any other amount, 3 a share or a rate.
    """
    spoken = root(language)
    best: tuple[int, str] | None = None
    for low, high in sentences(clause):
        kind = _kind(folded(clause[low:high])[:_LONGEST], spoken)
        if kind is not None and (best is None or kind < best[0]):
            best = kind, clause[low:high]
    return best


def says_money(text: str, language: str) -> bool:
    """Whether a stretch of text says anything of money."""
    return _kind(folded(text)[:_LONGEST], root(language)) is not None


def _kind(sentence: str, spoken: str) -> int | None:
    if spoken not in _PAY:
        return None
    pay, each, rate = _compiled(spoken)
    if _amount(sentence):
        return PRICE if pay.search(sentence) else PERIODIC if each.search(sentence) else AMOUNT
    return RATE if rate.search(sentence) or _is_split(sentence) else None


def _amount(sentence: str) -> bool:
    plain = _IN_WORDS.sub("", sentence)
    # 两块土地 are pieces of land.
    return any(one.unit in _MONEY and not one.text.endswith("块") for one in quantities(plain)) or bool(
        _OTHER_CURRENCY.search(plain)
    )


def _is_split(sentence: str) -> bool:
    return any(sum(int(one) for one in found.groups() if one) == _WHOLE for found in _SPLIT.finditer(sentence))


_WHOLE = 100


@cache
def _compiled(spoken: str) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    pay, each, rate = (re.compile(one[spoken], re.IGNORECASE) for one in (_PAY, _EACH, _RATE))
    return pay, each, rate
