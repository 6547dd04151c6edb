"""Reads a finished run folder: the results, and what was said and marked sample by sample."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from io import BufferedIOBase, BufferedReader
from itertools import groupby
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from benchbar.artefacts.layout import Derived, RunFolder, packed_name
from benchbar.artefacts.upgrades import CITATION_FIELDS, FIRST_VERSION, renamed, upgraded
from benchbar.records import (
    CitedIn,
    Comparison,
    Dialogue,
    DimensionScore,
    HumanMarks,
    Measures,
    RagScore,
    RunResults,
    SampleResult,
    Score,
    Timing,
    Trial,
    decode,
    decode_lines,
    encode,
)
from benchbar.records.errors import BadInputError, UserError
from benchbar.records.files import MAX_BYTES, read_bounded
from benchbar.records.results import RESULTS_VERSION

BUFFER = 1 << 17

R = TypeVar("R", bound=msgspec.Struct)
T = TypeVar("T")


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
    file = RunFolder(run).results
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
    if RunFolder(run).begun:
        return f"{run}: the run has not finished; rerun the `benchbar run` command to resume it, then report"
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
    for dialogue in _derived(run, "dialogues", Dialogue, samples):
        found.dialogues.setdefault(dialogue.sample, {})[dialogue.assistant] = dialogue
    for score in _derived(run, "scores", Score, samples):
        found.scores.setdefault(score.sample, {}).setdefault(score.assistant, []).append(score)
    for comparison in _derived(run, "comparisons", Comparison, samples):
        found.comparisons.setdefault(comparison.sample, {}).setdefault(comparison.left, []).append(comparison)
    for cited in _derived(run, "citations", CitedIn, samples):
        found.citations.setdefault(cited.sample, {}).setdefault(cited.assistant, []).append(cited)
    found.timing = read_timing(run, Timing)
    found.failures = _optional(RunFolder(run).failures, dict[str, dict[str, int]]) or {}
    return found


def read_dialogues(run: Path) -> Iterator[Dialogue]:
    """The dialogues of a run folder, one after the other.

    Raises:
        BadInputError: the file is missing or damaged.
    """
    return _derived(run, "dialogues", Dialogue)


def read_scores(run: Path) -> Iterator[Score]:
    """Every mark of rules and judges, in the order of the suite.

    Raises:
        BadInputError: the file is missing or damaged; names file, line and field.
    """
    return _derived(run, "scores", Score)


def read_comparisons(run: Path) -> Iterator[Comparison]:
    """Every verdict of judges on two dialogues, in the order of the suite.

    Raises:
        BadInputError: the file is missing or damaged; names file, line and field.
    """
    return _derived(run, "comparisons", Comparison)


def read_measures(run: Path) -> Iterator[Measures]:
    """The values of every dialogue, in the order of the suite.

    Raises:
        BadInputError: the file is missing or damaged: an older version made the run, or it has not finished.
    """
    return _derived(run, "measures", Measures)


def read_samples(run: Path) -> Iterator[SampleResult]:
    """What the run left of each sample, in the order of the suite; no more than one sample is held at a time.

    Raises:
        BadInputError: a file is missing or damaged, or its lines are in another order than those of the dialogues.
    """
    scores, comparisons = _Along(run, "scores", Score), _Along(run, "comparisons", Comparison)
    citations, measures = _Along(run, "citations", CitedIn), _Along(run, "measures", Measures)
    rag, dimensions = _Along(run, "rag", RagScore), _Along(run, "dimensions", DimensionScore)
    trials = _Along(run, "trials", Trial)
    for sample, dialogues in groupby(_derived(run, "dialogues", Dialogue), key=lambda one: one.sample):
        yield SampleResult(
            sample=sample,
            dialogues=tuple(dialogues),
            scores=scores.of(sample),
            comparisons=comparisons.of(sample),
            citations=citations.of(sample),
            measures=measures.of(sample),
            rag=rag.of(sample),
            dimensions=dimensions.of(sample),
            trials=trials.of(sample),
        )
    for other in (scores, comparisons, citations, measures, rag, dimensions, trials):
        other.ended()


S = TypeVar("S", Score, Comparison, CitedIn, Measures, RagScore, DimensionScore, Trial)


class _Along(Generic[S]):
    """A derived file that is read along with the dialogues: it has its samples in the same order, perhaps not all."""

    def __init__(self, run: Path, name: Derived, kind: type[S]) -> None:
        self._file = RunFolder(run).derived(name)
        # Older versions of Benchbar did not write all of these files.
        records: Iterable[S] = read_records(self._file, kind) if RunFolder(run).has(name) else ()
        self._groups: Iterator[tuple[str, Iterator[S]]] = groupby(records, key=lambda one: one.sample)
        self._next: tuple[str, Iterator[S]] | None = next(self._groups, None)

    def of(self, sample: str) -> tuple[S, ...]:
        """The records of the sample, if it is the next one here."""
        if self._next is None or self._next[0] != sample:
            return ()
        found = tuple(self._next[1])
        self._next = next(self._groups, None)
        return found

    def ended(self) -> None:
        """Make sure that nothing is left.

        Raises:
            BadInputError: something is.
        """
        if self._next is not None:
            raise BadInputError(f"sample {self._next[0]!r} is not where its dialogues are; {_AGAIN}", file=self._file)


def read_timing(run: Path, kind: type[R]) -> dict[str, R]:
    """Assistant or variant to the seconds it took; empty where nothing tells.

    Raises:
        BadInputError: the file is damaged.
    """
    return _optional(RunFolder(run).timing, dict[str, kind]) or {}  # type: ignore[valid-type]


def read_marks(run: Path) -> dict[str, HumanMarks]:
    """What people marked in a run, by assistant; nothing where nobody was asked.

    Raises:
        BadInputError: the file is damaged.
    """
    return _optional(RunFolder(run).marks, dict[str, HumanMarks]) or {}


def read_made_from(run: Path, kind: type[R]) -> R | None:
    """What run.json says, as far as ``kind`` has fields for it; None where there is none.

    Raises:
        BadInputError: it is damaged.
    """
    return _optional(RunFolder(run).manifest, kind)


def _optional(file: Path, kind: type[T]) -> T | None:
    return decode(read_bounded(file), kind, file=file) if file.is_file() else None


def _derived(run: Path, name: Derived, kind: type[R], samples: frozenset[str] | None = None) -> Iterator[R]:
    return read_records(RunFolder(run).derived(name), kind, samples)


def read_records(file: Path, kind: type[R], samples: frozenset[str] | None = None) -> Iterator[R]:
    """The records of a JSONL file of a run folder, one after the other; of these samples alone where they are named.

    Raises:
        BadInputError: it is missing or damaged; names file, line and field.
    """
    packed = packed_name(file)
    try:
        with opened(file) as lines:
            whole = _today(_bounded(lines, file), kind)
            yield from decode_lines(whole if samples is None else _chosen(whole, samples), kind, file=file)
    except (EOFError, zlib.error) as error:
        raise BadInputError(f"damaged: {error}; {_AGAIN}", file=packed) from error
    except OSError as error:
        raise BadInputError(f"cannot be read: {error.strerror or error}; {_AGAIN}", file=file) from error


def opened(file: Path) -> BufferedIOBase:
    """A derived file of a run to be read, by its plain name, compressed or not."""
    packed = packed_name(file)
    if not packed.is_file():
        return file.open("rb")
    # Buffered once more: lines are then found in large pieces, and not by calls of Python's for each of them.
    return BufferedReader(gzip.open(packed), BUFFER)


def _today(lines: Iterator[bytes], kind: type) -> Iterator[bytes]:
    return (renamed(line, CITATION_FIELDS) for line in lines) if kind is CitedIn else lines


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
