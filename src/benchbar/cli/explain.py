"""`benchbar explain`: what an error means and what to do, without a network."""

from __future__ import annotations

import posixpath
import re

import click

from benchbar.cli.command import Command

FOLDER = "docs/errors"
COLUMNS = 80
_LINK = re.compile(r"\[([^\]]*)\]\(([^)]*)\)")


@click.command(cls=Command)
@click.argument("slug", required=False)
def command(slug: str | None) -> None:
    """Explain an error by its SLUG, which stands in the last line of its message; without one, list all with a line each.

    benchbar explain bad-input
    """
    from benchbar.records.bundled import bundled
    from benchbar.records.errors import UnknownNameError

    pages = {page.stem: page for page in sorted(bundled(FOLDER).glob("*.md"))}
    if slug is None:
        width = max(map(len, pages))
        for name, page in pages.items():
            click.echo(f"{name:{width}}  {_first_sentence(page.read_text('utf-8'), COLUMNS - width - 2)}")
        return
    if slug not in pages:
        raise UnknownNameError("error", slug, list(pages))
    site = site_address()
    _title, _, told = pages[slug].read_text("utf-8").partition("\n")
    # A terminal shows no links: what is linked is named.
    click.echo(_LINK.sub(lambda link: f"{link[1]} ({_place(link[2], site)})", told).strip())
    if site:
        click.echo(f"\n{_place(f'{slug}.md', site)}")


def _first_sentence(text: str, most: int) -> str:
    """How the page of an error begins, in a line."""
    told = " ".join(_LINK.sub(r"\1", text).split("\n\n")[1].replace("`", "").split())
    sentence = told.partition(". ")[0].removesuffix(".")
    return sentence if len(sentence) <= most else f"{sentence[: most - 1].rpartition(' ')[0]}…"


def site_address() -> str | None:
    """The address of the documentation's site, without a slash at its end; nothing where the package names none.

    It is configured as `Documentation` under `[project.urls]` in pyproject.toml and nowhere else.
    """
    from importlib.metadata import PackageNotFoundError, metadata

    try:
        urls = metadata("benchbar").get_all("Project-URL") or []
    except PackageNotFoundError:  # run from a checkout that is not installed
        return None
    named = dict(url.split(", ", 1) for url in urls)
    return named.get("Documentation", "").rstrip("/") or None


def _place(target: str, site: str | None) -> str:
    """Where a link of an error's page leads: a page of the site, or of the repository."""
    if "://" in target:
        return target
    path, mark, anchor = posixpath.normpath(posixpath.join(FOLDER, target)).partition("#")
    return f"{site}/{path.removesuffix('.md')}.html{mark}{anchor}" if site else f"{path}{mark}{anchor}"
