"""Dates as laws and decisions write them, as YYYY-MM-DD."""

from __future__ import annotations

import re
from datetime import date, timedelta

from benchbar.languages.numerals import parse_number

_ZH_DIGIT = "〇○零一二三四五六七八九十\\d"
_ZH = re.compile(rf"([{_ZH_DIGIT}]{{4}})\s?年\s?([{_ZH_DIGIT}]{{1,3}})\s?月\s?([{_ZH_DIGIT}]{{1,3}})\s?日")
# Years from 1500: older numbers with dots are versions and sections.
_ISO = re.compile(r"(?<!\d)((?:1[5-9]|20)\d\d)[-./](\d{1,2})[-./](\d{1,2})(?!\d)")
_RU_DOTS = re.compile(r"(?<!\d)(\d{1,2})\.(\d{1,2})\.((?:1[89]|20)\d\d)(?!\d)")
_RU_MONTHS = "января февраля марта апреля мая июня июля августа сентября октября ноября декабря".split()  # noqa: SIM905
_RU = re.compile(rf"(?<!\d)(\d{{1,2}})\s({'|'.join(_RU_MONTHS)})\s((?:1[89]|20)\d\d)", re.IGNORECASE)
_EN_MONTHS = "january february march april may june july august september october november december".split()  # noqa: SIM905
_EN = re.compile(rf"(?<!\d)(\d{{1,2}})\s({'|'.join(_EN_MONTHS)})\s((?:1[5-9]|20)\d\d)", re.IGNORECASE)


def iso_dates(text: str) -> list[str]:
    """Every date in a text, in the order of the text; days that do not exist are left out."""
    # In the order of the text: callers take the last one of a heading, or the first.
    found: list[tuple[int, str]] = []
    for match in _ZH.finditer(text):
        _add(found, match, *(parse_number(part) for part in match.groups()))
    for match in _ISO.finditer(text):
        _add(found, match, int(match[1]), int(match[2]), int(match[3]))
    for match in _RU_DOTS.finditer(text):
        _add(found, match, int(match[3]), int(match[2]), int(match[1]))
    for pattern, months in ((_RU, _RU_MONTHS), (_EN, _EN_MONTHS)):
        for match in pattern.finditer(text):
            _add(found, match, int(match[3]), months.index(match[2].lower()) + 1, int(match[1]))
    return [day for _, day in sorted(found)]


def _add(
    found: list[tuple[int, str]], match: re.Match[str], year: float | None, month: float | None, day: float | None
) -> None:
    if year and month and day:
        try:
            found.append((match.start(), date(int(year), int(month), int(day)).isoformat()))
        # 30 February and the like are typing errors; no date is better than a wrong one.
        except ValueError:
            return


def first_date(text: str) -> str:
    """The first date in a text; empty where there is none."""
    dates = iso_dates(text)
    return dates[0] if dates else ""


_TWO = re.compile(r"(\d{1,2})\s?[/-]\s?(\d{1,2})\s?[/-]\s?((?:1[5-9]|20)\d\d)")
_EN_FIRST = re.compile(
    r"([a-z]{3,9})\.?\s(\d{1,2})(?:st|nd|rd|th)?,?\s((?:1[5-9]|20)\d\d)|(\d{1,2})(?:st|nd|rd|th)?\s([a-z]{3,9})\.?,?\s((?:1[5-9]|20)\d\d)"
)
_LONGEST = 40
"""Characters of a cell that is a date and nothing else."""


def day_of(text: str) -> str:
    """The day that somebody entered, as YYYY-MM-DD.

    Raises:
        ValueError: it is none, or may be one of two: 01/02/2024 is in January to some and in February to others.
    """
    cleaned = " ".join(text.split())[:_LONGEST]
    if re.fullmatch(r"\d{4}-\d\d-\d\d([T ]00:00(:00(\.0+)?)?Z?)?", cleaned):
        found = _iso(*(int(part) for part in cleaned[:10].split("-")))
    elif match := _TWO.fullmatch(cleaned):
        found = _of_two(cleaned, int(match[1]), int(match[2]), int(match[3]))
    elif match := _EN_FIRST.fullmatch(cleaned.lower()):
        month, day, year = (match[1], match[2], match[3]) if match[1] else (match[5], match[4], match[6])
        months = [place for place, name in enumerate(_EN_MONTHS, start=1) if name.startswith(month)]
        found = _iso(int(year), months[0], int(day)) if len(months) == 1 else ""
    else:
        dates = iso_dates(cleaned)
        found = dates[0] if len(dates) == 1 and len(re.sub(r"\W", "", cleaned)) <= _LONGEST // 2 else ""
    if not found:
        raise ValueError(f"{text[:_LONGEST]!r} is no date; expected one such as 2024-06-01")
    return found


def _of_two(text: str, first: int, second: int, year: int) -> str:
    days = {found for month, day in ((first, second), (second, first)) if (found := _iso(year, month, day))}
    if len(days) > 1:
        raise ValueError(f"{text!r} may be {' or '.join(sorted(days))}; write it as one of these")
    return days.pop() if days else ""


def _iso(year: int, month: int, day: int) -> str:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return ""


def is_day(text: str) -> bool:
    """Whether a text is a day as YYYY-MM-DD."""
    return re.fullmatch(r"\d{4}-\d\d-\d\d", text) is not None and bool(_iso(*map(int, text.split("-"))))


def day_before(day: str) -> str:
    """The day before, in the same form."""
    return (date.fromisoformat(day) - timedelta(days=1)).isoformat()


def day_after(day: str) -> str:
    """The day after, in the same form."""
    return (date.fromisoformat(day) + timedelta(days=1)).isoformat()


def checked(day: str) -> str:
    """The day as YYYY-MM-DD if it is one in ISO form, else the first date that the text holds, else empty."""
    try:
        return date.fromisoformat(day.strip()).isoformat()
    except ValueError:
        return first_date(day)
