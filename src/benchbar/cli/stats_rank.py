"""`benchbar stats rank`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import numpy as np

from benchbar.cli.command import Command
from benchbar.cli.printing import print_json, print_table, shown
from benchbar.cli.stats_options import TABLE, common, split
from benchbar.cli.verdicts import TIE_WORDS, outcomes
from benchbar.records.errors import BadInputError
from benchbar.statistics import rank
from benchbar.tables.columns import Table, clusters, numbers, read_table, words

LEFT_WORDS = frozenset({"left", "model_a", "a", "first"})
RIGHT_WORDS = frozenset({"right", "model_b", "b", "second"})


@click.command(cls=Command, name="rank")
@click.argument("file", type=TABLE)
@click.option("--left", required=True, help="Column that names one competitor.")
@click.option("--right", required=True, help="Column that names the other.")
@click.option("--winner", required=True, help="Column of the verdict.")
@click.option(
    "--scale",
    type=click.Choice(["names", "0-1", "1-2"]),
    default="names",
    show_default=True,
    help="The winner's name (or left, right, A, B), the left side's outcome, or 1 for left and 2 for right.",
)
@click.option("--tie-words", multiple=True, callback=split, help="More words for a tie than tie, draw, equal…")
@click.option("--cluster", help="Column of the sample that several comparisons share.")
@click.option(
    "--ties",
    type=click.Choice(["half", "davidson"]),
    default="half",
    show_default=True,
    help="How ties count.",
)
@click.option("--covariate", "covariates", multiple=True, callback=split, help="Columns of left minus right.")
@click.option("--matrix", is_flag=True, help="Print the matrix of win probabilities too.")
@common
def rank_command(
    file: Path,
    left: str,
    right: str,
    winner: str,
    scale: str,
    tie_words: list[str],
    cluster: str | None,
    ties: str,
    covariates: list[str],
    matrix: bool,  # noqa: FBT001 - click passes it by name
    seed: int,  # noqa: ARG001 - nothing is drawn here; the option is common to all
    confidence: float,
    missing: list[str],
    as_json: bool,  # noqa: FBT001
) -> None:
    r"""Rank several competitors from pairwise verdicts (Bradley-Terry, or Davidson for ties).

    benchbar stats rank pairs.csv --left model_a --right model_b --winner winner --cluster question_id
    benchbar stats rank pairs.csv --left model_a --right model_b --winner winner --ties davidson \
      --missing error --covariate length_difference --json
    """
    table = read_table(file)
    sides = (_names(table, left), _names(table, right))
    if scale == "names":
        verdicts = _by_name(table, winner, sides, TIE_WORDS | {word.lower() for word in tie_words}, missing)
    else:
        verdicts = outcomes(table, winner, scale, missing)
        if scale == "1-2":
            verdicts = [None if y is None else 1 - y for y in verdicts]
    columns = {name: _standardised(numbers(table, name, missing)) for name in covariates}
    found = rank(
        *sides,
        verdicts,
        ties=ties,  # type: ignore[arg-type]
        clusters=clusters(table, cluster),
        covariates=columns or None,
        confidence=confidence,
    )
    if as_json:
        print_json(found)
        return
    print_table(
        ["rank", "name", "strength (logits)"],
        [
            (f"{place} ({entry.rank_low or '?'}-{entry.rank_high or '?'})", entry.name, shown(entry.strength))
            for place, entry in enumerate(found.ranking, start=1)
        ],
    )
    extra: dict[str, Any] = found.covariates | ({"log nu (ties)": found.tie} if found.tie else {})
    for name, estimate in extra.items():
        click.echo(f"{name}: {shown(estimate)}")
    click.echo(f"converged after {found.iterations} iterations" if found.converged else f"not fitted: {found.reason}")
    if matrix and found.converged:
        names = [entry.name for entry in found.ranking]
        print_table(
            ["against", *names],
            [
                [
                    one,
                    *(f"{found.win_probability[one][two].value:.2f}" if one != two else "" for two in names),
                ]
                for one in names
            ],
        )


def _names(table: Table, column: str) -> list[str]:
    found = words(table, column)
    for name, line in zip(found, table.lines, strict=True):
        if name is None:
            raise BadInputError("no name; expected a competitor", file=table.path, line=line, field=column)
    return [name for name in found if name is not None]


def _by_name(
    table: Table, winner: str, sides: tuple[list[str], list[str]], ties: frozenset[str], missing: list[str]
) -> list[float | None]:
    found: list[float | None] = []
    for word, left, right, line in zip(words(table, winner, missing), *sides, table.lines, strict=True):
        lowered = "" if word is None else word.lower()
        if word is None:
            found.append(None)
        elif word == left or (lowered in LEFT_WORDS and word != right):
            found.append(1.0)
        elif word == right or lowered in RIGHT_WORDS:
            found.append(0.0)
        elif lowered in ties:
            found.append(0.5)
        else:
            message = f"{word!r} is neither {left} nor {right} nor a tie; see --tie-words and --missing"
            raise BadInputError(message, file=table.path, line=line, field=winner)
    return found


def _standardised(values: list[float | None]) -> list[float | None]:
    """Divided by their standard deviation, so that weights compare; differences keep their zero."""
    known = [x for x in values if x is not None]
    spread = float(np.std(known)) if known else 0.0
    return [None if x is None else x / spread if spread else 0.0 for x in values]
