"""A finished run, as Python sees it: results, samples, spec and the gate's decision."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from benchbar.artefacts.folder import read_results
from benchbar.artefacts.layout import RunFolder
from benchbar.records import RunResults
from benchbar.records.errors import UserError
from benchbar.records.files import read_bounded
from benchbar.runs.manifest import read_manifest
from benchbar.runs.spec import Spec


class Run:
    """A finished run; what is read of its folder is read when it is asked for."""

    def __init__(self, folder: Path | str, *, results: RunResults | None = None, unchanged: bool = False) -> None:
        """Of a folder that `benchbar.run` or `benchbar run` filled.

        Raises:
            UserError: there is no finished run, or another version of Benchbar wrote it.
        """
        self.folder = Path(folder)
        self.results = read_results(self.folder) if results is None else results
        """Every estimate."""
        self.unchanged = unchanged
        """Whether it was finished before and nothing has changed since, so that nothing was done."""

    def __repr__(self) -> str:
        """Folder, samples and assistants."""
        return f"Run({str(self.folder)!r}: {self.results.samples} samples, {', '.join(self.results.assistants)})"

    @property
    def report(self) -> Path:
        """The page that opens offline."""
        return RunFolder(self.folder).report

    @property
    def numbers(self) -> Path:
        """The file of the results."""
        return RunFolder(self.folder).results

    @property
    def document(self) -> bytes:
        """That file as it is."""
        return read_bounded(self.numbers)

    @cached_property
    def spec(self) -> Spec:
        """What the run was made from, as it was resolved.

        Raises:
            UserError: the folder does not hold it any more.
        """
        manifest = read_manifest(self.folder)
        if manifest is None:
            raise UserError(f"{RunFolder(self.folder).manifest} is missing: it is not known what the run was made from")
        return manifest.spec


def open(folder: Path | str) -> Run:  # noqa: A001 - `benchbar.open`, never imported by its bare name
    """The finished run in a folder.

    Raises:
        UserError: there is none, it has not finished, or another version of Benchbar wrote it.
        BadInputError: the file of its results is damaged.
    """
    return Run(folder)
