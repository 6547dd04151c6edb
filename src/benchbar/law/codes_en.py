"""Provisions of numbered collections, in English: the US Code, constitutions and rules of court."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from benchbar.law.mention import Mention
from benchbar.law.names_en import STATE, law_before
from benchbar.law.parts_en import PART, PARTS, with_parts
from benchbar.law.scan_en import Scan, of_state, provision, roman

_PARAGRAPH = rf"\d{{1,4}}[A-Z]{{0,4}}{PARTS}"
_PARAGRAPH_OF_RULES = re.compile(
    rf"[Pp]ara(?:graph)?s?\.?\s({_PARAGRAPH}(?:(?:,\s|\sand\s|,\sand\s|\sor\s|\sto\s){_PARAGRAPH}){{0,6}})(?:\s(?:of|to|in)\s(?:the\s)?((?:[A-Z][a-z]+\s){{1,4}}Rules)|\s(?:the\s)?(Immigration\sRules))(?!\w)"
)
"""Rules that count in paragraphs: paragraph 276ADE(1) of the Immigration Rules."""
_PARAGRAPH_OF_NAMED_RULES = re.compile(rf"[Pp]ara(?:graph)?s?\.?\s({_PARAGRAPH})")
_PRACTICE_DIRECTION = r"(?:(?:CPR|FPR|CrimPR)\s)?(?:(?:PD\s?|Practice\sDirection\s)\d{1,2}[A-Z]{0,2}(?:\.\d{1,2})?|Practice\sDirection\s(?:on\s|[-–—]\s)?Pre-[Aa]ction\sConduct(?:\sand\sProtocols)?)"
_OF_DIRECTION = re.compile(
    rf"(?:[Pp]ara(?:graph)?s?\.?\s(\d{{1,3}}(?:\.\d{{1,3}}){{0,2}}[A-Z]?{PARTS})\s(?:of|to|in)\s(?:the\s)?)?({_PRACTICE_DIRECTION})(?!\w)(?:(?:,?\s(?:at\s)?[Pp]ara(?:graph)?s?\.?\s|\s(?=\d{{1,2}}\.\d))(\d{{1,3}}(?:\.\d{{1,3}}){{0,2}}[A-Z]?{PARTS}))?"
)
"""Practice directions of the English courts count in paragraphs too: PD 7A, para 5.1."""
_BOOK = r"CPR|FPR|Crim\s?PR|(?:Civil|Family|Criminal)\sProcedure\sRules(?:\s\d{4})?"
_PART_OF_RULES = re.compile(
    rf"[Pp](?:ar)?t\s(\d{{1,3}}[A-Z]?)(?:\sof\sthe|\sof)?\s({_BOOK})(?!\w)|({_BOOK}),?\s[Pp](?:ar)?t\s(\d{{1,3}}[A-Z]?)(?![\w.]*\d)(?!,\sr)"
)
"""A part of the rules as a whole: CPR Part 36."""
_OLD_RULES = r"RSC|CCR|RHC|RDC|CPC|Rules\sof\sthe\s(?:High|Supreme|District|Superior|County|Federal)\sCourts?|Rules\sof\sCourt(?:\s\d{{4}})?|(?:Code\sof\s)?Civil\sProcedure(?:\sCode|,\s1908)?"
_ORDER = re.compile(
    rf"(?:(RSC|CCR|RHC|RDC)\s)?O(?:rder|rd\.?|\.|(?=\s\d{{1,3}}[A-Z]?,?\sr))\s?(\d{{1,3}}[A-Z]?|[IVXL]{{1,7}})(?!\w)(?:,?\s?(?:[Rr]ules?|[Rr]r?\.?)\s?(\d{{1,3}}[A-Z]?{PARTS}(?:(?:,\s|\sand\s){_PARAGRAPH}){{0,3}}))?(?:,?\s(?:of\sthe\s|of\s)?({_OLD_RULES}))?(?!\w)"
)
"""Rules that count in orders: RSC Ord 53 r 3, Order VII Rule 11 CPC."""
_RULES = re.compile(
    rf"(Fed\.\s?R\.\s?(?:(?:Civ|Crim|App|Bankr)\.\s?P(?:roc)?\.|Evid\.)|F\.R\.C\.P\.|F\.R\.E\.|Federal\sRules?\sof\s(?:(?:Civil|Criminal|Appellate|Bankruptcy)\sProcedure|Evidence)|FRCP|FRE|FRAP|CPR|FPR|Crim\s?PR|(?:Civil|Family|Criminal)\sProcedure\sRules(?:\s\d{{4}})?(?=,?\s[Pp](?:ar)?t\s\d{{1,3}},\sr)),?\s(?:[Pp](?:ar)?t\s(?:\d{{1,3}},\s|(?=\d{{1,2}}\.\d)))?(?:[Rr](?:ule|r)?s?\.?\s?)?(?!(?:19|20)\d\d\b)(\d{{1,4}}[A-Z]?(?:\.\d{{1,3}}[A-Z]?)?{PARTS})"
)
_NUMBER_OF_COURT = rf"\d{{1,2}}[A-Z]?\.\d{{1,3}}[A-Z]?{PARTS}"
_OF_COURT = re.compile(
    rf"[Rr](?:ules?|r)?\.?\s({_NUMBER_OF_COURT}(?:(?:\sand\s|,\s){_NUMBER_OF_COURT}){{0,4}})(?:\sof\sthe|\sof)?\s(CPR|FPR|Crim\s?PR|(?:Civil|Family|Criminal)\sProcedure\sRules(?:\s\d{{4}})?)(?!\w)"
)
"""A rule before its book: rule 3.4(2) of the CPR."""
_HANDBOOK_NUMBER = r"\d{1,2}[A-Z]?\.\d{1,3}[A-Z]{0,2}\.\d{1,3}[A-Z]{0,2}(?:\s?(?:R|G|E|D|EU|UK)(?!\w))?"
_HANDBOOK = re.compile(
    rf"(PRIN|SYSC|COCON|APER|FIT|GEN|FEES|GENPRU|INSPRU|BIPRU|IFPRU|MIFIDPRU|MIPRU|COBS|ICOBS|MCOB|BCOBS|CMCOB|FPCOB|PDCOB|CASS|MAR|ESG|PROD|SUP|DEPP|DISP|CONRED|COMP|COLL|CREDS|CONC|FUND|PROF|LR|UKLR|PRR|DTR|PERG)\s"
    rf"({_HANDBOOK_NUMBER}|(?<!FIT\s)(?<!GEN\s)(?<!MAR\s)(?<!SUP\s)(?<!LR\s)\d{{1,2}}[A-Z]?\.\d{{1,3}}[A-Z]{{0,2}}(?![\w.]*\d))({PARTS})(?!\w)"
)
_MORE_OF_HANDBOOK = re.compile(
    rf"(?:,\s(?:and\s|or\s)?|\s(?:and|or|to)\s|\s?[-–]\s?)({_HANDBOOK_NUMBER})({PARTS})(?!\w)"
)
"""Rules of a financial regulator, which are one number with the letter of their kind: DISP 1.6.2R, SYSC 7.1.3 R."""
_CONSTITUTION = re.compile(
    r"(U\.\s?S\.\sC(?:onst|ONST)\.|US\sConst(?:itution)?\.?),?\s([Aa]rt|[Aa]mend)\.?\s([IVXLC]{1,8}|\d{1,2})(?:,\s[§¶]\s?(\d{1,3}))?(?:,\s[Cc]l\.\s\d{1,2})?"
)
_USC = re.compile(
    rf"(?<![\w.])(\d{{1,2}}),?\s(U\.?\s?S\.?\s?C\.?(?:\s?[AS]\.?(?!\w))?|C\.?\s?F\.?\s?R\.?|U\.?\s?S\.?\sCode|United\sStates\sCode),?\s(?:§§?|[Ss]ections?|[Ss]ecs?\.|[Pp]t\.|[Pp]arts?)?\s?(\d{{1,5}}[a-z]{{0,2}}(?:-\d{{1,3}}[a-z]?(?!\w))?(?:\.\d{{1,4}}[a-z]{{0,2}}(?:(?:\(\w{{1,3}}\)){{1,3}}(?=-\d))?(?:-\d{{1,3}}[A-Z]?)?)?)({PARTS})"
)
_MORE = re.compile(
    rf"(?:\s?,\s?(?:(?:and|&)\s)?|/(?=\d)|\s(?:and|or|to|&)\s|\s?[–-]\s?)(\d{{1,5}}[A-Za-z]{{0,3}}(?:\.\d{{1,4}}[a-z]{{0,2}})?(?:-\d{{1,3}}[a-z]?)?{PARTS}|(?:{PART}){{1,3}})(?!(?!-\d{{3,5}}[a-z]{{0,2}}(?![\w-]))[\w.-]*\w|\s(?:U\.?\s?S|C\.?\s?F))"
)
_ILLINOIS = re.compile(
    rf"(\d{{2,4}}\s(?:ILCS|Ill\.\sComp\.\sStat\.)\s\d{{1,4}})/(\d{{1,4}}(?:[A-Z]|[a-z](?!\w))?(?:-\d{{1,5}})?(?:\.\d{{1,2}})?)({PARTS})"
)
_MORE_OF_ILLINOIS = re.compile(
    rf"(?:,\s|\sand\s|,\sand\s)(\d{{1,4}}[A-Z]?-\d{{1,5}}(?:\.\d{{1,2}})?)({PARTS})(?![\w/])"
)
_GUIDELINES = re.compile(rf"(U\.?S\.?S\.?G\.?)\s§\s?(\d[A-Z]\d{{1,2}}\.\d{{1,2}})({PARTS})")
"""Sentencing guidelines of the United States."""
_STATE_RULE = re.compile(
    rf"(R\.\s(?:(?:Civ|Crim|App)\.\s?P\.|Evid\.))\s(?:Rule\s)?(\d{{1,4}}[a-z]?(?:\.\d{{1,4}})?)({PARTS})(?!\w)"
)
_STATE_IN_FRONT = re.compile(rf"(?<!\w)({STATE})\s$")
_A1P1 = re.compile(r"A(\d{1,2})\s?P-?(\d{1,2})(?!\w)")
_RANGE = re.compile(r"(\d{1,5})-(\d{1,5})")
_INITIALS = re.compile(
    rf"(RCW|ORS|NRS|MCLA?|RPAPL|F\.S\.(?=\s\d{{2,3}}\.)|O\.?R\.?C\.?(?=\s\d{{4}}\.)|CPL(?=\s\d{{2,3}}\.)|C\.R\.C\.P\.|ARS|A\.R\.S\.|KRS|SDCL|K\.S\.A\.|RSA|AS(?=\s\d\d\.\d\d\.\d{{3}})|IC(?=\s\d{{1,2}}-\d{{1,2}}-\d)|N\.J\.S\.A\.|R\.C\.|(?:N\.Y\.\s)?C\.?P\.?L\.?R\.?|UCC(?:\s[sS]ection)?|U\.C\.C\.(?:\s[sS]ection)?|Uniform\sCommercial\sCode,?(?:\s(?:§|[sS]ec(?:tion|\.)))?)\s(\d{{1,5}}[A-Z]?(?:[.:-]\d{{1,5}}){{0,3}}[a-z]?)((?:\([A-Z]\))?{PARTS})(?!\w)"
)
"""Codes that stand before their sections without a sign: RCW 19.86.020."""
# 187(a), 1950.5, 632: a year behind a code is its edition, and a small number counts something else.
_UNSIGNED = re.compile(
    rf"(?!(?:19|20)\d\d(?![.(\d]))\d{{1,5}}(?:(?:\.\d{{1,4}}|(?<=\d\d\d))[a-z]?|(?=\())(?:\([A-Z]\))?{PARTS}(?![\w%]|\s(?:of|days?|times|percent|per)\b)"
)
_LONG_RULES = (
    (
        re.compile(r"Federal\sRules?\sof\sCivil\sProcedure|FRCP|F\.R\.C\.P\.|Fed\.\s?R\.\s?Civ\.\s?P(?:roc)?\."),
        "Fed. R. Civ. P.",
    ),
    (re.compile(r"Federal\sRules?\sof\sEvidence|FRE|F\.R\.E\.|Fed\.\s?R\.\s?Evid\."), "Fed. R. Evid."),
    (re.compile(r"Federal\sRules?\sof\sCriminal\sProcedure|Fed\.\s?R\.\s?Crim\.\s?P(?:roc)?\."), "Fed. R. Crim. P."),
    (
        re.compile(r"Federal\sRules?\sof\sAppellate\sProcedure|FRAP|Fed\.\s?R\.\s?App\.\s?P(?:roc)?\."),
        "Fed. R. App. P.",
    ),
    (
        re.compile(r"Federal\sRules?\sof\sBankruptcy\sProcedure|Fed\.\s?R\.\s?Bankr\.\s?P(?:roc)?\."),
        "Fed. R. Bankr. P.",
    ),
)


def section_of_code(scan: Scan, start: int) -> Iterator[Mention]:
    """``42 U.S.C. § 1983``, with the sections listed behind it."""
    if illinois := _ILLINOIS.match(scan.text, start):
        one = provision(scan.text, illinois.span(), illinois[2] + illinois[3], law=illinois[1])
        yield replace(one, article=illinois[2], sub="")
        end = illinois.end()
        while more := _MORE_OF_ILLINOIS.match(scan.text, end):
            one = provision(scan.text, more.span(1), more[1] + more[2], law="", antecedent=illinois[1])
            yield replace(one, article=more[1], sub="")
            end = more.end()
        scan.name_law(illinois[1], end)
    if not (code := _USC.match(scan.text, start)):
        return
    name = f"{code[1]} {re.sub(r'[^A-Z]', '', code[2])[:3]}"
    ends = _RANGE.fullmatch(code[3]) if "§§" in code[0] else None
    # §§ 201-219 are sections from one to the other; § 2000e-2 and § 240.10b-5 are sections of their own.
    if ends and int(ends[2]) > int(ends[1]):
        for number, law, antecedent in ((ends[1], name, ""), (ends[2], "", name)):
            yield provision(scan.text, (start, code.end()), number, law=law, antecedent=antecedent)
    else:
        # Of § 1.501(c)(3)-1 the brackets before the hyphen are the number's.
        one = provision(scan.text, (start, code.end()), code[3].partition("(")[0] + code[4], law=name)
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
    if found := _INITIALS.match(scan.text, start) or _GUIDELINES.match(scan.text, start):
        # The long name is the short one, with the sign of a section or without.
        law = re.sub(r"^Uniform\sCommercial\sCode.*", "UCC", found[1]).removesuffix(" section").removesuffix(" Section")
        one = provision(scan.text, found.span(), f"1{found[3]}", law=law)
        yield replace(one, article=found[2], sub="")
        scan.name_law(law, found.end())


def rule_of_a_handbook(scan: Scan, start: int) -> Iterator[Mention]:
    """``DISP 1.6.2R(1)``, ``COBS 9.2.1 R and 9.2.2 G``: the number is one, with the letter of the rule's kind."""
    if not (found := _HANDBOOK.match(scan.text, start)):
        return
    book, law, antecedent, begin, number, parts = found[1], found[1], "", start, found[2], found[3]
    while True:
        one = provision(scan.text, (begin, found.end()), f"1{parts}", law=law, antecedent=antecedent)
        yield replace(one, article=re.sub(r"\s", "", number), sub="")
        scan.position = found.end()
        if not (found := _MORE_OF_HANDBOOK.match(scan.text, scan.position)):
            return
        law, antecedent, begin, number, parts = "", book, found.start(1), found[1], found[2]


def section_without_a_sign(scan: Scan, start: int) -> Iterator[Mention]:
    """``Penal Code 187(a)``, ``Cal. Civ. Code 1950.5``: the number right behind the code of a state."""
    if not scan.text.endswith(("Code ", " Law "), max(scan.position, start - 5), start):
        return
    found, ahead = _UNSIGNED.match(scan.text, start), law_before(scan.text, scan.position, start)
    if found and ahead and (of_state(ahead[0]) or ahead[0].endswith(("Penal Code", "Civil Code"))):
        one = provision(
            scan.text,
            (ahead[1], found.end()),
            f"1{found[0][found[0].find('(') :] if '(' in found[0] else ''}",
            law=ahead[0],
        )
        yield replace(one, article=found[0].partition("(")[0], sub="")
        scan.name_law(ahead[0], found.end())


def rule_of_a_state(scan: Scan, start: int) -> Iterator[Mention]:
    """``Tex. R. Civ. P. 166a(c)``: the state stands in front of the rules' name."""
    if not (found := _STATE_RULE.match(scan.text, start)):
        return
    if state := _STATE_IN_FRONT.search(scan.text, max(0, start - 10), start):
        law = f"{state[1]} {found[1]}"
        whole = (state.start(1), found.end())
        one = provision(scan.text, whole, f"1{found[3]}", law=law)
        yield replace(one, article=found[2], sub="")
        scan.name_law(law, found.end())


def first_protocol(scan: Scan, start: int) -> Iterator[Mention]:
    """``A1P1``: article 1 of the first protocol, as lawyers call it."""
    if found := _A1P1.match(scan.text, start):
        yield provision(scan.text, found.span(), found[1], law=f"Protocol {found[2]}")
        # An article further on is rather of the convention itself.
        scan.position = found.end()


def article_of_constitution(scan: Scan, start: int) -> Iterator[Mention]:
    """``U.S. Const. art. I, § 8``, ``U.S. Const. amend. XIV``."""
    if not (found := _CONSTITUTION.match(scan.text, start)):
        return
    yield Mention(
        span=found.span(),
        text=found[0],
        language="en",
        law=found[1],
        article=f"{found[2].lower()} {roman(found[3])}",
        paragraph=found[4] or "",
    )
    scan.name_law(found[1], found.end())


def paragraph_of_rules(scan: Scan, start: int) -> Iterator[Mention]:
    """``paragraph 276ADE(1) of the Immigration Rules``."""
    if found := _PARAGRAPH_OF_RULES.match(scan.text, start):
        law, name = found[2] or found[3], ""
        numbers = re.split(r",\s(?:and\s)?|\s(?:and|or|to)\s", found[1])
        for number in numbers:
            yield provision(scan.text, found.span(), number, law="" if name else law, antecedent=name)
            name = law
        scan.name_law(law, found.end())
    elif scan.text.startswith("Immigration Rules", max(0, start - 19)) and (
        found := _PARAGRAPH_OF_NAMED_RULES.match(scan.text, start)
    ):
        yield provision(scan.text, found.span(), found[1], law="Immigration Rules")
        scan.name_law("Immigration Rules", found.end())


def of_practice_direction(scan: Scan, start: int) -> Iterator[Mention]:
    """``PD 7A, para 5.1``, ``paragraph 5.1 of Practice Direction 7A``; the direction as a whole where no paragraph is named."""
    if found := _OF_DIRECTION.match(scan.text, start):
        yield provision(scan.text, found.span(), found[1] or found[3] or "", law=found[2])
        scan.name_law(found[2], found.end())


def part_of_rules(scan: Scan, start: int) -> Iterator[Mention]:
    """``CPR Part 36``, ``Part 18 of the Family Procedure Rules 2010``: a part stands where a rule would."""
    if found := _PART_OF_RULES.match(scan.text, start):
        law = found[2] or found[3]
        whole = found.span()
        yield Mention(span=whole, text=found[0], language="en", law=law, article=f"Part {found[1] or found[4]}")
        scan.name_law(law, found.end())


def rule_of_an_order(scan: Scan, start: int) -> Iterator[Mention]:
    """``RSC Ord 53 r 3``, ``Order VII Rule 11 CPC``: the order stands where an article would; none without its rules."""
    found = _ORDER.match(scan.text, start)
    law = (found[1] or found[4]) if found else ""
    if not (found and law):
        return
    order = found[2] if found[2][0].isdecimal() else str(roman(found[2]))
    for rule in re.split(r",\s|\sand\s", found[3] or ""):
        number, *parts = re.findall(r"\w+", rule) or [""]
        yield Mention(
            span=found.span(),
            text=found[0],
            language="en",
            law=law,
            article=f"Ord {order}",
            paragraph=number,
            item=parts[0] if parts else "",
        )
    scan.name_law(law, found.end())


def _listed(scan: Scan, code: re.Match[str], name: str, *, several: bool = False) -> Iterator[Mention]:
    """The further sections of ``17 U.S.C. §§ 101, 102 and 106A``; the scan goes on behind them."""
    place, written = code.end(), code[3] + code[4] if not several else code[2]
    while more := _MORE.match(scan.text, place):
        # One sign stands for one section, and for several parts of it; in daily use for several of three digits: 35 USC § 101, 102.
        if not (
            several
            or "§§" in code[0]
            or more[1].lstrip().startswith("(")
            or (_both_long(scan.text, written, more, 3) and not _REPORTED.match(scan.text, more.end()))
        ):
            break
        # One rule stands for several only where the next has parts or a point of its own: 26(b)(1) and 37(e), not "12 and 14 days".
        if several and not (
            re.search(r"[(.]", more[1])
            or _goes_up(written, scan.text[place : more.end()])
            or _both_long(scan.text, written, more)
        ):
            break
        for number in _ends_of(more[1]) if not several else [more[1]]:
            written = with_parts(written, number) if number.lstrip().startswith("(") else number
            one = provision(scan.text, more.span(1), written, law="", antecedent=name)
            # § 2000e-17 and § 1.61-3 are numbers of their own.
            own = re.match(r"\d+(?!\d)\.?([^(\s]+)", written)
            yield replace(one, sub=own[1]) if own and not several else one
        place = more.end()
    scan.position = place


def _ends_of(written: str) -> list[str]:
    """Both ends of a range such as 101-103; else the number itself."""
    ends = _RANGE.fullmatch(written)
    return [*ends.groups()] if ends and len(ends[1]) == len(ends[2]) and ends[2] > ends[1] else [written]


def _both_long(text: str, written: str, more: re.Match[str], most: int = 4) -> bool:
    """Whether two numbers of three digits or more stand beside each other, and nothing is counted: Fed. R. Evid. 401, 403."""
    long = re.compile(rf"\d{{3,{most}}}(?:\(|$)")
    return bool(long.match(written) and long.match(more[1]) and not _COUNTED.match(text, more.end()))


_REPORTED = re.compile(r"\s[A-Z]|\.\d")
_COUNTED = re.compile(r"\s(?!(?:and|or|of|to|in|is|are|do|does|as)\b)[a-z]")


def _goes_up(written: str, joined: str) -> bool:
    """Whether a hyphen joins two whole rules to a range: 401-403."""
    return (
        written.isdecimal()
        and (ends := re.fullmatch(r"[-–](\d{1,4})", joined)) is not None
        and int(ends[1]) > int(written)
    )
