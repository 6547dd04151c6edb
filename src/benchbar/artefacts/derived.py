"""The files of a run that are derived from its ledger: written line by line beside the old ones, then put in their place."""

from __future__ import annotations

import gzip
from pathlib import Path
from types import TracebackType
from typing import IO, Self, cast

from benchbar.records import Record, SampleResult, encode
from benchbar.records.files import synced

NAMES = SampleResult.__struct_fields__[1:]
"""One file for each kind of record that a sample brings: a new kind is a field there, and nothing here."""
RAG = "rag"
"""Written only where answers to questions are measured."""
MANY = 1000
"""Dialogues from which on the files are compressed."""


class DerivedFiles:
    """The JSONL files of one run, one record a line, in the order of the suite."""

    def __init__(self, folder: Path, *, rag: bool = False, dialogues: int = 0) -> None:
        """In ``folder``; the old files stay until all new ones are whole. With ``rag``, ``rag.jsonl`` is one of them.

        Those of a run of many dialogues are compressed, and named so.
        """
        self._folder = folder
        self._ending = ".jsonl.gz" if dialogues > MANY else ".jsonl"
        self._names = tuple(name for name in NAMES if rag or name != RAG)
        self._files: dict[str, IO[bytes]] = {}

    def __enter__(self) -> Self:
        """Begin the new files."""
        self._folder.mkdir(parents=True, exist_ok=True)
        self._files = {name: self._opened(self._new(name)) for name in self._names}
        return self

    def _opened(self, path: Path) -> IO[bytes]:
        if self._ending == ".jsonl":
            return path.open("wb")
        # No time in the head: equal runs give equal bytes.
        return cast("IO[bytes]", gzip.GzipFile(path, "wb", compresslevel=5, mtime=0))

    def _new(self, name: str) -> Path:
        return self._folder / f".{name}.jsonl.new"

    def add(self, result: SampleResult) -> None:
        """Append what came of one sample."""
        for name, file in self._files.items():
            records: tuple[Record, ...] = getattr(result, name)
            file.write(b"".join(encode(record) + b"\n" for record in records))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Put the new files in place, or throw them away where the run did not come to its end."""
        for name, file in self._files.items():
            file.close()
            if kind is not None:
                self._new(name).unlink(missing_ok=True)
                continue
            synced(self._new(name))
            self._new(name).replace(self._folder / f"{name}{self._ending}")
            for other in {".jsonl", ".jsonl.gz"} - {self._ending}:
                (self._folder / f"{name}{other}").unlink(missing_ok=True)
