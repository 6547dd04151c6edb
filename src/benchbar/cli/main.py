"""The `benchbar` command: its parts are imported only when they are asked for."""

from __future__ import annotations

import errno
import gc
import sys
from io import BufferedWriter, RawIOBase, TextIOWrapper
from typing import TextIO

import click

from benchbar import __version__
from benchbar.cli.command import LazyGroup
from benchbar.records.errors import BenchbarError, UserError, WaitingForPeopleError

UNWRITABLE = frozenset({errno.ENOSPC, errno.EROFS, errno.EDQUOT, errno.EFBIG})
WAITING = 5
"""Exit code of a run that goes on when people have answered: scripts rerun it later, and must not take it for a failure."""
GARBAGE = 50_000
"""Objects made and kept before the collector looks through the young ones: runs and suites of many samples keep many."""
SECTIONS = {
    "Run": {
        "start": "From a file of your own questions to a decision: yes, no, or not yet.",
        "run": "Put assistants through the consultations of a suite and compare them.",
        "check": "Find every fault of a spec in one go, before anything is asked or paid for.",
        "ablate": "Measure what each part of a system contributes.",
        "report": "Write the report of a run in another format.",
        "ledger": "Prove from a run's ledger alone that it is complete and unaltered.",
    },
    "Decide": {
        "gate": "Decide whether an assistant may be released: pass, fail or insufficient evidence.",
        "compare": "Compare two runs: paired differences, changed scores, fixed and broken samples.",
        "baseline": "Keep a run as the baseline of a branch, and hold later runs against it.",
        "validate": "Validate the judge and the simulated user of a run from its own records.",
        "align": "Find the way of judging that agrees best with people, and what it is worth.",
        "stability": "Measure how consistent rules, judge and people are, and how many repeats are worth paying for.",
    },
    "People": {
        "review": "Have people mark the dialogues where rules and judge are least reliable.",
        "serve": "Show runs and samples in a browser, and let people mark them there.",
    },
    "Law": {
        "law": "Index the law; check citations against it.",
        "ask": "Answer a legal question from statutes and court practice.",
        "chat": "Answer questions about one matter, each with what was said before.",
        "review-contract": "Review a contract clause by clause: risk, evidence, law, suggested wording.",
    },
    "Numbers": {},
    "Authoring": {
        "suite": "List, show, check, import and write suites.",
        "rubric": "List, check and apply rubrics: what quality means, as files.",
        "plugins": "List what is registered under each extension point.",
        "example": "Write one of the examples of the documentation here.",
        "explain": "Explain an error by the name in its last line.",
    },
}
"""Every command with its line of help, so that `benchbar --help` need not import them."""


@click.group(cls=LazyGroup, sections=SECTIONS, plugins=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="benchbar")
def cli() -> None:
    """Put a legal AI before the bench, and hold it to the bar.

    Try it without any key or download:

    benchbar run

    Your own questions:

    benchbar start questions.xlsx

    Exit codes: 0 done or gate passed; 1 an error occurred; 2 invalid usage or input; 3 gate failed;
    4 insufficient evidence; 5 waiting for answers of people; 130 interrupted (rerun the command to resume).
    """


def whole(stream: TextIO) -> TextIO:
    """A stream of the program that loses no sign and no byte of what is written, and wraps lines that are too long for its terminal."""
    if not isinstance(stream, TextIOWrapper):
        return stream
    if stream.isatty():
        from benchbar.cli.wrapping import Wrapped

        encoding = stream.encoding
        return Wrapped(stream.detach(), encoding, errors="replace", line_buffering=True)
    # A redirect on Windows is in cp1252, which has no ≈: a sign that is lost must not end a run that was paid for.
    stream.reconfigure(errors="replace")
    if not isinstance(stream.buffer, RawIOBase):
        return stream
    # PYTHONUNBUFFERED, which images for containers set: there the system may take less of a long text than it is given, as a pipe
    # whose reader is busy does (65,536 bytes), and nobody would write the rest.
    encoding = stream.encoding
    return TextIOWrapper(BufferedWriter(stream.detach()), encoding, errors="replace", line_buffering=True)


def main() -> None:
    """Run the command line; errors of ours become one line on stderr and an exit code."""
    gc.set_threshold(GARBAGE)
    sys.stdout, sys.stderr = whole(sys.stdout), whole(sys.stderr)
    try:
        cli.main(standalone_mode=False)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.UsageError as error:
        from benchbar.cli.usage import sentence_of

        click.echo(f"benchbar: {sentence_of(error)}", err=True)
        sys.exit(error.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted: rerun the command to resume", err=True)
        # What shells report of a program that SIGINT ended (128 + 2), so that scripts stop as they would for any other.
        sys.exit(130)
    except BenchbarError as error:
        click.echo(f"benchbar: {error}\n  (what to do: benchbar explain {error.slug})", err=True)
        # As click does for wrong usage: a caller can tell its own mistake from a failure.
        sys.exit(2 if isinstance(error, UserError) else WAITING if isinstance(error, WaitingForPeopleError) else 1)
    except OSError as error:
        # Any other is a fault of ours, and its traceback is wanted.
        if error.errno not in UNWRITABLE:
            raise
        place = error.filename2 or error.filename or "a file"
        click.echo(
            f"benchbar: {place}: cannot be written: {error.strerror}; free disk space, then rerun the command", err=True
        )
        sys.exit(1)
