"""Corrections of what files were taken for: ``law.toml`` beside the files, which the user writes and the reader obeys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from benchbar.law.dates import is_day
from benchbar.law.legal_texts import LegalTexts, Skipped, Understood
from benchbar.records import Article, Decision, LawVersion, Record, encode
from benchbar.records.base import converted
from benchbar.records.errors import BadInputError
from benchbar.records.toml import read_text, toml_of

CORRECTIONS = "law.toml"
Labelled = TypeVar("Labelled", LawVersion, Decision)


class Correction(Record, frozen=True):
    """What a user says of a file; empty fields leave what was read."""

    kind: Literal["", "act", "decision"] = ""
    skip: bool = False
    name: str = ""
    law_id: str = ""
    short_names: tuple[str, ...] = ()
    jurisdiction: str = ""
    level: str = ""
    adopted: str = ""
    in_force: str = ""
    until: str = ""
    supersedes: str = ""
    repeals: tuple[str, ...] = ()
    part: str = ""
    case_number: str = ""
    court: str = ""
    date: str = ""
    """Day of a decision."""
    overruled_by: str = ""
    labels: tuple[str, ...] = ()
    """Access labels, added to those of outer folders."""


_VERSION = ("name", "short_names", "jurisdiction", "level", "adopted", "in_force", "until", "supersedes", "repeals", "part")  # fmt: skip
_DECISION = ("case_number", "court", "date", "overruled_by")
_DAYS = ("adopted", "in_force", "until", "date")


@dataclass(frozen=True, slots=True)
class Corrections:
    """All corrections of a set of paths: by the folder of each ``law.toml`` its patterns."""

    by_folder: tuple[tuple[Path, Mapping[str, Correction]], ...] = ()

    @classmethod
    def under(cls, paths: Sequence[Path]) -> Corrections:
        """Those in the folders named, in folders below them, and beside files that are named.

        Raises:
            BadInputError: a file of corrections cannot be read, or has a field that is unknown or no day.
        """
        found = {
            file.resolve()
            for path in paths
            for file in ([path.parent / CORRECTIONS] if path.is_file() else path.rglob(CORRECTIONS))
            if file.is_file()
        }
        # Outer folders first, so that an inner one has the last word.
        return cls(tuple((one.parent, _read(one)) for one in sorted(found, key=lambda one: (len(one.parts), one))))

    def of(self, file: Path) -> Correction:
        """What is said of a file; labels of all its folders add up."""
        fields: dict[str, Any] = {}
        labels: dict[str, None] = {}
        for folder, patterns in self.by_folder:
            if folder in file.parents:
                relative = file.relative_to(folder).as_posix()
                for pattern, correction in patterns.items():
                    if fnmatchcase(relative, pattern):
                        fields |= _given(correction)
                        labels |= dict.fromkeys(correction.labels)
        return msgspec.convert(fields | {"labels": tuple(labels)}, Correction)

    def unmet(self, files: Sequence[Path]) -> list[Skipped]:
        """The patterns that no file has: a misspelt one would silently correct, or hide, nothing."""
        return [
            Skipped(file=str(folder / CORRECTIONS), reason=f"no file here is named {pattern!r}")
            for folder, patterns in self.by_folder
            for pattern in patterns
            if not any(
                folder in file.parents and fnmatchcase(file.relative_to(folder).as_posix(), pattern) for file in files
            )
        ]


def _read(file: Path) -> dict[str, Correction]:
    tables = toml_of(read_text(file), dict[str, dict[str, Any]], file=file)
    # TOML has dates of its own; here, as everywhere, a day is text.
    plain = {
        pattern: {name: value.isoformat() if isinstance(value, date) else value for name, value in fields.items()}
        for pattern, fields in tables.items()
    }
    found = converted(plain, dict[str, Correction], file=file)
    for pattern, correction in found.items():
        for name in _DAYS:
            day = getattr(correction, name)
            if day and not is_day(day):
                raise BadInputError(f"{day!r} is no date as YYYY-MM-DD", file=file, field=f"{pattern}.{name}")
    return found


def _given(correction: Correction) -> dict[str, Any]:
    return {
        name: value
        for name, value in msgspec.structs.asdict(correction).items()
        if value not in ("", (), False) and name != "labels"
    }


def stamp(correction: Correction) -> str:
    """What changes when the corrections of a file do; empty where there are none."""
    return encode(correction).decode() if correction != Correction() else ""


def corrected(legal_texts: LegalTexts, correction: Correction) -> LegalTexts:
    """The legal texts of one file as the user says that it is; fields of one document need a file of one document."""
    if correction == Correction():
        return legal_texts
    fields = _given(correction)
    versions, decisions, articles = legal_texts.versions, legal_texts.decisions, legal_texts.articles
    if len(versions) == 1 and not decisions:
        versions, articles = [_version(versions[0], fields)], _renamed(articles, fields.get("law_id", ""))
    elif len(decisions) == 1 and not versions:
        decisions = [_decision(decisions[0], fields)]
    elif set(fields) - {"kind"}:
        legal_texts.skipped.append(
            Skipped(file=CORRECTIONS, reason="names and dates can be corrected only in a file that holds one document")
        )
    if correction.labels:
        versions = [_labelled(one, correction.labels) for one in versions]
        decisions = [_labelled(one, correction.labels) for one in decisions]
    understood = [_understood(one, fields, correction.labels) for one in legal_texts.understood]
    return LegalTexts(
        versions, articles, decisions, legal_texts.skipped, understood, legal_texts.claims, legal_texts.as_of
    )


def _version(version: LawVersion, fields: dict[str, Any]) -> LawVersion:
    own = {name: fields[name] for name in (*_VERSION, "law_id") if name in fields}
    if "in_force" in own:
        own["in_force_source"] = "stated"
    return msgspec.structs.replace(version, **own)


def _renamed(articles: list[Article], law_id: str) -> list[Article]:
    return [msgspec.structs.replace(one, law_id=law_id) for one in articles] if law_id else articles


def _decision(decision: Decision, fields: dict[str, Any]) -> Decision:
    own = {name: fields[name] for name in _DECISION if name in fields}
    if "case_number" in own:
        own["id"] = own["case_number"]
    if "name" in fields:
        own["title"] = fields["name"]
    return msgspec.structs.replace(decision, **own)


def _labelled(one: Labelled, labels: tuple[str, ...]) -> Labelled:
    every = tuple(dict.fromkeys((*one.stated.labels, *labels)))
    return msgspec.structs.replace(one, facts=msgspec.structs.replace(one.stated, labels=every))


def _understood(one: Understood, fields: dict[str, Any], labels: tuple[str, ...]) -> Understood:
    dates = {name: fields[key] for name, key in (("adopted",) * 2, ("in_force",) * 2, ("until",) * 2, ("decided", "date")) if key in fields}  # fmt: skip
    named = {"name": "name", "document": "law_id", "number": "case_number", "court": "court"}
    own = {name: fields[key] for name, key in named.items() if key in fields}
    if "case_number" in fields:
        own["document"] = fields["case_number"]
    origins = dict.fromkeys((*own, *dates), CORRECTIONS)
    origins.pop("document", None)
    return msgspec.structs.replace(
        one,
        **own,
        dates=one.dates | dates,
        origins=one.origins | origins,
        labels=tuple(dict.fromkeys((*one.labels, *labels))),
    )
