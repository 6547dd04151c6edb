"""The words of a run's dialogues, to be searched in milliseconds however many there are: a SQLite file beside the index of samples.

It holds trigrams and no texts: about as many bytes as were said, written at some 17 MB a second on one core. Of a large run it is
made in the background, so that no page waits for it; it is made anew when the run changes, and deleted with the matter.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from benchbar.artefacts.layout import RunFolder, present
from benchbar.records.errors import BeingIndexedError
from benchbar.web.index_building import Said, lines_of

VERSION = "1"
MOST_WORDS, MOST_PACKED = 1024**3, 256 * 1024**2
"""Bytes of dialogues, plain and compressed, up to which their words are indexed: about 300,000 dialogues, and as large a file."""
AT_ONCE = 8 * 1024**2
"""Bytes of dialogues that are indexed while somebody waits: under a second."""
SHIFT = 20
"""A row is of a dialogue: its sample's position, and in the lowest bits which of the sample's dialogues it is."""
# Without the texts themselves the file is a third as large. `said` finds phrases of three characters and more; shorter words, as most
# of Chinese, are the beginnings of trigrams, which `trigram` lists with the dialogues they stand in.
SCHEMA = """
CREATE VIRTUAL TABLE said USING fts5(text, tokenize='trigram', content='');
CREATE VIRTUAL TABLE trigram USING fts5vocab(said, 'instance');
CREATE TABLE made (state TEXT NOT NULL);
"""
HELD = 64 * 1024**2
"""Bytes of new words that are held before they are written: parts of one megabyte, which SQLite takes otherwise, are merged over and
over, and 250 MB of dialogues took 21 seconds of processor in place of 14."""
_SHORT = f"SELECT doc >> {SHIFT} FROM words.trigram WHERE term >= ? AND term < ?"  # noqa: S608 - a number of ours
_MATCHED = f"SELECT rowid >> {SHIFT} FROM words.said WHERE said MATCH ?"  # noqa: S608 - as above
LENGTH = 3
"""Characters of a trigram."""
_PADDING = " " * (LENGTH - 1)
"""Behind each text, so that its last two characters begin trigrams as well."""
_LAST = "\U0010ffff"
_LOCK = threading.Lock()
_UNDER_WAY: set[Path] = set()


def searchable(run: Path) -> bool:
    """Whether the words of a run are indexed: of an even larger one that would take minutes, and as much room again."""
    file = present(RunFolder(run).derived("dialogues"))
    return file.is_file() and file.stat().st_size <= (MOST_PACKED if file.suffix == ".gz" else MOST_WORDS)


def words_file(index: Path) -> Path:
    """Where the words are kept of the run whose index of samples this is."""
    return index.with_suffix(".words.sqlite")


def condition(said: str) -> tuple[str, list[object]]:
    """What a sample fulfils of whose dialogues one holds this text, with the parameters; ``words`` is the attached file."""
    if len(said) < LENGTH:
        # Trigrams are kept in lower case.
        return f"sample.position IN ({_SHORT})", [said.lower(), said.lower() + _LAST]
    # A phrase in quotes: signs of the search's own language in it are characters like any other.
    phrase = '"' + said.replace('"', '""') + '"'
    return f"sample.position IN ({_MATCHED})", [phrase]


def words_of(index: Path, run: Path) -> Path:
    """The words of a run as its index of samples knows it; made now where that is quick, else begun.

    Raises:
        BeingIndexedError: they are being made.
    """
    file = words_file(index)
    if _state(file) == _wanted(index):
        return file
    dialogues = present(RunFolder(run).derived("dialogues"))
    if dialogues.is_file() and dialogues.stat().st_size <= AT_ONCE:
        make(index, run)
        return file
    threading.Thread(target=make, args=(index, run), daemon=True).start()
    raise BeingIndexedError("the words of this run are being indexed; try again in a minute")


def make(index: Path, run: Path) -> None:
    """Write the words of a run anew unless they are there, or somebody does so already."""
    file, state = words_file(index), _wanted(index)
    with _LOCK:
        if file in _UNDER_WAY or _state(file) == state:
            return
        _UNDER_WAY.add(file)
    try:
        _build(file, index, run, state)
    finally:
        with _LOCK:
            _UNDER_WAY.discard(file)


def _build(file: Path, index: Path, run: Path, state: str) -> None:
    # Each process builds its own: two at once would spoil each other's.
    new = file.with_suffix(f".{os.getpid()}.new")
    new.unlink(missing_ok=True)
    with closing(sqlite3.connect(new, isolation_level=None)) as db:
        # It can be made again from the run: speed before safety.
        db.executescript(f"PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN; {SCHEMA}")
        db.execute("INSERT INTO said (said, rank) VALUES ('hashsize', ?)", (HELD,))
        db.executemany("INSERT INTO said (rowid, text) VALUES (?, ?)", _texts(index, run))
        db.execute("INSERT INTO made VALUES (?)", (state,))
        db.execute("COMMIT")
    new.replace(file)


def _texts(index: Path, run: Path) -> Iterator[tuple[int, str]]:
    with closing(sqlite3.connect(f"{index.absolute().as_uri()}?mode=ro", uri=True)) as db:
        positions = dict(db.execute("SELECT id, position FROM sample").fetchall())
    seen: Counter[int] = Counter()
    for one in lines_of(run, "dialogues", Said):
        place = positions.get(one.sample)
        if place is not None:
            yield place << SHIFT | seen[place], "\n".join(turn.content for turn in one.turns) + _PADDING
            seen[place] += 1


def _wanted(index: Path) -> str:
    """The state that words have to be of: that of the samples, whose positions they name, in this layout."""
    return f"words {VERSION}\n{_state(index)}"


def _state(file: Path) -> str:
    """The state of the run that a file was made from; empty where there is none."""
    if not file.is_file():
        return ""
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as db:
            found = str(db.execute("SELECT state FROM made").fetchone()[0])
    # A torn or foreign file counts as none: it is made anew.
    except (sqlite3.Error, TypeError):
        return ""
    return found
