"""Whether a text says of a law, an article or a decision that there is none: who says so invents nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable

from benchbar.languages.packs import pack
from benchbar.law.mention import Mention, Surroundings
from benchbar.records import CitationStatus

NONE_SAID = "the text itself says that there is none"
_BEFORE = {
    "zh": re.compile(
        r"(?:没有(?!违反|按|依|遵|履行|适用|尽到|证据|权)|尚无|并无|暂无|从无|缺乏|缺少|不存在|未(?:曾|能|有|见)?(?:制定|出台|颁布|施行|查到|找到|检索到)|查不到|找不到|尚未[^，。；]{0,6}|没有(?:查到|找到|检索到)|无专门的?"
        r"|无所谓|所谓的?|误[写称为]+|错[写误]为?|虚构|编造|杜撰|捏造|伪造|网传|谣传|误传|讹传)[^，。；]{0,10}$"
    ),
    "ru": re.compile(
        r"(?:\b(?:нет|не\s(?:существует|содержит\w?|наш[её]л|нашл[аи]|найд\w+)|отсутству\w{2,3}|несуществующ\w{2,3}|выдуман\w{2,4}|вымышленн\w{2,3})|\bтакой\s\w{3,12},?\sкак)[^.;,:\n]{0,30}$",
        re.IGNORECASE,
    ),
    "en": re.compile(
        r"\b(?:there\s(?:is|are|was|were)\sno|no\ssuch\s[a-z]{3,12}\sas|(?:do(?:es)?\snot|doesn['’]t|don['’]t)\s(?:contain|have|include)|has\sno|have\sno|non-?existent|fabricated|fictitious|hallucinated"
        r"|(?:could|can)\s?(?:not|n['’]t)\s(?:find|locate|verify))\b[^.;,:\n]{0,40}$",
        re.IGNORECASE,
    ),
}
_BEHIND = {
    "zh": re.compile(
        r"^》?[，,]?\s?(?:但)?(?:目前|至今|现在|现)?(?:并无|尚无|没有|还没有|未有)(?:此|该|这[部一条]?)[法条]?"
        r"|^[^，。；]{0,8}(?:不存在|并不存在|是虚构|系虚构|尚未|还没有|已被证实|中的[“\"]?.[”\"]?(?:字)?(?:改为|应为))"
        r"|^[^。；！？\n]{0,40}?(?:(?:并|其实|根本|实际上?|压根)(?:就)?(?:不存在|没有(?:这|此|该)|无(?:此|该))|不存在(?=[，。！；）]|$)|子虚乌有|查无此|查不到"
        r"|(?:是|系|属于?|纯属|实属|均为|为)[^，。；]{0,8}(?:编造|杜撰|虚构|捏造|伪造|谣言|谣传|幻觉|假的|不实))"
        r"|^[^。；！？，\n]{0,8}(?:引用错误|引用有误|有误(?=[，。！；）]|$)|是错误的)"
    ),
    "ru": re.compile(
        r"^[^.;:\n]{0,50}?(?:\bне\sсуществует(?=\s(?:в|и|вообще|—|-)|[.,;)!]|$)|\bнет(?=[.,;)!]|$)|\bотсутствует(?=\s(?:в|и)\s|[.,;)!]|$)|выдуман|вымышлен|сфабрикован|\bне\sзначится"
        r"|\bв\s(?:\w{2,14}\s)?(?:кодексе|законе|природе)\s(?:\w{2,14}\s)?(?:нет|не\sпредусмотрен\w?|отсутствует)(?=[.,;)!]|$))"
        r"|^[^.;:,\n]{0,15}(?:ошибочн|неверн|некорректн|недостоверн)",
        re.IGNORECASE,
    ),
    "en": re.compile(
        r"^[^.;:\n]{0,50}?\b(?:(?:do(?:es)?|did)\s(?:not|n['’]t)\sexist|doesn['’]t\sexist|(?:is|was|are|were|appears?\sto\sbe)\s(?:a\s)?(?:fictitious|fictional|fabricat\w+|invented|made[\s-]up|non-?existent|hallucinat\w+|imaginary|bogus|fake)"
        r"|(?:is|are)\snot\s(?:a\s)?real|(?:can|could)\s?not\sbe\s(?:found|verified)|no\ssuch\s(?:section|article|provision|rule|act|law|case))\b",
        re.IGNORECASE,
    ),
}


def says_there_is_none(language: str, around: Surroundings) -> bool:
    """Whether the words right before or behind a citation say that there is no such law, article or decision."""
    root = pack(language).root
    if root not in _BEFORE:
        return False
    behind = around.behind.lstrip("》") if root == "zh" else around.behind
    return bool(_BEFORE[root].search(around.before) or _BEHIND[root].match(behind))


Place = tuple[str, str, str]
"""The name of a law with an article, or the number of a decision, whatever part of it is cited."""


def denied_in(text: str, mentions: Iterable[Mention]) -> frozenset[Place]:
    """What a text says somewhere that there is none of: it is named again where it is spoken about."""
    return frozenset(
        _place(one) for one in mentions if says_there_is_none(one.language, Surroundings.of(text, one.span))
    )


def is_denied(mention: Mention, denied: frozenset[Place], status: CitationStatus) -> bool:
    """Whether it is among what a text denies; a law that does not exist also where another article of it is denied."""
    if status is CitationStatus.NO_SUCH_LAW and not mention.case_number:
        return any(name == mention.names for name, _, _ in denied)
    return _place(mention) in denied


def _place(mention: Mention) -> Place:
    return mention.names, mention.article + (f"-{mention.sub}" if mention.sub else ""), mention.case_number
