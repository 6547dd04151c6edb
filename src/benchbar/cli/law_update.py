"""`benchbar law update`: an index made again, and what is different since."""

from __future__ import annotations

from pathlib import Path

import click

from benchbar.cli.command import Command
from benchbar.cli.options import json_option


@click.command("update", cls=Command)
@click.argument("index", type=click.Path(path_type=Path))
@json_option
def command(index: Path, *, as_json: bool) -> None:
    """Read the files of INDEX again, where they changed, and print which acts and decisions are new, changed or gone.

    The paths and options are those of the `benchbar law index` that made it.

    benchbar law update indexes/prc
    """
    from benchbar.cli.printing import print_json, progress
    from benchbar.law.updating import update_index

    found = update_index(index, progress=lambda files: progress(files, "reading"))
    if as_json:
        print_json(found)
        return
    read = sum(not file.unchanged for file in found.index.read)
    click.echo(f"{index}: {read} of {len(found.index.read)} files were read again, in {found.index.seconds:.1f} s")
    for one in found.updates:
        counts = {"added": one.added, "removed": one.removed, "changed": one.changed}
        told = ", ".join(f"{count} {name}" for name, count in counts.items() if count) or "no text"
        unit = "" if not one.law_id else f" [{one.law_id}]"
        click.echo(f"{one.status:8} {one.law}{unit}: {told}")
    if not found.updates:
        click.echo("nothing is different")
    elif any(one.law_id for one in found.updates):
        click.echo("`benchbar law diff` prints the words; `benchbar law touched` who cites them")
