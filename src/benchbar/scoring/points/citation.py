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
    if best.value == 1.0 or len(decided) == len(verdicts):
        return best
    # Another way that is open may be worth more.
    return next(one for one in verdicts if one.value is None)


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
    # The wanted law, named beside other citations, may be meant for the answer without its article: half of it is right.
    if _named(wanted, answers) or (not claims and (_LAW.search(_all_said(answers)) or _quotes(answers))):
        return verdict
    evidence = tuple(one.answer.evidence(one.start, one.end) for one in claims[-1:])
    return Verdict(value=0.0, evidence=evidence, reason="the number of the article stands nowhere")


def _cited(claims: Sequence[Claim]) -> set[str]:
    return {one.answer.content[one.start : one.end].casefold() for one in claims}


def _codified(wanted: Mention, answers: Answers) -> bool:
    """Whether a reply may cite the same provision by another numbering, which no list of ours turns into the wanted one.

    Of a place in a code the act's own sections (FLSA § 7 is 29 U.S.C. § 207), and the other way round; parts and amendments that
    are numbered in Roman figures or by ordinals.
    """
    other = _ACT if _CODE.search(wanted.names) else _CODE
    return any(
        other.search(answer.content) is not None or _ROMAN.search(answer.content) is not None for answer in answers.all
    )


_CODE = re.compile(r"\bU\.?\s?S\.?\s?C|\bC\.?\s?F\.?\s?R|\bCode\s?§")
_ACT = re.compile(r"\bAct\b|\b[A-Z]{3,6}\s(?:§|[Ss]ec|s\.)")
_ROMAN = re.compile(
    r"\b(?:Part|Title|Chapter|Book|Article|Amendment|Annex|Schedule)\s[IVX]{1,5}\b|\b\w{3,11}(?:st|nd|rd|th)\sAmendment"
)


def _quotes(answers: Answers) -> bool:
    """Whether a passage is quoted: it may be the article's, which lawyers may or may not take for its citation.

    The user's own words, given back ("Your question is: …"), are none.
    """
    quoted = (match[1] for answer in answers.all for match in re.finditer('[“"«「]([^”"»」\n]{12})', answer.content))
    return any(passage not in answers.asked for passage in quoted)


def _named(wanted: Mention, answers: Answers) -> bool:
    """Whether the law may be named outside what is cited, in whatever form: by the longest word of its name, or its initials."""
    words = re.findall(r"[A-Za-zА-яЁё]{3,}|[\u3400-\u9fff]{2,}", wanted.names)
    longest = max(words, key=len, default="")[:6].casefold()
    initials = "".join(word[0] for word in words if word[0].isupper())
    said = [_uncited(answer) for answer in answers.all]
    return any((longest and longest in text.casefold()) or (len(initials) > 1 and initials in text) for text in said)


def _uncited(answer: Answer) -> str:
    """A reply without its citations of articles."""
    parts, at = [], 0
    for mention in answer.mentions:
        start, end = mention.span
        if mention.article and start >= at:
            parts.append(answer.content[at:start])
            at = end
    return " ".join((*parts, answer.content[at:]))


def _all_said(answers: Answers) -> str:
    return "\n".join(answer.content for answer in answers.all)


_LAW = re.compile(
    r"§|\b(?:Acts?|Code|Statutes?|Regulations?|Directive|Rules?|Convention|Treaty|Constitution|Amendment|Order|Ordinance|Bill"
    r"|[Ss]ections?|[Aa]rticles?|[Ss]ub(?:section|division)|[Pp]aragraph|(?!CCTV|ACAS|EEOC|DVD|PDF|SMS|USB|GPS)[A-Z]{3,6})\b|\bv\.?\s[A-Z]"
    r"|кодекс|закон\w{0,2}\s(?:«|\"|об?\b|РФ|№)|стат[ье]|\bст\.|постановлен|конституц|пленум|\b[А-Я]{2,4}\sРФ"
    r"|(?<![方办辦合违違依司执執无無没沒想看说說做用守立设設非])法(?![院官定律人庭警医醫务務治制])|司法解[释釋]|[条條]例|第\S{1,8}[条條]|《",
)
"""What may name a law, by whatever name: where nothing does, a reply rests on none."""


def _numbered(wanted: Mention, answers: Answers) -> bool:
    """Whether the number of the wanted article may stand in a reply, cited or not: in figures, or in words that are not read."""
    # In pieces: the number of UCC § 2-207 or Rule 10b-5 is no single figure.
    pieces = set(re.findall(r"\d+", wanted.article)) or {wanted.article}
    return any(pieces <= answer.figures or _in_words(answer.content) for answer in answers.all)


# Each citation that a point asks for is looked for in the same replies.
@lru_cache(maxsize=64)
def _in_words(content: str) -> bool:
    return _IN_WORDS.search(content) is not None


_IN_WORDS = re.compile(
    r"\b(?:first|second|third|\w{2,12}th|opening|next|following|last)\s(?:section|article|rule|clause|paragraph)"
    rf"|\b(?:section|article|rule)\s(?:{'|'.join(EN_NUMBER_WORDS)})"
    r"|第\s?[\d零〇一二两三四五六七八九十百千]{1,9}条?\s?[到至～~—-]"
    rf"|стать\w{{1,3}}\s(?:{'|'.join(RU_NUMBER_WORDS)}|тысяч)"
    r"|[а-яё]{3,}(?:ая|ой|ую|ья|ей|ью)\sстать|стать\w{1,3}\s(?!\d|\()[а-яё]{3,}(?:ая|ой|ую|ья|ей|ью|ая|сят|сто|ста)\b",
    re.IGNORECASE,
)


def _claims(wanted: Mention, answer: Answer, *, whole: bool) -> Iterator[Claim]:
    presented = {mention.span for mention in answer.mentions if _heads_passage(answer.content, mention.span)}
    few = len(presented) <= _FEW
    forms = _short_forms(wanted.names) if answer.language == "en" and wanted.article else None
    for mention in answer.mentions:
        # By its initials it is of the wanted act, though they are the name of none: told below.
        if forms is not None and forms.search(mention.text):
            continue
        credit = credit_of(wanted, mention)
        # A forbidden citation is made or not made: naming the law alone is no quarter of an offence.
        credit = float(credit == 1.0) if whole else credit
        unread = credit == OTHER_PARAGRAPH and _part_apart(mention, answer)
        explicit = few and mention.span in presented
        yield Claim(answer, *mention.span, credit, doubtful=unread or credit == LAW_ALONE, explicit=explicit)
    for span, credit in _short_claims(wanted, answer, forms) if forms is not None else ():
        yield Claim(answer, *span, credit)


def _heads_passage(content: str, span: tuple[int, int]) -> bool:
    """Whether a citation stands at the head of its line and of a quotation that ends the line: it is put forward with its text."""
    line = content.rfind("\n", 0, span[0]) + 1
    return _LEAD.fullmatch(content, line, span[0]) is not None and _PASSAGE.match(content, span[1]) is not None


_LEAD = re.compile(r"\W{0,8}(?:\d{1,2}[.)、]\s?)?\W{0,4}")
_PASSAGE = re.compile(
    r"[*_]{0,2}\s?[:：]\s?(?:“[^”]{24,2000}”|「[^」]{24,2000}」|«[^»]{24,2000}»|\"[^\"]{24,2000}\")\W{0,3}(?:\n|$)"
)


def _short_claims(wanted: Mention, answer: Answer, forms: re.Pattern[str]) -> Iterator[tuple[tuple[int, int], float]]:
    """English short forms of the wanted act that name it by initials or year alone: s 20 OAPA, ERA 1996 s.99, section 9 of the 1837 Act.

    A paragraph has to be given where it is asked for; one that stands otherwise is left to what reads full citations.
    """
    cited = [mention.span for mention in answer.mentions if mention.names and not forms.search(mention.text)]
    for match in forms.finditer(answer.content):
        if any(start < match.end() and match.start() < end for start, end in cited):
            continue
        article, tail = next((a, b) for a, b in ((match["a"], match["b"]), (match["c"], match["d"])) if a)
        same = article.casefold() == (wanted.article + wanted.sub).casefold()
        asked = wanted.paragraph or wanted.item
        if same and asked and asked.casefold() not in (tail or "").casefold():
            continue
        yield match.span(), float(same)


@lru_cache(maxsize=1024)
def _short_forms(names: str) -> re.Pattern[str] | None:
    act = re.search(r"\bAct (\d{4})\b", names)
    if act is None:
        return None
    words = [word for word in re.findall(r"[A-Za-z]+", names) if word.lower() not in {"the", "of", "and"}]
    initials = {"".join(word[0] for word in words).upper(), "".join(word[0] for word in words if word[0].isupper())}
    known = "|".join(sorted(re.escape(one) for one in initials if len(one) > 1))
    number = r"(?:[Ss]s?\b\.?|[Ss]s?(?=\d)|[Ss]ec\.|[Ss]ections?)\s?(?P<{}>\d{{1,4}}[A-Z]{{0,2}})(?P<{}>(?:\s?\(\w{{1,3}}\)){{0,3}})"
    law = rf"(?:(?:{known})(?:,?\s?(?:{act[1]}|{act[1][2:]}))?|{act[1]} Act)\b"
    first, second = number.format("a", "b"), number.format("c", "d")
    return re.compile(rf"\b{first},?\s(?:of the\s)?{law}|\b(?:{law}),?\s{second}")


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
