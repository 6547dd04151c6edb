"""Groups of commands whose modules are imported only when they are asked for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click


class LazyGroup(click.Group):
    """A group whose command X is the object ``command`` of the module ``benchbar.cli.PREFIX_X``."""

    def __init__(self, *args: Any, table: Mapping[str, str], prefix: str = "", **kwargs: Any) -> None:
        """``table`` holds each command with its line of help, so that help need not import them."""
        super().__init__(*args, **kwargs)
        self._table, self._prefix = table, prefix

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names in the order of the table."""
        return list(self._table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command, imported now."""
        if cmd_name not in self._table:
            return None
        found = import_module(f"benchbar.cli.{self._prefix}{cmd_name.replace('-', '_')}").command
        assert isinstance(found, click.Command)  # noqa: S101 - a fault of ours, not of the user
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The table of commands, written without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self._table.items()))
