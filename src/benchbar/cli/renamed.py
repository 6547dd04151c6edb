"""What became of commands and options that had another name; docs/migration.md says the same, and a test holds both equal."""

from __future__ import annotations

from collections.abc import Sequence

COMMANDS: dict[str, str] = {}
"""Former command, without the program's name, to what is to be typed now."""
OPTIONS: dict[str, dict[str, str]] = {}
"""Command to its former options, each with what is to be typed now."""


def new_command(path: str) -> str | None:
    """What is typed now for a former command."""
    return COMMANDS.get(path)


def new_option(path: Sequence[str], option: str) -> str | None:
    """What is typed now for a former option of a command."""
    return OPTIONS.get(" ".join(path), {}).get(option)
