"""Numbers that lead to a person: identity documents, phones, plates, accounts, and e-mail addresses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from benchbar.languages.personal_data import checksums
from benchbar.languages.personal_data.kinds import PersonalKind
from benchbar.languages.text import Span

# Every repetition is bounded and every pattern starts at a character that few texts repeat: time is linear.
_IS = r"[\s:：,，是为—-]{0,4}(?:(?:is|number|no\.?|номер|серия|号码?|[#№])[\s:：]{0,3}){0,2}"
_NO_UNIT = r"(?!\d|[.,]\d|\s?(?:元|万|亿|条|руб|₽|%))"
_OPEN, _CLOSE = r"(?<![A-Za-z0-9])", r"(?![A-Za-z0-9])"


@dataclass(frozen=True)
class _Form:
    kind: PersonalKind
    pattern: re.Pattern[str]
    holds: Callable[[str], bool] | None = None
    """Asked with the letters and digits alone."""


def _form(kind: PersonalKind, pattern: str, holds: Callable[[str], bool] | None = None) -> _Form:
    return _Form(kind, re.compile(pattern, re.IGNORECASE), holds)


def _has_digits(least: int) -> Callable[[str], bool]:
    return lambda value: sum(char.isdecimal() for char in value) >= least


_CYRILLIC_PLATE = "[АВЕКМНОРСТУХABEKMHOPCTYX]"
_FORMS = (
    _form(PersonalKind.EMAIL, r"(?<![A-Za-z0-9.+%_-])([A-Za-z0-9.+%_-]{1,64}@(?:[A-Za-z0-9\u0400-\u04ff-]{1,63}\.){1,5}[A-Za-z\u0400-\u04ff]{2,24})"),
    # Identity documents.
    _form(PersonalKind.ID, rf"{_OPEN}(\d{{17}}[\dX]){_CLOSE}", checksums.is_resident_id),
    _form(PersonalKind.ID, rf"{_OPEN}(\d{{17}}[\dX]){_CLOSE}", checksums.is_like_resident_id),
    _form(
        PersonalKind.ID,
        rf"(?:身份证件?|公民身份|身份号码|证件)(?:号码|号)?{_IS}(\d{{15}}(?:\d{{2}}[\dX])?){_CLOSE}",
    ),
    _form(PersonalKind.ID, rf"{_OPEN}(\d{{15}}){_NO_UNIT}{_CLOSE}", checksums.is_old_resident_id),
    _form(PersonalKind.ID, rf"(?:护照|通行证|社保卡?|医保卡?|驾驶证|军官证)(?:号码|号)?{_IS}([A-Z]{{0,2}}\d{{7,15}}){_CLOSE}"),
    _form(
        PersonalKind.ID,
        r"паспорт[\w\s,:.]{0,60}?(\d{2}\s?\d{2}[\s,]{0,2}(?:№|номер|N|no\.?)?\s{0,2}\d{6})(?!\d)",
    ),
    _form(PersonalKind.ID, r"сери[яией]{1,2}\s{1,2}(\d{2}\s?\d{2}[\s,]{0,2}(?:№|номер|N)?\s{0,2}\d{6})(?!\d)"),
    _form(PersonalKind.ID, r"(?<!\d)(\d{2}\s\d{2}\s№\s?\d{6})(?!\d)"),
    _form(PersonalKind.ID, r"(?<!\d)(\d{3}-\d{3}-\d{3}[\s-]\d{2})(?!\d)"),
    _form(PersonalKind.ID, rf"СНИЛС{_IS}(\d{{3}}[\s-]?\d{{3}}[\s-]?\d{{3}}[\s-]?\d{{2}})(?!\d)"),
    _form(PersonalKind.ID, rf"(?<!\d)(\d{{11}}){_NO_UNIT}", lambda value: value[0] == "0" and checksums.is_snils(value)),
    _form(PersonalKind.ID, rf"ИНН{_IS}(\d{{12}}|\d{{10}})(?!\d)"),
    _form(PersonalKind.ID, rf"(?<![\d.])(\d{{12}}){_NO_UNIT}", checksums.is_inn),
    _form(
        PersonalKind.ID,
        rf"(?:водительск\w{{2,3}}\sудостоверени\w{{1,2}}|загранпаспорт\w?|полис\w?(?:\sОМС)?){_IS}"
        r"(\d{2}[\s№]{0,2}[\dА-Я]{2}[\s№]{0,2}\d{5,12})(?!\d)",
    ),
    _form(PersonalKind.ID, r"(?<![\d-])(\d{3}-\d{2}-\d{4})(?![\d-])", checksums.is_social_security),
    _form(PersonalKind.ID, rf"(?:SSN|social\ssecurity){_IS}(\d{{3}}[\s-]?\d{{2}}[\s-]?\d{{4}})(?!\d)"),
    _form(PersonalKind.ID, rf"{_OPEN}([A-CEGHJ-PR-TW-Z]{{2}}\s?\d{{2}}\s?\d{{2}}\s?\d{{2}}\s?[A-D]){_CLOSE}"),
    _form(
        PersonalKind.ID,
        rf"(?:passport|driver'?s?\slicen[cs]e|driving\slicen[cs]e|licen[cs]e\snumber|national\sid|identity\scard|"
        rf"medicare|\bID\s(?:card|number|no\.?)){_IS}((?-i:[A-Z]{{0,3}}-?\d[\dA-Z-]{{4,18}}(?:\s\d{{2,6}}){{0,3}})){_CLOSE}",
        _has_digits(5),
    ),
    # HMRC gives out no number that begins with Q or D; behind the words somebody means one all the same.
    _form(PersonalKind.ID, rf"(?:\bNI|national\sinsurance){_IS}([A-Z]{{2}}\s?\d{{2}}\s?\d{{2}}\s?\d{{2}}\s?[A-D]){_CLOSE}"),
    # Accounts.
    _form(PersonalKind.ACCOUNT, rf"{_OPEN}([A-Z]{{2}}\d{{2}}(?:\s?[A-Z0-9]{{4}}){{2,7}}(?:\s?[A-Z0-9]{{1,3}})?){_CLOSE}", checksums.is_iban),
    _form(
        PersonalKind.ACCOUNT,
        rf"(?:账户|账号|帐号|帐户|卡号|银行卡|储蓄卡|信用卡|支付宝)(?:号码?)?{_IS}(?:尾号)?(\d(?:[\s-]?\d){{7,24}})(?!\d)",
    ),
    _form(PersonalKind.ACCOUNT, rf"(?:сч[её]т\w{{0,2}}|карт[аыуое]й?(?:\s[А-Яа-яЁёA-Za-z-]{{2,20}}){{0,2}}|р/с|л/с)\s?{_IS}(\d(?:[\s-]?\d){{11,24}})(?!\d)"),
    _form(PersonalKind.ACCOUNT, rf"(?:account|acct\.?|card){_IS}(\d(?:[\s-]?\d){{6,24}})(?!\d)"),
    _form(PersonalKind.ACCOUNT, rf"(?:routing|sort\scode){_IS}(\d{{9}}|\d{{2}}-\d{{2}}-\d{{2}})(?!\d)"),
    # Phones.
    _form(PersonalKind.PHONE, rf"(?<![\d.])((?:\+?86[\s-]?)?1[3-9]\d(?:[\s-]?\d{{4}}){{2}}){_NO_UNIT}"),
    _form(PersonalKind.PHONE, rf"(?<![\d-])(\(?0\d{{2,3}}\)?[\s-]\d{{7,8}}(?:[-转]\d{{1,5}})?){_NO_UNIT}"),
    _form(PersonalKind.PHONE, rf"(?:电话|手机|座机|微信|QQ)(?:号码?)?{_IS}(\+?\d[\d\s-]{{4,16}}\d)(?!\d)", _has_digits(5)),
    _form(
        PersonalKind.PHONE,
        r"(?<![\d+])((?:\+\s?7|8)[\s-]?\(?\d{3}\)?[\s-]?\d{3}[\s-]?\d{2}[\s-]?\d{2})" + _NO_UNIT,
    ),
    _form(PersonalKind.PHONE, r"(?<!\d)(\(\d{3,5}\)\s?\d{1,3}-\d{2}-\d{2})(?!\d)"),
    _form(PersonalKind.PHONE, rf"(?:тел(?:ефон\w{{0,2}})?|моб)\.?{_IS}(\d[\d\s()-]{{4,16}}\d)(?!\d)", _has_digits(5)),
    _form(PersonalKind.PHONE, r"(?<![\w+-])((?:\+?1[\s.-])?\(?\d{3}\)?[\s.-]{1,2}\d{3}[.-]\d{4})(?![\w-])"),
    _form(PersonalKind.PHONE, r"(?<![\w+-])(?<!\d\s)((?:\+44\s?(?:\(0\)\s?)?|0)\d{2,4}[\s-]\d{3,4}[\s-]?\d{3,4})(?![\w-])"),
    _form(PersonalKind.PHONE, r"(?<!\w)(\+\d{1,3}(?:[\s-]?\(?\d{1,4}\)?){2,5})(?!\w)", _has_digits(8)),
    _form(PersonalKind.PHONE, rf"(?:phone|mobile|cell|tel|whatsapp)\.?{_IS}(\+?\d[\d\s().-]{{5,16}}\d)(?!\d)", _has_digits(7)),
    # Plates.
    _form(
        PersonalKind.PLATE,
        rf"([京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼][A-Z]\s?[·•.-]?\s?[A-Z0-9]{{4,5}}[A-Z0-9挂学警港澳]){_CLOSE}",
        _has_digits(2),
    ),
    _form(
        PersonalKind.PLATE,
        rf"(?<!\w)({_CYRILLIC_PLATE}\s?\d{{3}}\s?{_CYRILLIC_PLATE}{{2}}\s?\d{{2,3}}(?:\s?(?:RUS|рус))?)(?!\w)",
    ),
    _form(PersonalKind.PLATE, rf"{_OPEN}([A-Z]{{2}}\d{{2}}\s[A-Z]{{3}}){_CLOSE}"),
    _form(
        PersonalKind.PLATE,
        rf"(?:licen[cs]e\splates?|number\splates?|plates?|vehicle\sregistration|registered\sas){_IS}"
        rf"([A-Z0-9]{{1,4}}[\s-]?[A-Z0-9]{{2,5}}){_CLOSE}",
        _has_digits(1),
    ),
    _form(PersonalKind.ACCOUNT, r"(?<![\d.])(4\d{19})(?!\d)"),
    _form(PersonalKind.ACCOUNT, rf"{_OPEN}(\d{{16,19}}){_NO_UNIT}{_CLOSE}"),  # nothing else in legal texts is so long
    _form(PersonalKind.ACCOUNT, rf"(?<![\d.])(\d(?:[\s-]?\d){{12,18}}){_NO_UNIT}", checksums.is_card),
)  # fmt: skip


def find_numbers(text: str) -> Iterator[tuple[Span, PersonalKind]]:
    """Spans of numbers and e-mail addresses that lead to a person, in the order of how sure their form is."""
    if not any(char.isdecimal() or char == "@" for char in text):
        return
    for form in _FORMS:
        for match in form.pattern.finditer(text):
            value = "".join(char for char in match[1] if char.isalnum())
            if form.holds is None or form.holds(value):
                yield match.span(1), form.kind
