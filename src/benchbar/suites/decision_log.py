"""What people decided of samples that were proposed: one line each, appended in the folder that the proposals lie in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from benchbar.records import Record, encode
from benchbar.records.errors import BadInputError, UserError
from benchbar.records.files import append_lines, whole_lines

DECISIONS, DECIDING = "decisions.jsonl", ".deciding.lock"
PATIENCE = 30.0
"""Seconds for which a decision waits for another one."""
D = TypeVar("D", bound=Record)


class DecisionLog(Generic[D]):
    """The decisions about the proposals of one folder, records of one kind."""

    def __init__(self, folder: Path, kind: type[D]) -> None:
        """In ``folder``, which is made when something is decided."""
        self.folder = folder
        self._decoder = msgspec.json.Decoder(kind)

    def all(self) -> list[D]:
        """What was decided, in the order in which it was.

        Raises:
            BadInputError: a line is no such record.
        """
        file = self.folder / DECISIONS
        found: list[D] = []
        for number, line in enumerate(whole_lines(file), start=1):
            try:
                found.append(self._decoder.decode(line))
            except msgspec.MsgspecError as error:
                raise BadInputError(str(error), file=file, line=number) from error
        return found

    @contextmanager
    def deciding(self) -> Iterator[None]:
        """Decide alone among all processes, from looking at a proposal to writing down what became of it.

        Raises:
            UserError: somebody else has been deciding for half a minute.
        """
        import filelock

        # A suite is read, and written whole with one sample more: of two at once, one would lose its sample.
        try:
            with filelock.FileLock(self.folder / DECIDING, timeout=PATIENCE, mode=0o600):
                yield
        except filelock.Timeout as error:
            raise UserError(f"somebody else is deciding in {self.folder}: try again in a moment") from error

    def keep(self, decision: D) -> None:
        """Write down what a person decided; on disk when this returns."""
        append_lines(self.folder / DECISIONS, encode(decision) + b"\n")
