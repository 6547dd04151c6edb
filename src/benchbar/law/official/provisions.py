"""What the readers of official XML share: numbers, names of schedules, facts of versions, and the entry of the report."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from lxml import etree

from benchbar.law.dates import day_before, is_day
from benchbar.law.legal_texts import LegalTexts, Skipped, Understood
from benchbar.records import Article, DocumentFacts, LawVersion
from benchbar.records.errors import BadInputError
from benchbar.tables.markup import name_of

_ANNEX = re.compile(
    r"\s*(?P<kind>schedule|sch\.?|annex|anlage|annexe|allegato|liite|appendix)\b\.?\s*(?P<number>[\w.-]{0,12})",
    re.IGNORECASE,
)
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_SHORT = {"sch": "Sch", "sch.": "Sch", "schedule": "Sch", "appendix": "App"}
MOST_NAMED = 100
"""Outstanding amendments named in full; some acts have thousands."""


def numbered(label: str) -> tuple[str, str]:
    """Number and sub-number of an article as citations have them: ``Section 12A.`` is 12 and A, ``§ 225.3`` is 225 and 3."""
    found = re.search(r"(\d{1,5})\s?[.-]?\s?([A-Za-z0-9][\w.-]*)?", label)
    return (found[1], (found[2] or "").strip(".-")) if found else ("", "")


def annex_number(label: str) -> str:
    """``SCHEDULE 2`` as ``Sch 2``, which is how its citations are read; ``ANNEX II`` as ``Annex II``."""
    # Older acts count in words: FIRST SCHEDULE.
    ordinal = re.match(r"\s*(?:the\s)?(\w+)\sschedule\b", label, re.IGNORECASE)
    if ordinal and ordinal[1].lower() in _ORDINALS:
        return f"Sch {_ORDINALS.index(ordinal[1].lower()) + 1}"
    found = _ANNEX.match(label)
    if not found:
        return re.sub(r"\s+", " ", label).strip()[:40]
    kind = _SHORT.get(found["kind"].lower(), found["kind"].capitalize())
    return f"{kind} {found['number']}".strip(" .")


def within(element: etree._Element, names: frozenset[str]) -> bool:
    """Whether one of the elements around it has one of the names."""
    return any(name_of(one) in names for one in element.iterancestors())


def elements(root: etree._Element, names: frozenset[str], outside: frozenset[str]) -> Iterator[etree._Element]:
    """The elements of these names that stand in no element of the other names.

    Law quotes law: an amending act holds the sections that it puts into another one, which are none of its own.
    """
    walker = etree.iterwalk(root, events=("start",))
    for _, element in walker:
        name = name_of(element)
        if name in outside and element is not root:
            walker.skip_subtree()
        elif name in names and element is not root:
            yield element
            # What stands in it is its text, even where it has parts of the same name.
            walker.skip_subtree()


def first(root: etree._Element, *names: str) -> etree._Element | None:
    """The first element of the first of the names that there is."""
    return next((found for name in names if (found := root.find(f".//{{*}}{name}")) is not None), None)


def words(element: etree._Element | None) -> str:
    """The text of an element in one line; empty where there is none."""
    return "" if element is None else re.sub(r"\s+", " ", "".join(map(str, element.itertext()))).strip()


def day(text: str | None) -> str:
    """The day as YYYY-MM-DD, where the attribute holds one: 2024-03-13 or 20240313, with or without a time."""
    plain = re.sub(r"^(\d{4})(\d\d)(\d\d)$", r"\1-\2-\3", (text or "").strip())[:10]
    # Years such as 9999, 2999 and 1001 are how files write that a day is not known.
    return plain if is_day(plain) and "1200" < plain < "2200" else ""


def last_day(first_day_after: str) -> str:
    """The last day of a period that ends before a day; empty where that is."""
    return day_before(first_day_after) if first_day_after else ""


def unique(articles: Iterable[Article], path: Path) -> tuple[list[Article], list[Skipped]]:
    """The articles with each number once: of several texts of one section the first, which is the one in force, is kept."""
    kept: dict[str, Article] = {}
    skipped = []
    for one in articles:
        if one.id in kept:
            skipped.append(Skipped(file=str(path), reason=f"{one.id} stands in it twice: the first was kept"))
        else:
            kept[one.id] = one
    return list(kept.values()), skipped


def act_material(
    path: Path,
    version: LawVersion,
    articles: Sequence[Article],
    *,
    form: str,
    language: str,
    dates: dict[str, str],
    origins: dict[str, str],
    skipped: Sequence[Skipped] = (),
) -> LegalTexts:
    """One act with its articles, and its entry in the report.

    Raises:
        BadInputError: the file does not name the act.
    """
    if not version.name:
        raise BadInputError("the act cannot be named: the file has no title", file=path)
    notes = []
    if not version.complete:
        notes.append("a part of the act: an article that is not in it may exist")
    if waiting := len(version.stated.outstanding):
        notes.append(f"amendments that the file names and that are not yet in its text: {waiting}")
    later = sum(one.stated.status == "prospective" for one in articles)
    if later:
        notes.append(f"articles not yet in force: {later}")
    own = sum(bool(one.stated.in_force) for one in articles)
    if own:
        notes.append(f"articles with a first day of their own: {own}")
    if not articles:
        skipped = [*skipped, Skipped(file=str(path), reason="the file describes an act and holds no text of it")]
    understood = Understood(
        kind="act",
        name=version.name,
        document=version.law_id,
        form=form,
        number=next((one for one in version.short_names if any(map(str.isdecimal, one))), ""),
        dates={name: value for name, value in dates.items() if value},
        origins=origins,
        signs=(f"XML of {form}",),
        articles=len(articles),
        language=language_tag(language),
        identifiers=version.stated.identifiers,
        notes=tuple(notes),
    )
    return LegalTexts(versions=[version], articles=list(articles), skipped=list(skipped), understood=[understood])


_TAGS = {"deu": "de", "ger": "de", "fra": "fr", "fre": "fr", "spa": "es", "eng": "en", "ita": "it", "fin": "fi", "zho": "zh", "swe": "sv", "pol": "pl", "por": "pt", "nld": "nl", "ell": "el"}  # fmt: skip


def language_tag(written: str) -> str:
    """The two letters of a language in any of the forms that files have: EN, eng, en-GB, or the address of an authority list."""
    plain = written.rpartition("/")[2].lower()[:3]
    return _TAGS.get(plain, plain[:2])


def facts_of(identifiers: Iterable[str], outstanding: Sequence[str] = ()) -> DocumentFacts:
    """Identifiers once each, and the outstanding amendments up to a bound."""
    kept = tuple(dict.fromkeys(one for one in identifiers if one))
    more = len(outstanding) - MOST_NAMED
    named = tuple(outstanding[:MOST_NAMED]) + ((f"and {more} more",) if more > 0 else ())
    return DocumentFacts(identifiers=kept, outstanding=named)
