"""Writes the files of a run that are derived from its ledger: whole, beside the old ones, then put in their place."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Self, cast

import msgspec

from benchbar.artefacts.layout import DERIVED, PACKED, PLAIN, Derived, RunFolder, packed_name
from benchbar.records import HumanMarks, RunResults, SampleResult, Timing, decode, encode
from benchbar.records.files import read_bounded, synced, write_atomically

MANY = 1000
"""Dialogues from which on the files are compressed."""


class DerivedFiles:
    """The JSONL files of one run, one record a line, in the order of the suite."""

    def __init__(self, folder: Path, *, rag: bool = False, trials: bool = False, dialogues: int = 0) -> None:
        """In ``folder``; the old files stay until all new ones are whole. With ``rag``, ``rag.jsonl`` is one of them.

        With ``trials``, ``trials.jsonl`` is one of them too. Those of a run of many dialogues are compressed, and named so.
        """
        self._folder = RunFolder(folder)
        self._ending = PACKED if dialogues > MANY else PLAIN
        wanted = {"rag": rag, "trials": trials}
        self._names = [name for name in DERIVED if wanted.get(name, True)]
        self._others = [name for name in DERIVED if not wanted.get(name, True)]
        self._files: dict[Derived, IO[bytes]] = {}

    def __enter__(self) -> Self:
        """Begin the new files."""
        self._folder.path.mkdir(parents=True, exist_ok=True)
        self._files = {name: self._opened(self._folder.new(name)) for name in self._names}
        return self

    def _opened(self, path: Path) -> IO[bytes]:
        if self._ending == PLAIN:
            return path.open("wb")
        # No time in the head: equal runs give equal bytes.
        return cast("IO[bytes]", gzip.GzipFile(path, "wb", compresslevel=5, mtime=0))

    def add(self, result: SampleResult) -> None:
        """Append what came of one sample."""
        for name, file in self._files.items():
            if records := getattr(result, name):
                file.write(b"".join(encode(record) + b"\n" for record in records))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Put the new files in place, or throw them away where the run did not come to its end."""
        for name, file in self._files.items():
            file.close()
            new = self._folder.new(name)
            if kind is not None:
                new.unlink(missing_ok=True)
                continue
            # Before the rename: else a crash could leave the new name with an empty file.
            synced(new)
            plain = self._folder.derived(name)
            there, other = (plain, packed_name(plain)) if self._ending == PLAIN else (packed_name(plain), plain)
            new.replace(there)
            other.unlink(missing_ok=True)
        if kind is None:
            # Of a run that went on with other settings: read along with the new files, an old one would belong to nothing.
            for name in self._others:
                for path in (self._folder.derived(name), packed_name(self._folder.derived(name))):
                    path.unlink(missing_ok=True)


def write_results(run: Path, results: RunResults) -> None:
    """Put every estimate of the run into its folder."""
    write_atomically(RunFolder(run).results, msgspec.json.format(encode(results), indent=2) + b"\n")


def write_report(run: Path, page: bytes) -> None:
    """Put the page of the run into its folder."""
    write_atomically(RunFolder(run).report, page)


def write_timing(run: Path, timing: Mapping[str, Timing]) -> None:
    """Put the seconds that assistants took into the run's folder."""
    write_atomically(RunFolder(run).timing, encode(timing) + b"\n")


def write_marks(run: Path, marks: Mapping[str, HumanMarks]) -> None:
    """Put what people marked into the run's folder."""
    write_atomically(RunFolder(run).marks, encode(marks) + b"\n")


UNREADABLE = "unreadable"


def note_unreadable(run: Path, found: Mapping[tuple[str, str], int]) -> None:
    """Put the verdicts that are missing beside the requests that failed: judge, why the first one is, and how many."""
    file = RunFolder(run).failures
    noted = decode(read_bounded(file), dict[str, dict[str, int]], file=file) if file.is_file() else {}
    kept = {address: of for address, of in noted.items() if not any(slug.startswith(UNREADABLE) for slug in of)}
    fresh = {judge: {f"{UNREADABLE}: {reason}": count} for (judge, reason), count in found.items()}
    if kept | fresh != noted:
        write_atomically(file, encode(kept | fresh) + b"\n")


def add_failures(run: Path, failures: Mapping[tuple[str, str], int]) -> None:
    """Add the requests that failed, by address and error, to what earlier starts of the run noted."""
    file = RunFolder(run).failures
    noted = decode(read_bounded(file), dict[str, dict[str, int]], file=file) if file.is_file() else {}
    for (address, slug), count in (+Counter(failures)).items():
        of = noted.setdefault(address, {})
        of[slug] = of.get(slug, 0) + count
    write_atomically(file, encode(noted) + b"\n")
