"""`benchbar survey`: from what users want to the tasks of a suite."""

from __future__ import annotations

import click

from benchbar.cli.command import LazyGroup

STEPS = {
    "template": "Write a questionnaire to begin from.",
    "check": "Check a questionnaire.",
    "import": "Read responses that were given elsewhere; name what is wrong by file, row and column.",
    "analyse": "Who counts, who they are, and which use cases are retained.",
    "verify": "Which tasks pass in the eyes of their users, and which have to be reworked.",
}


@click.group(
    cls=LazyGroup,
    sections={"Steps": STEPS},
    where="benchbar.survey.steps:{name}_",
    part="People",
)
def command() -> None:
    """Ask users what they need, and whether the tasks made of it are right.

    benchbar survey template --language zh --out needs.toml
    benchbar survey analyse responses.csv --questionnaire needs.toml --out needs
    benchbar survey verify ratings.csv --survey needs/survey.json
    """
