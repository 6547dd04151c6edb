"""Reads Ragas' datasets: questions with reference answers. The answers in them are read by ``recorded`` assistants."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchbar.languages.text import detect_language
from benchbar.records import QUESTION_ANSWERING, Sample, Suite, SuiteCard, fingerprint
from benchbar.records.errors import BadInputError
from benchbar.suites.readers.questions import TASK, TASKS
from benchbar.suites.readers.rows import RowError, read_suite
from benchbar.tables.ragas import read_row


def read(path: Path) -> Suite:
    """Questions of a JSONL, JSON or CSV file; a question that several systems answered is one sample."""
    card = SuiteCard(name=path.stem, description="Questions of a Ragas dataset.", protocol=QUESTION_ANSWERING)
    suite = read_suite(path, card, TASKS, _sample)
    languages = [sample.language for sample in suite.samples]
    language = max(set(languages), key=lambda one: (languages.count(one), one))
    own = SuiteCard(name=card.name, description=card.description, language=language, protocol=card.protocol)
    return Suite(card=own, tasks=suite.tasks, samples=suite.samples, problems=suite.problems)


def _sample(row: Mapping[str, Any]) -> Sample:
    try:
        found = read_row(row)
    except BadInputError as error:
        raise RowError(error.field or "row", str(error)) from error
    return Sample(
        id=str(row.get("id") or f"q-{fingerprint(found.question)[:12]}"),
        task=TASK,
        needs=found.question,
        language=detect_language(found.question),
        reference=found.reference,
        evidence=found.evidence,
    )
