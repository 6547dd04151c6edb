"""United States Legislative Markup: public laws, statute compilations, the United States Code, the Code of Federal Regulations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from lxml import etree

from benchbar.law.dates import day_of
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
    words,
)
from benchbar.records import Article, LawVersion, ProvisionFacts
from benchbar.records.errors import BadInputError
from benchbar.tables.markup import Style, flowing_text, name_of

ROOTS = frozenset(
    {
        "pLaw",
        "uscDoc",
        "statuteCompilation",
        "cfrDoc",
        "statutesAtLarge",
        "uslm",
        "lawDoc",
        "bill",
        "resolution",
        "engrossedAmendment",
    }
)
_QUOTED = frozenset({"quotedContent", "quotedText", "toc", "note", "notes", "header"})
_BLOCKS = frozenset(
    {
        "subsection", "paragraph", "subparagraph", "clause", "subclause", "item", "subitem", "subsubitem", "continuation",
        "p", "quotedContent", "section", "tr", "td", "th", "listItem", "level", "schedule", "appendix",
    }
)  # fmt: skip
_DROPPED = frozenset(
    {"sourceCredit", "notes", "note", "toc", "editorialNote", "sidenote", "page", "footnote", "editionNote"}
)
_DIVISIONS = frozenset({"chapter", "part", "title", "subchapter", "subtitle", "division", "article"})


def read(root: etree._Element, path: Path) -> LegalTexts:
    """The law, or the title of a code, with its sections, their addresses and status.

    Raises:
        BadInputError: a bill, which is no law, or nothing that names it.
    """
    if name_of(root) in {"bill", "resolution", "engrossedAmendment"}:
        raise BadInputError("a bill or a resolution in USLM, which is no law", file=path)
    meta = first(root, "meta")
    title, number = words(first(root, "title")), words(first(root, "docNumber"))
    cited = [
        _plain(words(one)).removesuffix(", as amended")
        for one in (meta if meta is not None else root).iterfind(".//{*}citableAs")
    ]
    code = {"uscDoc": "U.S.C.", "cfrDoc": "C.F.R."}.get(name_of(root), "")
    if code:
        number = re.sub(r"\D", "", number or title)
        # Citations name the code by its title's number: 16 U.S.C. § 757a.
        names: tuple[str, ...] = (f"{number} {code}", f"{number} {code.replace('.', '')}")
        name = f"Title {number}, {'United States Code' if code == 'U.S.C.' else 'Code of Federal Regulations'}"
    else:
        names = tuple(dict.fromkeys((*cited, *_short_titles(root))))
        name = next(iter(_short_titles(root)), "") or (cited[0] if cited else title)
    adopted = "" if code else day(words(first(root, "approvedDate"))) or _approved(root)
    law_id = (
        re.sub(r"[^\w.-]+", "-", cited[0] if cited and not code else names[-1] if code else path.stem)
        .strip("-")
        .lower()
    )
    main = first(root, "main")
    articles, skipped = unique(() if main is None else _provisions(main, law_id), path)
    version = LawVersion(
        law_id=law_id,
        name=name,
        short_names=tuple(one for one in names if one != name),
        jurisdiction="US",
        level="regulation" if code == "C.F.R." else "law",
        adopted=adopted,
        since=adopted,
        source=str(path),
        facts=facts_of(cited),
    )
    origins = {"name": "title number" if code else "short title" if _short_titles(root) else "citableAs"}
    if adopted:
        origins["adopted"] = "approvedDate or “Approved …”"
    return act_material(
        path,
        version,
        articles,
        form="USLM",
        language="en",
        dates={"adopted": adopted},
        origins=origins,
        skipped=skipped,
    )


def _plain(text: str) -> str:
    return re.sub("[\u2010-\u2014]", "-", text)


def _short_titles(root: etree._Element) -> list[str]:
    found = [
        words(one)
        for name in ("citableAsShortTitle", "shortTitle", "containsShortTitle")
        for one in root.iter(f"{{*}}{name}")
    ]
    kept = dict.fromkeys(one.strip(' .,“”"') for one in found)
    # Printed in capitals at the head, and as a name in the metadata.
    return sorted((one for one in kept if one), key=str.isupper)[:5]


def _approved(root: etree._Element) -> str:
    for action in root.iter("{*}actionDescription"):
        found = re.search(r"Approved\s+([A-Z][a-z]+ \d{1,2}, \d{4})", words(action))
        if found:
            try:
                return day_of(found[1])
            except ValueError:
                return ""
    return ""


def _provisions(main: etree._Element, law_id: str) -> Iterator[Article]:
    for section in elements(main, frozenset({"section"}), _QUOTED | {"appendix", "schedule"}):
        num = section.find("{*}num")
        label = (_value(num) or words(num)) if num is not None else ""
        number, sub = numbered(label)
        # The first section of an old act has no number.
        yield _article(section, law_id, number or "1", sub)
    for annex in elements(main, frozenset({"appendix", "schedule"}), _QUOTED):
        yield _article(annex, law_id, annex_number(words(annex.find("{*}num")) or name_of(annex)), "")


def _value(num: etree._Element) -> str:
    return num.get("value") or ""


def _article(section: etree._Element, law_id: str, number: str, sub: str) -> Article:
    status = (section.get("status") or "").lower()
    division = next((one for one in section.iterancestors() if name_of(one) in _DIVISIONS), None)
    chapter = (
        "" if division is None else f"{words(division.find('{*}num'))} {words(division.find('{*}heading'))}".strip()
    )
    return Article(
        law_id=law_id,
        number=number,
        sub=sub,
        title=words(section.find("{*}heading")).strip(" ."),
        chapter=chapter,
        text=flowing_text(section, Style(_BLOCKS, _DROPPED, partial(_label, section))),
        repealed=status in {"repealed", "omitted", "transferred", "renumbered"},
        facts=ProvisionFacts(
            identifier=section.get("identifier") or "",
            in_force=day(section.get("startPeriod")),
            until=last_day(day(section.get("endPeriod"))),
            status="prospective" if status in {"pending", "withheld"} else status,
        ),
    )


def _label(section: etree._Element, element: etree._Element) -> str | None:
    name = name_of(element)
    if name in {"num", "heading"} and element.getparent() is section:
        return ""
    return _plain(words(element)) if name == "num" else None
