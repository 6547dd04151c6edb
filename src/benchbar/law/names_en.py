"""How English texts name a law: by title and year, number, initials, or as what was named before."""

from __future__ import annotations

import re
from collections.abc import Iterator

# Every repetition is bounded: time is linear in the text.
# The small words that titles hold between their capitals: Ministerial and other Maternity Allowances Act 2021.
# "Under" and "by the" join a name to the sentence before it more often than they stand in one.
_SMALL = r"(?:an?|and|as|or|of|the|other|certain|related|for|into|in|on|to|with|within|without|between|upon|against|(?:at|by|from)(?!\sthe\s)|etc\.?|&)"
# Nothing of a word is given back (`*+`): no space, comma or end of a name stands within one, and the engine would look there for them.
_CAPITAL = r"(?:[A-Z][\w’'-]*+)"
_BRACKET = r"\((?:[A-Z]|\d)[\w\s,.’'&-]{1,80}+\)"
# Twenty words at most: beyond that it is a sentence that happens to begin with capitals.
# The first character stands alone, so that the engine passes over all but capitals and digits.
_HEAD = rf"[A-Z\d](?:(?<=[A-Z])[\w’'-]*+|(?<=\d)\d?(?:st|nd|rd|th)\s{_CAPITAL})"
_TITLE = rf"{_HEAD}(?:\s(?:{_CAPITAL}|{_SMALL}|{_BRACKET})|,(?=\s(?:and\s|or\s)?[A-Z])){{0,20}}?"
YEAR = r"(?:1[2-9]|20)\d\d(?![/\d])"
# Australia names the state behind the year; a chapter there is no part of the name.
_BEHIND_YEAR = r"(?:\s\((?:Cth|NSW|Vic|Qld|SA|WA|Tas|ACT|NT|NZ|UK|Imp|Ont|Alta|BC|ROI)\))?"
_KIND = r"(?:Acts?|Code|Ordinance|Sanhita|Adhiniyam|Regulations?|Regs|Rules(?:\sof\s[A-Z]\w+(?:\s(?:Procedure|Conduct))?)?|Law|Order|Directive)"
_YEARED_KIND = r"(?:Act|Code|Ordinance|Sanhita|Adhiniyam|Regulations|Regs|Rules(?:\sof\sProcedure)?|Order)"
YEARED = rf"{_TITLE}\s{_YEARED_KIND},?\s{YEAR}"
_GERMAN = r"Code\scivil|Swiss\sCO|C\.?C\.?Q\.?|EC(?!\s(?:law|Treaty|Reg|Dir|[A-Z]))|DSGVO|GG|BGB|StGB|HGB|ABGB|ZPO|StPO|BDSG|UWG|InsO|ZGB|UGB|(?=[A-Z][A-Za-z]{0,9}[a-z])[A-Z][A-Za-z]{1,9}(?:G|GB|VO)|C\.\s(?:civ|com|pén|trav)\.|Reg(?:ulation|\.)\s(?:D|S|S-K|S-X|A\+?|FD|BI|Z|E|M|NMS)(?![\w-])"
CALLED = rf"GDPR|ECHR(?!\s(?:199|20)\d)|TFEU|TEU|UCC|{_GERMAN}"
NUMBERED = r"(?:O\.\sReg\.\s\d{1,4}/\d{2}|(?:Regulation|Reg\.?|Directive|Decision)\s(?:\((?:EU|EC|EEC|Euratom)\)\s)?(?:No\.?\s)?\d{1,4}/\d{1,4}(?:/(?:EU|EC|EEC|JHA|CFSP))?|(?:EC|EU|UK)\s?261(?:/2004)?|S\.?I\.?\s\d{4}/\d{1,5})"
ABBREVIATED = (
    r"(?:HRA|PACE|ERA|TULRCA|TUPE|UCTA|FSMA|POCA|RIPA|FOIA|DPA|SCA|LPA|LRA|TCGA|ICTA|CDPA|CRA|SGA|SOGA|MCA|IHTA|CJA|CPIA|LTA|TOLATA|TLATA|EqA|RTA|MHA|ERRA"
    r"|CISG|UNCRC|VCLT|UDHR|ICCPR|ICESCR|CEDAW|CRPD|UNCLOS|TRIPS|GATT|DSA|DMA|MAR|CRR|CRD|DORA|MiFID|EUTMR|EUCFR|CFREU|IPC|CrPC|CPC|BNSS?|INA|ACL|FCRA|FLSA|ADEA|NLRA|ERISA"
    r"|ADA|FMLA|TILA|RESPA|FDCPA|TCPA|CFAA|DMCA|HIPAA|NEPA|CERCLA|PSLRA|CAFA|FTCA|CCPA|BIPA|Title\s(?:VII|IX)|UCPR|SOGO|BCEA|POPIA|RPL|GOL|GBL|DRL|EPTL|SCPA|VTL|CDA|DTSA|FCPA|MPC|FERPA|GLBA|ECOA|WTR|BMR|IDD|AIFMD|PSD2|EMIR|SFDR|CSRD|CSDDD|NIS2|AVMSD|MiCA|PVD|PECR|CDDA|LASPO|CBCA|OBCA|PIPEDA|IRPA|CCAA|RLUIPA|AEDPA|PLRA|EMTALA|ECPA|COPPA|USERRA|RCRA|PDPO|PMLA|FEMA|SARFAESI|NDPS|POCSO|UAPA|NZBORA|HASAWA|HSWA|SOX|LMRA|CCP|SSCBA|ITEPA|VATA|OAPA|TMA|I\.P\.C\.|C\.P\.C\.|Cr\.\s?P\.\s?C\.)"
    r"(?:\sI{1,3})?(?![\w-])"
)
"""Initials that are a law's name wherever a provision stands beside them."""
INITIALS_AND_YEAR = (
    rf"(?=[A-Za-z()&]{{0,9}}[A-Z][a-z()&]{{0,3}}[A-Z])[A-Z][A-Za-z]{{0,6}}(?:\([A-Z&]{{1,4}}\))?[A-Z]{{0,4}}\s{YEAR}"
)
"""PACE 1984, LP(MP)A 1989: two capitals at least, which no month has."""
_ROME = r"(?:Rome\sI{1,3}|Brussels\sI{1,2}(?:[aAR]|\s?bis|\s?ter|\sRecast)?|BII[aAR])(?:[\s-]Regulation)?(?![\w-])"
# Treaties, constitutions and codes go on behind the word: Convention on the Rights of the Child, Code of Obligations.
_OF = r"\s(?:of|on|for|against|relating\sto|concerning)(?:\sthe)?\s[A-Z][\w’'-]*(?:\s(?:of|the|and|for|on|in|to|their|[A-Z][\w’'-]*)){0,11}(?<=[a-z])(?<!\sof)(?<!\sthe)(?<!\sand)(?<!\sfor)(?<!\son)(?<!\sin)(?<!\sto)"
_LONG_KIND = r"(?:Convention|Constitution|Covenant|Charter|Treaty|Protocol|Code)"
_LONG = rf"(?:(?:{_CAPITAL}\s){{1,6}})?{_LONG_KIND}{_OF}"
_SHORT_KIND = rf"(?:U\.S\.\s|(?:{_CAPITAL}\s){{1,6}}(?:of\s(?:{_CAPITAL}\s){{1,4}})?)?(?:Convention|Constitution|Charter|Treaty|Bill\sof\sRights)"
_PROTOCOL = r"(?:Protocol\s(?:No\.?\s?)?\d{1,2}|First\sProtocol)(?:\sto\sthe\s(?:European\s)?Convention|\sECHR)?"
STATE_IN_FULL = (
    r"(?:Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana"
    r"|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New\s(?:Hampshire|Jersey|Mexico|York)|(?:North|South)\s(?:Carolina|Dakota)"
    r"|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode\sIsland|Tennessee|Texas|Utah|Vermont|Virginia|Washington|West\sVirginia|Wisconsin|Wyoming)"
)
_PUBLIC_LAW = r"(?:Public\sLaw|Pub\.\s?L\.|P\.?\s?L\.)\s(?:No\.\s)?\d{2,3}[-–]\d{1,3}"
_FEDERAL_RULES = r"(?:Fed\.\s?R\.\s?(?:(?:Civ|Crim|App|Bankr)\.\s?P\.|Evid\.)|FRCP|FRAP|FRE)"
_STATE_LAW = (
    rf"{STATE_IN_FULL}\s(?:(?:[A-Z][a-z]++|and|&)\s){{0,5}}(?:Code|Statutes?|Laws?)(?:\sAnnotated)?(?:,?\s(?:[Cc]h?\.|[Cc]hapter)\s\d{{1,3}}[A-Z]?)?|(?:N\.Y\.C\.|NYC|New\sYork\sCity)\sAdmin(?:\.|istrative)\sCode"
    rf"|(?:{STATE_IN_FULL}|Cal\.)\sRules\sof\sCourt|F\.S\.|NRS|MCL|M\.C\.L\.|ARS|CRS|KRS|K\.S\.A\."
    r"|(?:Mass\.\s?)?(?:Gen\.\s?L(?:aws?)?\.?|G\.\s?L\.)(?:\sAnn\.)?,?\s(?:[Cc]h?\.|[Cc]hapter)\s?\d{1,3}[A-Z]?|M\.?G\.?L\.?(?:\sAnn\.)?,?\s[Cc]h?\.\s?\d{1,3}[A-Z]?"
)
_STATE_NAMES = (
    r"Ala|Alaska|Ariz|Ark|Cal|Colo|Conn|Del|D\.C|Fla|Ga|Haw|Idaho|Ill|Ind|Iowa|Kan|Ky|La|Me|Md|Mass|Mich|Minn|Miss|Mo|Mont|Neb|Nev|N\.H|N\.J"
    r"|N\.M|N\.Y|N\.C|N\.D|Ohio|Okla|Or|Pa|R\.I|S\.C|S\.D|Tenn|Tex|Utah|Vt|Va|Wash|W\.\sVa|Wis|Wyo"
)
# Public Order is no order where it goes on: the Public Order Act 1986.
_NOT_WITHIN = (
    rf"(?!\s(?:{_CAPITAL}|{_BRACKET})(?:\s(?:{_CAPITAL}|{_BRACKET}|and|of|for|in)){{0,6}}\s{YEAR})(?!\sAct,?\s{YEAR})"
)
# The words before a number only describe it: Consumer Rights Directive 2011/83/EU.
ACT = re.compile(
    rf"(?:,(?=\s(?:of|under)\s))?\s?(?:of|under|in|,|\()?\s?(?:the\s)?(?=[A-Z\d]|e-?[A-Z])(?:(?:(?:[A-Z]|e-[A-Z])\w++\s){{0,4}}(?={NUMBERED}))?(?=[A-Z\d]|ePriv)("
    rf"{NUMBERED}|{_PROTOCOL}|Cap\.?\s\d{{1,4}}[A-Z]{{0,2}}|{_PUBLIC_LAW}|{_FEDERAL_RULES}|{YEAR}\s(?:{_CAPITAL}\s){{0,3}}(?:Convention|Treaty|Covenant|Protocol)"
    rf"|Act\s(?:No\.?\s)?\d{{1,3}}\sof\s{YEAR}|Rules\sof\s(?:Civil|Criminal)\sProcedure|Statute\sof\sLimitations(?:\s{YEAR})?|N\.I\.\sAct|{_STATE_LAW}|{_LONG}(?:,?\s(?:of\s)?{YEAR})?|{_ROME}"
    rf"|(?!(?:{CALLED})\b)(?:{_TITLE}|ePrivacy)\s(?:{_KIND})(?:\s\d{{1,3}}\sof\s{YEAR}|,?\s(?:of\s)?{YEAR})?{_BEHIND_YEAR}{_NOT_WITHIN}"
    rf"|(?:{_STATE_NAMES})\.\s(?:[A-Z][\w'’]*+\.?\s|&\s){{0,5}}(?:Code|Stat|Laws?)\b\.?(?:\sAnn\.)?"
    rf"|(?:EU\s?|UK\s?)?(?:{CALLED})|{_SHORT_KIND}(?:\sof\s{YEAR})?"
    r")(?!\w)"
)
"""A law behind its provision: of the Sale of Goods Act 1979."""
_CHAPTER = (
    r"(?:\s\((?:c\.?|asp|anaw|asc|nawm|Cap\.?|S\.?I\.?|SR)\s?\d{1,4}[A-Z]?(?:/\d{1,5})?\)|,?\sS\.?I\.?\s\d{4}/\d{1,5}"
    r"|,\s(?:R\.?)?S\.?[A-Z]\.?(?:[A-Z]\.?)?,?\s\d{4},?\sc\.?\s[\w.-]{1,6}|(?:\sof\s\d{1,2}\s[A-Z][a-z]+\s\d{4})?\s\((?:the\s)?[“\"‘']?(?:the\s)?[A-Z][\w\s]{1,40}[”\"’']?\))?"
)
"""Its chapter, number or short name between a law and its provision."""
_SUBJECT = r"(?:\s(?:of|on|concerning|laying|for)\s[a-zA-Z][\w\s’'-]{1,150}(?=,\s?$))?"
STATE = rf"(?:{_STATE_NAMES})\.?(?!\w)"
# American codes that go by initials, and those of one state that leave the state out.
_CODE_BY_INITIALS = (
    r"I\.?R\.?C\.?|(?:U\.S\.\s)?Internal\sRevenue\sCode(?:\sof\s19\d\d)?|O\.R\.C\.|N\.C\.\s?G\.S\.|T\.C\.A\.|N\.D\.C\.C\.|I\.C\.|HRS|NMSA\s1978|RSA|\d{1,2}\s(?:M\.R\.S\.(?:A\.)?|V\.S\.A\.|O\.S\.)|La\.\s(?:C\.\s?C\.|R\.S\.)"
    r"|(?:Pen|Evid|Gov|Gov[’']t|Lab|Corp|Fam|Civ|Veh|Prob|Ins|Educ|Bus\.\s&\sProf|Welf\.\s&\sInst|Health\s&\sSaf|Pub\.\sUtil|Rev\.\s&\sTax)\.?\sCode|NYLL|ORC|OCGA|RPAPL"
    r"|Gen\.\s(?:Oblig|Bus|Mun)\.\sLaw|(?:California\s)?Code\sof\sCivil\sProcedure|Bankruptcy\sCode|(?:\d{1,2},\s)?P\.R\.\sLaws\sAnn\.(?:\stit\.\s\d{1,2})?|Treas\.\sReg\.|O\.C\.G\.A\.|RSMo|A\.R\.S\.|C\.R\.S\.|N\.J\.S\.A\.|DGCL|(?:N\.Y\.\s)?C\.?P\.?L\.?R\.?|(?:Mass\.\s)?G\.\s?L\.\sch?\.\s\d{1,3}[A-Z]?"
    rf"|{_STATE_LAW}"
    r"|\d{1,2}\s(?:Del\.\sC\.|Pa\.\s?C\.\s?S\.(?:\s?A\.)?|P\.\s?S\.)"
    r"|(?:(?:California|Texas|Florida|Ohio|Virginia|Georgia|Louisiana|Idaho|Indiana|Iowa|Alabama|Utah)\s)?"
    r"(?:Civil|Penal|Family|Labor|Evidence|Vehicle|Probate|Government|Corporations|Insurance|Business\s(?:and|&)\sProfessions|Health\s(?:and|&)\sSafety)\sCode"
    r"|(?:[A-Z][a-z]{1,4}\.\s)?Code\s(?:Civ|Crim)\.\s(?:Proc|P)\."
)
_LAW_BEFORE = re.compile(
    # Behind one of these, for which a space is put in front of what is searched: the engine passes over all else.
    rf"[\s(“\"](?=[A-Z]|{YEAR}\s(?:Act|Reg|Ord|Rul)|\d{{1,2}}\s(?:Del\.|Pa\.|P\.\s?S\.|M\.R|V\.S|O\.S))((?:{YEARED}|{_TITLE}\sAct\sof\s{YEAR}|[A-Z]\w++(?:\s(?:[A-Z]\w++|and|of)){{0,4}}\sAct\s\d{{1,3}}\sof\s{YEAR}){_BEHIND_YEAR}|{NUMBERED}{_SUBJECT}|{YEAR}\s(?:Act|Regulations|Order|Rules)|{_CODE_BY_INITIALS}|{STATE}\sConst\.|(?:Civil|Family|Criminal)\sProcedure\sRules(?:\s\d{{4}})?|{_PUBLIC_LAW}|(?:UK\s?|EU\s?)?GDPR|ECHR|TFEU|TEU|U\.?C\.?C\.?"
    rf"|{_ROME}|{_PROTOCOL}|{INITIALS_AND_YEAR}|{ABBREVIATED}|Cap\.?\s\d{{1,4}}[A-Z]{{0,2}}|{_LONG}|(?:{YEAR}\s)?(?:[A-Z]\w++\s){{0,4}}(?:Convention|Charter)(?:\s{YEAR})?|(?:[A-Z]\w++\s){{1,4}}(?:Directive|Regulation|Law)"
    rf"|(?!(?:The|This|That|An?|Each|Such)\s(?:Act|Ordinance|Code)){_CAPITAL}(?:\s(?:{_CAPITAL}|and|of|the|{_BRACKET})){{0,8}}?\s(?:Act|Ordinance|(?:Criminal|Labour|Penal|Civil)\sCode)|(?:Insolvency|Immigration|Tribunal\sProcedure|ET|EAT)\sRules"
    rf"|Criminal\sCode|{STATE}\s(?:[A-Z][\w'’]*+\.?\s|&\s){{0,5}}(?:Code|Stat|Laws?|Comp)\.?(?:\sAnn\.)?(?:\s19\d\d)?(?:,?\stit\.\s\d{{1,2}}|,?\sch\.\s\d{{1,3}}[A-Z]?|,(?:\s(?:[A-Z][\w'’]*\.?|&)){{1,6}}(?=\s§))?)"
    rf"{_CHAPTER}\s?[,(–—:-]?\s?(?:(?:at|in)\s)?$"
)
# Read on twenty characters: the search for a name costs more than all else, and most provisions have none before them.
# At most characters a look at the one ahead is enough; that something is found is all that is asked.
_ENDS_LIKE_A_LAW = re.compile(
    r"(?:(?=[\dA-Zb)’'])(?:\d[A-Z]?|\)|[A-Z]{2}|\bI|(?:(?<=[a-z]\))|(?<=[sn]))[’']s?|\b(?:Act|Ordinance|Code|Laws?|Statutes?|Rules(?:\sof\sCourt)?|Regulation|Directive|Convention|Charter|Recast|bis|MiFID|Procedure|1978|HRS|RSA|RSMo|NYLL|BII[aAR])"
    r"|\b(?:Stat|Ann|Empl|Transp|Code|Laws|Comp|Reg|Const|Proc|Prop|Prac|Rights|[A-Z]\.\s?[A-Z]|Del\.\sC|Crim\.\sP)\.)\s?[,(–—:-]?\s?|[A-Z][a-z]{2,14}(?:,\s|\s\())(?:(?:at|in)\s)?$"
)
# The subject of a regulation is as long as a sentence: "on the control of concentrations between undertakings, art 5".
_BACK = 140
_BACK_TO_A_SUBJECT = 220
# Each branch opens with a letter, and the first of the row stands alone: the engine passes over all other letters of a name.
_LEAD = (
    r"(?:See|Under|In|Cf\.?|By|But|And|The|Neither|Nor|Either|Per|Both|Also|However|Thus|Whereas|If|Parts?\s\w{1,5}\s(?:of|to)|Chapters?\s\w{1,5}\s(?:of|to)"
    r"|Schedules?\s\w{1,5}\s(?:of|to)|Titles?\s\w{1,5}\s(?:of|to)|Part\s(?:[IVX]{1,5}|\d{1,2}[A-Z]?)|Pt\.?\s(?:[IVX]{1,5}|\d{1,2}[A-Z]?))\s(?:also\s)?(?:the\s)?"
)
_LEADING = re.compile(rf"{_LEAD}(?:{_LEAD})*")
_INSTRUMENT = re.compile(
    r"\b(?:GDPR|ECHR|TFEU|TEU|CPR|Charter|Convention)\b"
    r"|\b(?:Regulation|Directive)\s(?:\([A-Z]{2,7}\)\s)?(?:No\.?\s)?\d{1,4}/\d{1,4}(?:/(?:EU|EC|EEC|JHA|CFSP))?(?!\d)"
)
_NUMBERED = re.compile(NUMBERED)
_YEARED = re.compile(YEARED)
# Without the space in front the engine passes over all but a few capitals.
_ENDS_WITH_A_YEAR = re.compile(rf"{_YEARED_KIND},?\s{YEAR}")
_LONGEST_TITLE = 200
# A court's rules count in parts and rules: r 3.4 is one number.
RULES_OF_COURT = re.compile(
    r"^(?:(?:CPR|FPR|Crim\s?PR|UCPR)(?:\s\d{4})?|.{0,30}Rules\sof\sCourt|(?:Civil|Family|Criminal)\sProcedure\sRules(?:\s\d{4})?)$"
)


def without_lead(name: str) -> str:
    """A name in one line, without what begins its sentence: See the Limitation Act 1980."""
    return " ".join(_LEADING.sub("", name, count=1).split())


def yeared_acts(text: str, begin: int, end: int) -> Iterator[re.Match[str]]:
    """The laws with a year that a stretch of text names, in order."""
    # Sought from their ends: tried at each capital letter, the form took a tenth of the time of the whole scan.
    for year in _ENDS_WITH_A_YEAR.finditer(text, begin, end):
        begin = max(begin, year.end() - _LONGEST_TITLE)
        if named := _YEARED.search(text, begin, year.end()):
            begin = named.end()
            yield named


_DEFINED = re.compile(
    r"\s?[(\[](?:hereinafter\s|hereafter\s|referred\sto\sas\s|known\sas\s)?(?:the\s)?[“\"‘'«](?:the\s)?([A-Z][\w&()’-]*(?:\s[A-Z0-9][\w&]*){0,3})[”\"’'»]"
)


def defined_behind(text: str, end: int) -> str:
    """The short name that a text gives to the law it just named: (“TOLATA”), (the "Principal Act"); empty where it gives none."""
    found = _DEFINED.match(text, end)
    return found[1] if found else ""


def numbered_acts(text: str, begin: int, end: int) -> Iterator[re.Match[str]]:
    """The regulations and directives that a stretch of text names by their numbers, in order."""
    return (one for one in _INSTRUMENT.finditer(text, begin, end) if "/" in one[0])


def instrument_in(text: str, begin: int, end: int) -> str:
    """The first law or treaty that a stretch of text names; empty where there is none."""
    found = next(yeared_acts(text, begin, end), None)
    other = _INSTRUMENT.search(text, begin, found.start() if found else end)
    first = other or found
    return " ".join(first[0].split()) if first else ""


def law_before(text: str, begin: int, start: int) -> tuple[str, int] | None:
    """The law that stands right in front of a provision, and where it begins; read back to ``begin`` at most."""
    if _ends_in_a_small_word(text, begin, start):
        return None
    subject = text[start - 2 : start] == ", " and text.find("/", max(begin, start - _BACK_TO_A_SUBJECT), start) >= 0
    if not subject and not _ENDS_LIKE_A_LAW.search(text[max(begin, start - 20) : start]):
        return None
    window = max(begin, start - (_BACK_TO_A_SUBJECT if subject else _BACK))
    # The last character before the window may be one that a name stands behind, and so may its beginning.
    found = _LAW_BEFORE.search(f" {text[window:start]}")
    if not found:
        return None
    lead = _LEADING.match(found[1])
    skipped = lead.end() if lead else 0
    name = found[1][skipped:]
    # Of a regulation the number is its name, not what it is about.
    if number := _NUMBERED.match(name):
        name = number[0]
    # "from the ART Act to ART Rules 2024": two names, of which the second stands in front.
    if others := _ANOTHER_NAME.match(name):
        skipped, name = skipped + others.end(), name[others.end() :]
    return " ".join(name.split()), window + found.start(1) - 1 + skipped


_ANOTHER_NAME = re.compile(r"[^,;]{2,80}\s(?:Act|Ordinance)\s(?:to|nor|with)\s(?:the\s)?(?=[A-Z])")


def _ends_in_a_small_word(text: str, begin: int, start: int) -> bool:
    """Whether a word without a capital stands in front, as before most provisions: no form of a name needs to be tried then."""
    words = text[max(begin, start - 20) : start].rstrip(" ,(–—:-")
    last = words[words.rfind(" ") + 1 :]
    return last.isalpha() and last.islower() and last not in {"bis", "at", "in"}
