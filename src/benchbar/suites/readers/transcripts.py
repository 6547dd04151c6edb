"""Reads transcripts of chats, and Inspect's logs, as a suite: what each user asked. ``recorded`` assistants read the answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchbar.languages.text import detect_language
from benchbar.records import CONSULTATION, QUESTION_ANSWERING, Sample, Suite, SuiteCard, fingerprint
from benchbar.records.errors import BadInputError
from benchbar.suites.folder import shown_rows
from benchbar.suites.readers.questions import TASK, TASKS
from benchbar.suites.readers.rows import gather
from benchbar.tables.table import Table
from benchbar.tables.transcripts import identity, question_of, read_transcripts, reference_of, turns_of, unread_heads


def read(path: Path) -> Suite:
    """One sample for each transcript; of several with the same id, the first.

    Where any has more than one exchange it is a suite of consultations, else of questions that are asked once.

    Raises:
        BadInputError: the file cannot be read, or no transcript is in it.
    """
    table = read_transcripts(path)
    exchanges: list[int] = []
    samples = gather(table, ((line, _sample(table, line, row, exchanges)) for line, row in table), "transcript")
    languages = [sample.language for sample in samples]
    card = SuiteCard(
        name=path.stem,
        description="What users asked in transcripts.",
        language=max(set(languages), key=lambda one: (languages.count(one), one)),
        protocol=CONSULTATION if max(exchanges) > 1 else QUESTION_ANSWERING,
    )
    return Suite(
        card=card, tasks=TASKS, samples=samples, problems=tuple(table.problems), understood=_understood(table, samples)
    )


def _understood(table: Table, samples: Sequence[Sample]) -> tuple[str, ...]:
    """What was taken and what was left; nothing of rows that say themselves what they are, and hold nothing else."""
    unread = unread_heads(table.columns)
    told = (f"not read: {', '.join(unread)}",) if unread else ()
    if not table.notes and not told:
        return ()
    expected = sum(bool(one.reference) for one in samples)
    counted = f"{len(samples)} questions, {expected} with an expected answer"
    return (f"read {table.path.name}: {table.format}; {counted}", *told, *table.notes, *shown_rows(samples))


def _sample(table: Table, line: int, row: dict[str, Any], exchanges: list[int]) -> Sample | None:
    try:
        turns = turns_of(row) or ()
    except BadInputError as error:
        table.problem(error.message, line=line, field=error.field)
        return None
    question = question_of(turns).strip()
    if not question:
        table.problem("no turn of a user; expected turns, messages or conversations", line=line, field="messages")
        return None
    exchanges.append(sum(turn.role == "assistant" for turn in turns))
    return Sample(
        id=identity(row) or f"q-{fingerprint(question)[:12]}",
        task=TASK,
        needs=question,
        language=detect_language(question),
        reference=reference_of(row),
    )
