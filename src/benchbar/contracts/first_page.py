"""What a reader wants to know first: what the contract is, who, how long, how much, what matters most, what nobody looked at.

Parties, term and money are the contract's own words with the clause where they stand, never a reading of ours: nothing is calculated.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

import msgspec

from benchbar.contracts.day import contract_day
from benchbar.contracts.duration import term_of
from benchbar.contracts.marks import read_mark
from benchbar.contracts.named_parties import NamedParty, named_parties
from benchbar.contracts.parties import parties as all_parties
from benchbar.contracts.payments import money_of, says_money
from benchbar.languages.packs import labels
from benchbar.records import Record
from benchbar.records.contracts import Clause, ClauseKind, ClauseReview, Finding, RiskLevel

MOST_FINDINGS = 5
_MOST_EXCERPTS = 3
_MOST_PAYMENTS = 5
_LONGEST = 240
"""Characters of an excerpt: a page that is to be read at a glance holds a dozen."""


_LONGEST_NAME = 24
"""Characters of the first words of a clause without a number: enough to find it by."""


class Excerpt(Record, frozen=True):
    """Words of the contract and the number (or id) of their clause."""

    clause: str
    text: str


class MatteringFinding(Record, frozen=True):
    """A finding worth reading first; ``clause`` is empty for one about the whole contract."""

    clause: str
    level: RiskLevel
    risk: str
    suggestion: str = ""
    evidence: str = ""


class FirstPage(Record, frozen=True):
    """The contract at a glance."""

    title: str
    contract_type: str | None
    day: str
    """Of signing, YYYY-MM-DD; empty where the contract names none."""
    side: str
    """Id of the party it was reviewed for; empty for the one that did not write it."""
    reviewed_for: tuple[str, ...]
    """What the contract calls that party; empty where it does not say who that is, and findings may harm either."""
    parties: tuple[NamedParty, ...]
    term: tuple[Excerpt, ...]
    money: tuple[Excerpt, ...]
    more_money: tuple[str, ...]
    """Names of further clauses that state an amount, a share or a rate."""
    findings: tuple[MatteringFinding, ...]
    """The gravest, at most five."""
    further: int
    """Findings of medium or high level beyond those."""
    examined: int
    """Clauses with a risk or with none found."""
    not_examined: tuple[str, ...]
    """Names of the clauses that no check examined or that could not be read."""


def clause_name(clause: Clause, language: str) -> str:
    """A clause's number, or its first words in quotation marks where the contract gives it none."""
    number = clause.number.rstrip(_STOPS)
    if number:
        return number
    say = labels(language, "contract").section("first_page")
    text = clause.text.strip(" \t\n　#*")
    words = _table_name(text, say["list"]) if clause.kind is ClauseKind.TABLE else " ".join(text.split())
    shown = words if len(words) <= _LONGEST_NAME else words[: _LONGEST_NAME - 1] + "…"
    return say["quoted"].format(shown)


def clause_names(clauses: Sequence[Clause], language: str) -> dict[str, str]:
    """Id to name of each clause; where numbers begin anew in every article, with the number of what they stand in."""
    names = {one.id: clause_name(one, language) for one in clauses}
    count = Counter(names[one.id] for one in clauses if one.number and one.path)
    anew = any(times > 1 for times in count.values())
    for one in clauses:
        above = read_mark(one.path[-1]) if anew and one.number and one.path else None
        if above and names[one.id].isdigit():
            names[one.id] = f"{above.text.strip(_STOPS)}.{names[one.id]}"
    return names


_STOPS = ".．、 "


def _table_name(text: str, between: str) -> str:
    """The heads of a table: its first row, or the first column where it only has two."""
    rows = [line.split(" | ") for line in text.splitlines()]
    heads = rows[0] if len(rows[0]) > _TWO else [row[0] for row in rows]
    return between.join(heads)


_TWO = 2


def first_page(
    clauses: Sequence[Clause],
    reviews: Sequence[ClauseReview],
    findings: Sequence[Finding],
    *,
    text: str,
    language: str,
    contract_type: str | None,
    side: str = "",
    parties: Sequence[NamedParty] = (),
) -> FirstPage:
    """The contract at a glance, from its text and its review."""
    names = clause_names(clauses, language)
    graded = list(_graded(clauses, reviews, findings, names))
    grave = [one for one in graded if one.level is not RiskLevel.LOW]
    bodies = [one for one in clauses if one.kind in (ClauseKind.CLAUSE, ClauseKind.PREAMBLE, ClauseKind.TABLE)]
    money, more = _payments(bodies, names, language)
    named = tuple(parties) or named_parties(text, language)
    unread = [one for one in reviews if one.answer not in ("risk", "no_risk_found")]
    return FirstPage(
        title=_title(clauses, text),
        contract_type=contract_type,
        day=contract_day(text),
        side=side,
        reviewed_for=tuple(_reviewed_for(named, side)),
        parties=tuple(_as_told(one) for one in named),
        term=tuple(_terms(bodies, names, language, contract_type)),
        money=money,
        more_money=more,
        findings=tuple(graded[:MOST_FINDINGS]),
        further=max(0, len(grave) - MOST_FINDINGS),
        examined=len(reviews) - len(unread),
        not_examined=tuple(names[one.clause] for one in unread),
    )


def _reviewed_for(named: Sequence[NamedParty], side: str) -> Iterator[str]:
    """The party that the side is, or, where none was named, those that usually do not write such a contract."""
    known = [all_parties().get(one.role) for one in named]
    if not side and (None in known or not any(one.stronger for one in known if one)):
        return
    for one, role in zip(named, known, strict=True):
        if role and (role.id == side if side else not role.stronger):
            yield next(iter(one.labels), one.name)


def _as_told(one: NamedParty) -> NamedParty:
    """A party with the role that the contract gives it, and none that only this review gave it."""
    return msgspec.structs.replace(one, role="") if one.role and all_parties()[one.role].unspoken else one


def _graded(
    clauses: Sequence[Clause], reviews: Sequence[ClauseReview], findings: Sequence[Finding], names: dict[str, str]
) -> Iterator[MatteringFinding]:
    """Every finding but the remark that a clause has no risk, the gravest and surest first."""
    by_id = {one.id: one for one in clauses}
    rows = [(one, names[review.clause], by_id.get(review.clause)) for review in reviews for one in review.findings]
    rows += [(one, "", None) for one in findings]
    rows = [row for row in rows if row[0].level is not RiskLevel.LOW or row[0].kind != "risk"]
    rows.sort(key=lambda row: (-row[0].level.rank, _KINDS.get(row[0].kind, 0), -(row[0].confidence or 0)))
    told: set[tuple[str, str]] = set()
    for one, name, clause in rows:
        # Several checks may accuse one sentence: a place in five is for the gravest of them.
        if not one.evidence or (name, one.evidence) not in told:
            told.add((name, one.evidence))
            evidence = _shown(clause, one.evidence) if clause else _short(one.evidence)
            yield MatteringFinding(name, one.level, one.risk, one.suggestion, evidence)


_KINDS = {"playbook": -1, "risk": 0, "missing_clause": 1, "inconsistency": 1, "broken_reference": 2}
"""Own positions before risks in general, and gaps after them, where the levels are the same."""


def _title(clauses: Sequence[Clause], text: str) -> str:
    heading = next((one.text for one in clauses[:2] if one.kind in (ClauseKind.HEADING, ClauseKind.PREAMBLE)), text)
    line = next((line.strip(" \t　#*") for line in heading.splitlines() if line.strip()), "")
    return _short(line)


def _terms(
    clauses: Sequence[Clause], names: dict[str, str], language: str, contract_type: str | None
) -> Iterator[Excerpt]:
    """The first sentences that say how long the contract lasts, one for each clause."""
    found = ((one, term_of(one.text, language, contract_type)) for one in clauses)
    told = ((one, sentence) for one, sentence in found if sentence)
    for clause, sentence in islice(told, _MOST_EXCERPTS):
        said = _part(sentence, lambda text: bool(term_of(text, language, contract_type)))
        yield Excerpt(names[clause.id], _shown(clause, said))


def _payments(
    clauses: Sequence[Clause], names: dict[str, str], language: str
) -> tuple[tuple[Excerpt, ...], tuple[str, ...]]:
    """What the clauses say of money, the prices before other amounts where there are many, and the clauses that are left out."""
    found = [(clause, said) for clause in clauses if (said := money_of(clause.text, language))]
    ranked = sorted(range(len(found)), key=lambda place: (found[place][1][0], place))
    chosen = sorted(ranked[:_MOST_PAYMENTS])
    shown = tuple(
        Excerpt(names[clause.id], _shown(clause, _part(sentence, lambda text: says_money(text, language))))
        for clause, (_, sentence) in (found[place] for place in chosen)
    )
    return shown, tuple(names[found[place][0].id] for place in sorted(ranked[_MOST_PAYMENTS:]))


def _part(sentence: str, says_it: Callable[[str], bool]) -> str:
    """The part between semicolons that says it by itself: a first sentence may name parties, place, term and price in one."""
    return next((one.strip() for one in re.split(r"[;；]", sentence) if says_it(one)), sentence)


def _shown(clause: Clause, words: str) -> str:
    """Words of a clause without its number, which stands below them, and of no more characters than are read at a glance."""
    mark = read_mark(clause.text)
    number = clause.text[: mark.end].strip() if mark else ""
    return _short(words.removeprefix(number).strip() if number else words)


def _short(text: str) -> str:
    one = " ".join(text.split())
    return one if len(one) <= _LONGEST else one[: _LONGEST - 1] + "…"
