"""What passages say on a question, taken from them word for word: rules, exceptions, limits, what the asker has not said.

Nothing is inferred: a statement is a stretch of a passage, named by its offsets. What is computed from it (a last day, a sum) says so.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Literal, NamedTuple

from msgspec.structs import replace

from benchbar.assistants.provisions import LONGEST, STOPS, nearest, provisions, terms, whole
from benchbar.languages.overlap import covered
from benchbar.languages.packs import labels, pack
from benchbar.languages.quantities import Quantity, quantities
from benchbar.languages.text import Span, detect_language, sentences
from benchbar.law.claims.wordings import wordings
from benchbar.law.dates import is_day, iso_dates
from benchbar.records import Record
from benchbar.retrieval.expansion import legal_terms

Kind = Literal["rule", "exception", "limit", "missing", "granted", "refused", "practice"]
_RULES = 2
_NAMED = 4
"""Provisions told of articles that the question names."""
_EXCEPTIONS, _LIMITS, _MISSING = 3, 4, 4
_LOOKED_AT = 3
"""Articles whose exceptions and limits are told: those of lower ranks seldom bear on the question."""
_SECOND = 0.6
"""Of the best sentence's score; below it a second sentence says something else."""
_BEARS = 0.5
"""Of the best rule's score; below it an exception is one of a case that the question does not touch."""
_SAYS = 2
"""Terms from which a stretch says something."""
_TOLD = 0.5
"""Share of a condition's wording that stands in the question where the asker has said it."""
_OR = re.compile(r"或者|、|\s(?:или|либо|or)\s")
_DURATIONS = frozenset({"day", "week", "month", "year"})
_MONEY = frozenset({"yuan", "rouble", "dollar", "pound", "euro"})
_DAYS = {"day": 1, "week": 7}
_NEAR = 40
"""Characters beside a duration that say whether it is a period that runs."""
_FIRST_COUNTS = re.compile(r"\s(?:beginning|starting|commencing) (?:on|with|from) the (?:day|date)", re.IGNORECASE)
"""In Acts of Parliament a period that begins with a day has it as its first one."""


class Statement(Record, frozen=True):
    """A stretch of a passage, and what it is to the question."""

    kind: Kind
    number: int
    """The passage's."""
    start: int
    end: int
    """Offsets in the text of the article as `law show` prints it; of a decision, in the passage."""
    text: str
    computed: str = ""
    """What follows from it and the question by arithmetic: a last day (YYYY-MM-DD) or an amount; empty where nothing does."""


class Passage(Record, frozen=True):
    """A passage that answers are taken from."""

    number: int
    text: str
    law: bool
    named: bool = False
    """Whether the question names it."""
    act: str = ""
    """The law that it is of; empty where that is not known."""

    def statement(self, kind: Kind, span: Span) -> Statement:
        """What stands there."""
        text = " ".join(self.text[span[0] : span[1]].split())
        return Statement(kind=kind, number=self.number, start=span[0], end=span[1], text=text)


def statements(question: str, passages: Sequence[Passage]) -> tuple[Statement, ...]:
    """What passages say on a question, in the order in which it is told; spans are offsets in the passages' texts."""
    law = [one for one in passages if one.law]
    scored = _scored(question, law)
    rules = _rules(scored)
    first = [one for one in law if one.number in {rule.passage.number for rule in rules}]
    others = [one for one in scored if one not in rules]
    # Time limits of another case, or of another law, would be taken for those of the asker's.
    acts = {rule.passage.act for rule in rules}
    first_read = [*rules, *(one for one in others if not one.special and one.passage.act in acts)]
    first += [one for one in law[:_LOOKED_AT] if one not in first]
    # Two provisions of one sentence are told once, with what stands between them.
    told = dict.fromkeys(one.passage.statement("rule", whole(one.passage.text, one.units, one.span)) for one in rules)
    exceptions = [
        one.passage.statement("exception", one.span)
        for one in _exceptions(rules, others)
        if not any(rule.number == one.passage.number and rule.start <= one.span[0] < rule.end for rule in told)
    ]
    return (
        *told,
        *exceptions[:_EXCEPTIONS],
        *_limits(question, first_read, len(rules))[:_LIMITS],
        *list(_missing(question, first))[:_MISSING],
        *(_held(question, one) for one in passages if not one.law),
    )


class _Scored(NamedTuple):
    """A provision of a passage, how much it is about the question, and whether it is of a case that nobody asks of."""

    score: float
    passage: Passage
    span: Span
    special: bool
    units: Sequence[Span]
    """All provisions of the passage."""


def _scored(question: str, law: Sequence[Passage]) -> list[_Scored]:
    found = nearest(question, [one.text for one in law])
    return [_Scored(one.score, law[one.place], one.span, one.special, one.units) for one in found]


def _rules(scored: Sequence[_Scored]) -> list[_Scored]:
    """The provisions that are most about the question.

    Where it names articles, or no provision shares a word with it, how those begin, however they are worded.
    """
    begin = [one for one in scored if one.passage.named]
    if not begin and scored and not scored[0].score:
        begin = [one for one in scored if one.passage is scored[0].passage]
    if begin:
        return sorted(begin, key=lambda one: (one.passage.number, one.span))[:_NAMED]
    if not scored:
        return []
    least = scored[0].score * _SECOND
    # Beside a rule, what holds in another case is no second rule: it is told as the exception that it is. Neither is what another law
    # says in like words.
    second = (one for one in scored[1:_RULES] if one.score >= least and not one.special)
    return [scored[0], *(one for one in second if one.passage.act == scored[0].passage.act)]


def _exceptions(rules: Sequence[_Scored], others: Sequence[_Scored]) -> list[_Scored]:
    """Exceptions of the rules' articles that bear on the question.

    They are worded like it, or take back the rule that they stand directly behind, or the whole article.
    """
    if not rules:
        return []
    least = max(one.score for one in rules) * _BEARS
    behind = {_behind(one) for one in rules}
    articles = {one.passage.number for one in rules}
    found = []
    for one in others:
        language = detect_language(one.passage.text)
        said, text = labels(language, "patterns"), one.passage.text[slice(*one.span)]
        takes_back = said.pattern("answer.exceptional").search(text) is not None
        excepts = one.special or takes_back or wordings(language).exception.search(text) is not None
        of_rule = (one.passage.number, one.span[0]) in behind or said.pattern("answer.whole").search(text) is not None
        if one.passage.number in articles and excepts and (one.score >= least or (takes_back and of_rule)):
            found.append(one)
    return sorted(found, key=lambda one: (one.passage.number, one.span))


def _behind(rule: _Scored) -> tuple[int, int]:
    """The passage and the beginning of the provision that follows a rule."""
    starts = [start for start, _ in rule.units if start >= rule.span[1]]
    return rule.passage.number, min(starts, default=-1)


def _limits(question: str, scored: Sequence[_Scored], rules: int) -> list[Statement]:
    """Time limits and amounts of the provisions that are most about the question, with what they come to.

    Only those of the rules are reckoned: a period of another provision would be taken for the answer.
    """
    days = [date.fromisoformat(one) for one in iso_dates(question)]
    sums = [one for one in quantities(question) if one.unit in _MONEY]
    found: dict[tuple[int, int], Statement] = {}
    for rank, one in enumerate(scored[: rules + _RULES]):
        passage, (start, end) = one.passage, one.span
        for limit in quantities(passage.text[start:end]):
            if limit.unit not in _DURATIONS | _MONEY | {"percent"}:
                continue
            place = (start + limit.start, start + limit.end)
            first_counts = _FIRST_COUNTS.match(passage.text, place[1]) is not None
            runs = limit.unit not in _DURATIONS or _runs(passage.text, place)
            result = computed(limit, days, sums, first_counts=first_counts) if rank < rules and runs else ""
            clause = _clause(passage.text, place)
            key = passage.number, place[0] if result else clause[0]
            found.setdefault(key, replace(passage.statement("limit", clause), computed=result))
    # Of several last days the earliest stands first: who reads no further misses none.
    return sorted(found.values(), key=lambda one: one.computed if is_day(one.computed) else "~")


def _runs(text: str, span: Span) -> bool:
    """Whether a duration is a period that runs (within 14 days, 十五日内) and not a length (for each year, after twelve years)."""
    said = labels(detect_language(text), "patterns")
    before, after = text[max(0, span[0] - _NEAR) : span[0]], text[span[1] :][:_NEAR]
    return bool(
        said.pattern("answer.period_before").search(before) or said.pattern("answer.period_after").search(after)
    )


def computed(limit: Quantity, days: Sequence[date], sums: Sequence[Quantity], *, first_counts: bool = False) -> str:
    """The last day of a period that runs from the one day of a question, or a share of its one amount; else empty.

    With two days or sums it is not known which is meant. The day itself is not counted unless ``first_counts`` ("beginning
    with the day"), and days of rest move nothing: which days count is for the law at hand to say.
    """
    if limit.unit in _DURATIONS and len(days) == 1:
        try:
            return (_later(days[0], limit) - timedelta(days=first_counts)).isoformat()
        # A number in somebody's text may be anything: no calendar has the day.
        except (ValueError, OverflowError):
            return ""
    if limit.unit == "percent" and len(sums) == 1:
        return f"{limit.value:g}% × {sums[0].value:g} = {limit.value * sums[0].value / 100:g}"
    return ""


def _later(day: date, limit: Quantity) -> date:
    if limit.unit in _DAYS:
        return day + timedelta(days=round(limit.value * _DAYS[limit.unit]))
    months = day.year * 12 + day.month - 1 + round(limit.value * (12 if limit.unit == "year" else 1))
    year, month = divmod(months, 12)
    # The 31st has no match in a shorter month: the period ends with the month.
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _missing(question: str, law: Sequence[Passage]) -> Iterator[Statement]:
    """Conditions of the articles that the question says nothing of: what holds of them would change the answer."""
    # In the words of the law too: whoever says that the boss has not paid has said that the employer is in arrears.
    told = terms(f"{question} {legal_terms(question, pack(detect_language(question)).root)}")
    said = set[str]()
    for passage in law:
        for match in condition_of(detect_language(passage.text)).finditer(passage.text):
            # Of alternatives one is enough: to owe wages, or to pay too little of them.
            # "If there is one" says of nothing what has to be there.
            enough = len(terms(match[1])) >= _SAYS
            if enough and max(covered(terms(one), told) for one in _OR.split(match[1])) < _TOLD:
                statement = passage.statement("missing", match.span(1))
                # Articles repeat a proviso in each of their parts.
                if statement.text.lower() not in said:
                    said.add(statement.text.lower())
                    yield statement


def condition_of(language: str) -> re.Pattern[str]:
    """Finds conditions in articles of a language; group 1 is the condition."""
    return labels(language, "patterns").pattern("answer.condition")


def nearest_words(question: str, passage: Passage, most: int = LONGEST) -> str:
    """The provision of an article, or the sentence of a decision, that is nearest to the question; the whole where there is none.

    Dots show where it is one case of a sentence that takes more than ``most`` characters.
    """
    if not passage.law:
        return _held(question, passage).text
    if not (found := _scored(question, [passage])):
        return passage.text
    units, span = found[0].units, found[0].span
    start, end = whole(passage.text, units, span)
    shown = whole(passage.text, units, span, most)
    before, after = "…" if start < shown[0] else "", "…" if shown[1] < end else ""
    return before + passage.text[slice(*shown)] + after


def _held(question: str, passage: Passage) -> Statement:
    """The sentence of a decision nearest to the question, and whether the claim was granted there."""
    # Numbers are mostly those of the case, which dates share.
    wanted = _words_of(question)
    # The first line of a piece of a decision repeats number and date.
    body = passage.text.find("\n") + 1
    spans = [span for span in provisions(passage.text) if span[0] >= body] or [(0, len(passage.text))]
    # A line that ends as no sentence does is the number or the title again, which a question often names.
    spans = [span for span in spans if passage.text[: span[1]].rstrip()[-1:] in STOPS] or spans
    # Neither is one of the number alone, even where it ends like a sentence.
    spans = [span for span in spans if len(_words_of(passage.text[span[0] : span[1]])) >= _SAYS] or spans
    recital = labels(detect_language(passage.text), "patterns").pattern("answer.recital")
    spans = [span for span in spans if not recital.search(passage.text, *span)] or spans
    nearest = max(spans, key=lambda span: covered(wanted, terms(passage.text[span[0] : span[1]])))
    return passage.statement(outcome(passage.text), nearest)


def _words_of(text: str) -> frozenset[str]:
    """Its terms that are no numbers."""
    return frozenset(one for one in terms(text) if not one.isdecimal())


def outcome(decision: str) -> Literal["granted", "refused", "practice"]:
    """Whether the court granted what was claimed; ``practice`` where it says both or neither, granted a part, or sent the case back."""
    said = labels(detect_language(decision), "patterns")
    if said.pattern("answer.undecided").search(decision):
        return "practice"
    found = [kind for kind in ("granted", "refused") if said.pattern(f"answer.{kind}").search(decision)]
    if len(found) != 1:
        return "practice"
    return "granted" if found[0] == "granted" else "refused"


def _clause(text: str, span: Span) -> Span:
    """The sentence around a span, or where that is long the clause between commas."""
    found = next(((start, end) for start, end in sentences(text) if start <= span[0] < end), span)
    if found[1] - found[0] <= LONGEST // 3:
        return found
    start = max((text.rfind(mark, found[0], span[0]) for mark in ",，;；"), default=-1) + 1
    # Up to the second mark: what a period runs from often stands behind the first (со дня, когда …).
    ends = [match.start() for match in re.compile("[,，;；]").finditer(text, span[1], found[1])]
    start, end = max(start, found[0]), ends[1] if len(ends) > 1 else found[1]
    return start + len(text[start:end]) - len(text[start:end].lstrip()), end
