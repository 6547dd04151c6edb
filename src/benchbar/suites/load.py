"""From what a user calls a suite to the suite: a bundled name, a folder or file, or ``reader:path``."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from benchbar.law.dates import is_day
from benchbar.records import Suite
from benchbar.records.errors import BadInputError, UnknownNameError, UserError
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


def load(
    name: str,
    *,
    base: Path | None = None,
    language: str = "",
    columns: Mapping[str, str] | None = None,
    sheet: str = "",
) -> Suite:
    """The suite called ``name``; relative paths are taken from ``base``.

    Args:
        name: Of a bundled suite, a folder or file, or ``reader:path``.
        base: Where relative paths start.
        language: Of the samples, where the text does not tell it.
        columns: Field of a sample to the head of its column in a table.
        sheet: Of a workbook of questions that has several.

    Raises:
        UserError: there is no such suite, reader or file.
        BadInputError: it cannot be read.
    """
    suite = _load(name, base or Path(), language, columns or {}, sheet)
    for sample in suite.samples:
        # Readers of plugins may hand on what their files hold; law is asked for the day when all calls are paid.
        if sample.on is not None and not is_day(sample.on):
            raise UserError(f"{name}, sample {sample.id}: on is {sample.on!r}; expected a day such as 2024-06-01")
    return suite


def _load(name: str, base: Path, language: str, columns: Mapping[str, str], sheet: str) -> Suite:
    if name in (own := bundled()):
        return queries.read(own[name]) if own[name].is_file() else folder.read(own[name])
    path = base / name
    if path.exists():
        return folder.read(path, language=language, columns=columns, sheet=sheet)
    reader, colon, rest = name.partition(":")
    if colon and reader in known("suites"):
        try:
            suite = load_plugin("suites", reader)(base / rest)
        except OSError as error:
            why = error.strerror or str(error)
            raise BadInputError(
                f"the reader {reader!r} cannot read it: {why}", file=error.filename or base / rest
            ) from error
        if not isinstance(suite, Suite):
            raise UserError(f"the suite reader {reader!r} gave {type(suite).__name__}; a Suite was expected")
        return suite
    if "/" in name or path.suffix:
        raise BadInputError("no such file or folder; `benchbar suite list` names the bundled suites", file=path)
    raise UnknownNameError("suite", name, [*own, *(f"{reader}:PATH" for reader in known("suites"))])
