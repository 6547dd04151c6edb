"""Formex, in which the Publications Office publishes the law and the case law of the European Union."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
from lxml import etree

from benchbar.languages.text import root_language
from benchbar.law.dates import iso_dates
from benchbar.law.legal_texts import LegalTexts, Understood
from benchbar.law.official.provisions import (
    act_material,
    annex_number,
    day,
    elements,
    facts_of,
    first,
    language_tag,
    numbered,
    unique,
    words,
)
from benchbar.law.titles import european_short_names
from benchbar.records import Article, Decision, DocumentFacts, LawVersion, ProvisionFacts
from benchbar.records.errors import BadInputError
from benchbar.tables.markup import Style, flowing_text, name_of

_ACTS = frozenset({"ACT", "CONS.ACT", "CONS.DOC", "GENERAL"})
_ANNEXES = frozenset({"ANNEX", "CONS.ANNEX"})
_CASES = frozenset({"JUDGMENT", "ORDER", "CONCLUSION", "OPINION"})
ROOTS = _ACTS | _ANNEXES | _CASES | {"DOC", "PUBLICATION"}
# Text that an act puts into another one.
_QUOTED = frozenset({"QUOT.S"})
_BLOCKS = frozenset(
    {
        "ALINEA", "P", "PARAG", "NP", "NP.ECR", "ITEM", "LIST", "QUOT.S", "ROW", "CELL", "TI", "STI", "GR.SEQ", "TI.GR.SEQ",
        "INTRO", "JUDGMENT.INIT", "PARTIES", "DLIST.ITEM",
    }
)  # fmt: skip
_STYLE = Style(
    _BLOCKS,
    frozenset({"NOTE", "BIB.JUDGMENT", "BIB.INSTANCE", "TI.ART", "STI.ART", "CURR.TITLE", "INCL.ELEMENT"}),
    lambda element: words(element) if name_of(element) in {"NO.PARAG", "NO.P"} else None,
)
_TITLE = Style(frozenset({"P"}), frozenset({"NOTE"}))
_CELEX = {"REG": "R", "DIR": "L", "DEC": "D"}
_MONTHS = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_APPLIES = re.compile(
    rf"\bshall\s(?:apply|enter\sinto\sforce)\s(?:from|on|as\sfrom)\s(?:\w+\s)?(\d{{1,2}}\s{_MONTHS}\s\d{{4}})",
    re.IGNORECASE,
)
_SOME_APPLY = re.compile(
    rf"\bArticles?\s([\d ,to\-–and]{{1,80}}?)\sshall\sapply\s(?:from|as\sfrom)\s(\d{{1,2}}\s{_MONTHS}\s\d{{4}})"
)


def read(root: etree._Element, path: Path) -> LegalTexts:
    """The act with its articles, or its annex, or the decision of a court.

    Raises:
        BadInputError: the file has bibliographic data and no text.
    """
    # Quotation marks are elements without text.
    for quote in root.iter("QUOT.START", "QUOT.END"):
        code = quote.get("CODE") or ""
        quote.text = chr(int(code, 16)) if re.fullmatch(r"[0-9A-Fa-f]{4}", code) else '"'
    name = name_of(root)
    if name in _CASES:
        return _case(root, path)
    if name in _ANNEXES:
        return LegalTexts(articles=[_annex(root, _law_id(root, path))])
    if name not in _ACTS:
        raise BadInputError("the bibliographic data of a publication, without its text", file=path)
    return _act(root, path)


def _law_id(root: etree._Element, path: Path) -> str:
    """What act and annex, which are files of their own, both name: the file of their bibliographic data."""
    reference = first(root, "DOCUMENT.REF", "DOCUMENT.REF.CONS")
    file = "" if reference is None else reference.get("FILE") or ""
    return re.sub(r"\.(?:doc|xml|fmx)\b", "", file) or path.stem


def _act(root: etree._Element, path: Path) -> LegalTexts:
    title = first(root, "TITLE")
    name = re.sub(r"\s+", " ", flowing_text(title, _TITLE).replace("\n", " ")) if title is not None else ""
    bib = first(root, "BIB.INSTANCE", "BIB.INSTANCE.CONS")
    adopted = day(_attribute(None if bib is None else first(bib, "DATE"), "ISO")) or day(
        _attribute(None if title is None else first(title, "DATE"), "ISO")
    )
    consolidated = first(root, "INFO.CONSLEG")
    law_id, start = _law_id(root, path), ""
    if consolidated is not None:
        start = day(consolidated.get("START.DATE"))
        law_id = f"{consolidated.get('CONSLEG.REF') or law_id}@{start}"
    body = first(root, "ENACTING.TERMS", "CONTENTS")
    found = [] if body is None else list(_articles(body, law_id))
    annexes = [_annex(one, law_id) for one in elements(root, _ANNEXES, _QUOTED)]
    articles, skipped = unique([*found, *annexes], path)
    applies, articles = _application(articles)
    in_force = start or applies
    version = LawVersion(
        law_id=law_id,
        name=name,
        short_names=european_short_names(name),
        jurisdiction="EU",
        level="law",
        adopted="" if start else adopted,
        in_force=in_force,
        in_force_source="stated" if start else "text" if applies else "",
        since=adopted,
        source=str(path),
        facts=facts_of((_celex(root, name), *_eli(root))),
    )
    origins = {"name": "TITLE"} | ({"adopted": "DATE of the act"} if adopted else {})
    if in_force:
        origins["in_force"] = "START.DATE" if start else "last articles"
    dates = {"adopted": adopted, "in_force": in_force}
    return act_material(
        path,
        version,
        articles,
        form="Formex",
        language=words(first(root, "LG.DOC")),
        dates=dates,
        origins=origins,
        skipped=skipped,
    )


def _attribute(element: etree._Element | None, name: str) -> str:
    return "" if element is None else element.get(name) or ""


def _celex(root: etree._Element, name: str) -> str:
    stated = words(first(root, "NO.CELEX"))
    if stated:
        return stated
    document = first(root, "NO.DOC")
    number = "" if document is None else words(document.find("{*}NO.CURRENT"))
    year = "" if document is None else words(document.find("{*}YEAR"))
    kind = next(
        (letter for word, letter in _CELEX.items() if re.match(rf"(?:\w+ ){{0,2}}{word}", name, re.IGNORECASE)), ""
    )
    return f"3{year}{kind}{int(number):04d}" if number.isdecimal() and len(year) == 4 and kind else ""


def _eli(root: etree._Element) -> list[str]:
    return [one.get("ID") or words(one) for one in root.iter("{*}NO.ELI")]


def _articles(body: etree._Element, law_id: str) -> Iterator[Article]:
    for article in elements(body, frozenset({"ARTICLE"}), _QUOTED):
        number, sub = numbered(words(article.find("{*}TI.ART")) or _attribute(article, "IDENTIFIER").lstrip("0"))
        division = next((one for one in article.iterancestors() if name_of(one) == "DIVISION"), None)
        yield Article(
            law_id=law_id,
            number=number or "1",
            sub=sub,
            title=words(article.find("{*}STI.ART")),
            chapter=" ".join(words(one) for one in division.iterfind("./{*}TITLE/*")) if division is not None else "",
            text=flowing_text(article, _STYLE),
        )


def _annex(root: etree._Element, law_id: str) -> Article:
    title = first(root, "TITLE")
    label = words(None if title is None else first(title, "TI"))
    contents = first(root, "CONTENTS")
    number = annex_number(label or "Annex")
    return Article(
        law_id=law_id,
        # An annex of several that goes by a name of its own: its place in the series tells it from the others.
        number=number if number.startswith("Annex") else f"Annex {number}"[:40],
        title=words(None if title is None else first(title, "STI")) or label,
        text=flowing_text(root if contents is None else contents, _STYLE),
    )


def _application(articles: list[Article]) -> tuple[str, list[Article]]:
    """Since when the act applies by its last articles, and the articles for which they name another day."""
    closing = "\n".join(one.text for one in articles if one.number.isdecimal())[-3000:]
    days: dict[str, str] = {}
    for some, on in _SOME_APPLY.findall(closing):
        # Paragraphs of an article apply apart from it: 3(1) is no day of the whole article 3, and is left to its text.
        for number in re.findall(r"\d{1,3}", some):
            days[number] = iso_dates(on)[0]
    whole = [
        found
        for found in _APPLIES.finditer(_SOME_APPLY.sub("", closing))
        if not re.search(r"Article\s[^.]{0,60}$", closing[max(0, found.start() - 80) : found.start()])
    ]
    applies = iso_dates(whole[-1][1])[0] if whole else ""
    dated = [
        msgspec.structs.replace(one, facts=ProvisionFacts(in_force=days[one.number]))
        if not one.sub and one.number in days
        else one
        for one in articles
    ]
    return applies, dated


def _case(root: etree._Element, path: Path) -> LegalTexts:
    ecli = _attribute(first(root, "NO.ECLI"), "ECLI")
    number = re.sub("[\u2010-\u2014]", "-", words(first(root, "NO.CASE")))
    title = first(root, "TITLE")
    decided = day(_attribute(None if title is None else first(title, "DATE"), "ISO"))
    name = "" if title is None else flowing_text(title, _TITLE).replace("\n", ", ")
    celex = words(first(root, "NO.CELEX"))
    if not (number or ecli):
        raise BadInputError("a decision without a number of its case and without an ECLI", file=path)
    decision = Decision(
        id=number or ecli,
        case_number=number or ecli,
        also=tuple(one for one in (ecli, celex) if one and one != (number or ecli)),
        court=next((line for line in name.split(", ") if line), ""),
        date=decided,
        title=name[:200],
        text=flowing_text(root, _STYLE),
        source=str(path),
        facts=DocumentFacts(identifiers=tuple(filter(None, (ecli, celex)))),
    )
    understood = Understood(
        kind="decision",
        name=decision.title,
        document=decision.id,
        form="Formex",
        number=decision.case_number,
        court=decision.court,
        dates={"decided": decided} if decided else {},
        origins={"number": "NO.CASE" if number else "NO.ECLI"} | ({"decided": "TITLE"} if decided else {}),
        signs=("XML of Formex", f"root {name_of(root)}"),
        language=language_tag(words(first(root, "LG.DOC"))) or root_language(decision.text[:3000]),
        identifiers=decision.stated.identifiers,
        notes=() if decided else ("no date was read",),
    )
    return LegalTexts(decisions=[decision], understood=[understood])
