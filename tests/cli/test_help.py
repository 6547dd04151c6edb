"""How the command line helps: sections, examples as they are typed, and the right name for a wrong one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from benchbar.cli.command import Command, Group, section
from benchbar.cli.main import SECTIONS, cli


def every(command: click.Command, context: click.Context) -> Iterator[tuple[click.Command, click.Context]]:
    """Each command below this one, with the context that its help is written in."""
    yield command, context
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from every(found, click.Context(found, info_name=name, parent=context))


ALL = list(every(cli, click.Context(cli, info_name="benchbar")))
EACH = pytest.mark.parametrize(("command", "context"), ALL, ids=[context.command_path for _, context in ALL])


def answered(*words: str) -> tuple[int, str]:
    """Exit code and everything printed."""
    found = CliRunner().invoke(cli, list(words))
    return found.exit_code, found.output


def test_the_main_help_has_six_sections_and_plugins_in_theirs():
    """Run, decide, people, law, numbers, authoring; survey stands with people and audit with numbers."""
    assert list(SECTIONS) == ["Run", "Decide", "People", "Law", "Numbers", "Authoring"]
    _, text = answered("--help")
    heads = [line.rstrip(":") for line in text.splitlines() if line.rstrip(":") in SECTIONS]
    assert heads == list(SECTIONS)
    assert text.index("  serve ") < text.index("  survey ") < text.index("Law:")
    assert text.index("Numbers:") < text.index("  audit ") < text.index("Authoring:")


@EACH
def test_every_command_is_one_of_ours(command, context):
    """Each has sections, examples and answers to former names: no plain click command is left."""
    assert isinstance(command, Command | Group), context.command_path


@EACH
def test_no_help_shows_a_mark_of_its_own_making(command, context):
    """No backspace is seen, neither as itself nor written out, and two examples never run into one line."""
    text = command.get_help(context)
    assert "\b" not in text
    assert "\\b" not in text
    examples = [line for line in text.splitlines() if line.startswith("  benchbar ")]
    assert all(line.count("benchbar ") == 1 or "`" in line for line in examples)


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("runn",), "run"),
        (("suite", "chekc"), "check"),
        (("survey", "analyze"), "analyse"),
        (("law", "sarch"), "search"),
    ],
)
def test_a_mistyped_command_is_answered_with_the_one_that_was_meant(words, meant):
    """At every level; exit code 2."""
    code, text = answered(*words)
    assert (code, f"did you mean '{meant}'" in text) == (2, True)


def test_the_main_help_imports_no_command_of_ours():
    """Nothing slow is loaded: neither numpy nor rich, nor any module of a command."""
    code = (
        "import sys; from benchbar.cli.main import cli; cli.main(['--help'], standalone_mode=False);"
        "heavy = {'numpy', 'rich', 'aiohttp', 'scipy', 'jinja2', 'benchbar.cli.run'} & set(sys.modules);"
        "sys.exit(f'loaded: {heavy}' if heavy else 0)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr


def test_sections_of_options_stand_in_the_order_of_their_first():
    """Options without a head come first; those of a section stand together under it."""

    @click.command(cls=Command)
    @click.option("--out", help="Where.")
    @section("Model", click.option("--model", help="Which."), click.option("--base-url", help="Its address."))
    @click.option("--json", is_flag=True, help="As JSON.")
    def command() -> None:
        """Do it."""

    text = command.get_help(click.Context(command))
    places = [text.index(word) for word in ("Options:", "--out", "--json", "Model:", "--model", "--base-url")]
    assert places == sorted(places)
