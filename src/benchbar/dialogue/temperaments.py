"""Users differ: which temperaments there are, who plays which, and what a mistaken user gets wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from benchbar.languages.numerals import ZH_CHARACTERS
from benchbar.languages.quantities import quantities
from benchbar.records import Reply, Sample, Task, Turn, fingerprint
from benchbar.records.errors import UserError
from benchbar.records.protocols import UserSimulator


class Temperament(StrEnum):
    """How a simulated user talks."""

    CALM = "calm"
    ANXIOUS = "anxious"
    TERSE = "terse"
    RAMBLING = "rambling"
    MISTAKEN = "mistaken"
    DISTRUSTFUL = "distrustful"


def temperaments_of(names: object) -> tuple[Temperament, ...]:
    """The temperaments that a spec names.

    Raises:
        UserError: one is unknown or named twice, there is only one, or it is no list.
    """
    known = ", ".join(Temperament)
    if not isinstance(names, list | tuple):
        raise UserError(f"simulator temperaments: {names!r}; expected a list of {known}")
    for name in names:
        if name not in tuple(Temperament):
            raise UserError(f"simulator temperaments: {name!r} is unknown; expected some of {known}")
    if len(set(names)) < len(names):
        raise UserError(f"simulator temperaments: {', '.join(names)}: one is named twice")
    return tuple(Temperament(name) for name in names)


@dataclass(frozen=True)
class Assignment:
    """Who plays which temperament: samples in blocks, each temperament once in a block."""

    temperaments: tuple[Temperament, ...] = ()
    of: Mapping[str, Temperament] | None = None
    """Sample to temperament; the same for all assistants."""
    blocks: tuple[tuple[str, ...], ...] = ()
    """Samples that are compared with each other: as many as temperaments, of one task where it has enough."""
    seed: int = 0

    def __call__(self, sample: Sample) -> Temperament | None:
        """The temperament of a sample's user; None where temperaments are off."""
        return self.of.get(sample.id) if self.of else None


OFF = Assignment()
"""Nobody plays a temperament: all users talk alike."""


def assigned(samples: Iterable[Sample], temperaments: Sequence[Temperament], *, seed: int) -> Assignment:
    """A temperament for each sample's user, by chance within blocks.

    Samples are put in the order of their tasks and cut into blocks of as many as there are temperaments; within a block
    each temperament comes once, in an order drawn from ``seed``. Over all samples the numbers differ by one at most.
    """
    if not temperaments:
        return OFF
    import numpy as np

    by_task: dict[str, list[str]] = {}
    for sample in samples:
        by_task.setdefault(sample.task, []).append(sample.id)
    ordered = [id_ for own in by_task.values() for id_ in own]
    generator = np.random.default_rng(seed)
    blocks = tuple(
        tuple(ordered[start : start + len(temperaments)]) for start in range(0, len(ordered), len(temperaments))
    )
    drawn = {
        id_: temperaments[int(place)]
        for block in blocks
        for id_, place in zip(block, generator.permutation(len(temperaments)), strict=False)
    }
    return Assignment(tuple(temperaments), drawn, blocks, seed)


class TemperedUser:
    """Speaks through the simulator of the temperament that a sample's user was assigned."""

    def __init__(self, simulators: Mapping[Temperament, UserSimulator], assignment: Assignment) -> None:
        """One simulator for each temperament."""
        self._simulators, self._assignment = simulators, assignment
        first = next(iter(simulators.values()))
        plain = getattr(first, "identity", type(first).__name__)
        self.identity = f"{plain}, temperaments: {', '.join(simulators)} (seed {assignment.seed})"

    async def speak(self, task: Task, sample: Sample, turns: Sequence[Turn]) -> Reply:
        """The user's next utterance."""
        temperament = self._assignment(sample)
        if temperament is None:
            raise UserError(f"sample {sample.id} was assigned no temperament")
        return await self._simulators[temperament].speak(task, sample, turns)


@dataclass(frozen=True, slots=True)
class Mistake:
    """A number of the information, and what a mistaken user takes it for."""

    right: str
    wrong: str

    def made_in(self, text: str) -> str:
        """The text as the mistaken user tells it."""
        return _whole(self.right).sub(self.wrong, text)


_NUMBER = re.compile(r"\d{1,3}(?:[ \u00a0\u202f,]\d{3})+(?!\d)|\d{1,9}")
_NO_AMOUNT_BEFORE = re.compile(
    r"[\d第.,:/№#-]\s?$|(?:article|section|art\.|sec\.|ст\.|стать\w{1,3}|no\.)\s?$", re.IGNORECASE
)
_NO_AMOUNT_AFTER = re.compile(r"\d|[.,:/-]\d|\s?[条條号號款]|\s?年\s?\d|\s?月\s?\d|[a-zа-яё]", re.IGNORECASE)
_DATE_AFTER = re.compile(r"\s?[年月日号时点]")
_SENTENCES = re.compile(r"[^。！？!?；;\n]*[。！？!?；;\n]?")
_OF_LAW = re.compile(
    r"《|第[\d零〇一二三四五六七八九十百千]{1,10}条|\b(?:article|section|act)\b|стать|ст\.\s?\d|кодекс", re.IGNORECASE
)
_HIGHER = dict(zip("一二两三四五六七八九十", ("二", "三", "三", *"四五六七八九八", "二十"), strict=True))
"""First character of a Chinese numeral to what it is misremembered as."""
_FIRST_YEAR, _LAST_YEAR = 1900, 2100


def mistake_of(sample: Sample) -> Mistake | None:
    """The one number that a mistaken user of this sample gets wrong; None where there is none to be mistaken about.

    Sums, spans and shares with their unit come first, then other numbers; years, dates, sentences on the law and
    whatever the needs say are left as they are. Long information goes to the assistant as it is: a user
    who tells nothing of it cannot tell it wrong.
    """
    if sample.long_information:
        return None
    facts = "".join(part for part in _SENTENCES.findall(sample.information) if not _OF_LAW.search(part))
    found = list(dict.fromkeys(_amounts(facts))) or list(dict.fromkeys(_numbers(facts)))
    open_ = [one for one in found if not _whole(one).search(sample.needs)]
    if not open_:
        return None
    right = open_[int(fingerprint(sample.id)[:8], 16) % len(open_)]
    return Mistake(right, _misremembered(right, sample.information))


def _amounts(text: str) -> Iterable[str]:
    """Numbers with a unit: alone where they are long enough to be known anywhere, else with the unit."""
    for one in quantities(text):
        digits = list(_NUMBER.finditer(one.text))
        if len(digits) == 1 and _is_amount(text, one.start + digits[0].start(), digits[0][0]):
            yield digits[0][0] if len(digits[0][0]) > 1 else one.text
        elif not digits and one.text[0] in _HIGHER and text[max(0, one.start - 1) : one.start] != "第":
            yield one.text


def _numbers(text: str) -> Iterable[str]:
    for match in _NUMBER.finditer(text):
        dated = _DATE_AFTER.match(text[match.end() : match.end() + 2])
        if len(match[0]) > 1 and not dated and _is_amount(text, match.start(), match[0]):
            yield match[0]


def _is_amount(text: str, start: int, number: str) -> bool:
    value = int(_digits(number))
    named = _NO_AMOUNT_BEFORE.search(text[max(0, start - 9) : start]) or _NO_AMOUNT_AFTER.match(
        text[start + len(number) :]
    )
    return value > 0 and not named and not _FIRST_YEAR <= value < _LAST_YEAR


def _digits(number: str) -> str:
    return re.sub(r"\D", "", number)


def _whole(number: str) -> re.Pattern[str]:
    """The number where it stands alone, not within a longer one."""
    return re.compile(rf"(?<![\d.,{ZH_CHARACTERS}]){re.escape(number)}(?!\d|[.,]\d)")


def _misremembered(number: str, text: str) -> str:
    """The number with its first digit one higher (nine becomes eight), and not one that stands in the text already."""
    if not (digits := _NUMBER.search(number)):
        return f"{_HIGHER[number[0]]}{number[1:]}"
    if digits[0] != number:
        return number.replace(digits[0], _misremembered(digits[0], text), 1)
    plain = _digits(number)
    step = 10 ** (len(plain) - 1)
    steps = [1, 2, 3, -1, -2] if plain[0] != "9" else [-1, -2, -3]
    values = [int(plain) + count * step for count in steps if int(plain) + count * step > 0]
    made = [_as_written(value, number) for value in values]
    return next((one for one in made if not _whole(one).search(text)), made[0])


def _as_written(value: int, like: str) -> str:
    """With the same sign between thousands."""
    between = re.search(r"\D", like)
    return f"{value:,}".replace(",", str(between[0])) if between else str(value)
