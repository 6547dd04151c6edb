"""Citations in English: sections of Acts, articles of regulations, neutral citations, and the US forms."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from benchbar.law.mention import Mention

# Every repetition is bounded, as in the Chinese grammar: time is linear in the text.
_NUMBER = r"\d{1,5}[A-Z]{0,2}(?:\.\d{1,4})?"
_PARTS = r"(?:\s?\((?:\d{1,3}[A-Z]?|[a-z]{1,4})\)){0,4}"
_UNIT = r"(?:[Ss]ections?|[Ss]ecs?\.|ss?\.|§§?|[Aa]rticles?|[Aa]rts?\.|[Rr]egulations?|[Rr]ules?|[Cc]lauses?)"
_JOINT = r"\s?,\s?(?:and\s)?|\s(?:and|or|to)\s|\s?[-–]\s?(?=\d)"
_PROVISION = re.compile(rf"(?<![\w.]){_UNIT}\s?({_NUMBER}{_PARTS}(?:(?:{_JOINT}){_NUMBER}{_PARTS}){{0,10}})")
_WORD = r"(?:[A-Z][\w’'-]*|of|and|the|for|in|on|to|with|etc\.?|\([A-Z][\w\s]{2,40}\))"
_ACT = re.compile(
    # A name may hold at most twelve words: beyond that it is a sentence that happens to begin with capitals.
    rf"\s?(?:of|under|,)?\s?(?:the\s)?((?:[A-Z][\w’'-]*)(?:\s{_WORD}|,(?=\s[A-Z])){{0,12}}?\s(?:Act|Code|Ordinance|Regulations?|Rules|Law|Order|Convention|Directive|Constitution)(?:\s(?:of\s)?(?:1[5-9]|20)\d\d)?(?:\s\([A-Z][\w\s]{{2,24}}\))?"
    r"|GDPR|ECHR|TFEU|UCC|Constitution)(?!\w)"
)
_SAME_ACT = re.compile(r"\s?(?:of|under)\s(?:the\s(?:same|said)|that|this)\s(?:Act|Code|Law|Regulation)")
# Clauses of the parties' own agreement are no law.
_CONTRACT = re.compile(
    r"\s?(?:of|under|in)\s(?:the|this|that|our|your)\s(?:\w{1,20}\s){0,2}(?:[Aa]greement|[Cc]ontract|[Ll]ease|[Dd]eed|[Pp]olicy|[Ll]icen[cs]e|[Tt]erms)"
)
_NEUTRAL = re.compile(
    # The courts by name: [2019] ABC 41 of a law report is no neutral citation.
    r"\[((?:19|20)\d\d)\]\s(UKSC|UKHL|UKPC|EWCA\s(?:Civ|Crim)|EWHC|EWCOP|UKUT|UKEAT|NICA|CSIH|CSOH|HKCFA|HKCA|HKCFI|SGCA|SGHC|HCA|NZSC|NZCA|SCC|IESC)\s(\d{1,5})(\s\([A-Z][a-z]+\))?"
)
_US = re.compile(
    r"(?<![\w.])(\d{1,4})\s(U\.\s?S\.|S\.\s?Ct\.|F\.(?:\s?Supp\.)?(?:\s?[23]d|4th)?|L\.\s?Ed\.(?:\s?2d)?|[NS]\.[EW]\.(?:\s?[23]d)?|A\.(?:2d|3d)?|P\.(?:2d|3d)?|So\.(?:\s?[23]d)?|N\.Y\.S?\.?(?:2d|3d)?|Cal\.(?:\s?App\.)?(?:\s?\dth|\s?[23]d)?)\s(\d{1,5})(?!\w)"
)
_USC = re.compile(
    rf"(?<![\w.])(\d{{1,2}})\s(U\.\s?S\.\s?C\.(?:\s?A\.)?|C\.\s?F\.\s?R\.)\s(?:§§?|[Ss]ections?|[Pp]t\.)?\s?(\d{{1,5}}[a-z]{{0,2}}(?:-\d{{1,3}})?(?:\.\d{{1,4}})?)({_PARTS})"
)
_ECLI = re.compile(r"ECLI:[A-Z]{2}:[A-Z0-9]{1,7}:\d{4}:[A-Z0-9.]{1,25}|(?<!\w)(?:Case\s)?([CT]-\d{1,4}/\d{2})(?!\d)")
# Places where a form can begin: the long forms are tried there alone.
_EVENT = re.compile(r"(?<![\w.])(?=[SsAaRrCc§]|[sS]s?\.|\[(?:19|20)\d\d\]\s[A-Z]|\d{1,4}\s[A-Z]|ECLI:|[CT]-\d)")
# A page or so: further on a bare section is another law's, or the text's own.
_LAST_REACH = 600
PARAGRAPHS = ""


def extract_mentions(text: str, known: frozenset[str]) -> Iterator[Mention]:  # noqa: ARG001 - names stand in capitals or quotes
    """The English citations of a text in order."""
    position, current, named_at = 0, "", -_LAST_REACH
    for event in _EVENT.finditer(text):
        start = event.start()
        if start < position:
            continue
        if decision := _decision(text, start):
            yield decision
            position = decision.span[1]
            continue
        if code := _USC.match(text, start):
            name = f"{code[1]} {re.sub(r'[^A-Z]', '', code[2])[:3]}"
            yield _provision(text, (start, code.end()), code[3] + code[4], law=name)
            position = code.end()
            continue
        found = _PROVISION.match(text, start)
        if not found or found[0].lower().startswith("clause"):
            # Clauses are of contracts and bills; they are in the list of units so that the scan passes over them.
            continue
        back, act = _SAME_ACT.match(text, found.end()), _ACT.match(text, found.end())
        if not act and _CONTRACT.match(text, found.end()):
            continue
        law = re.sub(r"\s+", " ", act[1]) if act and not back else ""
        near = start - named_at < _LAST_REACH
        # A section of no law: "that" goes back wherever it stands, a bare one only to a name near by.
        if not law and not (current and (back or near)):
            continue
        end = act.end() if law and act else back.end() if back else found.end()
        antecedent = "" if law else current
        # Sections 3 and 5: one mention each, and the law belongs to both.
        parts = re.split(rf"({_JOINT})", found[1])
        place = found.start(1)
        for index in range(0, len(parts), 2):
            stop = place + len(parts[index])
            span = (place if index else start, stop if len(parts) > 1 else end)
            yield _provision(text, span, parts[index], law=law, antecedent=antecedent)
            # Named with the first of a list; the others go back to it.
            law, antecedent = "", antecedent or law
            place = stop + len(parts[index + 1]) if index + 1 < len(parts) else stop
        current, named_at, position = antecedent, end, end


def _provision(text: str, span: tuple[int, int], number: str, *, law: str, antecedent: str = "") -> Mention:
    head = re.match(r"(\d{1,5})([A-Za-z]{0,2})(?:[.-](\d{1,4}))?", number)
    parts = re.findall(r"\(([^)]+)\)", number)
    return Mention(
        span=span,
        text=text[slice(*span)],
        language="en",
        law=law,
        antecedent=antecedent,
        article=head[1] if head else "",
        sub=(head[3] or head[2]) if head else "",
        paragraph=parts[0] if parts else "",
        item=parts[1] if len(parts) > 1 else "",
    )


def _decision(text: str, start: int) -> Mention | None:
    for pattern in (_NEUTRAL, _US, _ECLI):
        if found := pattern.match(text, start):
            number = found[0] if pattern is not _ECLI else found[1] or found[0]
            number = re.sub(r"\s+", " ", number)
            return Mention(span=found.span(), text=found[0], language="en", case_number=number)
    return None


def cite(name: str, short_names: Sequence[str], number: str, sub: str) -> str:  # noqa: ARG001 - statutes are cited by name
    """``Article 10.1 of the Act``; the name alone without a number."""
    return f"Article {number}{'.' if sub else ''}{sub} of the {name}" if number else name
