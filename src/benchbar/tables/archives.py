"""ZIP archives from outside (XLSX, DOCX), opened within bounds."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

from benchbar.records.errors import BadInputError

MAX_UNPACKED = 256 * 1024 * 1024
"""Bytes of all parts together: a book of a thousand pages with pictures unpacks to a tenth."""
_OLE = b"\xd0\xcf\x11\xe0"
_DAMAGED = (zipfile.BadZipFile, KeyError, NotImplementedError, RuntimeError, EOFError, OSError, zlib.error, ValueError)
"""What zipfile raises on damaged and hostile archives."""


@contextmanager
def archive(data: bytes, path: str | Path, what: str) -> Iterator[zipfile.ZipFile]:
    """The parts of an archive; ``what`` is its format, as in DOCX.

    Raises:
        BadInputError: a password protects it, it is damaged, no such archive, or unpacks to more than 256 MiB.
    """
    if data.startswith(_OLE):
        # Microsoft's container of old and of encrypted files.
        old = {"DOCX": ".doc", "XLSX": ".xls"}.get(what, "file")
        raise BadInputError(
            f"this is an encrypted {what} or an old {old}: save a copy as .{what.lower()} without a password", file=path
        )
    if not zipfile.is_zipfile(BytesIO(data)):
        raise BadInputError(f"not a readable {what}: it cannot be unpacked", file=path)
    try:
        with zipfile.ZipFile(BytesIO(data)) as opened:
            _check(opened, path)
            yield opened
    except _DAMAGED as error:
        raise BadInputError(f"not a readable {what}: {error}", file=path) from error


def _check(opened: zipfile.ZipFile, path: str | Path) -> None:
    entries = opened.infolist()
    # zipfile stops at the stated size of a part, so that a bomb that states a small one is cut off, not unpacked.
    unpacked = sum(entry.file_size for entry in entries)
    if unpacked > MAX_UNPACKED:
        raise BadInputError(f"unpacks to {unpacked} bytes; at most {MAX_UNPACKED} are read", file=path)
    if len({entry.filename for entry in entries}) < len(entries):
        # Two readers of one archive could take two different parts for the same.
        raise BadInputError("two parts of the archive have one name", file=path)
