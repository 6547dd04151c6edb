"""`benchbar example`: the examples of the pages, put where the user stands."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from benchbar.cli.command import Command


@click.command(cls=Command)
@click.argument("name", required=False)
@click.option("--out", type=click.Path(path_type=Path), help="Where to write it.  [default: its name, here]")
def command(name: str | None, out: Path | None) -> None:
    """Write the example NAME (a spec, an assistant, a scorer, a folder of suite sources) here; without one, list all.

    benchbar example two-models.toml
    """
    from benchbar.records.bundled import bundled
    from benchbar.records.errors import UnknownNameError, UserError

    folder = bundled("examples")
    names = sorted(path.name for path in folder.iterdir() if not path.name.startswith(("_", ".")))
    if name is None:
        for one in names:
            click.echo(one)
        return
    if name not in names:
        raise UnknownNameError("example", name, names)
    place = out or Path(name)
    if place.exists():
        raise UserError(f"{place} is there already; nothing was written. Name another place with --out")
    source = folder / name
    if source.is_dir():
        shutil.copytree(source, place, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, place)
    click.echo(f"written: {place}")
