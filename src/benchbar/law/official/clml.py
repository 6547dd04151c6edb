"""Crown Legislation Markup Language, as legislation.gov.uk publishes the acts and instruments of the United Kingdom."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import msgspec
from lxml import etree

from benchbar.law.legal_texts import LegalTexts
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
    within,
    words,
)
from benchbar.law.titles import european_short_names
from benchbar.records import Article, LawVersion, ProvisionFacts
from benchbar.tables.markup import Style, flowing_text, name_of

ROOTS = frozenset({"Legislation"})
# Text that an act puts into another one.
_QUOTED = frozenset({"BlockAmendment", "BlockExtract"})
_BLOCKS = frozenset(
    {
        "Text", "Title", "Subtitle", "Number", "P1", "P2", "P3", "P4", "P5", "P6", "P7", "P", "Para", "P1group", "P2group",
        "P3group", "Pblock", "PsubBlock", "Part", "Chapter", "ListItem", "BlockAmendment", "BlockExtract", "tr", "td", "th",
        "Form", "Figure", "Formula",
    }
)  # fmt: skip
_DROPPED = frozenset({"CommentaryRef", "FootnoteRef", "Footnote", "Reference", "Commentary", "Image"})
_DIVISIONS = frozenset({"Part", "Chapter"})
# 31(3)(a), 31A, Sch. 2 para. 3: what an effect says that it changes.
_AFFECTED = re.compile(r"\b(?:s|ss|reg|regs|art|arts|rule|rules)\.\s?(\d{1,4}[A-Z]{0,3})|\bSch\.?\s?(\d{1,3}[A-Z]?)")


def read(root: etree._Element, path: Path) -> LegalTexts:
    """The act, with its sections and schedules, their dates, and the amendments that its text does not show yet."""
    body = first(root, "Primary", "Secondary", "EURetained")
    uri = (root.get("IdURI") or words(first(root, "identifier"))).strip()
    series, part = _series(uri, words(first(root, "identifier")) or uri)
    status = _value(first(root, "DocumentStatus"), "Value")
    enacted = day(_value(first(root, "EnactmentDate", "Made"), "Date"))
    start, end = day(root.get("RestrictStartDate")), day(root.get("RestrictEndDate"))
    commenced = (
        ""
        if start
        else max((day(one.get("Date")) for one in root.iterfind(".//{*}ComingIntoForce/{*}DateTime")), default="")
    )
    version_day = start or (day(words(first(root, "valid"))) if status == "revised" else "")
    law_id = "-".join(filter(None, (series.replace("/", "-") or path.stem, part.replace("/", "-")))) + (
        f"@{version_day}" if version_day else ""
    )
    effects = _effects(root)
    found = [] if body is None else list(_provisions(body, law_id, effects))
    articles, skipped = unique(found, path)
    title = words(first(root, "title")) or words(first(root, "Title"))
    version = LawVersion(
        law_id=law_id,
        name=title,
        short_names=_short_names(root, series, title),
        jurisdiction="GB",
        level="regulation" if first(root, "SecondaryMetadata") is not None else "law",
        # A revised text has the day of its own version; the day of enactment is that of the first text.
        adopted="" if version_day else enacted,
        in_force=version_day or commenced,
        in_force_source="stated" if version_day or commenced else "",
        until=last_day(end),
        since=enacted,
        complete=not part,
        part=part,
        source=str(path),
        facts=facts_of((uri, series), [text for texts in effects.values() for text in texts]),
    )
    dates = {"adopted": enacted, "in_force": version.in_force, "until": version.until}
    origins = {"name": "dc:title"} | ({"adopted": "ukm:EnactmentDate or ukm:Made"} if enacted else {})
    if version.in_force:
        origins["in_force"] = "RestrictStartDate" if start else "ukm:ComingIntoForce" if commenced else "dct:valid"
    return act_material(
        path,
        version,
        articles,
        form="CLML",
        language=words(first(root, "language")) or "en",
        dates=dates,
        origins=origins,
        skipped=skipped,
    )


def _series(uri: str, document: str) -> tuple[str, str]:
    """``ukpga/1985/67`` and what part of the act the file holds: ``section/6``."""
    place = re.sub(r"^https?://[^/]+/(?:id/)?", "", document)
    # Older acts go by their regnal year: ukpga/Geo5/1-2/34.
    found = re.match(
        r"[a-z]{2,8}/(?:\d{4}|[A-Z]\w+/[\w-]+)/[\w-]+", re.sub(r"^https?://[^/]+/(?:id/)?", "", uri) or place
    )
    series = found[0] if found else ""
    rest = place[len(series) :].strip("/") if place.startswith(series) else ""
    rest = re.sub(
        r"(?:^|/)(?:\d{4}-\d\d-\d\d|enacted|made|adopted|created|prospective|welsh|revision|data\.xml)(?=/|$)", "", rest
    )
    return series, rest.strip("/") if rest.strip("/") not in {"body", ""} else ""


_SERIES = {"uksi": "SI", "wsi": "SI", "ssi": "SSI", "nisr": "NISR"}


def _short_names(root: etree._Element, series: str, title: str) -> tuple[str, ...]:
    """``1985 c. 67``, ``2018 anaw 1`` or ``SI 2020/1326``, as the series number it; of Union law the short names that it has."""
    if european := european_short_names(title):
        return european
    year, number = _value(first(root, "Year"), "Value"), _value(first(root, "Number"), "Value")
    kind = series.partition("/")[0]
    if not (year and number.isdecimal() and kind):
        return ()
    if first(root, "SecondaryMetadata") is not None:
        return (f"{_SERIES.get(kind, kind)} {year}/{number}",)
    return (f"{year} {'c.' if kind.startswith('ukp') else kind} {number}",)


def _value(element: etree._Element | None, name: str) -> str:
    return "" if element is None else (element.get(name) or "")


def _effects(root: etree._Element) -> dict[str, list[str]]:
    """Amendments that are not in the text yet, by the section or schedule that they change; by nothing where that is unclear."""
    found: dict[str, list[str]] = {}
    for effect in root.iter("{*}UnappliedEffect"):
        affected = effect.get("AffectedProvisions") or ""
        by = re.sub(r"^https?://[^/]+/(?:id/)?", "", effect.get("AffectingURI") or "")
        text = f"{affected} {effect.get('Type') or 'changed'} by {by} {effect.get('AffectingProvisions') or ''}".strip()
        place = _AFFECTED.search(affected)
        found.setdefault(f"Sch {place[2]}" if place and place[2] else place[1] if place else "", []).append(text)
    return found


def _provisions(body: etree._Element, law_id: str, effects: dict[str, list[str]]) -> Iterator[Article]:
    for section in elements(body, frozenset({"P1"}), _QUOTED | {"Schedules", "Schedule"}):
        label = words(section.find("{*}Pnumber"))
        number, sub = numbered(label)
        if number:
            yield _section(section, law_id, number, sub, effects.get(number + sub, []))
    for schedule in elements(body, frozenset({"Schedule"}), _QUOTED):
        number = annex_number(words(schedule.find("{*}Number")) or "Schedule")
        # An instrument's schedule may be headed PART II; its address says which one it is.
        addressed = re.search(
            r"\b(schedule|annex|appendix)[-/](\w+)$", schedule.get("IdURI") or schedule.get("id") or ""
        )
        if addressed and not re.match(r"Sch|Annex|App", number):
            number = annex_number(f"{addressed[1]} {addressed[2]}")
        text = flowing_text(schedule, _style(schedule))
        title = words(schedule.find("{*}TitleBlock/{*}Title"))
        yield Article(
            law_id=law_id,
            number=number,
            title=title,
            text=text.removeprefix(title).strip(),
            repealed=_repealed(schedule, text),
            facts=_facts(schedule, effects.get(number, [])),
        )


def _section(section: etree._Element, law_id: str, number: str, sub: str, effects: list[str]) -> Article:
    group = section.getparent()
    grouped = group is not None and name_of(group) == "P1group"
    text = flowing_text(section, _style(section))
    facts = _facts(section, effects)
    if grouped and group is not None:
        around = _facts(group, [])
        own = {name: getattr(facts, name) or getattr(around, name) for name in ("in_force", "until", "status")}
        facts = msgspec.structs.replace(facts, **own)
    return Article(
        law_id=law_id,
        number=number,
        sub=sub,
        title=words(group.find("{*}Title")) if grouped and group is not None else "",
        chapter=_division(section),
        text=text,
        repealed=_repealed(section, text),
        facts=facts,
    )


def _facts(element: etree._Element, effects: list[str]) -> ProvisionFacts:
    status = next((one.get("Status") for one in (element, *element.iterancestors()) if one.get("Status")), "") or ""
    return ProvisionFacts(
        identifier=element.get("IdURI") or element.get("id") or "",
        in_force=day(element.get("RestrictStartDate")),
        until=last_day(day(element.get("RestrictEndDate"))),
        status=status.lower(),
        outstanding=tuple(effects),
    )


def _repealed(element: etree._Element, text: str) -> bool:
    # A repealed section stands with dots in the place of its words.
    return element.get("Status") == "Repealed" or bool(
        text and not re.search(r"\w", re.sub(r"\(?\d+[A-Z]?\)?\.?", "", text))
    )


def _division(section: etree._Element) -> str:
    part = next((one for one in section.iterancestors() if name_of(one) in _DIVISIONS), None)
    if part is None:
        return ""
    return f"{words(part.find('{*}Number'))} {words(part.find('{*}Title'))}".strip()


def _style(provision: etree._Element) -> Style:
    return Style(_BLOCKS, _DROPPED, partial(_label, provision))


def _label(provision: etree._Element, element: etree._Element) -> str | None:
    """The number of a subsection in brackets, of a schedule's paragraph with a point; the section's own stands apart."""
    if name_of(element) == "Number" and element.getparent() is provision:
        return ""
    if name_of(element) != "Pnumber":
        return None
    parent = element.getparent()
    if parent is provision or parent is None:
        return ""
    number = words(element)
    if name_of(parent) == "P1":
        return number if within(element, _QUOTED) else f"{number}."
    return f"({number})"
