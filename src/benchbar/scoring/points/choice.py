"""Choice answers: which option the assistant settles on."""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchbar.languages.text import comparable
from benchbar.records import GuidancePoint
from benchbar.scoring.functions import Verdict
from benchbar.scoring.points.answers import Answer, Answers
from benchbar.scoring.points.claims import Claim, settle, standing
from benchbar.scoring.points.stance import patterns

_LETTER = r"[A-HА-Е]"
_GROUP = rf"{_LETTER}(?![A-Za-zА-яЁё0-9’'])(?:[)）.]?\s?(?:[、,，;+&/]|和|及|与|and|и|,\s?and)?\s?[(（]?{_LETTER}(?![A-Za-zА-яЁё0-9’'])){{0,7}}|(?<![A-Za-z])[A-H]{{2,6}}(?![A-Za-z])|(?<!\w)[А-Е]{{2,6}}(?!\w)"
_SMALL = r"(?<!\w)[a-hа-е](?=\)|\W*$)(?:\)\s?(?:[,;+&/]|and|и|,\s?and)\s?[a-hа-е](?=\))){0,7}"
"""Options in small letters, which are words as well: before a bracket or at the end alone."""
_ALONE = re.compile(
    rf"^\W{{0,4}}({_GROUP})(?!\s?(?:,|and|or|и|или|、|和|与)\s?{_LETTER}\b)(?=\s?(?:[.,:;)*—–（(、，。：；】]|-\s|$)|\s[—–-])",
    re.MULTILINE,
)
_AFFIRMED = re.compile(
    rf"(?<![\w、和及与])({_GROUP})\s?(?:is|are|项|选项)?\s?(?:the\s)?(?:的说法|的表述|的)?(?:是|为)?(?:correct|right|true|正确|верн\w{{1,2}}|—\sверн\w{{1,2}})"
)
_NEXT_CASE = re.compile(r"\s?(?:and|or|и|или|和|与|、|,|、)\s?(?:[1-9]\b|[一二三]|案)")
_LINE = 60
"""Characters of a reply before which an option that stands alone is the answer and no heading of a discussion."""
_ORDINALS = {
    **{word: str(n) for n, word in enumerate("一二三四五六", start=1)},
    **{word: str(n) for n, word in enumerate(("one", "two", "three", "four"), start=1)},
    **{word: str(n) for n, word in enumerate(("first", "second", "third", "fourth"), start=1)},
    **{word: str(n) for n, word in enumerate(("перв", "втор", "трет", "четв"), start=1)},
}


def match_choice(point: GuidancePoint, answers: Answers) -> Verdict:
    """Met where the option settled on is the right one; left where the assistant settles on none."""
    if re.fullmatch(rf"{_LETTER}+", point.text):
        wanted = _letters(point.text)
        verdict = settle(standing(answers, lambda answer: _letter_claims(wanted, answer)), exclusive=True)
        # How much of an incomplete list is worth half is not for a rule: experts disagree on one option too many.
        return (
            verdict
            if verdict.value in {0.0, 1.0, None}
            else Verdict(value=None, reason="some of the options are right")
        )
    numbers = {number for text in (point.text, *point.alternatives) for number in _numbers(text, answers)}
    if numbers:
        return settle(standing(answers, lambda answer: _case_claims(numbers, answer)), exclusive=True, marked=False)
    names = [comparable(text).text for text in (point.text, *point.alternatives)]
    return settle(standing(answers, lambda answer: _name_claims(names, answer)), exclusive=False)


def _letter_claims(wanted: frozenset[int], answer: Answer) -> Iterator[Claim]:
    lead = patterns(answer.language).texts["option.lead"]
    stated = re.compile(rf"(?i:{lead})[（(【\[“\"'*\s]{{0,4}}({_GROUP}|{_SMALL})")
    for match in stated.finditer(answer.content):
        yield _letter_claim(wanted, answer, match, match.start(1), match.end(1))
    for match in _AFFIRMED.finditer(answer.content):
        yield _letter_claim(wanted, answer, match, match.start(1), match.end(1))
    for match in _ALONE.finditer(answer.content):
        if match.start() < _LINE:
            yield _letter_claim(wanted, answer, match, match.start(1), match.end(1))


def _letter_claim(wanted: frozenset[int], answer: Answer, match: re.Match[str], start: int, end: int) -> Claim:
    given = _letters(match[1])
    return Claim(answer, start, end, 1.0 if given == wanted else 0.5 if given & wanted else 0.0, explicit=True)


def _letters(text: str) -> frozenset[int]:
    """Places of options in their list, whichever alphabet they are lettered by."""
    plain = re.sub(r"and|\bи\b", "", text) if text.islower() else re.sub(r"and|и", "", text)
    return frozenset(ord(one) - ord("A" if one.isascii() else "А") for one in re.findall(_LETTER, plain.upper()))


def _case_claims(numbers: set[str], answer: Answer) -> Iterator[Claim]:
    for match in patterns(answer.language).pattern("option.case").finditer(answer.content):
        listed = _NEXT_CASE.match(answer.content, match.end()) is not None
        yield Claim(answer, match.start(), match.end(), float(_number(match) in numbers), doubtful=listed)


def _numbers(text: str, answers: Answers) -> Iterator[str]:
    for match in patterns(answers.all[0].language).pattern("option.case").finditer(text):
        yield _number(match)
    if text.strip().isdigit():
        yield text.strip()


def _number(match: re.Match[str]) -> str:
    found: str = next(filter(None, match.groups())).lower()
    return _ORDINALS.get(found, _ORDINALS.get(found[:4], found))


def _name_claims(names: list[str], answer: Answer) -> Iterator[Claim]:
    """Options that are neither letters nor numbered cases: what they are called."""
    for name in names:
        at = answer.plain.text.find(name)
        if name and at >= 0:
            yield Claim(answer, *answer.place(at, at + len(name)), 1.0)
