"""TOML files as values of a known type: the one way specs, cards, policies and word lists are read."""

from __future__ import annotations

import re
import tomllib
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar

from benchbar.records.base import converted
from benchbar.records.errors import BadInputError
from benchbar.records.files import read_bounded

T = TypeVar("T")
MAX_BYTES = 16 * 1024 * 1024
"""The largest file of settings that people write by hand is far smaller; tomllib holds several times its size."""
_PLACE = re.compile(r" \(at (?:line (\d{1,9}), column (\d{1,9})|end of document)\)$")


def read_toml(file: Path | Traversable, kind: type[T]) -> T:
    """The value of type ``kind`` in a TOML file, or in one that comes with a package.

    Raises:
        BadInputError: the file cannot be read or is no TOML, or a field is missing, unknown or of another type.
    """
    return toml_of(read_text(file), kind, file=_called(file))


def read_text(file: Path | Traversable) -> str:
    """The text of such a file.

    Raises:
        BadInputError: the file cannot be read, or is not UTF-8.
    """
    # What comes with a package may lie in an archive, where a file has no path; only its name is known to the user.
    data = read_bounded(file, MAX_BYTES) if isinstance(file, Path) else file.read_bytes()
    try:
        # Editors on Windows put a byte order mark first, which TOML does not allow.
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = "not UTF-8, as TOML has to be; save the file as UTF-8"
        raise BadInputError(message, file=_called(file), line=line) from error


def _called(file: Path | Traversable) -> str:
    return str(file) if isinstance(file, Path) else file.name


def toml_of(text: str, kind: type[T], *, file: str | Path) -> T:
    """The same of a text that came from somewhere; ``file`` is what messages call it.

    Raises:
        BadInputError: as :func:`read_toml`.
    """
    return converted(_parsed(text, file), kind, file=file)


def _parsed(text: str, file: str | Path) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        # The place is at the end of the message; before Python 3.14 it stands nowhere else.
        message, found = str(error), _PLACE.search(str(error))
        line = int(found[1]) if found and found[1] else None
        column = f" (column {found[2]})" if found and found[2] else " (at the end)" if found else ""
        message = _PLACE.sub("", message)
        raise BadInputError(f"not valid TOML: {message}{column}", file=file, line=line) from error
    # tomllib descends by recursion: a hostile file of nested brackets reaches Python's limit.
    except RecursionError as error:
        raise BadInputError("not valid TOML: nested too deep", file=file) from error
