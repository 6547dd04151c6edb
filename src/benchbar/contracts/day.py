"""The day a contract was made, by whose law it is judged."""

from __future__ import annotations

import datetime as dt
import re

_MONTHS = {
    name: number
    for names in (
        "january february march april may june july august september october november december",
        "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    )
    for number, name in enumerate(names.split(), start=1)
}
_NAMES = "|".join(_MONTHS)
_FORMS = (
    re.compile(r"(?P<y>(?:19|20)\d{2})\s?年\s?(?P<m>\d{1,2})\s?月\s?(?P<d>\d{1,2})\s?日"),
    re.compile(r"\b(?P<y>(?:19|20)\d{2})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})\b"),
    re.compile(r"\b(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>(?:19|20)\d{2})\b"),
    re.compile(rf"\b(?P<d>\d{{1,2}})[\"»”]?\s(?P<m>{_NAMES})\s(?P<y>(?:19|20)\d{{2}})\b", re.IGNORECASE),
    re.compile(rf"\b(?P<m>{_NAMES})\s(?P<d>\d{{1,2}}),?\s(?P<y>(?:19|20)\d{{2}})\b", re.IGNORECASE),
)
_SIGNING = re.compile(
    r"签[订署字约]|订立|日\s?期|заключ[её]н|подписа|\bдата\b|г\.\s|dated?\b|made\b|entered into|signed|as of|agreement of",
    re.IGNORECASE,
)
_BEFORE = 60
"""Characters before a date in which a word for signing makes it the contract's."""


def contract_day(text: str) -> str:
    """The day of signing as YYYY-MM-DD, empty where the text names none: then the law of today holds.

    A date counts only after a word for signing: terms, births and registrations have dates, too.
    """
    for form in _FORMS:
        for match in form.finditer(text):
            if _SIGNING.search(text[max(0, match.start() - _BEFORE) : match.start()]):
                day = _day(match)
                if day:
                    return day
    return ""


def dates(text: str) -> list[tuple[str, dt.date | None]]:
    """Every date of a text as it is written, in its order; None where there is no such day."""
    found = {match.start(): match for form in _FORMS for match in form.finditer(text)}
    return [(found[at][0], dt.date.fromisoformat(day) if (day := _day(found[at])) else None) for at in sorted(found)]


def _day(match: re.Match[str]) -> str:
    month = _MONTHS.get(match["m"].lower()) or int(match["m"])
    try:
        return dt.date(int(match["y"]), month, int(match["d"])).isoformat()
    except ValueError:
        return ""
