"""Who the parties of one contract are: as its opening introduces them, and the one for whom it is reviewed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import msgspec

from benchbar.contracts.parties import mentions, parties
from benchbar.contracts.terms import root
from benchbar.languages.text import folded
from benchbar.records import Record
from benchbar.records.errors import UnknownNameError, UserError

_OPENING = 4000
"""Characters in which parties are introduced."""


class NamedParty(Record, frozen=True):
    """A party as the contract introduces it."""

    name: str
    labels: tuple[str, ...] = ()
    """What the contract calls it: 甲方, Tenant, Арендатор."""
    role: str = ""
    """Id of its role, as ``tenant``; empty where the contract does not say it in words that are known."""


def named_parties(text: str, language: str) -> tuple[NamedParty, ...]:
    """The parties that a contract's opening introduces by a label: ``甲方（出租人）：…``, ``(the “Tenant”)``, ``именуемое «Арендатор»``."""
    spoken, opening = root(language), folded(text[:_OPENING])
    found: dict[str, NamedParty] = {}
    for form in (_DEFINED.get(spoken), _LABELLED.get(spoken)):
        for match in form.finditer(opening) if form else ():
            labels = tuple(filter(None, (match["label"].strip(), (match.groupdict().get("other") or "").strip())))
            role = next((one.party.id for label in labels for one in mentions(label, spoken)), "")
            if role or _GENERIC.search(labels[0]):
                found.setdefault(role or labels[0], NamedParty(_name(match["name"]), labels, role))
    return _with_counterpart(tuple(found.values()))


def _with_counterpart(named: tuple[NamedParty, ...]) -> tuple[NamedParty, ...]:
    """Of two parties the one that is only called Company or 甲方 is the other's counterpart."""
    known = [one.role for one in named if one.role]
    if len(named) != 2 or len(known) != 1:
        return named
    other = parties()[known[0]].counterpart
    return tuple(one if one.role else msgspec.structs.replace(one, role=other) for one in named)


def roles_of_labels(named: Sequence[NamedParty], language: str) -> dict[str, str]:
    """The labels that are no known words for a party (甲方, Company), and the word for the role that the contract gives them."""
    spoken = root(language)
    return {
        label: parties()[one.role].name[spoken]
        for one in named
        if one.role
        for label in one.labels
        if not any(mentions(label, spoken))
    }


def side_of(side: str, named: Sequence[NamedParty]) -> str:
    """Id of the party that a side names: a role in any language, a label of the contract's, or A and B for its first and second party.

    Raises:
        UserError: no such party, or the contract does not say what the party's role is; with what it does say.
    """
    plain = side.strip().casefold()
    by_label = {label.casefold(): one for one in named for label in one.labels}
    place = _PLACES.get(plain)
    if place is not None or plain in by_label:
        letter = "甲乙"[place] if place is not None else ""
        one = (
            by_label.get(plain)
            or by_label.get(f"{letter}方")
            or (named[place or 0] if place is not None and place < len(named) else None)
        )
        if one is None or not one.role:
            said = "; ".join(f"{' / '.join(one.labels)}: {one.name}" for one in named) or "none that was understood"
            raise UserError(
                f"side {side!r}: the contract does not say which role that party has; name one, such as tenant. Parties read: {said}"
            )
        return one.role
    for party in parties().values():
        if plain == party.id or any(re.fullmatch(words, plain, re.IGNORECASE) for words in party.words.values()):
            return party.id
    raise UnknownNameError("side", side, [*parties(), *by_label, "A", "B"])


_PLACES: Mapping[str, int] = {"a": 0, "b": 1, "甲": 0, "乙": 1, "甲方": 0, "乙方": 1, "1": 0, "2": 1}

_LABELLED = {
    "zh": re.compile(
        r"^[ \t　]*(?P<label>[^\s（(:：]{2,8})[ \t　]*(?:[（(](?P<other>[^）)]{1,16})[）)])?[ \t　]*[:：][ \t　]*(?P<name>[^\n，,；;。]{2,80})",
        re.MULTILINE,
    ),
    "en": re.compile(
        r"(?:^|[.;] |\d\. )(?:The )?(?P<label>[A-Z][A-Za-z ]{3,24})(?P<other>)[:：] ?(?P<name>[^\n;,.]{2,80})",
        re.MULTILINE,
    ),
    "ru": re.compile(
        r"(?:^|[.;] |\d\. )(?P<label>[А-ЯЁа-яё ]{5,24})(?P<other>)[:：] ?(?P<name>[^\n;,.]{2,80})", re.MULTILINE
    ),
}
_DEFINED = {
    "en": re.compile(
        r"(?P<name>[A-Z][^\n;(]{2,90}?)(?:,[^\n;]{0,240}?)?\s\((?:hereinafter |collectively )?(?:referred to as |called )?(?:the |as )?[“\"'‘](?:the )?(?P<label>[A-Z][A-Za-z ]{2,24})[”\"'’]\)"
    ),
    "ru": re.compile(
        r"(?P<name>[А-ЯЁ][^\n;]{2,120}?)\s?[,(][^\n;]{0,160}?(?:именуем\w{2,4}|далее)[^\n«\"]{0,30}[«\"](?P<label>[А-ЯЁ][^»\"\n]{3,24})[»\"]"
    ),
}


_GENERIC = re.compile(
    "[甲乙丙丁]方|^公司$|^Party [A-D]$|^(?:Company|Firm|Agency|School|Bank|Общество|Компания|Организация)$"
)
"""Labels that tell no role."""
_BEGIN = re.compile(r"^(?:.{0,90}?\b(?:between|by|между):?\s|(?:and|и)\s)(?=[A-ZА-ЯЁ])")
"""What stands before the first name; an "and" within it may be a part of the name, as of Marks and Spencer."""


def _name(text: str) -> str:
    return " ".join(_BEGIN.sub("", text).split()).strip(" ,—–-:(")[:120]
