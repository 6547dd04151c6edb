"""Claims made from the words of articles, and edits of claims: another article, a flipped operator, another number.

The forms here are written apart from those that the check reads, so that it is not measured by its own words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

_ZH_NUMERALS = "〇一二三四五六七八九十"
_NUMBERS = {
    "zh": re.compile(
        r"(?<![第\d一二三四五六七八九十百千万.])(?!\d{4}年)([一二两三四五六七八九十百]{1,4}|\d{1,6}(?:\.\d+)?)(?=个?(?:月(?!\d)|工作日|小时)|年(?!代|度|级|\d{1,2}月)|(?<!月\d)(?<!月\d\d)日(?!起)|天|元|万元|千元|百元|亿元|倍|[%％]|周岁|次(?!性)|名)"
    ),
    "ru": re.compile(
        r"(?<![\d.№-])(\d{1,3}|двух|трех|трёх|четырех|пяти|шести|семи|восьми|девяти|десяти|пятнадцати|тридцати|одного|три|пять|десять)(?=\s(?:календарн|рабоч|дн|месяц|лет|год|процент|руб|тысяч|миллион|час(?!т)|раз))",
        re.IGNORECASE,
    ),
    "en": re.compile(
        r"(?<![\d.$£€(-])(\d{1,4}|two|three|four|five|six|seven|ten|twelve|fourteen|fifteen|twenty|thirty|sixty|ninety)(?=(?:\s\(\d+\))?[\s-](?:calendar |business |working )?(?:days?|months?|years?|weeks?|hours?|per ?cent|percent|%|euros?|dollars?)|%)",
        re.IGNORECASE,
    ),
}
_OTHER = {
    "двух": "пяти", "трех": "шести", "трёх": "шести", "четырех": "двух", "пяти": "двух", "шести": "трех", "семи": "трех",
    "восьми": "четырех", "девяти": "трех", "десяти": "тридцати", "пятнадцати": "тридцати", "тридцати": "десяти",
    "одного": "трех", "три": "пять", "пять": "три", "десять": "пять",
    "two": "five", "three": "six", "four": "two", "five": "ten", "six": "three", "seven": "fourteen", "ten": "thirty",
    "twelve": "six", "fourteen": "thirty", "fifteen": "thirty", "twenty": "ten", "thirty": "ninety", "sixty": "thirty",
    "ninety": "thirty",
}  # fmt: skip
_FLIPS: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "zh": (
        ("不得(?!不|超过|少于|低于|高于|多于)", ("可以", "有权")),
        ("不能(?!不)", ("可以",)),
        ("不予", ("应当予以",)),
        ("(?<!不)应当", ("不得", "无需", "不应当")),
        ("必须", ("不必", "不得")),
        ("(?<!不)可以(?!不)", ("不得", "不可以", "不能")),
        ("(?<!没)有权", ("无权",)),
        ("禁止", ("允许",)),
    ),
    "ru": (
        (r"\bне вправе\b", ("вправе",)),
        (r"(?<!не )\bвправе\b", ("не вправе",)),
        (r"\bне допуска(ется|ются)", (r"допуска\1",)),
        (r"(?<!не )\bдопуска(ется|ются)", (r"не допуска\1",)),
        (r"\bне (может|могут)\b(?! превышать| быть (?:более|менее))", (r"\1",)),
        (r"(?<!не )\b(может|могут)\b", (r"не \1",)),
        (r"(?<!не )\b(обязан[аы]?|долж(?:ен|на|но|ны))\b", (r"не \1",)),
        (r"\bне подлеж(ит|ат)\b", (r"подлеж\1",)),
        (r"(?<!не )\bподлеж(ит|ат)\b", (r"не подлеж\1",)),
    ),
    "en": (
        (r"\b(?:shall|may|must) not\b(?! (?:exceed|be (?:more|less)))", ("may",)),
        (r"\b(?:shall|must)\b(?! not)", ("shall not", "need not", "is not required to")),
        (r"\bmay\b(?! not)", ("may not", "shall not")),
        (r"\bis entitled to\b", ("is not entitled to",)),
    ),
}
_SAME: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "zh": (
        ("(?<!不)应当", ("应", "必须", "需要", "要")),
        ("不得(?!不|超过|少于|低于)", ("不能", "不可以", "禁止")),
        ("可以(?!不)", ("有权", "能够", "可")),
        ("用人单位", ("公司", "单位")),
        ("劳动者", ("员工",)),
        ("人民法院", ("法院",)),
        ("支付", ("付",)),
        ("之日起", ("那天起",)),
    ),
    "ru": (
        (r"\bвправе\b", ("имеет право",)),
        (r"(?<!не )\bобязан\b", ("должен",)),
        (r"\bне допускается\b", ("запрещается",)),
    ),
    "en": (
        (r"\bshall\b(?! not)", ("must", "has to")),
        (r"\bshall not\b", ("must not", "may not")),
        (r"\bmay\b(?! not)", ("can", "is allowed to")),
        (r"\bprior to\b", ("before",)),
    ),
}
_DENIED: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "en": (
        (r"\b(is|are|was|were) not\b(?! (?:limited|less|more|later))", (r"\1",)),
        (r"\b(is|are|was|were)\b(?! (?:not|no|entitled|limited)\b)", (r"\1 not",)),
        (r"\bdoes not apply\b", ("applies",)),
        (r"\bapplies\b", ("does not apply",)),
        (r"^No (\w+)", (r"Any \1",)),
    ),
}
"""A denial put in or taken out where there is no duty, right or ban."""
_EXCEPTED: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "en": (
        (r"\bunless\b", ("even if", "regardless of whether")),
        (r"\bexcept (?:where|when|if|that|to the extent)\b", ("even where", "even if")),
    ),
}
"""An exception denied."""
_CONDITIONED: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "en": (
        (
            r"\b(?:shall|may|must|will) not\b([^,;.]{5,160}?),? (?:unless|until)\b",
            (r"may\1 even if it is not the case that",),
        ),
        (r"\b(?:shall|may|must|will) not\b([^,;.]{5,160}?) (?=without\b)", (r"may\1 ",)),
        (r"\bonly (?:if|when|where)\b", ("whether or not",)),
        (r"\bonly (?:with|upon|after)\b", ("even without",)),
        (r"\b((?:may|can)\b[^,;.]{3,120}?) without\b", (r"\1 only with",)),
    ),
}
"""A condition taken away, or one made of what none is asked for."""
_OPPOSED: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "en": (
        (r"\bin writing\b", ("orally", "by word of mouth")),
        (r"\b(?:prior )?written (?=(?:notice|consent|approval|permission|request|agreement)\b)", ("oral ", "verbal ")),
        (r"\b(?:prior to|before)\b", ("after",)),
        (r"\bafter\b(?! giving effect)", ("before",)),
        (r"(?<!in)\bvalid\b", ("invalid", "void")),
        (r"\bunenforceable\b", ("enforceable",)),
        (r"(?<!un)\benforceable\b", ("unenforceable",)),
    ),
}
"""A word turned into its opposite."""
_PARTIES = {
    "en": re.compile(
        r"\b(?:Parent|Merger Sub|Stockholders?|Holder|Recipient|Discloser|Mentor|Bank|Trustee|Guarantor|Developer|Carrier|Compan(?:y|ies)|Licen[sc](?:ee|or)|Distributor|Supplier|Customer|Buyer|Seller|Franchis(?:ee|or)|Landlord|Tenant|Less(?:ee|or)|Borrower|Lender|Client|"
        r"Consultant|Contractor|Executive|Agent|Owner|Operator|Investor|Manufacturer|Purchaser|Vendor|Provider|Reseller|Sponsor|[Ee]mploye[er]|Assign(?:ee|or))\b"
    ),
}
_LEADS = {
    "zh": ("", "也就是说，", "您放心，", "简单来说，", "在您的情况下，"),
    "ru": ("", "Проще говоря, ", "То есть ", "В вашем случае "),
    "en": ("", "In short, ", "That means ", "In your situation, "),
}
_TAILS = {
    "zh": ("", "，建议您保留好证据", "，这一点很重要", "，具体要看您的情况"),
    "ru": ("", ", поэтому сохраните документы", ", обратите на это внимание"),
    "en": ("", ", so keep your records", ", which matters for you here"),
}


Edit = Callable[[str, str, Random], str | None]
"""A claim, its language and a draw to the claim made wrong; None where that cannot be done."""


def flipped(claim: str, language: str, draw: Random) -> str | None:
    """The claim with one operator turned into its opposite; None where it has none that is known here."""
    found = [(match, to) for form, to in _FLIPS[language] for match in re.finditer(form, claim)]
    return _replaced(claim, found, draw)


def renumbered(claim: str, language: str, draw: Random) -> str | None:
    """The claim with one number changed, in the form it had; None where it counts nothing."""
    found = list(_NUMBERS[language].finditer(claim))
    if not found:
        return None
    match = draw.choice(found)
    other = _other_number(match[1], draw)
    if other == match[1]:
        return None
    # thirty (30) days: both are the number.
    behind = re.sub(r"^\s?\(\d+\)", "", claim[match.end(1) :])
    return claim[: match.start(1)] + other + behind


def denied(claim: str, language: str, draw: Random) -> str | None:
    """The claim with one plain sentence denied, or one denial taken away; None where that is not known here."""
    found = [(match, to) for form, to in _DENIED.get(language, ()) for match in re.finditer(form, claim)]
    return _replaced(claim, found, draw)


def excepted(claim: str, language: str, draw: Random) -> str | None:
    """The claim with its exception denied; None where it makes none."""
    found = [(match, to) for form, to in _EXCEPTED.get(language, ()) for match in re.finditer(form, claim)]
    return _replaced(claim, found, draw)


def conditioned(claim: str, language: str, draw: Random) -> str | None:
    """The claim without the condition that it has, or with one that it does without; None where neither is known here."""
    found = [(match, to) for form, to in _CONDITIONED.get(language, ()) for match in re.finditer(form, claim)]
    return _replaced(claim, found, draw)


def opposed(claim: str, language: str, draw: Random) -> str | None:
    """The claim with one word turned into its opposite: before and after, in writing and orally; None where it has none."""
    found = [(match, to) for form, to in _OPPOSED.get(language, ()) for match in re.finditer(form, claim)]
    return _replaced(claim, found, draw)


def exchanged(claim: str, language: str, _draw: Random) -> str | None:
    """The claim with its first two parties exchanged; None where it does not name two."""
    found = list(_PARTIES[language].finditer(claim)) if language in _PARTIES else []
    names = [*dict.fromkeys(one[0] for one in found)][:2]
    if len(names) < 2:
        return None
    other = dict(zip(names, reversed(names), strict=True))
    return _PARTIES[language].sub(lambda one: other.get(one[0], one[0]), claim)


def paraphrased(claim: str, language: str, draw: Random) -> str:
    """The claim in an assistant's voice, its meaning kept: synonyms, digits for words, a lead, a tail."""
    for form, to in _SAME[language]:
        if draw.random() < 0.6:
            found = [(match, to) for match in re.finditer(form, claim)]
            claim = _replaced(claim, found, draw) or claim
    if language == "zh" and draw.random() < 0.5:
        claim = _NUMBERS["zh"].sub(lambda match: _digits(match[1]), claim)
    return draw.choice(_LEADS[language]) + claim.rstrip("。；;.") + draw.choice(_TAILS[language])


def made(article: str, language: str, draw: Random, *, edit: Edit | None = None) -> str | None:
    """A sentence of an article, or part of one, that has an operator or a number; with ``edit`` one that this can be done to."""
    stops = r"[。；\n]" if language == "zh" else r"[;\n]|\.(?=\s)"
    short, long = (14, 110) if language == "zh" else (40, 320)
    told: list[Callable[[str], bool]] = [
        lambda one: _NUMBERS[language].search(one) is not None,
        lambda one: any(re.search(form, one) for form, _ in _FLIPS[language]),
    ]
    pieces = [piece.strip() for piece in re.split(stops, article) if short <= len(piece.strip()) <= long]
    pieces = [re.sub(r"^(?:\d+(?:\.\d+)*[.)]|[（(][一二三四五六七八九十\d]+[)）])\s*", "", one) for one in pieces]
    # The sanctions of a criminal code without the offence are those of many articles.
    if edit:
        # A denial is that of a plain statement: what has an operator is flipped.
        pieces = [one for one in pieces if edit(one, language, Random(0)) and (edit is not denied or not told[1](one))]  # noqa: S311
    else:
        pieces = [one for one in pieces if any(tell(one) for tell in told) and not one.startswith("наказыва")]
    if not pieces:
        return None
    piece = draw.choice(pieces)
    parts = re.split("，" if language == "zh" else r",\s", piece)
    # Partial quotation: the first or last part is left out.
    if len(parts) > 3 and draw.random() < 0.3:
        parts = parts[1:] if draw.random() < 0.5 else parts[:-1]
    return ("，" if language == "zh" else ", ").join(parts)


def _replaced(claim: str, found: Sequence[tuple[re.Match[str], Sequence[str]]], draw: Random) -> str | None:
    if not found:
        return None
    match, to = draw.choice(list(found))
    return claim[: match.start()] + match.expand(draw.choice(list(to))) + claim[match.end() :]


def _other_number(number: str, draw: Random) -> str:
    if number.lower() in _OTHER:
        return _OTHER[number.lower()]
    value = int(float(_digits(number)))
    other = max(1, draw.choice([value * 2, value + 1, value // 2, value * 3, value + 5]))
    other = value + 2 if other == value else other
    if not number[0].isdigit() and other < 100:
        tens, ones = divmod(other, 10)
        return ("" if tens < 2 else _ZH_NUMERALS[tens]) + ("十" if tens else "") + (_ZH_NUMERALS[ones] if ones else "")
    return str(other)


def _digits(number: str) -> str:
    if number[0].isdigit():
        return number
    value = digit = 0
    for one in number:
        if one in "十百":
            value += (digit or 1) * (10 if one == "十" else 100)
            digit = 0
        else:
            digit = 2 if one == "两" else _ZH_NUMERALS.index(one)
    return str(value + digit)
