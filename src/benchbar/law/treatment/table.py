"""What became of every decision of a corpus, by the files of the corpus alone."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from benchbar.languages.packs import pack
from benchbar.languages.text import root_language
from benchbar.law.treatment import told_en, told_ru, told_zh
from benchbar.law.treatment.told import Told
from benchbar.records import Decision, Record, Treatment, TreatmentKind

_ALWAYS = "9999-12-31"
_GRAMMARS = {"zh": told_zh, "ru": told_ru, "en": told_en}


def told_by(text: str) -> tuple[Told, ...]:
    """What a text says became of which decisions, in the order of the text.

    Nothing where the text does not name the decision: 维持原判 without the number of what was appealed against, "the judgment of the
    Court of Appeals is reversed", ``решение отменить`` without its day.
    """
    grammar = _GRAMMARS.get(pack(root_language(text)).root)
    if grammar is None or not grammar.WORDS.search(text):
        return ()
    return tuple(sorted(set(grammar.told(text)), key=lambda one: one.span))


class Kept(Record, frozen=True):
    """A treatment as an index keeps it: of whom, and the row of the decision whose file says it."""

    of: str
    row: int
    treatment: Treatment


@dataclass(frozen=True)
class Treatments:
    """Every treatment that the decisions of a corpus tell of, by the decision that it is of."""

    kept: tuple[Kept, ...] = ()
    _by_key: Mapping[str, tuple[Treatment, ...]] = field(default_factory=dict)

    @classmethod
    def of_kept(cls, kept: Iterable[Kept]) -> Treatments:
        """The table of what was kept."""
        kept = tuple(kept)
        by_key: dict[str, dict[Treatment, None]] = defaultdict(dict)
        for one in kept:
            by_key[one.of][one.treatment] = None
        return cls(kept, {key: tuple(sorted(found, key=lambda one: one.date)) for key, found in by_key.items()})

    @classmethod
    def of(cls, decisions: Sequence[Decision]) -> Treatments:
        """What the files of these decisions tell of one another, and of decisions that they name."""
        held = _Held.of(decisions)
        return cls.of_kept(one for row, decision in enumerate(decisions) for one in _kept(row, decision, held))

    def of_rows(self, rows: Iterable[int]) -> Treatments:
        """What the decisions of some rows alone tell: others may be closed to who asks."""
        place = {row: new for new, row in enumerate(rows)}
        return Treatments.of_kept(
            msgspec.structs.replace(one, row=place[one.row]) for one in self.kept if one.row in place
        )

    def of_decision(self, decision: Decision | None, number: str = "") -> tuple[Treatment, ...]:
        """What became of a decision that is held, or of one that only its number names, the earliest first."""
        keys = [_id_key(decision.id)] if decision else []
        # The number of another instance that the document reports on is that of another decision.
        if number and (decision is None or number_key(number) != number_key(decision.case_number)):
            keys = [_number_key(number)]
        elif decision:
            keys.append(_number_key(decision.case_number))
        found = {one: None for key in keys for one in self._by_key.get(key, ())}
        return tuple(sorted(found, key=lambda one: one.date))

    def now(self, decision: Decision) -> Treatment | None:
        """What counts of a decision's treatments by all that the corpus knows."""
        return standing(self.of_decision(decision), _ALWAYS)

    def said_now(self, decision: Decision | None) -> str:
        """The same in one line; empty where there is no decision, and where no file says what became of it."""
        found = self.now(decision) if decision else None
        return said_of(found) if found else ""


def standing(treatments: Sequence[Treatment], on: str) -> Treatment | None:
    """What counts of a decision's treatments on a day (YYYY-MM-DD); None where nothing was done yet, or where they contradict one another.

    The last one counts: what was set aside on appeal may have been restored by the court above.
    """
    # 1991 < 1991-05-06: a year alone counts from its beginning.
    done = [one for one in treatments if not one.date or one.date <= on]
    if not done:
        return None
    whole = [one for one in done if not one.partly]
    if len({one.ends for one in whole}) > 1 and not all(one.date for one in whole):
        return None
    last = max(whole or done, key=lambda one: one.date)
    if len({one.ends for one in whole if one.date == last.date}) > 1:
        return None
    return last


def said_of(one: Treatment) -> str:
    """The treatment in one line: set aside by （2016）最高法民再98号 (2016-05-31)."""
    part = "in part " if one.partly and one.kind is not TreatmentKind.CHANGED else ""
    return f"{one.kind.value.replace('_', ' ')} {part}by {one.by}" + (f" ({one.date})" if one.date else "")


def number_key(number: str) -> str:
    """A case number without spaces and points: 783 F. 2d 1186 and 783 F.2d 1186 are one."""
    return re.sub(r"[\s.]", "", number)


def _number_key(number: str) -> str:
    return f"number:{number_key(number)}"


def _id_key(id_: str) -> str:
    return f"id:{id_}"


@dataclass(frozen=True)
class _Held:
    """The decisions of a corpus by number and by day."""

    by_number: Mapping[str, tuple[Decision, ...]]
    by_day: Mapping[str, tuple[Decision, ...]]

    @classmethod
    def of(cls, decisions: Sequence[Decision]) -> _Held:
        by_number, by_day = defaultdict(list), defaultdict(list)
        for one in decisions:
            for number in {one.case_number, one.id} - {""}:
                by_number[number_key(number)].append(one)
            if one.date:
                by_day[one.date].append(one)
        return cls(
            {key: tuple(found) for key, found in by_number.items()},
            {key: tuple(found) for key, found in by_day.items()},
        )


def _kept(row: int, decision: Decision, held: _Held) -> Iterator[Kept]:
    if decision.overruled_by:
        later = held.by_number.get(number_key(decision.overruled_by), ())
        day = later[0].date if len(later) == 1 else ""
        treatment = Treatment(kind=TreatmentKind.SET_ASIDE, by=decision.overruled_by, date=day, said_in=decision.id)
        yield Kept(of=_id_key(decision.id), row=row, treatment=treatment)
    for one in told_by(decision.text):
        by, day = _who(one, decision, held)
        if by and (of := _whom(one, decision, held)):
            treatment = Treatment(kind=one.kind, by=by, date=day, partly=one.partly, said_in=decision.id)
            yield Kept(of=of, row=row, treatment=treatment)


def _who(one: Told, decision: Decision, held: _Held) -> tuple[str, str]:
    """Number and day of the decision that did it; empty where the text does not tell it."""
    if not one.by_other:
        return decision.case_number or decision.id, decision.date
    found = held.by_number.get(number_key(one.by), ()) if one.by else ()
    day = one.by_day if len(one.by_day) == 10 or not found else found[0].date or one.by_day
    return one.by or ", ".join(filter(None, (one.by_court, one.by_day))), day


def _whom(one: Told, decision: Decision, held: _Held) -> str:
    """The key of the decision that is meant; empty where it cannot be told which one that is."""
    found = held.by_number.get(number_key(one.number), ()) if one.number else held.by_day.get(one.day, ())
    fits: list[Callable[[Decision], bool]] = [lambda held_one: held_one.id != decision.id]
    if one.day:
        # Of one number there may be a ruling on procedure and the judgment: the day tells them apart.
        fits.append(lambda held_one: not held_one.date or held_one.date == one.day)
    if not one.number:
        fits.append(lambda held_one: _same_court(one.court, held_one.court))
    there = [held_one for held_one in found if all(fit(held_one) for fit in fits)]
    if len(there) == 1:
        return _id_key(there[0].id)
    # Nobody holds it, and its number names it: unless it may be another paper of a case that is held.
    alone = not found and one.number and not one.interim and number_key(one.number) != number_key(decision.case_number)
    return _number_key(one.number) if alone and not there else ""


def _same_court(named: str, held: str) -> bool:
    """Whether two names are of one court, in whatever case of the language: all longer words of the shorter begin alike."""
    stems = [[word[:5].lower() for word in re.findall(r"\w{4,}", name)] for name in (named, held)]
    fewer, more = sorted(stems, key=len)
    return bool(fewer) and all(stem in more for stem in fewer)
