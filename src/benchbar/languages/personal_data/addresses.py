"""Addresses from the street on; province, city and district stay, since the law may depend on them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchbar.languages.text import Span

_NUMBERED = re.compile(
    r"(?:\d{1,5}(?:[-－]\d{1,5})?|[一二三四五六七八九十]{1,3})(?:号院|号楼|号|弄|栋|幢|座|单元|室)"
    r"(?:[\s之]?(?:[A-Z]|\d{1,5}(?:[-－]\d{1,5}){0,3}|[一二三四五六七八九十]{1,3})(?:号楼|号|弄|栋|幢|座|单元|楼|层|室|户)?){0,6}"
)
_WAY = re.compile(r"(?:路|街|道|巷|弄|胡同|村|庄|屯|组|小区|花园|苑|里|园|城|坊|公寓|大厦|新村|家园|社区|段|府|湾)$")
_REGION = re.compile(r"(?:省|自治区|市|区|县|旗|镇|乡|街道)(?!路|街|道|巷)")
_CHINESE_TAIL = re.compile(r"[\u4e00-\u9fff]{2,24}$")
_LEAD = re.compile(
    r"(?:住址|地址|居住|住在|住于|住所地?|现住|户籍地?|坐落于?|位于|寄到|送到|搬到|租住|承租|购买|[在于住到为是至的，：了])"
)
_RU = re.compile(
    r"(?<![\w-])((?:ул|просп|пр|пер|ш|наб|б-р|пл|мкр)\.\s?|пр-к?т\.?\s|(?:улиц[аеыу]|проспект[еау]?|переул(?:ок|ке)|шоссе|набережн(?:ая|ой)|бульвар[еа]?|площад[ьи]|микрорайон[еа]?)\s)"
    r"[А-ЯЁ\d][\w.-]{0,30}(?:\s[\w.-]{1,30}){0,4}?,?\s{0,2}(?:(?:д|дом|зд|вл)\.?\s?)?№?\s?\d{1,4}[а-яА-Я]?(?:/\d{1,4})?"
    r"(?:,?\s{0,2}(?:корпус|корп|квартира|кв|к|строение|стр|литера?|лит|офис|оф|пом|подъезд|под)\.?\s?\d{0,4}[А-Яа-я]?(?!\w)){0,4}"
)
_RU_BY_ADJECTIVE = re.compile(
    r"(?<![\w-])[А-ЯЁ][а-яё-]{2,24}(?:ая|ой|ую|ий|ый|ого|ом|ому|ем)\s(?:улиц[аеыу]|проспект[еау]?|переул(?:ок|ке)|шоссе|набережн(?:ая|ой)"
    r"|бульвар[еа]?|площад[ьи]),?\s{0,2}(?:(?:дом|д)\.?\s?)?№?\s?\d{1,4}[а-яА-Я]?(?:/\d{1,4})?(?!\w)"
)
"""With the name before the word: на Московской улице, дом 88."""
_EN_WAY = (
    "Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Place|Pl|Terrace|Way|Close|Crescent|Square|Sq"
    "|Parkway|Pkwy|Highway|Hwy|Gardens|Grove|Mews|Row"
)
_EN = re.compile(
    rf"(?<![\w-])(?:(?:Flat|Apt|Apartment|Unit|Suite)\.?\s#?\d{{1,5}}[A-Z]?,?\s)?\d{{1,5}}[A-Z]?\s(?:[NSEW]\.?\s)?(?:[A-Z0-9][\w'’]{{0,20}}\s){{1,4}}(?:{_EN_WAY})\b\.?"
    r"(?:,?\s(?:Apt|Apartment|Suite|Ste|Unit|Flat|Floor|Fl|#)\.?\s?#?\w{1,6})?"
)
_POSTCODE = re.compile(r"(?<![\w-])[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2}(?!\w)")
_LOOK_BACK = 24


def find_addresses(text: str) -> Iterator[Span]:
    """Spans of addresses in Chinese, Russian and English."""
    if not any(char.isdecimal() for char in text) and "号" not in text:
        return
    yield from _chinese(text)
    for pattern in (_RU, _RU_BY_ADJECTIVE, _EN, _POSTCODE):
        yield from (match.span() for match in pattern.finditer(text))


def _chinese(text: str) -> Iterator[Span]:
    """A numbered house, with the street or estate before it; looked for backwards from the number."""
    for house in _NUMBERED.finditer(text):
        before = _CHINESE_TAIL.search(text[max(0, house.start() - _LOOK_BACK) : house.start()])
        if not before or not _WAY.search(before[0]):
            continue
        name = before[0]
        cuts = [
            match.end()
            for pattern in (_REGION, _LEAD)
            for match in pattern.finditer(name)
            if match.end() < len(name) - 1
        ]
        yield house.start() - len(name) + max(cuts, default=0), house.end()
