"""Provisions of numbered collections, in English: the US Code, constitutions and rules of court."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from benchbar.law.mention import Mention
from benchbar.law.parts_en import PART, PARTS, with_parts
from benchbar.law.scan_en import Scan, provision, roman

_PARAGRAPH_OF_RULES = re.compile(
    rf"[Pp]ara(?:graph)?s?\.?\s(\d{{1,4}}[A-Z]{{0,3}}{PARTS})\s(?:of|to|in)\s(?:the\s)?((?:[A-Z][a-z]+\s){{1,4}}Rules)(?!\w)"
)
"""Rules that count in paragraphs: paragraph 276ADE(1) of the Immigration Rules."""
_RULES = re.compile(
    rf"(Fed\.\s?R\.\s?(?:(?:Civ|Crim|App|Bankr)\.\s?P\.|Evid\.)|Federal\sRules?\sof\s(?:(?:Civil|Criminal|Appellate|Bankruptcy)\sProcedure|Evidence)|FRCP|FRE|FRAP|CPR|FPR|Crim\s?PR),?\s(?:[Pp]art\s\d{{1,3}},\s)?(?:[Rr](?:ule|r)?s?\.?\s)?(?!(?:19|20)\d\d\b)(\d{{1,4}}[A-Z]?(?:\.\d{{1,3}})?{PARTS})"
)
_NUMBER_OF_COURT = rf"\d{{1,2}}[A-Z]?\.\d{{1,3}}[A-Z]?{PARTS}"
_OF_COURT = re.compile(
    rf"[Rr](?:ules?|r)?\.?\s({_NUMBER_OF_COURT}(?:(?:\sand\s|,\s){_NUMBER_OF_COURT}){{0,4}})(?:\sof\sthe|\sof)?\s(CPR|FPR|Crim\s?PR|(?:Civil|Family|Criminal)\sProcedure\sRules(?:\s\d{{4}})?)(?!\w)"
)
"""A rule before its book: rule 3.4(2) of the CPR."""
_CONSTITUTION = re.compile(r"(U\.\s?S\.\sC(?:onst|ONST)\.)\s(art|amend)\.\s([IVXLC]{1,8}|\d{1,2})(?:,\s§\s?(\d{1,3}))?")
_USC = re.compile(
    rf"(?<![\w.])(\d{{1,2}})\s(U\.?\s?S\.?\s?C\.?(?:\s?[AS]\.?(?!\w))?|C\.?\s?F\.?\s?R\.?),?\s(?:§§?|[Ss]ections?|[Ss]ecs?\.|[Pp]t\.|[Pp]arts?)?\s?(\d{{1,5}}[a-z]{{0,2}}(?:-\d{{1,3}}(?!\w))?(?:\.\d{{1,4}}[a-z]{{0,2}}(?:-\d{{1,3}})?)?)({PARTS})"
)
_MORE = re.compile(
    rf"(?:\s?,\s?(?:(?:and|&)\s)?|\s(?:and|or|to|&)\s|\s?[–-]\s?)(\d{{1,5}}[A-Za-z]{{0,3}}(?:\.\d{{1,4}})?{PARTS}|(?:{PART}){{1,3}})(?![\w.-]*\w|\s(?:U\.?\s?S|C\.?\s?F))"
)
_ILLINOIS = re.compile(
    rf"(\d{{2,4}}\s(?:ILCS|Ill\.\sComp\.\sStat\.)\s\d{{1,4}})/(\d{{1,4}}[A-Z]?(?:-\d{{1,5}})?(?:\.\d{{1,2}})?)({PARTS})"
)
_RANGE = re.compile(r"(\d{1,5})-(\d{1,5})")
_INITIALS = re.compile(
    rf"(RCW|ORS|NRS|MCL|ARS|A\.R\.S\.|KRS|N\.J\.S\.A\.|R\.C\.|(?:N\.Y\.\s)?C\.?P\.?L\.?R\.?|UCC|U\.C\.C\.)\s(\d{{1,5}}[A-Z]?(?:[.:-]\d{{1,5}}){{0,2}})({PARTS})(?!\w)"
)
"""Codes that stand before their sections without a sign: RCW 19.86.020."""
_LONG_RULES = (
    (re.compile(r"Federal\sRules?\sof\sCivil\sProcedure|FRCP|Fed\.\s?R\.\s?Civ\.\s?P\."), "Fed. R. Civ. P."),
    (re.compile(r"Federal\sRules?\sof\sEvidence|FRE|Fed\.\s?R\.\s?Evid\."), "Fed. R. Evid."),
    (re.compile(r"Federal\sRules?\sof\sCriminal\sProcedure|Fed\.\s?R\.\s?Crim\.\s?P\."), "Fed. R. Crim. P."),
    (re.compile(r"Federal\sRules?\sof\sAppellate\sProcedure|FRAP|Fed\.\s?R\.\s?App\.\s?P\."), "Fed. R. App. P."),
    (re.compile(r"Federal\sRules?\sof\sBankruptcy\sProcedure|Fed\.\s?R\.\s?Bankr\.\s?P\."), "Fed. R. Bankr. P."),
)


def section_of_code(scan: Scan, start: int) -> Iterator[Mention]:
    """``42 U.S.C. § 1983``, with the sections listed behind it."""
    if illinois := _ILLINOIS.match(scan.text, start):
        one = provision(scan.text, illinois.span(), illinois[2] + illinois[3], law=illinois[1])
        yield replace(one, article=illinois[2], sub="")
        scan.name_law(illinois[1], illinois.end())
    if not (code := _USC.match(scan.text, start)):
        return
    name = f"{code[1]} {re.sub(r'[^A-Z]', '', code[2])[:3]}"
    ends = _RANGE.fullmatch(code[3]) if "§§" in code[0] else None
    # §§ 201-219 are sections from one to the other; § 2000e-2 and § 240.10b-5 are sections of their own.
    if ends and int(ends[2]) > int(ends[1]):
        for number, law, antecedent in ((ends[1], name, ""), (ends[2], "", name)):
            yield provision(scan.text, (start, code.end()), number, law=law, antecedent=antecedent)
    else:
        one = provision(scan.text, (start, code.end()), code[3] + code[4], law=name)
        yield replace(one, sub=re.sub(r"^\d+\.?", "", code[3]))
    yield from _listed(scan, code, name)
    # A bare section further on is of the same title, not of an Act named before.
    scan.name_law(name, max(code.end(), scan.position))


def cited_rules(scan: Scan, start: int) -> Iterator[Mention]:
    """``Fed. R. Civ. P. 12(b)(6)``, ``CPR r 3.4(2)``."""
    if not (rules := _RULES.match(scan.text, start)):
        return
    name = next((short for long, short in _LONG_RULES if long.fullmatch(rules[1])), rules[1])
    yield provision(scan.text, rules.span(), rules[2], law=name)
    yield from _listed(scan, rules, name, several=True)
    scan.name_law(name, scan.position)


def rule_before_its_book(scan: Scan, start: int) -> Iterator[Mention]:
    """``rule 3.4(2) of the CPR``."""
    if rule := _OF_COURT.match(scan.text, start):
        law = rule[2]
        for number in re.split(r"\sand\s|,\s", rule[1]):
            yield provision(scan.text, rule.span(), number, law=law, antecedent="" if law else rule[2])
            law = ""
        scan.name_law(rule[2], rule.end())


def section_by_initials(scan: Scan, start: int) -> Iterator[Mention]:
    """``RCW 19.86.020``, ``CPLR 3211(a)(7)``, ``UCC 2-207(2)``: the number is one, with its points and hyphens."""
    if found := _INITIALS.match(scan.text, start):
        one = provision(scan.text, found.span(), f"1{found[3]}", law=found[1])
        yield replace(one, article=found[2], sub="")
        scan.name_law(found[1], found.end())


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
    place, written = code.end(), code[3] + code[4] if not several else code[2]
    while (several or "§§" in code[0]) and (more := _MORE.match(scan.text, place)):
        # One rule stands for several only where the next has parts or a point of its own: 26(b)(1) and 37(e), not "12 and 14 days".
        if several and not re.search(r"[(.]", more[1]):
            break
        written = with_parts(written, more[1]) if more[1].lstrip().startswith("(") else more[1]
        yield provision(scan.text, more.span(1), written, law="", antecedent=name)
        place = more.end()
    scan.position = place
