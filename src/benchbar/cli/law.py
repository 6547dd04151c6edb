"""`benchbar law`: the law as a corpus; its commands live in modules of their own and are imported when asked for."""

from __future__ import annotations

from importlib import import_module

import click

COMMANDS = {
    "index": "Read statutes and decisions into an index.",
    "cite": "Find the citations of a text and check each against the law.",
    "show": "Print an article, a law's editions, or a decision.",
    "search": "Find the articles and decisions that bear on a question.",
    "evaluate": "Measure the search on queries with known answers.",
    "train-encoder": "Learn one more signal for the search from the corpus itself.",
}
"""Every command with its line of help; ``law X`` is ``command`` in ``benchbar.cli.law_X``."""


class LawGroup(click.Group):
    """The commands of the table, imported one at a time."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command, imported now."""
        if cmd_name not in COMMANDS:
            return None
        found = import_module(f"benchbar.cli.law_{cmd_name.replace('-', '_')}").command
        assert isinstance(found, click.Command)  # noqa: S101 - a fault of ours, not of the user
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The table of commands, written without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LawGroup)
def command() -> None:
    r"""Index statutes and court decisions, and hold texts against them.

    \b
      benchbar law index statutes/ decisions/ --out indexes/prc
      benchbar law cite answer.txt --corpus indexes/prc --on 2024-06-01
    """
