"""From what a user calls a suite to the suite: a bundled name, a folder or file, or ``reader:path``."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from benchbar.records import Suite
from benchbar.records.errors import UnknownNameError, UserError
from benchbar.records.plugins import known
from benchbar.records.plugins import load as load_plugin
from benchbar.suites import folder
from benchbar.suites.readers import queries

DATA = "data"


def bundled() -> dict[str, Path]:
    """The suites in the package by name, each with its file of questions as a suite of its own."""
    root = Path(str(files("benchbar.suites"))) / DATA
    found = sorted(root.iterdir()) if root.is_dir() else []
    suites = {path.name: path for path in found if (path / "card.toml").exists()}
    questions = {
        f"{name}{queries.SUFFIX}": path / queries.FILE
        for name, path in suites.items()
        if (path / queries.FILE).exists()
    }
    return suites | questions


def load(name: str, *, base: Path | None = None) -> Suite:
    """The suite called ``name``; relative paths are taken from ``base``.

    Raises:
        UserError: there is no such suite, reader or file.
        BadInputError: it cannot be read.
    """
    if name in (own := bundled()):
        return queries.read(own[name]) if own[name].is_file() else folder.read(own[name])
    path = (base or Path()) / name
    if path.exists():
        return folder.read(path)
    reader, colon, rest = name.partition(":")
    if colon and reader in known("suites"):
        suite = load_plugin("suites", reader)((base or Path()) / rest)
        if not isinstance(suite, Suite):
            raise UserError(f"the suite reader {reader!r} gave {type(suite).__name__}; a Suite was expected")
        return suite
    raise UnknownNameError("suite", name, [*own, *(f"{reader}:PATH" for reader in known("suites"))])
