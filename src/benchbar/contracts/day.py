"""The day a contract was made, by whose law it is judged."""

from __future__ import annotations

import datetime as dt
import re

from benchbar.languages.numerals import parse_number

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
    re.compile(
        r"(?P<y>[一二][〇零○一二三四五六七八九]{3})\s?年\s?(?P<m>[一二三四五六七八九十]{1,2})\s?月\s?(?P<d>[一二三四五六七八九十]{1,3})\s?日"
    ),
    re.compile(r"\b(?P<y>(?:19|20)\d{2})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})\b"),
    re.compile(r"\b(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>(?:19|20)\d{2})\b"),
    re.compile(
        rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?[\"»”]?(?:\sday)?(?:\sof)?\s(?P<m>{_NAMES}),?\s(?P<y>(?:19|20)\d{{2}})\b",
        re.IGNORECASE,
    ),
    re.compile(rf"\b(?P<m>{_NAMES})\s(?P<d>\d{{1,2}}),?\s(?P<y>(?:19|20)\d{{2}})\b", re.IGNORECASE),
)
ANY_DATE = "|".join(re.sub(r"\?P<\w>", "?:", form.pattern) for form in _FORMS)
"""A pattern of a date as any of the languages writes it."""
_SIGNING = re.compile(
    r"签[订署字约]|[盖签]章|订立|日\s?期|заключ[её]н|подписа|\bдата\b|(?<!\d)(?<!\d )\bг\. ?[А-ЯЁ]|\bгор(?:од|\.)\s?[А-ЯЁ]|dated?\b|^[^\s:：]{1,8}[:：] ?[^\s:：]{1,8}[:：]$|made\b|entered into|signed|as of|agreement of",
    re.IGNORECASE,
)
_SIGNED_AFTER = re.compile(
    r"[^，。；,.;]{0,16}(?:签[订署约]|订立)|(?: ?(?:г\.|года))? заключ|(?: ?(?:г\.|года))?,?\s+(?:г\.|гор\.|город) ?[А-ЯЁ][а-яё-]+[ .]*$",
    re.IGNORECASE,
)
"""Behind a date: 于2025年3月20日在杭州市签订, «24 августа 2026 г. заключён»."""
_BEFORE = 60
"""Characters before a date in which a word for signing makes it the contract's; a run of white space is one."""
_RUNS_FROM = re.compile(
    r"(?:[自从至到]|\b(?:from|until|till|commenc\w{1,4}|begin\w{1,4}|end\w{0,3}|expir\w{1,3})(?: on)?|(?:^|[^а-яё])(?:с|со|по|до)) ?[«\"“]?$",
    re.IGNORECASE,
)
"""Before a day on which something begins or ends: “заключён на год с 1 мая” was not signed on 1 May."""
_ALONE = 4
"""Characters beside a date that stands alone on its line: the line above, of signatures, says what it is."""


def contract_day(text: str) -> str:
    """The day of signing as YYYY-MM-DD, the first of several; empty where the text names none: then the law of today holds.

    A date counts only on the line of a word for signing, or alone on the line below: terms, births and registrations have dates, too.
    """
    found = sorted((match.start(), day) for form in _FORMS for match in form.finditer(text) if (day := _signed(match)))
    return found[0][1] if found else ""


def _signed(match: re.Match[str]) -> str:
    """The day of a date that is one of signing, else nothing."""
    text = match.string
    begin, end = text.rfind("\n", 0, match.start()) + 1, text.find("\n", match.end())
    before, after = text[begin : match.start()], text[match.end() : end if end >= 0 else len(text)]
    if len(before.strip()) + len(after.strip(" .г")) <= _ALONE:
        before = text[text.rfind("\n", 0, max(0, begin - 1)) + 1 : match.start()]
    spoken = " ".join(before.split())[-_BEFORE:]
    signed = _SIGNING.search(spoken) or _SIGNED_AFTER.match(after)
    return _day(match) if signed and not _RUNS_FROM.search(spoken) else ""


def dates(text: str) -> list[tuple[str, dt.date | None]]:
    """Every date of a text as it is written, in its order; None where there is no such day."""
    found = {match.start(): match for form in _FORMS for match in form.finditer(text)}
    return [(found[at][0], dt.date.fromisoformat(day) if (day := _day(found[at])) else None) for at in sorted(found)]


def _day(match: re.Match[str]) -> str:
    month = _MONTHS.get(match["m"].lower()) or _number(match["m"])
    try:
        return dt.date(_number(match["y"].replace("○", "〇")), month, _number(match["d"])).isoformat()
    except ValueError:
        return ""


def _number(text: str) -> int:
    """Of digits, or of Chinese ones; 0, which is in no date, of anything else."""
    return int(parse_number(text) or 0)
