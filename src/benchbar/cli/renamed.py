"""What became of commands and options that were changed; docs/migration.md says the same, and a test holds both equal."""

from __future__ import annotations

from collections.abc import Sequence

COMMANDS: dict[str, str] = {}
"""Former command, without the program's name, to what is to be typed now."""

_NO_CHANCE = "not needed: nothing is drawn by chance here"
OPTIONS: dict[str, dict[str, str]] = {
    f"stats {name}": {"--seed": _NO_CHANCE} for name in ("correct", "points", "judges", "correlate", "worth", "rank")
}
"""Command to its former options, each with what became of it."""


def new_command(path: str) -> str | None:
    """What became of a former command."""
    return COMMANDS.get(path)


def new_option(path: Sequence[str], option: str) -> str | None:
    """What became of a former option of a command."""
    return OPTIONS.get(" ".join(path), {}).get(option)
