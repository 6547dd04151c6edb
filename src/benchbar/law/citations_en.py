"""Citations in English: sections of Acts, articles of regulations and treaties, schedules, rules of court, and the US forms."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec.structs import replace

from benchbar.law.case_numbers_en import CASE_LETTERS, cases_at
from benchbar.law.codes_en import (
    article_of_constitution,
    cited_rules,
    first_protocol,
    of_practice_direction,
    paragraph_of_rules,
    part_of_rules,
    rule_before_its_book,
    rule_of_a_handbook,
    rule_of_a_state,
    rule_of_an_order,
    section_by_initials,
    section_of_code,
    section_without_a_sign,
)
from benchbar.law.mention import Mention
from benchbar.law.names_en import NUMBERED, STATE
from benchbar.law.places_en import PLACES
from benchbar.law.provisions_en import CHAIN, in_schedule, numbered_provision, other_subsection, roman_article
from benchbar.law.scan_en import Scan

_PLAIN = tuple(zip("\u2010\u2011\u00a0\u202f\u2009", "--   ", strict=True))
"""Hyphens and spaces that do not break, in the place of which the forms have plain ones."""
PARAGRAPHS = ""
_FORMS: dict[str, tuple[Callable[[Scan, int], Iterable[Mention]], ...]] = {
    **dict.fromkeys("0123456789", (section_of_code, section_without_a_sign)),
    "F": (part_of_rules, of_practice_direction, cited_rules, in_schedule, section_by_initials),
    "C": (part_of_rules, of_practice_direction, cited_rules, section_by_initials, rule_of_an_order),
    **dict.fromkeys("MKI", (section_by_initials,)),
    "O": (section_by_initials, rule_of_an_order),
    # No schedule and no subsection begins like a section: the commonest is tried first.
    "s": (numbered_provision, in_schedule, other_subsection),
    "S": (numbered_provision, in_schedule, other_subsection, section_by_initials),
    **dict.fromkeys("Pp", (in_schedule, part_of_rules, of_practice_direction, paragraph_of_rules)),
    "A": (first_protocol, numbered_provision, roman_article, in_schedule, section_by_initials),
    **dict.fromkeys("a", (numbered_provision, roman_article, in_schedule, section_by_initials)),
    "R": (rule_of_a_state, section_by_initials, rule_of_an_order, rule_before_its_book, numbered_provision),
    "r": (rule_before_its_book, numbered_provision),
    **dict.fromkeys("TE", (in_schedule,)),
    "N": (in_schedule, section_by_initials),
    "U": (article_of_constitution, section_by_initials),
    "§": (numbered_provision,),
}
for _letter in "ABCDEFGILMPSU":
    _FORMS[_letter] = (*_FORMS.get(_letter, ()), rule_of_a_handbook)
"""The forms that begin with a character, in the order in which they are tried."""


def extract_mentions(text: str, known: frozenset[str]) -> Iterator[Mention]:  # noqa: ARG001 - names stand in capitals or quotes
    """The English citations of a text in order."""
    # Each replaced by one character, so that places stay; str.translate takes a third of the time of the whole scan.
    for odd, plain in _PLAIN:
        text = text.replace(odd, plain)
    scan, found = Scan(text), list[Mention]()
    # With a space in front the first word begins behind one too, and what stands at n begins at n of the text.
    for event in PLACES.finditer(f" {text}"):
        if (start := event.start()) >= scan.position:
            _add(scan, found, start, _at(scan, start))
    # What waited for a law in vain, and goes back to none, is no citation of law.
    return (one for one in found if one.names or one.case_number)


def _add(scan: Scan, found: list[Mention], start: int, mentions: list[Mention]) -> None:
    """Add the mentions; a law named with the last of a chain is the law of the whole chain."""
    if not mentions:
        return
    if scan.chain and start > scan.chain_end:
        scan.chain.clear()
    law = ""
    for one in mentions:
        if not (one.bare or one.case_number):
            law = one.names
            break
    if law:
        for index in scan.chain:
            found[index] = replace(found[index], antecedent=law, bare=False)
        scan.chain.clear()
    elif mentions[0].bare and (joint := CHAIN.match(scan.text, scan.position)):
        scan.chain += range(len(found), len(found) + len(mentions))
        scan.chain_end = joint.end()
    found += mentions


def _at(scan: Scan, start: int) -> list[Mention]:
    """The citations that begin at a place, tried from the most telling form."""
    text = scan.text
    numbers, end = cases_at(text, start, scan.cases) if text[start] in CASE_LETTERS else ([], start)
    if numbers:
        scan.position = end
        return [Mention(span=(start, end), text=text[start:end], language="en", case_number=one) for one in numbers]
    # By the first character: each form that is tried in vain costs as much as reading a line.
    for read in _FORMS.get(text[start], ()):
        if found := list(read(scan, start)):
            return found
    return []


def cite(name: str, short_names: Sequence[str], number: str, sub: str) -> str:  # noqa: ARG001 - statutes are cited by name
    """A provision as its law calls it: ``section 12A of the … Act``, ``42 USC § 1983``; the name alone without a number."""
    if not number:
        return name
    # Orders and regulations have their article in the name.
    name = re.sub(r"^The\s+", "", name)
    label = f"{number}{'.' if sub[:1].isdecimal() else ''}{sub}"
    # Names that are numbers or initials go without: Article 17 of Regulation (EU) 2016/679.
    the = "" if re.match(rf"the\s|{NUMBERED}|Public\sLaw\s|\d|[A-Z]{{2,5}}$", name) else "the "
    if annex := re.match(r"(Sch|App|Annex)\b", number):
        label = number.replace(annex[1], {"Sch": "Schedule", "App": "Appendix"}.get(annex[1], annex[1]), 1)
        return f"{label} to {the}{name}"
    if re.search(r"\b(?:U\.?S\.?\s?C|C\.?F\.?R|United States Code)\b|^Title\s\d", name) or re.match(
        rf"{STATE}\s", name
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
