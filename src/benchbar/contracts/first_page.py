"""What a reader wants to know first: what the contract is, who, how long, how much, what matters most, what nobody looked at.

Parties, term and money are the contract's own words with the clause where they stand, never a reading of ours: nothing is calculated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from benchbar.contracts.day import contract_day
from benchbar.contracts.named_parties import NamedParty, named_parties
from benchbar.contracts.terms import root
from benchbar.languages.packs import labels
from benchbar.languages.text import sentences
from benchbar.records import Record
from benchbar.records.contracts import Clause, ClauseKind, ClauseReview, Finding, RiskLevel

MOST_FINDINGS = 5
_MOST_EXCERPTS = 3
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
    parties: tuple[NamedParty, ...]
    term: tuple[Excerpt, ...]
    money: tuple[Excerpt, ...]
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
    number = clause.number.rstrip(".．、 ")
    if number:
        return number
    words = " ".join(clause.text.strip(" \t\n　#*").split())
    shown = words if len(words) <= _LONGEST_NAME else words[: _LONGEST_NAME - 1] + "…"
    return labels(language, "contract").section("first_page")["quoted"].format(shown)


def first_page(
    clauses: Sequence[Clause],
    reviews: Sequence[ClauseReview],
    findings: Sequence[Finding],
    *,
    text: str,
    language: str,
    contract_type: str | None,
    side: str = "",
) -> FirstPage:
    """The contract at a glance, from its text and its review."""
    names = {one.id: clause_name(one, language) for one in clauses}
    graded = list(_graded(reviews, findings, names))
    grave = [one for one in graded if one.level is not RiskLevel.LOW]
    bodies = [one for one in clauses if one.kind in (ClauseKind.CLAUSE, ClauseKind.PREAMBLE, ClauseKind.TABLE)]
    spoken = root(language)
    unread = [one for one in reviews if one.answer not in ("risk", "no_risk_found")]
    return FirstPage(
        title=_title(clauses, text),
        contract_type=contract_type,
        day=contract_day(text),
        side=side,
        parties=named_parties(text, language),
        term=tuple(_excerpts(bodies, names, _TERM[spoken])) if spoken in _TERM else (),
        money=tuple(_excerpts(bodies, names, _MONEY[spoken])) if spoken in _MONEY else (),
        findings=tuple(graded[:MOST_FINDINGS]),
        further=max(0, len(grave) - MOST_FINDINGS),
        examined=len(reviews) - len(unread),
        not_examined=tuple(names[one.clause] for one in unread),
    )


def _graded(
    reviews: Sequence[ClauseReview], findings: Sequence[Finding], names: dict[str, str]
) -> Iterator[MatteringFinding]:
    """Every finding but the remark that a clause has no risk, the gravest and surest first."""
    rows = [(one, names[review.clause]) for review in reviews for one in review.findings]
    rows += [(one, "") for one in findings]
    rows = [row for row in rows if row[0].level is not RiskLevel.LOW or row[0].kind != "risk"]
    rows.sort(key=lambda row: (-row[0].level.rank, _KINDS.get(row[0].kind, 0), -(row[0].confidence or 0)))
    told: set[tuple[str, str]] = set()
    for one, name in rows:
        # Several checks may accuse one sentence: a place in five is for the gravest of them.
        if not one.evidence or (name, one.evidence) not in told:
            told.add((name, one.evidence))
            yield MatteringFinding(name, one.level, one.risk, one.suggestion, _short(one.evidence))


_KINDS = {"playbook": -1, "risk": 0, "missing_clause": 1, "inconsistency": 1, "broken_reference": 2}
"""Own positions before risks in general, and gaps after them, where the levels are the same."""


def _title(clauses: Sequence[Clause], text: str) -> str:
    heading = next((one.text for one in clauses[:2] if one.kind in (ClauseKind.HEADING, ClauseKind.PREAMBLE)), text)
    line = next((line.strip(" \t　#*") for line in heading.splitlines() if line.strip()), "")
    return _short(line)


_AMOUNT = {
    "zh": r"(?:人民币|[¥￥])\s?[\d一二三四五六七八九十]|\d[\d,，.]*\s?万?元|[零壹贰叁肆伍陆柒捌玖拾佰仟万一二三四五六七八九十百千]{2,12}元",
    "en": r"[£$€]\s?\d|\b(?:GBP|USD|EUR)\s?\d|\d (?:pounds|dollars|euros?)\b",
    "ru": r"\d[\d  ]*(?:,\d\d)?\s?(?:\([^)]{3,80}\)\s?)?(?:руб|₽|евро|доллар)",
}
_PAY = {
    "zh": r"租金|价款|总价|货款|服务费|工资|报酬|押金|保证金|费用|单价",
    "en": r"\brent\b|\bprice\b|\bfees?\b|salary|wages?\b|deposit|\bpay\b|charge",
    "ru": r"плат|цен|стоимост|оклад|вознагражден|залог|обеспечительн|аванс",
}
_TERM = {
    "zh": re.compile(
        r"(?:租赁期|租期|合同期|服务期|有效期|期限)[^。；]{0,24}[0-9一二三四五六七八九十][^。；]{0,12}[年月]|自[^。；]{0,16}年[^。；]{0,14}[至起]"
    ),
    "en": re.compile(
        r"\b(?:term|period|commenc\w+|from|fixed-term)\b[^.;\n]{0,80}\b(?:years?|months?|20\d\d)\b", re.IGNORECASE
    ),
    "ru": re.compile(
        r"(?:срок|действует|заключ[её]н|период|на срок|с \d)[^.;\n]{0,80}(?:год|лет|месяц|20\d\d)", re.IGNORECASE
    ),
}
_EACH = {
    "zh": r"(?:每|/)(?:个)?(?:月|年|季度?|周|日|天|小时)",
    "en": r"\b(?:a|an|per|each|every) (?:calendar )?(?:week|month|quarter|year|day|hour|annum)\b|\b(?:weekly|monthly|quarterly|yearly|annual(?:ly)?|pcm|pw|pa)\b",
    "ru": r"\b(?:в|за) (?:кажд\w{2,3} )?(?:месяц|недел\w|год|квартал|сутки|день|час)\b|ежемесячно|еженедельно|ежегодно|ежеквартально",
}
"""An amount for each week or month is a payment, whether or not a word says what for: “at 210 dollars a week”."""
_MONEY = {
    language: re.compile(
        f"(?=.*(?:{_PAY[language]})).*(?:{_AMOUNT[language]})"
        f"|(?:{_AMOUNT[language]}).{{0,30}}(?:{_EACH[language]})|(?:{_EACH[language]}).{{0,12}}(?:{_AMOUNT[language]})",
        re.IGNORECASE,
    )
    for language in _PAY
}


def _excerpts(clauses: Sequence[Clause], names: dict[str, str], form: re.Pattern[str]) -> Iterator[Excerpt]:
    """The first sentences that have the form, one for each clause."""
    left = _MOST_EXCERPTS
    for clause in clauses:
        spans = sentences(clause.text)
        sentence = next((clause.text[low:high] for low, high in spans if form.search(clause.text[low:high][:1000])), "")
        if sentence and left:
            left -= 1
            yield Excerpt(names[clause.id], _short(_part(sentence, form)))


def _part(sentence: str, form: re.Pattern[str]) -> str:
    """The part between semicolons that has the form by itself: a first sentence may name parties, place, term and price in one."""
    parts = [one for one in re.split(r"[;；]", sentence) if form.search(one[:1000])]
    return parts[0].strip() if parts else sentence


def _short(text: str) -> str:
    one = " ".join(text.split())
    return one if len(one) <= _LONGEST else one[: _LONGEST - 1] + "…"
