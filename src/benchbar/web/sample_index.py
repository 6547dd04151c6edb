"""Where each sample's records lie in the files of a run, and how each fared: built once, asked in milliseconds.

A page of one sample then reads a few kilobytes, however many samples there are; a list is filtered and sorted by the index, page by
page. The index is a SQLite file beside the app's own data, with that of the words beside it (``word_index``), made anew when a file of the run changes. Of a compressed file, which
nobody can read from the middle, it keeps each sample's lines itself.
"""

from __future__ import annotations

import hashlib
import sqlite3
import threading
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from benchbar.artefacts.folder import Material
from benchbar.artefacts.layout import Derived, RunFolder, present
from benchbar.artefacts.upgrades import CITATION_FIELDS, renamed
from benchbar.records import CitedIn, Comparison, Dialogue, Record, RunResults, Score, decode
from benchbar.records.errors import BeingIndexedError
from benchbar.web.index_building import BITS, FACTS, FIGURES, FILES, LETTERS, MEASURES, RELATIVE, VERSION, build
from benchbar.web.word_index import condition, words_of

NAMES = {letter: name for name, letter in LETTERS.items()}
_LOCK = threading.Lock()
# A small run's index is made by then; for a large one "try again" is better than a browser that seems to
# hang.
PATIENCE = 5.0
"""Seconds that a page waits for an index that is being made."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A sample in a list."""

    position: int
    id: str
    task: str
    called: tuple[str, ...]
    """won, tied, lost or missing, for each candidate in the order of the report."""
    found: tuple[str, ...] = ()
    """Of ``FACTS``: of the assistant whose figures were asked for."""
    elsewhere: tuple[str, ...] = ()
    """What was found of others alone, where no assistant was chosen; that they are slow or dear tells nothing of the sample."""
    figures: Mapping[str, float | None] = field(default_factory=dict)
    """Column to the value of the assistant whose figures were asked for; None where it has none."""


SORTED = {
    "sample": "position",
    "task": "sample.task_order",
    "judge": "answer.outcome",
    **{name: f"answer.{name}" for name in FIGURES},
}
"""Column to what a list is sorted by; what was found is sorted by the gravest."""


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
    ids: tuple[str, ...] | None = None
    """Only these; None for all."""
    assistant: str = ""
    """The assistant of whom something was found; empty for any."""
    of: str = ""
    """The assistant whose figures are shown and sorted by."""
    sort: str = "sample"
    """A column of ``SORTED``, or ``found``."""
    down: bool = False
    """The highest first. What has no value comes last either way."""


class SampleIndex:
    """One run's samples."""

    def __init__(self, file: Path, run: Path) -> None:
        """Over an index file that :func:`index_of` made."""
        self._file, self._run = file, run

    def _ask(self, query: str, *parameters: object) -> list[tuple[Any, ...]]:
        # Read-only, a connection for each question: threads share nothing, and a replaced file is seen at once.
        with closing(sqlite3.connect(f"{self._file.absolute().as_uri()}?mode=ro", uri=True)) as db:
            if "words." in query:
                words = words_of(self._file, self._run)
                db.execute("ATTACH DATABASE ? AS words", (f"{words.absolute().as_uri()}?mode=ro",))
            return db.execute(query, parameters).fetchall()

    def count(self, wanted: Wanted) -> int:
        """How many samples fit."""
        tables, parameters = _fitting(wanted)
        return int(self._ask(f"SELECT count(*) {tables}", *parameters)[0][0])

    def page(self, wanted: Wanted, offset: int, limit: int) -> list[Listed]:
        """Those that fit, in the order that is wanted."""
        key = _key(wanted)
        tables, parameters = _fitting(wanted, key)
        query = f"SELECT position {tables} ORDER BY {key}, position LIMIT ? OFFSET ?"
        # What the rows show is read of these alone, and not of all that are passed over on the way to a late page.
        places = [row[0] for row in self._ask(query, *parameters, limit, offset)]
        rows = {one.position: one for one in self._listed(wanted, places)}
        return [rows[place] for place in places]

    def find(self, sample: str) -> Listed | None:
        """The sample of this id."""
        rows = self._ask("SELECT position FROM sample WHERE id = ?", sample)
        return self._listed(Wanted(), [rows[0][0]])[0] if rows else None

    def _listed(self, wanted: Wanted, positions: Collection[int]) -> list[Listed]:
        columns = ", ".join(f"answer.{one}" for one in FIGURES)
        others = "0" if wanted.assistant else "sample.facts"
        query = (
            # Columns are constants; values are parameters.
            f"SELECT sample.position, id, task, called, answer.facts, {others}, {columns} FROM sample"  # noqa: S608
            " LEFT JOIN answer ON answer.position = sample.position AND answer.assistant = ?"
            " WHERE sample.position IN (SELECT value FROM json_each(?))"
        )
        rows = self._ask(query, wanted.of, msgspec.json.encode(list(positions)).decode())
        return [_listed(row) for row in rows]

    def beside(self, sample: Listed, wanted: Wanted) -> tuple[str | None, str | None]:
        """The ids of the samples before and after it, among those that fit and in the order that is wanted."""
        key = _key(wanted)
        tables, parameters = _fitting(Wanted(of=wanted.of), key, "position = ?")
        (here,) = self._ask(f"SELECT {key}, position {tables}", *parameters, sample.position)
        found: list[str | None] = []
        for sign, order in (("<", "DESC"), (">", "ASC")):
            tables, parameters = _fitting(wanted, key, f"({key}, position) {sign} (?, ?)")
            query = f"SELECT position {tables} ORDER BY {key} {order}, position {order} LIMIT 1"
            # Columns are constants; values are parameters.
            rows = self._ask(f"SELECT id FROM sample WHERE position = ({query})", *parameters, *here)  # noqa: S608
            found.append(rows[0][0] if rows else None)
        return found[0], found[1]

    def outcomes(self, wanted: Wanted) -> list[list[float | None]]:
        """For each sample that fits the outcomes of all candidates: 1 won, 0 lost, None undecided."""
        tables, parameters = _fitting(wanted, "sample.outcomes")
        rows = self._ask(f"SELECT outcomes {tables} ORDER BY position", *parameters)
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
    position, id_, task, letters, own, every, *figures = row
    own, every = own or 0, every or 0
    return Listed(
        position,
        id_,
        task,
        tuple(NAMES[one] for one in letters),
        _facts(own),
        tuple(fact for fact in _facts(every & ~own) if fact not in RELATIVE),
        dict(zip(FIGURES, figures, strict=True)),
    )


def _facts(bits: int) -> tuple[str, ...]:
    return tuple(fact for fact in FACTS if BITS[fact] & bits)


def _found(wanted: Wanted) -> str:
    return "answer.facts" if wanted.assistant else "sample.facts"


def _key(wanted: Wanted) -> str:
    """The number by which a list is sorted, upwards; infinite where there is none, which comes last however it is sorted."""
    column = SORTED.get(wanted.sort, _found(wanted))
    return column if column == "position" and not wanted.down else f"coalesce({'-' * wanted.down}{column}, 9e999)"


def _fitting(wanted: Wanted, key: str = "", *more: str) -> tuple[str, list[object]]:
    """The tables of a query with what their rows have to fulfil, and the parameters.

    Only the tables that ``key`` or a condition names: a join of 100,000 rows that nobody asks about takes a quarter of a second.
    """
    found = [*_conditions(wanted), *((one, []) for one in more)]
    used = " ".join([key, *(condition for condition, _ in found)])
    tables = "sample"
    if "answer." in used:
        tables = "answer JOIN sample USING (position)" if "sample." in used else "answer"
        found.insert(0, ("answer.assistant = ?", [wanted.of]))
    where = " AND ".join(condition for condition, _ in found)
    return f"FROM {tables} {'WHERE ' * bool(found)}{where}", [value for _, values in found for value in values]


def _conditions(wanted: Wanted) -> Iterator[tuple[str, list[object]]]:
    if wanted.tasks is not None:
        # One parameter for any number of tasks: SQLite bounds how many a statement may have.
        yield "sample.task IN (SELECT value FROM json_each(?))", [msgspec.json.encode(wanted.tasks).decode()]
    if wanted.ids is not None:
        yield "sample.id IN (SELECT value FROM json_each(?))", [msgspec.json.encode(wanted.ids).decode()]
    if wanted.candidate is not None and wanted.outcome in LETTERS:
        yield "substr(sample.called, ?, 1) = ?", [wanted.candidate + 1, LETTERS[wanted.outcome]]
    if wanted.text:
        # instr and not LIKE: % and _ in an id are characters like any other.
        yield "instr(sample.id, ?) > 0", [wanted.text]
    if wanted.fact:
        yield f"{_found(wanted)} & ? > 0", [BITS[wanted.fact]]
    if wanted.said:
        yield condition(wanted.said)


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
                build(file, run, results, state)
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
