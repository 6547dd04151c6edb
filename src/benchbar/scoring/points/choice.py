"""Choice answers: which option the assistant settles on."""

from __future__ import annotations

import re

from benchbar.languages.text import comparable
from benchbar.records import GuidancePoint
from benchbar.scoring.functions import Verdict
from benchbar.scoring.points.answers import Answer, Answers

_LETTERS = r"[（(【\[“\"'*]{0,4}([A-H](?:[、,，和及 ]{0,2}[A-H]){0,7})(?![A-Za-z])"
_WRONG = r"(?!\W{0,2}(?:还是|或者?|吗)|\W{0,3}(?:项|选项)?\W{0,3}(?:是)?(?:错|不正确|有误|不对|不成立|不选|不当|is wrong|is incorrect|невер))"
_STATED = re.compile(
    r"(?:答案|(?<![不可能多任或])(?<!还是)(?<!或者)选择?|正确(?:的)?(?:选项|答案|说法)?|correct (?:answer|option)|the answer|правильный ответ|ответ)"
    rf"(?:应该|应当|应|是|为|选|[:：*\s]|is|—|-){{0,4}}{_LETTERS}{_WRONG}",
    re.IGNORECASE,
)
_AFFIRMED = re.compile(r"(?<![A-Za-z])([A-H])(?:项|选项)?(?:的说法|的表述)?(?:是|为)?(?<!不)正确")
_ALONE = re.compile(r"^\W{0,4}([A-H](?:[、,， ]{0,2}[A-H]){0,7})\W{0,4}$|^\W{0,3}([A-H])[.．、:：]", re.MULTILINE)
_NAMED = r"(?:有关|相关|候选)?(?:案件|案例|类案)[（(]?\s*([123一二三])|第([一二三123])个(?:有关|相关)?(?:案件|案例)"
_CASE = re.compile(_NAMED)
_PREFERRED = re.compile(rf"(?:{_NAMED})[^。；\n]{{0,24}}?(?:更|最)(?:为|加)?(?:相似|接近|类似|相近)")
_PREFERRED_AFTER = re.compile(
    rf"(?:更|最)(?:为|加)?(?:相似|接近|类似|相近)(?:的)?(?:案件|案例)?(?:是|为|应为|应是|[:：])\W{{0,4}}(?:{_NAMED})"
)

_TAKEN = re.compile(
    rf"(?:(?<![不])(?:优先|应当|应|建议|宜|可以)?(?:引用|援引|参照|选择|选)(?:的是|的应是)?\W{{0,4}}(?:{_NAMED}))"
    rf"|(?:(?:{_NAMED})[^。；，\n案]{{0,40}}?(?<!不)是(?:本案的|原始案件的)?(?:类案|同类案件))"
)


def match_choice(point: GuidancePoint, answers: Answers) -> Verdict:
    """Met where the option settled on is the right one; left where the assistant settles on none."""
    by_letter = re.fullmatch("[A-H]+", point.text) is not None
    for answer in answers.latest_first():
        settled = _letters(answer) if by_letter else _case(answer)
        if settled is not None:
            chosen, start, end = settled
            right = set(chosen) == set(point.text) if by_letter else chosen in _numbers(point)
            return Verdict(
                value=float(right),
                evidence=(answer.evidence(start, end),),
                reason="" if right else f"settles on {chosen}",
            )
    return Verdict(value=None, reason="no option is settled on") if by_letter else _by_name(point, answers)


def _letters(answer: Answer) -> tuple[str, int, int] | None:
    stated = list(_STATED.finditer(answer.content)) or list(_ALONE.finditer(answer.content))
    if stated:
        last = stated[-1]
        return _only_letters(next(filter(None, last.groups()))), last.start(), last.end()
    affirmed = list(_AFFIRMED.finditer(answer.content))
    if affirmed:
        return "".join(sorted({match[1] for match in affirmed})), affirmed[0].start(), affirmed[-1].end()
    return None


def _only_letters(text: str) -> str:
    return "".join(sorted(set(re.findall("[A-H]", text.upper()))))


def _case(answer: Answer) -> tuple[str, int, int] | None:
    """The one of several cases that the reply prefers, or the only one it names."""
    preferred = [
        match for pattern in (_PREFERRED, _PREFERRED_AFTER, _TAKEN) for match in pattern.finditer(answer.content)
    ]
    if preferred:
        last = max(preferred, key=lambda match: match.start())
        return _number(last), last.start(), last.end()
    named = list(_CASE.finditer(answer.content))
    if named and len({_number(match) for match in named}) == 1:
        return _number(named[-1]), named[-1].start(), named[-1].end()
    return None


def _number(match: re.Match[str]) -> str:
    found: str = next(filter(None, match.groups()))
    return {"一": "1", "二": "2", "三": "3"}.get(found, found)


def _numbers(point: GuidancePoint) -> set[str]:
    return {_number(match) for text in (point.text, *point.alternatives) for match in _CASE.finditer(text)}


def _by_name(point: GuidancePoint, answers: Answers) -> Verdict:
    """Options that are neither letters nor numbered cases: met where the last reply names the right one."""
    if _numbers(point):
        return Verdict(value=None, reason="no case is preferred")
    for answer in answers.latest_first():
        if any(comparable(name).text in answer.plain.text for name in (point.text, *point.alternatives)):
            return Verdict(value=1.0, evidence=(answer.evidence(0, min(len(answer.content), 80)),))
    return Verdict(value=None, reason="the option is not named")
