"""What pages tell users to type is there to be typed."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

import click
import pytest

from benchbar.cli.main import cli
from support.page_commands import commands_of
from support.pages import ROOT, pages


def resolved(arguments: list[str]) -> click.Command:
    """The command that the arguments call; every option in them is one of its own."""
    command, context, left = cli, click.Context(cli, info_name="benchbar"), list(arguments)
    while True:
        given, left, _ = command.make_parser(context).parse_args(left)
        if not isinstance(command, click.Group) or not left or given.get("help") or given.get("version"):
            assert not left, f"more words than {context.command_path} takes: {left}"
            return command
        found = command.get_command(context, left[0])
        assert found is not None, f"{context.command_path} has no command {left[0]}"
        command, left = found, left[1:]
        context = click.Context(found, info_name=arguments[0], parent=context)


def tree(command: click.Command = cli, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command there is, with the words that call it."""
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from tree(found, (*path, name))


def options_of(command: click.Command) -> list[click.Option]:
    return [one for one in command.params if isinstance(one, click.Option)]


def test_pages_show_commands():
    """The search for commands finds those of the front page."""
    assert ["ledger", "check", "runs/two"] in list(commands_of(ROOT / "README.md"))


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_and_option_in_a_page_exists(page):
    """A command line in a page parses: command, subcommand, options and number of arguments."""
    for arguments in commands_of(page):
        try:
            resolved(arguments)
        except click.UsageError as error:
            pytest.fail(f"benchbar {shlex.join(arguments)}: {error.format_message()}")


def test_what_exists_is_found():
    """A command below another is found by its words."""
    assert resolved(["suite", "show"]).name == "show"


@pytest.mark.parametrize("line", ["run --no-such", "runn", "suite import a b c", "run --limit"])
def test_what_does_not_exist_is_found_out(line):
    """A misspelt command or option, a missing value and a word too many do not pass."""
    with pytest.raises((click.UsageError, AssertionError)):
        resolved(shlex.split(line))


def test_every_option_is_explained():
    """Each option of each command has a line of help or stands in a page, and each command says what it does."""
    everything = "\n".join(page.read_text("utf-8") for page in pages())
    commands = list(tree())
    assert [path for path, command in commands if not command.help] == []
    options = [(path, option) for path, command in commands for option in options_of(command)]
    assert options
    for path, option in options:
        told = option.help or any(re.search(rf"{name}\b", everything) for name in option.opts)
        assert told, f"nothing explains benchbar {' '.join(path)} {option.opts[0]}"


def test_every_command_is_in_a_page():
    """A command that no page shows is one that nobody finds."""
    shown = {tuple(arguments[:2]) for page in pages() for arguments in commands_of(page)}
    shown |= {words[:1] for words in shown}
    everything = "\n".join(page.read_text("utf-8") for page in pages())
    leaves = [path for path, command in tree() if path and not isinstance(command, click.Group)]
    assert leaves
    for path in leaves:
        line = rf"benchbar {' '.join(map(re.escape, path))}\b"
        assert path in shown or re.search(line, everything), f"no page shows benchbar {' '.join(path)}"


def test_the_page_of_runs_has_every_option_of_run():
    """The page explains each option of `benchbar run`."""
    page = (ROOT / "docs" / "run.md").read_text("utf-8")
    names = [option.opts[0] for option in options_of(resolved(["run"]))]
    assert names
    assert [name for name in names if f"`{name}" not in page] == []
