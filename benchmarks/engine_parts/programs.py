"""How a program of the engine benchmark is started on the workload and what it is measured at."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from measuring import LONGEST, Measured, measured, said
from workload import Server, benchbar, served, write_spec, write_suite

Command = Callable[[Server, int, bool], list[str]]
"""From server, requests in flight and whether it goes on after a kill to what is run in a folder with suite and spec."""


class Failed(Exception):  # noqa: N818 - it says what happened
    """A program did not end well."""


@dataclass(frozen=True)
class Program:
    """One row of the table."""

    name: str
    command: Command
    prepare: Callable[[Path, int], None] = lambda *_: None
    """What has to stand in the folder before it starts, of so many samples."""
    peer: bool = False
    """Somebody else's: its failure is told, and the next one is measured."""


BENCHBAR = Program("Benchbar", lambda *_: benchbar())


@contextlib.contextmanager
def folder(samples: int, **options: object) -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(prefix="engine-"))
    try:
        write_suite(path, samples, **options)
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def ran(command: Sequence[str], path: Path, server: Server | None = None, **options: object) -> Measured:
    """What a run that ended well was measured at."""
    found = measured(command, path, server, **options)
    if found.code:
        raise Failed(f"{' '.join(map(str, command))} ended with {found.code}:\n{said(path)}")
    return found


def one(program: Program, samples: int, delay: float, in_flight: int) -> Measured:
    with folder(samples) as path:
        program.prepare(path, samples)
        with served(delay) as server:
            write_spec(path, server, in_flight)
            longest = LONGEST if program.peer else None
            return ran(program.command(server, in_flight, False), path, server, longest=longest)  # noqa: FBT003


@contextlib.contextmanager
def told(program: Program, failed: set[str]) -> Iterator[None]:
    """A peer's failure is printed and noted; ours ends the benchmark."""
    try:
        yield
    except (Failed, OSError) as error:
        if not program.peer:
            raise
        failed.add(program.name)
        print(f"{program.name} failed: {error}")
