"""What Chinese decisions and reports of them say of the decision below: 维持, 撤销, 变更, 不再适用."""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchbar.law.case_numbers_zh import case_numbers
from benchbar.law.dates import written_dates
from benchbar.law.treatment.told import Told
from benchbar.records import TreatmentKind

WORDS = re.compile("维持|撤销|变更|不再|維持|撤銷|變更")
"""A text without them treats no decision."""
# What the court orders: behind 判决如下, or a line of its own in short reports.
_ORDERS = re.compile(r"(?:判决|裁定|判決)如下[：:]?|^(?:判决|裁定)(?=撤销|维持|驳回|变更)", re.MULTILINE)
# 作出（2013）陕民三终字第38号民事判决：…, 以（2012）内刑三终字第33号刑事裁定，…: what that decision ordered, reported by another text.
_REPORTED = re.compile(r"(?:作\s?出|日以)\s?(?=[（(〔\[【])")
_KIND = r"(?:民事|刑事|行政|赔偿|执行|附带民事|刑事附带民事|知识产权){0,2}\s?(?P<kind>判决|裁定|判決|调解|決定|决定)书?"
_BEHIND = re.compile(rf"\s?{_KIND}(?P<part>[^。；;，,\n]{{0,40}})")
_PART = re.compile(r"第?[一二三四五六七八九十、至和及\d]{1,12}项|主文第|部分|中关于|中的")
_VERB = re.compile(r"(?P<upheld>维持|維持)|(?P<aside>撤销|撤銷)|(?P<changed>变更|變更)")
_BELOW = re.compile(
    r"(?P<upheld>驳回上诉[，,、]?\s?维持原判|维持原(?:判决|裁定|审判决|判)|维持一审判决|维持二审判决)"
    r"|(?P<aside>撤销原(?:判决|裁定|审判决|判)|撤销一审(?:民事|行政|刑事)?判决)"
)
_BOTH = re.compile(
    r"(?:(?P<aside>撤销)|(?P<upheld>维持))(?:原审?)?一审?(?:、|和|判决和|判决、)二审(?:民事|行政|刑事)?判决"
)
_AGAINST = re.compile(r"不服[^。；;\n]{0,80}?(?=[（(〔\[【]\s?(?:19|20)\d\d)")
_NO_LONGER = re.compile(r"(?:一案)?(?:的?(?:民事|刑事|行政)?(?:判决|裁定))?[^。；;\n]{0,20}?不再(?:适用|参照|作为参照)")
# Texts from PDF break their lines anywhere: a paragraph ends behind a full stop.
_NEXT_STEP = re.compile(r"。\s*\n|\n\s*\n|宣判后|不服|申请再审|提起上诉|作\s?出")
_JOINED = re.compile(r"(?:、|和|及|以及)[^。；;，,\n（(]{0,30}(?=[（(〔\[【])")
_NAMED_AHEAD = 40
"""Characters of a court's name between 撤销 and the number of its decision."""
_OUTCOMES = {"upheld": TreatmentKind.UPHELD, "aside": TreatmentKind.SET_ASIDE, "changed": TreatmentKind.CHANGED}


def told(text: str) -> Iterator[Told]:
    """What the text says became of which decisions; nothing where the decision is not named."""
    orders = list(_ORDERS.finditer(text))
    reported = list(_reports(text))
    if orders:
        # The last one: what is quoted before it are the orders of the decisions below.
        yield from _ordered(text, orders[-1].end(), len(text), _appealed(text[: orders[-1].start()]))
    earlier: list[str] = []
    for place, (number, day, start) in enumerate(reported):
        end = min(_end(text, start), reported[place + 1][2] if place + 1 < len(reported) else len(text))
        below = earlier[-1] if len(set(earlier)) == 1 else ""
        if not orders or start < orders[-1].start():
            for one in (*_ordered(text, start, end, below), *_both(text, start, end, earlier)):
                if one.number != number:
                    yield _by(one, number, day)
        earlier.append(number)
    yield from _overruled(text)


def _by(one: Told, number: str, day: str) -> Told:
    return Told(one.kind, one.span, one.number, by=number, by_day=day, partly=one.partly, by_other=True)


def _end(text: str, start: int) -> int:
    """Where the orders that are reported end: with the paragraph, or before the next step of the proceedings."""
    stop = _NEXT_STEP.search(text, start)
    return stop.start() if stop else len(text)


def _reports(text: str) -> Iterator[tuple[str, str, int]]:
    """Each decision that the text says was made, with its day, and where its orders begin."""
    for made in _REPORTED.finditer(text):
        mention = next(case_numbers(text, made.end()), None)
        if mention is None:
            continue
        kind = _BEHIND.match(text, mention.span[1])
        dates = written_dates(text[max(0, made.start() - 40) : made.start()])
        if kind:
            yield mention.case_number, dates[-1].day if dates else "", mention.span[1]


def _appealed(head: str) -> str:
    """The only decision that the head says was appealed against; empty where it names none or several."""
    numbers = set()
    for against in _AGAINST.finditer(head):
        numbers |= {one.case_number for one in case_numbers(head, against.end())}
    return numbers.pop() if len(numbers) == 1 else ""


def _ordered(text: str, start: int, end: int, below: str) -> Iterator[Told]:
    """What is ordered between two places about named decisions, and about 原判 where it is known which one that is."""
    for verb in _VERB.finditer(text, start, end):
        outcome = _OUTCOMES[str(verb.lastgroup)]
        yield from _named(text, verb.end(), end, outcome, verb.start())
    if below:
        for found in _BELOW.finditer(text, start, end):
            yield Told(
                _OUTCOMES[str(found.lastgroup)], found.span(), below, partly=bool(_PART.match(text, found.end()))
            )


def _both(text: str, start: int, end: int, earlier: list[str]) -> Iterator[Told]:
    """撤销一、二审判决, where the text told of two decisions before."""
    if len(earlier) == 2 == len(set(earlier)):
        for found in _BOTH.finditer(text, start, end):
            for number in earlier:
                yield Told(_OUTCOMES[str(found.lastgroup)], found.span(), number)


def _named(text: str, place: int, end: int, outcome: TreatmentKind, begins: int) -> Iterator[Told]:
    bracket = re.compile(rf"[^。；;，,（(〔\[【]{{0,{_NAMED_AHEAD}}}").match(text, place, end)
    at = bracket.end() if bracket else place
    while at < end:
        numbers = list(case_numbers(text, at))
        behind = _BEHIND.match(text, numbers[0].span[1]) if numbers else None
        if not behind:
            return
        part = bool(_PART.search(behind["part"]))
        for one in numbers:
            yield Told(
                outcome, (begins, behind.end("kind")), one.case_number, partly=part or outcome is TreatmentKind.CHANGED
            )
        joined = _JOINED.match(text, behind.end("kind"), end)
        if not joined:
            return
        at = joined.end()


def _overruled(text: str) -> Iterator[Told]:
    """（2022）…号判决的观点不再适用: this decision leaves that one's view."""
    for bracket in re.finditer(r"[（(〔\[【](?=\s?(?:19|20)\d\d)", text):
        for one in case_numbers(text, bracket.start()):
            if behind := _NO_LONGER.match(text, one.span[1]):
                yield Told(TreatmentKind.OVERRULED, (bracket.start(), behind.end()), one.case_number)
