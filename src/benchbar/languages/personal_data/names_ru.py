"""Names of people in Russian texts, in all cases: by patronymic, initials, given name, or the word before them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from benchbar.languages.personal_data.name_lists import RU_GIVEN
from benchbar.languages.text import Span

_WORD = r"[А-ЯЁ][а-яё]{1,24}(?:-[А-ЯЁ][а-яё]{1,24})?"
_LOUD = r"[А-ЯЁ]{2,24}(?:-[А-ЯЁ]{2,24})?"
_TOKEN = re.compile(rf"(?<![\w-])(?:{_WORD}|{_LOUD})(?![\w-])")
_PATRONYMIC = re.compile(
    r".{2,16}?(?:(?:[оеё]в|ь|м|к|н|л)ич(?:а|у|ем|ом|е)?|(?:[оеё]вн|ичн)(?:а|ы|е|у|ой|ою))", re.IGNORECASE
)
_INITIALS_AFTER = re.compile(r"\s{1,2}([А-ЯЁ]\.\s?(?:[А-ЯЁ]\.)?)(?!\w)")
_INITIALS_BEFORE = re.compile(r"(?<!\w)([А-ЯЁ]\.\s?(?:[А-ЯЁ]\.\s?)?)$")
_SURNAME = re.compile(
    r".{2,20}?(?:(?:[оеё]в|[иы]н)(?:а|у|ым|ом|е|ой|ых|ы)?|(?:ск|цк)(?:ий|ого|ому|им|ом|ая|ой|ую)|(?:[уюя]к|ян|идзе|швили|ович|евич)(?:а|у|ом|ем|е)?"
    r"|[еи]?нко|ых|их|ой|ый|ец|ло)",
    re.IGNORECASE,
)
_CUE = re.compile(
    r"(?:граждан(?:ин\w{0,2}|к\w{1,2}|е)|гр\.|истец|истц\w{1,2}|истиц\w{1,2}|ответчи[кц]\w{0,3}|свидетел\w{1,3}|потерпевш\w{2,3}|подсудим\w{2,3}|обвиняем\w{2,3}"
    r"|осужд[её]нн\w{2,3}|подозреваем\w{2,3}|адвокат\w{0,2}|судь[яиюе]й?|нотариус\w{0,2}|представител\w{1,2}|директор\w{0,2}|заявител\w{1,3}|должник\w{0,2}|взыскател\w{1,2}"
    r"|господин\w{0,2}|госпож\w{1,2}|г-н\w?|г-жа|ИП|меня\sзовут|зовут|сосед\w{0,3}|муж\w{0,2}|жен[аыуе]й?|сын\w{0,2}|дочь|дочери|брат\w{0,2}|сестр\w{1,2}|работник\w{0,2}"
    r"|арендатор\w{0,2}|арендодател\w{1,2}|наследни[кц]\w{0,3}|ФИО|фамилия|родственник\w{0,2}|коллег\w{1,2}|водител\w{1,2}|покупател\w{1,2}|продав[ец]\w{1,2})(?:\s(?:ООО|П?АО|ЗАО|ИП|ТСЖ|АНО)(?:\s[«\"][^«»\"\n]{1,40}[»\"])?)?[:\s]{1,3}$",
    re.IGNORECASE,
)
"""The word before a name; also with the company between them, as in директор ООО «Вектор» Шестаков."""
_COMMON = (
    "российской российская россии федерации федеральный федеральная кодекс кодекса конституции конституция верховный верховного суд суда судья постановление "
    "пленум пленума закон закона статья статьи москва москвы москве московский московской московского область области край края республика республики истец истца "
    "истцу ответчик ответчика гражданин гражданина гражданка гражданки свидетель потерпевший подсудимый адвокат господин госпожа директор генеральный согласно однако "
    "если при также он она они мы вы мой моя наш ваш как что это договор договора иск заявление прошу общество банк банка сбербанк тинькофф росреестр договором "
    "департамент министерство районный районного городской городского областной областного арбитражный арбитражного мировой нотариус представитель заявитель "
    "петербург петербурга санкт-петербург ленинградский ленинской ленинский уголовный гражданский гражданского уголовного трудовой трудового семейный жилищный "
    "налоговый казань казани самара новосибирск екатеринбург екатеринбурге ростов краснодар января февраля марта апреля мая июня июля августа сентября октября ноября декабря "
    "водитель сосед соседка муж жена сын дочь брат сестра работник наследник родственник продавец покупатель арендатор фио паспорт телефон тел адрес"
)
_NOT_NAMES = frozenset(_COMMON.split())
_PLAIN_SURNAME = re.compile(r"[А-ЯЁ][а-яё]{1,14}(?:[оеё]в|[иы]н)(?:а|у|ым|ой)?")
_PLACE_BEFORE = frozenset(
    [
        "в",
        "во",
        "из",
        "до",
        "под",
        "над",
        "через",
        "по",
        "на",
        "близ",
        "города",
        "городе",
        "городу",
        "город",
        "имени",
        "улица",
        "улице",
        "улицы",
        "село",
        "селе",
        "станции",
    ]
)
_PLACE_AFTER = re.compile(r"\s(?:област|район|край|улиц|проспект|город|республик|округ|суд|переул|шоссе|площад)")
_MASKED = "Ы"
_ENDINGS = (
    "ого",
    "ому",
    "ыми",
    "ими",
    "ой",
    "ую",
    "ая",
    "ий",
    "ый",
    "им",
    "ым",
    "ом",
    "ем",
    "ою",
    "ею",
    "ей",
    "ых",
    "их",
)
Token = tuple[int, int, str]


def stem_ru(word: str) -> str:
    """What the forms of a name have in common: Иванов, Иванова and Ивановым are one."""
    low = word.lower().replace("ё", "е")
    for ending in _ENDINGS:
        if low.endswith(ending) and len(low) - len(ending) >= 4:
            return low[: -len(ending)]
    return low[:-1] if low[-1] in "аяуюеыийь" and len(low) > 3 else low


def find_names_ru(text: str) -> Iterator[Span]:
    """Spans of names, of one word where a name in full or a role shows that it is a surname."""
    tokens = [
        (match.start(), match.end(), match[0])
        for match in _TOKEN.finditer(text)
        if match[0].lower() not in _NOT_NAMES and not match[0].startswith(_MASKED)
    ]
    found = sorted({*_with_patronymic(text, tokens), *_with_initials(text, tokens), *_with_given(text, tokens)})
    single = {*_after_roles(text, tokens), *_alone(text, tokens)}
    found += [span for span in sorted(single) if not _touches(span, found)]
    yield from found
    known = {stem_ru(word) for start, end in found for word in _TOKEN.findall(text[start:end]) if _is_surname(word)}
    for start, end, word in tokens:
        if stem_ru(word) in known:
            yield start, end


def _touches(span: Span, others: list[Span]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in others[-64:])


def _near(text: str, left: Token, right: Token) -> bool:
    return 0 < right[0] - left[1] <= 2 and text[left[1] : right[0]].isspace()


def _is_given(word: str) -> bool:
    return word.lower() in RU_GIVEN


def _is_surname(word: str) -> bool:
    return bool(_SURNAME.fullmatch(word)) and not _is_given(word) and not _PATRONYMIC.fullmatch(word)


def _with_patronymic(text: str, tokens: list[Token]) -> Iterator[Span]:
    """Given name and patronymic, with the word before or behind that is the surname."""
    for index in range(1, len(tokens)):
        given, patronymic = tokens[index - 1], tokens[index]
        if not (_near(text, given, patronymic) and _PATRONYMIC.fullmatch(patronymic[2])):
            continue
        start, end = given[0], patronymic[1]
        before = tokens[index - 2] if index > 1 else None
        after = tokens[index + 1] if index + 1 < len(tokens) else None
        if before and _near(text, before, given) and (_is_given(given[2]) or _is_surname(before[2])):
            start = before[0]
        elif after and _near(text, patronymic, after) and _is_surname(after[2]):
            end = after[1]
        if start < given[0] or end > patronymic[1] or _is_given(given[2]):
            yield start, end


def _with_initials(text: str, tokens: list[Token]) -> Iterator[Span]:
    for start, end, _ in tokens:
        if after := _INITIALS_AFTER.match(text, end):
            if after[1].replace(" ", "") != "Р.Ф.":
                yield start, after.end(1)
        elif before := _INITIALS_BEFORE.search(text[max(0, start - 8) : start]):
            yield start - (min(8, start) - before.start(1)), end


def _with_given(text: str, tokens: list[Token]) -> Iterator[Span]:
    for left, right in pairwise(tokens):
        if _near(text, left, right) and (
            (_is_given(left[2]) and not _is_given(right[2]) and (_is_surname(right[2]) or len(right[2]) > 2))
            or (_is_given(right[2]) and (_is_surname(left[2]) or _mid_sentence(text, left[0])))
        ):
            yield left[0], right[1]
    yield from ((start, end) for start, end, word in tokens if _is_given(word) and _mid_sentence(text, start))


def _mid_sentence(text: str, start: int) -> bool:
    """Whether a small letter stands before, so that the capital is the word's own."""
    return text[max(0, start - 2) : start - 1].islower() and text[start - 1] in " \u00a0"


def _alone(text: str, tokens: list[Token]) -> Iterator[Span]:
    """Surnames within a sentence without anything beside them; behind в, из, ул. and the like they are places."""
    for start, end, word in tokens:
        if _mid_sentence(text, start) and _PLAIN_SURNAME.fullmatch(word) and not word.isupper():
            before = text[max(0, start - 16) : start].split()
            if before and before[-1].lower() not in _PLACE_BEFORE and not _PLACE_AFTER.match(text, end):
                yield start, end


def _after_roles(text: str, tokens: list[Token]) -> Iterator[Span]:
    for start, end, word in tokens:
        if (
            not word.isupper()
            and (_is_surname(word) or _is_given(word))
            and _CUE.search(text[max(0, start - 80) : start])
            and not _begins_sentence(text, start, end, word)
        ):
            yield start, end


def _begins_sentence(text: str, start: int, end: int, word: str) -> bool:
    """Whether a word behind a role and a colon owes its capital to the sentence that it begins: «ИП: Какой налог…».

    A name there stands alone, as in a form, or has the form of a surname beyond doubt.
    """
    goes_on = re.match(r"\s[а-яё]", text[end : end + 2]) is not None
    return goes_on and text[:start].rstrip().endswith(":") and not (_is_given(word) or _PLAIN_SURNAME.fullmatch(word))
