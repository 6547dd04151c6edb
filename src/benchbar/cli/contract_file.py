"""A contract on the command line: a file, or ``SUITE:NAME`` for one that comes with the package."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click


class ContractFile(click.Path):
    """A readable file; ``model-jurisdiction-zh:lease-2.docx`` is one of a bundled suite."""

    name = "contract"

    def __init__(self) -> None:
        """Folders are refused."""
        super().__init__(exists=True, dir_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path of the file or of the bundled contract."""
        suite, colon, name = str(value).partition(":")
        # A file that really has such a name wins.
        if colon and not Path(value).exists():
            contracts = bundled_contracts(suite)
            if contracts and name not in contracts:
                self.fail(f"{suite} has no contract {name!r}; it has {', '.join(contracts)}", param, ctx)
            value = contracts.get(name, value)
        return super().convert(value, param, ctx)


def bundled_contracts(suite: str) -> dict[str, Path]:
    """The contracts of a bundled suite by file name; empty where there is no such suite."""
    from benchbar.suites.load import bundled

    folder = bundled().get(suite)
    found = sorted((folder / "contracts").glob("*")) if folder and folder.is_dir() else []
    return {path.name: path for path in found if path.suffix in {".md", ".docx"}}


def beside(file: Path, ending: str) -> Path:
    """The file's name with another ending, beside it; a bundled contract's in the present folder."""
    from benchbar.suites.load import bundled

    name = f"{file.name}.{ending}"
    # The installed package is not written into.
    return Path(name) if file.parent.parent in bundled().values() else file.with_name(name)
