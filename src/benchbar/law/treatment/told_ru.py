"""What Russian decisions and reports of them say of the decision below: оставить без изменения, отменить, изменить."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from benchbar.law.case_numbers_ru import decision_at
from benchbar.law.dates import written_dates
from benchbar.law.treatment.told import Told
from benchbar.records import TreatmentKind

WORDS = re.compile(r"без\sизменени|отмен|измен[её]?н|изменить", re.IGNORECASE)
"""A text without them treats no decision."""
_ORDERS = re.compile(
    r"\b(?:О\s?П\s?Р\s?Е\s?Д\s?Е\s?Л\s?И\s?Л\s?А?|П\s?О\s?С\s?Т\s?А\s?Н\s?О\s?В\s?И\s?Л\s?А?|Р\s?Е\s?Ш\s?И\s?Л\s?А?)\s?:",
    re.IGNORECASE,
)
# Behind г. and initials a sentence goes on.
_CLAUSE_ENDS = re.compile(r"[;\n]|(?<!\bг)(?<!\bгг)(?<!\b[А-ЯЁ])\.\s+(?=[А-ЯЁ][а-яё]{2,})")
_OUTCOME = re.compile(
    r"(?P<upheld>без\sизменени[яй])|(?P<aside>\bотменить\b|\bотмен[её]н[аоы]?\b)|(?P<changed>\bизменить\b|\bизмен[её]н[аоы]?\b)",
    re.IGNORECASE,
)
_OUTCOMES = {"upheld": TreatmentKind.UPHELD, "aside": TreatmentKind.SET_ASIDE, "changed": TreatmentKind.CHANGED}
_ACT = re.compile(r"\b(?:решение|определение|постановление|приговор)(?=\s)", re.IGNORECASE)
_DOING = re.compile(r"\b(?:решением|определением|постановлением|приговором)(?=\s)", re.IGNORECASE)
# Решением … от …, оставленным без изменения определением … от …
_PASSED_BY = re.compile(
    r",\s(?:(?P<upheld>оставленн\w{2}\sбез\sизменени[яй])|(?P<aside>отмен[её]нн\w{2})|(?P<changed>измен[её]нн\w{2}))\s(?P<partly>в\sчасти\s|частично\s)?(?:[а-яё]{2,20}\s){0,2}?"
    r"(?=(?:решением|определением|постановлением)\s)",
    re.IGNORECASE,
)
_PART = re.compile(r"\bв\s(?:[а-яё]{3,20}\s)?части\b|\bчастично\b", re.IGNORECASE)
_ASKED = re.compile(
    r"\b(?:прос[ия]т?|вправе|может|могут|следует|подлеж|если|ходатайств|требова|при\sналичии|основани)\w*",
    re.IGNORECASE,
)
_COURT = re.compile(r"(?:[А-ЯЁ][\w-]{2,40}|мирового)\s(?:[\w-]{2,25}\s){0,4}?[Сс]уд\w{0,3}\b[^,;\n]{0,60}?(?=\sот\s|$)")
_REACH = 300


@dataclass(frozen=True, slots=True)
class _Act:
    number: str
    court: str
    day: str
    interim: bool


def told(text: str) -> Iterator[Told]:
    """What the text says became of which decisions; nothing where a decision is named neither by number nor by day."""
    orders = list(_ORDERS.finditer(text))
    begins = orders[-1].end() if orders else len(text)
    for start, end in _clauses(text):
        if start >= begins or (orders and start <= begins < end):
            yield from _ordered(text, max(start, begins), end)
        else:
            yield from _reported(text, start, end)
    for passed in _PASSED_BY.finditer(text):
        yield from _passed(text, passed)


def _clauses(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    for stop in _CLAUSE_ENDS.finditer(text):
        yield at, stop.start()
        at = stop.end()
    yield at, len(text)


def _outcome(clause: str) -> str:
    """What the clause says was done; empty where it says nothing, or several things of several acts."""
    kinds = {str(one.lastgroup) for one in _OUTCOME.finditer(clause)}
    return kinds.pop() if len(kinds) == 1 else ""


def _ordered(text: str, start: int, end: int) -> Iterator[Told]:
    """The clause of a court's own orders."""
    clause = text[start:end]
    if kind := _outcome(clause):
        yield from _told(clause, start, list(_ACT.finditer(clause)), kind, None)


def _reported(text: str, start: int, end: int) -> Iterator[Told]:
    """Определением … от … решение … от … отменено: told of a third decision."""
    clause = text[start:end]
    by = _DOING.search(clause)
    acts = list(_ACT.finditer(clause))
    if not by or not acts or by.start() > acts[0].start() or _ASKED.search(clause) or not (kind := _outcome(clause)):
        return
    maker = _act(clause[by.start() : acts[0].start()])
    # Nobody said who did it, and when: a later sentence may.
    if (maker.day or maker.number) and not _PASSED_BY.search(clause):
        yield from _told(clause, start, acts, kind, maker)


def _told(clause: str, start: int, acts: list[re.Match[str]], kind: str, by: _Act | None) -> Iterator[Told]:
    partly = bool(_PART.search(clause)) or kind == "changed"
    for place, found in enumerate(acts):
        act = _act(clause[found.start() : acts[place + 1].start() if place + 1 < len(acts) else len(clause)])
        if act.number or act.day:
            yield _made(act, kind, (start + found.start(), start + len(clause)), by, partly=partly)


def _made(act: _Act, kind: str, span: tuple[int, int], by: _Act | None, *, partly: bool) -> Told:
    return Told(
        _OUTCOMES[kind],
        span,
        act.number,
        court=act.court,
        day=act.day,
        interim=act.interim,
        by=by.number if by else "",
        by_court=by.court if by else "",
        by_day=by.day if by else "",
        by_other=by is not None,
        partly=partly,
    )


def _passed(text: str, passed: re.Match[str]) -> Iterator[Told]:
    before = text[max(0, passed.start() - _REACH) : passed.start()]
    doing = list(_DOING.finditer(before))
    stop = _CLAUSE_ENDS.search(text, passed.end())
    end = min(stop.start() if stop else len(text), passed.end() + _REACH)
    if not doing:
        return
    act, by = _act(before[doing[-1].start() :]), _act(re.split(r",\s(?!№)", text[passed.end() : end])[0])
    if (act.number or act.day) and (by.number or by.day):
        kind = str(next(name for name in _OUTCOMES if passed[name]))
        yield _made(
            act,
            kind,
            (passed.start() - len(before) + doing[-1].start(), end),
            by,
            partly=bool(passed["partly"]) or kind == "changed",
        )


def _act(words: str) -> _Act:
    """The act that the words name; without number or day where they give none, or several."""
    days = {one.day for one in written_dates(words)}
    places = re.finditer(r"(?<![\w-])[А-Яа-яA-Z]", words)
    numbers = {one.case_number for at in places if (one := decision_at(words, at.start()))}
    # Without the act itself: Решением районного суда names the court by its last words.
    court = _COURT.search(words, len(words.split(maxsplit=1)[0]) if words else 0)
    return _Act(
        number=numbers.pop() if len(numbers) == 1 else "",
        court=court[0] if court else "",
        day=days.pop() if len(days) == 1 else "",
        interim=words.lower().startswith("определени"),
    )
