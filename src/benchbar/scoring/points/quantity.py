"""Numbers and ranges: amounts, prison terms in months, days, points."""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchbar.languages.numerals import ZH_CHARACTERS, parse_number
from benchbar.languages.ranges import QuantityRange, quantity_ranges
from benchbar.languages.text import folded
from benchbar.languages.words import EN_NUMBER_WORDS, RU_NUMBER_WORDS
from benchbar.records import GuidancePoint, PointKind
from benchbar.scoring.functions import Verdict
from benchbar.scoring.points.answers import Answer, Answers
from benchbar.scoring.points.claims import Claim, settle, standing

_BOUND_AFTER = re.compile(
    r"\s{0,2}(?:以上|以下|以内|之内|以后|起|or (?:more|less|longer|shorter|above|below|over|under)\b|at (?:the )?(?:very )?(?:least|most)\b"
    r"|(?:minimum|maximum|tops|plus|upwards|and upwards)\b)"
)
_BOUND_BEFORE = re.compile(
    r"(?:不超过|不得超过|不低于|不少于|最高|最低|至少|最多|满分为?|共)\s{0,2}$"
    r"|\b(?:up to|at (?:least|most)|(?:not|no) (?:more|less|fewer) than|as (?:much|many|little|few) as|starting (?:at|from)"
    r"|(?:minimum|maximum|ceiling|floor|cap|limit|starting point)(?: of| is| at|:)?|capped at)\s{0,2}$"
)
_HEADS = ("有期徒刑", "拘役", "管制", "缓刑", "罚金", "违约金", "押金", "定金")
_PENALTIES = re.compile(rf"的?(?:{'|'.join(_HEADS)})?\s?(?:至|到|[-–—~～])\s?(?:{'|'.join(_HEADS)})?")
_OTHER_NAMES = re.compile(
    r"(?:剥夺政治权利|货款|价款|本金|利息|工资|租金|房租|赔偿金|补偿金|保证金|诉讼费|律师费|服务费)[^，。；\n]{0,4}$"
)
_FRACTION = re.compile(
    r"\band a (?:half|quarter|third)|с половиной|с лишним|с небольшим|[多余出头]年|年多|个多月", re.IGNORECASE
)
_OPEN_RANGE = re.compile(
    r"\w{0,3}\s?(?:[加减再＋+×]|plus|(?:up\s)?to\b|до\b|至|到|[-–—~～]\s?[\d一二三四五六七八九十])", re.IGNORECASE
)
_OPENED = re.compile(r"(?:[加减＋+×]|\bto|\bдо|至|到|[-–—~～])\s?$")
_BARE_BOUND = re.compile(
    r"(?<!не )(?<!ни )\b(?:менее|меньше|более|больше|свыше|дольше|ниже|выше)\s$"
    r"|(?<!no )(?<!not )\b(?:less|more|fewer|longer|shorter|under|over|below|above|upwards of|north of|in excess of)(?:\sthan)?\s$|(?<!不)(?:低于|少于|超过|多于|高于)$",
    re.IGNORECASE,
)
"""A bound that is not denied itself: what is said of "less than six months" ("hardly ever") is not said of six months."""
_ONE = re.compile(
    r"\b(?:an?|another|(?<!per )single)\s(?:\w{4,8}\s)?(?:year|month|week|day)\b"
    r"|(?<!\d)(?<!\d\s)(?<!этот )(?<!каждый )(?<!в )(?<!прошлый )(?<!прошлом )\b(?:месяц|год|неделю|сутки)\b"
    r"|\b(?:до|от|около|больше|свыше|менее|более|меньше)\s(?:года|месяца|недели)\b",
    re.IGNORECASE,
)
"""One of a unit, said without a number: expect a year, ждите год."""
_FRACTIONAL = 24
"""Characters around a quantity in which a fraction may belong to it: two and a quarter years."""
_IN_PARTS = re.compile(
    r"半|[一二三四五六七八九]成|折|\b(?:half|halves|third|quarter|fifth|double|twice|triple|dozen|fortnight|zero|no)\b"
    r"|\b(?:пол\w{2,}|трет[ьи]\w?|четверт\w{1,3}|вдвое|втрое|дважды|квартал\w?|недел\w{1,2})\b|\d\s?г\.|\d\.\d{3}\.\d{3}",
    re.IGNORECASE,
)
"""Ways to give a number without one: where a reply uses them, another number that it gives is not yet the answer."""
_ANY_NUMBER = re.compile(
    r"\d|[二三四五六七八九百千万两几]|[一十]\s?(?:个|年|月|日|天|周|元|圆|块|成|倍|分|折|多|余|来|点|至|到)|半|双倍"
    rf"|\b(?:{'|'.join((*EN_NUMBER_WORDS, 'single', 'couple', 'few', 'life', 'years?', 'months?', 'weeks?', 'days?'))})s?\b"
    rf"|\b(?:{'|'.join(RU_NUMBER_WORDS)})|год|лет\b|меся|недел|тысяч|процент|раз\b",
    re.IGNORECASE,
)
"""Anything that may be a number, in figures or in words: 一般 and 一方 hold none."""
_NUMBER = re.compile(
    rf"\d[\d,]{{0,15}}(?:\.\d{{1,6}})?|[{ZH_CHARACTERS}点]{{1,16}}"
    rf"|\b(?:(?:{'|'.join((*RU_NUMBER_WORDS, *EN_NUMBER_WORDS))})[\s-]?){{1,8}}\b",
    re.IGNORECASE,
)
_IN_OTHER_WORDS = re.compile(
    r"[一二两三四五六七八九][一二三四五六七八九]个?[年月日天周]|[季旬开刻几数]|整年|若干|多年|终身|终生"
    r"|\b\w{3,}(?:летн|годичн|месячн|дневн|недельн|процентн|кратн)\w{0,5}\b|\bдесят(?:ок|к)\w{0,3}\b|\bнесколько\b|\bгодов\w{1,3}\b|\bпожизненн\w{1,3}\b"
    r"|\b(?:decades?|annum|annual(?:ly)?|yearly|monthly|weekly|quarterly|lifetime|life|score|some|several|few)\b|\d\s?/\s?\d|[½¼¾]",
    re.IGNORECASE,
)
"""Further ways to give a number that is not read: the three-year term as трёхлетний срок, 三四个月, per annum."""
_WORKED_OUT = re.compile(
    r"差额|扣除|减去|乘以|除以|剩余|余额|全额|全部|免费|不收|(?:年|月)底|(?:至|到|截至)\d{4}年|\d{4}年\S{0,8}(?:前|止|届满|到期)"
    r"|\b(?:difference|minus|deduct\w{0,4}|subtract\w{0,4}|multipl\w{1,4}|divid\w{1,4}|remainder|remaining|balance|in full|entire|whole"
    r"|nothing|free of charge|January|February|March|April|June|July|August|September|October|November|December"
    r"|(?:until|till|by|before) (?:\w{1,12}\s){0,3}\d{4})\b"
    r"|\b(?:разниц|выч[еи][ст]|минус|умнож|раздел\w{0,4} на|остат[ок]|полностью|всю сумму|весь долг|ничего|бесплатн|январ|феврал|март[ае]|апрел"
    r"|ма[яе]\b|июн|июл|август|сентябр|октябр|ноябр|декабр)|\bдо (?:\w{1,12}\s){0,3}\d{4}",
    re.IGNORECASE,
)
"""A number given as what is left or as a day: take the price and deduct the balance, you have until March 2026."""
_LOOK_BACK = 28
_TIMES = frozenset({"month", "day"})
_MONEY = frozenset({"yuan", "rouble", "dollar", "pound", "euro"})
_SHOTGUN = 4
"""Quantities of the unit in a reply, from which one that is not marked as the conclusion is one of a list."""


def match_quantity(point: GuidancePoint, answers: Answers) -> Verdict:
    """Met where the quantity that the assistant settles on lies in the bounds; half where only part of its range does.

    Bounds that a statute names (三年以下) are no conclusion. Not met only where one other quantity is the conclusion and the
    wanted one is not there at all: of many numbers, rules cannot tell which answers the question.
    """
    if point.low is None or point.high is None:
        return Verdict(value=None, reason="the point states no bounds")
    claims = standing(answers, lambda answer: _claims(point, answer))
    if claims == [] and not any(
        any(form.search(answer.content) for form in (_ANY_NUMBER, _IN_PARTS, _WORKED_OUT)) for answer in answers.all
    ):
        return Verdict(value=0.0, reason="no number is given, in figures or in words")
    verdict = _of_claims(point, answers, claims)
    if verdict.value is None and claims is not None and _stands_nowhere(point, answers):
        return Verdict(value=0.0, reason="no number that is given can be the wanted one")
    return verdict


def _of_claims(point: GuidancePoint, answers: Answers, claims: list[Claim] | None) -> Verdict:
    if claims and len(claims) >= _SHOTGUN and not any(one.concluding for one in claims):
        return Verdict(value=None, reason="many quantities are given, none as the conclusion")
    several = point.kind is PointKind.NUMBER and bool(claims) and not _one_value(claims)
    if several and not any(one.concluding for one in claims or ()):
        return Verdict(value=None, reason="several numbers are given, none as the conclusion")
    verdict = settle(claims, exclusive=_exclusive(point, answers, claims))
    # What a range that only overlaps is worth, people see in different ways, and is left.
    return verdict if verdict.value in {0.0, 1.0, None} else Verdict(value=None, reason="the range only overlaps")


def _exclusive(point: GuidancePoint, answers: Answers, claims: list[Claim] | None) -> bool:
    """Whether another quantity than the wanted one is the answer: it is the one of its unit, and leads or concludes.

    Of several, one may be of another matter; and where a number is given without one ("half of it"), another is not yet the answer.
    """
    if any(form.search(answer.content) for form in (_IN_PARTS, _WORKED_OUT) for answer in answers.all):
        return False
    if not any(one.concluding or one.leads for one in claims or ()):
        return False
    return point.kind is PointKind.RANGE or _one_value(claims)


def _stands_nowhere(point: GuidancePoint, answers: Answers) -> bool:
    """Whether no number of any reply, of whatever unit and in whatever form, can be the wanted one.

    Not of money: of a sum that has to be worked out, what is right in part (a share, a week's rent) stands in other numbers.
    """
    if point.unit not in _SCALES:
        return False
    for answer in answers.all:
        text = folded(answer.content)
        if _IN_PARTS.search(text) or _IN_OTHER_WORDS.search(text) or _WORKED_OUT.search(text):
            return False
        if (point.kind is PointKind.RANGE or _fits(point, 1)) and _ONE.search(text):
            return False
        if point.kind is PointKind.RANGE and _spans(point, answer):
            return False
        values = (parse_number(match[0].strip(" ,.-")) for match in _NUMBER.finditer(text))
        if any(value is not None and _fits(point, float(value)) for value in values):
            return False
        if any(_within(point, one) for one in answer.quantities):
            return False
    return True


def _fits(point: GuidancePoint, value: float) -> bool:
    # Five months are not twenty weeks, but lawyers differ on whether "around five months" is wrong.
    low = (point.low or 0.0) * (1 - _NEAR) - point.tolerance
    high = (point.high or 0.0) * (1 + _NEAR) + point.tolerance
    return any(low <= value * scale <= high for scale in _SCALES[point.unit])


def _spans(point: GuidancePoint, answer: Answer) -> bool:
    """Whether one sentence holds a lower and a higher number: not less than two years, nor more than ten."""
    low, high = point.low or 0.0, point.high or 0.0
    sides: dict[int, set[bool]] = {}
    for one in answer.quantities:
        if one.unit == point.unit and (one.high < low or one.low > high):
            sides.setdefault(answer.reader.sentence(one.start)[0], set()).add(one.low > high)
    return any(len(side) > 1 for side in sides.values())


_NEAR = 0.15


_SCALES = {
    "month": (1, 12, 1 / 30, 7 / 30, 1 / 4),
    "day": (1, 7, 30, 31, 365, 366),
    "percent": (1, 10, 100),
    "point": (1,),
    "times": (1,),
}
"""By the unit of a point, what its bare number may have to be multiplied by: six of "six years" are 72 months."""


def _one_value(claims: list[Claim] | None) -> bool:
    return bool(claims) and len({one.answer.content[one.start : one.end].casefold() for one in claims or ()}) == 1


def _unit(point: GuidancePoint) -> str:
    """The unit wanted; guidance writes ``yuan`` for money, whatever the currency that its text names."""
    if point.unit not in _MONEY:
        return point.unit
    return next((one.unit for one in quantity_ranges(point.text) if one.unit in _MONEY), point.unit)


def _claims(point: GuidancePoint, answer: Answer) -> Iterator[Claim]:
    head = next((head for head in _HEADS if head in point.text), "")
    unit = _unit(point)
    found = [
        one
        for one in _joined(answer)
        if (not unit or one.unit == unit) and not (point.kind is PointKind.RANGE and _is_bound(answer, one))
    ]
    # 罚金2000元 is not met by what is paid back; where no head word is said at all, any will do.
    headed = [one for one in found if _head_of(answer, one) == head] if head else found
    for one in headed or [one for one in found if not _head_of(answer, one) and not _of_another_name(answer, one)]:
        yield Claim(answer, one.start, one.end, _within(point, one), doubtful=_misread(answer, one))
    if unit in _TIMES:
        for match in _ONE.finditer(answer.content):
            if not any(one.start <= match.start() < one.end for one in answer.quantities):
                yield Claim(answer, *match.span(), 0.0, doubtful=True)


def _joined(answer: Answer) -> Iterator[QuantityRange]:
    """The quantities, and as one range those that name two penalties: 拘役五个月至有期徒刑八个月."""
    last: QuantityRange | None = None
    for one in answer.quantities:
        between = answer.content[last.end : one.start] if last else ""
        if last and last.unit == one.unit and last.low == last.high <= one.low and _PENALTIES.fullmatch(between):
            last = QuantityRange(last.start, one.end, last.low, one.high, one.unit)
            continue
        if last:
            yield last
        last = one
    if last:
        yield last


def _misread(answer: Answer, one: QuantityRange) -> bool:
    """Whether it may be part of a larger quantity: two and a quarter years, от трёх месяцев до года, two and four years."""
    if _BARE_BOUND.search(answer.content[max(0, one.start - _FRACTIONAL) : one.start]):
        return True
    around = answer.content[max(0, one.start - _FRACTIONAL) : one.end + _FRACTIONAL]
    own, after = answer.content[one.start : one.end], answer.content[one.end : one.end + _FRACTIONAL]
    if one.low == one.high and _OPENED.search(answer.content[max(0, one.start - 4) : one.start]):
        return True
    between = re.search(r"\bbetween\b", answer.content[max(0, one.start - 16) : one.end], re.IGNORECASE)
    joined = re.search(r"\band\b", own) and not between and not re.search("hundred|thousand", own, re.IGNORECASE)
    return bool(_FRACTION.search(around) or joined or (one.low == one.high and _OPEN_RANGE.match(after)))


def _within(point: GuidancePoint, quantity: QuantityRange) -> float:
    low, high = (point.low or 0.0) - point.tolerance, (point.high or 0.0) + point.tolerance
    if low <= quantity.low and quantity.high <= high:
        return 1.0
    return 0.5 if quantity.low <= high and low <= quantity.high and quantity.low != quantity.high else 0.0


def _head_of(answer: Answer, quantity: QuantityRange) -> str:
    """The head word that a quantity belongs to: right behind it, or the nearest before it in the sentence."""
    after = answer.content[quantity.end : quantity.end + 6]
    before = re.split(r"[。；\n]", answer.content[max(0, quantity.start - _LOOK_BACK) : quantity.start])[-1]
    behind = next((head for head in _HEADS if re.match(rf"[的\s]?{head}", after)), "")
    return behind or max(_HEADS, key=before.rfind) if behind or any(head in before for head in _HEADS) else ""


def _of_another_name(answer: Answer, quantity: QuantityRange) -> bool:
    """Whether the words right before name another sum or penalty: the price of goods is no deposit of the same amount."""
    return bool(_OTHER_NAMES.search(answer.content[max(0, quantity.start - 10) : quantity.start]))


def _is_bound(answer: Answer, quantity: QuantityRange) -> bool:
    before = answer.content[max(0, quantity.start - _LOOK_BACK) : quantity.start]
    after = answer.content[quantity.end : quantity.end + 8]
    return bool(_BOUND_AFTER.match(after) or _BOUND_BEFORE.search(before))
