"""Which family a model belongs to: a judge is known to favour its own."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path

from benchbar.records.errors import BadInputError
from benchbar.tables.rows import read_text

NAME = "families.toml"


def families(file: Path | None = None) -> dict[str, str]:
    """Beginning of a model's name to its family, from a file of one's own where there is one.

    Raises:
        BadInputError: the file is no table of names.
    """
    if file is None or not file.is_file():
        return _strings(tomllib.loads((files(__package__) / NAME).read_text("utf-8")), NAME)
    try:
        return _strings(tomllib.loads(read_text(file)), str(file))
    except tomllib.TOMLDecodeError as error:
        raise BadInputError(f"not valid TOML: {error}", file=file) from error


def _strings(table: Mapping[str, object], place: str) -> dict[str, str]:
    wrong = [name for name, family in table.items() if not isinstance(family, str)]
    if wrong:
        raise BadInputError("the name of a family was expected", file=place, field=wrong[0])
    return {name.lower(): str(family) for name, family in table.items()}


def family_of(model: str, table: Mapping[str, str]) -> str | None:
    """The family of a model such as ``Qwen/Qwen2.5-72B@http://…``; the longest beginning that fits decides."""
    name = model.lower().partition("@")[0].rsplit("/", 1)[-1].strip()
    fitting = [start for start in table if name.startswith(start)]
    return table[max(fitting, key=len)] if fitting else None


def same_family(judges: Iterable[str], models: Mapping[str, str], table: Mapping[str, str]) -> dict[str, str]:
    """Assistants whose model is of a judge's family, with that family."""
    own = {family_of(judge, table) for judge in judges} - {None}
    found = {name: family_of(model, table) for name, model in models.items()}
    return {name: family for name, family in found.items() if family is not None and family in own}
