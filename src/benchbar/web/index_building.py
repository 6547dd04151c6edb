"""Builds the index of a run's samples: where each one's records lie, what was found, and the figures of each answer."""

from __future__ import annotations

import os
import sqlite3
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from itertools import groupby
from pathlib import Path
from typing import TypeVar

import msgspec

from benchbar.artefacts.folder import opened
from benchbar.artefacts.layout import Derived, RunFolder, present
from benchbar.records import CitedIn, Comparison, Dialogue, Record, RunResults, Score, Usage
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
VERSION = "5"
LETTERS = {"won": "w", "tied": "t", "lost": "l", "missing": "m"}
# Of `answer` there is a row for every assistant and sample, those of one assistant beside each other: sorting a list by a figure
# reads them from front to end. A join that looks each sample up takes ten times as long.
SCHEMA = """
CREATE TABLE sample (position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, task TEXT NOT NULL, called TEXT NOT NULL,
  outcomes BLOB NOT NULL, task_order INTEGER, facts INTEGER NOT NULL DEFAULT 0);
CREATE TABLE span (sample TEXT NOT NULL, file TEXT NOT NULL, start INTEGER NOT NULL, length INTEGER NOT NULL,
  data BLOB);
CREATE INDEX span_sample ON span (sample);
CREATE INDEX sample_task ON sample (task);
CREATE TABLE answer (position INTEGER NOT NULL, assistant TEXT NOT NULL, outcome REAL, guidance REAL,
  false_citations INTEGER, contradictions INTEGER, exchanges INTEGER, tokens INTEGER, cost REAL, seconds REAL,
  facts INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (assistant, position)) WITHOUT ROWID;
CREATE TABLE made (state TEXT NOT NULL);
"""
FACTS = ("forbidden", "false_citation", "contradiction", "orders", "failed", "guard", "slow", "costly")
"""What may be found of an answer, the gravest first: a forbidden point was said; a citation is false; an article says otherwise than
what is claimed of it; a judge's verdict changes with the order; the dialogue failed; a guard of the simulated user noticed
something; it is among the slowest or dearest tenth of its assistant's."""
BITS = {fact: 1 << place for place, fact in enumerate(reversed(FACTS))}
"""The gravest is the highest bit: sorted by their sum, the gravest stand together."""
FIGURES = ("guidance", "false_citations", "contradictions", "exchanges", "tokens", "cost", "seconds")
"""The columns of ``answer`` that a list may show."""
TENTH = 10
RELATIVE = frozenset({"slow", "costly"})
"""Facts that compare an answer with its own assistant's others: with several assistants almost every sample has one of somebody."""
FORBIDDEN = "coverage/forbidden"
"""The measure that says what share of forbidden points was said."""
CONTRADICTS = "contradicts"
FALSE = frozenset({"no_such_law", "no_such_article", "not_in_force"})


class _Measured(msgspec.Struct):
    sample: str
    assistant: str
    task: str = ""
    values: dict[str, float | None] = {}


class _OfSample(msgspec.Struct):
    sample: str


class _Turn(msgspec.Struct):
    role: str = ""
    content: str = ""


class Said(msgspec.Struct):
    """A dialogue, as far as indexes want it."""

    sample: str
    assistant: str
    turns: tuple[_Turn, ...] = ()
    guards: tuple[msgspec.Raw, ...] = ()
    ended: str = ""
    usage: Usage = Usage()
    cost: float | None = None
    latency: float | None = None


class _Claim(msgspec.Struct):
    verdict: str = ""


class _Cited(msgspec.Struct):
    status: str = ""
    claim_check: _Claim | None = None


class _CitedIn(msgspec.Struct):
    sample: str
    assistant: str
    citation: _Cited


class _Verdict(msgspec.Struct):
    sample: str
    left: str = ""
    judge: str = ""
    repeat: int = 0
    winner: str | None = None


def build(file: Path, run: Path, results: RunResults, state: str) -> None:
    """Write the index of a run in the state that is named; readers see the old file or the new one, never half of it."""
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
        db.executemany("INSERT OR IGNORE INTO sample VALUES (?, ?, ?, ?, ?, NULL, 0)", _samples(run, results))
        # Samples that were never measured still have their dialogues.
        db.execute(
            "INSERT INTO sample SELECT NULL, sample, '', ?, ?, NULL, 0 FROM (SELECT sample, min(start) FROM span WHERE"
            " file = 'dialogues' AND sample NOT IN (SELECT id FROM sample) GROUP BY sample ORDER BY 2)",
            ("m" * len(candidates(results)), msgspec.msgpack.encode([None] * len(candidates(results)))),
        )
        _answers(db, run, results)
        db.execute("INSERT INTO made VALUES (?)", (state,))
        db.execute("COMMIT")
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


L = TypeVar("L", bound=msgspec.Struct)


def lines_of(run: Path, name: Derived, kind: type[L]) -> Iterator[L]:
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
    for position, (sample, stretch) in enumerate(
        groupby(lines_of(run, MEASURES, _Measured), lambda one: one.sample), 1
    ):
        measured = list(stretch)
        found = {one.assistant: one.values.get("win_rate") for one in measured}
        outcomes = [found.get(name) for name in names]
        letters = "".join(LETTERS[called(one)] for one in outcomes)
        yield position, sample, measured[-1].task, letters, msgspec.msgpack.encode(outcomes)


def _answers(db: sqlite3.Connection, run: Path, results: RunResults) -> None:
    """Fill in what each assistant's answer to each sample costs and what was found of it."""
    for columns, rows in (
        (("outcome", "guidance"), _measured(run)),
        (("exchanges", "tokens", "cost", "seconds", *_COUNTED), _held(run, bool(results.law))),
        (_COUNTED, _cited(run)),
        ((), _of_two_minds(run)),
    ):
        # Four files tell of one answer, each a part: whichever comes first makes the row. Counts are added up, since a
        # sample's citations need not stand together.
        sets = "".join(f"{one} = {f'coalesce({one}, 0) + ' * (one in _COUNTED)}excluded.{one}, " for one in columns)
        places = ", ?" * (len(columns) + 2)
        names = ", ".join(("position", "assistant", *columns, "facts"))
        db.executemany(
            # Column names are the constants above; values are parameters.
            f"INSERT INTO answer ({names}) SELECT position{places} FROM sample WHERE id = ?"  # noqa: S608
            f" ON CONFLICT (assistant, position) DO UPDATE SET {sets}facts = facts | excluded.facts",
            ((assistant, *values, facts, sample) for sample, assistant, values, facts in rows),
        )
    for name in results.assistants:
        db.execute("INSERT OR IGNORE INTO answer (assistant, position) SELECT ?, position FROM sample", (name,))
    for fact, column in (("slow", "seconds"), ("costly", "cost")):
        for name in results.assistants:
            _mark_upper_tenth(db, name, column, BITS[fact])
    every = " | ".join(f"max(facts & {bit})" for bit in BITS.values())
    db.execute(
        # The bits are numbers of ours.
        f"UPDATE sample SET facts = found.every FROM (SELECT position, {every} AS every FROM answer GROUP BY position)"  # noqa: S608
        " AS found WHERE found.position = sample.position"
    )
    # Sorted by task, samples stand in the order in which the run has its tasks.
    db.execute(
        "UPDATE sample SET task_order = found.first FROM (SELECT task, min(position) AS first FROM sample WHERE task <> ''"
        " GROUP BY task) AS found WHERE found.task = sample.task"
    )


_COUNTED = ("false_citations", "contradictions")
Answer = tuple[str, str, tuple[float | None, ...], int]
"""Sample, assistant, values of the columns, and the sum of the bits of what was found."""


def _measured(run: Path) -> Iterator[Answer]:
    for one in lines_of(run, MEASURES, _Measured):
        values = one.values
        said = BITS["forbidden"] if values.get(FORBIDDEN) else 0
        yield one.sample, one.assistant, (values.get("win_rate"), values.get("point_score")), said


def _held(run: Path, checked: bool) -> Iterator[Answer]:  # noqa: FBT001 - named at its only call
    """Of each dialogue what it took; no false citation as long as none is known, and nothing where nobody could check."""
    for one in lines_of(run, "dialogues", Said):
        failed = one.ended == "error"
        counts = (one.usage.input_tokens, one.usage.output_tokens)
        # One of the two alone would be compared with sums of both.
        tokens = None if None in counts else sum(count or 0 for count in counts)
        exchanges = sum(turn.role == "assistant" for turn in one.turns)
        clean = 0 if checked and not failed else None
        facts = (BITS["guard"] if one.guards else 0) | (BITS["failed"] if failed else 0)
        yield one.sample, one.assistant, (exchanges, tokens, one.cost, one.latency or None, clean, clean), facts


def _cited(run: Path) -> Iterator[Answer]:
    for sample, stretch in groupby(lines_of(run, "citations", _CitedIn), key=lambda one: one.sample):
        false: Counter[str] = Counter()
        contradicting: Counter[str] = Counter()
        for one in stretch:
            check = one.citation.claim_check
            false[one.assistant] += one.citation.status in FALSE
            contradicting[one.assistant] += check is not None and check.verdict == CONTRADICTS
        for name, count in false.items():
            facts = (BITS["false_citation"] if count else 0) | (BITS["contradiction"] if contradicting[name] else 0)
            yield sample, name, (count, contradicting[name]), facts


def _of_two_minds(run: Path) -> Iterator[Answer]:
    """The answers on which a judge's verdict was another when the dialogues were shown the other way round."""
    for sample, verdicts in groupby(lines_of(run, "comparisons", _Verdict), key=lambda one: one.sample):
        winners: dict[tuple[str, str, int], set[str]] = {}
        for one in verdicts:
            if one.winner is not None:
                winners.setdefault((one.left, one.judge, one.repeat), set()).add(one.winner)
        for name in {left for (left, _, _), found in winners.items() if len(found) > 1}:
            yield sample, name, (), BITS["orders"]


def _mark_upper_tenth(db: sqlite3.Connection, assistant: str, column: str, bit: int) -> None:
    """Mark an assistant's answers above nine tenths of its others; none where these are as high, such as all 0 seconds."""
    # Of constants and numbers; the assistant's name is a parameter.
    known = f"FROM answer WHERE assistant = ? AND {column} IS NOT NULL"
    count = db.execute(f"SELECT count(*) {known}", (assistant,)).fetchone()[0]
    below = count - -(-count // TENTH)
    if below <= 0:
        return
    highest = db.execute(
        f"SELECT {column} {known} ORDER BY {column} LIMIT 1 OFFSET ?", (assistant, below - 1)
    ).fetchone()[0]
    db.execute(
        f"UPDATE answer SET facts = facts | ? WHERE assistant = ? AND {column} > ?",  # noqa: S608
        (bit, assistant, highest),
    )
