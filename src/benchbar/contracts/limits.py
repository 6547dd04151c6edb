"""Numbers in a clause beyond what a statute or custom allows: the years of a lease, probation, deposits, interest, late charges."""

from __future__ import annotations

import datetime as dt
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Literal

import msgspec

from benchbar.contracts.parties import parties
from benchbar.contracts.polarity import Relation, concerns, harmed
from benchbar.contracts.quantities import Quantity, quantity_form, read_quantity
from benchbar.contracts.terms import in_roles
from benchbar.languages.text import folded, sentences
from benchbar.records import Record
from benchbar.records.contracts import RiskLevel

Unit = Literal["year", "month", "day", "hour", "percent"]
_DAYS = {"year": 365.0, "month": 365 / 12, "day": 1.0, "hour": 1 / 24}
_WORDS: tuple[tuple[str, float], ...] = (
    ("个月", 365 / 12), ("月", 365 / 12), ("month", 365 / 12), ("месяц", 365 / 12), ("месячн", 365 / 12), ("week", 7), ("недел", 7),
    ("年", 365), ("year", 365), ("год", 365), ("лет", 365), ("日", 1), ("个小时", 1 / 24), ("小时", 1 / 24), ("час", 1 / 24), ("hour", 1 / 24), ("个工作日", 1), ("工作日", 1), ("天", 1), ("day", 1), ("дн", 1), ("день", 1), ("сут", 1),
)  # fmt: skip
_ROUNDING = 1.02
"""A bound of months may be written in days: 180 days are six months, though 365/12 makes them 5.9, and 186 no more."""


class Limit(Record, frozen=True):
    """One bound: what it is about, how its number is found, and what is beyond it."""

    id: str
    language: str
    name: str
    topic: str
    value: str
    """A pattern whose group ``n`` (or ``n2``) is the quantity: ``<number>``, ``<rate>``, ``<fen>`` or ``<period>``, and ``unit`` its unit."""
    unit: Unit
    level: RiskLevel
    suggestion: str
    unless: str = ""
    """What in the same sentence takes the harm away, as a bound on the whole charge."""
    whoever: bool = False
    """Whether it is told without a named side whoever it harms, the party that usually writes the contract too."""
    most: float | None = None
    least: float | None = None
    times: float = 1
    """What the number is multiplied with before it is compared: a month's rate with twelve."""
    lpr_times: float | None = None
    """The bound is so many times the one-year loan prime rate of the contract's day."""
    law: str = ""
    since: str = ""
    """The day (YYYY-MM-DD) from which it holds: contracts made before are not held to it."""
    source: str = ""
    """The statute that sets it, with its section or article, or custom."""
    jurisdiction: str = ""
    """The country whose law it is, with its part (GB-ENG, US-NY); empty for custom that is none country's own."""
    custom: bool = False
    """Whether no statute sets it: beyond it a number is unusual, not forbidden."""
    checked: str = ""
    """Where the statute's own words, or a public page on them, were read: a corpus with law and article, or an address. Empty where
    the source is from memory; the reader is told so."""
    stated: str = ""
    """The bound as it is written there."""
    against: str = ""
    """The party that a number beyond the bound harms, where the sentence does not tell."""
    relation: Relation = "unknown"
    """Whether the number burdens the party that acts in its sentence, or gives it a freedom against the other."""
    either: bool = False
    """Whether a number beyond the bound harms both."""
    place: str = ""
    """The country (ISO 3166), or part of one, where it holds, where a language is spoken in several; looked for only in its contracts."""


_PLACES = {
    "GB": r"£|\bGBP\b|England|Wales|Scotland|United Kingdom|\bUK\b",
    "US": r"\bUSD\b|US\$|United States|State of [A-Z]|\bCalifornia\b|\bNew York\b",
}
_PARTS = {
    "GB": {"GB-ENG": r"\bEngland\b", "GB-SCT": r"\bScot(?:land|tish|s law)"},
    "US": {"US-CA": r"\bCalifornia\b", "US-NY": r"\bNew York\b"},
}
"""Parts of a country whose bounds differ from the rest; a contract that names two of them is of neither."""


def place_of(text: str) -> str:
    """The country whose name or money a text has, with its part, as far as bounds differ by it; empty where it has none, or several."""
    found = [place for place, form in _PLACES.items() if re.search(form, text)]
    if len(found) != 1:
        return ""
    parts = [part for part, form in _PARTS[found[0]].items() if re.search(form, text)]
    return parts[0] if len(parts) == 1 else found[0]


class LimitHit(Record, frozen=True):
    """A limit whose number stands in a clause; ``beyond`` where the number passes it."""

    limit: Limit
    value: float
    bound: float
    beyond: bool
    sentence: str
    written: str = ""
    """The number in the clause's own words and unit, where the bound is in another unit: twelve weeks, not 2.762 months."""
    span: tuple[int, int] = (0, 0)
    """Where the number stands, in characters of the text; empty where it cannot be told."""
    harmed: str = ""
    """Id of the party that it harms; empty where nothing tells, or both."""
    mended: str = ""
    """The bound in the clause's own unit, to stand where the number stands; empty where it is no plain number there."""


def find_limits(
    text: str, language: str, day: str = "", place: str = "", roles: Mapping[str, str] = MappingProxyType({})
) -> tuple[LimitHit, ...]:
    """The limits of a language whose number a clause states, in the order of the text.

    ``day`` (YYYY-MM-DD) is that of the contract, today where none is given: bounds differ by the day. ``place`` is the country of
    the contract; left out, that of the clause's own words. ``roles`` are the contract's labels and the words for its parties.
    """
    where = place or place_of(text)
    limits = [
        one
        for one in all_limits()
        if one.language == language.partition("_")[0].partition("-")[0]
        and (not day or one.since <= day)
        # What holds in a country holds in its parts.
        and (not one.place or where == one.place or where.startswith(f"{one.place}-"))
    ]
    found: list[LimitHit] = []
    for start, end in sentences(text):
        sentence = folded(text[start:end])
        for limit in limits:
            if _is_about(limit, sentence):
                hits = (_hit(limit, match, text[start:end].strip(), day) for match in _values(limit, sentence))
                same = len(sentence) == end - start
                named = in_roles(sentence, roles)
                told = [msgspec.structs.replace(hit, harmed=_harmed(limit, named)) for hit in hits if hit is not None]
                # The one that is beyond the bound says more than one before it that is not.
                found += [_placed(hit, start) if same else hit for hit in sorted(told, key=lambda hit: not hit.beyond)][
                    :1
                ]
    return tuple(found)


def _is_about(limit: Limit, sentence: str) -> bool:
    return bool(re.search(limit.topic, sentence, re.IGNORECASE)) and not (
        limit.unless and re.search(limit.unless, sentence, re.IGNORECASE)
    )


def _harmed(limit: Limit, sentence: str) -> str:
    match = next(iter(_values(limit, sentence)), None)
    if match is None:
        return limit.against
    # «За каждый день просрочки Подрядчик уплачивает 10 %»: who pays stands before the number, and not before the whole wording.
    number = max((match.start(name) for name in ("n", "m", "n2", "m2") if match.groupdict().get(name)), default=0)
    told = harmed(match, 0, len(sentence), limit.relation)
    return told or harmed(match, 0, len(sentence), limit.relation, limit.against, at=number)


def concerns_side(hit: LimitHit, side: str) -> bool:
    """Whether the number is a risk for a side (the one that did not write the contract, where none is named)."""
    if hit.limit.whoever and not side:
        return True
    if hit.limit.relation != "power" or not hit.harmed:
        return concerns(hit.harmed, side)
    # Who is paid late by a buyer may be a seller or, the weaker, a supplier: whoever faces the one that acts.
    acting_id = parties()[hit.harmed].counterpart
    return side != acting_id and any(
        concerns(one.id, side) for one in parties().values() if one.counterpart == acting_id
    )


def _placed(hit: LimitHit, start: int) -> LimitHit:
    """With its number's place in the text whose sentence begins at ``start``."""
    return msgspec.structs.replace(hit, span=(start + hit.span[0], start + hit.span[1]))


def _values(limit: Limit, sentence: str) -> list[re.Match[str]]:
    return list(quantity_form(limit.value, limit.language).finditer(sentence))


def _hit(limit: Limit, match: re.Match[str], sentence: str, day: str) -> LimitHit | None:
    groups = match.groupdict()
    name = next((name for name in ("n", "m", "n2", "m2") if groups.get(name)), "")
    read = read_quantity(groups.get(name) or "")
    bound = _bound(limit, day)
    if read is None or bound is None or (_is_year(groups.get("unit")) and read.value in _CALENDAR):
        return None
    value = read.value * limit.times
    if groups.get("unit"):
        value *= _days(groups["unit"])
    if groups.get("unit") or (limit.unit != "percent" and not read.plain):
        value /= _DAYS[limit.unit]
    beyond = value > bound * _ROUNDING if limit.least is None else value < bound
    start = match.start(name)
    return LimitHit(
        limit=limit,
        value=value,
        bound=bound,
        beyond=beyond,
        sentence=sentence,
        written=_written(limit, match, name, read),
        span=(start + read.start, start + read.end),
        mended=_mended(limit, match, start + read.end, bound / read.scale) if read.end else "",
    )


def _is_year(unit: str | None) -> bool:
    return bool(unit) and _days(unit or "") == _DAYS["year"]


def _days(unit: str) -> float:
    return next((days for word, days in _WORDS if unit.lower().startswith(word)), 1.0)


def _mended(limit: Limit, match: re.Match[str], end: int, bound: float) -> str:
    """The bound as the clause would write it, in its own unit; nothing where that is no plain number, or the number is written twice."""
    value = bound / limit.times
    unit = match.groupdict().get("unit")
    if unit:
        value *= _DAYS[limit.unit] / _days(unit)
    twice = match.string[end:].lstrip(" %％").startswith(("(", "（"))
    if twice or abs(value * 100 - round(value * 100)) > _PLAIN or (unit and abs(value - round(value)) > _PLAIN):
        return ""
    plain = f"{round(value, 2):g}"
    return plain.replace(".", ",") if limit.language == "ru" else plain


_PLAIN = 1e-6


def _written(limit: Limit, match: re.Match[str], name: str, read: Quantity) -> str:
    """The number with its unit as the clause has them, or nothing where the unit is that of the bound."""
    unit = match.groupdict().get("unit") or ""
    if not unit:
        return "" if read.plain and limit.times == 1 else match[name]
    known = any(unit.lower().startswith(word) for word, _ in _WORDS)
    if not known or _days(unit) == _DAYS.get(limit.unit) or match.start("unit") < match.end(name):
        return ""
    # The form may end within the word (week, недел): its ending belongs to it.
    rest = re.match(r"[a-zа-яё]{0,12}", match.string[match.end("unit") :])
    return match.string[match.start(name) : match.end("unit")] + (rest[0] if rest else "")


_CALENDAR = range(1900, 2100)
"""What stands before the word for a year in a date: no length of anything."""


def _bound(limit: Limit, day: str) -> float | None:
    if limit.lpr_times is None:
        return limit.most if limit.least is None else limit.least
    rates = _data().lpr
    known = [
        rate for since, rate in sorted(rates.items()) if since <= (day or dt.datetime.now(dt.UTC).date().isoformat())
    ]
    return limit.lpr_times * known[-1] if known else None


class _Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    limit: tuple[Limit, ...]
    lpr: dict[str, float]


@cache
def _data() -> _Data:
    text = (resources.files("benchbar.contracts") / "data" / "limits.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), _Data)


def all_limits() -> tuple[Limit, ...]:
    """Every bound of every language."""
    return _data().limit
