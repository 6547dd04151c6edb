"""What English decisions say of others: affirmed, reversed, vacated, overruled, with the citation that it is said of."""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchbar.law.case_numbers_en import CasesNamed, cases_at
from benchbar.law.treatment.told import Told
from benchbar.records import TreatmentKind

WORDS = re.compile(
    r"aff(?:['’]?d|irm)|rev(?:['’]d|ers)|vacat|overrul|supersed|abrogat|set\saside|quash|on\sappeal\sfrom",
    re.IGNORECASE,
)
"""A text without them treats no decision."""
_HOW = r"(?:(?P<upheld>aff['’]d|affirmed|affirming)|(?P<aside>rev['’]d|reversed|vacated|set\saside|quashed)|(?P<over>overruled|abrogated|superseded))"
_FURTHER = r"(?P<further>(?:\s(?:in\spart|on\sother\sgrounds|as\sto\s[^,;.]{3,60}|per\scuriam|mem\.|sub\snom\.\s[^\d\[]{3,80}?))*)"
# 783 F.2d 1186 (CA5 1986), aff’d, 476 U.S. 1 (1986): behind the citation that it is said of stands who did it.
_HISTORY = re.compile(
    rf"(?:(?:,\s\d{{1,5}}(?:[-–]\d{{1,5}})?)*(?:\s\([^()]{{2,60}}\))?),?\s(?:(?:was|were|is)\s)?(?:later\s)?{_HOW}{_FURTHER}"
    r"(?P<by>(?:,\s|\s)?(?:by\s|in\s)?(?:the\s(?:House\sof\sLords|Court\sof\sAppeal|Supreme\sCourt|Privy\sCouncil)\s(?:in\s)?)?)"
)
_NAME = r"(?:(?:[A-Z][\w.’'&-]{0,30}|v\.?|of|the|and|ex\srel\.|In\sre|&|No\.\s\d{1,4})[,.]?\s){1,14}"
_NAMED = re.compile(_NAME)
# 783 F. 2d 1186, affirmed: the last line of a syllabus says it of the decision below.
_ENDS = re.compile(
    r"(?:\sand\s(?:remanded|rendered|dismissed)|\sin\spart(?:[,;]?\s(?:and\s)?(?:reversed|affirmed|vacated|dismissed)\sin\spart)?(?:,?\sand\sremanded)?|\sand\scase\sremanded)*\s?\."
)
_LINE_ENDS = re.compile(r"[ \t]*(?:\n|\Z)")
_WE = re.compile(
    r"\b(?:we|the\sCourt)\s(?:now\s|hereby\s|therefore\s|today\s|accordingly\s){0,2}overrules?\s", re.IGNORECASE
)
_IS = re.compile(
    r"(?:,\s\d{1,5}(?:[-–]\d{1,5})?)*(?:\s\([^()]{2,60}\))?,?\s(?:is|are)\s(?:hereby\s|therefore\s|now\s|accordingly\s){0,2}overruled\b"
)
_NOT = re.compile(
    r"\b(?:not|never|decline[ds]?|refuse[ds]?|asks?|urge[ds]?|whether|should|would|could|if)\b[^.]{0,60}$",
    re.IGNORECASE,
)
_BELOW = re.compile(r"\bon\sappeal\sfrom:?\s(?:[^\n]{0,80}\n?\s{0,4})?(?=\[(?:19|20)\d\d\])", re.IGNORECASE)
_RESULT = re.compile(
    r"\bappeals?\s(?:is\s|are\s|was\s|must\sbe\s|should\sbe\s)?(?:therefore\s|accordingly\s)?(?P<kind>allowed|dismissed)\b|\b(?P<verb>dismiss|allow)\s(?:the|this|both|these)\sappeals?\b",
    re.IGNORECASE,
)
_HEAD = 3000
_KINDS = {"upheld": TreatmentKind.UPHELD, "aside": TreatmentKind.SET_ASIDE, "over": TreatmentKind.OVERRULED}


def told(text: str) -> Iterator[Told]:
    """What the text says became of which decisions; nothing where no citation stands beside the word."""
    named = CasesNamed()
    for at in re.finditer(r"(?<![\w.,])(?:\[(?=1[89]|20)|\(?\d(?=\d{0,3}\)?\s[A-Z\[]))", text):
        numbers, end = cases_at(text, at.start(), named)
        if len(numbers) == 1 and end > at.end():
            yield from _behind(text, at.start(), end, numbers[0])
    yield from _overrules(text)
    yield from _appeal(text)


def _behind(text: str, start: int, end: int, number: str) -> Iterator[Told]:
    """What stands right behind a citation."""
    if is_ := _IS.match(text, end):
        if not _NOT.search(text[max(0, start - 120) : start]):
            yield Told(TreatmentKind.OVERRULED, (start, is_.end()), number)
        return
    found = _HISTORY.match(text, end)
    if not found:
        return
    kind = next(name for name in _KINDS if found[name])
    partly = bool(re.search(r"part|other\sgrounds|as\sto", found["further"]))
    at = found.end()
    if name := _NAMED.match(text, at):
        at = name.end()
    by, behind = cases_at(text, at, CasesNamed())
    if by and behind > at:
        if by[0] != number:
            yield Told(
                _KINDS[kind],
                (start, behind),
                number,
                by=by[0],
                partly=partly,
                by_day=_year(text, behind),
                by_other=True,
            )
    elif kind != "over" and not found["by"].strip(" ,") and (last := _alone(text, start, found.end("further"))):
        yield Told(_KINDS[kind], (start, last.end()), number, partly=partly or "part" in last[0])


def _alone(text: str, start: int, end: int) -> re.Match[str] | None:
    """The rest of a line that says no more than the citation and the result: in a sentence it may be said of anything."""
    last = _ENDS.match(text, end)
    begins = not text[max(0, start - 8) : start].rstrip(" ")[-1:].strip("\n")
    return last if last and begins and _LINE_ENDS.match(text, last.end()) else None


def _year(text: str, at: int) -> str:
    year = re.compile(r"(?:,\s\d{1,5})*\s\((?:[^()\n]{0,40}\s)?((?:18|19|20)\d\d)\)").match(text, at)
    return year[1] if year else ""


def _overrules(text: str) -> Iterator[Told]:
    """We overrule Plain v. Board, 1 U.S. 2 (1900): this decision leaves that one."""
    for we in _WE.finditer(text):
        name = _NAMED.match(text, we.end())
        numbers, end = cases_at(text, name.end(), CasesNamed()) if name else ([], 0)
        if (
            name
            and len(numbers) == 1
            and end > name.end()
            and not _NOT.search(text[max(0, we.start() - 60) : we.start()])
        ):
            yield Told(TreatmentKind.OVERRULED, (we.start(), end), numbers[0])


def _appeal(text: str) -> Iterator[Told]:
    """On appeal from: [2017] EWCA Civ 1 in the head, and one result of the appeal in all that follows."""
    heads = list(_BELOW.finditer(text, 0, _HEAD))
    results = {(one["kind"] or one["verb"]).lower()[:5] for one in _RESULT.finditer(text)}
    if len(heads) != 1 or len(results) != 1:
        return
    numbers, end = cases_at(text, heads[0].end(), CasesNamed())
    more, _ = cases_at(text, end + 5, CasesNamed()) if text[end : end + 5] == " and " else ([], 0)
    if len(numbers) == 1 and not more:
        kind = TreatmentKind.UPHELD if results == {"dismi"} else TreatmentKind.SET_ASIDE
        yield Told(kind, (heads[0].start(), end), numbers[0])
