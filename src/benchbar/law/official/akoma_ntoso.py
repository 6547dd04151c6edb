"""Akoma Ntoso (LegalDocML), in which parliaments, gazettes and courts of many countries publish."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from lxml import etree

from benchbar.languages.text import root_language
from benchbar.law.legal_texts import LegalTexts, Understood
from benchbar.law.official.provisions import (
    act_material,
    annex_number,
    day,
    elements,
    facts_of,
    first,
    last_day,
    numbered,
    unique,
    words,
)
from benchbar.law.readers_common import normal_case_number
from benchbar.law.titles import european_short_names
from benchbar.records import Article, Decision, DocumentFacts, LawVersion, ProvisionFacts
from benchbar.records.errors import BadInputError
from benchbar.tables.markup import Style, flowing_text, name_of

ROOTS = frozenset({"akomaNtoso"})
_QUOTED = frozenset({"quotedStructure", "quotedText", "mod", "toc", "meta", "components", "attachments"})
_BLOCKS = frozenset(
    {
        "p", "paragraph", "subparagraph", "point", "alinea", "list", "intro", "wrapUp", "content", "block", "blockList",
        "item", "listIntroduction", "listWrapUp", "quotedStructure", "tr", "td", "th", "li", "heading", "subheading",
        "section", "subsection", "article", "level", "crossHeading", "wrap", "hcontainer", "indent",
    }
)  # fmt: skip
_DROPPED = frozenset({"authorialNote", "noteRef", "meta", "toc", "editorialNote", "eol"})
_UNITS = ("article", "section", "rule")
_DIVISIONS = frozenset({"part", "chapter", "title", "book", "division", "subpart", "subchapter", "tome"})


def read(root: etree._Element, path: Path) -> LegalTexts:
    """The act with its articles and annexes, or the judgment.

    Raises:
        BadInputError: a document of another kind, such as a bill, or one without a name.
    """
    document = next((one for one in root if isinstance(one.tag, str) and name_of(one) != "meta"), None)
    kind = "" if document is None else name_of(document)
    if document is None or kind not in {"act", "judgment", "doc", "documentCollection", "statement", "portion"}:
        raise BadInputError(
            f"an Akoma Ntoso document of the kind <{kind}>, which is neither an act nor a judgment", file=path
        )
    return _judgment(document, path) if kind == "judgment" else _act(document, path)


def _aliases(document: etree._Element) -> dict[str, str]:
    """Identifiers by their kind: eli, CELEX, ECLI, and the address of the work itself."""
    found: dict[str, str] = {}
    for alias in document.iterfind("./{*}meta/{*}identification//{*}FRBRalias"):
        value = alias.get("value") or ""
        # Identifiers of a database mean nothing outside it.
        if not re.fullmatch(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", value):
            found.setdefault(alias.get("name") or "alias", value)
    work = document.find("./{*}meta/{*}identification/{*}FRBRWork/{*}FRBRthis")
    return found | ({"work": work.get("value") or ""} if work is not None else {})


def _act(document: etree._Element, path: Path) -> LegalTexts:
    aliases = _aliases(document)
    work, expression = (
        document.find(f"./{{*}}meta/{{*}}identification/{{*}}{one}") for one in ("FRBRWork", "FRBRExpression")
    )
    place = _value(expression, "FRBRthis") or aliases.get("work", "")
    law_id = re.sub(r"/!?main$|^/", "", re.sub(r"^https?://[^/]+/", "", place)).strip("/") or path.stem
    adopted = _date(work)
    published = day(_attribute(document.find("./{*}meta/{*}publication"), "date"))
    # The expression of a consolidated text has the day from which it is in force.
    consolidated = re.search(r"@(\d{4}-\d\d-\d\d)", _value(expression, "FRBRuri") + _value(expression, "FRBRthis"))
    start = day(consolidated[1]) if consolidated else ""
    periods = _periods(document)
    body = first(document, "body", "mainBody")
    articles, skipped = unique(_articles(document, body, law_id, periods), path)
    name, origin = _name(document)
    number = words(first(document, "docNumber"))
    version = LawVersion(
        law_id=law_id,
        name=name,
        short_names=tuple(
            dict.fromkeys((*(words(one) for one in document.iter("{*}shortTitle")), *european_short_names(name)))
        ),
        jurisdiction=_value(work, "FRBRcountry").rpartition("/")[2].upper()[:3],
        level="law",
        adopted="" if start else adopted,
        in_force=start,
        in_force_source="stated" if start else "",
        since=adopted,
        source=str(path),
        facts=facts_of(
            (*(value for name, value in aliases.items() if name != "work"), aliases.get("work", ""), number)
        ),
    )
    origins = (
        {"name": origin}
        | ({"adopted": "FRBRWork"} if adopted else {})
        | ({"in_force": "FRBRExpression"} if start else {})
    )
    dates = {"adopted": adopted, "published": published, "in_force": start}
    return act_material(
        path,
        version,
        articles,
        form="Akoma Ntoso",
        language=_language(expression),
        dates=dates,
        origins=origins,
        skipped=skipped,
    )


def _attribute(element: etree._Element | None, name: str) -> str:
    return "" if element is None else element.get(name) or ""


def _value(level: etree._Element | None, name: str) -> str:
    return _attribute(None if level is None else level.find(f"{{*}}{name}"), "value")


def _date(level: etree._Element | None) -> str:
    return day(_attribute(None if level is None else level.find("{*}FRBRdate"), "date"))


def _language(expression: etree._Element | None) -> str:
    return _attribute(None if expression is None else expression.find("{*}FRBRlanguage"), "language")


def _name(document: etree._Element) -> tuple[str, str]:
    for name in ("docTitle", "longTitle"):
        found = first(document, name)
        if text := words(found):
            kind, number = words(first(document, "docType")), words(first(document, "docNumber"))
            prefix = f"{kind} {number} — " if kind and number and kind.lower() not in text.lower() else ""
            return prefix + text, name
    preface = first(document, "preface", "coverPage")
    if preface is not None and (lines := flowing_text(preface, Style(frozenset({"p"}), _DROPPED)).splitlines()):
        return re.sub(r"\s+", " ", " ".join(lines))[:300], "preface"
    alias = document.find("./{*}meta/{*}identification/{*}FRBRWork/{*}FRBRname")
    return _attribute(alias, "value"), "FRBRname"


def _periods(document: etree._Element) -> dict[str, tuple[str, str]]:
    """First and last day by the identifier of a temporal group, which articles name as their period."""
    events = {one.get("eId") or one.get("id"): day(one.get("date")) for one in document.iter("{*}eventRef")}
    found = {}
    for group in document.iter("{*}temporalGroup"):
        interval = group.find("{*}timeInterval")
        if interval is not None:
            start, end = (events.get((interval.get(name) or "").lstrip("#"), "") for name in ("start", "end"))
            found[group.get("eId") or group.get("id") or ""] = (start, last_day(end))
    return found


def _articles(
    document: etree._Element, body: etree._Element | None, law_id: str, periods: Mapping[str, tuple[str, str]]
) -> Iterator[Article]:
    if body is not None:
        unit = next((one for one in _UNITS if next(elements(body, frozenset({one}), _QUOTED), None) is not None), "")
        for article in elements(body, frozenset({unit}), _QUOTED) if unit else ():
            number, sub = numbered(words(article.find("{*}num")))
            # Article unique, Section only: the act has one.
            yield _article(article, law_id, number or "1", sub, periods)
        for schedule in elements(body, frozenset({"hcontainer"}), _QUOTED):
            if "schedule" in (schedule.get("name") or "").lower():
                yield _article(
                    schedule, law_id, annex_number(words(schedule.find("{*}num")) or "Schedule"), "", periods
                )
        if not unit and (text := flowing_text(body, _style(body))):
            yield Article(law_id=law_id, number="", text=text)
    for count, attachment in enumerate(document.iterfind("./{*}attachments/{*}attachment"), start=1):
        label = words(attachment.find("{*}heading")) or _attribute(first(attachment, "doc"), "name")
        number = annex_number(label)
        # Attachments without a name of the usual kind are told apart by their place.
        number = number if re.match(r"(?:Sch|Annex|App|Allegato|Anlage|Liite)\b", number) else f"Annex {count}"
        yield Article(law_id=law_id, number=number, title=label, text=flowing_text(attachment, _style(attachment)))


def _article(
    article: etree._Element, law_id: str, number: str, sub: str, periods: Mapping[str, tuple[str, str]]
) -> Article:
    # In European acts the second num is the heading.
    nums = article.findall("{*}num")
    title = words(article.find("{*}heading")) or (words(nums[1]) if len(nums) > 1 else "")
    division = next((one for one in article.iterancestors() if name_of(one) in _DIVISIONS), None)
    chapter = (
        "" if division is None else f"{words(division.find('{*}num'))} {words(division.find('{*}heading'))}".strip()
    )
    around = (article, *article.iterancestors())
    period = next((one.get("period") for one in around if one.get("period")), None) or ""
    start, until = periods.get(period.lstrip("#"), ("", ""))
    status = (article.get("status") or "").lower()
    return Article(
        law_id=law_id,
        number=number,
        sub=sub,
        title=title,
        chapter=chapter,
        text=flowing_text(article, _style(article)),
        repealed=status in {"removed", "repealed"},
        facts=ProvisionFacts(identifier=article.get("eId") or "", in_force=start, until=until, status=status),
    )


def _style(article: etree._Element) -> Style:
    return Style(_BLOCKS, _DROPPED, partial(_label, article))


def _label(article: etree._Element, element: etree._Element) -> str | None:
    name = name_of(element)
    if element.getparent() is article and name in {"num", "heading"}:
        return ""
    return words(element) if name == "num" else None


def _judgment(document: etree._Element, path: Path) -> LegalTexts:
    aliases = _aliases(document)
    neutral = words(first(document, "neutralCitation")) or words(first(document, "cite"))
    ecli = next((one for one in aliases.values() if one.startswith("ECLI:")), "")
    docket = words(first(document, "docketNumber"))
    number = normal_case_number(neutral) or ecli or docket
    body = first(document, "judgmentBody", "body")
    if not number:
        raise BadInputError("a judgment without a neutral citation, an ECLI or a number of its case", file=path)
    work = document.find("./{*}meta/{*}identification/{*}FRBRWork")
    decided = _date(work) or day(_attribute(first(document, "docDate"), "date"))
    title = _value(work, "FRBRname") or words(first(document, "docTitle")) or number
    text = flowing_text(
        document if body is None else body,
        Style(_BLOCKS, _DROPPED, lambda one: words(one) if name_of(one) == "num" else None),
    )
    also = tuple(dict.fromkeys(one for one in (ecli, docket) if one and one != number))
    decision = Decision(
        id=number,
        case_number=number,
        also=also,
        court=words(first(document, "courtType", "court")),
        date=decided,
        title=title[:200],
        text=text,
        source=str(path),
        facts=DocumentFacts(identifiers=tuple(filter(None, (ecli, aliases.get("work", ""))))),
    )
    understood = Understood(
        kind="decision",
        name=decision.title,
        document=number,
        form="Akoma Ntoso",
        number=number,
        court=decision.court,
        dates={"decided": decided} if decided else {},
        origins={"number": "neutralCitation" if neutral else "FRBRalias or docketNumber"}
        | ({"decided": "FRBRWork"} if decided else {}),
        signs=("XML of Akoma Ntoso", "judgment"),
        language=root_language(text[:3000]),
        identifiers=decision.stated.identifiers,
        notes=() if decided else ("no date was read",),
    )
    return LegalTexts(decisions=[decision], understood=[understood])
