"""Numbers and ranges: amounts, prison terms in months, days, points."""

from __future__ import annotations

import re
from collections.abc import Sequence

from benchbar.languages.ranges import QuantityRange
from benchbar.records import GuidancePoint, PointKind
from benchbar.scoring.functions import Verdict
from benchbar.scoring.points.answers import Answer, Answers

_GAP = r"[^。；\n\d一二三四五六七八九十百千万]{0,16}$"
_STRONG = re.compile(
    r"(?:判处|判决|建议|预计|预估|估计|预测|综上|因此|所以|合计|共计|总计|总额|总共|得分|可得|评分|打分|给出?|赔偿金额|total|итого|составит)"
    + _GAP,
    re.IGNORECASE,
)
_WEAK = re.compile(
    r"(?:应当?为?|刑期|大约|约为|约|可以?得|给|评|打|赔偿|金额|数额|为|是|=|＝|about|approximately|около)" + _GAP,
    re.IGNORECASE,
)
_BOUND_AFTER = re.compile(r"\s{0,2}(?:以上|以下|以内|之内|以后|起|or more|or less)")
_BOUND_BEFORE = re.compile(
    r"(?:不超过|不得超过|不低于|不少于|最高|最低|至少|最多|up to|at least|not more than|满分为?|共)\s{0,2}$"
)
_HEADS = ("有期徒刑", "拘役", "管制", "缓刑", "罚金", "违约金", "押金", "定金")
_LOOK_BACK = 28
TOO_MANY = 5
Found = tuple[Answer, QuantityRange]


def match_quantity(point: GuidancePoint, answers: Answers) -> Verdict:
    """Met where the quantity that the assistant settles on lies in the bounds; half where only part of its range does.

    Bounds that a statute names (三年以下) are no conclusion. No quantity of the unit at all is not met: what was asked for was
    not given. Several that differ, with none marked as the conclusion, are left to a judge.
    """
    if point.low is None or point.high is None:
        return Verdict(value=None, reason="the point states no bounds")
    found = _candidates(point, answers)
    if not found:
        return Verdict(value=0.0, reason=f"no quantity in {point.unit or 'any unit'} is given")
    if point.kind is PointKind.NUMBER:
        return _number(point, found)
    settled = _settled(found)
    if not settled:
        return Verdict(value=None, reason="several quantities are given, none as the conclusion")
    answer, quantity = settled[-1]
    return Verdict(value=_within(point, quantity), evidence=(answer.evidence(quantity.start, quantity.end),))


def _candidates(point: GuidancePoint, answers: Answers) -> list[Found]:
    head = next((head for head in _HEADS if head in point.text), "")
    every = [
        (answer, one) for answer in answers.all for one in answer.quantities if one.unit == point.unit or not point.unit
    ]
    free = [(answer, one) for answer, one in every if not _is_bound(answer, one)]
    return [(answer, one) for answer, one in free or every if not head or head in _around(answer, one)]


def _number(point: GuidancePoint, found: Sequence[Found]) -> Verdict:
    equal = [(answer, one) for answer, one in found if _within(point, one) == 1.0]
    if not equal:
        return Verdict(value=0.0, reason="another quantity is given")
    answer, one = equal[-1]
    evidence = (answer.evidence(one.start, one.end),)
    many = len({(other.low, other.high) for _, other in found}) > TOO_MANY
    if many and not any(_concluded(*pair) for pair in equal):
        return Verdict(value=None, evidence=evidence, reason="the number stands among many, and not as the conclusion")
    return Verdict(value=1.0, evidence=evidence)


def _settled(found: Sequence[Found]) -> Sequence[Found]:
    """What is said as a conclusion, the last of it counting; else what is stated, or given at all, without contradiction."""
    strong = [one for one in found if _STRONG.search(_before(*one))]
    weak = [one for one in found if _WEAK.search(_before(*one))]
    return strong or _agreeing(weak) or _agreeing(found)


def _agreeing(found: Sequence[Found]) -> Sequence[Found]:
    return found if len({(one.low, one.high) for _, one in found}) == 1 else ()


def _within(point: GuidancePoint, quantity: QuantityRange) -> float:
    low, high = (point.low or 0.0) - point.tolerance, (point.high or 0.0) + point.tolerance
    if low <= quantity.low and quantity.high <= high:
        return 1.0
    return 0.5 if quantity.low <= high and low <= quantity.high and quantity.low != quantity.high else 0.0


def _before(answer: Answer, quantity: QuantityRange) -> str:
    return answer.content[max(0, quantity.start - _LOOK_BACK) : quantity.start]


def _around(answer: Answer, quantity: QuantityRange) -> str:
    """Before it, or right after in the same clause: 有期徒刑一年, 五个月拘役."""
    after = re.split(r"[，。；、\n]", answer.content[quantity.end : quantity.end + 6], maxsplit=1)[0]
    return _before(answer, quantity) + after


def _concluded(answer: Answer, quantity: QuantityRange) -> bool:
    before = _before(answer, quantity)
    return bool(_STRONG.search(before) or _WEAK.search(before))


def _is_bound(answer: Answer, quantity: QuantityRange) -> bool:
    after = answer.content[quantity.end : quantity.end + 8]
    return bool(_BOUND_AFTER.match(after) or _BOUND_BEFORE.search(_before(answer, quantity)))
