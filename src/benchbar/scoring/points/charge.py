"""Charges: the one the assistant settles on, by its official name or a usual short one, with or without 罪."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from benchbar.languages.packs import pack
from benchbar.languages.text import comparable
from benchbar.records import GuidancePoint
from benchbar.scoring.functions import Verdict
from benchbar.scoring.points.answers import Answer, Answers
from benchbar.scoring.points.claims import Claim, settle, standing
from benchbar.scoring.points.stance import Stance
from benchbar.scoring.points.words import match_term

_LONGEST, _SHORTEST = 40, 2
"""Letters of a charge's name, without 罪."""
_CRIME = re.compile(r"罪(?!名|犯|行|责|状|恶|人|刑|过)")
_VERDICT = re.compile(
    r"(?:构成|涉嫌|触犯|(?:以|按照?|依)(?=[^，。；]{2,16}(?:论|来?(?:处|定|追|判|认)))|定(?:性为|为|的?就是|了)?|(?:属于|认定为?|成立)(?:典型的|了)?|结论是?|罪名是?|犯的?是?)"
)
"""What stands before a bare name where it is the charge and no description: 构成盗窃, 以诈骗论处; 盗窃的数额 is none."""
_NO_CRIME = re.compile(
    r"不构成(?:任何)?(?:刑事)?犯罪|(?:不是|不属于|没有|并未)犯罪|无罪(?!推定|辩护)|不(?:负|承担)刑事责任|不涉及?(?:刑事)?犯罪|不以犯罪论"
)
_FRAME_BEFORE = re.compile(
    r"(?:构成|涉嫌|触犯|认定|定性|应定|应[为是]|[定判]|属于|成立|犯|以|按照?|罪名|结论|答案|[：:]|^)[^，。；]{0,8}$"
)
_FRAME_AFTER = re.compile(r"[^，。；]{0,4}(?:论|处|定|追究|起诉|评价|$)")
"""Where a charge is a verdict and no description: 构成盗窃罪, 以盗窃罪论处; 盗窃罪的主体 is none."""
_CRIMINAL = re.compile(r"罪|刑|犯|拘|判|[诈盗抢窃杀伤敲贪贿骗]|毒|逃")


def match_charge(point: GuidancePoint, answers: Answers) -> Verdict:
    """Met where the wanted charge alone is affirmed, not met where another one or none is; 数罪并罚 is for a judge."""
    wanted = {one for text in (point.text, *point.alternatives) for one in _same(_key(text))}
    if not any(text.endswith("罪") for text in (point.text, *point.alternatives)):
        return match_term(point, answers)
    claims = standing(answers, lambda answer: _claims(answer, wanted))
    stated = [one for one in claims or () if one.stance is Stance.AFFIRMED]
    joined = [one for one in stated if one.answer.reader.says("turn.joined", one.start)]
    if joined:
        return Verdict(value=None, reason="several charges are joined")
    if claims == [] and not any(_CRIMINAL.search(answer.content) for answer in answers.all):
        return Verdict(value=0.0, reason="nothing is said of a crime")
    return settle(claims, exclusive=True, marked=False)


def _claims(answer: Answer, wanted: set[str]) -> Iterator[Claim]:
    text = answer.plain.text
    for crime in _CRIME.finditer(text):
        name = _name_before(text, crime.start(), wanted)
        start, end = answer.place(crime.start() - len(name), crime.end())
        if name and (name in wanted or _framed(answer, start, end)):
            yield Claim(answer, start, end, float(name in wanted))
    for verb in _VERDICT.finditer(text):
        name = _name_after(text, verb.end(), wanted)
        if name and text[verb.end() + len(name) : verb.end() + len(name) + 1] != "罪":
            start, end = answer.place(verb.end(), verb.end() + len(name))
            yield Claim(answer, start, end, float(name in wanted))
    for none in _NO_CRIME.finditer(text):
        yield Claim(answer, *answer.place(*none.span()), 0.0)


def _name_before(text: str, end: int, wanted: set[str]) -> str:
    """The longest known name that ends at 罪, or none."""
    for start in range(max(0, end - _LONGEST), end - _SHORTEST + 1):
        if text[start:end] in wanted or text[start:end] in _names():
            return text[start:end]
    return ""


def _framed(answer: Answer, start: int, end: int) -> bool:
    text = answer.reader.text
    before = re.split(r"[，。；\n]", text[max(0, start - 16) : start].replace("\u200b", ""))[-1]
    after = re.split(r"[，。；\n]", text[end : end + 8].replace("\u200b", ""))[0]
    return _FRAME_BEFORE.search(before) is not None or (
        _FRAME_AFTER.match(after) is not None and not after.startswith("的")
    )


def _name_after(text: str, start: int, wanted: set[str]) -> str:
    for end in range(min(len(text), start + _LONGEST), start + _SHORTEST - 1, -1):
        if text[start:end] in wanted or text[start:end] in _names():
            return text[start:end]
    return ""


def _key(charge: str) -> str:
    return comparable(charge).text.removesuffix("罪")


def _same(name: str) -> frozenset[str]:
    """All names of the charge that a name stands for."""
    return _names().get(name, frozenset({name}))


@cache
def _names() -> dict[str, frozenset[str]]:
    """Each name without 罪 and punctuation, to all names of its charge."""
    lines = pack("zh").text("charges.txt").splitlines()
    rows = [frozenset(map(_key, line.split("|"))) for line in lines if line and not line.startswith("#")]
    return {name: row for row in rows for name in row}
