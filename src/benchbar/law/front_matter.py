"""Acts in Markdown with YAML front matter, as the archives of law kept under version control publish them (github.com/legalize-dev).

The front matter names the act, its number, its day and its source; a heading begins each provision: ``##### 12. **Obligations of
landlords.**``. What marks emphasis and later amendments in the text (``**12.**—``, ``F1[ … ]``) is no part of the law.
"""

from __future__ import annotations

import re
from typing import Any

from benchbar.law.dates import iso_dates
from benchbar.records import Article
from benchbar.records.law import DocumentFacts

_HEADER = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.{1,20000}?)^---[ \t]*\r?$\n?", re.DOTALL | re.MULTILINE)
_FIELD = re.compile(r"^([a-z_]{1,40}):[ \t]*(?:\"((?:[^\"\\]|\\.)*)\"|'([^']*)'|(.*?))[ \t]*\r?$", re.MULTILINE)
_HEADING = re.compile(r"^(#{1,6})[ \t]{1,4}(.*)$")
_PROVISION = re.compile(
    r"(?:(?:Section|Article|Art\.?|Sec\.?|§)\s?)?(?P<number>\d{1,4})(?P<sub>[A-Z]{0,2})(?:\.{1,2}|:)?\s{1,4}(?P<title>\D.*)?$"
)
_OWN_NUMBER = re.compile(r"(?P<opened>\[?)(?P<number>\d{1,4}[A-Z]{0,2})\s?\.?\s{0,2}(?:[—–-]\s?|(?=\(|$)|(?<=\s))")
_AMENDED = re.compile(r"\bF\d{1,4}(?=\[)")
_STARS = re.compile(r"\*{1,3}")
_STATUS = {"repealed", "expired", "not_in_force", "annulled"}
_DAYS = ("publication_date", "enacted", "date")


def front_matter_of(text: str) -> tuple[dict[str, str], str] | None:
    """The fields of the front matter that names an act, and the text behind it; None for any other text."""
    found = _HEADER.match(text)
    if found is None:
        return None
    fields = {name: quoted or plain or bare for name, quoted, plain, bare in _FIELD.findall(found[1])}
    return (fields, text[found.end() :]) if fields.get("title") and fields.get("identifier") else None


def facts_in(fields: dict[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    """What the front matter says of an act, and where each of it was read.

    Its day of publication is that of adoption at the latest; the day on which it came into force is in no field.
    """
    # Act , 1982 and Act  2004: the year stands in another element on the site.
    name = re.sub(r"\s*,?\s+(?=(?:18|19|20)\d\d$)", " ", " ".join(fields["title"].split()))
    adopted = next((day[0] for one in _DAYS if (day := iso_dates(fields.get(one, "")))), "")
    facts: dict[str, Any] = {
        "law_id": fields["identifier"],
        "name": name,
        "jurisdiction": fields.get("country", "").upper(),
        "level": "law" if fields.get("rank") in {"act", "law", "statute"} else "",
        "adopted": adopted,
        "expired": fields.get("status") in _STATUS,
        "facts": DocumentFacts(identifiers=tuple(filter(None, (fields["identifier"], fields.get("source", ""))))),
    }
    origins = {"name": "front matter", "#number": fields["identifier"], "number": "front matter"}
    return facts, origins | ({"adopted": "front matter"} if adopted else {})


def doubts_of(fields: dict[str, str]) -> tuple[str, ...]:
    """Up to which day the text is said to be revised: what has changed since it cannot tell."""
    days = iso_dates(fields.get("last_updated", ""))
    return (f"its text was last revised on {days[0]}: say the day of the archive with --as-of",) if days else ()


def provisions_in(text: str, law_id: str) -> tuple[Article, ...]:
    """The provisions of a text whose headings begin with their numbers; of a number that comes twice the first one.

    A heading without a number is that of a part; headings below those of provisions are text.
    """
    found: dict[str, tuple[str, str, str, str, list[str]]] = {}
    chapter, level, lines = "", 0, list[str]()
    for line in text.splitlines():
        heading = _HEADING.match(line)
        words = _plain(heading[2]) if heading else _plain(line)
        provision = _PROVISION.match(words) if heading else None
        if heading and provision:
            level, lines = len(heading[1]), []
            number, sub = provision["number"], provision["sub"]
            found.setdefault(number + sub, (number, sub, _heading(provision["title"] or ""), chapter, lines))
        elif heading and (not level or len(heading[1]) <= level):
            chapter, lines = words, []
        elif words:
            lines.append(words)
    return tuple(
        Article(law_id=law_id, number=number, sub=sub, title=title, chapter=part, text=_without(number + sub, own))
        for number, sub, title, part, own in found.values()
        # A section that was taken out has dots for its text ([...]), and is one that the act has had: who cites it invents none.
        if own
    )


def _heading(title: str) -> str:
    """Without the bracket of an amendment whose other end stands in another line, and the full stop."""
    opened, closed = title.count("["), title.count("]")
    title = title.replace("[", "", opened - closed) if opened > closed else title
    return title.rstrip(". " if title.count("]") <= title.count("[") else ". ]")


def _plain(line: str) -> str:
    return _AMENDED.sub("", _STARS.sub("", line)).strip()


def _without(number: str, lines: list[str]) -> str:
    """The text of a provision, without its number in front."""
    own = _OWN_NUMBER.match(lines[0])
    first = own["opened"] + lines[0][own.end() :] if own and own["number"] == number else lines[0]
    return "\n".join([first, *lines[1:]])
