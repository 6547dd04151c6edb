"""`benchbar start`: from a file of anyone's questions to a decision, asking for what it cannot find out."""

from __future__ import annotations

import os
import re
import secrets
import shlex
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchbar.cli.command import Command, section
from benchbar.cli.options import (
    InputPath,
    NumberRange,
    concurrency_option,
    json_option,
    key_option,
    limit_option,
    map_option,
    max_cost_option,
    quiet_option,
    set_option,
    sheet_option,
    suite_language_option,
)
from benchbar.records.errors import SeveralSheetsError, UserError

if TYPE_CHECKING:
    from benchbar.languages.personal_data import Masker
    from benchbar.records import Suite
    from benchbar.runs.intake import Intake
    from benchbar.runs.run import Run

Say = Callable[[str], None]
SECRET = "BENCHBAR_MASK_SECRET"  # noqa: S105 - the name of a variable, not what it holds
COLOURS = {"ground_truth": "green", "mandatory": "green", "advisable": "cyan", "encouraged": "blue", "forbidden": "red"}
"""Of the lines of guidance points, by category."""
_POINT = re.compile(r"  (\w+)[:,]")


@click.command(cls=Command)
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=InputPath(path_type=Path, exists=True))
@click.option("--out", type=click.Path(path_type=Path), help="Folder of suite, spec and run.  [default: runs/NAME]")
@section(
    "Who is asked",
    click.option("--model", "models", multiple=True, help="A model to be tested, at --base-url; several times."),
    click.option("--base-url", help="Its OpenAI-compatible address, e.g. http://127.0.0.1:8000/v1."),
    key_option,
    click.option(
        "--assistant", "assistants", multiple=True, metavar="NAME=KIND[:…]", help="Any assistant, as in `benchbar run`."
    ),
    click.option("--judge", metavar="MODEL[@URL]", help="The judge model, at --base-url unless it names an address."),
    click.option("--simulator", metavar="MODEL[@URL]", help="A model plays the user, in place of single questions."),
)
@section(
    "What is decided",
    click.option("--reference", metavar="NAME", help="Whom the others are compared with.  [default: the first]"),
    click.option(
        "--good-enough",
        type=NumberRange(0, 1),
        help="Decide whether the assistant meets this share of what was expected, e.g. 0.8.  [default: of one assistant"
        " whether it meets 0.8, of several which is better]",
    ),
    limit_option,
    suite_language_option,
    map_option,
    sheet_option,
    click.option(
        "--suggest-columns",
        metavar="MODEL[@URL]",
        help="Have a model say what the columns hold, from their heads and three rows. It is shown; on a terminal you may"
        " accept it, elsewhere only --map uses it.",
    ),
    set_option("Any field of the spec, such as judge.repeats=3; may be given several times."),
)
@section(
    "Cost and data",
    max_cost_option,
    concurrency_option(None),
    click.option("--local-only", is_flag=True, help="Refuse every address that is not on this machine."),
    click.option("--mask", is_flag=True, help="Put pseudonyms in the place of personal data before anything is sent."),
    click.option("--yes", is_flag=True, help="Ask nothing; without a terminal nothing is asked anyway."),
    click.option(
        "--dry-run", is_flag=True, help="Stop before the first call: show what was understood and what it takes."
    ),
)
@json_option
@quiet_option
def command(paths: tuple[Path, ...], *, out: Path | None, as_json: bool, quiet: bool, **options: Any) -> None:
    """From a file of your own questions to a decision: yes, no, or not yet.

    PATH is a table (XLSX, CSV, JSONL, DOCX), an export of chats, or a folder; further paths are answers of others.
    Only a column of questions is needed; columns of answers become assistants. What was understood is shown,
    endpoints and judge are tried with one question each, and calls, cost and time are said before they are spent.
    On a terminal it asks for what is missing; every question is an option as well.

      Exit codes: 0 yes, 3 no, 4 not yet.

    benchbar start questions.xlsx --judge model-j --base-url http://127.0.0.1:8000/v1
    benchbar start questions.csv --model model-a --model model-b --judge model-j --base-url http://127.0.0.1:8000/v1
    """
    say = _say_nothing if as_json else _say
    ask = _Asking(on=not (options["yes"] or as_json) and sys.stdin.isatty() and sys.stdout.isatty())
    found = _of_one_sheet(ask.paths(paths), ask, say, options)
    folder = out or Path("runs") / found.name
    for line in (*_notes(found), *_receivers(found)):
        say(line)
    if options["dry_run"]:
        _say_plan(found, {}, say)
        return
    done = _run(found, folder, ask, say, quiet=quiet)
    if as_json:
        from benchbar.cli.printing import print_bytes

        for finding in done.results.health:
            click.echo(f"NOT TO BE RELIED ON: {finding.message}", err=True)
        print_bytes(done.document)
    else:
        from benchbar.reports.terminal import show, show_end

        show(done.results, done.folder)
        show_end(done.results, done.report, done.numbers)
        click.echo(f"again: benchbar run {folder / 'spec.toml'} --out {folder}")
    from benchbar.reports.gate import EXIT_CODES
    from benchbar.reports.verdicts import one_sentence

    decided = one_sentence(done.results)
    click.secho(decided.text, bold=True, err=as_json)
    sys.exit(EXIT_CODES[decided.decision])


def _of_one_sheet(paths: tuple[Path, ...], ask: _Asking, say: Say, options: dict[str, Any]) -> Intake:
    """What was understood of the files, once it is known which sheet of a workbook holds the questions."""
    try:
        return _understood(paths, ask, say, options)
    except SeveralSheetsError as error:
        # Answers of others are read from files of their own, which have one sheet.
        if Path(error.file or "").resolve() in [path.resolve() for path in paths[1:]]:
            raise
        return _understood(paths, ask, say, options | {"sheet": ask.sheet(error)})


def _understood(paths: tuple[Path, ...], ask: _Asking, say: Say, options: dict[str, Any]) -> Intake:
    """What the files hold, shown, and who is to be asked."""
    from benchbar.runs.intake import intake, mask, read_questions

    if options["suggest_columns"]:
        options = options | {"columns": _suggested(paths[0], ask, say, options)}
    suite = read_questions(paths, language=options["language"], columns=options["columns"], sheet=options["sheet"])
    _show(suite, say)
    ask.confirm("Is this what the file means?", "say what is what with --map FIELD=COLUMN, --sheet and --language")
    assistants = _assistants(options, ask)
    fields = {
        **{name: options[name] for name in ("language", "columns", "sheet", "limit", "reference") if options[name]},
        **_roles(options, ask),
        "limits": {
            name: options[name]
            for name in ("max_cost", "concurrency", "local_only")
            if options[name] not in (None, False)
        },
    }
    found = intake(paths, assistants, fields, options["settings"], good_enough=options["good_enough"])
    for name, given in found.answers.items():
        say(f"assistant {name}: answers to {len(given)} of {len(found.suite.samples)} questions are there already")
    return mask(found, _masker(say)) if options["mask"] else found


def _suggested(file: Path, ask: _Asking, say: Say, options: Mapping[str, Any]) -> dict[str, str]:
    """The columns that were named, and those of a model's suggestion that a person has accepted."""
    from urllib.parse import urlsplit

    from benchbar.clients.endpoint import Endpoint, is_local
    from benchbar.records.base import converted
    from benchbar.runs.column_suggestions import ROWS, suggested_columns

    endpoint = converted(_at(options["suggest_columns"], options, ask), Endpoint)
    host = urlsplit(endpoint.base_url).hostname or ""
    if options["local_only"] and not is_local(host):
        raise UserError(f"--local-only: {host} is another machine, and --suggest-columns would send it rows of {file}")
    if options["mask"]:
        raise UserError("--suggest-columns shows a model rows as they are; leave it out with --mask, and use --map")
    say(f"sent to {endpoint.model} at {host}: the heads and {ROWS} rows of {file}")
    found = suggested_columns(file, endpoint, max_cost=options["max_cost"], sheet=options["sheet"])
    for name, head in found.columns.items():
        say(f"  {name} = {head}")
    for one in found.left_out:
        say(f"  not used, as there is no such field or column: {one}")
    if found.columns and ask.whether("Use these columns?"):
        return {**found.columns, **options["columns"]}
    maps = " ".join(f"--map {shlex.quote(f'{name}={head}')}" for name, head in found.columns.items())
    say(f"suggested by {endpoint.model} and not used; to use it: {maps}" if maps else "nothing usable was suggested")
    return dict(options["columns"])


def _show(suite: Suite, say: Say) -> None:
    """Language, columns, and the first rows with their points by category, in colour on a terminal."""
    from benchbar.suites.folder import shown_rows

    say(f"language: {suite.language or suite.card.language}")
    for line in suite.understood or shown_rows(suite.samples):
        match = _POINT.match(line)
        colour = COLOURS.get(match[1]) if match else None
        say(click.style(line, fg=colour) if colour else line)
    for problem in suite.problems:
        say(f"problem: {problem.file}:{problem.line}: {problem.field or 'row'}: {problem.message}")


def _masker(say: Say) -> Masker:
    from benchbar.languages.personal_data import Masker

    secret = os.environ.get(SECRET, "")
    say(f"personal data is masked{'' if secret else f'; set {SECRET} to get the same pseudonyms again'}")
    return Masker(secret or secrets.token_hex(32))


def _assistants(options: Mapping[str, Any], ask: _Asking) -> dict[str, dict[str, Any]]:
    """Those that are asked: full settings by --assistant, or models at one address."""
    from benchbar.assistants.build import parse_assistant

    named = dict(parse_assistant(text) for text in options["assistants"])
    models = options["models"] or (() if named else ask.models())
    for model in models:
        name = re.sub(r"[^\w.-]+", "-", model).strip("-")[:64] or "model"
        if name in named:
            raise UserError(f"two assistants are called {name!r}; name them with --assistant NAME=openai:MODEL@URL")
        named[name] = {"kind": "openai", **_at(model, options, ask)}
    return named


def _roles(options: Mapping[str, Any], ask: _Asking) -> dict[str, Any]:
    from benchbar.runs.spec_reading import ROLES

    found = {}
    for role, usual in ROLES.items():
        model = options[role] or (ask.judge() if role == "judge" else "")
        if model:
            found[role] = {**usual, **_at(model, options, ask)}
    return found


def _at(model: str, options: Mapping[str, Any], ask: _Asking) -> dict[str, Any]:
    """The endpoint of a model: its own address, else the one that all share."""
    from benchbar.runs.spec_reading import named_endpoint

    given = named_endpoint(model, "--model")
    # --base-url speaks chat completions; a model in another protocol is at its provider's address unless it names one.
    if given.get("base_url") or "protocol" in given:
        return given
    shared = {"base_url": options["base_url"] or ask.base_url(), "api_key_env": options["api_key_env"] or ask.key}
    return {**given, **{name: value for name, value in shared.items() if value}}


def _receivers(found: Intake) -> Iterable[str]:
    """Which host is sent what, and the prices that are taken."""
    from benchbar.runs.receivers import price_notes, sent_to

    return (*sent_to(found.spec), *price_notes(found.spec))


def _say_plan(found: Intake, seconds: Mapping[str, float], say: Say) -> None:
    from benchbar.runs.planning import plan_of

    plan = plan_of(found.spec, found.suite, Path(), seconds=seconds)
    # With measured seconds the trials are behind us.
    for line in (plan._replace(trials=0) if seconds else plan).lines():
        say(line)


def _run(found: Intake, folder: Path, ask: _Asking, say: Say, *, quiet: bool) -> Run:
    """The finished run; everything is written down and tried first."""
    from benchbar.cli.progress import watched
    from benchbar.ledger.opening import FILE
    from benchbar.runs.intake import put_down
    from benchbar.runs.running import run
    from benchbar.runs.trial import try_endpoints

    spec = put_down(found, folder)
    say(f"written: {spec}")
    tried = try_endpoints(found.spec, found.suite, Path(), folder / FILE)
    for line in tried.lines:
        say(line)
    _say_plan(found, tried.seconds, say)
    ask.confirm("Run it?", f"nothing more was sent; go on with benchbar run {spec} --out {folder}")
    with watched(show=not quiet) as (on_progress, cancel):
        # What a person should know was said before anything was sent.
        return run(spec, out=folder, on_progress=on_progress, on_note=lambda _: None, cancel=cancel)


def _notes(found: Intake) -> Iterable[str]:
    """What a person should know before anything is spent."""
    from collections import Counter

    from benchbar.runs.assembling import warn_of_family, warn_of_language
    from benchbar.suites.clusters import repeated
    from benchbar.suites.personal import personal_data

    for warning in (*(one.message for one in warn_of_family(found.spec, Path())), *warn_of_language(found.suite)):
        yield f"warning: {warning}"
    if again := repeated(found.suite.samples):
        count = len(found.suite.samples)
        yield (
            f"warning: {len(again)} of {count} samples ask what another one asks, such as {', '.join(list(again)[:3])}; intervals"
            f" count the questions, of which there are {count - len(again)}"
        )
    kinds = Counter(str(datum.kind) for _, _, datum in personal_data(found.suite))
    if kinds:
        listed = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
        yield f"personal data in the samples: {listed}; --mask puts pseudonyms in their place"
    if found.spec.judge is None:
        yield "no judge: only points that rules can decide are marked; name one with --judge"


def _variable(name: str) -> str:
    """The name of a variable that is set; asked again at once, not refused once everything else has been answered."""
    if name and name not in os.environ:
        raise click.BadParameter(f"{name} is not set in the environment of this program")
    return name


def _say(text: str) -> None:
    from benchbar.cli.wrapping import wrapped

    click.echo("\n".join(wrapped(line, COLUMNS) for line in text.split("\n")))


def _say_nothing(text: str) -> None:
    """In the place of words, where one JSON document is wanted."""


COLUMNS = 80
"""The width that terminals begin with, and that a log is read at."""


class _Asking:
    """Asks on a terminal for what no option says; elsewhere nothing is asked."""

    def __init__(self, *, on: bool) -> None:
        self._on, self._address = on, ""
        self.key = ""
        """The variable with the key of the address that was asked for."""

    def paths(self, given: tuple[Path, ...]) -> tuple[Path, ...]:
        if given:
            return given
        if not self._on:
            raise UserError("name a file of questions: benchbar start questions.xlsx")
        said: Any = click.prompt("File or folder of questions", type=InputPath(path_type=Path, exists=True))
        return (said,)

    def confirm(self, question: str, otherwise: str) -> None:
        if self._on and not click.confirm(question, default=True):
            raise UserError(otherwise)

    def sheet(self, error: SeveralSheetsError) -> str:
        """The sheet that somebody names; the error where nobody can be asked."""
        if not self._on:
            raise error
        said: Any = click.prompt("Sheet that holds the questions", type=click.Choice(error.sheets))
        return str(said)

    def whether(self, question: str) -> bool:
        """Not without a person: what a model guesses is never taken silently."""
        return self._on and click.confirm(question, default=False)

    def models(self) -> tuple[str, ...]:
        if not self._on:
            return ()
        said = click.prompt("Models to test, divided by commas (none: answers in the file)", default="")
        return tuple(one.strip() for one in said.split(",") if one.strip())

    def judge(self) -> str:
        return click.prompt("Judge model (none: rules alone)", default="") if self._on else ""

    def base_url(self) -> str:
        if self._on and not self._address:
            from benchbar.clients.endpoint import BASE_URL, OPENAI

            usual = os.environ.get(BASE_URL) or OPENAI
            self._address = click.prompt("OpenAI-compatible address", default=usual)
            self.key = click.prompt(
                "Environment variable with the key (none: no key)", default="", value_proc=_variable
            )
        return self._address
