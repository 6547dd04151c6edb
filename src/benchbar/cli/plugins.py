"""`benchbar plugins`: what can be named in a spec, and where it comes from."""

from __future__ import annotations

import json

import click

from benchbar.cli.command import Command
from benchbar.cli.options import json_option
from benchbar.records.plugins import GROUPS, known


@click.command(cls=Command)
@json_option
def command(*, as_json: bool) -> None:
    """List what is registered under each extension point, built in or brought by another package.

    A name in this list can stand as `kind` in a spec; instead of a name, `module:object` works too.

    benchbar plugins --json
    """
    found = {
        group: {
            # Not loaded: a broken plugin should be listed, too.
            name: {"object": point.value, "package": point.dist.name if point.dist else ""}
            for name, point in known(group).items()
        }
        for group in GROUPS
    }
    if as_json:
        click.echo(json.dumps(found))
        return
    for group, members in found.items():
        click.echo(f"benchbar.{group}")
        for name, where in sorted(members.items()):
            click.echo(f"  {name:16} {where['object']}  ({where['package']})")
        if not members:
            click.echo("  none")
