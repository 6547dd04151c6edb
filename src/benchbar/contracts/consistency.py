"""Whether a contract agrees with itself: amounts in figures and words, dates, defined terms, currencies, and what it does not settle."""

from __future__ import annotations

import datetime as dt
import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from itertools import pairwise

from benchbar.contracts.day import dates
from benchbar.contracts.evidence import check_excerpt
from benchbar.contracts.rules import families
from benchbar.contracts.terms import root
from benchbar.languages.numerals import parse_number
from benchbar.languages.packs import labels
from benchbar.languages.text import folded
from benchbar.records.contracts import Clause, ClauseKind, Finding, RiskLevel

_FIGURES_THEN_WORDS = re.compile(
    r"(?P<n>\d[\d ,\u00a0]{0,16}(?:\.\d{1,2})?)\s{0,2}\((?P<words>[A-Za-zА-Яа-яЁё][A-Za-zА-Яа-яЁё \-]{2,90})\)"
)
_WORDS_THEN_FIGURES = re.compile(
    r"(?P<words>[A-Za-z][A-Za-z \-]{2,90})\s\((?:[£$€]\s?)?(?P<n>\d[\d,]{0,16}(?:\.\d{1,2})?)\)"
)
_CHINESE = (
    re.compile(
        r"(?P<n>\d[\d,，]{0,16}(?:\.\d{1,2})?)\s?(?P<unit>万)?元[^。；\n]{0,8}大写[^。；\n零〇一二三四五六七八九十壹贰叁肆伍陆柒捌玖拾]{0,8}(?P<words>[零〇一二三四五六七八九十百千万亿壹贰叁肆伍陆柒捌玖拾佰仟]{1,24})[元圆]"
    ),
    re.compile(
        r"(?P<words>[零壹贰叁肆伍陆柒捌玖拾佰仟万亿]{2,24})[元圆]整?[^。；\n]{0,8}(?:小写|[¥￥])[:：]?\s?[¥￥]?\s?(?P<n>\d[\d,，]{0,16}(?:\.\d{1,2})?)"
    ),
)
_PERIOD = re.compile(r"\s{0,2}(?:起)?\s{0,2}(?:至|到|—|–|-|to|until|till|through|по|до)\s{0,2}", re.IGNORECASE)
_YEARS = re.compile(
    r"(?<!\d)(?P<n>\d{1,2}|[一二三四五六七八九十两]{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|один|два|две|три|четыре|пять)\s?(?:\([^()]{1,20}\)\s?)?(?:年|years?\b|года?\b|лет\b)",
    re.IGNORECASE,
)
_DEFINED = re.compile(r"[“\"«]([A-Z][A-Za-z\- ]{2,40})[”\"»]")
_CAPITALISED = re.compile(
    r"(?<=[a-z,] )(?:the |a |an |any |each |all |such )((?:[A-Z][a-z]{2,20})(?: [A-Z][a-z]{2,20}){1,2})\b"
)
_CURRENCIES = {
    "CNY": r"人民币|(?<!美)(?<!欧)(?<!日)元(?!月|素|旦)|\bCNY\b|\bRMB\b", "USD": r"美元|\bUSD\b|US\$|доллар", "EUR": r"欧元|\bEUR\b|€|\bевро\b",
    "GBP": r"英镑|\bGBP\b|£", "RUB": r"卢布|\bRUB\b|руб", "HKD": r"港元|港币|\bHKD\b", "JPY": r"日元|\bJPY\b",
}  # fmt: skip
_SEVERAL = 3
"""Defined terms from which on a contract is one that defines what it writes with capitals; below, capitals are names."""
_SLACK = 20
"""Days by which a period may differ from its years: ends are counted in or out, and months have 28 to 31 days."""
_FEW_CLAUSES = 8
"""Below so many clauses a text is a part of a contract, of which nothing can be said to be missing."""


def clause_findings(clause: Clause, language: str) -> Iterator[Finding]:
    """Where a clause contradicts itself: an amount written twice, a date that does not exist, a period against its dates."""
    say = labels(language, "contract").section("consistency")
    for evidence, figures, words in _amounts(clause.text):
        yield _finding(say["amount"].format(figures, words), RiskLevel.MEDIUM, evidence, say["amount_why"], clause.text)
    for evidence, day in dates(clause.text):
        if day is None:
            yield _finding(say["no_such_day"].format(evidence), RiskLevel.MEDIUM, evidence, "", clause.text)
    for evidence, problem in _periods(clause.text):
        yield _finding(say[problem], RiskLevel.MEDIUM, evidence, "", clause.text)


def contract_findings(clauses: Sequence[Clause], language: str, contract_type: str | None) -> tuple[Finding, ...]:
    """What only the whole shows: terms used but not defined, several currencies, matters of its kind that it never touches."""
    say = labels(language, "contract").section("consistency")
    text = folded("\n".join(one.text for one in clauses))
    found = [
        Finding(risk=say["undefined"].format(term), level=RiskLevel.LOW, kind="inconsistency")
        for term in _undefined(text)
    ]
    currencies = [name for name, form in _CURRENCIES.items() if re.search(form, text)]
    if len(currencies) > 1:
        found.append(
            Finding(risk=say["currencies"].format(", ".join(currencies)), level=RiskLevel.LOW, kind="inconsistency")
        )
    if sum(one.kind is ClauseKind.CLAUSE for one in clauses) >= _FEW_CLAUSES and contract_type:
        found += [
            Finding(
                risk=say["missing"].format(name),
                level=RiskLevel.LOW,
                analysis=say["missing_why"],
                kind="missing_clause",
            )
            for name in _missing(text, root(language), contract_type)
        ]
    return tuple(found)


def _finding(risk: str, level: RiskLevel, evidence: str, analysis: str, text: str) -> Finding:
    return Finding(
        risk=risk,
        level=level,
        evidence=evidence,
        analysis=analysis,
        kind="inconsistency",
        excerpt=check_excerpt(evidence, text),
    )


def _amounts(text: str) -> Iterator[tuple[str, str, str]]:
    """Evidence, figures and words of amounts that differ; words that are no number are passed over."""
    for form in (_FIGURES_THEN_WORDS, _WORDS_THEN_FIGURES, *_CHINESE):
        for match in form.finditer(text):
            figures = parse_number(re.sub(r"[\s,，\u00a0]", "", match["n"]))
            if figures is not None and match.groupdict().get("unit"):
                figures *= 10_000
            words = _number_at_edge(match["words"], last=form is _WORDS_THEN_FIGURES)
            if figures is not None and words is not None and words[0] != int(figures):
                yield match[0].strip(), match["n"].strip(), words[1]


def _number_at_edge(text: str, *, last: bool) -> tuple[float, str] | None:
    """The number that the first (or last) words are, the longest that is one: “two thousand pounds” is 2000."""
    words = text.replace("-", " ").split()
    for length in range(min(len(words), 10), 0, -1):
        part = " ".join(words[-length:] if last else words[:length])
        value = parse_number(part)
        if value is not None:
            return value, part
    return None


def _periods(text: str) -> Iterator[tuple[str, str]]:
    places = [(text.find(written), written, day) for written, day in dates(text)]
    for (at, first, begin), (then, second, end) in pairwise(sorted(places)):
        between = text[at + len(first) : then]
        if begin is None or end is None or not _PERIOD.fullmatch(between):
            continue
        evidence = text[at : then + len(second)]
        if end < begin:
            yield evidence, "ends_before"
            continue
        years = {int(value) for match in _YEARS.finditer(text) if (value := parse_number(match["n"].lower()))}
        # Only where one term of years is stated: the others of a longer clause may be about something else.
        if len(years) == 1 and abs((end - begin) - dt.timedelta(days=365.25 * min(years))) > dt.timedelta(days=_SLACK):
            yield evidence, "other_length"


def _undefined(text: str) -> list[str]:
    defined = {one.strip() for one in _DEFINED.findall(text)}
    if len(defined) < _SEVERAL:
        return []
    used = [match[1] for match in _CAPITALISED.finditer(text)]
    known = {one.lower().removesuffix("s") for one in defined}
    return [
        term
        for term in dict.fromkeys(used)
        if used.count(term) > 1
        and not any(one in term.lower() or term.lower().removesuffix("s") in one for one in known)
    ]


def _missing(text: str, language: str, contract_type: str) -> list[str]:
    topics = _expected().get(language, {})
    kinds = [one for one in topics if one in families(contract_type)]
    if len(kinds) != 1:
        return []
    return [name for name, form in topics[kinds[0]].items() if not re.search(form, text, re.IGNORECASE)]


@cache
def _expected() -> dict[str, dict[str, dict[str, str]]]:
    return tomllib.loads((resources.files("benchbar.contracts") / "data" / "expected_clauses.toml").read_text("utf-8"))
