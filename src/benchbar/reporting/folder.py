"""Reads a finished run folder: the results, and what was said and marked sample by sample."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import msgspec

from benchbar.errors import BadInputError, UserError
from benchbar.files import MAX_BYTES, read_bounded
from benchbar.records import CitedIn, Comparison, Dialogue, Record, RunResults, Score, Timing, decode, decode_lines

READ_VERSION = 1
"""Version of results.json that this Benchbar reads."""

R = TypeVar("R", bound=Record)


class _Versioned(msgspec.Struct):
    """The one field that every version of results.json has."""

    schema_version: int


@dataclass
class Material:
    """What a run left of each sample, by sample id and then by assistant."""

    dialogues: dict[str, dict[str, Dialogue]] = field(default_factory=dict)
    scores: dict[str, dict[str, list[Score]]] = field(default_factory=dict)
    comparisons: dict[str, dict[str, list[Comparison]]] = field(default_factory=dict)
    """By sample, then by candidate."""
    citations: dict[str, dict[str, list[CitedIn]]] = field(default_factory=dict)
    timing: dict[str, Timing] = field(default_factory=dict)


def read_results(run: Path) -> RunResults:
    """The results of the run in a folder.

    Raises:
        UserError: the folder is none of a run, the run has not finished, or another version wrote it.
        BadInputError: the file is damaged.
    """
    file = run / "results.json"
    if not file.is_file():
        raise UserError(_why_none(run))
    data = read_bounded(file)
    found = decode(data, _Versioned, file=file).schema_version
    if found != READ_VERSION:
        cure = "upgrade Benchbar to read it" if found > READ_VERSION else "run the same command again to write it anew"
        raise UserError(f"{file} has schema version {found}, this Benchbar reads version {READ_VERSION}; {cure}")
    return decode(data, RunResults, file=file)


def _why_none(run: Path) -> str:
    if not run.is_dir():
        return f"{run}: there is no such folder; expected the folder of a run, as `benchbar run --out` makes it"
    if (run / "run.json").is_file() or (run / "ledger.sqlite").is_file():
        return f"{run}: the run has not finished; run the same `benchbar run` command again to go on, then report"
    return f"{run}: no results.json in it; expected the folder of a run, as `benchbar run --out` makes it"


def read_material(run: Path) -> Material:
    """Dialogues, scores, comparisons, citations and timing of a run folder.

    Raises:
        BadInputError: a file is missing or damaged; names file, line and field.
    """
    found = Material()
    for dialogue in read_records(run / "dialogues.jsonl", Dialogue):
        found.dialogues.setdefault(dialogue.sample, {})[dialogue.assistant] = dialogue
    for score in read_records(run / "scores.jsonl", Score):
        found.scores.setdefault(score.sample, {}).setdefault(score.assistant, []).append(score)
    for comparison in read_records(run / "comparisons.jsonl", Comparison):
        found.comparisons.setdefault(comparison.sample, {}).setdefault(comparison.left, []).append(comparison)
    for cited in read_records(run / "citations.jsonl", CitedIn):
        found.citations.setdefault(cited.sample, {}).setdefault(cited.assistant, []).append(cited)
    timing = run / "timing.json"
    if timing.is_file():
        found.timing = decode(read_bounded(timing), dict[str, Timing], file=timing)
    return found


def read_records(file: Path, kind: type[R]) -> Iterator[R]:
    """The records of a JSONL file of a run folder, one after the other.

    Raises:
        BadInputError: it is missing or damaged; names file, line and field.
    """
    try:
        if (size := file.stat().st_size) > MAX_BYTES:
            raise BadInputError(f"{size} bytes; at most {MAX_BYTES} are read", file=file)
        with file.open("rb") as lines:
            yield from decode_lines(lines, kind, file=file)
    except OSError as error:
        hint = "run the same `benchbar run` command again to derive it from the ledger"
        raise BadInputError(f"cannot be read: {error.strerror}; {hint}", file=file) from error
