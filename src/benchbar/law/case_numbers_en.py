"""Decisions as English texts cite them: neutral citations, law reports, reporters of the United States, European numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache

_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
# A report is one to four words of capitals, points and brackets: AC, Q.B., All ER (Comm), P & CR, Lloyd's Rep, DLR (4th).
_WORD = r"[A-Z][A-Za-z.’'&]{0,11}"
_REPORT = (
    rf"(?!(?:{_MONTHS})\b)(?:L\.?R\.?\s\d{{1,3}}\s[A-Z.]{{1,6}}(?:\sCas|\sApp)?"
    rf"|{_WORD}(?:\s?\([A-Z]{{1,2}}\))?(?:\s(?:[A-Z][A-Za-z.’']{{0,8}}|&|\((?:[A-Z][A-Za-z]{{0,5}}|\d(?:th|d|nd|rd))\))){{0,3}})"
)
# The bracket behind the number tells divisions of one court apart, which number in one list or in several: it is part of the
# citation. Behind a report, (HL) only says which court it was.
_DIVIDED = r"(?:EWHC|EWFC|EWCOP|UKUT|UKFTT|EAT|UKAITUR)"
_NEUTRAL = re.compile(
    rf"\[(?:1[89]|20)\d\d\]\s(?:{_DIVIDED}\s\d{{1,5}}(?:\s\([A-Z][A-Za-z]{{1,7}}\))?|(?:\d{{1,2}}\s)?{_REPORT}\s\d{{1,5}})(?![\w/])"
    rf"|\[(?:19|20)\d\d\]\s(?:EWFC\sB\d{{1,4}}|ECR\s(?:(?:SC-)?I{{1,2}}-)?(?:[A-Z]{{1,3}}-){{0,3}}\d{{1,6}})(?![\w/])"
    rf"|\((?:1[5-9]|20)\d\d\)\s(?:\d{{1,3}}\s)?{_REPORT}\s\d{{1,5}}(?![\w/])"
)
# Canada and Scotland write the year without brackets, India behind the reporter.
_YEAR_FIRST = re.compile(
    r"(?:19|20)\d\d\s(?:SCC|SLT|SCLR|SC|JC|FCA|FC|ABCA|BCCA|BCSC|ONCA|ONSC|QCCA|NSCA)(?:\s\((?:HL|J|PC)\))?\s\d{1,5}(?![\w-])"
    # Courts of the provinces, and of states that number their own decisions.
    r"|(?:19|20)\d\d\s(?:(?:AB|BC|SK|MB|ON|QC|NB|NS|NL|PE|YK|NT|NU)[A-Z]{2,5}|TCC|CHRT|HRTO)\s\d{1,5}(?![\w-])"
    r"|(?:19|20)\d\d\s(?:IL\s1\d{5}|IL\sApp\s\(\d[a-z]{1,2}\)\s\d{6}(?:-U)?|[A-Z]{2}(?:\sApp)?\s\d{1,4}(?=,\s¶))(?![\w-])|(?:19|20)\d\d-Ohio-\d{1,5}(?!\w)"
    # Numbers of data bases, and India's supplements.
    r"|(?:19|20)\d\d\s(?:WL\s\d{4,9}|U\.\s?S\.\s(?:Dist\.|App\.)\sLEXIS\s\d{1,7}|CanLII\s\d{1,6}|SCC\sOn[Ll]ine\s[A-Z][A-Za-z]{1,6}\s\d{1,6}|INSC\s\d{1,5}|Supp\.?\s\(\d{1,2}\)\sSCC\s\d{1,4}|\(\d{1,2}\)\sSCC\s\d{1,4})(?!\w)"
    r"|\d{1,3}\s(?:ER|EHRR|E\.H\.R\.R\.|CLR|DLR(?:\s\([45]th\))?)\s\d{1,4}(?!\w)"
)
_TRIBUNAL = re.compile(r"UKEAT/\d{4}/\d{2}(?:/[A-Z]{2,3})?|\[20\d\d\]\sUKEAT\s\d{1,4}(?:/\d{2}|_\d{1,2}_\d{3,4})")
_YEAR_BEHIND = re.compile(r"(?:,\s\d{1,4}){0,2}\s\((?:1[789]|20)\d\d\)")
_INDIA = re.compile(r"(?:AIR\s(?:19|20)\d\d\s[A-Z][A-Za-z]{1,8}|JT\s(?:19|20)\d\d\s\(\d{1,2}\)\sSC)\s\d{1,5}(?!\w)")
# Actions and appeals of Hong Kong: FACV 14/2018, HCA No. 345 of 2020.
_HONG_KONG = re.compile(
    r"(?:FA(?:CV|CC|MV|MC)|CA(?:CV|CC|MP|QL)|HC(?:A|AL|MP|CW|MA|CC|PI|B|CT|AJ|MC)|DC(?:CC|CJ|PI|MP|EC|MA)|LD(?:PA|PB|BM|PD)|FCMC)\s(?:No\.?\s)?\d{1,5}(?:/|\sof\s)(?:19|20)\d\d(?!\d)"
)
# What is a reporter is looked up in reporters-db; the form says only where to look.
_US = re.compile(
    r"(?<![\w.,])(\d{1,4})\s([A-Z][\w.’'&]{0,12}(?:\s(?:[A-Z&(][\w.’'&)]{0,12}|\d{1,2}(?:d|th|st|nd|rd)|[23]d)){0,4}?)(?:\s\(\d\s[A-Z][a-z]+\.?\))?,?\s(at\s)?(\d{1,5})(?!\w|\.\d)"
)
_SAME_CASE = re.compile(r"[Ii]d\.(?:,?\sat\s\d{1,5})?(?=[\s,;.)]|$)")
_EUROPEAN = re.compile(
    r"((?:ECLI:[A-Z]{2}|EU):[A-Z0-9]{1,7}:\d{4}:[A-Z0-9.]{1,25})|(?<!\w)(?:Cases?\s)?([CTE][-–]\d{1,4}/\d{2})(?!\d)|(Opinion\s\d/\d{2})(?!\d)"
)
_LISTED = re.compile(
    r"(?:Cases?\s|(?:App(?:lication|l|\.)?\s[Nn]|(?<=\()[Nn]|(?<=,\s)n(?=os?\.\s\d{4,6}/\d\d(?!\d)))os?\.?\s)(\d{1,6}/\d{2}(?:(?:,\s|\sand\s|,\sand\s)\d{1,6}/\d{2}){0,12})(?!\d)"
)
"""Old numbers of the Court of Justice and those of applications to Strasbourg, which are often several."""
_AHEAD = 2000
_NAMES = 120
_PARTIES = re.compile(r"\sv\.?\s|\[GC\]")
CASE_LETTERS = frozenset("[(0123456789CATEOnNIiUFHDLJ")
"""The characters with which the citation of a decision begins."""


@dataclass(slots=True)
class CasesNamed:
    """The cases that a text has cited so far, for its short forms."""

    first_pages: dict[str, str] = field(default_factory=dict)
    """Volume and reporter to the case cited last from it, for ``326 U.S. at 316``."""
    last: str = ""


def cases_at(text: str, start: int, named: CasesNamed) -> tuple[list[str], int]:
    """The numbers of the decisions cited at a place, and where the citation ends; none where there is no such citation."""
    numbers, end = _at(text, start, named)
    numbers = [" ".join(number.split()) for number in numbers]
    if numbers:
        named.last = numbers[-1]
    return numbers, end


def _at(text: str, start: int, named: CasesNamed) -> tuple[list[str], int]:
    # By the first character: most events are words that begin no decision, and every pattern for each cost half the time.
    first = text[start]
    # Articles are a tenth of what is cited, and no decision.
    if first == "A" and text.startswith("rt", start + 1):
        return [], start
    for form in _WHOLE.get(first, ()):
        if found := form.match(text, start):
            return [found[0]], found.end()
    if first.isdecimal() and (american := _US.match(text, start)):
        number = _reported(text, american, named)
        # Of a case that the text does not cite in full: Id. behind it is that one, and none cited before.
        if american[3] and not number:
            named.last = ""
        return ([number] if number else []), american.end()
    if first in "CATEOnN":
        listed = _LISTED.match(text, start)
        # "no. 12345/21" behind a comma is an application's where two parties stand in front, else an invoice's.
        if listed and (first != "n" or text[start - 1] == "(" or _PARTIES.search(text, max(0, start - _NAMES), start)):
            return re.findall(r"\d{1,6}/\d{2}", listed[1]), listed.end()
        if european := _EUROPEAN.match(text, start):
            return [next(filter(None, european.groups())).replace("–", "-")], european.end()
    if first in "Ii" and (same := _SAME_CASE.match(text, start)):
        return ([named.last] if named.last else []), same.end()
    return [], start


_WHOLE = {
    **dict.fromkeys("[(", (_TRIBUNAL, _NEUTRAL)),
    **dict.fromkeys("0123456789", (_YEAR_FIRST,)),
    "U": (_TRIBUNAL,),
    **dict.fromkeys("AJ", (_INDIA,)),
    **dict.fromkeys("FCHDL", (_HONG_KONG,)),
}
"""Forms that are a decision's number as they stand, by their first character."""


def _reported(text: str, found: re.Match[str], named: CasesNamed) -> str:
    """Volume, reporter and first page; of a short form those of the case cited before; empty where it is no reporter."""
    reporter = re.sub(r"\s", "", found[2])
    # 410 US 113 (1973): without points it is a country, unless a year stands behind it.
    if reporter not in _reporters() and not (reporter == "US" and _YEAR_BEHIND.match(text, found.end())):
        return ""
    volume = f"{found[1]} {reporter}"
    if not found[3]:
        named.first_pages[volume] = f"{found[1]} {found[2]} {found[4]}"
    elif volume not in named.first_pages:
        # A short form may come before the full one: in a quotation, or in a note.
        full = re.compile(rf"{re.escape(found[1])}\s{re.escape(found[2])}\s(\d{{1,5}})(?!\w)")
        later = full.search(text, found.end(), found.end() + _AHEAD)
        return f"{found[1]} {found[2]} {later[1]}" if later else ""
    return named.first_pages[volume]


@cache
def _reporters() -> frozenset[str]:
    """The abbreviations of reporters, without spaces; only such as cannot be a word or a month: with a point or capitals."""
    # A quarter of a second, and only where a text has the form of a report.
    from reporters_db import REPORTERS

    names = set()
    for kinds in REPORTERS.values():
        for kind in kinds:
            names |= {*kind["editions"], *kind["variations"]}
    plain = {re.sub(r"\s", "", name) for name in names}
    # 12 Me. and 7 U are words and initials more often than reports, unless a second part follows.
    return (
        frozenset(name for name in plain - _NO_REPORTERS if len(name) > 3 and ("." in name or name.isupper())) | _SHORT
    )


# 2 Mar. 2021 is a day.
_NO_REPORTERS = frozenset(("Abs.", "Jan.", "Feb.", "Mar.", "Apr.", "Aug.", "Sept.", "Oct.", "Nov.", "Dec."))
_SHORT = frozenset(("Va.", "Pa.", "Ga.", "Ky.", "Md.", "Mo."))
"""Reports of states that no initials are; Me., La. and Or. may be."""
