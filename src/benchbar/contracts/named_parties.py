"""Who the parties of one contract are: as its opening introduces them, and the one for whom it is reviewed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import msgspec

from benchbar.contracts.parties import mentions, parties
from benchbar.contracts.party_forms import GENERIC, introduced
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
    for name, labels in introduced(text[:_OPENING], spoken):
        role = next((one.party.id for label in labels for one in mentions(label, spoken)), "")
        generic = next((one for one in labels if GENERIC.search(one)), "")
        found.setdefault(role or generic or next(iter(labels), name), NamedParty(name, labels, role))
    return _with_counterpart(tuple(found.values()))


def _with_counterpart(named: tuple[NamedParty, ...]) -> tuple[NamedParty, ...]:
    """Of two parties the one that is only called Company or 甲方 is the other's counterpart."""
    known = [one.role for one in named if one.role]
    if len(named) != 2 or len(known) != 1 or any(not one.role and not one.labels for one in named):
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
    plain = side.strip().casefold().removeprefix("the ")
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
        if plain == party.id or any(
            re.fullmatch(party.form(language), plain, re.IGNORECASE) for language in party.words
        ):
            return party.id
    # The contract's own names first, each once: its label may be the role.
    raise UnknownNameError("side", side, [*dict.fromkeys([*by_label, *parties(), "A", "B"])])


_PLACES: Mapping[str, int] = {"a": 0, "b": 1, "甲": 0, "乙": 1, "甲方": 0, "乙方": 1, "1": 0, "2": 1}
