"""A run's answers as a Ragas dataset: JSONL in the field names of its evaluation samples."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from benchbar.artefacts.folder import Material
from benchbar.records import Dialogue, RunResults, Sample, Suite
from benchbar.records.errors import UnknownNameError, UserError


def as_ragas(results: RunResults, material: Material, suite: Suite, assistant: str | None) -> bytes:
    """One line for each answered question of one assistant; dialogues of several exchanges give their last.

    Raises:
        UserError: no assistant is named, and there are several; or there is none of that name.
    """
    names = list(results.assistants)
    if assistant is None and len(names) > 1:
        raise UserError(
            f"a Ragas dataset holds the answers of one system; name it with --assistant: {', '.join(names)}"
        )
    name = assistant or names[0]
    if name not in names:
        raise UnknownNameError("assistant", name, names)
    rows = (
        _row(sample, dialogue)
        for sample in suite.samples
        # A dialogue that failed before its first answer has none to measure, and Ragas knows no missing.
        if (dialogue := material.dialogues.get(sample.id, {}).get(name)) and dialogue.exchanges
    )
    return b"".join(_lines(rows))


def _lines(rows: Iterator[dict[str, Any]]) -> Iterator[bytes]:
    for row in rows:
        yield msgspec.json.encode(row) + b"\n"


def _row(sample: Sample, dialogue: Dialogue) -> dict[str, Any]:
    last = {turn.role: turn.content for turn in dialogue.turns}
    row: dict[str, Any] = {"id": sample.id, "user_input": last.get("user", ""), "response": last["assistant"]}
    # An empty list says that nothing was retrieved; left out, that nobody told.
    if dialogue.contexts is not None:
        row["retrieved_contexts"] = [passage.text for passage in dialogue.contexts]
        row["retrieved_context_ids"] = [passage.id for passage in dialogue.contexts]
    if sample.reference:
        row["reference"] = sample.reference
    if sample.evidence:
        row["reference_context_ids"] = list(sample.evidence)
    return row
