"""Citations in English: sections of Acts, articles of regulations, neutral citations, and the US forms."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from benchbar.law.mention import Mention

# Every repetition is bounded, as in the Chinese grammar: time is linear in the text.
_NUMBER = r"\d{1,5}[A-Z]{0,2}(?:\.\d{1,4})?"
_PARTS = r"(?:\s?\((?:\d{1,3}[A-Z]?|[a-z]{1,4})\)){0,4}"
_UNIT = r"(?:[Ss]ections?|[Ss]ecs?\.|ss?\.?|§§?|[Aa]rticles?|[Aa]rts?\.?|[Rr]egulations?|[Rr]egs?\.?|[Rr]ules?|rr?\.|[Cc]lauses?)"
_JOINT = r"\s?,\s?(?:and\s)?|\s(?:and|or|to)\s|\s?[-–]\s?(?=\d)"
# The slash: Regulation 261/2004 is no regulation 261.
_PROVISION = re.compile(rf"(?<![\w.'’]){_UNIT}\s?({_NUMBER}{_PARTS}(?:(?:{_JOINT}){_NUMBER}{_PARTS}){{0,10}})(?![/\d])")
_PARAGRAPH_OF_RULES = re.compile(
    rf"[Pp]ara(?:graph)?s?\.?\s(\d{{1,4}}[A-Z]{{0,3}}{_PARTS})\s(?:of|to|in)\s(?:the\s)?((?:[A-Z][a-z]+\s){{1,4}}Rules)(?!\w)"
)
"""Rules that count in paragraphs: paragraph 276ADE(1) of the Immigration Rules."""
_SCHEDULE = re.compile(
    rf"(?<![\w.])(?:[Pp]ara(?:graph)?s?\.?\s({_NUMBER}){_PARTS}\s(?:of|to)\s)?Sch(?:edule|\.)?\s(\d{{1,3}}[A-Z]?)(?:,?\spara(?:graph|\.)?\s({_NUMBER}))?"
)
# The small words that titles hold between their capitals: Ministerial and other Maternity Allowances Act 2021.
# "Under" and "by the" join a name to the sentence before it more often than they stand in one.
_SMALL = r"(?:an?|and|as|or|of|the|other|certain|related|for|into|in|on|to|with|within|without|between|upon|against|(?:at|by|from)(?!\sthe\s)|etc\.?|&)"
_CAPITAL = r"(?:[A-Z][\w’'-]*)"
_BRACKET = r"\((?:[A-Z]|\d)[\w\s,.’'&-]{1,80}\)"
# Twenty words at most: beyond that it is a sentence that happens to begin with capitals.
_TITLE = rf"(?:{_CAPITAL}|\d{{1,2}}(?:st|nd|rd|th)\s{_CAPITAL})(?:\s(?:{_CAPITAL}|{_SMALL}|{_BRACKET})|,(?=\s(?:and\s|or\s)?[A-Z])){{0,20}}?"
_YEAR = r"(?:1[2-9]|20)\d\d(?![/\d])"
_SUBSECTION = re.compile(r"(?<!\w)(?:[Ss]ub-?sections?|[Ss]ubs?s\.?)\s?((?:\(\w{1,4}\)){1,3})\s(?:of|to|in)\s$")
"""Subsection (1) of section 2, which is section 2(1)."""
_SUBSECTION_ALONE = re.compile(
    r"[Ss]ub-?section\s((?:\(\w{1,4}\)){1,3})(?!\s(?:of|to|in)\s(?:s(?:ection)?|this|the)\b)"
)
"""Subsection (2), of the section cited last."""
_GERMAN = r"BGB|StGB|HGB|ZPO|StPO|BDSG|GmbHG|AktG|UWG|InsO"
_CALLED = rf"GDPR|ECHR|TFEU|TEU|UCC|{_GERMAN}"
_NUMBERED = (
    r"(?:Regulation|Reg\.|Directive|Decision)\s(?:\((?:EU|EC|EEC)\)\s)?(?:No\.?\s)?\d{1,4}/\d{1,4}(?:/(?:EU|EC|EEC))?"
)
_ACT = re.compile(
    # The words before a number only describe it: Consumer Rights Directive 2011/83/EU.
    rf"\s?(?:of|under|in|,)?\s?(?:the\s)?(?:(?:[A-Z]\w+\s){{0,4}}(?={_NUMBERED}))?("
    rf"{_NUMBERED}"
    rf"|(?!(?:{_CALLED})\b){_TITLE}\s(?:Act|Code|Ordinance|Regulations?|Rules(?:\sof\s[A-Z]\w+(?:\sProcedure)?)?|Law|Order|Convention|Directive|Constitution)(?:,?\s(?:of\s)?{_YEAR})?(?:\s\([A-Z][\w\s]{{1,24}}\))?"
    rf"|{_CALLED}|Constitution|(?:EU\s)?Charter(?:\sof\s[A-Z]\w+(?:\s(?:of|the|and|[A-Z]\w+)){{0,8}}(?<=[a-z]))?"
    r")(?!\w)"
)
_YEARED = rf"{_TITLE}\s(?:Act|Code|Ordinance|Regulations|Rules|Order),?\s{_YEAR}"
_SHORT_NAME = re.compile(
    rf"\s?(?:of\s|under\s|in\s)?(?:the\s|that\s|this\s)?(?:({_YEAR})\s(?:Act|Code|Ordinance|Regulations|Rules|Order)|([A-Z]{{2,8}})(?:\s({_YEAR}))?)(?!\w)"
)
"""The 2013 Act, ERA 1996, ERA: which law it is, the text says further up."""
_WRITTEN_SHORT = re.compile(r"[A-Z]{2,8}\s(?:19|20)\d\d")
_LOWER_CASE = re.compile(
    rf"\s(?:of|under|in)\s(?:the\s)?((?:[a-z][\w’'-]*\s){{1,12}}?(?:act|code|regulations|rules|order)\s(?:of\s)?{_YEAR})"
)
_OTHER = re.compile(
    r"\s(?:of|to)\s(?!(?:the\s)?(?:Act|Code|Ordinance|Law|Regulations?|Rules|Order|Directive|Convention|Constitution|Charter|Treaty|latter|statute)\b|it\b|which\b)"
)
"""Something that is no law named further up: section 44 of the Scheme."""
_TITLE_OF_CODE = re.compile(
    r"(?:,|\sof)\s(?:the\s)?[Tt]itle\s(\d{1,2})(?:,?\s(?:of\sthe\s)?(?:United\sStates\sCode|U\.?S\.?\s?C(?:ode|\.)?))?(?!\w)"
)
_STATE = (
    r"(?:Ala|Alaska|Ariz|Ark|Cal|Colo|Conn|Del|D\.C|Fla|Ga|Haw|Idaho|Ill|Ind|Iowa|Kan|Ky|La|Me|Md|Mass|Mich|Minn|Miss|Mo|Mont|Neb|Nev|N\.H|N\.J"
    r"|N\.M|N\.Y|N\.C|N\.D|Ohio|Okla|Or|Pa|R\.I|S\.C|S\.D|Tenn|Tex|Utah|Vt|Va|Wash|W\.\sVa|Wis|Wyo)\.?(?!\w)"
)
_LAW_BEFORE = re.compile(
    rf"(?:^|(?<=[\s(“\"]))({_YEARED}|{_NUMBERED}|Pub\.\sL\.\s(?:No\.\s)?\d{{2,3}}-\d{{1,3}}|GDPR|ECHR|TFEU|TEU|U\.?C\.?C\.?"
    rf"|(?!(?:The|This|That|An?|Each|Such)\s(?:Act|Ordinance|Code)){_CAPITAL}(?:\s(?:{_CAPITAL}|and|of|the)){{0,8}}?\s(?:Act|Ordinance)"
    rf"|{_STATE}\s(?:[A-Z][\w'’]*\.?\s|&\s){{0,5}}(?:Code|Stat|Laws?|Comp)\.?(?:\sAnn\.)?(?:,?\stit\.\s\d{{1,2}}|,?\sch\.\s\d{{1,3}}[A-Z]?)?)"
    rf"(?:\s\(c\.?\s\d{{1,3}}\))?\s?[,(–—:-]?\s?$"
)
"""A law that stands in front of its section: Limitation Act 1980, section 9; Cal. Civ. Code § 1714."""
_LEADING = re.compile(
    r"(?:(?:See|Under|In|Cf\.?|By|But|And|The|Per|Both|Also|However|Thus|Whereas|If)\s(?:also\s)?(?:the\s)?)+"
)
_BACK = 140
# An act is called by its year or initials for pages, but one of the last fifty named.
_NAMES = 50
_RULES = re.compile(
    rf"(Fed\.\s?R\.\s?(?:(?:Civ|Crim|App|Bankr)\.\s?P\.|Evid\.)|Federal\sRules?\sof\s(?:(?:Civil|Criminal|Appellate|Bankruptcy)\sProcedure|Evidence)|CPR)\s(?:rr?\.?\s)?(\d{{1,4}}[A-Z]?(?:\.\d{{1,3}})?{_PARTS})"
)
_CONSTITUTION = re.compile(r"(U\.\s?S\.\sConst\.)\s(art|amend)\.\s([IVXLC]{1,8}|\d{1,2})(?:,\s§\s?(\d{1,3}))?")
_INSTRUMENT = re.compile(
    rf"{_YEARED}|\b(?:GDPR|ECHR|TFEU|TEU|CPR|Charter|Convention)\b|\b(?:Regulation|Directive)\s(?:\([A-Z]{{2,3}}\)\s)?(?:No\.?\s)?\d{{1,4}}/\d"
)
_PLAIN = tuple(zip("\u2010\u2011\u00a0\u202f\u2009", "--   ", strict=True))
"""Hyphens and spaces that do not break, in the place of which the forms have plain ones."""
_YEARED_ACT = re.compile(_YEARED)
_SAME_ACT = re.compile(
    r"\s?(?:of|under)\s(?:the\s(?:same|said)|that|this)\s(?:Act|Code|Law|[Rr]egulations?|[Dd]irective|[Rr]ules|Ordinance|Order)(?!\w)"
)
# Clauses of the parties' own agreement are no law.
_CONTRACT = re.compile(
    r"\s?(?:of|under|in)\s(?:the|this|that|our|your)\s(?:\w{1,20}\s){0,2}(?:[Aa]greement|[Cc]ontract|[Ll]ease|[Dd]eed|[Pp]olicy|[Ll]icen[cs]e|[Tt]erms)"
)
# Neutral citations and law reports: [2019] UKSC 41, [1990] 2 AC 605, (1854) 9 Exch 341.
_NEUTRAL = re.compile(
    r"\[((?:1[89]|20)\d\d)\]\s(?:\d\s)?[A-Z][A-Za-z]{1,8}(?:\s(?:Civ|Crim|Fam|Ch|QB|KB|Cr))?\s\d{1,5}(?:\s\((?:[A-Z][A-Za-z]{1,5})\))?(?!\w)"
    r"|\((?:1[5-9]|20)\d\d\)\s\d{1,3}\s[A-Z][A-Za-z]{1,7}(?:\s(?:Cas|Rep|App|R|[A-Z][a-z]{1,5})){0,2}\s\d{1,5}(?!\w)"
    # Canada and Scotland write the year without brackets.
    r"|((?:19|20)\d\d)\s(?:SCC|SLT|SC|FCA|FC|ABCA|BCCA|BCSC|ONCA|ONSC|QCCA|NSCA)(?:\s\((?:HL|J|PC)\))?\s\d{1,5}(?![\w-])"
)
# What is a reporter is looked up in reporters-db; the form says only where to look.
_US = re.compile(
    r"(?<![\w.,])(\d{1,4})\s([A-Z][\w.’'&]{0,12}(?:\s(?:[A-Z&(][\w.’'&)]{0,12}|\d{1,2}(?:d|th|st|nd|rd)|[23]d)){0,4}?)\s(at\s)?(\d{1,5})(?!\w|\.\d)"
)
_SAME_CASE = re.compile(r"[Ii]d\.(?:,?\sat\s\d{1,5})?(?=[\s,;.)]|$)")
_USC = re.compile(
    rf"(?<![\w.])(\d{{1,2}})\s(U\.?\s?S\.?\s?C\.?(?:\s?A\.)?|C\.?\s?F\.?\s?R\.?),?\s(?:§§?|[Ss]ections?|[Ss]ecs?\.|[Pp]t\.)?\s?(\d{{1,5}}[a-z]{{0,2}}(?:-\d{{1,3}})?(?:\.\d{{1,4}}[a-z]{{0,2}}(?:-\d{{1,3}})?)?)({_PARTS})"
)
_MORE = re.compile(rf"(?:\s?,\s?(?:and\s)?|\s(?:and|or|to)\s)({_NUMBER}{_PARTS})(?![\w.-]*\w|\s(?:U\.?\s?S|C\.?\s?F))")
_ECLI = re.compile(
    r"ECLI:[A-Z]{2}:[A-Z0-9]{1,7}:\d{4}:[A-Z0-9.]{1,25}|(?<!\w)(?:Cases?\s)?([CT]-\d{1,4}/\d{2})(?!\d)|Case\s(\d{1,4}/\d{2})(?!\d)|App(?:lication|\.)?\s[Nn]os?\.?\s(\d{1,6}/\d{2})(?!\d)"
)
# Places where a form can begin: the long forms are tried there alone.
_EVENT = re.compile(
    # The words of units in full: every word with one of their letters would be half of all words.
    r"(?<![\w.])(?=[Ss](?:ections?|ecs?\.|s?\.?|ub-?sections?|ubss?\.|ch(?:edule|\.))\s?[\d(]|Sch(?:edule|\.)?\s\d|§|[Aa]rt(?:icle|\.)?s?\.?\s?\d"
    r"|[Rr](?:eg(?:ulation)?s?|ules?|r)?\.?\s?\d|[Cc]lauses?\s?\d|Cases?\s|App(?:lication|\.)?\s[Nn]os?"
    r"|\[(?:1[89]|20)\d\d\]\s(?:\d\s)?[A-Z]|\((?:1[5-9]|20)\d\d\)\s\d|\d{1,4}\s[A-Z]|ECLI:|[CT]-\d"
    r"|[Pp]ara(?:graph)?s?\.?\s\d|Fed\.|Federal\sRule|CPR\s|U\.\s?S\.\sC|[Ii]d\.)"
)
# A page or so: further on a bare section is another law's, or the text's own.
_LAST_REACH = 600
PARAGRAPHS = ""


@dataclass(slots=True)
class _Scan:
    """How far the text was read, and the law and the case named last."""

    text: str
    position: int = 0
    current: str = ""
    named_at: int = -_LAST_REACH
    cases: dict[str, str] = field(default_factory=dict)
    """Volume and reporter to the case cited last from it, for ``326 U.S. at 316``."""
    last_case: str = ""

    last: Mention | None = None
    """The section cited last, for the subsections that are named without it."""
    names: list[str] = field(default_factory=list)
    """Acts with a year that the text names, as far as it was searched for them, in order."""
    searched_to: int = 0
    near: str = ""
    """The Act named last without a section."""
    near_at: int = -_LAST_REACH
    searched_near: int = 0

    def name_law(self, name: str, at: int) -> None:
        self.current, self.named_at, self.position = name, at, at


def extract_mentions(text: str, known: frozenset[str]) -> Iterator[Mention]:  # noqa: ARG001 - names stand in capitals or quotes
    """The English citations of a text in order."""
    # Each replaced by one character, so that places stay; str.translate takes a third of the time of the whole scan.
    for odd, plain in _PLAIN:
        text = text.replace(odd, plain)
    scan = _Scan(text)
    for event in _EVENT.finditer(scan.text):
        if event.start() >= scan.position:
            yield from _at(scan, event.start())


def _at(scan: _Scan, start: int) -> Iterator[Mention]:
    """The citations that begin at a place, tried from the most telling form."""
    text = scan.text
    if decision := _decision(scan, start):
        yield decision
        scan.position, scan.last_case = decision.span[1], decision.case_number
    elif code := _USC.match(text, start):
        name = f"{code[1]} {re.sub(r'[^A-Z]', '', code[2])[:3]}"
        one = _provision(text, (start, code.end()), code[3] + code[4], law=name)
        # 2000e-2 and 240.10b-5 are sections of their own: letter and number belong together.
        yield replace(one, sub=re.sub(r"^\d+\.?", "", code[3]))
        yield from _listed(scan, code, name)
        # A bare section further on is of the same title, not of an Act named before.
        scan.name_law(name, max(code.end(), scan.position))
    elif rules := _RULES.match(text, start):
        name = _LONG_RULES.sub("Fed. R. Civ. P.", rules[1])
        yield _provision(text, rules.span(), rules[2], law=name, dotted=name == "CPR")
        yield from _listed(scan, rules, name, several=True)
        scan.name_law(name, scan.position)
    elif constitution := _CONSTITUTION.match(text, start):
        number = str(_roman(constitution[3]))
        yield Mention(
            span=constitution.span(),
            text=constitution[0],
            language="en",
            law=constitution[1],
            article=f"{constitution[2]} {number}",
            paragraph=constitution[4] or "",
        )
        scan.name_law(constitution[1], constitution.end())
    elif schedule := _SCHEDULE.match(text, start):
        yield from _in_schedule(scan, schedule)
    elif paragraph := _PARAGRAPH_OF_RULES.match(text, start):
        yield _provision(text, paragraph.span(), paragraph[1], law=paragraph[2])
        scan.name_law(paragraph[2], paragraph.end())
    elif alone := _SUBSECTION_ALONE.match(text, start):
        yield from _other_subsection(scan, alone)
    # Clauses are of contracts and bills; they are in the list of units so that the scan passes over them.
    elif (found := _PROVISION.match(text, start)) and not found[0].lower().startswith("clause"):
        yield from _provisions(scan, start, found)


def _listed(scan: _Scan, code: re.Match[str], name: str, *, several: bool = False) -> Iterator[Mention]:
    """The further sections of ``17 U.S.C. §§ 101, 102 and 106A``; the scan goes on behind them."""
    place = code.end()
    while (several or "§§" in code[0]) and (more := _MORE.match(scan.text, place)):
        # One rule stands for several only where the next has parts of its own: 26(b)(1) and 37(e), not "12 and 14 days".
        if several and "(" not in more[1]:
            break
        yield _provision(scan.text, more.span(1), more[1], law="", antecedent=name)
        place = more.end()
    scan.position = place


_LONG_RULES = re.compile(r"Federal\sRules?\sof\sCivil\sProcedure")


def _other_subsection(scan: _Scan, found: re.Match[str]) -> Iterator[Mention]:
    """``subsection (2)`` behind a section, which is another subsection of it."""
    last = scan.last
    if last is None or found.start() - last.span[1] > _LAST_REACH or not last.article.isdecimal():
        return
    parts = _BRACKETED.findall(found[1])
    yield replace(
        last,
        span=found.span(),
        text=found[0],
        law="",
        antecedent=last.names,
        paragraph=parts[0],
        item=parts[1] if len(parts) > 1 else "",
    )
    scan.position = found.end()


def _provisions(scan: _Scan, start: int, found: re.Match[str]) -> Iterator[Mention]:
    text = scan.text
    back, act = _SAME_ACT.match(text, found.end()), _ACT.match(text, found.end())
    # The heading of a contract's clause: Section 10.07 Governing Law.
    act = None if act and act[1] in {"Governing Law", "Applicable Law", "Choice of Law"} else act
    window = max(scan.position, start - _BACK)
    ahead = None if act or back else _LAW_BEFORE.search(text[window:start])
    if not act and not ahead and _CONTRACT.match(text, found.end()):
        return
    lead = _LEADING.match(ahead[1]) if ahead else None
    called = None if act or back or ahead else _called(scan, start, found.end())
    if called and not called[0]:
        return
    name = (
        act[1] if act and not back else called[0] if called else ahead[1][lead.end() if lead else 0 :] if ahead else ""
    )
    law, bare = " ".join(name.split()), not (name or back)
    antecedent = "" if law else scan.current
    if bare:
        # A section of no law goes back to a name near by, and to no law across another instrument.
        # Sections such as 4.08 are a contract's.
        antecedent = _named_near(scan, start) if not _POINTED.match(found[1]) else ""
        antecedent = antecedent if _fits(found[0], antecedent) else ""
    # The year of a title that is not read: the other Regulations 2013.
    if not (law or antecedent) or (bare and found[0][0].isupper() and _PLURAL_AND_YEAR.search(found[0])):
        return
    end = act.end() if law and act else back.end() if back else called[1] if called else found.end()
    begin = window + ahead.start(1) + (lead.end() if lead else 0) if ahead else start
    # Sections of the Uniform Commercial Code hold their article: 2-207 is no range.
    parts = [found[1]] if name in {"UCC", "U.C.C."} else _JOINTS.split(found[1])
    place = found.start(1)
    if len(parts) == 1 and "(" not in parts[0] and not ahead and (sub := _SUBSECTION.search(text[window:start])):
        parts[0] += sub[1]
        begin = window + sub.start()
    if _OF_STATE.match(name) and (whole := _STATE_NUMBER.match(text, place)):
        parts, end = [whole[0]], max(end, whole.end())
    # Sections 3 and 5: one mention each, and the law belongs to both.
    for index in range(0, len(parts), 2):
        stop = place + len(parts[index])
        span = (place if index else begin, stop if len(parts) > 1 else end)
        scan.last = _provision(text, span, parts[index], law=law, antecedent=antecedent, bare=bare)
        yield scan.last
        # Named with the first of a list; the others go back to it.
        law, antecedent = "", antecedent or law
        place = stop + len(parts[index + 1]) if index + 1 < len(parts) else stop
    scan.name_law(antecedent, end)


_STATE_NUMBER = re.compile(rf"\d{{1,5}}[A-Za-z]{{0,2}}(?:[.:-]\d{{1,5}}[a-z]?){{0,3}}{_PARTS}")
"""Sections of state codes: 2A:14-2, 51-1-6, 19.86.020."""


def _named_near(scan: _Scan, start: int) -> str:
    """The law that a bare provision goes back to: the one cited last, unless another was named since; else one named near by."""
    if start - scan.named_at < _LAST_REACH:
        between = _INSTRUMENT.search(scan.text, max(scan.named_at, 0), start)
        return re.sub(r"\s+", " ", between[0]) if between else scan.current
    # "The Landlord and Tenant Act 1987 applies. By section 48 …": named, and not cited yet. A stretch is searched once.
    begin = max(scan.searched_near, start - _LAST_REACH)
    for named in _YEARED_ACT.finditer(scan.text, begin, start):
        scan.near, scan.near_at = re.sub(r"\s+", " ", _LEADING.sub("", named[0], count=1)), named.end()
    scan.searched_near = max(begin, start - _OVERLAP)
    return scan.near if start - scan.near_at < _LAST_REACH else ""


_OVERLAP = 200
"""Characters that a title may have: one that stands on the border is found the next time."""


def _called(scan: _Scan, start: int, end: int) -> tuple[str, int] | None:
    """The law called by year, initials or in small letters behind a section, and where that ends.

    The name is empty where something else is named that cannot be read: then the section is of no law named before.
    """
    text = scan.text
    if title := _TITLE_OF_CODE.match(text, end):
        return f"{title[1]} USC", title.end()
    if lower := _LOWER_CASE.match(text, end):
        return lower[1], lower.end()
    if short := _SHORT_NAME.match(text, end):
        year, initials = short[1] or short[3] or "", short[2] or ""
        # Each stretch is searched once, and only in texts that call an act so: searched anew each time, it took four
        # times as long as all the rest.
        found = re.findall(rf"({_YEARED})", text[scan.searched_to : start])
        scan.names += [re.sub(r"\s+", " ", _LEADING.sub("", name, count=1)) for name in found]
        scan.searched_to = start
        meant = (
            name for name in reversed(scan.names[-_NAMES:]) if name.endswith(year) and initials in {"", _initials(name)}
        )
        if name := next(meant, ""):
            return name, short.end()
        # "Section 1 of the 2013 Act changed what the Defamation Act 2013 found": named a little further on.
        later = year and not initials and _YEARED_ACT.search(text, short.end(), short.end() + _OVERLAP)
        if later and later[0].endswith(year):
            return re.sub(r"\s+", " ", _LEADING.sub("", later[0], count=1)), short.end()
        # PACE 1984 is a name of its own, though the text does not give the long one.
        return (short[0].strip() if _WRITTEN_SHORT.fullmatch(short[0].strip()) else ""), short.end()
    return ("", end) if _OTHER.match(text, end) else None


def _initials(name: str) -> str:
    return "".join(re.findall(r"(?<![\w’'])[A-Z]", name))


def _fits(provision: str, law: str) -> bool:
    """Whether a law has provisions of this name: acts have no rules, directives and treaties no sections."""
    unit = provision[0].lower()
    if provision.lower().startswith(("r.", "rr.", "rule", "reg")):
        return re.search(r"Rule|Regulations|Procedure|CPR|Order|^Fed", law) is not None
    if unit == "a":
        return re.search(r"\bAct\b|Ordinance|USC$|CPR|\bRules\b", law) is None
    return (
        re.search(rf"^(?:{_CALLED.removesuffix('|UCC')})$|^(?:Regulation|Directive|Decision)\s|Convention|Charter", law)
        is None
    )


def _in_schedule(scan: _Scan, found: re.Match[str]) -> Iterator[Mention]:
    """``paragraph 3 of Schedule 1 to the … Act``: the schedule stands where an article would."""
    act = re.compile(r"\s(?:to|of)(?=\s)").match(scan.text, found.end())
    named = _ACT.match(scan.text, act.end()) if act else None
    if not named:
        return
    law = re.sub(r"\s+", " ", named[1])
    yield Mention(
        span=(found.start(), named.end()),
        text=scan.text[found.start() : named.end()],
        language="en",
        law=law,
        article=f"Sch {found[2]}",
        paragraph=found[1] or found[3] or "",
    )
    scan.name_law(law, named.end())


# Compiled once: the module's functions of re look their patterns up anew for every citation.
_DOTTED_NUMBER = re.compile(r"(\d{1,5}\.\d{1,3})()()")
_NUMBER_HEAD = re.compile(r"(\d{1,5})([A-Za-z]{0,3})(?:[.-](\d{1,4}))?")
_WHOLE_NUMBER = re.compile(r"[^(\s]+")
_BRACKETED = re.compile(r"\(([^)]+)\)")
_OF_STATE = re.compile(_STATE)
_JOINTS = re.compile(rf"({_JOINT})")
_PLURAL_AND_YEAR = re.compile(rf"s\s{_YEAR}$")
_POINTED = re.compile(r"\d+\.\d")


def _provision(
    text: str,
    span: tuple[int, int],
    number: str,
    *,
    law: str,
    antecedent: str = "",
    bare: bool = False,
    dotted: bool = False,
) -> Mention:
    head = (_DOTTED_NUMBER if dotted else _NUMBER_HEAD).match(number)
    # State codes number their sections with points: § 17.46 is one number, as r 3.4 is.
    if _OF_STATE.match(law or antecedent) and (whole := _WHOLE_NUMBER.match(number)):
        article, sub = whole[0], ""
    else:
        article, sub = (head[1], head[3] or head[2]) if head else ("", "")
    parts = _BRACKETED.findall(number) if "(" in number else ()
    return Mention(
        span=span,
        text=text[slice(*span)],
        language="en",
        law=law,
        antecedent=antecedent,
        article=article,
        sub=sub,
        paragraph=parts[0] if parts else "",
        item=parts[1] if len(parts) > 1 else "",
        bare=bare,
    )


def _decision(scan: _Scan, start: int) -> Mention | None:
    text = scan.text
    number, end = "", start
    # By the first character: most events are words that begin no decision, and four patterns for each cost half the time.
    first = text[start]
    if (first in "[(" or first.isdecimal()) and (neutral := _NEUTRAL.match(text, start)):
        number, end = neutral[0], neutral.end()
    elif first in "ECTA" and (european := _ECLI.match(text, start)):
        number, end = next(filter(None, european.groups()), european[0]), european.end()
    elif first.isdecimal() and (american := _US.match(text, start)):
        number, end = _reported(scan, american), american.end()
    elif first in "Ii" and (same := _SAME_CASE.match(text, start)):
        number, end = scan.last_case, same.end()
    if not number:
        return None
    number = " ".join(number.split())
    return Mention(span=(start, end), text=text[start:end], language="en", case_number=number)


_AHEAD = 2000


def _reported(scan: _Scan, found: re.Match[str]) -> str:
    """Volume, reporter and first page; of a short form those of the case cited before; empty where it is no reporter."""
    reporter = re.sub(r"\s", "", found[2])
    if reporter not in _reporters():
        return ""
    volume = f"{found[1]} {reporter}"
    if found[3]:
        if volume not in scan.cases and (
            later := re.compile(rf"{re.escape(found[1])}\s{re.escape(found[2])}\s(\d{{1,5}})(?!\w)").search(
                scan.text, found.end(), found.end() + _AHEAD
            )
        ):
            # A short form may come before the full one: in a quotation, or in a note.
            return f"{found[1]} {found[2]} {later[1]}"
        return scan.cases.get(volume, "")
    scan.cases[volume] = f"{found[1]} {found[2]} {found[4]}"
    return scan.cases[volume]


@cache
def _reporters() -> frozenset[str]:
    """The abbreviations of reporters, without spaces; only such as cannot be a word or a month: with a point or capitals."""
    # A quarter of a second, and only where a text has the form of a report.
    from reporters_db import REPORTERS

    names = set()
    for kinds in REPORTERS.values():
        for kind in kinds:
            names |= {*kind["editions"], *kind["variations"]}
    plain = {re.sub(r"\s", "", name) for name in names}
    # 12 Me. and 7 U are words and initials more often than reports, unless a second part follows.
    return frozenset(name for name in plain if len(name) > 3 and ("." in name or name.isupper()))


_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


def _roman(numeral: str) -> int:
    if numeral.isdecimal():
        return int(numeral)
    values = [_ROMAN[letter] for letter in numeral]
    following = [*values[1:], 0]
    return sum(-value if value < after else value for value, after in zip(values, following, strict=True))


def cite(name: str, short_names: Sequence[str], number: str, sub: str) -> str:  # noqa: ARG001 - statutes are cited by name
    """A provision as its law calls it: ``section 12A of the … Act``, ``42 USC § 1983``; the name alone without a number."""
    if not number:
        return name
    label = f"{number}{'.' if sub[:1].isdecimal() else ''}{sub}"
    # Names that are numbers or initials go without: Article 17 of Regulation (EU) 2016/679.
    the = "" if re.match(rf"the\s|{_NUMBERED}|Public\sLaw\s|\d|[A-Z]{{2,5}}$", name) else "the "
    if annex := re.match(r"(Sch|App|Annex)\b", number):
        label = number.replace(annex[1], {"Sch": "Schedule", "App": "Appendix"}.get(annex[1], annex[1]), 1)
        return f"{label} to {the}{name}"
    if re.search(r"\b(?:U\.?S\.?\s?C|C\.?F\.?R|United States Code)\b|^Title\s\d", name) or re.match(
        rf"{_STATE}\s", name
    ):
        return f"{name} § {label}"
    if re.search(r"gesetz|ordnung\b", name, re.IGNORECASE):
        return f"§ {label} {name}"
    return f"{_unit_of(name)} {label} of {the}{name}"


def _unit_of(name: str) -> str:
    # The first word of European law decides, for many regulations are also called Acts: Regulation (EU) 2024/903 (… Act).
    if re.match(r"(?:Council\s|Commission\s)?(?:Regulation|Directive|Decision|Treaty|Charter)\b", name):
        return "Article"
    kinds = re.findall(r"\b(?:Act|Ordinance|Statute|Public Law|Regulations|Rules|Order)\b", name)
    units = {"Regulations": "regulation", "Rules": "rule", "Order": "article"}
    # Codes and constitutions stay: most that are read in English are translated, and those have articles.
    return units.get(kinds[-1], "section") if kinds else "Article"
