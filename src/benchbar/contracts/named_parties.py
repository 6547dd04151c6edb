"""Who the parties of one contract are: as its opening introduces them, and the one for whom it is reviewed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

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
    for name, labels in _introduced(opening, spoken):
        role = next((one.party.id for label in labels for one in mentions(label, spoken)), "")
        generic = next((one for one in labels if _GENERIC.search(one)), "")
        if name and (role or generic) and not any(map(_SIGNATURE.search, (*labels, name))):
            found.setdefault(role or generic, NamedParty(name, labels, role))
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
_CALLED = re.compile(
    r"[,(]\s?(?:именуем\w{2,4}|далее)[^\n«\"]{0,60}[«\"](?P<label>[А-ЯЁ][^»\"\n]{3,24})[»\"]|\s\((?P<role>[А-ЯЁ][а-яё]{4,24})\)"
)
_DEFINED = {
    "en": re.compile(
        r"(?P<name>[A-Z][^\n;(]{2,90}?)(?:,[^\n;]{0,240}?)?\s\((?:hereinafter |collectively )?(?:referred to as |called )?(?:the |as )?[“\"'‘](?:the )?(?P<label>[A-Z][A-Za-z ]{2,24})[”\"'’]\)"
    ),
}


_GENERIC = re.compile(
    "[甲乙丙丁]方|^公司$|^Party [A-D]$|^(?:Company|Firm|Agency|School|Bank|Общество|Компания|Организация)$"
)
"""Labels that tell no role."""
_BEGIN = re.compile(r"^(?:.{0,90}?\b(?:between|by|между):?\s|(?:and|и)\s)(?=[A-ZА-ЯЁ])")
"""What stands before the first name; an "and" within it may be a part of the name, as of Marks and Spencer."""


_SIGNATURE = re.compile(r"[签盖][字章名署]")
"""Of a line of signatures: it names nobody."""
_REPRESENTED = re.compile(
    r",? ?\(?\b(?:в лице|действующ\w{2,4}|зарегистрированн\w{2,3}|паспорт|ОГРН\w{0,2}|ИНН|адрес)(?=[\s:]).*", re.DOTALL
)
"""Behind a party's name in Russian: by whom it is represented, and where it is registered."""
_NEXT = re.compile(r"^(?:.*?[,»\")])??\s*и\s+", re.DOTALL)
"""Behind the label of one party in Russian, up to the next party's name."""
_DATED = re.compile(r"^.*\b(?:года|г)\.\s+(?=[А-ЯЁ])", re.DOTALL)


def _introduced(opening: str, language: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Name and labels of each party that a form introduces."""
    if language == "ru":
        yield from _russian(opening)
    for form in (_DEFINED.get(language), _LABELLED.get(language)):
        for match in form.finditer(opening) if form else ():
            labels = (match["label"].strip(), (match.groupdict().get("other") or "").strip())
            yield _name(match["name"]), tuple(filter(None, labels))


def _russian(opening: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """“ООО «Юг», в лице …, именуемое «Заказчик», и ИП Громов, именуемый «Подрядчик»”: who is represented, not by whom."""
    ends = 0
    for match in _CALLED.finditer(opening):
        begin = max(ends, opening.rfind("\n", 0, match.start()) + 1)
        between = opening[begin : match.start()]
        name = _NEXT.sub("", between) if begin == ends and ends else _DATED.sub("", between)
        yield _name(_REPRESENTED.sub("", name)), ((match["label"] or match["role"]).strip(),)
        ends = match.end()


def _name(text: str) -> str:
    return " ".join(_BEGIN.sub("", text).split()).strip(" ,—–-:(")[:120]
