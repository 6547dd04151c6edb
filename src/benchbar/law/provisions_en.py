"""Provisions of Acts, regulations and treaties, in English: sections, articles, schedules, and which law they are of."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from benchbar.law.called_en import as_defined, called_law, in_full, initials_of, last_act, last_of_kind, named_near
from benchbar.law.mention import Mention
from benchbar.law.names_en import ACT, INITIALS_AND_YEAR, RULES_OF_COURT, YEAR, law_before
from benchbar.law.parts_en import JOINT, NOTE, NUMBER, ORDINALS, PART, PARTS, TAIL, in_words, parts_before, with_parts
from benchbar.law.scan_en import BRACKETED, LAST_REACH, Scan, of_state, provision, roman
from benchbar.law.units_en import OF_REGULATIONS, fits

# Every repetition is bounded, as in the Chinese grammar: time is linear in the text.
_UNIT = r"(?:[Ss]ections?|[Ss]ecs?\.|[Ss]s?\.?|§§?|[Aa]rticles?|[Aa]rts?\.?|[Rr]egulations?|[Rr]egs?\.?|[Rr]ules?|rr?\.?|[Cc]lauses?)"
# 110 Stat. 1936 behind a section is where the act is printed.
_LATER = rf"(?:{JOINT})(?:{NUMBER}{PARTS}(?!\s(?:Stat\.|U\.\s?S|C\.F|F\.\d))|(?<!\d,)(?:{PART}){{1,3}})"
_SIGNS = re.compile(rf"\s§§\s(\d{{1,2}}(?:{PARTS})(?:(?:{JOINT})\d{{1,2}}(?:{PARTS})){{1,5}})")
"""Paragraphs of an article, as Strasbourg counts them: Article 6 §§ 1 and 3 (c)."""
# The slash: Regulation 261/2004 is no regulation 261.
_PROVISION = re.compile(rf"(?<![\w.'’]){_UNIT}\s?({NUMBER}{PARTS}(?:(?:{NOTE})?{_LATER}){{0,12}})(?![/\d])")
_ROMAN_ARTICLE = re.compile(
    rf"[Aa]rt(?:icle|\.)?\s([IVX]{{1,5}})({PARTS})(?:,\s(?:[Ss]ection\s|§\s?)(\d{{1,2}})(?:,\s[Cc]l(?:ause|\.)\s\d{{1,2}})?)?(?!\w)"
)
"""Treaties of an older kind count in Roman numerals: Article V(1)(a) of the New York Convention."""
_REMARK = re.compile(
    r"\s\((?:as\s[^()]{1,80}|inclusive)\)|\s\([a-z][a-z][^()\d\n]{2,60}\)(?=,?\s(?:of|under|in|and|or)\s)|(?:,?\set\sseq\.|\sff?\.)(?=,?\s(?:of|under|[A-Z]))|\sthereof|\sof\sthe\s(?:Act|Regulations|Code)(?=\s\((?:the\s)?[A-Z][a-z]+\s[A-Z])|,\sas\s(?:amended|inserted|substituted)(?:\sby[^,;.()]{1,60})?,"
)
_PARAGRAPHS = rf"[Pp](?:ara(?:graph)?s?\.?|oints?)\s?({NUMBER}{PARTS}(?:(?:{JOINT}){NUMBER}{PARTS}){{0,6}})"
_SCHEDULE = re.compile(
    rf"(?<![\w.])(?:{_PARAGRAPHS},?\s(?:(?:of|to|in)\s(?:the\s)?)?(?:(?:Part|Pt\.?)\s\w{{1,4}}\s(?:of|to)\s)?)?"
    rf"(?:[Ss]ch(?:edules?\s|eds?\.?\s|s?\.\s?|\s)((?:\d{{1,3}}[A-Z]{{0,2}}|[A-Z]\d{{1,2}})(?:(?:,\s|\sand\s|\sto\s|\sor\s)\d{{1,3}}[A-Z]{{0,2}}(?!\w)){{0,6}})|(First|Second|Third|Fourth|Fifth|Sixth|Seventh|Eighth|Ninth|Tenth)\sSchedule|(Annex|Appendix)(?:\s([IVX]{{1,5}}|\d{{1,2}}|[A-Z]))?)(?![\w])"
    rf"(?:,?\s(?:Part|[Pp]t)\s\w{{1,4}})?(?:,?\s(?:{_PARAGRAPHS}|[Gg]rounds?\s\d{{1,2}}[A-Z]?))?"
)
_SCHEDULE_WORDS = (
    "Sch", "sch", "Par", "par", "Poi", "poi", "Ann", "App", "Fir", "Seco", "Thi", "Fou", "Fif", "Six", "Sev", "Eig", "Nin", "Ten",
)  # fmt: skip
_SUBSECTION_ALONE = re.compile(
    r"[Ss]ub-?section\s((?:\(\w{1,4}\)){1,3})(?!\s(?:of|to|in)\s(?:s(?:ection)?|this|the)\b)"
)
"""Subsection (2), of the section cited last."""
_OF_A_KIND = re.compile(r"\s(?:of|under|in|to)\s(?:the|that|this)\s(Directive|Regulation)(?!\w)")
_OF_THE_CODE = re.compile(r"\s(?:of|under|in|to)\s(?:the|that|this)\sCode(?!\w)")
_CODE = re.compile(r"Code|USC$|I\.?R\.?C|Procedure|Stat\.|Statute|Laws?$")
_SAME_ACT = re.compile(
    r"\s?(?:of|under)\s(?:the\s(?:same|said)|that|this)\s(?:Act|Code|Law|[Rr]egulations?|[Dd]irective|[Rr]ules|Ordinance|Order)(?!\w)"
)
# Clauses of the parties' own agreement are no law.
_CONTRACT = re.compile(
    r"\s?(?:of|under|in)\s(?:the|this|that|our|your)\s(?:\w{1,20}\s){0,2}(?:[Aa]greement|[Cc]ontract|[Ll]ease|[Dd]eed|[Pp]olicy|[Ll]icen[cs]e|[Tt]erms)"
)
CHAIN = re.compile(
    rf",?(?:\s(?:of|to|under))?(?:,?\sread\s(?:together\s|in\sconjunction\s)?with|\sr/w|\sin\sconjunction\swith|,|\s(?:and/or|and|or|&)|,\s(?:and|or))(?:,\s[a-z][a-z\s]{{2,40}},)?\s(?:both\s|also\s|by\s|in\s|with\s|the\s|under\s|[Pp]ara(?:graph)?s?\.?\s[\w()]{{1,8}}\sof\s){{0,2}}(?={_UNIT}\s?\d|[Aa]rt(?:icle|\.)?\s[IVX]|[Ss]ch|Annex)"
)
"""What joins provisions of one law, each with its own word; the law stands behind the last."""
_STATE_NUMBER = re.compile(
    rf"\d{{1,3}}\.\d{{1,4}}[A-Z]?(?:\(\w{{1,3}}\)){{1,3}}-\d{{1,3}}[A-Z]?{PARTS}|\d{{1,5}}[A-Za-z]{{0,2}}(?:-[A-Z](?=:))?(?:[.:-]\d{{1,5}}[a-z]?){{0,3}}(?:-[a-z]{{1,2}}(?!\w))?(?:\([A-Z]\))?{PARTS}"
)
"""Sections of state codes: 2A:14-2, 51-1-6, 19.86.020."""
_MORE_OF_STATE = re.compile(
    rf"(\s?,\s?(?:(?:and|or)\s)?|\s(?:and|or|to|through|&)\s|\s?–\s?)({_STATE_NUMBER.pattern}|(?:{PART}){{1,3}})(?![\w.-]*\w)"
)
_OF_ONTARIO = re.compile(r"R\.?R\.?O\.?\s\d{4},\s$")
"""Behind the year of the revised regulations stands the number of one: R.R.O. 1990, Reg. 194."""
_ENDS_WITH_YEAR = re.compile(rf"{YEAR}$")
_HYPHENED = re.compile(r"\d{1,5}-\d{1,4}")
_GOES_ON = frozenset((" ", ",", "\n", "\t"))
_INITIALS_BEHIND = re.compile(rf"\s{INITIALS_AND_YEAR}(?!\w)")
_TO = re.compile(r",?\s(?:to|of)(?=,?\s),?")
_OF_AN_ACT_OF = re.compile(rf"\sof\sthe\s{YEAR}\s(?:Act|Regulations|Rules|Order|Code|Ordinance)")
_PAPER = re.compile(
    r"\s(?:notices?|applications?|claims?|orders?|offers?|agreements?|petitions?|proceedings|appeals?|defen[cs]es?|offen[cs]es?|powers?|rights?|dut(?:y|ies)|motions?|requests?|reports?)(?=\s(?:under|of)\s(?:the\s)?[A-Z])"
)
"""What is made by a section: a section 21 notice under the Housing Act 1988."""
# The slash stands in a list only where the form of the list took it: sections 302/34 IPC.
_JOINTS = re.compile(rf"((?:{NOTE})?(?:{JOINT}|/(?=\d)))")
_LISTED_WHOLE = re.compile(r"(\s?,\s?(?:(?:and|or)\s)?|\s(?:and|or|to)\s)")
_SEVERAL = re.compile(r"§§|[Ss]ections\s|[Ss]ecs?\.\s|[Ss]s\.?\s")
_PLURAL_AND_YEAR = re.compile(rf"(?:Regulation|Rule|Order)s\s{YEAR}$")
_POINTED = re.compile(r"\d+\.\d")


def numbered_provision(scan: Scan, start: int) -> list[Mention]:
    """``sections 5(2) and 6 of the … Act``, ``Article 17``: one mention for each member of a list."""
    found = _PROVISION.match(scan.text, start)
    if found and not (found[0][0] == "R" and _OF_ONTARIO.search(scan.text, max(0, start - 14), start)):
        signs = _SIGNS.match(scan.text, found.end()) if scan.text.startswith("§§", found.end() + 1) else None
        below = None
        if signs:
            members = _JOINTS.split(signs[1])[::2]
            below = ["".join(f"({one})" for one in re.findall(r"\w{1,4}", member)) for member in members], start
        end = signs.end() if signs else found.end()
        return _provisions(scan, start, _Written(found[1], found[0], found.start(1), end, below=below))
    return []


def roman_article(scan: Scan, start: int) -> list[Mention]:
    """``Article V(1)(a) of the … Convention``."""
    if found := _ROMAN_ARTICLE.match(scan.text, start):
        number = f"{roman(found[1])}{found[2]}" + (f"({found[3]})" if found[3] else "")
        return _provisions(scan, start, _Written(number, found[0], found.start(1), found.end(), single=True))
    return []


def other_subsection(scan: Scan, start: int) -> Iterator[Mention]:
    """``subsection (2)`` behind a section, which is another subsection of it."""
    last = scan.last
    found = _SUBSECTION_ALONE.match(scan.text, start) if scan.text.startswith(("ub", "UB"), start + 1) else None
    if found is None or last is None or found.start() - last.span[1] > LAST_REACH or not last.article.isdecimal():
        return
    parts = BRACKETED.findall(found[1])
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


def in_schedule(scan: Scan, start: int) -> Iterator[Mention]:
    """``paragraph 3 of Schedule 1 to the … Act``: the schedule or annex stands where an article would."""
    text = scan.text
    # The form is long, and most of what begins with its letters is a section or an article.
    found = _SCHEDULE.match(text, start) if text.startswith(_SCHEDULE_WORDS, start) else None
    if not found:
        return
    act = _TO.match(text, found.end())
    named = ACT.match(text, act.end() if act else found.end())
    # "Schedule 7 Terrorism Act 2000": without a word between only a title with its year is one.
    named = named if act or (named and _ENDS_WITH_YEAR.search(named[1])) else None
    # "Sch 1 para 2 EqA 2010": initials with a year are a name without a word between too.
    initials = None if act or named else _INITIALS_BEHIND.match(text, found.end())
    called = (
        called_law(scan, found.start(), act.end() if act else found.end()) if (act or initials) and not named else None
    )
    ahead = None if named or (called and called[0]) else law_before(text, scan.position, found.start())
    law = named[1] if named else called[0] if called and called[0] else ahead[0] if ahead else ""
    # Right behind a section it goes on with that one's list: section 5 and Schedule 1.
    antecedent = scan.current if not (law or act) and start - scan.position <= _RIGHT_BEHIND else ""
    if not (law or antecedent):
        return
    begin = ahead[1] if ahead else found.start()
    end = named.end() if named else called[1] if called and called[0] else found.end()
    law = " ".join(law.split())
    listed = _LISTED_WHOLE.split(found[2] or ORDINALS.get((found[3] or "").lower(), ""))[::2]
    articles = [f"Sch {number}" if number else f"{found[4]} {found[5] or ''}".strip() for number in listed]
    paragraphs = _JOINTS.split(found[1] or found[6] or "")[::2]
    for article, paragraph in itertools.product(articles, paragraphs):
        yield Mention(
            span=(begin, end),
            text=text[begin:end],
            language="en",
            law=law,
            antecedent=antecedent,
            article=article,
            paragraph=re.sub(r"\s?\(.*", "", paragraph),
        )
    scan.name_law(law or antecedent, end)


_RIGHT_BEHIND = 6


# A dataclass takes several times as long to make.
class _Written(msgspec.Struct, gc=False):
    """Numbers as they stand behind the word for their kind."""

    numbers: str
    whole: str
    begin: int
    end: int
    single: bool = False
    """A Roman numeral: its digits do not stand in the text."""
    below: tuple[list[str], int] | None = None
    """Paragraphs behind the sign §§, one entry for each, and where the citation begins."""


def _provisions(scan: Scan, start: int, found: _Written) -> list[Mention]:
    text, end = scan.text, found.end
    tail = back = act = None
    # Behind a full stop or a semicolon there is neither part nor law, and most of the time goes into looking for them.
    if text[end : end + 1] in _GOES_ON:
        if tail := TAIL.match(text, end):
            end = tail.end()
        if remark := _REMARK.match(text, end):
            end = remark.end()
        back = _SAME_ACT.match(text, end)
        act = ACT.match(text, end) or _act_of_a_paper(text, end)
    # The heading of a contract's clause: Section 10.07 Governing Law.
    act = None if act and act[1] in {"Governing Law", "Applicable Law", "Choice of Law"} else act
    # "Limitation Act 1980, s 5, Sale of Goods Act 1979, s 6": behind a comma the next one's law may stand.
    joined = act is None or text[end : act.start(1)].strip() in {"", ","}
    ahead = (
        law_before(text, scan.position, start) if joined and not back and not _OF_AN_ACT_OF.match(text, end) else None
    )
    act = None if ahead else act
    if not act and not ahead and _CONTRACT.match(text, end):
        return []
    called = None if act or back or ahead else called_law(scan, start, end)
    if called and not called[0]:
        return []
    name = (
        as_defined(scan, start, act[1])
        if act and not back
        else called[0]
        if called
        else in_full(scan, start, ahead[0])
        if ahead
        else ""
    )
    name = _of_title(text, start, name)
    law, bare = " ".join(name.split()), not (name or back)
    # "The Human Rights Act 1998 came first, and section 6 of that Act": named last, cited or not.
    antecedent = "" if law else named_near(scan, start) or scan.current
    if bare:
        antecedent = _goes_back_to(scan, (start, end), found, antecedent)
    civil_rights = bare and _of_civil_rights(text, end, found.whole, antecedent)
    antecedent = "42 USC" if civil_rights else antecedent
    waits = bare and CHAIN.match(text, end)
    # The year of a title that is not read: the other Regulations 2013.
    if not (law or antecedent or waits) or _PLURAL_AND_YEAR.search(found.whole):
        return []
    end = act.end() if law and act else back.end() if back else called[1] if called else end
    begin = ahead[1] if ahead else start
    before = None if ahead else parts_before(text, scan.position, start) or found.below
    if before:
        begin = before[1]
    members = _members(scan, found, (begin, end), _Meant(law, antecedent, bare), tail, before[0] if before else [""])
    # What is bare behind a § 1983 is of the law named before it.
    if (law or antecedent) and not civil_rights:
        scan.name_law(law or antecedent, end)
    scan.position = end
    return members


def _of_civil_rights(text: str, end: int, whole: str, antecedent: str) -> bool:
    """Whether a bare provision is one that American texts call by its number alone."""
    elsewhere = of_state(antecedent) or text.startswith((" of ", " (42 "), end)
    return not elsewhere and _CIVIL_RIGHTS.match(whole) is not None


_CIVIL_RIGHTS = re.compile(r"(?:§\s?|[Ss]ection\s)(?:1981|1983|1985|1988)(?![\w.-])")
"""A claim under § 1983 is one under 42 U.S.C."""


def _of_title(text: str, start: int, name: str) -> str:
    """Title 42, Section 1983 of the United States Code is of 42 USC."""
    title = _TITLE_IN_FRONT.search(text, max(0, start - 12), start) if name == "United States Code" else None
    return f"{title[1]} USC" if title else name


_TITLE_IN_FRONT = re.compile(r"Title\s(\d{1,2}),?\s$")


def _act_of_a_paper(text: str, end: int) -> re.Match[str] | None:
    paper = _PAPER.match(text, end)
    return ACT.match(text, paper.end()) if paper else None


def _goes_back_to(scan: Scan, span: tuple[int, int], found: _Written, antecedent: str) -> str:
    """The law near by that a bare provision is of; empty where it fits none."""
    (start, end), whole, numbers = span, found.whole, found.numbers
    # A section of no law goes back to a name near by, and to no law across another instrument.
    # Sections such as 4.08 are a contract's, rules such as 44.2 a court's.
    near = antecedent if start - scan.named_at < LAST_REACH or antecedent == scan.near else ""
    # 29 U.S.C. § 794 (Section 504): what stands in brackets behind the code is the section of an Act.
    if scan.text.startswith(" (", start - 2) and start - scan.position <= len(" (") and near.endswith(" USC"):
        return ""
    of_court = whole[0] in "Rr" and RULES_OF_COURT.match(near)
    # § 164.504(e) behind a code goes on with it.
    of_code = whole[0] == "§" and (of_state(near) or near.endswith((" USC", " CFR")))
    antecedent = near if of_court or of_code or not _POINTED.match(numbers) else ""
    if (kind := _OF_A_KIND.match(scan.text, end)) and kind[1] not in antecedent:
        antecedent = last_of_kind(scan.text, start, kind[1])
    # Section 414(b) of the Code is of no Act named before.
    if _OF_THE_CODE.match(scan.text, end) and not _CODE.search(antecedent):
        return ""
    if whole[0] in "sS§" and OF_REGULATIONS.search(antecedent):
        antecedent = last_act(scan.text, start)
    antecedent = antecedent if fits(whole, antecedent) or _again(scan, whole, antecedent) else ""
    # EULA section 3, the Plan § 4: the parties' own paper, named in front.
    before = scan.text[max(0, start - 24) : start]
    other = _OTHER_INITIALS.search(before)
    # NCAT r 25 behind a rule of the UCPR: initials right in front name another law than the one before.
    unknown = (
        other is not None and other[1] not in {initials_of(antecedent), antecedent} and antecedent.find(other[1]) < 0
    )
    return "" if unknown or _OWN_PAPER.search(before) else antecedent


class _Meant(msgspec.Struct, gc=False):
    law: str
    antecedent: str
    bare: bool


def _members(
    scan: Scan, found: _Written, span: tuple[int, int], meant: _Meant, tail: re.Match[str] | None, before: list[str]
) -> list[Mention]:
    """One mention for each member of a list; the law belongs to all, parts in words to the only one."""
    text, law, antecedent = scan.text, meant.law, meant.antecedent
    # Sections of the Uniform Commercial Code hold their article: 2-207 is no range.
    if found.numbers.isalnum():
        numbers = [found.numbers]
    else:
        numbers = (_LISTED_WHOLE if law in {"UCC", "U.C.C."} else _JOINTS).split(found.numbers)
    # Article 1231-1, s 8-1: no range goes downwards.
    if len(numbers) == 3 and _HYPHENED.fullmatch(found.numbers) and int(numbers[2]) < int(numbers[0]):
        numbers = [found.numbers]
    # §§ 190-199 of a state's code are sections from one to the other; 33-1321 is a section of its own.
    ends = _HYPHENED.fullmatch(found.numbers) if "§§" in found.whole else None
    run = ends is not None and len(numbers) == 3 and len(numbers[0]) == len(numbers[2]) > 1
    # Article 6.1(f) GDPR is 6(1)(f).
    if len(numbers) == 1 and found.whole[0] in "Aa" and _OF_THE_UNION.search(law or antecedent):
        numbers = [
            _DOTTED_ARTICLE.sub(
                lambda dotted: f"{dotted[1]}({dotted[2]})" + (f"({dotted[3]})" if dotted[3] else ""), one
            )
            for one in numbers
        ]
    place, end = found.begin, span[1]
    if not run and of_state(law or antecedent) and (whole := _STATE_NUMBER.match(text, place)):
        numbers, end = [whole[0]], max(end, whole.end())
        while further := _MORE_OF_STATE.match(text, place + sum(map(len, numbers))):
            # One sign stands for one section, and for several parts of it.
            if not _SEVERAL.match(found.whole) and not further[2].lstrip().startswith("("):
                break
            numbers += [further[1], further[2]]
            end = max(end, further.end())
    alone, members = len(numbers) == 1, []
    written = numbers[0]
    for index in range(0, len(numbers), 2):
        part = numbers[index]
        stop = place + len(part)
        # "9(1), (2) and (4)": a bracket alone takes the place of the last one of its kind.
        written = with_parts(written, part) if part.lstrip().startswith("(") and index else part
        own = (place if index else span[0], end if alone or found.single else stop)
        for more in before if alone else [""]:
            number = written + more + (in_words(tail[0]) if tail and alone else "")
            scan.last = provision(text, own, number, law=law, antecedent=antecedent, bare=meant.bare)
            members.append(scan.last)
            # Named with the first of a list; the others go back to it.
            law, antecedent = "", antecedent or law
        place = stop + len(numbers[index + 1]) if index + 1 < len(numbers) else stop
    return members


_OF_THE_UNION = re.compile(r"GDPR|DSGVO|\bT?F?EU$|^(?:Regulation|Directive|Decision)\s|Convention|Charter|\bECHR$")
_DOTTED_ARTICLE = re.compile(r"^(\d{1,3})\.(\d{1,2})(?:\.([a-z]))?(?![\w.])")
_OWN_PAPER = re.compile(
    r"\b(?:EULA|Agreement|Contract|Lease|Policy|Terms|Deed|Licen[cs]e|Plan|Bylaws|Handbook|MSA|NDA|SLA|Addendum|Guidelines|Memorandum|Statement|Manual|Protocol)[’']?s?,?\s$"
)


_OTHER_INITIALS = re.compile(
    r"(?<![\w.-])(?!(?:AND|OR|SEE|THE|OF|BY|IN|TO|ON|UK|US|USA|EU|NB|PS|QC|KC|LJ|LJJ|JJ|J|CJ)\s)([A-Z]{2,6})\s$"
)


def _again(scan: Scan, provision: str, law: str) -> bool:
    """Whether the law was cited by provisions of this name just before: s. 24(2) of the Charter, and s. 1."""
    return scan.last is not None and scan.last.names == law and scan.last.text[:1].lower() == provision[0].lower()
