"""``recorded``: dialogues that took place elsewhere, by sample; bring the transcripts you already have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from benchbar.records import ContextPassage, Dialogue, DialogueEnd, Record, Sample, Turn, fingerprint
from benchbar.records.errors import BadInputError
from benchbar.records.protocols import Context
from benchbar.records.thoughts import parted
from benchbar.suites.question_table import question_table
from benchbar.suites.table_rows import answers_in
from benchbar.tables import ragas
from benchbar.tables.transcripts import identity, question_of, read_transcripts, turns_of


class RecordedAnswers:
    """Answers read from a file: one row a sample, with the answer, or with all turns."""

    def __init__(self, path: Path, column: str = "", columns: Mapping[str, str] | None = None, sheet: str = "") -> None:
        """Read the rows of a table, ``sample`` and ``answer`` or ``sample`` and ``turns``, or a log of Inspect.

        ``contexts`` may hold the passages that an answer was written from. Rows that name no sample, those of a Ragas
        dataset and of transcripts, are found by what the user asked first. With ``column``, the answers under that head of a
        table of questions, whose ``columns`` (field to head) and ``sheet`` are those that the suite is read with.

        Raises:
            BadInputError: a row lacks a field, or a sample is answered twice.
        """
        self._said = _in_column(path, column, columns or {}, sheet) if column else _in_rows(path)
        self.identity = f"recorded:{fingerprint(sorted(self._said.items(), key=lambda item: item[0]))}"

    def dialogue(self, sample: Sample) -> Dialogue | None:
        """The recorded dialogue about a sample, or None where there is none."""
        said = self._said.get(sample.id) or self._said.get(_by_question(sample.needs))
        if said is None:
            return None
        turns = said.turns
        if said.answer is not None:
            question = f"{sample.information}\n{sample.needs}".strip()
            turns = (Turn(role="user", content=question), Turn(role="assistant", content=said.answer))
        return Dialogue(
            sample=sample.id,
            assistant="",
            turns=tuple(map(_spoken, turns)),
            ended=DialogueEnd.TURN_LIMIT,
            contexts=said.contexts,
        )

    def unmatched(self, samples: Iterable[Sample]) -> list[str]:
        """What the rows name, an id or the question itself, that fits none of the samples."""
        known = {key for sample in samples for key in (sample.id, _by_question(sample.needs))}
        return [key.removeprefix("\0") for key in self._said if key not in known]


class _Said(Record, frozen=True):
    """An answer, or the turns of a whole dialogue."""

    answer: str | None = None
    turns: tuple[Turn, ...] = ()
    contexts: tuple[ContextPassage, ...] | None = None


def _in_rows(path: Path) -> dict[str, _Said]:
    found: dict[str, _Said] = {}
    models: dict[str, None] = {}
    table = read_transcripts(path)
    for line, row in table:
        try:
            name, said = _read(row)
        except BadInputError as error:
            raise BadInputError(error.message, file=path, line=line, field=error.field) from error
        models |= {str(row[key]): None for key in _MODELS if row.get(key)}
        if name in found:
            raise BadInputError(_second(name, list(models)), file=path, line=line, field="sample")
        found[name] = said
    if table.problems:
        first = table.problems[0]
        raise BadInputError(first.message, file=path, line=first.line, field=first.field)
    if not found:
        raise BadInputError(
            "no answer is in it; rows with `sample` and `answer`, or `sample` and `turns`, were expected", file=path
        )
    return found


_MODELS = ("model", "assistant", "model_name")
"""Fields in which logs name who answered."""


def _second(name: str, models: Sequence[str]) -> str:
    sample = name.removeprefix("\0")
    if len(models) > 1:
        return (
            f"a second answer for sample {sample!r}: the rows are of several models ({', '.join(models[:4])}); make a file of each,"
            " and name the files one after another"
        )
    return f"a second answer for sample {sample!r}"


def _in_column(path: Path, column: str, columns: Mapping[str, str], sheet: str) -> dict[str, _Said]:
    table = question_table(path, sheet=sheet, labels=columns.values(), answers=column)
    found = answers_in(table, column, columns)
    return {id_: _Said(answer=answer) for id_, answer in found.items()}


def _spoken(turn: Turn) -> Turn:
    """The turn without the thoughts of a reasoning model, which whoever recorded it may have kept in its text."""
    return replace(turn, content=parted(turn.content).answer) if turn.role == "assistant" else turn


def _by_question(question: str) -> str:
    """The key of a row that names no sample: no id of a sample begins so."""
    return f"\0{question.strip()}"


def _read(row: dict[str, Any]) -> tuple[str, _Said]:
    sample = identity(row)
    if not sample and any(row.get(name) for name in ragas.QUESTION):
        found = ragas.read_row(row)
        if found.answer is None:
            raise BadInputError("this row of a Ragas dataset holds no answer", field=ragas.ANSWER[0])
        return _by_question(found.question), _Said(answer=found.answer, contexts=found.contexts)
    turns = turns_of(row)
    if not sample and turns is None:
        raise BadInputError("the id of a sample is missing", field="sample")
    contexts = next((row[name] for name in ragas.CONTEXTS if name in row), None)
    passages = ragas.read_contexts(contexts, row.get(ragas.IDS))
    if turns is not None:
        return sample or _by_question(question_of(turns)), _Said(turns=turns, contexts=passages)
    answer = next((row[name] for name in ("answer", "response") if name in row), None)
    if answer is None:
        raise BadInputError("neither answer nor turns is there", field="answer")
    return sample, _Said(answer=str(answer), contexts=passages)


def build(
    context: Context, *, file: str, column: str = "", columns: Mapping[str, str] | None = None, sheet: str = ""
) -> RecordedAnswers:
    """Dialogues from a file beside the spec; with ``column``, the answers that a table of questions holds there."""
    return RecordedAnswers(context.path(file), column, columns, sheet)
