"""What the English grammar reads with: how far it has come, what was named last, and a provision's number taken apart."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from benchbar.law.case_numbers_en import CasesNamed
from benchbar.law.mention import Mention
from benchbar.law.names_en import RULES_OF_COURT, STATE, STATE_IN_FULL

# A page or so: further on a bare section is another law's, or the text's own.
LAST_REACH = 600
# Compiled once: the module's functions of re look their patterns up anew for every citation.
_DOTTED_NUMBER = re.compile(r"(\d{1,5}[A-Z]?\.\d{1,3}[A-Z]?)()()")
_NUMBER_HEAD = re.compile(r"(\d{1,5})([A-Za-z]{0,3})(?:[.:-](\d{1,4}))?")
_LETTER_BEHIND_A_HYPHEN = re.compile(r"^(\d{1,5})-([A-Z]{1,2})(?![\w.])")
"""498-A is 498A."""
_WHOLE_NUMBER = re.compile(r"[^(\s]+(?:(?:\(\w{1,3}\)){1,3}-\d{1,3}[A-Z]?(?![\w(]*-))?")
"""A Treasury regulation holds the section of the code that it is about: 1.501(c)(3)-1."""
BRACKETED = re.compile(r"\(([^)]+)\)")
_OF_STATE = re.compile(
    rf"{STATE}|(?:Penal|Real\sProperty|Executive|Domestic\sRelations|Labor|Education|General\s\w+|New\sYork\s[\w\s]{{3,24}})\sLaw|Gen\.\s\w+\.\sLaw|NYLL|RPL|GOL|GBL|DRL|EPTL|SCPA|VTL|CCP|RSMo|ORC|OCGA|RPAPL|CPL(?!R)|(?!Fed)[A-Z][\w.]+\sR\.\s(?:Civ|Crim|App|Evid)|N\.C\.\s?G\.S|T\.C\.A|N\.D\.C\.C|I\.C\.|HRS|NMSA|RSA|\d{{1,2}}\s(?:M\.R\.S|V\.S\.A|O\.S)\.|P\.R\.\sLaws|\d{{1,2}}\sP\.\s?S\.|O\.C\.G\.A|A\.R\.S|C\.R\.S|N\.J\.S\.A|RCW|ORS|R\.C\.|Treas\.|Treasury\sReg|F\.S\.|NRS|MCL|M\.C\.L|ARS|CRS|KRS|K\.S\.A|NYC|{STATE_IN_FULL}\s|Mass\.\s?G|M\.?\s?G\.?\s?L|.{{0,30}}Rules\sof\sCourt"
)
_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


@dataclass(slots=True)
class Scan:
    """How far the text was read, and the law and the cases named last."""

    text: str
    position: int = 0
    current: str = ""
    named_at: int = -LAST_REACH
    cases: CasesNamed = field(default_factory=CasesNamed)
    last: Mention | None = None
    """The section cited last, for the subsections that are named without it."""
    names: list[str] = field(default_factory=list)
    """Acts with a year that the text names, as far as it was searched for them, in order."""
    searched_to: int = 0
    defined: dict[str, str] = field(default_factory=dict)
    """Short names that the text itself gives to Acts, as far as it was searched."""
    near: str = ""
    """The Act named last without a section."""
    near_at: int = -LAST_REACH
    searched_near: int = 0
    chain: list[int] = field(default_factory=list)
    """Places of the mentions whose law may be named with the next one: section 5 or section 6 of the … Act."""
    chain_end: int = 0

    def name_law(self, name: str, at: int) -> None:
        """Go on behind a law, which bare provisions from there on are of."""
        self.current, self.named_at, self.position = name, at, at


def provision(
    text: str, span: tuple[int, int], number: str, *, law: str, antecedent: str = "", bare: bool = False
) -> Mention:
    """The mention of a provision written as ``number``, such as ``12A(2)(b)``: article, letter, paragraph and item apart."""
    named = law or antecedent
    dotted = "." in number and RULES_OF_COURT.match(named)
    number = _LETTER_BEHIND_A_HYPHEN.sub(r"\1\2", number) if "-" in number else number
    head = (_DOTTED_NUMBER if dotted else _NUMBER_HEAD).match(number)
    # State codes number their sections with points: § 17.46 is one number, as r 3.4 is.
    if of_state(named) and (whole := _WHOLE_NUMBER.match(number)):
        article, sub = whole[0], ""
    else:
        article, sub = (head[1], head[3] or head[2]) if head else ("", "")
    rest = number[len(article) :] if "(" in article else number
    parts = BRACKETED.findall(rest) if "(" in rest else ()
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
        below=parts[2] if len(parts) > 2 else "",
        bare=bare,
    )


# Sections in a row are of one law, and fifty states take as long to try as all the rest.
@lru_cache(maxsize=256)
def of_state(law: str) -> bool:
    """Whether it is a code of an American state, whose sections are numbered with points and hyphens."""
    return _OF_STATE.match(law) is not None


def roman(numeral: str) -> int:
    """The number that a Roman numeral, or one in digits, stands for."""
    if numeral.isdecimal():
        return int(numeral)
    values = [_ROMAN[letter] for letter in numeral]
    following = [*values[1:], 0]
    return sum(-value if value < after else value for value, after in zip(values, following, strict=True))
