"""Where each sample's records lie in the files of a run, and how each fared: built once, asked in milliseconds.

A page of one sample then reads a few kilobytes, however many samples there are. The index is a SQLite file beside the app's own
data, made anew when a file of the run changes. Of a compressed file, which nobody can read from the middle, it keeps each sample's
lines itself.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import threading
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from benchbar.artefacts.folder import Material, opened
from benchbar.artefacts.layout import Derived, RunFolder, present
from benchbar.artefacts.upgrades import CITATION_FIELDS, renamed
from benchbar.records import CitedIn, Comparison, Dialogue, Record, RunResults, Score, decode
from benchbar.records.errors import BeingIndexedError
from benchbar.records.files import MAX_BYTES
from benchbar.reports.pages import called
from benchbar.reports.verdicts import candidates

FILES: dict[Derived, type[Record]] = {
    "dialogues": Dialogue,
    "scores": Score,
    "comparisons": Comparison,
    "citations": CitedIn,
}
MEASURES: Derived = "measures"
# Raised when the layout of the index changes: older files are then made anew, not misread.
VERSION = "3"
LETTERS = {"won": "w", "tied": "t", "lost": "l", "missing": "m"}
NAMES = {letter: name for name, letter in LETTERS.items()}
SCHEMA = """
CREATE TABLE sample (position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, task TEXT NOT NULL, called TEXT NOT NULL,
  outcomes BLOB NOT NULL);
CREATE TABLE span (sample TEXT NOT NULL, file TEXT NOT NULL, start INTEGER NOT NULL, length INTEGER NOT NULL,
  data BLOB);
CREATE INDEX span_sample ON span (sample);
CREATE INDEX sample_task ON sample (task);
CREATE TABLE fact (kind TEXT NOT NULL, sample TEXT NOT NULL, PRIMARY KEY (kind, sample)) WITHOUT ROWID;
CREATE VIRTUAL TABLE said USING fts5(sample UNINDEXED, text, tokenize='trigram');
CREATE TABLE made (state TEXT NOT NULL);
"""
FACTS = ("forbidden", "false_citation", "contradiction", "orders", "guard", "failed")
"""What may be found of a sample, the gravest first: a forbidden point was said; a citation is false; an article says otherwise than
what is claimed of it; a judge's verdict changes with the order; a guard of the simulated user noticed something; a dialogue failed."""
FORBIDDEN = "coverage/forbidden"
"""The measure that says what share of forbidden points was said."""
CONTRADICTS = "contradicts"
FALSE = frozenset({"no_such_law", "no_such_article", "not_in_force"})
MOST_WORDS, MOST_PACKED = 64 * 1024 * 1024, 16 * 1024 * 1024
"""Bytes of dialogues, plain and compressed, up to which their words are indexed: about 20,000 dialogues, some ten seconds."""
_SHORT = "id IN (SELECT sample FROM said WHERE instr(lower(text), ?) > 0)"
_MATCHED = "id IN (SELECT sample FROM said WHERE said MATCH ?)"
_TRIGRAM = 3
"""Characters below which the word index finds nothing: shorter words, as most of Chinese, are looked for in the texts themselves."""
_LOCK = threading.Lock()
# A small run's index is made by then; for a large one "try again" is better than a browser that seems to
# hang.
PATIENCE = 5.0
"""Seconds that a page waits for an index that is being made."""


class _Measured(msgspec.Struct):
    sample: str
    assistant: str
    task: str = ""
    values: dict[str, float | None] = {}


class _OfSample(msgspec.Struct):
    sample: str


class _Turn(msgspec.Struct):
    content: str = ""


class _Said(msgspec.Struct):
    sample: str
    turns: tuple[_Turn, ...] = ()
    guards: tuple[msgspec.Raw, ...] = ()
    ended: str = ""


class _Claim(msgspec.Struct):
    verdict: str = ""


class _Cited(msgspec.Struct):
    status: str = ""
    claim_check: _Claim | None = None


class _CitedIn(msgspec.Struct):
    sample: str
    citation: _Cited


class _Verdict(msgspec.Struct):
    sample: str
    left: str = ""
    judge: str = ""
    repeat: int = 0
    winner: str | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """A sample in a list."""

    position: int
    id: str
    task: str
    called: tuple[str, ...]
    """won, tied, lost or missing, for each candidate in the order of the report."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which samples a list shows."""

    tasks: tuple[str, ...] | None = None
    """None for all."""
    candidate: int | None = None
    """Number of the candidate whose outcome is looked at."""
    outcome: str = ""
    text: str = ""
    """A part of the sample's id."""
    said: str = ""
    """Words in its questions and replies."""
    fact: str = ""
    """One of ``FACTS``."""


class SampleIndex:
    """One run's samples."""

    def __init__(self, file: Path, run: Path) -> None:
        """Over an index file that :func:`index_of` made."""
        self._file, self._run = file, run

    def _ask(self, query: str, *parameters: object) -> list[tuple[Any, ...]]:
        # Read-only, a connection for each question: threads share nothing, and a replaced file is seen at once.
        with closing(sqlite3.connect(f"{self._file.absolute().as_uri()}?mode=ro", uri=True)) as db:
            return db.execute(query, parameters).fetchall()

    def count(self, wanted: Wanted) -> int:
        """How many samples fit."""
        where, parameters = _where(wanted)
        # `where` is made of constants in `_where`; values are parameters.
        return int(self._ask(f"SELECT count(*) FROM sample {where}", *parameters)[0][0])  # noqa: S608

    def page(self, wanted: Wanted, offset: int, limit: int) -> list[Listed]:
        """Those that fit, in the order of the run."""
        where, parameters = _where(wanted)
        query = f"SELECT position, id, task, called FROM sample {where} ORDER BY position LIMIT ? OFFSET ?"  # noqa: S608
        return [_listed(row) for row in self._ask(query, *parameters, limit, offset)]

    def find(self, sample: str) -> Listed | None:
        """The sample of this id."""
        rows = self._ask("SELECT position, id, task, called FROM sample WHERE id = ?", sample)
        return _listed(rows[0]) if rows else None

    def beside(self, sample: Listed, wanted: Wanted) -> tuple[str | None, str | None]:
        """The ids of the samples before and after it, among those that fit."""
        found: list[str | None] = []
        for sign, order in (("<", "DESC"), (">", "ASC")):
            where, parameters = _where(wanted, f"position {sign} ?")
            query = f"SELECT id FROM sample {where} ORDER BY position {order} LIMIT 1"  # noqa: S608
            rows = self._ask(query, *parameters, sample.position)
            found.append(rows[0][0] if rows else None)
        return found[0], found[1]

    def outcomes(self, wanted: Wanted) -> list[list[float | None]]:
        """For each sample that fits the outcomes of all candidates: 1 won, 0 lost, None undecided."""
        where, parameters = _where(wanted)
        rows = self._ask(f"SELECT outcomes FROM sample {where} ORDER BY position", *parameters)  # noqa: S608
        return [msgspec.msgpack.decode(row[0]) for row in rows]

    def material(self, sample: str) -> Material:
        """What the run left of one sample."""
        found = Material()
        for name, kind in FILES.items():
            for record in self._records(sample, name, kind):
                _put(found, record)
        return found

    def _records(self, sample: str, name: Derived, kind: type[Record]) -> Iterator[Record]:
        file = RunFolder(self._run).derived(name)
        query = "SELECT start, length, data FROM span WHERE sample = ? AND file = ? ORDER BY start"
        for start, length, data in self._ask(query, sample, name):
            for line in (_read(file, start, length) if data is None else zlib.decompress(data)).splitlines():
                yield decode(renamed(line, CITATION_FIELDS) if kind is CitedIn else line, kind, file=file)


def _read(file: Path, start: int, length: int) -> bytes:
    with file.open("rb") as lines:
        lines.seek(start)
        return lines.read(length)


def _put(found: Material, record: Record) -> None:
    if isinstance(record, Dialogue):
        found.dialogues.setdefault(record.sample, {})[record.assistant] = record
    elif isinstance(record, Score):
        found.scores.setdefault(record.sample, {}).setdefault(record.assistant, []).append(record)
    elif isinstance(record, Comparison):
        found.comparisons.setdefault(record.sample, {}).setdefault(record.left, []).append(record)
    elif isinstance(record, CitedIn):
        found.citations.setdefault(record.sample, {}).setdefault(record.assistant, []).append(record)


def _listed(row: Sequence[Any]) -> Listed:
    return Listed(row[0], row[1], row[2], tuple(NAMES[letter] for letter in row[3]))


def _where(wanted: Wanted, *more: str) -> tuple[str, list[object]]:
    parts: list[str] = []
    parameters: list[object] = []
    if wanted.tasks is not None:
        # One parameter for any number of tasks: SQLite bounds how many a statement may have.
        parts.append("task IN (SELECT value FROM json_each(?))")
        parameters.append(msgspec.json.encode(wanted.tasks).decode())
    if wanted.candidate is not None and wanted.outcome in LETTERS:
        parts.append("substr(called, ?, 1) = ?")
        parameters += [wanted.candidate + 1, LETTERS[wanted.outcome]]
    if wanted.text:
        # instr and not LIKE: % and _ in an id are characters like any other.
        parts.append("instr(id, ?) > 0")
        parameters.append(wanted.text)
    if wanted.fact:
        parts.append("id IN (SELECT sample FROM fact WHERE kind = ?)")
        parameters.append(wanted.fact)
    if wanted.said:
        short = len(wanted.said) < _TRIGRAM
        # A phrase in quotes: signs of the search's own language in it are characters like any other.
        parts.append(_SHORT if short else _MATCHED)
        quoted = '"' + wanted.said.replace('"', '""') + '"'
        parameters.append(wanted.said.lower() if short else quoted)
    parts += more
    return (f"WHERE {' AND '.join(parts)}" if parts else ""), parameters


def index_file(run: Path, own: Path) -> Path:
    """Where the index of a run is kept."""
    name = hashlib.blake2b(str(run.absolute()).encode(), digest_size=8).hexdigest()
    return own / "index" / f"{name}.sqlite"


def index_of(run: Path, own: Path, results: RunResults) -> SampleIndex:
    """The index of a finished run, made now where there is none, or the run has changed since.

    Raises:
        BadInputError: a file of the run is damaged.
        BeingIndexedError: another request, or the start of the app, is making it and is not done soon.
    """
    file = index_file(run, own)
    state = _state(run)
    if _made(file) != state:
        if not _LOCK.acquire(timeout=PATIENCE):
            raise BeingIndexedError("the samples of this run are being indexed; try again in a minute")
        try:
            # Another thread may have made it while this one waited.
            if _made(file) != state:
                _build(file, run, results, state)
        finally:
            _LOCK.release()
    return SampleIndex(file, run)


def _state(run: Path) -> str:
    found = [VERSION]
    for name in (*FILES, MEASURES):
        file = present(RunFolder(run).derived(name))
        found.append(f"{file.name} {file.stat().st_size} {file.stat().st_mtime_ns}" if file.is_file() else f"{name} -")
    return "\n".join(found)


def _made(file: Path) -> str:
    if not file.is_file():
        return ""
    try:
        with closing(sqlite3.connect(file)) as db:
            return str(db.execute("SELECT state FROM made").fetchone()[0])
    # A torn or foreign file counts as none: it is made anew.
    except (sqlite3.Error, TypeError):
        return ""


def _build(file: Path, run: Path, results: RunResults, state: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    # Each process builds its own: two at once would spoil each other's.
    new = file.with_suffix(f".{os.getpid()}.new")
    new.unlink(missing_ok=True)
    with closing(sqlite3.connect(new, isolation_level=None)) as db:
        # It can be made again from the run: speed before safety.
        db.executescript(f"PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN; {SCHEMA}")
        for name in FILES:
            spans = ((sample, name, *place) for sample, *place in _spans(RunFolder(run).derived(name)))
            db.executemany("INSERT INTO span VALUES (?, ?, ?, ?, ?)", spans)
        # IGNORE: a sample measured twice, after a run was continued, keeps its first place.
        db.executemany("INSERT OR IGNORE INTO sample VALUES (?, ?, ?, ?, ?)", _samples(run, results))
        db.executemany("INSERT OR IGNORE INTO fact VALUES (?, ?)", _facts(run))
        db.executemany("INSERT INTO said VALUES (?, ?)", _texts(run))
        # Samples that were never measured still have their dialogues.
        db.execute(
            "INSERT INTO sample SELECT NULL, sample, '', ?, ? FROM (SELECT sample, min(start) FROM span WHERE file ="
            " 'dialogues' AND sample NOT IN (SELECT id FROM sample) GROUP BY sample ORDER BY 2)",
            ("m" * len(candidates(results)), msgspec.msgpack.encode([None] * len(candidates(results)))),
        )
        db.execute("INSERT INTO made VALUES (?)", (state,))
        db.execute("COMMIT")
    # Replaced whole: readers see the old index or the new one, never half of it.
    new.replace(file)


def _spans(file: Path) -> Iterator[tuple[str, int, int, bytes | None]]:
    """Sample, start and length of each stretch of lines of one sample, and the lines where the file is compressed."""
    there = present(file)
    # A file beyond what any reader takes would be read to its end before the first page.
    if not there.is_file() or there.stat().st_size > MAX_BYTES * 16:
        return
    packed = there != file
    decoder = msgspec.json.Decoder(_OfSample)
    at = 0
    with opened(file) as lines:
        # Lines of a sample stand together, as the run writes them; a sample whose lines do not simply has several
        # spans.
        for sample, stretch in groupby(lines, key=lambda line: decoder.decode(line).sample):
            data = b"".join(stretch)
            yield sample, at, len(data), zlib.compress(data, 1) if packed else None
            at += len(data)


def searchable(run: Path) -> bool:
    """Whether the words of a run are indexed: of a very large one that would take minutes, and several times its room."""
    file = present(RunFolder(run).derived("dialogues"))
    return file.is_file() and file.stat().st_size <= (MOST_PACKED if file.suffix == ".gz" else MOST_WORDS)


def _texts(run: Path) -> Iterator[tuple[str, str]]:
    """Each dialogue's sample and words."""
    if not searchable(run):
        return
    for one in _lines(run, "dialogues", _Said):
        yield one.sample, "\n".join(turn.content for turn in one.turns)


def _facts(run: Path) -> Iterator[tuple[str, str]]:
    """What was found, and of which sample."""
    for dialogue in _lines(run, "dialogues", _Said):
        if dialogue.guards:
            yield "guard", dialogue.sample
        if dialogue.ended == "error":
            yield "failed", dialogue.sample
    for cited in _lines(run, "citations", _CitedIn):
        if cited.citation.status in FALSE:
            yield "false_citation", cited.sample
        if cited.citation.claim_check and cited.citation.claim_check.verdict == CONTRADICTS:
            yield "contradiction", cited.sample
    yield from (("forbidden", one.sample) for one in _lines(run, MEASURES, _Measured) if one.values.get(FORBIDDEN))
    yield from (("orders", sample) for sample in _of_two_minds(run))


def _of_two_minds(run: Path) -> Iterator[str]:
    """The samples on which a judge's verdict was another when the dialogues were shown the other way round."""
    for sample, verdicts in groupby(_lines(run, "comparisons", _Verdict), key=lambda one: one.sample):
        winners: dict[tuple[str, str, int], set[str]] = {}
        for one in verdicts:
            if one.winner is not None:
                winners.setdefault((one.left, one.judge, one.repeat), set()).add(one.winner)
        if any(len(found) > 1 for found in winners.values()):
            yield sample


L = TypeVar("L", bound=msgspec.Struct)


def _lines(run: Path, name: Derived, kind: type[L]) -> Iterator[L]:
    """The lines of a derived file, as far as a record has fields for them; none where there is no file."""
    file = RunFolder(run).derived(name)
    if not present(file).is_file():
        return
    decoder = msgspec.json.Decoder(kind)
    with opened(file) as lines:
        for line in lines:
            yield decoder.decode(line)


def _samples(run: Path, results: RunResults) -> Iterator[tuple[int, str, str, str, bytes]]:
    names = candidates(results)
    decoder = msgspec.json.Decoder(_Measured)
    position, before, task = 0, "", ""
    found: dict[str, float | None] = {}
    file = RunFolder(run).derived(MEASURES)
    if not present(file).is_file():
        return
    with opened(file) as lines:
        for line in lines:
            one = decoder.decode(line)
            if one.sample != before and before:
                position += 1
                yield _row(position, before, task, found, names)
                found = {}
            before, task = one.sample, one.task
            found[one.assistant] = one.values.get("win_rate")
    if before:
        yield _row(position + 1, before, task, found, names)


def _row(
    position: int, sample: str, task: str, found: dict[str, float | None], names: Sequence[str]
) -> tuple[int, str, str, str, bytes]:
    outcomes = [found.get(name) for name in names]
    letters = "".join(LETTERS[called(one)] for one in outcomes)
    return position, sample, task, letters, msgspec.msgpack.encode(outcomes)
