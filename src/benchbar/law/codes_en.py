"""Provisions of numbered collections, in English: the US Code, constitutions and rules of court."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from benchbar.law.mention import Mention
from benchbar.law.parts_en import NUMBER, PARTS
from benchbar.law.scan_en import Scan, provision, roman

_PARAGRAPH_OF_RULES = re.compile(
    rf"[Pp]ara(?:graph)?s?\.?\s(\d{{1,4}}[A-Z]{{0,3}}{PARTS})\s(?:of|to|in)\s(?:the\s)?((?:[A-Z][a-z]+\s){{1,4}}Rules)(?!\w)"
)
"""Rules that count in paragraphs: paragraph 276ADE(1) of the Immigration Rules."""
_RULES = re.compile(
    rf"(Fed\.\s?R\.\s?(?:(?:Civ|Crim|App|Bankr)\.\s?P\.|Evid\.)|Federal\sRules?\sof\s(?:(?:Civil|Criminal|Appellate|Bankruptcy)\sProcedure|Evidence)|CPR|FPR|CrimPR),?\s(?:[Rr](?:ule|r)?s?\.?\s)?(\d{{1,4}}[A-Z]?(?:\.\d{{1,3}})?{PARTS})"
)
_OF_COURT = re.compile(
    rf"[Rr](?:ules?|r)?\.?\s(\d{{1,2}}[A-Z]?\.\d{{1,3}}[A-Z]?{PARTS})(?:\sof\sthe|\sof)?\s(CPR|FPR|CrimPR|(?:Civil|Family|Criminal)\sProcedure\sRules(?:\s\d{{4}})?)(?!\w)"
)
"""A rule before its book: rule 3.4(2) of the CPR."""
_CONSTITUTION = re.compile(r"(U\.\s?S\.\sConst\.)\s(art|amend)\.\s([IVXLC]{1,8}|\d{1,2})(?:,\s§\s?(\d{1,3}))?")
_USC = re.compile(
    rf"(?<![\w.])(\d{{1,2}})\s(U\.?\s?S\.?\s?C\.?(?:\s?A\.)?|C\.?\s?F\.?\s?R\.?),?\s(?:§§?|[Ss]ections?|[Ss]ecs?\.|[Pp]t\.)?\s?(\d{{1,5}}[a-z]{{0,2}}(?:-\d{{1,3}})?(?:\.\d{{1,4}}[a-z]{{0,2}}(?:-\d{{1,3}})?)?)({PARTS})"
)
_MORE = re.compile(rf"(?:\s?,\s?(?:and\s)?|\s(?:and|or|to)\s)({NUMBER}{PARTS})(?![\w.-]*\w|\s(?:U\.?\s?S|C\.?\s?F))")
_LONG_RULES = re.compile(r"Federal\sRules?\sof\sCivil\sProcedure")


def section_of_code(scan: Scan, start: int) -> Iterator[Mention]:
    """``42 U.S.C. § 1983``, with the sections listed behind it."""
    if not (code := _USC.match(scan.text, start)):
        return
    name = f"{code[1]} {re.sub(r'[^A-Z]', '', code[2])[:3]}"
    one = provision(scan.text, (start, code.end()), code[3] + code[4], law=name)
    # 2000e-2 and 240.10b-5 are sections of their own: letter and number belong together.
    yield replace(one, sub=re.sub(r"^\d+\.?", "", code[3]))
    yield from _listed(scan, code, name)
    # A bare section further on is of the same title, not of an Act named before.
    scan.name_law(name, max(code.end(), scan.position))


def cited_rules(scan: Scan, start: int) -> Iterator[Mention]:
    """``Fed. R. Civ. P. 12(b)(6)``, ``CPR r 3.4(2)``."""
    if not (rules := _RULES.match(scan.text, start)):
        return
    name = _LONG_RULES.sub("Fed. R. Civ. P.", rules[1])
    yield provision(scan.text, rules.span(), rules[2], law=name)
    yield from _listed(scan, rules, name, several=True)
    scan.name_law(name, scan.position)


def rule_before_its_book(scan: Scan, start: int) -> Iterator[Mention]:
    """``rule 3.4(2) of the CPR``."""
    if rule := _OF_COURT.match(scan.text, start):
        yield provision(scan.text, rule.span(), rule[1], law=rule[2])
        scan.name_law(rule[2], rule.end())


def article_of_constitution(scan: Scan, start: int) -> Iterator[Mention]:
    """``U.S. Const. art. I, § 8``, ``U.S. Const. amend. XIV``."""
    if not (found := _CONSTITUTION.match(scan.text, start)):
        return
    yield Mention(
        span=found.span(),
        text=found[0],
        language="en",
        law=found[1],
        article=f"{found[2]} {roman(found[3])}",
        paragraph=found[4] or "",
    )
    scan.name_law(found[1], found.end())


def paragraph_of_rules(scan: Scan, start: int) -> Iterator[Mention]:
    """``paragraph 276ADE(1) of the Immigration Rules``."""
    if found := _PARAGRAPH_OF_RULES.match(scan.text, start):
        yield provision(scan.text, found.span(), found[1], law=found[2])
        scan.name_law(found[2], found.end())


def _listed(scan: Scan, code: re.Match[str], name: str, *, several: bool = False) -> Iterator[Mention]:
    """The further sections of ``17 U.S.C. §§ 101, 102 and 106A``; the scan goes on behind them."""
    place = code.end()
    while (several or "§§" in code[0]) and (more := _MORE.match(scan.text, place)):
        # One rule stands for several only where the next has parts or a point of its own: 26(b)(1) and 37(e), not "12 and 14 days".
        if several and not re.search(r"[(.]", more[1]):
            break
        yield provision(scan.text, more.span(1), more[1], law="", antecedent=name)
        place = more.end()
    scan.position = place
