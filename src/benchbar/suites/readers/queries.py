"""Reads questions with relevance judgements: ``questions.jsonl`` and, beside it, ``qrels.tsv``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from benchbar.languages.text import detect_language
from benchbar.law.dates import day_of
from benchbar.records import QUESTION_ANSWERING, UNANSWERABLE, Sample, Suite, SuiteCard, Task
from benchbar.records.base import converted
from benchbar.records.errors import BadInputError
from benchbar.records.toml import read_toml
from benchbar.suites.readers.rows import RowError, identity, read_suite, text
from benchbar.tables.encodings import read_text

FILE, JUDGEMENTS = "questions.jsonl", "qrels.tsv"
SUFFIX = "-questions"
_KINDS = {
    "single_article": ("Single article", "memory"),
    "multi_hop": ("Several provisions", "analyze"),
    "version": ("Law of a day", "apply"),
    UNANSWERABLE: ("Unanswerable", "evaluate"),
}
_OTHER = "question"


def read(path: Path) -> Suite:
    """The questions of a file, or of the folder that holds it; a card beside them says where they come from.

    Raises:
        BadInputError: files cannot be read, or no row is a question.
    """
    file = path / FILE if path.is_dir() else path
    beside = file.parent / JUDGEMENTS
    judged = read_judgements(beside) if beside.exists() else {}
    card, stated = _card(file)
    suite = read_suite(file, card, _tasks(), lambda row: _sample(row, judged, stated))
    counts = Counter(sample.language for sample in suite.samples)
    card = msgspec.structs.replace(card, language=stated or max(counts, key=lambda one: (counts[one], one)))
    return Suite(card=card, tasks=suite.tasks, samples=suite.samples, folder=file.parent, problems=suite.problems)


def _card(file: Path) -> tuple[SuiteCard, str]:
    """The card, and the language that it states; empty where it states none."""
    beside = file.parent / "card.toml"
    if not beside.exists():
        return SuiteCard(name=file.parent.name + SUFFIX, protocol=QUESTION_ANSWERING), ""
    given = read_toml(beside, dict[str, Any])
    card = converted(given, SuiteCard, file=beside)
    own = {
        "name": card.name + SUFFIX,
        "description": "Questions with graded relevance.",
        "protocol": QUESTION_ANSWERING,
    }
    return msgspec.structs.replace(card, **own), str(given.get("language") or "")


def _tasks() -> dict[str, Task]:
    kinds = {**_KINDS, _OTHER: ("Question", "apply")}
    return {
        id_: Task(id=id_, name=name, level=level, scenarios=("general_public",)) for id_, (name, level) in kinds.items()
    }


def _sample(row: Mapping[str, Any], judged: Mapping[str, Mapping[str, float]], language: str) -> Sample:
    name, question, kind = identity(row, "query_id", "id"), text(row, "question"), str(row.get("kind") or "")
    # Judged and found irrelevant is no evidence.
    gains = {document: gain for document, gain in judged.get(name, {}).items() if gain > 0}
    return Sample(
        id=name,
        task=kind if kind in _KINDS else _OTHER,
        needs=question,
        language=language or detect_language(question),
        on=_day(row),
        # Only a stated false: most sets have no such field.
        tags=(UNANSWERABLE,) if row.get("answerable") is False else (),
        reference=str(row.get("answer") or ""),
        evidence=tuple(gains),
        gains=gains,
    )


def _day(row: Mapping[str, Any]) -> str | None:
    if not row.get("on"):
        return None
    try:
        return day_of(str(row["on"]))
    except ValueError as error:
        raise RowError("on", f"{error}") from error


def read_judgements(path: Path) -> dict[str, dict[str, float]]:
    """Question id to the documents judged and their relevance, from lines divided by tabs.

    Raises:
        BadInputError: a line has other than four columns, or a relevance is no number.
    """
    found: dict[str, dict[str, float]] = {}
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if not line.strip():
            continue
        columns = line.split("\t")
        try:
            query, _, document, relevance = columns
            found.setdefault(query.strip(), {})[document.strip()] = float(relevance)
        except ValueError as error:
            raise BadInputError(
                f"found {len(columns)} columns; expected question id, 0, document and relevance, divided by tabs",
                file=path,
                line=number,
            ) from error
    return found
