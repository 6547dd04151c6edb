"""What passages say on a question, taken from them word for word: rules, exceptions, limits, what the asker has not said.

Nothing is inferred: a statement is a stretch of a passage, named by its offsets. What is computed from it (a last day, a sum) says so.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from functools import cache
from math import log1p
from typing import Literal, NamedTuple

from msgspec.structs import replace

from benchbar.languages.overlap import covered
from benchbar.languages.packs import known, labels, pack, pattern_of_any
from benchbar.languages.quantities import Quantity, quantities
from benchbar.languages.text import Span, detect_language, sentences
from benchbar.law.claims.wordings import wordings
from benchbar.law.dates import is_day, iso_dates
from benchbar.records import Record
from benchbar.retrieval.expansion import legal_terms
from benchbar.retrieval.tokens import grams

Kind = Literal["rule", "exception", "limit", "missing", "granted", "refused", "practice"]
_RULES = 2
_NAMED = 4
"""Provisions told of articles that the question names."""
_EXCEPTIONS, _LIMITS, _MISSING = 3, 4, 4
_LOOKED_AT = 3
"""Articles whose exceptions and limits are told: those of lower ranks seldom bear on the question."""
_LONGEST = 600
"""Characters of a rule with the items that it opens; a list of twenty items is no answer."""
_USUAL = 200
"""Characters of a usual provision."""
_PREPOSITION = 2
"""Letters of a stem that says nothing."""
_STOPS = frozenset(".。;；:：!?！？…—")
"""What a sentence or a provision ends with."""
_SHORTEST = 12
"""Characters below which a stretch is a number or a heading's rest."""
_SECOND = 0.6
"""Of the best sentence's score; below it a second sentence says something else."""
_ASKED = 0.25
"""Added to a sentence with a number where the question asks for one: as much as a quarter of the question's wording."""
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
    first += [one for one in law[:_LOOKED_AT] if one not in first]
    taken = {(one.passage.number, one.span[0]) for one in rules}
    exceptions = [one for one in _exceptions(first) if (one.number, one.start) not in taken][:_EXCEPTIONS]
    return (
        *(one.passage.statement("rule", one.span) for one in rules),
        *exceptions,
        *_limits(question, [*rules, *(one for one in scored if one not in rules)], len(rules))[:_LIMITS],
        *list(_missing(question, first))[:_MISSING],
        *(_held(question, one) for one in passages if not one.law),
    )


def _rules(scored: Sequence[_Scored]) -> list[_Scored]:
    """The provisions that are most about the question; where it names articles, how those begin, however they are worded."""
    if named := [one for one in scored if one.passage.named]:
        return sorted(named, key=lambda one: (one.passage.number, one.span))[:_NAMED]
    least = scored[0].score * _SECOND if scored else 0.0
    return [one for one in scored[:_RULES] if one.score >= least]


class _Scored(NamedTuple):
    """A provision, and how much it is about the question."""

    score: float
    passage: Passage
    span: Span


def _scored(question: str, law: Sequence[Passage]) -> list[_Scored]:
    """The provisions of all articles, those first that are most about the question; of articles found first rather than later."""
    language = detect_language(question)
    wanted = terms(f"{question} {legal_terms(question, pack(language).root)}")
    counts = pattern_of_any("user.asks_how_much").search(question) is not None
    parts = [(rank, one, span) for rank, one in enumerate(law) for span in provisions(one.text)]
    held = [terms(one.text[span[0] : span[1]]) & wanted for _, one, span in parts]
    # What every provision of these articles says (the meeting, the tenant) does not tell the one that is asked about.
    counted = Counter(term for own in held for term in own)
    weight = {term: log1p(len(parts) / count) for term, count in counted.items()}
    most = sum(weight.values()) or 1.0
    scored = []
    for (rank, passage, span), own in zip(parts, held, strict=True):
        text = passage.text[span[0] : span[1]]
        # A long provision holds many words by chance: half of the advantage is taken back.
        score = sum(map(weight.__getitem__, own)) / most / max(1.0, len(text) / _USUAL) ** 0.5
        score += _ASKED if counts and quantities(text) else 0.0
        # The retriever read the whole article; a sentence alone often shares few words with the question.
        scored.append(_Scored(score / (1 + rank / 2), passage, span))
    return sorted(scored, key=lambda one: -one.score)


def terms(text: str) -> frozenset[str]:
    """Stems without the commonest words, or pairs of characters where words are not spaced."""
    unigrams, bigrams = grams(text)
    pairs = [pair for pair in bigrams if " " not in pair]
    return frozenset(pairs or [one for one in unigrams if len(one) > _PREPOSITION]) - _common()


@cache
def _common() -> frozenset[str]:
    """What every text of a language says, of all languages; without, an unrelated English sentence shares half of its words."""
    return frozenset(stem for tag in known() for stem in grams(pack(tag).about.common)[0])


def _exceptions(law: Sequence[Passage]) -> Iterator[Statement]:
    for passage in law:
        exception = wordings(detect_language(passage.text)).exception
        for span in provisions(passage.text):
            if exception.search(passage.text, *span):
                yield passage.statement("exception", span)


def _limits(question: str, scored: Sequence[_Scored], rules: int) -> list[Statement]:
    """Time limits and amounts of the provisions that are most about the question, with what they come to.

    Only those of the rules are reckoned: a period of another provision would be taken for the answer.
    """
    days = [date.fromisoformat(one) for one in iso_dates(question)]
    sums = [one for one in quantities(question) if one.unit in _MONEY]
    found: dict[tuple[int, int], Statement] = {}
    for rank, (_, passage, (start, end)) in enumerate(scored[: rules + _RULES]):
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


def nearest_words(question: str, passage: Passage) -> str:
    """The provision of an article, or the sentence of a decision, that is nearest to the question; the whole where there is none."""
    if not passage.law:
        return _held(question, passage).text
    found = _scored(question, [passage])
    return passage.text[slice(*found[0].span)] if found else passage.text


def _held(question: str, passage: Passage) -> Statement:
    """The sentence of a decision nearest to the question, and whether the claim was granted there."""
    # Numbers are mostly those of the case, which dates share.
    wanted = _words_of(question)
    # The first line of a piece of a decision repeats number and date.
    body = passage.text.find("\n") + 1
    spans = [span for span in provisions(passage.text) if span[0] >= body] or [(0, len(passage.text))]
    # A line that ends as no sentence does is the number or the title again, which a question often names.
    spans = [span for span in spans if passage.text[: span[1]].rstrip()[-1:] in _STOPS] or spans
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


def provisions(text: str) -> list[Span]:
    """Spans of what a text provides: its sentences, one that opens a list with the items of the list."""
    words = wordings(detect_language(text))
    found: list[Span] = []
    # The first letter of the marks of the list that is open: (a) goes on with (b), and (2) after (b) is another subsection.
    listing = ""
    for start, end in sentences(text):
        begin, until = found[-1] if found else (start, start)
        item = words.item.match(text[start:end])
        mark = _kind_of(item[0]) if item else ""
        opened = text[begin:until].rstrip()[-1:] in {":", "：", "—", "–"}
        goes_on = mark and (opened or mark == listing) and end - begin <= _LONGEST
        if found and (goes_on or (until - begin < _SHORTEST and not _heading(text, begin, until))):
            found[-1] = (begin, end)
            listing = mark if goes_on else ""
        else:
            found.append((start, end))
            listing = ""
    return [(start, end) for start, end in found if end - start >= _SHORTEST and not _heading(text, start, end)]


def _kind_of(mark: str) -> str:
    letter = next((one for one in mark if one.isalnum()), "")
    return "digit" if letter.isdecimal() else "letter"


def _heading(text: str, start: int, end: int) -> bool:
    """Whether a line is the article's heading: the first of several, without the stop that ends a sentence."""
    return start == 0 and end < len(text) and text[end - 1] not in _STOPS


def _clause(text: str, span: Span) -> Span:
    """The sentence around a span, or where that is long the clause between commas."""
    found = next(((start, end) for start, end in sentences(text) if start <= span[0] < end), span)
    if found[1] - found[0] <= _LONGEST // 3:
        return found
    start = max((text.rfind(mark, found[0], span[0]) for mark in ",，;；"), default=-1) + 1
    # Up to the second mark: what a period runs from often stands behind the first (со дня, когда …).
    ends = [match.start() for match in re.compile("[,，;；]").finditer(text, span[1], found[1])]
    start, end = max(start, found[0]), ends[1] if len(ends) > 1 else found[1]
    return start + len(text[start:end]) - len(text[start:end].lstrip()), end
