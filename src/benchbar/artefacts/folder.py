"""Reads a finished run folder: the results, and what was said and marked sample by sample."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BufferedIOBase, BufferedReader
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from benchbar.artefacts.upgrades import FIRST_VERSION, upgraded
from benchbar.records import (
    CitedIn,
    Comparison,
    Dialogue,
    RunResults,
    Score,
    Timing,
    decode,
    decode_lines,
    encode,
)
from benchbar.records.errors import BadInputError, UserError
from benchbar.records.files import MAX_BYTES, read_bounded
from benchbar.records.results import RESULTS_VERSION

BUFFER = 1 << 17

R = TypeVar("R", bound=msgspec.Struct)


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
    failures: dict[str, dict[str, int]] = field(default_factory=dict)
    """Address to the slugs of errors that requests ended in, those included that were sent again."""


def read_results(run: Path) -> RunResults:
    """The results of the run in a folder; those of an older version are brought to this one.

    Raises:
        UserError: the folder is none of a run, the run has not finished, or a later version wrote it.
        BadInputError: the file is damaged.
    """
    file = run / "results.json"
    if not file.is_file():
        raise UserError(_why_none(run))
    data = read_bounded(file)
    version = decode(data, _Versioned, file=file).schema_version
    if version == RESULTS_VERSION:
        return decode(data, RunResults, file=file)
    if not FIRST_VERSION <= version < RESULTS_VERSION:
        raise UserError(
            f"{file} has schema version {version}; this Benchbar reads versions {FIRST_VERSION} to {RESULTS_VERSION}."
            " A later Benchbar wrote it: upgrade with `pip install --upgrade benchbar`"
        )
    try:
        return decode(encode(upgraded(decode(data, dict[str, Any], file=file))), RunResults, file=file)
    except (KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BadInputError(f"damaged: no results of schema version {version}", file=file) from error


def _why_none(run: Path) -> str:
    if not run.is_dir():
        return f"{run}: there is no such folder; expected the folder of a run, as `benchbar run --out` makes it"
    if (run / "run.json").is_file() or (run / "ledger.sqlite").is_file():
        return f"{run}: the run has not finished; run the same `benchbar run` command again to go on, then report"
    return f"{run}: no results.json in it; expected the folder of a run, as `benchbar run --out` makes it"


class OfSample(msgspec.Struct):
    """The one field by which a line is chosen; the rest is passed over, which is quick."""

    sample: str


def read_material(run: Path, samples: frozenset[str] | None = None) -> Material:
    """Dialogues, scores, comparisons, citations and timing of a run folder; of these samples alone where they are named.

    Raises:
        BadInputError: a file is missing or damaged; names file, line and field.
    """
    found = Material()
    for dialogue in read_records(run / "dialogues.jsonl", Dialogue, samples):
        found.dialogues.setdefault(dialogue.sample, {})[dialogue.assistant] = dialogue
    for score in read_records(run / "scores.jsonl", Score, samples):
        found.scores.setdefault(score.sample, {}).setdefault(score.assistant, []).append(score)
    for comparison in read_records(run / "comparisons.jsonl", Comparison, samples):
        found.comparisons.setdefault(comparison.sample, {}).setdefault(comparison.left, []).append(comparison)
    for cited in read_records(run / "citations.jsonl", CitedIn, samples):
        found.citations.setdefault(cited.sample, {}).setdefault(cited.assistant, []).append(cited)
    timing = run / "timing.json"
    if timing.is_file():
        found.timing = decode(read_bounded(timing), dict[str, Timing], file=timing)
    failures = run / "failures.json"
    if failures.is_file():
        found.failures = decode(read_bounded(failures), dict[str, dict[str, int]], file=failures)
    return found


def read_records(file: Path, kind: type[R], samples: frozenset[str] | None = None) -> Iterator[R]:
    """The records of a JSONL file of a run folder, one after the other; of these samples alone where they are named.

    Raises:
        BadInputError: it is missing or damaged; names file, line and field.
    """
    packed = packed_name(file)
    try:
        with opened(file) as lines:
            whole = _bounded(lines, file)
            yield from decode_lines(whole if samples is None else _chosen(whole, samples), kind, file=file)
    except (EOFError, zlib.error) as error:
        raise BadInputError(f"damaged: {error}; {_AGAIN}", file=packed) from error
    except OSError as error:
        raise BadInputError(f"cannot be read: {error.strerror or error}; {_AGAIN}", file=file) from error


def packed_name(file: Path) -> Path:
    """What a derived file is called where the run has many dialogues: compressed, it takes its plain name's place."""
    return file.with_name(f"{file.name}.gz")


def opened(file: Path) -> BufferedIOBase:
    """A derived file of a run to be read, by its plain name, compressed or not."""
    packed = packed_name(file)
    if not packed.is_file():
        return file.open("rb")
    # Buffered once more: lines are then found in large pieces, and not by calls of Python's for each of them.
    return BufferedReader(gzip.open(packed), BUFFER)


def _chosen(lines: Iterator[bytes], samples: frozenset[str]) -> Iterator[bytes]:
    """The lines of the samples, and an empty one for each other: so all keep their numbers."""
    decoder = msgspec.json.Decoder(OfSample)
    for line in lines:
        try:
            wanted = decoder.decode(line).sample in samples
        except (msgspec.DecodeError, UnicodeDecodeError):
            wanted = True  # blank or damaged: whoever reads it says so
        yield line if wanted else b""


_AGAIN = "run the same `benchbar run` command again to derive it from the ledger"


def _bounded(lines: BufferedIOBase, file: Path) -> Iterator[bytes]:
    """The lines.

    Raises:
        BadInputError: one is longer than any record may be.
    """
    while line := lines.readline(MAX_BYTES + 1):
        if len(line) > MAX_BYTES:
            raise BadInputError(f"a line of more than {MAX_BYTES} bytes; no record is as long", file=file)
        yield line
