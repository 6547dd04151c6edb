"""Which family a model belongs to: a judge is known to favour its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path

from benchbar.records.toml import read_toml

NAME = "families.toml"


def families(file: Path | None = None) -> dict[str, str]:
    """Beginning of a model's name to its family, from a file of one's own where there is one.

    Raises:
        BadInputError: the file is no table of names.
    """
    own = file is not None and file.is_file()
    table = read_toml(file if file is not None and own else files(__package__) / NAME, dict[str, str])
    return {name.lower(): family for name, family in table.items()}


def family_of(model: str, table: Mapping[str, str]) -> str | None:
    """The family of a model such as ``Qwen/Qwen2.5-72B@http://…``; the longest beginning that fits decides."""
    # Without host and publisher: Qwen/Qwen2.5 and qwen2.5 on two endpoints are one family.
    name = model.lower().partition("@")[0].rsplit("/", 1)[-1].strip()
    fitting = [start for start in table if name.startswith(start)]
    return table[max(fitting, key=len)] if fitting else None


def same_family(judges: Iterable[str], models: Mapping[str, str], table: Mapping[str, str]) -> dict[str, str]:
    """Assistants whose model is of a judge's family, with that family."""
    own = {family_of(judge, table) for judge in judges} - {None}
    found = {name: family_of(model, table) for name, model in models.items()}
    return {name: family for name, family in found.items() if family is not None and family in own}
