"""Decisions as Russian texts cite them: numbers of arbitration courts, of courts of general jurisdiction, of Strasbourg."""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchbar.law.mention import Mention

_CASE = re.compile(
    r"(?<![\wА-я])(?:(?P<court>[АAСCФF]\s?\d{2})\s?[-–]\s?(?P<number>\d{1,7})\s?[/=]\s?(?P<year>\d{4}|\d{2})(?!\d)"
    # Capitals too: decisions begin with ОПРЕДЕЛЕНИЕ, and headings with Дело. The number may be that of a law or of a paper.
    r"|(?i:ПКС(?=\s(?:от\s|[№N]))|дел[оаеу]м?|(?:пост|опр(?:ед)?)\.(?=\sКС)|определени\w{1,3}|постановлени\w{1,3}|решени\w{1,3}|приговор\w{0,2}|судебн\w{2,3}\sприказ\w{0,2}"
    # What is no decision by its name is one by the form of its number: жалоба № 12345/06, материал № 3/1-12/2020.
    r"|жалоб\w{1,2}(?=\s[№N]\s?\d{3,6}/\d\d(?!\d))|материал\w{0,2}(?=\s[№N]\s?\d{1,2}/\d))"
    r"(?P<between>[^№N\n;]{0,90}?)(?:[№N]\s?"
    # Without the sign only numbers that nothing else has: делу 2-1234/2020, Постановление КС РФ 16-П.
    r"|(?<=\s)(?<![АA]\s)(?=\d{1,2}[а-я]?(?:-|\s[-–]\s)\d{1,6}/\d{4}(?!\d)|\d{1,4}-[ПО](?![\wа-яё])))"
    r"(?!\d{1,4}-(?:ФК?З|1(?!\d))|\d{1,2}/\d{1,2}(?![\d/-]))(?P<other>\d{2}(?:RS|MS|OS|VS|AS|GV)\d{4}-\d\d-\d{4}-\d{6}-\d\d|\d{1,2}[а-я]?\s[-–]\s\d{1,6}/\d{4}(?!\d)|[0-9А-ЯA-Zа-я]{1,7}(?:[-–/][0-9А-ЯA-Zа-я]{1,9}(?:\.\d{1,2}(?=[-/]))?){1,5})"
    r"|УИД:?\s(?:[№N]\s?)?(?P<unique>\d{2}(?:RS|MS|OS|VS|AS|GV)\d{4}-\d\d-\d{4}-\d{6}-\d\d))"
)
_UNIQUE = re.compile(r"\d\d[A-Z]{2}\d{4}-")
_NOT_OF_A_COURT = re.compile(
    r"пленум|договор|контракт|сч[её]т|\bакт|лицензи|закон|письм|приказ|доверенн|паспорт|правительств|администраци|налогов",
    re.IGNORECASE,
)


_LATIN_TO_CYRILLIC = str.maketrans("ABCEHKMOPTX", "АВСЕНКМОРТХ")


def case_number(court: str, number: str, year: str) -> str:
    """``А40-12345/2019`` from Latin or Cyrillic letters and a year of two or four digits."""
    full_year = year if len(year) == 4 else f"20{year}"
    letter, court = court[0], court.replace(" ", "")
    letter = letter.translate(_LATIN_TO_CYRILLIC).replace("F", "Ф")
    return f"{letter}{court[1:]}-{number}/{full_year}"


def decision_at(text: str, start: int) -> Mention | None:
    """The decision cited at a place; None where the number is a contract's, a ministry's or a plenum's."""
    case = _CASE.match(text, start)
    if not case or (case["between"] and _NOT_OF_A_COURT.search(case["between"])):
        return None
    if case["court"]:
        number = case_number(case["court"], case["number"], case["year"])
    else:
        written = case["other"] or case["unique"]
        # The letters of a unique number are Latin ones.
        number = written if _UNIQUE.match(written) else written.translate(_LATIN_TO_CYRILLIC)
        number = number.replace("–", "-").replace(" ", "")
        # Numbers of a judge and of a claim behind the year: А40-12345/19-45-678.
        inner = re.fullmatch(r"([А-Я]\d{2})-(\d{1,7})/(\d{4}|\d{2})(?:-\d{1,5}){0,3}", number)
        number = case_number(*inner.groups()) if inner else number
    return Mention(span=(start, case.end()), text=text[start : case.end()], language="ru", case_number=number)


_APPLICATION = re.compile(r"\d{3,6}/\d\d")
_FURTHER_APPLICATION = re.compile(r"(?:,|\sи|,\sи)\s(?:[№N]\s?)?(\d{3,6}/\d\d)(?!\d)")
_FURTHER_DECISION = re.compile(
    r"(?:,\s|;\s|\sи\s|,\sи\s|\s\()(?:от\s\d{1,2}(?:\.\d{1,2}\.|\s[а-я]{3,8}\s)\d{4}(?:\s?г(?:ода|\.)?)?\s)?(?:[№N]\s?|(?=\d{1,4}-[ПО](?![\wа-яё])))(?!\d{1,4}-ФК?З)(\d{1,4}-[ПО](?![\wа-яё])|\d{1,3}[а-я]?-[А-Я\d]{1,8}(?:[-/][А-Я\d]{1,9}){1,3})"
)


def further_decisions(text: str, first: Mention) -> Iterator[Mention]:
    """The numbers that go on with the list of a decision: жалобы № 33509/04 и № 28957/95, определения № 263-О, № 264-О."""
    form = _FURTHER_APPLICATION if _APPLICATION.fullmatch(first.case_number) else _FURTHER_DECISION
    end = first.span[1]
    while more := form.match(text, end):
        number = more[1].translate(_LATIN_TO_CYRILLIC)
        yield Mention(span=more.span(1), text=more[1], language="ru", case_number=number)
        end = more.end()
