"""The files of a run that are derived from its ledger: written line by line beside the old ones, then put in their place."""

from __future__ import annotations

import gzip
from pathlib import Path
from types import TracebackType
from typing import IO, Self, cast

from benchbar.records import SampleResult, encode
from benchbar.records.files import synced

NAMES = ("dialogues", "scores", "comparisons", "citations", "measures", "dimensions")
MANY = 1000
"""Dialogues from which on the files are compressed."""
RAG = "rag"
"""Written as well where answers to questions are measured."""


class DerivedFiles:
    """The JSONL files of one run, one record a line, in the order of the suite."""

    def __init__(self, folder: Path, *, rag: bool = False, dialogues: int = 0) -> None:
        """In ``folder``; the old files stay until all new ones are whole. With ``rag``, ``rag.jsonl`` is one of them.

        Those of a run of many dialogues are compressed, and named so.
        """
        self._folder = folder
        self._ending = ".jsonl.gz" if dialogues > MANY else ".jsonl"
        self._names = (*NAMES, RAG) if rag else NAMES
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
        for name, records in (
            ("dialogues", result.dialogues),
            ("scores", result.scores),
            ("comparisons", result.comparisons),
            ("citations", result.citations),
            ("measures", result.measures),
            (RAG, result.rag),
            ("dimensions", result.dimensions),
        ):
            if records and name in self._files:
                self._files[name].write(b"".join(encode(record) + b"\n" for record in records))

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
