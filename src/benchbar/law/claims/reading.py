"""A claim or an article, read for what can be compared: clauses with their operators, numbers with units, telling terms."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from benchbar.languages.numerals import ZH_CHARACTERS, parse_number
from benchbar.languages.quantities import quantities
from benchbar.languages.text import Span, folded, nfkc
from benchbar.languages.words import EN_NUMBER_WORDS, RU_NUMBER_WORDS
from benchbar.law.claims.wordings import wordings

LONGEST = 4000
"""Characters that are read: of 65,000 Chinese articles the longest has 3,400."""
MOST_NUMBERS = 40
"""Numbers that are compared: each with each, so that a hostile list of thousands would take minutes."""
_STEM = 5
"""Letters of a word that count, so that most endings do not."""
_MARK = 6
"""Characters at the end of a sentence that show whether it opens a list."""
_LOOK = 60
"""Characters before a number that can bound it: огранич… , caps the interest … at."""
_IN_OTHERS = {"week": (7, "day"), "year": (12, "month")}
"""Units that are counted in others: two weeks are fourteen days."""
_TIMES = {"minute", "hour", "day", "working_day", "month"}
_WORDS = "|".join((*RU_NUMBER_WORDS, *EN_NUMBER_WORDS))
_NUMBER = rf"\d[\d,]{{0,15}}(?:\.\d{{1,6}})?|[{ZH_CHARACTERS}]{{1,16}}|\b(?:{_WORDS})(?:[\s-](?:{_WORDS})){{0,5}}\b"
# thirty (30) days: the digits in brackets repeat the word.
_COUNTED = re.compile(rf"({_NUMBER})(?:\s?\(\d{{1,4}}\))?([\s-]{{0,2}})(\w{{0,20}})")
_FRACTION = re.compile(rf"([{ZH_CHARACTERS}]{{1,4}})分之([{ZH_CHARACTERS}]{{1,4}})|\b(\d{{1,2}})/(\d{{1,2}})\b")
_HAN = re.compile("[\u3400-\u9fff]{2,}")
_WORD = re.compile(r"[^\W\d_\u3400-\u9fff]{3,}")
_SENTENCE = re.compile(r"[。；;！？!?\n]|\.(?=\s|$)")
_HUNDREDS = {100, 1000}
_DENYING = {"must_not", "need_not", "not"}
_LAST_WORD, _LEAD = re.compile(r"[^\W\d_]{2,12}\s?$"), 14
_ENOUGH, _STEP = 6, 12
"""Terms that tell a clause, and characters by which it is widened until it has them."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number with what it counts, and whether it is a bound."""

    start: int
    end: int
    value: float
    unit: str
    bound: str
    """``at_most``, ``at_least``, ``more``, ``less``, or empty."""
    case: bool = False
    """Whether it is that of one case and no rule: after three weeks, a claim for 12,000 dollars."""


@dataclass(frozen=True, slots=True)
class Operator:
    """A word that makes a clause a duty, a permission, a prohibition, an exemption or a denial."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch between two commas or conjunctions, with its operators."""

    start: int
    end: int
    operators: tuple[Operator, ...]
    own: frozenset[str]
    terms: frozenset[str]
    """Its own, and where these are few those of the clauses before it or behind it: 法院不予支持 says little alone."""
    subject: frozenset[str]
    """The terms before its first operator."""
    act: frozenset[str]
    """What is governed: the terms behind the operator that denies it, else behind its first one; all of its own where none stand there."""
    opposites: tuple[bool | None, ...]
    """For each pair of opposites of the language, whether the second one is there; None where neither is, or both are."""
    conditional: bool
    """Whether it is a condition of what another clause says."""
    excepting: bool
    """Whether it denies by making an exception (…的除外): it is no rule of its own that a claim could part from."""

    @property
    def denied(self) -> bool:
        """Whether it says no: an odd number of negations, prohibitions and exemptions (不得拒绝 says yes)."""
        return sum(one.kind in _DENYING for one in self.operators) % 2 == 1

    @property
    def barred(self) -> bool:
        """Whether it forbids or exempts: 未经同意不得 says no more than 不得, though it denies twice."""
        return any(one.kind in {"must_not", "need_not"} for one in self.operators)

    @property
    def kind(self) -> str:
        """Its strongest operator; ``plain`` where it has none."""
        kinds = {one.kind for one in self.operators}
        return next((kind for kind in ("must_not", "need_not", "must", "may", "not") if kind in kinds), "plain")


@dataclass(frozen=True, slots=True)
class Sentence:
    """Clauses between two full stops or semicolons: an article's tiers each stand in one."""

    start: int
    end: int
    clauses: tuple[Clause, ...]
    numbers: tuple[Number, ...]
    terms: frozenset[str]
    excepts: bool
    """Whether it makes an exception."""
    denials: int
    """Negations in all of it, conditions included."""


class Reading:
    """One text, read once; offsets are those of the text."""

    def __init__(self, text: str, language: str) -> None:
        """``text`` in ``language``; beyond ``LONGEST`` characters nothing is read."""
        self.text = text[:LONGEST]
        self.words = wordings(language)
        plain = folded(self.text).lower()
        # A few letters grow when made small (İ): then offsets would no longer hold.
        self.plain = plain if len(plain) == len(self.text) else folded(self.text)

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences that say something."""
        edges = [0, *(match.end() for match in _SENTENCE.finditer(self.plain)), len(self.plain)]
        found, above = list[Sentence](), tuple[Clause, ...]()
        for start, end in pairwise(edges):
            if not self.text[start:end].strip():
                continue
            one = self._sentence(start, end)
            if self.words.item.match(self.plain, start):
                one = _under(above, one)
            elif self.words.list.search(self.plain[max(start, end - _MARK) : end].rstrip("\n")):
                above = tuple(clause for clause in one.clauses if clause.operators)
            found.append(one)
        return tuple(found)

    @cached_property
    def terms(self) -> frozenset[str]:
        """The telling terms of all of it."""
        return frozenset(term for _, term in self._placed)

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        """Numbers with units, in order; those of articles, items and years are none."""
        masked = _blank(self.plain, self.words.reference)
        found = {one.start: one for one in self._counted(masked)}
        found |= {one.start: Number(one.start, one.end, one.value, one.unit, "") for one in quantities(masked)}
        apart: list[Number] = []
        for one in sorted(found.values(), key=lambda one: (one.start, -one.end)):
            if not apart or one.start >= apart[-1].end:
                apart.append(one)
        return tuple(self._bounded(one) for one in apart[:MOST_NUMBERS])

    def near(self, start: int, end: int) -> frozenset[str]:
        """The terms around a place, within its sentence: more of them before it, where its subject and verb stand."""
        before, after = (60, 40) if self.words.spaces else (18, 10)
        sentence = self.sentence_at(start)
        first, last = (sentence.start, sentence.end) if sentence else (start, end)
        low, high = max(first, start - before), min(last, end + after)
        return self.terms_between(low, start) | self.terms_between(end, high)

    def beside(self, start: int, end: int) -> frozenset[str]:
        """The terms right at a place, within its clause: what is counted, and in what (价款十倍, 24 hours a week)."""
        before, after = (24, 24) if self.words.spaces else (4, 0)
        clause = self.clause_at(start)
        low, high = (clause.start, clause.end) if clause else (start, end)
        behind = self.terms_between(end, min(high, end + after)) if after else frozenset()
        return self.terms_between(max(low, start - before), start - 1) | behind

    def sentence_at(self, place: int) -> Sentence | None:
        """The sentence that a place is in; None between sentences."""
        return next((one for one in self.sentences if one.start <= place < one.end), None)

    def clause_at(self, place: int) -> Clause | None:
        """The clause that a place is in; None where none with terms is."""
        sentence = self.sentence_at(place)
        return next((one for one in sentence.clauses if one.start <= place < one.end), None) if sentence else None

    def _sentence(self, start: int, end: int) -> Sentence:
        cuts = [start, *(match.end() for match in self.words.cut.finditer(self.plain, start, end)), end]
        clauses = tuple(self._clause(a, b, start, end) for a, b in pairwise(cuts) if b > a)
        numbers = tuple(one for one in self.numbers if start <= one.start < end)
        terms = self.terms_between(start, end) | {f"#{one.value:g}{one.unit}" for one in numbers}
        denials = sum(clause.denied for clause in clauses)
        excepts = self.words.exception.search(self.plain, start, end) is not None
        return Sentence(start, end, tuple(one for one in clauses if one.terms), numbers, terms, excepts, denials)

    def _clause(self, start: int, end: int, first: int, last: int) -> Clause:
        operators = tuple(one for one in self._operators if start <= one.start < end)
        text, own, low, high = self.plain[start:end], self.terms_between(start, end), start, end
        terms = own
        while own and operators and len(terms) < _ENOUGH and (low > first or high < last):
            # What stands before is its subject or condition; only a first clause is told by what follows.
            low, high = (max(first, low - _STEP), high) if low > first else (low, min(last, high + _STEP))
            terms = self.terms_between(low, high)
        return Clause(
            start,
            end,
            operators,
            own,
            terms,
            subject=self.terms_between(start, operators[0].start) if operators else frozenset(),
            act=act if len(act := self._act(operators, end)) > 1 else own,
            opposites=tuple(_side(text, *pair) for pair in self.words.opposite),
            conditional=self._conditional(start, end, first),
            excepting=any(self.words.exception.fullmatch(self.plain, one.start, one.end) for one in operators),
        )

    def _conditional(self, start: int, end: int, first: int) -> bool:
        # The word that makes it one may be that behind which it was cut off: …, if the tenant does not pay.
        lead = _LAST_WORD.search(self.plain, max(first, start - _LEAD), start) if self.words.spaces else None
        return any(
            self.words.condition.search(self.plain[at:end]) is not None
            for at in (start, lead.start() if lead else start)
        )

    def _act(self, operators: tuple[Operator, ...], end: int) -> frozenset[str]:
        denying = [one for one in operators if one.kind in _DENYING]
        governing = denying[-1:] if len(denying) % 2 else operators[:1]
        if not governing:
            return frozenset()
        # A denial alone denies what stands right behind it: without delay you may sell.
        reach = (20 if self.words.spaces else 6) if governing[0].kind == "not" else end
        return self.terms_between(governing[0].end, min(end, governing[0].end + reach))

    @cached_property
    def _operators(self) -> list[Operator]:
        # Once a word is taken it is blanked: the 不 of 不得 is no further negation.
        left, found = _blank(self.plain, self.words.fixed), []
        for kind, pattern in self.words.operators:
            found += [Operator(*match.span(), kind) for match in pattern.finditer(left) if match[0].strip()]
            left = _blank(left, pattern)
        return sorted(found, key=lambda one: one.start)

    def _counted(self, masked: str) -> Iterator[Number]:
        for match in _FRACTION.finditer(masked):
            below, above = (parse_number(part) for part in ((match[1], match[2]) if match[1] else (match[4], match[3])))
            if below and above and below not in _HUNDREDS:
                yield Number(*match.span(), round(above / below, 4), "share", "")
        for match in _COUNTED.finditer(masked):
            value = parse_number(match[1].strip(","))
            if value is None:
                continue
            behind = match.start(3) if self.words.spaces else match.end(1)
            unit, end = self._unit(masked, behind, match)
            if self.words.age and self.words.age.search(masked[max(0, match.start() - _LOOK) : match.start()]):
                unit = "age"
            if unit in _IN_OTHERS:
                factor, unit = _IN_OTHERS[unit]
                value *= factor
            if unit:
                yield Number(match.start(1), end, float(value), unit, "")

    def _unit(self, masked: str, behind: int, match: re.Match[str]) -> tuple[str, int]:
        # three or more witnesses: what is counted stands behind the bound.
        for _, _, after in self.words.bounds:
            if after and (bound := after.match(masked[behind - 1 : behind + 20])) and self.words.spaces:
                behind += bound.end()
                noun = re.match(r"\w{3,20}", masked[behind : behind + 20])
                return (noun[0][:_STEM], behind + noun.end()) if noun else ("", behind)
        for unit, pattern in self.words.units:
            if found := pattern.match(masked, behind):
                return unit, found.end()
        # A noun of any kind can be counted: two witnesses.
        if self.words.spaces and len(match[3]) > 2 and match[2] and not self.words.ignored.fullmatch(match[3]):
            return match[3][:_STEM], match.end()
        return "", behind

    def _bounded(self, one: Number) -> Number:
        before, behind = self.plain[max(0, one.start - _LOOK) : one.start], self.plain[one.end : one.end + 12]
        bound = next(
            (
                kind
                for kind, ahead, after in self.words.bounds
                if ahead.search(before) or (after and after.match(behind))
            ),
            "at_most" if self._left(one, before, behind) else "",
        )
        return replace(one, bound=bound, case=self._of_a_case(one, behind, bounded=bool(bound)))

    def _left(self, one: Number, before: str, behind: str) -> bool:
        """Whether it is the time in which something has to be done: has 14 days to return it."""
        if not self.words.time_left or one.unit not in _TIMES:
            return False
        ahead, after = self.words.time_left
        return ahead.search(before) is not None and after.match(behind) is not None

    def _of_a_case(self, one: Number, behind: str, *, bounded: bool) -> bool:
        # A person aged over 75 is anybody of that age; one aged 76 is somebody.
        if one.unit == "age" and bounded:
            return False
        start = max(self._cut_before(one.start), one.start - _LOOK)
        # What must be done six weeks before is a rule; what is done six weeks after may be a case.
        duty = any(each.kind == "must" and start <= each.start < one.start for each in self._operators)
        followed = not bounded and not duty and self.words.case_behind.match(behind) is not None
        # ^ is the beginning of a sentence: "A claim for …", and not "as a minimum, a sum of …".
        first = self.plain[:start].rstrip()[-1:] in {"", ".", ";", ":", "!", "?"}
        said = self.plain[start : one.start]
        return followed or self.words.case.search(said if first else f", {said}") is not None

    def _cut_before(self, place: int) -> int:
        cuts = [match.end() for match in self.words.cut.finditer(self.plain, 0, place) if match.end() <= place]
        return cuts[-1] if cuts else 0

    def terms_between(self, start: int, end: int) -> frozenset[str]:
        """The telling terms that begin in a stretch."""
        low = bisect_left(self._placed, (start, ""))
        return frozenset(term for _, term in self._placed[low : bisect_right(self._placed, (end, ""))])

    @cached_property
    def _placed(self) -> list[tuple[int, str]]:
        """Terms with their places: pairs of Chinese characters, beginnings of words, and what several words stand for."""
        left, found = self.plain, list[tuple[int, str]]()
        for name, pattern in self.words.same:
            found += [(match.start(), f"={name}") for match in pattern.finditer(left)]
            left = _blank(left, pattern)
        taken: list[Operator | Number] = [*self._operators, *self.numbers]
        for one in taken:
            left = left[: one.start] + " " * (one.end - one.start) + left[one.end :]
        for pattern in (self.words.reference, self.words.ignored):
            left = _blank(left, pattern)
        for run in _HAN.finditer(left):
            found += [(at, left[at : at + 2]) for at in range(run.start(), run.end() - 1)]
        found += [(word.start(), nfkc(word[0])[:_STEM]) for word in _WORD.finditer(left)]
        return sorted(found)


def _under(above: tuple[Clause, ...], item: Sentence) -> Sentence:
    """An item with what its list says of all items: 有下列情形之一的，可以解除： holds for each of them."""
    shared = tuple(replace(one, terms=one.terms | item.terms, own=one.own | item.terms) for one in above)
    return replace(item, clauses=(*item.clauses, *shared), denials=item.denials + sum(one.denied for one in above))


def _side(text: str, one: re.Pattern[str], other: re.Pattern[str]) -> bool | None:
    first, second = one.search(text) is not None, other.search(text) is not None
    return None if first == second else second


def _blank(text: str, pattern: re.Pattern[str]) -> str:
    return pattern.sub(lambda match: " " * len(match[0]), text)


def span_of(one: Number | Operator | Clause) -> Span:
    """Where it stands."""
    return one.start, one.end
