"""Names of laws: one key for the full name, the short name and the nickname of the same law."""

from __future__ import annotations

import dataclasses
import html
import re
from dataclasses import dataclass
from functools import lru_cache

from benchbar.languages.numerals import parse_number
from benchbar.languages.text import nfkc

# Not derivable from the name by any rule: general use made them.
ABBREVIATIONS = {
    "民诉法": "民事诉讼法", "刑诉法": "刑事诉讼法", "行诉法": "行政诉讼法", "民诉": "民事诉讼法", "刑诉": "刑事诉讼法",
    "行诉": "行政诉讼法", "民事诉讼": "民事诉讼法", "刑事诉讼": "刑事诉讼法", "行政诉讼": "行政诉讼法",
    "招投标法": "招标投标法", "治安处罚法": "治安管理处罚法", "消法": "消费者权益保护法",
    "消费者保护法": "消费者权益保护法", "道交法": "道路交通安全法", "劳合法": "劳动合同法", "个保法": "个人信息保护法",
    "未保法": "未成年人保护法", "民法通则意见": "民法通则若干问题的意见", "海诉法": "海事诉讼特别程序法",
    "选举法": "全国人民代表大会和地方各级人民代表大会选举法", "出入境管理法": "出境入境管理法",
    "条约法": "缔结条约程序法", "代表法": "全国人民代表大会和地方各级人民代表大会代表法",
    "劳动仲裁法": "劳动争议调解仲裁法", "劳动争议仲裁法": "劳动争议调解仲裁法", "税收征管法": "税收征收管理法",
    "征管法": "税收征收管理法", "反法": "反不正当竞争法",
    "全国法院民商事审判工作会议纪要": "九民纪要", "九民会议纪要": "九民纪要",
    "交强险条例": "机动车交通事故责任强制保险条例", "房地产管理法": "城市房地产管理法",
    "农村承包法": "农村土地承包法", "土地承包法": "农村土地承包法", "破产法": "企业破产法",
    "婚姻家庭编": "民法典婚姻家庭编", "继承编": "民法典继承编", "合同编": "民法典合同编", "物权编": "民法典物权编",
    "合同编通则": "民法典合同编通则", "婚姻家庭": "民法典婚姻家庭编",
    "gdpr": "general data protection regulation", "echr": "european convention on human rights",
    "гк рф": "гражданский кодекс", "гк": "гражданский кодекс", "жк рф": "жилищный кодекс", "жк": "жилищный кодекс",
    "зк рф": "земельный кодекс", "зк": "земельный кодекс", "грк рф": "градостроительный кодекс",
    "грк": "градостроительный кодекс", "гпк рф": "гражданский процессуальный кодекс",
    "гпк": "гражданский процессуальный кодекс", "апк рф": "арбитражный процессуальный кодекс",
    "апк": "арбитражный процессуальный кодекс", "тк рф": "трудовой кодекс", "тк": "трудовой кодекс",
    "ск рф": "семейный кодекс", "ск": "семейный кодекс", "ук рф": "уголовный кодекс", "ук": "уголовный кодекс",
    "упк рф": "уголовно-процессуальный кодекс", "упк": "уголовно-процессуальный кодекс",
    "нк рф": "налоговый кодекс", "нк": "налоговый кодекс", "бк рф": "бюджетный кодекс", "бк": "бюджетный кодекс",
    "коап рф": "кодекс об административных правонарушениях", "коап": "кодекс об административных правонарушениях",
    "кас рф": "кодекс административного судопроизводства", "кас": "кодекс административного судопроизводства",
    "закон 2300-1": "закон о защите прав потребителей", "пдд": "правила дорожного движения",
    "зозпп": "закон о защите прав потребителей", "ззпп": "закон о защите прав потребителей",
    "конвенция о защите прав человека": "конвенция о защите прав человека и основных свобод",
    "европейская конвенция": "конвенция о защите прав человека и основных свобод", "екпч": "конвенция о защите прав человека и основных свобод",
    "лк рф": "лесной кодекс", "вк рф": "водный кодекс", "уик рф": "уголовно-исполнительный кодекс",
    "лк": "лесной кодекс", "вк": "водный кодекс", "уик": "уголовно-исполнительный кодекс", "взк рф": "воздушный кодекс",
    "взк": "воздушный кодекс", "ктм рф": "кодекс торгового мореплавания", "ктм": "кодекс торгового мореплавания",
    "кввт рф": "кодекс внутреннего водного транспорта", "кввт": "кодекс внутреннего водного транспорта",
    "кпэа": "кодекс профессиональной этики адвоката", "закон о зпп": "закон о защите прав потребителей",
    "мпгпп": "международный пакт о гражданских и политических правах", "вдпч": "всеобщая декларация прав человека",
}  # fmt: skip
"""Short forms in general use, each with the key of the name it stands for."""

_QUOTES = re.compile(r"[《》〈〉<>「」“”\"«»\s]+")
_VERSION = re.compile(
    r"\((?:(?:19|20)\d\d年?)?-?(?:\d\d-\d\d)?(?:第[一二三四五]次)?(?:修正|修订|修改|修正版|修订版|版|年)?\)$"
)
_NUMBER = re.compile(r"\(?([一二三四五六七八九十]{1,3}|\d{1,2})\)?$")
_COURT = re.compile(
    r"^(?:最高人民法院|最高人民检察院|最高法院|最高检|最高法|最高|两高|公安部|司法部|国家安全部|[、,和])+"
)
# 新闻, 新疆 and 新能源 begin names of laws; 新公司法 is 公司法.
_OLD_OR_NEW = re.compile(r"^(?:原|旧|现行|新(?!闻|疆|能源|型|技|药))(?=[\u4e00-\u9fff]{2})")
_ISSUER = re.compile(r"^((?:[\u4e00-\u9fff]{0,10}(?:部|委员会|总局|局|署|银行|办公厅|国务院)[、和]?){1,4})(?=关于)")
_INTERPRETATION = re.compile(r"(?:司法解释|解释|规定|意见|解答|批复)$")
# What titles of interpretations are padded with: people leave it out, each in another way.
_FILLERS = re.compile(
    r"关于|适用法律问题|适用法律|具体应用法律|应用法律|若干问题|有关问题|适用|审理|办理|贯彻执行|执行|案件|纠纷|的若干|若干|的|司法"
)
_COUNTRY_RU = re.compile(r"\s*(?:российской федерации|рф|россии)\b")


@dataclass(frozen=True, slots=True)
class LawKey:
    """What identifies a law among its ways of being named."""

    core: str
    kind: str
    """``interpretation`` for what courts issue about a law or a kind of case, else ``act``."""
    number: int | None = None
    """The （三） of an interpretation."""
    issued_by_court: bool = False
    issuer: str = ""
    """The ministry or office that its name begins with: 劳动部关于…的办法."""


# Names repeat: one text cites the same few laws.
@lru_cache(maxsize=1 << 16)
def law_key(name: str) -> LawKey:
    """The key of a law's name, in whatever form it was written."""
    plain = nfkc(html.unescape(name)).strip().lower()
    plain = _VERSION.sub("", plain.strip())
    if re.search("[а-я]", plain):
        return LawKey(_russian(plain), "act")
    # Neither Russian nor Chinese: the forms of English names are left.
    if not re.search("[\u3400-\u9fff]", plain):
        return LawKey(_english(plain), "act")
    return _chinese(_VERSION.sub("", _QUOTES.sub("", plain)))


def same_law(a: str, b: str) -> bool:
    """Whether two names are of the same law: ``刑法`` and ``中华人民共和国刑法``, not ``合同法`` and ``劳动合同法``."""
    return same_key(law_key(a), law_key(b))


def same_key(one: LawKey, other: LawKey) -> bool:
    """Whether two keys are of the same law; an interpretation by a court goes by its subject and number."""
    if not one.core or one.core != other.core or one.number != other.number:
        return False
    # Two ministries may each have a 管理办法 on the same matter; where only one is named, it may be either.
    if one.issuer and other.issuer and one.issuer != other.issuer:
        return False
    if one.kind == other.kind:
        return True
    # 民间借贷规定 is the nickname of what the court issued; 民事诉讼法 is not its interpretation.
    return {one.kind, other.kind} == {"rule", "interpretation"} and (one.issued_by_court or other.issued_by_court)


_LEAST_SHORT = 4
"""Letters of a name from which it may be a title that parts were left out of."""


def is_short_for(short: LawKey, name: str, title: LawKey, full: str) -> bool:
    """Whether a name may be that of a court's interpretation with parts of its title left out: 执行异议和复议规定, 民法典担保制度解释.

    What is left stands in the title in its order, in pieces of two letters or more; number and last word are the title's.
    """
    if short.kind not in {"interpretation", "rule"} or not title.issued_by_court or len(short.core) < _LEAST_SHORT:
        return False
    endings = {
        found[0].removeprefix("司法") for one in (name, full) if (found := _INTERPRETATION.search(_unnumbered(one)))
    }
    return len(endings) == 1 and short.number in {None, title.number} and _in_pieces(short.core, title.core)


def _unnumbered(name: str) -> str:
    return _NUMBER.sub("", nfkc(name).strip(" 《》"))


def _in_pieces(short: str, long: str) -> bool:
    return not short or any(
        (place := long.find(short[:size])) >= 0 and _in_pieces(short[size:], long[place + size :])
        for size in range(len(short), 1, -1)
    )


def _chinese(name: str) -> LawKey:
    name = _OLD_OR_NEW.sub("", name.replace("中华人民共和国", "").replace("我国", ""))
    # 刑法典 is what people call 刑法; only the civil code has it in its name.
    if name.endswith("法典") and name != "民法典":
        name = name.removesuffix("典")
    name = ABBREVIATIONS.get(name, name)
    issued = _ISSUER.match(name)
    if issued and not _COURT.match(name):
        return dataclasses.replace(_chinese(name[issued.end() :]), issuer=issued[1])
    court = _COURT.match(name)
    body = name[court.end() :] if court else name
    number = None
    stem = body
    if match := _NUMBER.search(body):
        head = body[: match.start()]
        # Without the ending of an interpretation the number belongs to the name.
        if _INTERPRETATION.search(head):
            value = parse_number(match[1])
            number, stem = (int(value) if value is not None else None), head
    about_law = bool(re.search(r"(?:法|典|编|通则|诉讼|诉|条例)(?:若干问题)?(?:的)?(?:司法解释|解释)$", stem))
    named = re.match(r"关于(?:适用|审理|办理|贯彻执行|执行)", stem) or re.search(r"若干问题的|司法解释$", stem)
    suffix = _INTERPRETATION.search(stem)
    if suffix and (court or about_law or named or stem.endswith("解释")):
        subject = _FILLERS.sub("", stem[: suffix.start()])
        subject = ABBREVIATIONS.get(subject, subject)
        return LawKey(subject, "interpretation", number, issued_by_court=bool(court))
    core = body.removeprefix("关于") if not court else _FILLERS.sub("", body)
    if suffix:
        # 民间借贷规定 is what people call a court's provisions; the kind tells it from a ministry's of that name.
        core_subject = _FILLERS.sub("", stem[: suffix.start()])
        # 暂行规定 and 试行规定 are a ministry's.
        if core_subject and suffix[0] == "规定" and not re.search("[暂试]行$", core_subject):
            return LawKey(core_subject, "rule", number)
    return LawKey(core, "act", number)


def _russian(name: str) -> str:
    name = re.sub(r"[«»\"“”]", "", name.replace("ё", "е"))
    name = re.sub(r"\((?:часть|ч\.)[^)]{0,20}\)|,?\s*част[ьи]\s+\w+", "", name)
    name = re.sub(r"\s+", " ", name).strip(" .,")
    name = re.sub(r"(?<=\d)\s?-?\s?(?=фк?з\b)", "-", name)
    # Two codes that go by their initials are declined: КоАПа, КАСа.
    name = re.sub(r"^(коап|кас)(?:а|у|ом|е)\b", r"\1", name)
    name = re.sub(r"^пп рф\b", "постановление правительства рф", name)
    if name in ABBREVIATIONS:
        return ABBREVIATIONS[name]
    if decree := _decree(name):
        return decree
    if re.match(r"об?о?\s", name):
        name = f"закон {name}"
    # ФЗ-152, 152-ФЗ, 152 ФЗ, ФЗ № 152, 152-ФЗ «О персональных данных»
    if bare := re.fullmatch(r"(\d{1,4})[-\s]?(фк?з)(?:\sоб?\s.*)?|(фк?з)[-–\s]?(?:(?:№|no?)\s?)?(\d{1,4})", name):
        return f"закон {bare[1] or bare[4]}-{bare[2] or bare[3]}"
    # A federal law is its number: its title is given in many ways. Protocols and conventions have numbers of their own.
    treaty = re.match(r"(?:[а-я-]+ )?(?:протокол|конвенци)", name)
    if not treaty and (number := re.search(r"(?:№|\bno|\bn)\s*(\d{1,4}(?:/\d+)?-?(?:фз|фкз|1|i\b)?)", name)):
        # Laws of the first years were numbered with a Roman numeral, which many write as a digit: 2300-I.
        written = f"закон {number[1].replace('i', '1')}"
        return ABBREVIATIONS.get(written, written)
    name = _COUNTRY_RU.sub("", name).strip()
    name = re.sub(r"^(?:федеральн\w{2,3}\s(?:конституционн\w{2,3}\s)?)?закон(?:а|у|ом|е)?\b|^фк?з\b", "закон", name)
    # Закон 152-ФЗ «О персональных данных»: the number without its sign.
    name = re.sub(r"^(закон \d{1,4}-фк?з)\b.*", r"\1", name)
    name = re.sub(r"\bкодекс(?:а|у|ом|е)\b", "кодекс", name)
    name = re.sub(r"^(конституци|конвенци)(?:и|ю|ей)\b", r"\1я", name)
    name = re.sub(r"^директив(?:ы|е|у|ой)\b", "директива", name)
    name = re.sub(r"^([а-я-]{3,20})(?:ой|ую|ей) (конвенци|деклараци)(?:и|ю|ей)\b", r"\1ая \2я", name)
    name = re.sub(r"^правил(?:|ам|ами|ах)\b", "правила", name)
    name = re.sub(r"^(договор|кзот|регламент|устав|протокол)(?:а|у|ом|е)\b", r"\1", name)
    name = re.sub(r"^международн(?:ого|ому|ым|ом) пакт(?:а|у|ом|е)\b", "международный пакт", name)
    if "уложени" in name:
        # Neuter in every case: Германского гражданского уложения.
        return re.sub(r"(\w{3,}?)(?:ого|ому|ое|ом|им|ем|ия|ию|ии|ие)\b", r"\1", name)
    # Adjectives in front of the word: that of the кодекс административного судопроизводства is of the next one.
    if "кодекс" in name:
        adjectives, word, rest = name.partition("кодекс")
        name = re.sub(r"\b([а-я-]{3,}?)(?:ого|ому|ым|ом)\b", _masculine, adjectives) + word + rest
    return ABBREVIATIONS.get(name, name)


def _decree(name: str) -> str:
    """The key of what is no statute: rulings of a plenum, letters, decrees; empty for any other name."""
    if plenum := re.search(r"пленум|\bпп(?=\s?в[са]?с\b)", name):
        # A plenum's ruling is its court, number and year: everything else is written in many ways.
        court = "вас" if re.search(r"\bвас\b|арбитражн", name[plenum.end() :][:40]) else "вс"
        number, year = re.search(r"(?:№|\bno?)\s?(\d{1,3})", name), re.search(r"(?:19|20)\d\d", name)
        return f"пленум {court} {number[1] if number else ''} {year[0] if year else ''}"
    # Decrees have numbers of their own: № 354 of the government is no federal law.
    number_of = re.search(r"(?:№|\bno|\bn)\s*(\d{1,5})", name)
    # Those of the central bank too: its указание is no указ of the president.
    if number_of and (bank := re.match(r"(указани|положени|инструкци)\w{1,3}\s(?:цб|центрального|банка россии)", name)):
        return f"{bank[1]} банка {number_of[1]}"
    # A ministry's letter is its number with the marks of its department.
    if letter := re.match(r"(?:информационн\w{2,3} )?письм.*?(?:№|\bno|\bn)\s*([\w/@-]+)", name):
        return f"письмо {letter[1]}"
    decree = re.match(r"(постановлени|распоряжени|указ(?!ани)|приказ|правил)", name)
    if decree and (number := re.search(r"(?:№|\bno|\bn)\s*(\d{1,5}[а-я]?)", name)):
        return f"{decree[1]} {number[1]}"
    return ""


def _masculine(match: re.Match[str]) -> str:
    stem = match[1]
    # The adjective's nominative, so that Трудового кодекса and Трудовой кодекс are one.
    return stem + ("ой" if stem in {"трудов", "лесн"} else "ий" if stem[-1] in "кгх" else "ый")


def _english(name: str) -> str:
    name = re.sub(r"^(?:the|of the|of)\s+", "", name)
    name = re.sub(r"[^\w\s]", "", name)
    return ABBREVIATIONS.get(name, re.sub(r"\s+", " ", name).strip())
