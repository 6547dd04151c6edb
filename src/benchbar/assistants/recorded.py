"""``recorded``: dialogues that took place elsewhere, by sample; bring the transcripts you already have."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from benchbar.errors import BadInputError
from benchbar.protocols import Workshop
from benchbar.records import Dialogue, DialogueEnd, Sample, Turn, fingerprint
from benchbar.rows import Rows


class RecordedAnswers:
    """Answers read from a file: one row a sample, with the answer, or with all turns."""

    def __init__(self, path: Path) -> None:
        """Read the rows of a JSONL or CSV file: ``sample`` and ``answer``, or ``sample`` and ``turns``.

        Raises:
            BadInputError: a row lacks a field, or a sample is answered twice.
        """
        self._turns: dict[str, tuple[Turn, ...] | str] = {}
        rows = Rows(path)
        for line, row in rows.objects():
            sample = str(row.get("sample") or row.get("sample_id") or row.get("id") or "")
            if not sample:
                raise BadInputError("the id of a sample is missing", file=path, line=line, field="sample")
            if sample in self._turns:
                raise BadInputError(f"a second answer for sample {sample!r}", file=path, line=line, field="sample")
            self._turns[sample] = _said(path, line, row)
        if rows.problems:
            first = rows.problems[0]
            raise BadInputError(first.message, file=path, line=first.line, field=first.field)
        self.identity = f"recorded:{fingerprint(sorted((key, str(value)) for key, value in self._turns.items()))}"

    def dialogue(self, sample: Sample) -> Dialogue | None:
        """The recorded dialogue about a sample, or None where there is none."""
        said = self._turns.get(sample.id)
        if said is None:
            return None
        if isinstance(said, str):
            question = f"{sample.information}\n{sample.needs}".strip()
            said = (Turn(role="user", content=question), Turn(role="assistant", content=said))
        return Dialogue(sample=sample.id, assistant="", turns=said, ended=DialogueEnd.TURN_LIMIT)


def _said(path: Path, line: int, row: dict[str, Any]) -> tuple[Turn, ...] | str:
    turns = row.get("turns")
    if isinstance(turns, str) and turns.strip():
        turns = msgspec.json.decode(turns)
    if turns:
        try:
            return msgspec.convert(turns, tuple[Turn, ...])
        except msgspec.ValidationError as error:
            raise BadInputError(str(error), file=path, line=line, field="turns") from error
    if "answer" not in row:
        raise BadInputError("neither answer nor turns is there", file=path, line=line, field="answer")
    return str(row["answer"])


def build(workshop: Workshop, *, file: str) -> RecordedAnswers:
    """Dialogues from a file beside the spec."""
    return RecordedAnswers(workshop.path(file))
