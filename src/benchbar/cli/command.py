"""How commands look and answer: help in sections, commands imported when asked for, a mistyped or former name told.

In the docstring of a command, a paragraph that begins with ``benchbar`` or has an indented line is printed as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from inspect import cleandoc
from textwrap import indent
from typing import TYPE_CHECKING, Any, TypeVar

import click

from benchbar.cli.renamed import new_command, new_option
from benchbar.records.errors import UserError, did_you_mean
from benchbar.records.plugins import known

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

F = TypeVar("F", bound=Callable[..., Any])
PLUGINS = "Plugins"
# click cuts at 45, in the middle of most first sentences.
SHORT = 90
"""Characters of a command's line in the help."""


def section(head: str, *options: Callable[[Any], Any]) -> Callable[[F], F]:
    """Options that stand under a head of their own in the help."""

    def applied(function: F) -> F:
        before = len(getattr(function, "__click_params__", ()))
        for option in reversed(options):
            function = option(function)
        parameters: list[click.Parameter] = getattr(function, "__click_params__", [])
        for parameter in parameters[before:]:
            parameter.section = head  # type: ignore[attr-defined]
        return function

    return applied


class Command(click.Command):
    """A command whose options may stand in sections, and which knows what became of former options."""

    def __init__(self, *args: Any, part: str = PLUGINS, **settings: Any) -> None:
        """As click's; ``part`` is the section of the main help that a plugin's command stands in."""
        super().__init__(*args, **settings)
        self.help = _keep_examples(self.help)
        self.part = part

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """What click makes of the words; a former option is answered with its new place."""
        try:
            return super().parse_args(ctx, args)
        # Only after click itself has failed: a plugin may have an option of that name.
        except click.NoSuchOption as error:
            if became := new_option(_path(ctx), error.option_name):
                ctx.fail(f"{error.option_name} {became}")
            raise

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options by section, in the order of their first option; those without one stand first."""
        rows: dict[str, list[tuple[str, str]]] = {"": []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                # `--help` belongs to nothing: it ends the first list.
                rows.setdefault(getattr(parameter, "section", ""), []).append(record)
        for head, records in rows.items():
            if records:
                with formatter.section(head or "Options"):
                    formatter.write_dl(records)


class Group(click.Group):
    """A group of such commands, which knows what became of former ones."""

    command_class = Command
    group_class = type

    def __init__(self, *args: Any, part: str = PLUGINS, **settings: Any) -> None:
        """As click's; ``part`` is the section of the main help that a plugin's group stands in."""
        super().__init__(*args, **settings)
        self.help = _keep_examples(self.help)
        self.part = part

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names in the order in which they were added, which is the order of work."""
        return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Each command with the whole first sentence of its help."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, one.get_short_help_str(SHORT)) for name, one in self.commands.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first word names; a former or mistyped name is answered with the right one."""
        name = args[0]
        # While completing, a word is not mistyped but unfinished.
        if not name.startswith("-") and self.get_command(ctx, name) is None and not ctx.resilient_parsing:
            if became := new_command(" ".join([*_path(ctx), name])):
                ctx.fail(f"{name} {became}")
            ctx.fail(f"No such command {name!r}{did_you_mean(name, self.list_commands(ctx))}")
        return super().resolve_command(ctx, args)


Sections = Mapping[str, Mapping[str, str]]
"""Head of a section of the help, to its commands, each with its line of help."""


class LazyGroup(Group):
    """A group whose commands are imported when they are asked for: ours, and those of plugins."""

    def __init__(
        self,
        *args: Any,
        sections: Sections,
        where: str | Mapping[str, str] = "benchbar.cli.{name}:command",
        plugins: bool = False,
        **settings: Any,
    ) -> None:
        """``sections`` hold each command with its line of help, so that help need not import them.

        ``where`` is the ``module:object`` of a command: one for each name, or a pattern with ``{name}`` in it.

        With ``plugins``, the commands that packages register under ``benchbar.commands`` are part of the group. Help
        has to import those: a plugin's module of commands imports what it needs inside its functions, as ours do.
        """
        super().__init__(*args, **settings)
        self._sections = sections
        names = [name for part in sections.values() for name in part]
        own = {name: where.format(name=name.replace("-", "_")) for name in names} if isinstance(where, str) else where
        self._own = {name: own[name] for name in names}
        self._with_plugins = plugins

    @cached_property
    def _plugins(self) -> dict[str, EntryPoint]:
        """Commands of plugins; a command of ours is found without looking through what is installed."""
        registered = known("commands") if self._with_plugins else {}
        # No plugin takes the place of a command of ours.
        return {name: point for name, point in registered.items() if name not in self._own}

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names in the order of the sections, then those of plugins."""
        return [*self._own, *self._plugins]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command, imported now."""
        if cmd_name in self._own:
            module, _, attribute = self._own[cmd_name].partition(":")
            found = getattr(import_module(module), attribute)
        elif cmd_name in self._plugins:
            try:
                found = self._plugins[cmd_name].load()
            except (ImportError, AttributeError) as error:
                raise UserError(f"the plugin command {cmd_name} cannot be loaded: {error}") from error
        else:
            return None
        assert isinstance(found, click.Command)  # noqa: S101 - a fault of the package's, not of the user
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands by section; of ours, none is imported."""
        for head, rows in self._told(ctx):
            with formatter.section(head):
                formatter.write_dl(rows)

    def _told(self, ctx: click.Context) -> Iterator[tuple[str, Sequence[tuple[str, str]]]]:
        added: dict[str, list[tuple[str, str]]] = {}
        for name in self._plugins:
            try:
                command = self.get_command(ctx, name)
                part, text = getattr(command, "part", PLUGINS), command.get_short_help_str(SHORT) if command else ""
            except UserError as error:
                # A broken plugin is told in its line; the help of all other commands is not lost with it.
                part, text = PLUGINS, str(error)
            added.setdefault(part, []).append((name, text))
        for head, rows in self._sections.items():
            yield head, [*rows.items(), *added.pop(head, [])]
        yield from added.items()


def _keep_examples(text: str | None) -> str | None:
    """The help with click's mark for what is not to be wrapped before each example or list."""
    if not text:
        return text
    paragraphs = cleandoc(text).split("\n\n")
    # The mark is put in here, since a literal one in a docstring was once printed by the help of seven commands.
    return "\n\n".join(f"\b\n{indent(one, '  ')}" if _KEPT.search(one) else one for one in paragraphs)


_KEPT = re.compile(r"\Abenchbar |^ ", re.MULTILINE)


def _path(ctx: click.Context) -> list[str]:
    """The words that call the command, without the program's own name (which may be several: ``python -m benchbar``)."""
    return [*_path(ctx.parent), ctx.info_name or ""] if ctx.parent else []
