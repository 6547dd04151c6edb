"""Whether a citation is authority for what it is cited for: of this country, of the court named, of the field of law spoken of.

A real article of another country's code is neither invented nor right. What is said here is said only where the words leave no
doubt: a text that speaks of the other country compares, and a code that covers all fields has none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Any

from benchbar.languages.packs import pack
from benchbar.law.mention import Mention, Surroundings
from benchbar.law.names import law_key
from benchbar.law.names_zh import KNOWN_NAMES
from benchbar.records import AuthorityCheck, AuthorityVerdict
from benchbar.records.toml import toml_of

_ALIASES = {
    "PRC": "CN", "CHN": "CN", "中国": "CN", "中华人民共和国": "CN", "UK": "GB", "GBR": "GB", "USA": "US", "RUS": "RU", "РФ": "RU",
    "Россия": "RU", "Российская Федерация": "RU",
}  # fmt: skip
# Union law is law in the member states, and much of it still in the United Kingdom.
_IN_THE_UNION = frozenset(
    {"EU", "GB", "AT", "BE", "BG", "HR", "CY", "CZ", "DK", "EE", "FI", "FR", "DE", "GR", "HU", "IE", "IT", "LV", "LT", "LU", "MT", "NL", "PL", "PT", "RO", "SK", "SI", "ES", "SE"}
)  # fmt: skip
_ZH_PLACES = {
    "日本": "JP", "德国": "DE", "法国": "FR", "美国": "US", "英国": "GB", "香港": "HK", "台湾": "TW", "澳门": "MO", "欧盟": "EU", "瑞士": "CH",
    "韩国": "KR", "意大利": "IT", "俄罗斯": "RU", "加拿大": "CA", "澳大利亚": "AU", "新加坡": "SG", "印度": "IN", "中国": "CN", "我国台湾": "TW",
}  # fmt: skip
_ZH_PLACE = re.compile("|".join(sorted(_ZH_PLACES, key=len, reverse=True)))
_ZH_COURT = re.compile(r"（\d{4}）(?:最高法|[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼兵]\d{0,4})")
_RU_COUNTRIES = (
    (re.compile(r"\bрф\b|российской\s+федерации|\bроссии\b|\d-фк?з\b"), "RU"),
    (re.compile(r"беларус"), "BY"), (re.compile(r"казахстан"), "KZ"), (re.compile(r"украин"), "UA"), (re.compile(r"^германск"), "DE"),
    (re.compile(r"франции|наполеона"), "FR"), (re.compile(r"армении"), "AM"), (re.compile(r"узбекистан"), "UZ"),
)  # fmt: skip
_RU_COURT = re.compile(r"А\d{2}-\d+/\d{4}|\d{1,3}-(?:ЭС|КГ|КАД|УД|АД|ИКАД)\d{2}-\d+")
_EN_NAMES = (
    (re.compile(r"\b\d{1,2} (?:USC|CFR)\b|^Fed\. ?R\.|^U\. ?S\. ?Const|^UCC$|^U\.C\.C|\b(?:Code|Stat|Laws|Comp)\. Ann\.|^[A-Z][a-z]{1,4}\. (?:[A-Z][\w.&' ]*)?(?:Code|Stat)"), "US"),
    (re.compile(r"^(?:GDPR|TFEU|TEU)$|^(?:Regulation|Directive|Decision|Reg\.) (?:\([A-Z]{2,3}\) )?(?:No\.? )?\d{1,4}/\d|Charter of Fundamental Rights"), "EU"),
    (re.compile(r"^(?:BGB|StGB|HGB|ZPO|StPO|BDSG|GmbHG|AktG|UWG|InsO)$"), "DE"),
    (re.compile(r"^CPR$"), "GB"),
)  # fmt: skip
_EN_COURTS = {
    "GB": r"UKSC|UKPC|UKHL|EWCA|EWHC|EWCOP|EWFC|UKUT|UKFTT|UKEAT|CSOH|CSIH|HCJAC|NICA|NIQB|NICh",
    "AU": r"HCA|FCA|FCAFC|NSWSC|NSWCA|VSC|VSCA|QSC|QCA", "NZ": r"NZSC|NZCA|NZHC", "SG": r"SGCA|SGHC", "HK": r"HKCFA|HKCA|HKCFI|HKDC",
    "CA": r"SCC|ABCA|BCCA|ONCA|QCCA|NSCA", "IE": r"IESC|IEHC|IECA",
}  # fmt: skip
_EN_COURT = {country: re.compile(rf"\b(?:{codes})\b") for country, codes in _EN_COURTS.items()}
_AMERICAN_REPORT = re.compile(
    r"\d{1,4} (?:U\. ?S\.|S\. ?Ct\.|L\. ?Ed\.|F\.|F\. ?(?:Supp\.|App)|F\.\dd|[A-Z]\. ?[A-Z]\.|[A-Z][\w. ]*\d?d\b)"
)
_COMPARING = {
    "zh": re.compile(
        r"法国|德国|美国|英国|日本|意大利|瑞士|韩国|俄罗斯|欧盟|欧洲|外国|域外|国外|海外|各国|台湾|香港|澳门|大陆|比较法|借鉴|对比|参考价值|仅供参考|不同于|中国"
    ),
    "ru": re.compile(
        r"росси|беларус|казахстан|герман|немецк|франц|украин|сша|америк|английск|англии|зарубеж|иностранн|для\s+сравнения|сравнит|в\s+отличие", re.IGNORECASE
    ),
    "en": re.compile(
        r"\b(?:Engl(?:and|ish)|Brit(?:ain|ish)|U\.?K\.?|United\s(?:Kingdom|States)|U\.S\.(?!\s?C)|Americans?|Europe(?:an)?|EU|Germany?|German|French|France|Scot\w+|Ireland|Irish|Australia\w*|Canad\w+"
        r"|Hong\sKong|Singapore|Zealand|India\w*|foreign|abroad|elsewhere|overseas|comparison|compar\w+|contrast|persuasive|differs?|unlike)\b"
    ),
}  # fmt: skip
_SUPREME_BEFORE = {
    "zh": re.compile(r"(?:最高人民法院|最高法院|最高院)(?:在|于|的|就|作出的)?\s?[（(]?$"),
    "ru": re.compile(
        r"Верховн\w{2,3}\sСуд\w{0,2}(?:\s(?-i:[А-ЯЁ])\w+){0,2}(?:\s(?:в|по|указал\sв|решил\sв|признал\sв))?\s?\(?$",
        re.IGNORECASE,
    ),
    "en": re.compile(
        r"Supreme\sCourt(?:\s(?!appeal|revers|affirm|overrul|overturn|from|upheld|allowed|dismiss|quash|set\b|and\b|or\b)[a-z]+){0,4},?(?:\sin)?\s?[(\[]?$"
    ),
}
SUPREME = re.compile(r"最高|\bSupreme\b|Верховн|Конституционн|Final Appeal", re.IGNORECASE)
"""In the name of a court: that none stands above it."""


_EN_COUNTRIES = {
    "GB": re.compile(r"\b(?:Engl(?:and|ish)|U\.?K\.?|United\sKingdom|Brit(?:ain|ish)|Wales|Welsh|Scot(?:s|land|tish)|Northern\sIreland)\b"),
    "US": re.compile(r"\b(?:United\sStates|U\.S\.|USA?|Americans?|federal)\b"), "AU": re.compile(r"\bAustralia|\b(?:Cth|NSW)\b"),
    "NZ": re.compile(r"\bNew\sZealand"), "CA": re.compile(r"\bCanad"), "IE": re.compile(r"\b(?:Ireland|Irish)\b"), "IN": re.compile(r"\bIndia"),
    "SG": re.compile(r"\bSingapore"), "HK": re.compile(r"\bHong\sKong"), "ZA": re.compile(r"\bSouth\sAfrica"), "MY": re.compile(r"\bMalaysia"),
    "KE": re.compile(r"\bKenya"), "NG": re.compile(r"\bNigeria"), "GH": re.compile(r"\bGhana"), "JM": re.compile(r"\bJamaica"),
    "PK": re.compile(r"\bPakistan"), "EU": re.compile(r"\b(?:EU|European|Union\slaw)\b"), "DE": re.compile(r"\bGerman"), "FR": re.compile(r"\b(?:France|French)\b"),
}  # fmt: skip
_BUNDLED = frozenset({"Dominion of Ardmere"})
"""Countries of the bundled suites, which are invented: no other country's law is meant in a text that is held against theirs."""


def not_tied(mention: Mention, around: Surroundings, corpus_of: frozenset[str]) -> str:
    """Why an Act in English that a corpus does not hold may be another country's; empty where the text ties it to the corpus's.

    Half of the world titles its Acts in the same form, and no list of them is complete: that a name is on none proves nothing.
    What proves it is a text that speaks of one country's law and of no other's, held against a corpus of all of that country's.
    """
    if corpus_of & _BUNDLED:
        return ""
    if len(corpus_of) != 1:
        return "the corpus does not say of which one country it holds all law"
    own = next(iter(corpus_of))
    if _acts().get(law_key(mention.names).core) in {own, "another country"}:
        return f"it is a known Act, which the corpus does not hold, whatever it claims of {own}"
    words = _EN_COUNTRIES.get(own) or re.compile(rf"\b{re.escape(own)}")
    if not words.search(around.text):
        return f"the text does not say that it speaks of the law of {own}"
    other = next((code for code, named in _EN_COUNTRIES.items() if code != own and named.search(around.text)), "")
    return f"the text speaks of the law of {other} too" if other else ""


def jurisdictions(named: Iterable[str]) -> frozenset[str]:
    """The countries that versions of laws name, each in one form; those that name none are left out."""
    return frozenset(_ALIASES.get(one, one) for one in named if one)


def foreign_country(mention: Mention, around: Surroundings, own: frozenset[str], *, held: bool) -> str:
    """The country whose law or court a mention is of, where that is none of the corpus's; empty where nothing says so.

    Args:
        mention: the citation.
        around: the words around it.
        own: the countries of the corpus; where it names none, nothing is foreign.
        held: the corpus has a law of this name: then only a country in the name itself counts.
    """
    if not own:
        return ""
    country = _country_of(mention, around, held=held)
    if not country or country in own or (country == "EU" and own & _IN_THE_UNION):
        return ""
    return country


def _country_of(mention: Mention, around: Surroundings, *, held: bool) -> str:
    root = pack(mention.language).root
    if mention.case_number:
        return _country_of_court(root, mention.case_number)
    name = mention.names
    if root == "zh":
        bare = name.removeprefix("中华人民共和国")
        # Only what that country has: a name it never gave to a law is invented here as well as there.
        if bare != name:
            return "CN" if bare in KNOWN_NAMES else ""
        if place := _ZH_PLACE.match(name) or re.search(rf"(?:{_ZH_PLACE.pattern})(?:的)?$", around.before[-6:]):
            return _ZH_PLACES[re.sub("的$", "", place[0])]
        return "CN" if bare in KNOWN_NAMES and not held else ""
    if root == "ru":
        return next((country for words, country in _RU_COUNTRIES if words.search(name.lower())), "")
    by_form = next((country for words, country in _EN_NAMES if words.search(name)), "")
    return by_form or ("" if held else _acts().get(law_key(name).core, ""))


def _country_of_court(root: str, number: str) -> str:
    if root == "zh":
        return "CN" if _ZH_COURT.match(number) else ""
    if root == "ru":
        return "RU" if _RU_COURT.fullmatch(number) else ""
    by_code = next((country for country, codes in _EN_COURT.items() if codes.search(number)), "")
    if not by_code and re.fullmatch(r"[CT]-\d{1,4}/\d{2}|ECLI:EU:.*", number):
        return "EU"
    return by_code or ("US" if _AMERICAN_REPORT.match(number) else "")


def court_code(number: str) -> str:
    """What names the court in the number of a decision: ``UKSC``, 京; empty where nothing does."""
    found = re.match(r"\[\d{4}\] (?:\d )?([A-Z][A-Za-z]{1,8})|（\d{4}）(最高法|[\u4e00-\u9fff])", number)
    return (found[1] or found[2]) if found else ""


def other_country(country: str, mention: Mention, around: Surroundings) -> AuthorityCheck | None:
    """That law of another country is cited as if it were this one's; None where the text speaks of other countries."""
    words = _COMPARING.get(pack(mention.language).root)
    if words and (words.search(around.before) or words.search(around.behind)):
        return None
    return AuthorityCheck(
        AuthorityVerdict.OTHER_JURISDICTION, f"law of {country}, cited as if it were that of this matter"
    )


def other_court(mention: Mention, around: Surroundings, court: str) -> AuthorityCheck | None:
    """That a decision is given to a supreme court and is another court's; None where the text does not say so right before it.

    Args:
        mention: the citation of the decision.
        around: the words around it.
        court: the court that gave the decision, as the corpus knows it.
    """
    words = _SUPREME_BEFORE.get(pack(mention.language).root)
    if not court or words is None or SUPREME.search(court) or not words.search(around.before):
        return None
    return AuthorityCheck(AuthorityVerdict.OTHER_COURT, f"the text gives it to a supreme court; it is of {court}")


def other_field(law: str, language: str, claim: str) -> AuthorityCheck | None:
    """That a law of one field is cited for a matter of another; None where either has none, or several."""
    fields = _fields().get(pack(language).root, {})
    of_law = [name for name, (laws, _) in fields.items() if laws.search(law)]
    of_claim = [name for name, (_, words) in fields.items() if words.search(claim)]
    if len(of_law) != 1 or len(of_claim) != 1 or of_law == of_claim:
        return None
    reason = f"a law of the field {of_law[0]}, cited for a matter of the field {of_claim[0]}"
    return AuthorityCheck(AuthorityVerdict.OTHER_FIELD, reason)


@cache
def _fields() -> dict[str, dict[str, tuple[re.Pattern[str], re.Pattern[str]]]]:
    text = resources.files("benchbar.law").joinpath("data", "authority.toml").read_text(encoding="utf-8")
    return {
        language: {
            name: (re.compile("|".join(one["laws"]), re.IGNORECASE), re.compile("|".join(one["words"]), re.IGNORECASE))
            for name, one in fields.items()
        }
        for language, fields in toml_of(text, dict[str, Any], file="authority.toml").items()
    }


@cache
def _acts() -> dict[str, str]:
    """Well-known acts in English by what identifies their names, with their countries; a name that two countries have is left out."""
    lines = resources.files("benchbar.law").joinpath("data", "acts_en.tsv").read_text(encoding="utf-8").splitlines()
    countries: dict[str, set[str]] = {}
    for line in lines:
        country, _, names = line.partition("\t")
        for name in names.split("|"):
            countries.setdefault(law_key(name).core, set()).add(country)
    return {name: "another country" if len(of) > 1 else next(iter(of)) for name, of in countries.items()}
