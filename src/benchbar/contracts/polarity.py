"""Whether a dangerous wording is meant: a clause that denies it, or lays it on the party that wrote the contract, protects its reader.

“Does not exclude liability”, “the deposit shall not be forfeited” and “the landlord is responsible for all repairs” hold the words of
risks and are none. Words are read here, not syntax: the parts of one sentence, negations that stand in or just before a wording,
prohibitions after it, and the party that acts or bears. Who harms whom is told by a wording's ``relation``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Literal

from benchbar.contracts.parties import Mention, Party, mentions, parties

Relation = Literal["power", "burden", "unknown"]
"""What a wording gives its subject: a power or freedom, which harms the other side, or a burden or loss, which harms itself."""

_GAP = re.compile(r"(?<!\\)(?:\.|\[\^[^\]]{1,24}\])\{0,\d{1,3}\}\??")
_BACK_REFERENCE = re.compile(r"\\[1-9]")


def meant(
    form: re.Pattern[str],
    text: str,
    *,
    relation: Relation = "unknown",
    against: str = "",
    side: str = "",
    whoever: bool = False,
    either: bool = False,
) -> Meant | None:
    """The first place where a wording stands, nothing denies it, and it harms ``side`` (or a party that is not the stronger one).

    With ``whoever`` it counts without a side whoever it harms, with ``either`` also where both parties are bound alike.
    """
    for match in _with_gaps(form).finditer(text):
        start, end = _sentence(text, match)
        if denied(match, start, end, either=either) or (relation != "burden" and circumstance(match, start, end)):
            continue
        party = harmed(match, start, end, relation, against)
        if concerns(party, side) or (whoever and not side):
            return Meant(match.start(), match.end(), party)
    return None


@dataclass(frozen=True, slots=True)
class Meant:
    """A wording that stands in a text and is meant."""

    start: int
    end: int
    harmed: str
    """Id of the party that it harms; empty where nothing tells."""


def denied(match: re.Match[str], start: int, end: int, *, either: bool = False) -> bool:
    """Whether the sentence ``start`` to ``end`` of the matched text says the opposite of the matched wording, or (but for what harms ``either``) binds both."""
    words = _words(_script(match.string[start:end]))
    before = words["part"].split(match.string[start : match.start()])[-1]
    if words["concord"].match(match[0]):
        # «Ни при каких обстоятельствах не возмещает» is one negation, and it is the wording's own.
        before = words["doubled"].sub("", before)
    after = words["part"].split(match.string[match.end() : end])[0]
    return bool(
        (not either and words["mutual"].search(match.string, start, end))
        or _negated(before, words, "governing")
        or words["refused"].search(after)
        or any(_negated(gap, words) for gap in _gaps(match))
    )


def circumstance(match: re.Match[str], start: int, end: int) -> bool:
    """Whether the wording names an event in which something else holds (“during an interruption of the supply”), and no act.

    A sentence that gives somebody a power is no such case: “upon disconnection the Landlord may …” is read as it stands.
    """
    words = _words(_script(match.string[start:end]))
    before = match.string[start : match.start()]
    return bool(
        # A wording that goes on to what then holds is more than an event: “if it cannot be used, the rent is paid all the same”.
        not _COMMA.search(match[0])
        and words["nominal"].match(match.string, match.start())
        and words["circumstance"].search(before)
        and not words["empowered"].search(match.string, start, end)
    )


def harmed(
    match: re.Match[str], start: int, end: int, relation: Relation, against: str = "", at: int | None = None
) -> str:
    """Id of the party that a wording harms: by who acts or bears in its sentence, else ``against``; empty where neither tells.

    Who acts is read before the wording begins, or before the place ``at`` in it.
    """
    if relation == "unknown":
        return against
    sentence, at = match.string[start:end], (match.start() if at is None else at) - start
    language = _script(sentence)
    party = _bearer(sentence, at, language) if relation == "burden" else None
    party = party or acting(sentence, at, language)
    if party is None:
        return against
    return party.id if relation == "burden" else party.counterpart


def concerns(party: str, side: str) -> bool:
    """Whether what harms ``party`` is a risk for ``side``; without a side, for whoever is not known to be the stronger party."""
    known = parties().get(party)
    if known is None:
        return True
    if not side:
        return not known.stronger
    own = parties()[side]
    # Of a party whose role the contract does not tell nobody can say that another role's harm is not its own.
    return same_side(known, own) or (own.unspoken and not known.unspoken)


def same_side(one: Party, own: Party) -> bool:
    """Whether a party stands where another does: it is that party, or has its place in a contract of another kind."""
    if one.id == own.id or one.unspoken or own.unspoken:
        return one.id == own.id
    # A supplier faces the buyer, whose own counterpart is the seller: either of the two may name the other.
    if own.id == one.counterpart or one.id == own.counterpart:
        return False
    # Who pays for goods or work faces who delivers them, whichever of the two usually writes the contract.
    return one.pays == own.pays if one.exchange and own.exchange else one.stronger == own.stronger


def _sentence(text: str, match: re.Match[str]) -> tuple[int, int]:
    """The sentence that a match begins in, at least as long as the match."""
    begin = max((end.end() for end in _ENDS.finditer(text, 0, match.start())), default=0)
    end = _ENDS.search(text, match.end())
    return begin, end.start() if end else len(text)


_ENDS = re.compile(r"[。！？\n]|[.!?](?=\s|$)")


def _negated(text: str, words: dict[str, re.Pattern[str]], kind: str = "negation") -> bool:
    """Whether a negation stands there, and not in a condition of its own: “may, if rent is not paid, enter”."""
    found = words[kind].search(text)
    return found is not None and not words["condition"].search(_COMMA.split(text[: found.start()])[-1])


_COMMA = re.compile("[,，]")


def _gaps(match: re.Match[str]) -> Iterator[str]:
    return (text for name, text in match.groupdict().items() if text and name.startswith("gap"))


def acting(sentence: str, at: int, language: str) -> Party | None:
    """The last party before the wording, or at its begin, that can act there."""
    able = [one for one in subjects(sentence, language) if one.start <= at + _AT_BEGIN]
    return able[-1].party if able else None


def subjects(sentence: str, language: str) -> list[Mention]:
    """The parties that can act where they are named, in the order of the sentence."""
    words = _words(language)
    return [one for one in mentions(sentence, language) if one.subject and not _is_object(sentence, one, words)]


_AT_BEGIN = 2
"""Characters into a wording at which a party still is its first word, an article or quotation mark before it."""


_OWN_LIABILITY = re.compile(r"['’]s (?:[a-z]{3,12} ){0,3}liab", re.IGNORECASE)
"""The Provider's total liability is the Provider's as much as if it acted."""


def _is_object(sentence: str, one: Mention, words: dict[str, re.Pattern[str]]) -> bool:
    if words["possessive"].match(sentence, one.end) and not _OWN_LIABILITY.match(sentence, one.end):
        return True
    return bool(words["before_object"].search(sentence[max(0, one.start - 24) : one.start]))


def _bearer(sentence: str, at: int, language: str) -> Party | None:
    """The party that is named as the one at whose cost or by whom something is done."""
    return _first_of("bearer", sentence, at, language)


def payer(sentence: str, language: str) -> Party | None:
    """The party that a sentence lets pay or bear, in words that say nothing else: 费用由甲方承担, at the Tenant's expense."""
    return _first_of("paid_by", sentence, 0, language)


def _first_of(kind: str, sentence: str, at: int, language: str) -> Party | None:
    found = None
    for party, form in _bearers(kind, language):
        for one in form.finditer(sentence):
            if one.end() >= at and (found is None or one.start() < found[0]):
                found = (one.start(), party)
    return found[1] if found else None


@cache
def _bearers(kind: str, language: str) -> tuple[tuple[Party, re.Pattern[str]], ...]:
    form = _data()[language][kind]
    return tuple(
        (one, re.compile(form.replace("PARTY", one.form(language)), re.IGNORECASE))
        for one in parties().values()
        if one.form(language)
    )


@lru_cache(maxsize=4096)
def _with_gaps(form: re.Pattern[str]) -> re.Pattern[str]:
    """The same pattern with its gaps named, so that what stands in them can be read."""
    if _BACK_REFERENCE.search(form.pattern):
        # Naming gaps would number its groups anew.
        return form
    count = iter(range(1000))
    return re.compile(_GAP.sub(lambda gap: f"(?P<gap{next(count)}>{gap[0]})", form.pattern), form.flags)


def _script(text: str) -> str:
    """The language whose negations are looked for; a clause may be in another one than its contract."""
    if re.search(r"[\u3400-\u9fff]", text):
        return "zh"
    return "ru" if re.search(r"[А-Яа-яЁё]", text) else "en"


@cache
def _words(language: str) -> dict[str, re.Pattern[str]]:
    return {name: re.compile(form, re.IGNORECASE) for name, form in _data()[language].items() if "PARTY" not in form}


@cache
def _data() -> dict[str, dict[str, str]]:
    return tomllib.loads((resources.files("benchbar.contracts") / "data" / "polarity.toml").read_text("utf-8"))
