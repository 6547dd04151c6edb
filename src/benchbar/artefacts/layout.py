"""The names of the files in a run folder: nobody else knows them.

What each file holds is told in docs/run-folder.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from benchbar.records import SampleResult

Derived = Literal["dialogues", "scores", "comparisons", "citations", "measures", "dimensions", "rag", "trials"]
"""The JSONL files with one record a line; ``rag`` is written where answers to questions are measured, ``trials`` where
dialogues are repeated."""
DERIVED = cast("tuple[Derived, ...]", SampleResult.__struct_fields__[1:])
"""One file for each kind of record that a sample brings: a new kind is a field there, and is written without a change here."""
PLAIN, PACKED = ".jsonl", ".jsonl.gz"
"""Endings of the derived files; those of a run of many dialogues are compressed, and named so."""
LEDGER = "ledger.sqlite"


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The paths of a run's files, whether they are there or not."""

    path: Path

    @property
    def manifest(self) -> Path:
        """What the run was made from."""
        return self.path / "run.json"

    @property
    def ledger(self) -> Path:
        """Calls, answers and marks, where they are not in a database."""
        return self.path / LEDGER

    @property
    def results(self) -> Path:
        """Every estimate; there once a run or a study has finished."""
        return self.path / "results.json"

    @property
    def report(self) -> Path:
        """The page that opens offline."""
        return self.path / "report.html"

    @property
    def tables(self) -> Path:
        """The tables of an ablation on questions, as Markdown."""
        return self.path / "report.md"

    @property
    def timing(self) -> Path:
        """Seconds that assistants took: what depends on the clock."""
        return self.path / "timing.json"

    @property
    def failures(self) -> Path:
        """Requests that failed, those included that were sent again."""
        return self.path / "failures.json"

    @property
    def marks(self) -> Path:
        """What people marked."""
        return self.path / "marks.json"

    @property
    def finished(self) -> Path:
        """The stamp by which a finished run tells that nothing has changed since."""
        return self.path / "finished.json"

    @property
    def shown(self) -> Path:
        """The samples that the report of a large run shows; always compressed."""
        return packed_name(self.shown_plain)

    @property
    def shown_plain(self) -> Path:
        """The plain name of that file, by which it is read."""
        return self.path / f"shown{PLAIN}"

    @property
    def lock(self) -> Path:
        """Held by the process that writes the derived files of a shared run."""
        return self.path / ".derived.lock"

    def derived(self, name: Derived) -> Path:
        """A derived file by its plain name, whether it is compressed or not."""
        return self.path / f"{name}{PLAIN}"

    def new(self, name: Derived) -> Path:
        """A derived file while it is written."""
        return self.path / f".{name}.jsonl.new"

    def inspect_log(self, assistant: str) -> Path:
        """The log of one assistant for Inspect."""
        return self.path / "inspect" / f"{assistant}.eval"

    def states(self, *names: Derived) -> tuple[Path, ...]:
        """Every file by whose change it is seen that what was read of these derived files, or of the results, is old."""
        plain = [self.derived(name) for name in names]
        return (self.manifest, self.results, *plain, *(packed_name(file) for file in plain))

    def has(self, name: Derived) -> bool:
        """Whether a derived file is there, compressed or not."""
        return present(self.derived(name)).is_file()

    @property
    def signs(self) -> tuple[Path, ...]:
        """A folder that holds one of these is one of a run or a study."""
        return self.manifest, self.results, self.ledger

    @property
    def begun(self) -> bool:
        """Whether a run was begun here, finished or not."""
        return self.manifest.is_file() or self.ledger.is_file()

    @property
    def written(self) -> frozenset[str]:
        """The names of all files that a finished run leaves; whatever else people put beside them is theirs."""
        files = (self.manifest, self.results, self.report, self.timing, self.failures, self.marks, self.shown)
        derived = (f"{name}{ending}" for name in DERIVED for ending in (PLAIN, PACKED))
        return frozenset((*(file.name for file in files), *derived))


def packed_name(file: Path) -> Path:
    """What a derived file is called where the run has many dialogues: compressed, it takes its plain name's place."""
    return file.with_name(f"{file.name}.gz")


def present(file: Path) -> Path:
    """The derived file as it is there: compressed, or by its plain name."""
    packed = packed_name(file)
    return packed if packed.is_file() else file
