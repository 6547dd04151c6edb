"""Where a set's files lie in the user's copy: in the folder that was named, or in one below it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import wraps
from pathlib import Path

from benchbar.records import Suite
from benchbar.records.errors import BadInputError

_DEPTH, _MOST = 4, 5000
"""How far below the named folder, and how many folders, are looked at: a clone's data lie near its top, a home folder has no end."""
_SHOWN = 8
Read = Callable[[Path], Suite]


def in_data_folder(*patterns: str, expected: str, also: tuple[str, ...] = ()) -> Callable[[Read], Read]:
    """Lets a reader be given a clone's top folder: it gets the nearest folder that has one of the files, and the suite says which.

    Args:
        patterns: Of the files that only the set has.
        expected: The files in words, for a copy that has none of them.
        also: Patterns that are good enough in the folder that was named, though other folders may have such files as well.
    """

    def decorate(read: Read) -> Read:
        @wraps(read)
        def found(path: Path) -> Suite:
            folder = data_folder(path, *patterns, expected=expected, also=also)
            suite = read(folder)
            return suite if folder == path else replace(suite, understood=(f"read from {folder}", *suite.understood))

        return found

    return decorate


def data_folder(path: Path, *patterns: str, expected: str, also: tuple[str, ...] = ()) -> Path:
    """The named file; else the folder with one of the files, the named one or the nearest below it.

    Raises:
        BadInputError: there is no such path or folder, or several are equally near.
    """
    if path.is_file():
        return path
    if not path.is_dir():
        raise BadInputError(f"no such file or folder; expected {expected}", file=path)
    for level in _levels(path):
        fitting = [folder for folder in level if _has(folder, patterns)]
        if len(fitting) > 1:
            listed = ", ".join(str(one.relative_to(path)) for one in fitting[:_SHOWN])
            more = f" and {len(fitting) - _SHOWN} more" if len(fitting) > _SHOWN else ""
            raise BadInputError(f"several folders in it have {expected}: {listed}{more}; name one of them", file=path)
        if fitting:
            return fitting[0]
    if _has(path, also):
        return path
    there = sorted(one.name + "/" * one.is_dir() for one in path.iterdir())
    seen = ", ".join(there[:_SHOWN]) + (f" and {len(there) - _SHOWN} more" if len(there) > _SHOWN else "")
    raise BadInputError(f"found {seen or 'nothing'}; expected {expected}, here or in a folder below", file=path)


def _levels(path: Path) -> Iterator[list[Path]]:
    """The folder, then those in it, then those in these."""
    level, seen = [path], 0
    for _ in range(_DEPTH + 1):
        yield level
        seen += len(level)
        level = [folder for one in level for folder in _folders(one)]
        if not level or seen + len(level) > _MOST:
            return


def _folders(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            # Links may lead in a circle, and hidden folders are those of tools.
            names = [one.name for one in entries if one.is_dir(follow_symlinks=False) and not one.name.startswith(".")]
    except OSError:
        return []
    return [folder / name for name in sorted(names)]


def _has(folder: Path, patterns: tuple[str, ...]) -> bool:
    return any(next(folder.glob(pattern), None) is not None for pattern in patterns)
