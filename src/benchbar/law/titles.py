"""What an act is called, read from its own text: the name is not always the first line."""

from __future__ import annotations

import re
from dataclasses import dataclass

from benchbar.law.dates import days_with_roles, iso_dates
from benchbar.law.kinds import HEAD, PLENUM
from benchbar.law.names import ABBREVIATIONS, law_key

# Lines that head many acts and name none.
_GENERIC = re.compile(
    r"российская\s+федерация|(?:федеральное\s+)?собрание.{0,40}|правительство\s+российской\s+федерации|президент\s+российской\s+федерации"
    r"|(?:официальный\s+)?(?:текст|документ|перевод)|консультантплюс.{0,60}|www\.\S+|https?://\S+|зарегистрировано?\b.{0,80}"
    r"|список\s+изменяющих\s+документов|united\s+kingdom|public\s+general\s+acts?|official\s+journal.{0,60}|of\s+the\s+european\s+union|[a-z]\s+series|series\s+[a-z]|\d{4}/\d{1,4}|\d{1,2}\.\d{1,2}\.\d{4}|table\s+of\s+contents|contents"
    r"|目\s?录|中华人民共和国(?:主席|国务院)令|(?:the\s)?united\s+states(?:\s+of\s+america)?|an\s+act|a\s+bill|en|l\s\d+/\d+"
    r"|действующая\s+редакция|редакция\s+от\s.{0,40}|\W{0,10}\d{0,4}\W{0,10}",
    re.IGNORECASE,
)
_KIND_RU = re.compile(
    r"(федеральный\s+конституционный\s+закон|федеральный\s+закон|закон|указ|постановление|распоряжение|приказ)"
    r"((?:\s+(?:российской\s+федерации|рф|президента|правительства|пленума|верховного|министерства|суда)[^\n№]{0,60})?)"
    r"(?:\s+от\s[^\n]{0,60})?(?:\s?(?:№|n)\s?[\w/-]{1,20})?",
    re.IGNORECASE,
)
_TITLE_ENDS = re.compile(
    r"принят|одобрен|\(?в\s+(?:ред\.|редакции)|\(?в\s+ред|москва|глава\s|раздел\s|статья\s|часть\s|список\s+измен|от\s\d|г\.\s?москва|\(?с\s+изм"
    r"|в\s+целях|в\s+соответствии|во\s+исполнение|правительство\s|пленум\s|\d{1,2}\s+\w+\s+\d{4}|(?:№|n)\s?\d|\[",
    re.IGNORECASE,
)
_ARTICLE = re.compile(
    r"第[^条]{1,8}条|Статья\s\d|(?:Section|Article|SECTION|ARTICLE|Sec\.|Art\.|§)\s?\d|Глава\s|第[^章]{1,6}章"
)
_NUMBER_RU = re.compile(r"(?:№|\bN)\s?(\d{1,4}(?:/\d{1,4})?(?:-?(?:ФКЗ|ФЗ|1|I))?)(?![\d-])", re.IGNORECASE)
_LONGEST = 300
_LINES = 40


@dataclass(frozen=True, slots=True)
class Title:
    """A name, and where it was read."""

    name: str
    number: str = ""
    short_names: tuple[str, ...] = ()
    jurisdiction: str = ""
    level: str = ""
    adopted: str = ""
    origin: str = "first line"
    number_origin: str = ""


def title_of(text: str) -> Title | None:
    """The name of an act from its first lines; None where no line names it."""
    lines = [line.strip("#*_ \t\u3000") for line in text[: 4 * HEAD].splitlines()]
    lines = [line for line in lines if line][:_LINES]
    if re.search("[А-Яа-я]", " ".join(lines[:5])):
        return _russian(lines, text)
    for place, line in enumerate(lines):
        if _ARTICLE.match(line):
            return None
        if not _GENERIC.fullmatch(line) and len(re.findall(r"[^\W\d_]", line)) >= 2 and len(line) <= _LONGEST:
            origin = "first line" if place == 0 else f"line {place + 1}"
            if european := european_short_names(line):
                whole = _european(lines[place:])
                adopted = next(iter(iso_dates(whole)), "")
                return Title(whole, european[0], european, "EU", "law", adopted, origin, "name")
            level = "interpretation" if law_key(line).kind == "interpretation" else ""
            return Title(line, level=level, origin=origin)
    return None


def european_short_names(name: str) -> tuple[str, ...]:
    """``Regulation (EU) 2024/903``, ``Regulation 2024/903`` and ``Interoperable Europe Act``; none for other law's names."""
    found = _EUROPEAN.match(name)
    popular = re.search(r"\(([A-Z][^()]{3,80}(?:Act|Regulation|Directive|Law|Code))\)", name)
    if not found:
        return ()
    kind, number = found["kind"].capitalize(), re.sub(r"\s+", " ", found["number"])
    names = [f"{kind} {one}" for one in (" ".join(filter(None, (found["union"], found["no"], number))), number)]
    if found["union"]:
        names.append(f"{kind} {found['union']} {number}")
    return tuple(dict.fromkeys((*names, *([popular[1]] if popular else ()))))


_EUROPEAN = re.compile(
    r"(?:council\s|commission\s)?(?:(?:implementing|delegated)\s)?(?P<kind>regulation|directive|(?:framework\s)?decision)\s?"
    r"(?P<union>\([A-Z, ]{2,14}\))?\s?(?P<no>No)?\s?(?P<number>\d{1,4}/\d{1,4}(?:/[A-Z]{2,4})?)",
    re.IGNORECASE,
)


def _european(lines: list[str]) -> str:
    """The title of a Union act, which is set in three lines: kind and number, day, and what it is about."""
    parts = [lines[0]]
    for line in lines[1:4]:
        if line[:1].isupper() and not line.startswith("(Text"):
            break
        parts.append(line)
    return re.sub(r"\s+", " ", " ".join(parts))


def _russian(lines: list[str], text: str) -> Title | None:
    kind = ""
    for place, line in enumerate(lines):
        if _ARTICLE.match(line):
            return None
        found = _KIND_RU.fullmatch(line)
        if found:
            kind = kind or re.sub(r"\s+", " ", line)
            continue
        if _GENERIC.fullmatch(line) or _TITLE_ENDS.match(line):
            continue
        name = _joined(lines[place:])
        if len(re.findall(r"[^\W\d_]", name)) < 2 or len(name) > _LONGEST:
            return None
        return _of_russian(kind, name, lines, text, place)
    return None


def _joined(lines: list[str]) -> str:
    """A title set over several lines, up to where it ends."""
    parts = [lines[0]]
    for line in lines[1:5]:
        # Titles are set in capitals, or go on with a small letter; anything else is the text.
        goes_on = (line.isupper() and parts[0].isupper()) or line[:1].islower()
        if not goes_on or _TITLE_ENDS.match(line) or _ARTICLE.match(line) or _KIND_RU.fullmatch(line):
            break
        parts.append(line)
    return re.sub(r"\s+", " ", " ".join(parts)).strip()


def _of_russian(kind: str, name: str, lines: list[str], text: str, place: int) -> Title:
    head, tail = "\n".join(lines[:_LINES]), text[-800:]
    before = head[: max(head.find(name[:30]), 0)] + " " + kind
    number, number_origin = _number(before, tail, kind)
    day = _day(before, tail, number_origin)
    if name.isupper():
        name = _sentence_case(name)
    origin = "first line" if place == 0 else f"line {place + 1}"
    if re.search(r"\bкодекс\b", name, re.IGNORECASE):
        if "российской федерации" not in name.lower() and re.search(r"РОССИЙСК\w+\s+ФЕДЕРАЦИ", head[:300]):
            name = f"{name} Российской Федерации"
        key = law_key(name).core
        short = next((one for one, core in ABBREVIATIONS.items() if core == key and one.endswith(" рф")), "")
        shown = {"грк рф": "ГрК РФ", "коап рф": "КоАП РФ"}.get(short, short.upper())
        return Title(name, number, (shown,) if shown else (), "RU", "law", day, origin, number_origin)
    if kind and number:
        # The plenum's name may stand in the kind's line or in one of its own.
        kind_name = _sentence_case(re.sub(r"\s+от\s.*|\s?(?:№|\bN)\s?[\w/-]+", "", kind, flags=re.IGNORECASE))
        plenum = PLENUM.search(head[:HEAD])
        if plenum and "пленум" not in kind_name.lower():
            court = "Высшего Арбитражного Суда" if "арбитражн" in head[:HEAD].lower() else "Верховного Суда"
            kind_name = f"Постановление Пленума {court} РФ"
        elif issuer := _issuer(kind_name, before):
            kind_name = f"{kind_name} {issuer}"
        date = ".".join(reversed(day.split("-"))) if day else ""
        dated = f" от {date}" if date else ""
        bare = name.strip('«»"')
        full = f"{kind_name}{dated} № {number} «{bare}»"
        level = "interpretation" if plenum else "law" if "закон" in kind_name.lower() else "regulation"
        return Title(full, number, (), "RU", level, day, origin, number_origin)
    return Title(name, number, (), "", "", day, origin, number_origin)


def _issuer(kind_name: str, before: str) -> str:
    """Who issued a decree, as lawyers cite it, where a line above its kind says so: the act's own words leave it out there."""
    said = kind_name.lower()
    if re.fullmatch(r"постановление|распоряжение", said) and re.search(
        r"правительств[оа]\s+р(?:оссийск|ф\b)", before, re.IGNORECASE
    ):
        return "Правительства РФ"
    if re.fullmatch(r"указ|распоряжение", said) and re.search(
        r"президент\w?\s+р(?:оссийск|ф\b)", before, re.IGNORECASE
    ):
        return "Президента РФ"
    return ""


def _number(before: str, tail: str, kind: str) -> tuple[str, str]:
    """The number above the title, else the one under the signature; elsewhere numbers are of other acts."""
    above = _NUMBER_RU.search(before)
    if above:
        return above[1], "above the name"
    signed = list(_NUMBER_RU.finditer(tail))
    # Under the signature it stands in a line of its own.
    own = [
        one for one in signed if re.fullmatch(r"\s*(?:№|N)\s?[\w/-]+\s*", _line_at(tail, one.start()), re.IGNORECASE)
    ]
    if own and (kind or re.search(r"ФЗ|ФКЗ", own[-1][1])):
        return own[-1][1], "end of the text"
    return "", ""


def _day(before: str, tail: str, origin: str) -> str:
    text = before if origin == "above the name" else tail if origin else ""
    # A day of entry into force stands there as well, and is not the day of the number.
    days = [day for day, role in days_with_roles(text) if role in {"adopted", ""}]
    return days[-1] if days else ""


def _line_at(text: str, place: int) -> str:
    begin = text.rfind("\n", 0, place) + 1
    end = text.find("\n", place)
    return text[begin : end if end >= 0 else len(text)]


def _sentence_case(name: str) -> str:
    """ЖИЛИЩНЫЙ КОДЕКС РОССИЙСКОЙ ФЕДЕРАЦИИ in the form that sentences have."""
    plain = name.lower()
    plain = re.sub(r"российск(\w+)\sфедераци(\w)", r"Российск\1 Федераци\2", plain)
    plain = re.sub(r"\bрф\b", "РФ", plain)
    plain = re.sub(r"(пленума?)\sверховного\sсуда", r"\1 Верховного Суда", plain).replace("пленум", "Пленум")
    return plain[:1].upper() + plain[1:]
