"""The `benchbar` command: its parts are imported only when they are asked for."""

from __future__ import annotations

import errno
import gc
import sys
from importlib import import_module

import click

from benchbar import __version__
from benchbar.records.errors import BenchbarError, UserError

UNWRITABLE = frozenset({errno.ENOSPC, errno.EROFS, errno.EDQUOT, errno.EFBIG})
GARBAGE = 50_000
"""Objects made and kept before the collector looks through the young ones: runs and suites of many samples keep many."""
COMMANDS = {
    "run": "Put assistants through the consultations of a suite and compare them.",
    "report": "Write the report of a run in another format.",
    "gate": "Decide whether an assistant may be released: pass, fail or insufficient evidence.",
    "compare": "Compare two runs: paired differences, changed scores, fixed and broken samples.",
    "stability": "Tell how steady rules, judge and people are, and how many repeats are worth paying.",
    "review-contract": "Review a contract clause by clause: risk, evidence, law, suggested wording.",
    "ablate": "Measure what each part of a system contributes.",
    "review": "Let people mark what rules and judge cannot be trusted with.",
    "serve": "Show runs and samples in a browser, and let people mark them there.",
    "rubric": "List, check and apply rubrics: what quality means, as files.",
    "survey": "Ask users what they need, and whether the tasks made of it are right.",
    "suite": "List, show, check and import suites.",
    "law": "Index the law; check citations against it.",
    "ledger": "Prove from a run's ledger alone that it is complete and unaltered.",
    "ask": "Answer a legal question from statutes and court practice.",
    "stats": "Estimate win rates, agreement, ranks and risk from any table, with intervals.",
    "audit": "Find what cannot be true in a published table.",
    "plugins": "List what is registered under each extension point.",
}
"""Every command with its line of help, so that `benchbar --help` need not import them."""


class LazyGroup(click.Group):
    """A group whose commands live in modules of this package, each as an object named ``command``."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command, imported now."""
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"benchbar.cli.{cmd_name.replace('-', '_')}").command
        assert isinstance(command, click.Command)  # noqa: S101 - a fault of ours, not of the user
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The table of commands, written without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="benchbar")
def cli() -> None:
    """Put a legal AI before the bench, and hold it to the bar.

    Try it without any key or download:

        benchbar run

    Exit codes: 0 done or gate passed; 1 something went wrong; 2 wrong usage or input; 3 gate failed;
    4 insufficient evidence; 130 interrupted (run the same command again to go on).
    """


def main() -> None:
    """Run the command line; errors of ours become one line on stderr and an exit code."""
    gc.set_threshold(GARBAGE)
    try:
        cli.main(standalone_mode=False)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted: run the same command again to go on", err=True)
        sys.exit(130)
    except BenchbarError as error:
        click.echo(f"benchbar: {error}\n  (see docs/errors.md#{error.slug})", err=True)
        sys.exit(2 if isinstance(error, UserError) else 1)
    except OSError as error:
        if error.errno not in UNWRITABLE:
            raise
        place = error.filename2 or error.filename or "a file"
        click.echo(f"benchbar: {place}: cannot be written: {error.strerror}; make room, then run it again", err=True)
        sys.exit(1)
