"""Parts of English provisions: bracketed, in lists, and in words before and behind the number."""

from __future__ import annotations

import re

# Every repetition is bounded, as in the Chinese grammar: time is linear in the text.
# Small letters only where a bracket or a law follows: section 1681e(b), § 3a UWG. Points and colons: 40.3.1, 6:162.
NUMBER = r"(?:\d{1,5}[a-z]{1,2}(?<!\dst|\dnd|\drd|\dth|\dam|\dpm)(?=\(|\s(?:of|and|or)\s|\s[A-Z]|[;,)]|\.(?:\s|$)|$)|\d{1,5}[A-Z]{0,3}(?:-[A-Z]{1,2}(?![\w.]))?)(?:[.:]\d{1,4}){0,2}(?:(?<=\.\d)\.[a-z](?![\w.]))?°?"
# A capital only behind another part: 523(a)(2)(A).
PART = r"(?:\s?\((?:\d{1,3}(?:[A-Z]{0,2}|-[a-z])|[a-z]{1,2}|[ivx]{3,5})\)|(?<=\))\([A-Z]{1,2}\))"
PARTS = rf"(?:{PART}){{0,6}}"
JOINT = r"/(?=\()|/(?=\d{1,4}[A-Z]{1,2}(?![\w/.]))|\s?,\s?(?:(?:and|or)\s)?|/(?=\d{1,3}[A-Z]{0,2}(?:/\d{1,3}[A-Z]{0,2}){0,6},?\s(?:of\s(?:the\s)?)?(?:IPC|I\.P\.C|Indian\sPenal|BNS|CrPC))|\s(?:and/or|and|or|to|through|&|r/w|read\swith)\s|\s?[-–]\s?(?=[\d(])"
NOTE = r"\s\([a-z][a-z][^()\d\n]{2,60}\)"
"""What a section is about, said behind its number: sections 9 (satisfactory quality) and 10 (fitness for purpose)."""
ORDINALS = {
    word: str(value)
    for value, word in enumerate(
        ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"), start=1
    )
}
_ORDINAL = "|".join(ORDINALS)
_PART_WORD = r"(?:[Ss]ub-?sections?|[Ss]ub-?s(?:ubs)?s?\.?|[Ss]ubs\.?|[Pp]ara(?:graph)?s?\.?|[Pp]oints?|lit\.?|[Ll]etters?|[Ii]tems?|[Ii]ndents?|Abs\.|Absatz|N[or]\.|No(?=\s\d)|subds?\.|subdivisions?|sec\.|§)"
_PART_NUMBER = r"\(?(?:\d{1,3}[A-Z]{0,2}|[a-z]{1,4})\)?(?:\s?\(\w{1,4}\)){0,2}"
TAIL = re.compile(
    rf"(?:,?\s(?:(?:{_ORDINAL}|last)\s(?:sub-?paragraph|sentence|indent|paragraph)|{_PART_WORD}\s?(?:\(\w{{1,4}}\)|\d{{1,3}}|[a-z](?!\w)\)?)(?:\s?\(\w{{1,4}}\)){{0,2}}|sentence\s\d),?){{1,4}}"
)
"""Parts in words behind a provision, as the Union and the Strasbourg court write them: Article 6(1), first subparagraph, point (f)."""
_NUMBERED_PARAGRAPH = re.compile(
    rf"({_ORDINAL})\sparagraph|(?<![\w-]){_PART_WORD}\s?\(?(\w{{1,4}})\)?(?:\s?\((\w{{1,4}})\))?"
)
_OF = r"\s(?:of|to|in)\s(?:the\s)?"
_PARTS_BEFORE = re.compile(
    rf"(?<!\w)((?:(?:{_PART_WORD}\s?{_PART_NUMBER}(?:(?:{JOINT}){_PART_NUMBER}){{0,5}}|(?:{_ORDINAL})\s(?:sub-?paragraph|sentence|paragraph)){_OF}){{1,3}})$"
)
"""Parts in words before it: paragraph (a) of subsection (2) of section 4."""
_PARTS_REACH = 90


def parts_before(text: str, position: int, start: int) -> tuple[list[str], int] | None:
    """The parts of ``paragraph (a) of subsection (2) of `` from the outside in, one entry for each of a list, and their place."""
    if not text.endswith((" of ", " the ", " to ", " in "), max(position, start - 5), start):
        return None
    window = max(position, start - _PARTS_REACH)
    found = _PARTS_BEFORE.search(text[window:start])
    if not found:
        return None
    first, *outer = [one for one in re.split(_OF, found[1]) if one]
    numbers = "".join(in_words(one) for one in reversed(outer))
    listed = re.split(JOINT, re.sub(rf"^{_PART_WORD}\s?", "", first)) if not re.match(_ORDINAL, first) else []
    inner = ["".join(f"({one})" for one in re.findall(r"\w{1,4}", member)) for member in listed if member]
    return [numbers + one for one in inner or [in_words(first)]], window + found.start(1)


def in_words(tail: str) -> str:
    """``, first subparagraph, point (f)`` as ``(f)``."""
    numbers = [
        number
        for ordinal, first, second in _NUMBERED_PARAGRAPH.findall(tail)
        for number in (ORDINALS.get(ordinal, first), second)
        if number
    ]
    return "".join(f"({number})" for number in numbers)


def with_parts(number: str, parts: str) -> str:
    """``9(1)(a)`` and ``(b)`` as ``9(1)(b)``."""
    head = number.partition("(")[0].rstrip()
    held, further = (re.findall(r"\([^)]+\)", one) for one in (number, parts))
    kind = _kind_of(further[0])
    levels = [at for at, one in enumerate(held) if _kind_of(one) == kind or (kind == "i" and _ROMAN.fullmatch(one))]
    # (c)(3)(A)(i)-(vi): of Roman numerals the last, of other kinds the first.
    level = (levels[-1] if kind == "i" else levels[0]) if levels else len(held)
    return "".join((head, *held[:level], *further))


_ROMAN = re.compile(r"\([ivx]+\)")


def _kind_of(part: str) -> str:
    """Digits, Roman numerals of several letters, capitals or small letters."""
    if part[1].isdecimal():
        return "1"
    if len(part) > 3 and _ROMAN.fullmatch(part):
        return "i"
    return "A" if part[1].isupper() else "a"
