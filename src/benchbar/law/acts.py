"""Acts and decisions as documents: our Markdown form with a header of facts, and texts in any other form."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import msgspec

from benchbar.languages.text import root_language
from benchbar.law.corrections import CORRECTIONS, Correction
from benchbar.law.dates import days_with_roles, iso_dates
from benchbar.law.front_matter import doubts_of, facts_in, front_matter_of, provisions_in
from benchbar.law.kinds import HEAD, RULING, Kind, court_in, day_in, kind_of, numbers_in, signs_of_an_act
from benchbar.law.legal_texts import LegalTexts, Skipped, Understood
from benchbar.law.readers_common import decision_id, normal_case_number, text_of
from benchbar.law.splitting import Split, split_articles, split_points
from benchbar.law.titles import Title, title_of
from benchbar.records import Article, Decision, LawVersion
from benchbar.records.errors import BadInputError
from benchbar.records.toml import toml_of
from benchbar.tables.documents import DocumentText

_HEADER = re.compile(r"\A\ufeff?\s*\+\+\+[ \t]*\r?\n(.*?)^\+\+\+[ \t]*\r?$\n?", re.DOTALL | re.MULTILINE)
_FIELDS = {
    "law_id", "name", "short_names", "jurisdiction", "level", "adopted", "in_force", "until", "supersedes", "repeals",
    "complete", "part", "since", "expired",
}  # fmt: skip
_HEADING_LINES = 8
_HEADING_DAY = "text before the first article"
_DATES = ("adopted", "in_force", "until")
_QUOTED, _LISTED = 40, 3
_CAUSE = re.compile(r"([\u4e00-\u9fff、]{2,24}(?:纠纷|争议|罪))一案")


def read_act_or_decision(path: Path, document: DocumentText, correction: Correction) -> LegalTexts:
    """The act or decision that a document is; an act that is not divided into articles is kept whole and named in ``skipped``.

    Raises:
        BadInputError: the header of facts cannot be read, or nothing names the act.
    """
    text = document.text
    header = _HEADER.match(text)
    if header:
        # Line ends before the header stay, so that a fault in it is named by its line in the file.
        facts = _facts(path, "\n" * text.count("\n", 0, header.start(1)) + header[1])
        origins = dict.fromkeys(("name", *(field for field in _DATES if facts.get(field))), "header")
        split = split_articles(text[header.end() :], facts["law_id"])
        return _act(path, facts, text[header.end() :], split, document, origins)
    if matter := front_matter_of(text):
        fields, body = matter
        facts, origins = facts_in(fields)
        split = Split("", provisions_in(body, facts["law_id"]))
        document = replace(document, notes=(*document.notes, *doubts_of(fields)))
        return _act(path, facts, body, split, document, origins, Kind("act", ("front matter",), ()))
    split = split_articles(text, "")
    kind = kind_of(text, split)
    if correction.kind:
        kind = Kind(correction.kind, (f"{CORRECTIONS} says so",), ())
    if kind.name == "decision":
        return _decision(path, document, kind)
    facts, origins = _facts_from_text(path, document, split, correction)
    # Who names a file in law.toml has said that it is law.
    if not (correction.kind or correction.name):
        named = origins.get("adopted", "") == _HEADING_DAY or "in_force" in origins
        signs = signs_of_an_act(kind, text, name=facts["name"], number=origins["#number"], dated=named)
        kind = replace(kind, signs=signs)
    # Rulings of a plenum and of the government are cited by their points: п. 78 постановления.
    if RULING in kind.signs or (not split.articles and facts["level"] == "regulation"):
        split = split_points(text, "")
    return _act(path, facts, text, split, document, origins, kind)


def _facts(path: Path, header: str) -> dict[str, Any]:
    facts = toml_of(header, dict[str, Any], file=path)
    for name, value in facts.items():
        if name not in _FIELDS:
            raise BadInputError(f"unknown; known are {', '.join(sorted(_FIELDS))}", file=path, field=name)
        if isinstance(value, date):
            facts[name] = value.isoformat()
        elif isinstance(value, list):
            facts[name] = tuple(str(one) for one in value)
    for name in ("law_id", "name"):
        if not isinstance(facts.get(name), str) or not facts[name]:
            raise BadInputError("missing: an act needs it", file=path, field=name)
    return facts


def _points(first: int, last: int) -> str:
    return f"point {first}" if first == last else f"points {first} to {last}"


def _act(
    path: Path,
    facts: dict[str, Any],
    text: str,
    split: Split,
    document: DocumentText,
    origins: dict[str, str],
    kind: Kind | None = None,
) -> LegalTexts:
    try:
        version = msgspec.convert({"source": str(path)} | facts, LawVersion)
    except msgspec.ValidationError as error:
        raise BadInputError(f"the header does not fit: {error}", file=path) from error
    articles = [msgspec.structs.replace(one, law_id=version.law_id) for one in split.articles]
    skipped = [
        Skipped(file=str(path), reason=f"an excerpt: {_points(*gap)} of the act stand nowhere in it")
        for gap in split.gaps
    ]
    if not articles:
        whole = text_of(text)
        reason = "no articles found: kept as one text, which no citation of an article can meet"
        skipped = [Skipped(file=str(path), reason=reason if whole else "the act has no text")]
        articles = [Article(law_id=version.law_id, number="", text=whole)] if whole else []
    understood = Understood(
        kind="act",
        name=version.name,
        document=version.law_id,
        form=document.form,
        number=origins.pop("#number", ""),
        dates={name: day for name in _DATES if (day := getattr(version, name))},
        origins=origins,
        signs=kind.signs if kind else ("header of facts",),
        articles=len(articles),
        language=root_language(text[:HEAD]),
        identifiers=version.stated.identifiers,
        notes=(*document.notes, *_doubts(kind), *_unread(split)),
    )
    return LegalTexts(versions=[version], articles=articles, skipped=skipped, understood=[understood])


def _unread(split: Split) -> tuple[str, ...]:
    """A note on lines that look like the beginning of an article and are none."""
    if not split.unread:
        return ()
    listed = "; ".join(line[:_QUOTED] for line in split.unread[:_LISTED])
    more = f" and {len(split.unread) - _LISTED} more" if len(split.unread) > _LISTED else ""
    return (f"read as text, since the number does not go on: {listed}{more}",)


def _doubts(kind: Kind | None) -> tuple[str, ...]:
    """A note on signs of the other kind, where there are several: a person should look."""
    if kind is None or len(kind.against) < 2:
        return ()
    taken, other = ("an act", "a decision") if kind.name == "act" else ("a decision", "an act")
    return (f"taken for {taken}, with signs of {other}: {', '.join(kind.against)}",)


def _facts_from_text(
    path: Path, document: DocumentText, split: Split, correction: Correction
) -> tuple[dict[str, Any], dict[str, str]]:
    """Name and dates of an act without a header, and where each of them was read."""
    text = document.text
    title = title_of(text)
    if title is None and (named := correction.name or document.running_head):
        title = Title(named, origin=CORRECTIONS if correction.name else "head of the pages")
    if title is None:
        raise BadInputError(
            f"the act cannot be named: no line before its first article is a name. Write it into {CORRECTIONS} beside the "
            f'file: ["{path.name}"] name = "…"',
            file=path,
        )
    preamble = split.preamble or text[:HEAD]
    dated = re.search(r"[(（_ ]?((?:19|20)\d\d-\d\d-\d\d)[)）]?$", path.stem)
    # Chinese acts list their history under the title; elsewhere a recital is full of the days of other acts.
    heading = (
        preamble[:HEAD] if root_language(title.name) == "zh" else "\n".join(preamble.splitlines()[:_HEADING_LINES])
    )
    days = days_with_roles(heading)
    made = [day for day, role in days if role == "adopted"]
    # The only day of a heading is that of the act, unless words beside it say that it is another one.
    plain = [day for day, role in days if not role]
    closing = re.search(r"自([^，。；\n]{6,20}日)起(?:施行|实施)", preamble[:HEAD] + text[-1500:])
    sources = {
        "file name": dated[1] if dated else "",
        title.number_origin: title.adopted,
        _HEADING_DAY: made[-1] if made else "",
        f"{_HEADING_DAY}, which does not say what day it is": plain[-1] if plain else "",
    }
    where, adopted = next(((where, day) for where, day in sources.items() if day), ("", ""))
    begins = {
        "closing provisions": iso_dates(closing[1])[-1:] if closing else [],
        _HEADING_DAY: [day for day, role in days if role == "in_force"][-1:],
    }
    # An earlier day is when the act that it replaces came into force.
    begun, in_force = next(((name, one[0]) for name, one in begins.items() if one and one[0] >= adopted), ("", ""))
    until = next((day for day, role in reversed(days) if role == "until" and day >= max(adopted, in_force)), "")
    facts = {
        "law_id": path.stem,
        "name": title.name,
        "short_names": title.short_names,
        "jurisdiction": title.jurisdiction,
        "adopted": adopted,
        "since": min(filter(None, [*made, *plain, adopted]), default=""),
        "in_force": in_force,
        "until": until,
        "in_force_source": "text" if in_force else "",
        "level": title.level,
    }
    if title.number:
        facts["facts"] = {"identifiers": (f"№ {title.number}",)}
    origins = {"name": title.origin, "#number": title.number}
    if title.number:
        origins["number"] = title.number_origin
    read = {"adopted": where if adopted else "", "in_force": begun, "until": _HEADING_DAY if until else ""}
    return facts, origins | {name: one for name, one in read.items() if one}


def _decision(path: Path, document: DocumentText, kind: Kind) -> LegalTexts:
    text = document.text
    head = text[:HEAD]
    (number, also), cause = numbers_in(head), _CAUSE.search(head)
    ecli = re.search(r"ECLI:[A-Z]{2}:[A-Z0-9]{1,7}:\d{4}:[A-Z0-9.]{1,25}", head)
    also += (ecli[0],) if ecli and ecli[0] != number else ()
    # А40-12345/20-100-77: the court adds numbers of its own, which nobody cites.
    if short := re.fullmatch(r"([А-Я]{1,2}\d{1,3}-\d{1,7}/\d{2,4})(?:-\d{1,5}){1,3}", number):
        also = (normal_case_number(short[1]), *also)
    # Chinese courts date their judgments at the end; elsewhere the head comes with the day.
    at_end = root_language(head) == "zh"
    days = (iso_dates(text[-1500:]) if at_end else [one for one in [day_in(head)] if one]) or iso_dates(text[-1500:])
    decision = Decision(
        id=decision_id(number, path.stem, path),
        case_number=number,
        also=also,
        court=court_in(head),
        date=days[-1] if days else "",
        cause=cause[1] if cause else "",
        title=next((" ".join(line.split()) for line in text.splitlines() if line.strip("# ")), "").strip("# ")[:200],
        text=text_of(text),
        source=str(path),
    )
    missing = [] if number else ["no case number was read: its id is made of the file's name"]
    missing += [] if days else ["no date was read"]
    understood = Understood(
        kind="decision",
        name=decision.title,
        document=decision.id,
        form=document.form,
        number=number,
        court=decision.court,
        dates={"decided": decision.date} if decision.date else {},
        origins=({"number": "head"} if number else {})
        | ({"decided": "end of the text" if at_end else "head"} if days else {}),
        signs=kind.signs,
        language=root_language(head),
        identifiers=also,
        notes=(*document.notes, *missing, *_doubts(kind)),
    )
    return LegalTexts(decisions=[decision], understood=[understood])
