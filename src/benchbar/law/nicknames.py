"""Further names that a user gives to laws, kept in ``nicknames.toml`` beside a suite or a corpus."""

from __future__ import annotations

import shlex
from pathlib import Path

from benchbar.records import Citation
from benchbar.records.errors import BadInputError
from benchbar.records.files import write_atomically
from benchbar.records.toml import toml_of

NICKNAMES = "nicknames.toml"


def read_nicknames(place: Path | None) -> dict[str, str]:
    """Name to the law it stands for, from a file, or from ``nicknames.toml`` in a folder; empty where there is none.

    Raises:
        BadInputError: the file is no table of names.
    """
    file = _file(place) if place else None
    if file is None or not file.is_file():
        return {}
    found = toml_of(file.read_text(encoding="utf-8"), dict[str, str], file=file)
    empty = next((name for name, law in found.items() if not (name.strip() and law.strip())), None)
    if empty is not None:
        raise BadInputError("a nickname and its law must not be empty", file=file, field=empty)
    return found


def add_nickname(place: Path, name: str, law: str) -> Path:
    """Add a name to the file, or to ``nicknames.toml`` in the folder; returns the file that was written."""
    names = read_nicknames(place) | {name: law}
    file = _file(place)
    lines = [f"{_quoted(one)} = {_quoted(names[one])}\n" for one in sorted(names)]
    write_atomically(file, "".join(lines).encode())
    return file


def nickname_command(one: Citation, place: str = "") -> str:
    """How to say once what the name of a citation stands for; empty where its name is recognised or explained.

    ``place`` is the folder of the suite or corpus that is to know it, where that is known here.
    """
    if one.unknown_name is None or not one.law:
        return ""
    meant = shlex.quote(one.unknown_name.meant) if one.unknown_name.meant else "LAW"
    return (
        f"benchbar law nickname {shlex.quote(_bare(one.law))} {meant} --to {shlex.quote(place) if place else 'FOLDER'}"
    )


def _bare(name: str) -> str:
    return "".join(one for one in name.strip("《》〈〉 ") if one.isprintable())


def _file(place: Path) -> Path:
    return place / NICKNAMES if place.is_dir() else place


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(one for one in escaped if one.isprintable()) + '"'
