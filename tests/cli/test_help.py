"""How the command line helps: sections, examples as they are typed, and the right name for a wrong one."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from benchbar.cli.command import Command, Group, LazyGroup, section
from benchbar.cli.main import SECTIONS, cli
from benchbar.cli.renamed import COMMANDS, OPTIONS
from benchbar.records.errors import UserError
from benchbar.runs.spec_reading import read_spec
from support.in_process import runner


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


@EACH
def test_every_command_teaches_by_one_sentence_and_one_example(command, context):
    """The first line is a sentence, and a command that does something shows a call of itself."""
    assert command.help.splitlines()[0].rstrip()[-1] in ".:", context.command_path
    if not isinstance(command, click.Group):
        assert re.search(rf"^ +{re.escape(context.command_path)}\b", command.help, re.MULTILINE)


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


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_a_former_command_is_answered_with_its_new_name(command):
    """One line, exit code 2."""
    code, text = answered(*command.split())
    assert (code, COMMANDS[command] in text) == (2, True)


@pytest.mark.parametrize(("command", "option"), [(name, one) for name, options in OPTIONS.items() for one in options])
def test_a_former_option_is_answered_with_its_new_place(command, option):
    """It is gone from the command, and what is to be typed in its place is told, exit code 2."""
    code, text = answered(*command.split(), option)
    assert (code, f"{option} {OPTIONS[command][option]}" in text) == (2, True)


def _first_commands() -> dict[str, list[str]]:
    """Commands of the first version with their options."""
    lines = (Path(__file__).parent / "first_commands.txt").read_text("utf-8").splitlines()
    found = (line.partition(": ") for line in lines if not line.startswith("#"))
    return {command: options.split() for command, _, options in found}


def test_each_command_and_option_of_the_first_version_is_there_or_its_successor_is_told():
    """What is neither still understood nor in the table of docs/migration.md would break a script without a word."""
    now = {
        context.command_path.removeprefix("benchbar "): {
            one for param in command.params for one in param.opts + param.secondary_opts
        }
        for command, context in ALL
    }
    first = _first_commands()
    assert len(first) == 66
    assert [one for one in first if one not in now and one not in COMMANDS] == []
    kept = {one: options for one, options in first.items() if one in now}
    lost = [
        f"{command} {option}"
        for command, options in kept.items()
        for option in options
        if option not in now[command] and option not in OPTIONS.get(command, {})
    ]
    assert lost == []


def test_nothing_stands_in_the_table_of_former_names_that_is_still_there():
    """An option has one form: who is told of a new name cannot use the former one as well."""
    now = {context.command_path.removeprefix("benchbar "): command for command, context in ALL}
    assert [one for one in COMMANDS if one in now] == []
    twice = [
        f"{command} {option}"
        for command, options in OPTIONS.items()
        for param in now[command].params
        for option in options
        if option in param.opts + param.secondary_opts
    ]
    assert twice == []


def test_a_former_option_is_known_however_the_program_is_called():
    """Also as a module, where the program's name is three words."""
    words = [sys.executable, "-m", "benchbar", "run", "--exchanges", "3"]
    found = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (found.returncode, "use --set exchanges=N" in found.stderr) == (2, True)


@EACH
def test_a_command_with_more_than_twelve_options_groups_them(command, context):
    """Help that is longer than a screen's half is told by section."""
    options = [one for one in command.get_params(context) if isinstance(one, click.Option)]
    assert len(options) <= 13 or {getattr(one, "section", "") for one in options} > {""}  # `--help` is the thirteenth


TOLD_APART = {
    "--assistant": "those that are run; one that is there already, to be reported or decided on",
    "--format": "what one command can write or read is no other's",
    "--judge": "a model that is asked; the name, or part of the name, of one that was",
    "--labels": "those that the caller holds; the file of everybody's",
    "--language": "of this program's texts; of a suite, which may be in any",
    "--ledger": "a file; a database, which several machines share",
    "--model": "one; those that are compared",
    "--reference": "an assistant of the run; a model that is replayed beside others",
    "--repeats": "left to the spec; a number of its own",
    "--rubric": "one by name or file; what is said of agents' steps",
    "--set": "keys of a spec, with dots; fields of an endpoint",
    "--simulator": "with an address; at the address of all models",
    "--size": "any; at least two of each task",
    "--suite": "one by name, to be read; a folder, to be written to",
    "--summary": "a file to write; the short form of an answer",
    "--to": "a folder; a day",
    "--workers": "of a cluster, which may be large; of one machine",
}
"""Options that bear one name in several commands and mean different things, with these."""


def test_an_option_that_means_the_same_has_one_form():
    """Whoever knows it from one command can use it in the next; `stats` has options for the columns of a table, each its own."""
    forms: dict[str, set[tuple[object, ...]]] = {}
    for command, context in ALL:
        if context.command_path.startswith("benchbar stats "):
            continue
        for one in command.params:
            bounds = (
                getattr(one.type, "min", None),
                getattr(one.type, "max", None),
                getattr(one.type, "choices", None),
            )
            form = (type(one.type), *bounds, one.metavar, getattr(one, "multiple", False), one.nargs)
            for name in one.opts if isinstance(one, click.Option) else ():
                forms.setdefault(name, set()).add(form)
    assert {name for name, found in forms.items() if len(found) > 1} == set(TOLD_APART)


SHARED = (
    "--json",
    "--seed",
    "--law",
    "--base-url",
    "--api-key-env",
    "--quiet",
    "--concurrency",
    "--max-cost",
    "--rules",
)


@pytest.mark.parametrize("name", SHARED)
def test_a_shared_option_has_one_form(name):
    """The same type and words in every command; at the end stands what holds where it is left out, or what form does not do."""
    found = [one for command, _ in ALL for one in command.params if isinstance(one, click.Option) and name in one.opts]
    forms = {
        (type(one.type), one.metavar, re.split(r"  \[| Ask answers| Only an index", one.help or "")[0]) for one in found
    }
    assert len(found) > 1
    assert len(forms) == 1


def test_set_reaches_every_field_of_a_spec(tmp_path):
    """Numbers, switches and texts, at the top and within a table; over the file."""
    file = tmp_path / "spec.toml"
    file.write_text('exchanges = 2\n[assistants.one]\nkind = "closed-book"\n[limits]\nconcurrency = 3\n', "utf-8")
    given = {"exchanges": 5, "stop_early": True, "limits.max_outage": 7, "prompts": "mine"}
    spec = read_spec(file, {}, (), given)
    assert (spec.exchanges, spec.stop_early, spec.prompts) == (5, True, "mine")
    assert (spec.limits.concurrency, spec.limits.max_outage) == (3, 7)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("run", "--set", "exchange=5"), "did you mean 'exchanges'?"),
        (("run", "--set", "limits.concurency=5"), "did you mean 'concurrency'?"),
        (("run", "--set", "exchanges"), "expected KEY=VALUE"),
        (("run", "--set", "seed.x=1"), "seed is 3, which has no fields"),
        (("run", "--assistant", "a=closed-bok"), "did you mean 'closed-book'?"),
        (("review-contract", "model-jurisdiction-zh:lease-2.docx", "--set", "rules=hybird"), "did you mean 'hybrid'?"),
        (("review-contract", "model-jurisdiction-zh:lease-2.docx", "--set", "promt=raw"), "did you mean 'prompt'?"),
    ],
)
def test_a_misspelt_field_kind_or_value_is_answered_with_the_one_that_was_meant(words, told, tmp_path, monkeypatch):
    """By name, before anything is run."""
    monkeypatch.chdir(tmp_path)
    seed = ("--seed", "3") if words[0] == "run" else ()
    with pytest.raises(UserError) as caught:
        CliRunner().invoke(cli, [*words, *seed], catch_exceptions=False, standalone_mode=False)
    assert told in str(caught.value)


def test_commands_of_other_packages_stand_in_the_help_and_a_broken_one_breaks_no_other(monkeypatch):
    """What is registered under `benchbar.commands` is attached; ours cannot be taken; what cannot be loaded is told in its line."""
    values = {"theirs": "benchbar.stats.commands:command", "broken": "no_such_package:command", "run": "os:getcwd"}
    points = {name: EntryPoint(name, value, "benchbar.commands") for name, value in values.items()}
    monkeypatch.setattr("benchbar.cli.command.known", lambda group: points if group == "commands" else {})
    group = LazyGroup("benchbar", sections={"Run": {"run": "Run it."}}, plugins=True)
    context = click.Context(group)
    text = " ".join(group.get_help(context).split())
    assert "theirs Estimate win rates" in text
    assert "broken the plugin command broken cannot be loaded: No module named 'no_such_package'" in text
    assert group.get_command(context, "run").callback.__module__ == "benchbar.cli.run"
    with pytest.raises(UserError, match="no_such_package"):
        group.get_command(context, "broken")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("run spce.toml", "spce.toml: there is no such file or folder (did you mean 'spec.toml'?)"),
        ("check nowhere/spec.toml", "there is no such file, nor a folder nowhere"),
        ("suite get lawbench rnus", "rnus: there is no such file or folder (did you mean 'runs'?)"),
        ("suite items rnus", "rnus: there is no such folder (did you mean 'runs'?)"),
        ("check runs", "runs: this is a folder; a file was expected"),
        ("suite items spec.toml", "spec.toml: this is a file; a folder was expected"),
        ("serve runs --port x", "invalid value for '--port'"),
        ("review draw", "missing argument 'RUN'"),
    ],
)
def test_what_is_wrong_with_a_command_line_is_one_sentence(words, told, tmp_path, monkeypatch):
    """Cause and cure, as of every other error; a missing file is held against what is there."""
    (tmp_path / "spec.toml").write_text("")
    (tmp_path / "runs").mkdir()
    done = runner(tmp_path, monkeypatch)(*words.split())
    first, second = done.err.splitlines()
    assert done.code == 2
    assert first.startswith("benchbar: ")
    assert told in first
    assert second == f"  (what to do: benchbar {_command(words)} --help)"


def _command(words: str) -> str:
    return " ".join(words.split()[: 2 if words.startswith(("suite", "review")) else 1])
