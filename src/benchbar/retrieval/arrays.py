"""Arrays on disk: mapped, never unpickled."""

from __future__ import annotations

import io
import mmap
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchbar.records.errors import BadInputError
from benchbar.records.files import write_atomically


def save_array(path: Path, values: NDArray[Any]) -> None:
    """Write an array whole, in NumPy's own format."""
    buffer = io.BytesIO()
    # No pickles: an index may come from somebody else, and reading one must not run code.
    np.save(buffer, np.ascontiguousarray(values), allow_pickle=False)
    write_atomically(path, buffer.getvalue())


def load_array(path: Path) -> NDArray[Any]:
    """The array at ``path``, mapped into memory and read as it is used.

    Raises:
        BadInputError: there is no such file, or it is no array or cut short.
    """
    try:
        found: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError) as error:
        raise BadInputError(f"no readable array ({error}); build the index again", file=path) from error
    # A plain view of the mapped pages: numpy.memmap makes each slice an object of its class, ten times as slowly.
    return found.view(np.ndarray)


def load_bytes(path: Path) -> memoryview | bytes:
    """The bytes at ``path``, mapped into memory.

    Raises:
        BadInputError: there is no such file.
    """
    try:
        # An empty file cannot be mapped.
        if not path.stat().st_size:
            return b""
        with path.open("rb") as handle:
            return memoryview(mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_READ))
    except OSError as error:
        raise BadInputError(f"cannot be read ({error.strerror}); build the index again", file=path) from error
