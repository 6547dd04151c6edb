"""The files of a run that are derived from its ledger: written line by line beside the old ones, then put in their place."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from benchbar.records import encode
from benchbar.studies.consultation import SampleResult

NAMES = ("dialogues", "scores", "comparisons", "citations", "measures", "dimensions")
RAG = "rag"
"""Written as well where answers to questions are measured."""


class DerivedFiles:
    """The JSONL files of one run, one record a line, in the order of the suite."""

    def __init__(self, folder: Path, *, rag: bool = False) -> None:
        """In ``folder``; the old files stay until all new ones are whole. With ``rag``, ``rag.jsonl`` is one of them."""
        self._folder = folder
        self._names = (*NAMES, RAG) if rag else NAMES
        self._files: dict[str, IO[bytes]] = {}

    def __enter__(self) -> Self:
        """Begin the new files."""
        self._folder.mkdir(parents=True, exist_ok=True)
        self._files = {name: self._new(name).open("wb") for name in self._names}
        return self

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
            if name in self._files:
                self._files[name].writelines(encode(record) + b"\n" for record in records)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Put the new files in place, or throw them away where the run did not come to its end."""
        for name, file in self._files.items():
            file.flush()
            os.fsync(file.fileno())
            file.close()
            if kind is None:
                self._new(name).replace(self._folder / f"{name}.jsonl")
            else:
                self._new(name).unlink(missing_ok=True)
