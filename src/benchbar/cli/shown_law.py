"""How the citations of an answer stand, as commands show it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import click


def show_checked(citations: Iterable[Sequence[str]]) -> None:
    """The citations of a model's answer, each with its verdict and what that rests on."""
    for first, *others in citations:
        click.echo(f"\n· {first}")
        for line in others:
            click.echo(f"    {line}")
