"""Citations: the right law, article, paragraph and item; a coarser citation earns part of the credit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from benchbar.languages.words import EN_NUMBER_WORDS, RU_NUMBER_WORDS
from benchbar.law.citations import extract
from benchbar.law.mention import Mention
from benchbar.law.names import same_law
from benchbar.records import Category, GuidancePoint
from benchbar.scoring.functions import Verdict
from benchbar.scoring.points.answers import Answer, Answers
from benchbar.scoring.points.claims import Claim, settle, standing

OTHER_PARAGRAPH = 0.5
"""The right article, its paragraph or item left out or another one (the error that UCL-Bench's third error case describes)."""
LAW_ALONE = 0.25
"""The right law, no article."""
_FEW = 3
"""Different citations that a reply may hold so that one of them counts without being marked as the answer: more are a reading list."""


def match_citation(point: GuidancePoint, answers: Answers) -> Verdict:
    """The mean credit over the citations that the point asks for; of alternatives the best counts."""
    ways = [wanted for text in (point.text, *point.alternatives) if (wanted := _wanted(text, answers.language))]
    if not ways:
        return Verdict(value=None, reason="the point names no citation that can be read")
    verdicts = [_all(wanted, answers, whole=point.category is Category.FORBIDDEN) for wanted in ways]
    decided = [one for one in verdicts if one.value is not None]
    best = max(decided, key=lambda verdict: verdict.value or 0.0, default=verdicts[0])
    # Another way that is open may be worth more.
    return best if best.value == 1.0 or len(decided) == len(verdicts) else verdicts[0]


# Every assistant is asked about the same points.
@lru_cache(maxsize=1024)
def _wanted(text: str, language: str) -> tuple[Mention, ...]:
    return tuple(mention for mention in extract(text, language) if mention.names or mention.case_number)


def _all(wanted: tuple[Mention, ...], answers: Answers, *, whole: bool) -> Verdict:
    verdicts = [_credit(one, answers, whole=whole) for one in wanted]
    left = next((one for one in verdicts if one.value is None), None)
    if left is not None:
        return left
    value = sum(one.value or 0.0 for one in verdicts) / len(verdicts)
    reason = "" if value == 1.0 else "cited more coarsely than asked" if value else "not cited"
    return Verdict(value=round(value, 4), evidence=tuple(e for one in verdicts for e in one.evidence), reason=reason)


def _credit(wanted: Mention, answers: Answers, *, whole: bool) -> Verdict:
    claims = standing(answers, lambda answer: _claims(wanted, answer, whole=whole))
    verdict = settle(claims, exclusive=False, marked=len(_cited(claims or ())) > _FEW)
    if verdict.value not in {None, 0.0, 1.0} and any(answer.reader.declines for answer in answers.all):
        return Verdict(value=None, evidence=verdict.evidence, reason="it is cited in part, and said not to be known")
    if claims is None or verdict.value is not None or not wanted.article or any(one.credit for one in claims):
        return verdict
    if _numbered(wanted, answers) or _codified(wanted, answers):
        return verdict
    if not claims and (_named(wanted, answers) or _quotes(answers)):
        return verdict
    evidence = tuple(one.answer.evidence(one.start, one.end) for one in claims[-1:])
    return Verdict(value=0.0, evidence=evidence, reason="the number of the article stands nowhere")


def _cited(claims: Sequence[Claim]) -> set[str]:
    return {one.answer.content[one.start : one.end].casefold() for one in claims}


def _codified(wanted: Mention, answers: Answers) -> bool:
    """Whether a reply may cite the act by its own sections where its place in a code is asked for: FLSA § 7 is 29 U.S.C. § 207."""
    return _CODE.search(wanted.names) is not None and any(_ACT.search(answer.content) for answer in answers.all)


_CODE = re.compile(r"\bU\.?\s?S\.?\s?C|\bC\.?\s?F\.?\s?R")
_ACT = re.compile(r"\bAct\b|\b[A-Z]{3,6}\s(?:§|[Ss]ec|s\.)")


def _quotes(answers: Answers) -> bool:
    """Whether a passage is quoted: it may be the article's, which lawyers may or may not take for its citation."""
    return any(re.search('[“"«「][^”"»」\n]{12}', answer.content) for answer in answers.all)


def _named(wanted: Mention, answers: Answers) -> bool:
    """Whether the law may be named, in whatever form: by the longest word of its name, or its initials."""
    words = re.findall(r"[A-Za-zА-яЁё]{3,}|[\u3400-\u9fff]{2,}", wanted.names)
    longest = max(words, key=len, default="")[:6].casefold()
    initials = "".join(word[0] for word in words if word[0].isupper())
    return any(
        (longest and longest in answer.content.casefold()) or (len(initials) > 1 and initials in answer.content)
        for answer in answers.all
    )


def _numbered(wanted: Mention, answers: Answers) -> bool:
    """Whether the number of the wanted article may stand in a reply, cited or not: in figures, or in words that are not read."""
    return any(wanted.article in answer.figures or _IN_WORDS.search(answer.content) for answer in answers.all)


_IN_WORDS = re.compile(
    r"\b(?:first|second|third|\w{2,12}th|opening|next|following|last)\s(?:section|article|rule|clause|paragraph)"
    rf"|\b(?:section|article|rule)\s(?:{'|'.join(EN_NUMBER_WORDS)})"
    r"|第\s?[\d零〇一二两三四五六七八九十百千]{1,9}条?\s?[到至～~—-]"
    rf"|стать\w{{1,3}}\s(?:{'|'.join(RU_NUMBER_WORDS)}|тысяч)"
    r"|[а-яё]{3,}(?:ая|ой|ую|ья|ей|ью)\sстать|стать\w{1,3}\s(?!\d|\()[а-яё]{3,}(?:ая|ой|ую|ья|ей|ью|ая|сят|сто|ста)\b",
    re.IGNORECASE,
)


def _claims(wanted: Mention, answer: Answer, *, whole: bool) -> Iterator[Claim]:
    for mention in answer.mentions:
        credit = credit_of(wanted, mention)
        # A forbidden citation is made or not made: naming the law alone is no quarter of an offence.
        credit = float(credit == 1.0) if whole else credit
        unread = credit == OTHER_PARAGRAPH and _part_apart(mention, answer)
        yield Claim(answer, *mention.span, credit, doubtful=unread or credit == LAW_ALONE)


def _part_apart(mention: Mention, answer: Answer) -> bool:
    """Whether paragraph or item may stand apart from the article: 第五十七条列举了七项，您对应的是第（三）项."""
    if mention.paragraph or mention.item:
        return False
    start, end = mention.span
    around = answer.content[max(0, start - _APART) : start] + answer.content[end : end + _APART]
    return _PART.search(around) is not None


_APART = 80
_PART = re.compile(r"款|项|\bп\.|пункт|част|\bч\.|абз|subs|paragraph|subdiv|\(\d|item", re.IGNORECASE)


def credit_of(wanted: Mention, given: Mention) -> float:
    """What a citation is worth where another was asked for, from 0 to 1."""
    if wanted.case_number or given.case_number:
        return float(bool(wanted.case_number) and wanted.case_number == given.case_number)
    if not given.names or not same_law(wanted.names, given.names):
        return 0.0
    if not wanted.article:
        return 1.0
    if not given.article:
        return LAW_ALONE
    if not _same_article(wanted, given):
        return 0.0
    finer = [(wanted.paragraph, given.paragraph), (wanted.item, given.item)]
    return OTHER_PARAGRAPH if any(asked and asked != said for asked, said in finer) else 1.0


def _same_article(wanted: Mention, given: Mention) -> bool:
    if (wanted.article, wanted.sub) == (given.article, given.sub):
        return True
    if not given.through or not (wanted.article.isdigit() and given.article.isdigit() and given.through.isdigit()):
        return False
    return int(given.article) <= int(wanted.article) <= int(given.through)
