"""For whom a sentence works: what gives one party a power, or lays a duty on the other alone, is no risk for the first.

Read for a side that somebody named. Each party that acts in the sentence is asked what its own predicate gives it: a power or a freedom,
or a duty or a loss. A sentence that gives the side nothing but advantages works for it; one that tells of nobody is left open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from types import MappingProxyType

from benchbar.contracts.parties import Party, mentions, parties
from benchbar.contracts.polarity import same_side, subjects
from benchbar.contracts.terms import in_roles, root
from benchbar.languages.text import folded, sentences

_NO_ROLES: Mapping[str, str] = MappingProxyType({})
_REACH = 90
"""Characters behind a party in which its predicate is looked for."""
_BURDEN = {
    "en": r"\b(?:may|shall|will|must|can|does|do) (?:not|never)\b(?! be (?:liable|responsible))|\bcannot\b|\b(?:not|never) (?:be )?entitled|\bno right|\bshall\b(?! (?:not|have (?:the right|no liab|no obl)|be entitled))|\bmust\b|\bagrees? to\b|\bundertakes?\b|\bwaives?\b|\bforfeits?\b|\bloses?\b|\bgrants?\b|\bassigns?\b|\bbears?\b|\bindemnif|\b(?:re)?pays\b|\breimburses\b|\bcompensates\b|\brefunds\b|\bwarrants\b|\breleases\b|\bauthori[sz]es\b",
    "ru": r"не (?:вправе|имеет права|может)|обяз(?:ан|у[её]тся)|уплачива|выплачива|возмеща|оплачива|компенсиру|нес[её]т\b(?! ответственности)|отказывается от|утрачива|теря[еюя]|лиша|отвечает(?! только)|гарантиру|переда[её]т|страху|возвраща|поставля|обеспечива",
    "zh": r"不得|不能|无权|不享有|应当?|必须|须|承担(?!.{0,4}无)|支付|赔偿|放弃|自愿|同意|承诺|丧失|返还|退还|补足|补偿|缴[纳足]|偿还|归还|负责|交付",
}
_FREEDOM = {
    "en": r"\b(?:may|can)\b(?! (?:not|never))|\b(?:is|are|be) entitled|\b(?:has|have|reserves?|retains?) the right|\b(?:not|never) (?:be )?(?:liable|responsible|obliged|required)|\bno (?:liability|responsibility|obligation|duty)|\bexcludes?\b|\bdisclaims?\b|\bappoint",
    "ru": r"(?<!не )вправе|имеет право|(?<!не )может\b|оставляет за собой|не нес[её]т ответственност|не отвечает|не возмеща|не обязан|освобожда|удержива",
    "zh": r"有权|可以?(?!抗)|不(?:作|做|提供)?(?:出)?(?:任何)?(?:保证|承诺|担保)|不承担|不负|免于|概不|无须|无需|不再承担",
}


_DUTY = {"en": r"\b(?:shall|must)\b", "ru": r"обяз(?:ан|у[её]тся)", "zh": r"应当?(?!.{0,2}付)|必须|须|不得"}
"""What is a duty wherever it stands."""
_AGENT = {
    "en": re.compile(
        r"\b(?:appointed|named|nominated|chosen|selected|determined|decided|fixed|set|specified|prescribed|changed|amended|increased|reduced)"
        r" (?:solely |only |alone )?by (?:the )?$",
        re.IGNORECASE,
    ),
    "ru": re.compile(
        r"(?:назнач|выбира|выбран|избира|избран|определ|устан[оа]в|измен|увелич|уменьш|повыш|пересм|отклон|получени|суд\w{0,3},? созда|учрежд)[а-яё]{0,10}$",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"由$"),
}
"""Before a party that decides something: “appointed by the Landlord”. What else is done by a party says little of whom it harms."""
_AT_CHOICE = {
    "en": re.compile(r"\bat the (?:choice|option|election|discretion) of (?:the )?$", re.IGNORECASE),
    "ru": re.compile(r"\bпо (?:выбору|усмотрению|решению|желанию) $", re.IGNORECASE),
    # Nothing: "$^" would stand in the empty text before the first word of a sentence.
    "zh": re.compile(r"(?!)"),
}
"""Before a party at whose choice something is done: «в суде по выбору Заказчика»."""
_PAID_BY = re.compile(r".{0,4}(?:承担|负担|负责|支付|赔偿|自理|自行承担)")
_OWNS = {
    "en": re.compile(r"(?:vests? (?:\w+ )?in|belongs? to|property of|passes? to) (?:the )?$", re.IGNORECASE),
    "ru": re.compile(
        r"(?:переход\w{2,3}|принадлеж\w{2,4}|переда[юё]тся|отчужда\w{2,4})(?: [а-яё]{4,16}){0,2} (?:к |в собственность )?$",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"归$"),
}
"""Before a party that gets what the sentence is about."""
_HAS_TO = {
    "en": re.compile(r"\bunless (?:the )?$", re.IGNORECASE),
    "ru": re.compile(r"\bесли $", re.IGNORECASE),
    "zh": re.compile(r"除非$"),
}
"""Before a party that alone can keep the consequence away."""
_NOT_DONE = {"ru": re.compile(r"[^,;]{0,12}\bне (?:заявил|уведомил|сообщил|возразил)", re.IGNORECASE)}
_BY_RU = re.compile(r"(?:[оеё]м)$")


def only_for(side: str, sentence: str, language: str) -> bool:
    """Whether a sentence, whose parties are named by their roles, gives a side powers, or the other party duties, and nothing else."""
    spoken = root(language)
    own = parties().get(side)
    if own is None or spoken not in _BURDEN:
        return False
    given = [*_predicates(sentence, spoken), *_passives(sentence, spoken)]
    told = [freed is same_side(party, own) for party, freed in given if _faces(party, own) is not None]
    return bool(told) and all(told)


def _predicates(sentence: str, language: str) -> list[tuple[Party, bool]]:
    """Each party that acts, and whether its predicate is a freedom (or a burden)."""
    acting = subjects(sentence, language)
    ends = [(one, after.start if after else len(sentence)) for one, after in pairwise([*acting, None]) if one]
    found = []
    for one, end in ends:
        said = sentence[one.end : min(end, one.end + _REACH)]
        freedom, burden = (re.search(forms[language], said, re.IGNORECASE) for forms in (_FREEDOM, _BURDEN))
        if freedom and (burden is None or freedom.start() <= burden.start()):
            found.append((one.party, True))
            # “May enter, and shall repair what it breaks” is a duty, too; what it may do may hold a word of duty: may refuse to return.
            burden = re.search(_DUTY[language], said[freedom.end() :], re.IGNORECASE)
        if burden:
            found.append((one.party, False))
    return found


def _passives(sentence: str, language: str) -> Iterator[tuple[Party, bool]]:
    """Each party that something is done by, or passes to, and whether that is an advantage of its own."""
    for one in mentions(sentence, language):
        before, after = sentence[max(0, one.start - 48) : one.start], sentence[one.end : one.end + 40]
        agent = _AGENT[language].search(before.rstrip() if language == "ru" else before)
        if _OWNS[language].search(before) or _AT_CHOICE[language].search(before):
            yield one.party, True
        elif _HAS_TO[language].search(before) and (language != "ru" or _NOT_DONE["ru"].match(after)):
            yield one.party, False
        elif agent and (language != "ru" or _BY_RU.search(sentence[one.start : one.end])):
            yield one.party, not _PAID_BY.match(after)


def _faces(party: Party, own: Party) -> bool | None:
    """Whether a party is the side itself (True) or the one it faces (False); None for anybody else."""
    if same_side(party, own):
        return True
    return False if own.counterpart == party.id or party.counterpart == own.id or party.kind == own.kind else None


def without_own_advantages(text: str, side: str, language: str, roles: Mapping[str, str] = _NO_ROLES) -> str:
    """A clause with the sentences that work for a side blanked, every character in its place; without a side as it is."""
    if side not in parties():
        return text
    for start, end in sentences(text):
        if only_for(side, in_roles(folded(text[start:end]), roles), language):
            text = text[:start] + " " * (end - start) + text[end:]
    return text
