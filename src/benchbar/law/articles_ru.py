"""How articles stand in Russian texts: the word and its list of numbers, or numbers beside their code."""

from __future__ import annotations

import re

from benchbar.law.names_ru import GERMAN_CODE, LAW

# Every repetition is bounded: time is linear in the text.
_NUMBER = r"\d{1,5}(?:[¹²³⁴⁵⁶⁷⁸⁹⁰]{1,2}|(?:[.\u2011-]\d{1,3}){0,3})(?:-(?:я|й|ю|ей|ой|ую)(?![а-яё]))?"
# 115 ФЗ is a law, and no article before it, unless the law's own number or title follows; 115-ФЗ with its hyphen always is.
_NO_NUMBER_OF_LAW = r"(?!\d{1,4}\s?[-–]\s?ФК?З(?![а-яё]))"
NO_LAW = rf"{_NO_NUMBER_OF_LAW}(?!\d{{1,4}}\s?ФК?З(?!\s?(?:№|N|от\s|[«\"“]|[-–]\d)))"
# A semicolon only before a number that goes on with the list: ст. 15; 16; 17 ГК РФ.
_JOIN = r"(?:\s?,\sа\sтакже\s|\s?,\s?|\s?[-–—]\s?|\s(?:и|или|по|до)\s|\s?;\s?(?=\d[\d.]{0,6}(?:[;,]|\sи\s\d|\s(?!ФЗ)[А-ЯЁ])))"
# What an article is about may stand behind its number: ст. 15 (убытки), 393 (ответственность) ГК РФ.
NOTE = r"\s\([а-яё][а-яё\s,-]{3,60}\)"
LIST = rf"(?:со?\s)?{_NUMBER}(?:(?:{NOTE})?{_JOIN}{NO_LAW}{_NUMBER}){{0,30}}"
_ORDINAL_NUMBER = r"\d{1,4}(?:\.\d{1,3})?-(?:я|й|ю|ей|ой|ую)"
_CODE = r"(?:ГК|УК|ТК|НК|ГПК|АПК|УПК|КоАП|СК|ЖК|ЗК|БК|КАС|ГрК|УИК)"
WORD_OF_ARTICLE = r"стат(?:ья|ьи|ье|ью|ей|ьей|ьёй|ьям|ьями|ьях)"
ARTICLE = re.compile(
    rf"(?:(?<![\w.])|(?<=\d)(?=ст\.))(?:(?:{WORD_OF_ARTICLE}|ст\.?\s?ст\.|ст\.?):?\s{{0,3}}(?:№\s?)?(?:{_NO_NUMBER_OF_LAW}({LIST}))(?![\d])|(\d{{1,4}}(?:\.\d{{1,3}})?)-(?:я|й|ю|ей|ой|ую)\s{WORD_OF_ARTICLE}(?![а-яё])"
    # The number before the word, where a law stands behind: по 223 статье ГК; before its code alone: 159 УК РФ, 228-й и 105-й УК, 158 ч. 2 УК.
    rf"|(\d{{1,4}}(?:\.\d{{1,3}})?)(?:\s(?:статья|статье|статьи|статьей|статьёй|статью)(?={LAW.pattern})|(?:-(?:я|й|ю|ей|ой|ую))?(?=\s{_CODE}\sРФ(?![\wа-яё]))|(?<=\d\.\d)(?=\s{_CODE}(?![\wа-яё]))|(?<=\d\.\d\d)(?=\s{_CODE}(?![\wа-яё]))"
    # A number of three digits in daily words: уволили по 140 тк можно, сел за 228 УК. По 120 УК города are companies.
    rf"|(?:(?<=по\s\d\d\d)|(?<=за\s\d\d\d)|(?<=про\s\d\d\d))(?=\s{_CODE}(?![\wа-яё])(?:(?<=(?-i:[а-я]))|\s?(?:[,.;:!?)]|$)))"
    rf"|(?=(?:\s?[чп]\.?\s?\d{{1,2}}(?:\.\d)?){{1,2}}\s{_CODE}(?![\wа-яё]))|(?<=1[0-5]\d\d)(?=\s(?:(?-i:гк)|ГК(?=\s?(?:[,.;:!?)]|$)))(?![\wа-яё])))(?<!(?:19|20)\d\d(?=\s))"
    rf"|(?P<ordinals>{_ORDINAL_NUMBER}(?:(?:,\s|\sи\s|\sили\s){_ORDINAL_NUMBER}){{0,6}})(?:\sстат(?:ьям|ьях|ьи|ьями|ей)(?![а-яё])|(?=\s{_CODE}(?![\wа-яё])))"
    rf"|(?P<several>\d{{1,4}}(?:\.\d{{1,3}})?(?:(?:,\s|\sи\s|\s?[–-]\s?)\d{{1,4}}(?:\.\d{{1,3}})?){{1,8}})\sстат(?:ьи|ьям|ьями|ьях|ей)(?={LAW.pattern})"
    # Paragraphs of the German codes: § 823 ГГУ.
    rf"|§§?\s?(?P<signed>{LIST})(?=\s(?:{GERMAN_CODE}))"
    r")",
    re.IGNORECASE,
)
