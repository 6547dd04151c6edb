"""Files that are written whole or not at all, or appended to line by line, and read within bounds."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchbar.records.errors import BadInputError

# Far above any file that is read whole; larger ones are read line by line.
MAX_BYTES = 512 * 1024 * 1024


def write_atomically(path: Path, data: bytes) -> None:
    """Put ``data`` at ``path`` so that a reader, or a crash, sees the old file or the new one and nothing between."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # In the same folder: a rename is atomic only within one file system.
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        # mkstemp lets only its owner read, and a run folder is meant to be shared.
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def append_lines(file: Path, data: bytes) -> None:
    """Write whole lines at the end of a file, synced; a line that a crash cut off before is taken away first.

    A file that is made is readable by its owner alone, and so is its folder.
    """
    new = not file.exists()
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with os.fdopen(os.open(file, os.O_RDWR | os.O_CREAT, 0o600), "r+b") as out:
        end = out.seek(0, os.SEEK_END)
        if end:
            out.seek(max(0, end - 1))
            if out.read(1) != b"\n":
                # It was never acknowledged: whoever wrote it was told nothing.
                out.seek(0)
                end = out.read().rfind(b"\n") + 1
                out.truncate(end)
        out.seek(end)
        out.write(data)
        out.flush()
        os.fsync(out.fileno())
    if new:
        sync_folder(file.parent)


def whole_lines(file: Path) -> Iterator[bytes]:
    """The lines of a file that were written to their end; none where there is no such file."""
    if not file.is_file():
        return
    with file.open("rb") as found:
        yield from (line for line in found if line.endswith(b"\n"))


def synced(path: Path) -> None:
    """Make sure that what was written to a file is on the disk."""
    # For writing: Windows refuses to sync what was opened for reading.
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_folder(folder: Path) -> None:
    """The rename itself reaches the disk only with its folder (not every system can open one)."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def read_bounded(path: Path, limit: int = MAX_BYTES) -> bytes:
    """The bytes of a file that is not larger than ``limit``.

    Raises:
        BadInputError: there is no such file, it cannot be read, or it is too large.
    """
    try:
        size = path.stat().st_size
        # Asked before reading: a file that would fill the memory must be refused, not read first.
        if size > limit:
            raise BadInputError(f"{size} bytes; at most {limit} are read", file=path)
        return path.read_bytes()
    except OSError as error:
        raise BadInputError(f"cannot be read: {error.strerror}", file=path) from error
