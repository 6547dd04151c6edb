"""Laws that an English text calls by year, initials or a short name of its own, and those that it named before."""

from __future__ import annotations

import re
from functools import lru_cache

from benchbar.law.names_en import (
    ABBREVIATED,
    INITIALS_AND_YEAR,
    YEAR,
    defined_behind,
    instrument_in,
    numbered_acts,
    without_lead,
    yeared_acts,
)
from benchbar.law.scan_en import LAST_REACH, Scan, of_state
from benchbar.law.units_en import OF_REGULATIONS

_SHORT_NAME = re.compile(
    rf"\s?(?:of\s|under\s|in\s)?(?:the\s|that\s|this\s)?(?:({YEAR})\s(?:Act|Code|Ordinance|Regulations|Rules|Order)|(?:Act|Ordinance)\sof\s({YEAR})|({INITIALS_AND_YEAR}|[A-Z]{{2,8}}|{ABBREVIATED}))(?!\w)"
)
"""The 2013 Act, ERA 1996, ERA: which law it is, the text says further up."""
_LOWER_CASE = re.compile(
    rf"\s(?:of|under|in)\s(?:the\s)?((?:[a-z][\w’'-]*\s){{1,12}}?(?:act|code|regulations|rules|order)\s(?:of\s)?{YEAR})"
)
_OF_UNION_AND_YEAR = re.compile(rf"\s?(?:of|under|in)\sthe\s({YEAR})\s(Directive|Regulation)(?!\w)")
_OTHER = re.compile(
    r"\s(?:of|to)\s(?!(?:the\s)?(?:Act|Code|Ordinance|Law|Regulations?|Rules|Order|Directive|Convention|Constitution|Charter|Treaty|latter|statute)\b|it\b|which\b)"
)
"""Something that is no law named further up: section 44 of the Scheme."""
_TITLE_OF_CODE = re.compile(
    r"(?:,|\sof)\s(?P<code>\d{1,2})\s(?P<of>U\.?\s?S\.?\s?C\.?(?!\w|\sA)|C\.?\s?F\.?\s?R\.?(?!\w))(?!\s?(?:§|[Ss]ec|\d))|(?:,|\sof)\s(?:the\s)?[Tt]itle\s(?P<title>\d{1,2})(?:,?\s(?:of\sthe\s)?(?:United\sStates\sCode|U\.?S\.?\s?C(?:ode|\.)?))?(?!\w)"
)
# An act is called by its year or initials for pages, but one of the last fifty named.
_NAMES = 50
_INITIAL = re.compile(r"(?<![\w’'])[A-Z]")
_OF_YEAR = re.compile(rf"(?:the\s)?({YEAR})\s(?:Act|Regulations|Order|Rules)")
_OWN_NAME = re.compile(rf"{INITIALS_AND_YEAR}|{ABBREVIATED}")
_SHORT_TITLE = re.compile(r"[A-Z]\w++(?:\s[A-Z]\w++)?\s(?:Act|Regulations|Rules|Order|Code|Ordinance)")
_OVERLAP = 200
"""Characters that a title may have: one that stands on the border is found the next time."""


def called_law(scan: Scan, start: int, end: int) -> tuple[str, int] | None:
    """The law called by year, initials or in small letters behind a section, and where that ends.

    The name is empty where something else is named that cannot be read: then the section is of no law named before.
    """
    text = scan.text
    if title := _TITLE_OF_CODE.match(text, end):
        number, of = (title["code"], title["of"]) if title["code"] else (title["title"], "USC")
        return f"{number} {re.sub('[^A-Z]', '', of)}", title.end()
    if lower := _LOWER_CASE.match(text, end):
        return lower[1], lower.end()
    if of_year := _OF_UNION_AND_YEAR.match(text, end):
        return _numbered_before(text, start, of_year[1], of_year[2]), of_year.end()
    if short := _SHORT_NAME.match(text, end):
        initials, _, of_initials = (short[3] or "").partition(" ")
        year = short[1] or short[2] or of_initials
        if name := _named_before(scan, start, initials, year):
            return name, short.end()
        # "Section 1 of the 2013 Act changed what the Defamation Act 2013 found": named a little further on.
        later = None if initials or not year else next(yeared_acts(text, short.end(), short.end() + _OVERLAP), None)
        if later and later[0].endswith(year):
            return without_lead(later[0]), short.end()
        # PACE 1984 is a name of its own, though the text does not give the long one.
        own = short[3] if short[3] and _OWN_NAME.fullmatch(short[3]) else ""
        return own, short.end()
    return ("", end) if _OTHER.match(text, end) else None


def last_act(text: str, start: int) -> str:
    """The Act that the text named last before a section, which is of no regulations; empty where none is near."""
    named = [
        one[0] for one in yeared_acts(text, max(0, start - LAST_REACH), start) if not OF_REGULATIONS.search(one[0])
    ]
    return without_lead(named[-1]) if named else ""


def last_of_kind(text: str, start: int, kind: str) -> str:
    """The directive or regulation that the text named last by its number; empty where it named none of the kind."""
    named = [one[0] for one in numbered_acts(text, 0, start) if one[0].startswith(kind)]
    return " ".join(named[-1].split()) if named else ""


def _numbered_before(text: str, start: int, year: str, kind: str) -> str:
    """The directive or regulation of a year which the text named last by its number; as it is called where it named none."""
    form = rf"{kind}\s(?:\([A-Z]{{2,7}}\)\s)?(?:No\.?\s)?(?:{year}/\d{{1,4}}|\d{{1,4}}/{year})(?:/[A-Z]{{2,4}})?(?!\d)"
    named = [*re.compile(form).finditer(text, 0, start)]
    return " ".join(named[-1][0].split()) if named else f"{year} {kind}"


def _named_before(scan: Scan, start: int, initials: str, year: str) -> str:
    """The act of these initials and this year, either of which may be left out, that the text has named; empty where none is."""
    # Each stretch is searched once, and only in texts that call an act so: searched anew each time, it took four
    # times as long as all the rest.
    for named in yeared_acts(scan.text, scan.searched_to, start):
        scan.names.append(without_lead(named[0]))
        if short := defined_behind(scan.text, named.end()):
            scan.defined[short] = _own_title(named[0], short)
    scan.searched_to = max(scan.searched_to, start)
    if defined := scan.defined.get(f"{initials} {year}".strip()):
        return defined
    meant = (
        name for name in reversed(scan.names[-_NAMES:]) if name.endswith(year) and initials in {"", initials_of(name)}
    )
    return next(meant, "")


def in_full(scan: Scan, start: int, name: str) -> str:
    """The name for which initials in front of a section stand, where the text has given it."""
    initials, _, year = name.partition(" ")
    if of_year := _OF_YEAR.fullmatch(name):
        return _named_before(scan, start, "", of_year[1])
    if _OWN_NAME.fullmatch(name):
        return _named_before(scan, start, initials, year) or name
    # Fam. Code behind Cal. Fam. Code is that one.
    if scan.current.endswith(f" {name}") and of_state(scan.current):
        return scan.current
    return as_defined(scan, start, name)


def as_defined(scan: Scan, start: int, name: str) -> str:
    """The Act for which the text made a short name of this kind, such as the Principal Act; else the name itself."""
    if not _SHORT_TITLE.fullmatch(name):
        return name
    return _named_before(scan, start, name, "") or name


def _own_title(named: str, short: str) -> str:
    """The title that a short name stands for, without the heading or part of a sentence in front of it: Part III of the Pensions Act 1975."""
    words = named.split()
    letters = "".join(one for one in short if one.isupper())
    ends = (" ".join(words[at:]) for at in range(len(words)) if words[at][0].isupper())
    meant = (one for one in ends if re.match(r"[A-Z]\S*[A-Z]", short) and initials_of(one) == letters)
    return next(meant, "") or without_lead(_IN_FRONT_OF_A_TITLE.sub("", named.rsplit("\n", 1)[-1]))


_IN_FRONT_OF_A_TITLE = re.compile(
    r"^(?:(?:Part|Parts|Schedule|Chapter|Annex|Title|UK|A)\b[^,;]{0,24}?\s)(?=the\s)(?:the\s)"
)


@lru_cache(maxsize=256)
def initials_of(name: str) -> str:
    """The capitals with which the words of a name begin."""
    return "".join(_INITIAL.findall(name))


def named_near(scan: Scan, start: int) -> str:
    """The law that a bare provision goes back to: the one cited last, unless another was named since; else one named near by."""
    if start - scan.named_at < LAST_REACH:
        return instrument_in(scan.text, max(scan.named_at, 0), start) or scan.current
    # "The Landlord and Tenant Act 1987 applies. By section 48 …": named, and not cited yet. A stretch is searched once.
    begin = max(scan.searched_near, start - LAST_REACH)
    for named in sorted(
        (*yeared_acts(scan.text, begin, start), *numbered_acts(scan.text, begin, start)), key=lambda one: one.start()
    ):
        scan.near, scan.near_at = without_lead(named[0]), named.end()
    scan.searched_near = max(begin, start - _OVERLAP, scan.near_at)
    return scan.near if start - scan.near_at < LAST_REACH else ""
