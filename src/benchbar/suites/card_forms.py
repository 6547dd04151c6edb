"""The card as Markdown, and as JSON-LD in the Croissant vocabulary."""

from __future__ import annotations

import hashlib
import html
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchbar.records import SCENARIOS, Suite
from benchbar.records.errors import UserError
from benchbar.records.files import read_bounded

_SPECIAL = re.compile(r"([\\`*_\[\]|#])")


def _text(value: object) -> str:
    """Text of others, which may neither form Markdown nor HTML."""
    return _SPECIAL.sub(r"\\\1", html.escape(" ".join(str(value).split()), quote=False))


def _table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    lines = [header, ["---"] * len(header), *rows]
    return ["| " + " | ".join(str(cell) if cell == "---" else _text(cell) for cell in line) + " |" for line in lines]


def markdown(card: Mapping[str, Any]) -> str:
    """The card for people."""
    parts = [
        [f"# {_text(card['name'])}", "", _text(card["description"])],
        _facts(card),
        _sources(card),
        _statistics(card),
        _taxonomy(card),
        _guidance(card),
        _making(card),
        ["## Known limits", "", *(f"- {_text(limit)}" for limit in card["limits"] or ["None are stated."])],
    ]
    return "\n\n".join("\n".join(part).strip() for part in parts if part) + "\n"


def _facts(card: Mapping[str, Any]) -> list[str]:
    names = (
        "version",
        "language",
        "jurisdiction",
        "licence",
        "protocol",
        "published",
        "url",
        "fingerprint",
        "citation",
    )
    rows = [(name, card[name]) for name in names if card[name]]
    authors = [("authors", ", ".join(card["authors"]))] if card["authors"] else []
    return _table(("", ""), [*rows, *authors])


def _sources(card: Mapping[str, Any]) -> list[str]:
    rows = [
        (one["title"] or one["name"], one["licence"], one["samples"], f"{one['percent']:.1f}%")
        for one in card["sources"]
    ]
    total = sum(one["samples"] for one in card["sources"])
    licences = "; ".join(f"{_text(name)} {percent:.1f}%" for name, percent in card["licences"].items())
    table = _table(("source", "licence", "samples", "share"), [*rows, ("all", "", total, "100.0%")])
    return ["## Sources and licences", "", *table, "", f"By licence: {licences}."]


def _statistics(card: Mapping[str, Any]) -> list[str]:
    rows = [
        (one["level"], one["id"], one["name"], ", ".join(one["sources"]), one["samples"]) for one in card["statistics"]
    ]
    total = sum(one["samples"] for one in card["statistics"])
    return ["## Statistics", "", *_table(("level", "id", "task", "source", "n"), [*rows, ("all", "", "", "", total)])]


def _taxonomy(card: Mapping[str, Any]) -> list[str]:
    asked = {scenario for row in card["taxonomy"].values() for scenario in row}
    columns = [one for one in SCENARIOS if one in asked] + sorted(asked - set(SCENARIOS))
    rows = [(level, *("; ".join(row.get(one, ())) for one in columns)) for level, row in card["taxonomy"].items()]
    return ["## Taxonomy", "", *_table(("level", *(one.replace("_", " ") for one in columns)), rows)]


def _guidance(card: Mapping[str, Any]) -> list[str]:
    own, reading = card["guidance"], card["reading"]
    lines = ["## Guidance", ""]
    if own["points"]:
        share = own["rules_decide"]
        lines += _table(("points", "number"), [*own["categories"].items(), ("all", own["points"])])
        lines += [
            "",
            f"{own['points_per_sample']:.1f} points a sample; rules can decide {share['points']:.1%} of them.",
        ]
    else:
        lines.append("No sample has guidance.")
    if reading["median"] is not None:
        lines.append(
            f"Information and needs have {reading['median']:g} characters (median); all take {reading['minutes']:g} minutes to read."
        )
    found = ", ".join(f"{count} {kind}" for kind, count in card["personal_data"].items())
    return [*lines, f"Personal data found by rules: {found or 'none'}."]


def _making(card: Mapping[str, Any]) -> list[str]:
    lines = ["## How it was made", ""]
    if survey := card["survey"]:
        kept = f"{survey['retained']} use cases were retained, {survey['dropped']} dropped"
        scenarios = ", ".join(f"{_text(name)} {count}" for name, count in survey["by_scenario"].items())
        lines.append(
            f"- Survey: {survey['collected']} responses, {survey['valid']} of them valid ({scenarios}); {kept} at a share of "
            f"{survey['threshold']:.0%}, {survey['undecided']} undecided."
        )
    if check := card["verification"]:
        rework = ", ".join(map(_text, check["rework"])) or "none"
        lines.append(
            f"- Verification: {check['passed']} of {check['tasks']} tasks pass at {check['threshold']:g} by {check['raters']} raters "
            f"in {len(check['rounds'])} rounds; to rework: {rework}."
        )
    if own := card["annotation"]:
        people = ", ".join(f"{_text(name)} {count}" for name, count in own["annotators"].items())
        by = f" by {', '.join(map(_text, own['decided_by']))}" if own["adjudicated"] else ""
        lines.append(
            f"- Annotation: {people} samples; {own['agreed']} agreed, {own['adjudicated']} decided{by}, {own['single']} by one annotator "
            f"alone, {own['disputed']} disputed."
        )
        lines += [f"- {_text(name)}: {_estimate(one)}" for name, one in (own["agreement"] or {}).items()]
    # Fewer lines are only the heading.
    return lines if len(lines) > 2 else []


def _estimate(one: Mapping[str, Any]) -> str:
    if one["value"] is None:
        return f"undefined: {_text(one['reason'])}"
    interval = f" [{one['low']:.3f}, {one['high']:.3f}]" if one["low"] is not None else ""
    return f"{one['value']:.3f}{interval}, n = {one['n']}"


_CONTEXT: dict[str, Any] = {
    "@language": "en", "@vocab": "https://schema.org/", "citeAs": "cr:citeAs", "column": "cr:column",
    "conformsTo": "dct:conformsTo", "cr": "http://mlcommons.org/croissant/", "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"}, "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/", "equivalentProperty": "cr:equivalentProperty", "examples": {"@id": "cr:examples", "@type": "@json"}, "extract": "cr:extract",
    "field": "cr:field", "fileProperty": "cr:fileProperty", "fileObject": "cr:fileObject", "fileSet": "cr:fileSet",
    "format": "cr:format", "includes": "cr:includes", "isLiveDataset": "cr:isLiveDataset", "jsonPath": "cr:jsonPath",
    "key": "cr:key", "md5": "cr:md5", "parentField": "cr:parentField", "path": "cr:path", "recordSet": "cr:recordSet",
    "references": "cr:references", "regex": "cr:regex", "repeated": "cr:repeated", "replace": "cr:replace", "samplingRate": "cr:samplingRate", "sc": "https://schema.org/",
    "separator": "cr:separator", "source": "cr:source", "subField": "cr:subField", "transform": "cr:transform",
}  # fmt: skip
"""The context that the Croissant specification 1.0 gives."""
_FIELDS = (
    ("id", "Unique in the suite."),
    ("task", "The kind of legal work."),
    ("information", "What the user knows."),
    ("needs", "What the user wants to know."),
    ("language", "Of the sample."),
)
_NUMBERS = re.compile(r"\d+(?:\.\d+){0,2}")


def croissant(suite: Suite, card: Mapping[str, Any]) -> dict[str, Any]:
    """The card as a JSON-LD document that conforms to Croissant 1.0: files with their hashes, fields, provenance.

    Raises:
        UserError: the suite is no folder with ``samples.jsonl``, to whose bytes the hash could belong.
    """
    path = suite.folder / "samples.jsonl" if suite.folder else None
    if path is None or not path.exists():
        raise UserError("JSON-LD describes files: a suite folder with samples.jsonl was expected")
    data = read_bounded(path)
    licences = sorted({one["licence"] for one in card["sources"]} | ({card["licence"]} if card["licence"] else set()))
    document = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": card["name"],
        "description": card["description"] or f"Samples of legal work: {card['name']}.",
        "url": card["url"] or f"urn:benchbar:{card['fingerprint']}",
        "version": _version(card["version"]),
        "license": licences,
        "inLanguage": card["language"],
        "creator": [{"@type": "sc:Person", "name": name} for name in card["authors"] or ["unknown"]],
        "datePublished": card["published"] or None,
        "citeAs": card["citation"] or None,
        "isBasedOn": [one["url"] or one["title"] or one["name"] for one in card["sources"]],
        "rai:dataCollection": "; ".join(
            f"{one['title'] or one['name']} {one['percent']:.1f}%" for one in card["sources"]
        ),
        "rai:dataLimitations": card["limits"],
        "rai:personalSensitiveInformation": [f"{kind}: {count}" for kind, count in card["personal_data"].items()],
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": "samples.jsonl",
                "name": "samples.jsonl",
                "contentUrl": "samples.jsonl",
                "contentSize": f"{len(data)} B",
                "encodingFormat": "application/jsonlines",
                "sha256": hashlib.sha256(data).hexdigest(),
            }
        ],
        "recordSet": [{"@type": "cr:RecordSet", "@id": "samples", "name": "samples", "field": list(_fields())}],
    }
    return {name: value for name, value in document.items() if value not in (None, [], "")}


def _fields() -> Iterable[dict[str, Any]]:
    for name, description in _FIELDS:
        yield {
            "@type": "cr:Field",
            "@id": f"samples/{name}",
            "name": f"samples/{name}",
            "description": description,
            "dataType": "sc:Text",
            "source": {"fileObject": {"@id": "samples.jsonl"}, "extract": {"column": name}},
        }


def _version(given: str) -> str:
    """MAJOR.MINOR.PATCH, as Croissant asks; what is no number of a version becomes 0.0.0."""
    if not _NUMBERS.fullmatch(given):
        return "0.0.0"
    return ".".join([*given.split("."), "0", "0"][:3])
