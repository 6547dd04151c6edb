"""Terms that a statute forbids or that lawyers refuse, found by their wordings: excluded liability, self-help, free work, data for any purpose.

A term is data (``data/terms_LANGUAGE.toml``). Each names the party that it harms, how grave it is, why, and what to write instead.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType

import msgspec

from benchbar.contracts.marks import read_mark
from benchbar.contracts.parties import parties
from benchbar.contracts.polarity import Meant, Relation, concerns, meant
from benchbar.contracts.rules import families, families_of_parties
from benchbar.languages.text import folded, sentences
from benchbar.records import Record
from benchbar.records.contracts import RiskLevel

LANGUAGES = ("zh", "ru", "en")
_WIDE, _GAP, _SHORT = (rf"[^。；;!?！？\n]{{0,{most}}}?" for most in (140, 50, 20))
_LONG = "\0"
"""Stands for a wide gap while the others are written out."""
_BEGIN = r"(?<![^\W\d_])"
"""Where spaces divide words: a wording, and what follows a gap in it, begins with a word. “The Tenant shall” is not “all”."""
_NO_ROLES: Mapping[str, str] = MappingProxyType({})
LONGEST = 1000
"""Characters of a sentence that are searched: four gaps in a sentence made of their words cost seconds beyond that."""


class Term(Record, frozen=True):
    """One term: how it is worded, what takes the risk away, whom it harms."""

    id: str
    name: str
    level: RiskLevel
    patterns: tuple[str, ...]
    suggestion: str
    unless: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    """Kinds of contract it is looked for in; none for all. Where the contract's kind is not known it is always looked for."""
    against: str = ""
    """The party it harms, as `tenant`; empty where it may be either, and the sentence says which."""
    relation: Relation = "unknown"
    """Whether its wordings give their subject a power, or lay a burden on it."""
    whoever: bool = False
    """Whether it is told without a named side whoever it harms, the party that usually writes the contract too."""
    either: bool = False
    """Whether it harms both: that it binds both alike takes nothing away."""
    names: tuple[str, ...] = ()
    """A name for each of the patterns, where they word different risks; left out, all have the term's."""
    law: str = ""

    def __post_init__(self) -> None:
        """Refuse names that do not go with the patterns.

        Raises:
            ValueError: there are some, and not one for each pattern.
        """
        if self.names and len(self.names) != len(self.patterns):
            raise ValueError(f"{self.id}: {len(self.names)} names for {len(self.patterns)} patterns")


class _Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    term: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class TermHit:
    """One term found in one sentence of a clause."""

    term: Term
    name: str
    """What the words say: the term's name, or that of the pattern."""
    sentence: str
    start: int
    end: int
    harmed: str = ""
    """Id of the party that it harms; empty where the sentence does not tell."""


@dataclass(frozen=True, slots=True)
class _Compiled:
    term: Term
    forms: tuple[re.Pattern[str], ...]
    unless: tuple[re.Pattern[str], ...]

    def stands_in(self, sentence: str, side: str) -> tuple[Meant, str] | None:
        """Where it is meant, and the name of what its words say."""
        term = self.term
        if side and term.kinds and term.against and not concerns(term.against, side):
            # What one kind of contract does to one of its parties is never done to the other, whoever acts in the sentence.
            return None
        hits = (
            (
                meant(
                    form,
                    sentence,
                    relation=term.relation,
                    against=term.against,
                    side=side,
                    whoever=term.whoever,
                    either=term.either,
                ),
                name,
            )
            for form, name in zip(self.forms, term.names or (term.name,) * len(self.forms), strict=True)
        )
        found = next(((hit, name) for hit, name in hits if hit is not None), None)
        return None if found is None or any(one.search(sentence) for one in self.unless) else found


def find_terms(
    text: str,
    language: str,
    contract_type: str = "",
    side: str = "",
    roles: Mapping[str, str] = _NO_ROLES,
    *,
    any_kind: bool = False,
    kinds: frozenset[str] = frozenset(),
) -> tuple[TermHit, ...]:
    """The terms of a language that stand in a clause, each once, in the order of the text.

    Sentences are judged one by one: what a harmless sentence says takes nothing from the next. A term that is denied, or that
    harms only the party across the table, is none; that party is the stronger one, or who faces ``side``.
    ``roles`` are the contract's own labels for its parties (甲方, Company) and the word for what each is.

    A term of one kind of contract is looked for in contracts of that kind, and wherever the sentence names such a party; where neither
    the contract's kind is known nor a party named, or with ``any_kind``, everywhere. Terms of employment speak of
    employees: where a contract says that its parties are others (``kinds``), they are not looked for.
    """
    known = families(contract_type) if contract_type else frozenset()
    found: dict[str, TermHit] = {}
    mark = read_mark(text)
    # A clause's number is no part of what its first sentence says, and no comment in Word should stand on it.
    begin = mark.end if mark and not mark.is_item else 0
    for start, end in ((max(begin, low), high) for low, high in sentences(text) if high > begin):
        sentence = in_roles(folded(text[start:end]), roles)[:LONGEST]
        wanted = known | families_of_parties(sentence)
        for one in _compiled(root(language)):
            if not any_kind and not _may_stand(set(one.term.kinds), wanted, kinds):
                continue
            # Two terms may word one risk differently: a reader wants it named once.
            if (hit := one.stands_in(sentence, side)) and hit[1] not in found:
                found[hit[1]] = TermHit(one.term, hit[1], text[start:end].strip(), start, end, hit[0].harmed)
    return tuple(found.values())


def _may_stand(kinds: set[str], wanted: frozenset[str], others: frozenset[str]) -> bool:
    """Whether a term of some kinds of contract is looked for in a sentence of the ``wanted`` kinds, in a contract between ``others``."""
    if not kinds or kinds & wanted:
        return True
    return not wanted and not (others and kinds == {"labour"} and "labour" not in others)


def in_roles(sentence: str, roles: Mapping[str, str]) -> str:
    """A sentence with the contract's own labels for its parties replaced by the words for what they are."""
    for label, word in roles.items():
        edge = "" if _UNDIVIDED.search(label) else r"\b"
        sentence = re.sub(f"{edge}{re.escape(label)}{edge}", word, sentence)
    return sentence


_UNDIVIDED = re.compile("[\u3400-\u9fff]")
"""Script without spaces between its words."""


def root(language: str) -> str:
    """The language of whose terms a variant's are: zh for zh_hant."""
    return language.partition("_")[0].partition("-")[0]


def terms_of(language: str) -> tuple[Term, ...]:
    """All terms of a language; none where there are no data for it."""
    return tuple(one.term for one in _compiled(root(language)))


@cache
def _compiled(language: str) -> tuple[_Compiled, ...]:
    if language not in LANGUAGES:
        return ()
    text = (resources.files("benchbar.contracts") / "data" / f"terms_{language}.toml").read_text("utf-8")
    data = msgspec.convert(tomllib.loads(text), _Data)
    return tuple(_Compiled(one, _forms(one.patterns, language), _forms(one.unless, language)) for one in data.term)


def _forms(wordings: tuple[str, ...], language: str) -> tuple[re.Pattern[str], ...]:
    # Not by `patterns.pattern`: its bound on repetitions is for patterns of strangers; ours hold at most four gaps.
    begin = "" if language == "zh" else _BEGIN
    return tuple(
        re.compile(
            begin
            + with_parties(
                _with_what_they_are(one)
                .replace("~~", _LONG)
                .replace("~", _GAP + begin)
                .replace(_LONG, _WIDE + begin)
                .replace(".*", _SHORT),
                language,
            ),
            re.IGNORECASE,
        )
        for one in wordings
    )


def _with_what_they_are(wording: str) -> str:
    """甲方 and 乙方 also stand for what the contract says that they are: a sentence is read with its labels replaced."""
    return wording.replace("甲方", "(?:甲方|<stronger>)").replace("乙方", "(?:乙方|<weaker>)")


def with_parties(wording: str, language: str) -> str:
    """A pattern with words for its parties: ``<tenant>`` is any word for that party, ``<weaker>`` and ``<stronger>`` any for those of that kind."""
    return _PARTY.sub(lambda name: f"(?:{_words_of(name[1], language)})", wording)


_PARTY = re.compile(r"(?<!\?P)<([a-z]{3,10})>")


def _words_of(name: str, language: str) -> str:
    known = parties()
    if name in known:
        return known[name].form(language)
    wanted = [one for one in known.values() if one.unspoken or one.stronger is (name == "stronger")]
    return "|".join(filter(None, (one.form(language) for one in wanted)))
