"""The text of work products: all files of a folder, each under its name."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePath

from benchbar.records import Problem
from benchbar.records.errors import BenchbarError
from benchbar.tables.documents import read_document
from benchbar.tables.reading import read_table

MOST_FILES = 500
SKIPPED = {"node_modules", ".venv", "__pycache__"}
SHEETS = {".xlsx", ".xlsm"}


def files_below(folder: Path) -> Iterator[Path]:
    """The files of a folder in order, without links: what they point at is not part of it."""
    count = 0
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(one for one in folders if one not in SKIPPED and one[0] != ".")
        for name in sorted(names):
            path = Path(here, name)
            if path.is_symlink() or not path.is_file() or name[0] == ".":
                continue
            count += 1
            if count > MOST_FILES:
                return
            yield path


def texts_of(folder: Path) -> tuple[dict[str, str], list[Problem]]:
    """Name to text of every file that can be read, and why others cannot."""
    found: dict[str, str] = {}
    problems: list[Problem] = []
    for path in files_below(folder):
        name = str(path.relative_to(folder))
        try:
            found[name] = text_of(path)
        except BenchbarError as error:
            problems.append(Problem(file=str(path), message=str(error)))
    return found, problems


def text_of(path: Path) -> str:
    """The text of one file: of a workbook its first sheet, cell by cell.

    Raises:
        BadInputError: it cannot be read.
    """
    return _sheet(path) if path.suffix.lower() in SHEETS else read_document(path).text


def text_of_bytes(name: str, data: bytes) -> str:
    """The text of a file that stands on no disk, by the ending of its name.

    Raises:
        BadInputError: it cannot be read.
    """
    with tempfile.TemporaryDirectory() as folder:
        # The ending alone: a name may come from whoever wrote the file.
        path = Path(folder, f"file{PurePath(name).suffix[:10]}")
        path.write_bytes(data)
        return text_of(path)


def readable_texts(files: Mapping[str, bytes]) -> dict[str, str]:
    """Name to text of those files that can be read."""
    found = {}
    for name, data in files.items():
        try:
            found[name] = text_of_bytes(name, data)
        except BenchbarError:
            continue
    return found


def _sheet(path: Path) -> str:
    table = read_table(path, unnamed=True)
    lines = ["\t".join(table.columns)]
    lines += ["\t".join("" if cell is None else str(cell) for cell in row.values()) for _, row in table]
    return "\n".join(lines)


def joined(texts: dict[str, str]) -> str:
    """All texts as one, each under its name."""
    return "\n\n".join(f"## {name}\n{text}" for name, text in texts.items())


def delivered(texts: dict[str, str], wanted: Sequence[str]) -> dict[str, str]:
    """Those of the files that are wanted: by name, else the only one left of that kind; all where a name fits none of several.

    A judge that is shown more than a criterion is about decides worse; one that is shown another file decides of nothing.
    """
    found: dict[str, str] = {}
    for name in wanted:
        exact = [one for one in texts if name in (one, PurePath(one).name)]
        alike = [one for one in texts if one not in found and PurePath(one).suffix == PurePath(name).suffix]
        chosen = exact or (alike if len(alike) == 1 else [])
        if chosen:
            found[chosen[0]] = texts[chosen[0]]
        elif alike or not PurePath(name).suffix:
            return texts
        else:
            found[name] = "(this file was not delivered)"
    return found or texts
