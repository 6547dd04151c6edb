"""Who the parties of one contract are: as its opening introduces them, and the one for whom it is reviewed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from benchbar.contracts.parties import mentions, parties
from benchbar.contracts.party_forms import GENERIC, Introduced, introduced, is_person
from benchbar.contracts.terms import root
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
    """The parties that a contract's opening introduces, by a label (``甲方（出租人）：…``) or only by name (``Between A Ltd and B GmbH``)."""
    spoken = root(language)
    found: dict[str, NamedParty] = {}
    for name, labels in _joined(introduced(text[:_OPENING], spoken)):
        role = next((one.party.id for label in labels for one in mentions(label, spoken)), "")
        generic = next((one for one in labels if GENERIC.search(one)), "")
        found.setdefault(role or generic or next(iter(labels), name), NamedParty(name, labels, role))
    # A and B are the first and the second of the text, whichever form introduces them.
    return _hired(_with_counterpart(tuple(sorted(found.values(), key=lambda one: text.find(one.name)))), text, spoken)


def _joined(found: Iterable[Introduced]) -> Iterator[Introduced]:
    """Each name once, with all that the contract calls it: 受让方：… （以下简称“受让人”）."""
    labels: dict[str, tuple[str, ...]] = {}
    for name, called in found:
        labels[name] = tuple(dict.fromkeys((*labels.get(name, ()), *called)))
    yield from labels.items()


def _with_counterpart(named: tuple[NamedParty, ...]) -> tuple[NamedParty, ...]:
    """Of two parties the one that is only called Company or 甲方 is the other's counterpart."""
    known = [one.role for one in named if one.role]
    if len(named) != 2 or len(known) != 1 or any(not one.role and not one.labels for one in named):
        return named
    other = parties()[known[0]].counterpart
    return tuple(one if one.role else msgspec.structs.replace(one, role=other) for one in named)


def _hired(named: tuple[NamedParty, ...], text: str, language: str) -> tuple[NamedParty, ...]:
    """A person who works for an organisation did not write the contract, though providers usually do."""
    by_role = {one.role: one for one in named}
    if by_role.keys() != {"provider", "customer"}:
        return named
    provider, customer = (is_person(by_role[role].name, text, language) for role in ("provider", "customer"))
    if not provider or customer:
        return named
    hired = {"provider": "freelancer", "customer": "hirer"}
    return tuple(msgspec.structs.replace(one, role=hired[one.role]) for one in named)


def kinds_of(named: Sequence[NamedParty]) -> frozenset[str]:
    """The kinds of contract that have such parties, ``other`` for those whom no list knows; none where 甲方 or Company is all that is said."""
    said = [one for one in named if one.labels and not all(GENERIC.search(label) for label in one.labels)]
    known = {parties()[one.role].kind if one.role else "other" for one in said}
    # A person who works for another without being employed is treated like an employee often enough.
    return frozenset(known | ({"labour"} if any(one.role in _WORKERS for one in named) else set()))


_WORKERS = frozenset({"freelancer", "artist", "agent"})


def roles_of_labels(named: Sequence[NamedParty], language: str) -> dict[str, str]:
    """The labels that are no known words for the role that the contract gives them (甲方, Company), and the word for that role."""
    spoken = root(language)
    found: dict[str, str] = {}
    for one in named:
        labels = one.labels if one.role else ()
        for label in (label for label in labels if all(said.party.id != one.role for said in mentions(label, spoken))):
            found[label] = parties()[one.role].name[spoken]
            # Of other cases only that they are no subject counts.
            found |= dict.fromkeys(_oblique(label) if spoken == "ru" else (), _OBLIQUE.get(one.role, ""))
    # The longer first: Экспедитор begins Экспедитора.
    return {label: word for label in sorted(found, key=len, reverse=True) if (word := found[label])}


_OBLIQUE = {"ours": "нашастороны", "theirs": "ихстороны", "hirer": "нанимающего", "freelancer": "самозанятого"}


def _oblique(label: str) -> tuple[str, ...]:
    """The other cases of a Russian word for somebody: Экспедитора, Учредителю."""
    if label.endswith("ь"):
        return tuple(label[:-1] + end for end in ("я", "ю", "ем", "е"))
    return tuple(label + end for end in ("а", "у", "ом", "ем", "е")) if _CONSONANT.search(label) else ()


_CONSONANT = re.compile("[бвгджзклмнпрстфхцчшщ]$")


def for_side(side: str, named: tuple[NamedParty, ...]) -> tuple[str, tuple[NamedParty, ...]]:
    """The id of the party that a side names, and the parties; one whose role the contract does not tell is ours, the others are theirs.

    Raises:
        UserError: no such party, or nothing that the contract calls it; with what was read.
    """
    if not side:
        return "", named
    one = _called(side, named)
    if one is None or one.role or not one.labels or len(named) < _TWO:
        return side_of(side, named), named
    return "ours", tuple(
        each
        if _ABOUT.intersection(each.labels)
        else msgspec.structs.replace(each, role="ours" if each is one else "theirs")
        for each in named
    )


_ABOUT = frozenset({"目标公司", "标的公司", "项目公司"})
"""Whom a contract on shares is about: on neither side."""


_TWO = 2


def _called(side: str, named: Sequence[NamedParty]) -> NamedParty | None:
    """The party that has a label, or the first or second place."""
    plain = side.strip().casefold().removeprefix("the ")
    by_label = {label.casefold(): one for one in named for label in one.labels}
    place = _PLACES.get(plain)
    if plain in by_label or place is None:
        return by_label.get(plain)
    return by_label.get(f"{'甲乙'[place]}方") or (named[place] if place < len(named) else None)


def side_of(side: str, named: Sequence[NamedParty]) -> str:
    """Id of the party that a side names: a role in any language, a label of the contract's, or A and B for its first and second party.

    Raises:
        UserError: no such party, or the contract does not say what the party's role is; with what it does say.
    """
    plain = side.strip().casefold().removeprefix("the ")
    by_label = {label.casefold(): one for one in named for label in one.labels}
    if plain in _PLACES or plain in by_label:
        one = _called(side, named)
        if one is None or not one.role:
            said = "; ".join(f"{' / '.join(one.labels)}: {one.name}" for one in named) or "none that was understood"
            raise UserError(
                f"side {side!r}: the contract does not say which role that party has; name one, such as tenant. Parties read: {said}"
            )
        return one.role
    known = [one for one in parties().values() if not one.unspoken]
    for party in known:
        if plain == party.id or any(
            re.fullmatch(party.form(language), plain, re.IGNORECASE) for language in party.words
        ):
            return party.id
    # The contract's own names first, each once: its label may be the role.
    raise UnknownNameError("side", side, [*dict.fromkeys([*by_label, *(one.id for one in known), "A", "B"])])


_PLACES: Mapping[str, int] = {"a": 0, "b": 1, "甲": 0, "乙": 1, "甲方": 0, "乙方": 1, "1": 0, "2": 1}
