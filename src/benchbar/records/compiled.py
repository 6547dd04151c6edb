"""What takes long to make of the files of an installation, kept beside its compiled modules, as Python keeps those."""

from __future__ import annotations

import hashlib
import marshal
import sys
from contextlib import suppress
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path
from typing import Any

from benchbar.records.files import write_atomically


def kept(kind: str, key: str) -> Any:
    """What was kept under a key, which says all that the value depends on; None where nothing was."""
    # What is damaged is made anew: it is only a copy.
    with suppress(OSError, EOFError, ValueError, TypeError):
        # As trustworthy as the compiled modules of this package, which lie beside it and are read in the same way.
        return marshal.loads(_place(kind, key).read_bytes())  # noqa: S302
    return None


def keep(kind: str, key: str, value: Any) -> None:
    """Keep code, or builtin values, in this package's ``__pycache__``; where that cannot be written, nothing is kept."""
    if not sys.dont_write_bytecode:
        # An installation is often another user's: then each process makes it for itself.
        with suppress(OSError):
            write_atomically(_place(kind, key), marshal.dumps(value))


def _place(kind: str, key: str) -> Path:
    name = hashlib.sha256(f"{MAGIC_NUMBER!r} {key}".encode()).hexdigest()[:32]
    return Path(cache_from_source(__file__)).parent / f"{kind}-{name}"
