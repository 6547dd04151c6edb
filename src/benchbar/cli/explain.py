"""`benchbar explain`: what an error means and what to do, without a network."""

from __future__ import annotations

import re

import click

from benchbar.cli.command import Command

PAGE = "docs/troubleshooting.md"
_HEADING = re.compile(r"^## (\S+)\n+(.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\[([^\]]*)\]\(([^)]*)\)")


@click.command(cls=Command)
@click.argument("slug", required=False)
def command(slug: str | None) -> None:
    """Explain an error by its SLUG, which stands in the last line of its message; without one, list all.

    benchbar explain bad-input
    """
    from benchbar.records.bundled import bundled
    from benchbar.records.errors import UnknownNameError

    told = dict(_HEADING.findall(bundled(PAGE).read_text("utf-8")))
    if slug is None:
        for name in told:
            click.echo(name)
        return
    if slug not in told:
        raise UnknownNameError("error", slug, list(told))
    # A terminal shows no links: what is linked is named.
    click.echo(_LINK.sub(r"\1 (\2)", told[slug]).strip())
