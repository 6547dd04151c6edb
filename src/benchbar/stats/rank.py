"""Several competitors ranked from pairwise verdicts."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Literal

import click
import numpy as np

from benchbar.cli.options import split
from benchbar.cli.printing import shown
from benchbar.records.errors import BadInputError
from benchbar.statistics import Ranked, Ranking
from benchbar.statistics import rank as ranked
from benchbar.stats.stat import Column, Found, Grid, drawn_with, stat
from benchbar.stats.verdicts import TIE_WORDS, outcomes
from benchbar.tables.columns import Columns, numbers, words

LEFT_WORDS = frozenset({"left", "model_a", "a", "first"})
RIGHT_WORDS = frozenset({"right", "model_b", "b", "second"})


def _competitors(table: Columns, column: str, _missing: Collection[str]) -> list[str]:
    found = words(table, column)
    for name, line in zip(found, table.lines, strict=True):
        # A competitor without a name cannot be put on a scale; a verdict that is missing can be left out.
        if name is None:
            raise BadInputError("no name; expected a competitor", file=table.path, line=line, field=column)
    return [name for name in found if name is not None]


@stat(
    Column("left", "The name of one competitor.", _competitors),
    Column("right", "The name of the other.", _competitors),
    Column("cluster", "The sample that several comparisons share.", drawn_with, required=False),
    options=[
        click.option("--winner", required=True, help="Column of the verdict."),
        click.option(
            "--scale",
            type=click.Choice(["names", "0-1", "1-2"]),
            default="names",
            show_default=True,
            help="The winner's name (or left, right, A, B), the left side's outcome, or 1 for left and 2 for right.",
        ),
        click.option("--tie-words", multiple=True, callback=split, help="More words for a tie than tie, draw, equal…"),
        click.option(
            "--ties", type=click.Choice(["half", "davidson"]), default="half", show_default=True, help="How ties count."
        ),
        click.option("--covariate", "covariates", multiple=True, callback=split, help="Columns of left minus right."),
        click.option("--matrix", is_flag=True, help="Print the matrix of win probabilities too."),
    ],
)
def rank(
    *,
    table: Columns,
    left: list[str],
    right: list[str],
    cluster: list[object] | None,
    winner: str,
    scale: str,
    tie_words: list[str],
    ties: Literal["half", "davidson"],
    covariates: list[str],
    matrix: bool,
    confidence: float,
    missing: list[str],
) -> Found:
    r"""Rank several competitors from pairwise verdicts (Bradley-Terry, or Davidson for ties).

    benchbar stats rank pairs.csv --left model_a --right model_b --winner winner --cluster question_id
    benchbar stats rank pairs.csv --left model_a --right model_b --winner winner --ties davidson \
      --missing error --covariate length_difference --json
    """
    if scale == "names":
        verdicts = _by_name(table, winner, (left, right), TIE_WORDS | {word.lower() for word in tie_words}, missing)
    else:
        verdicts = outcomes(table, winner, scale, missing)
        if scale == "1-2":
            # AlpacaEval's 1 to 2 rises towards the right side; outcomes are of the left one.
            verdicts = [None if y is None else 1 - y for y in verdicts]
    columns = {name: _standardised(numbers(table, name, missing)) for name in covariates}
    found = ranked(
        left, right, verdicts, ties=ties, clusters=cluster, covariates=columns or None, confidence=confidence
    )
    return Found(found._asdict(), _printed(found, matrix=matrix))


def _printed(found: Ranking, *, matrix: bool) -> Iterator[Grid | str]:
    rows = [(_ranks(entry), entry.name, shown(entry.strength)) for entry in found.ranking]
    yield Grid(["ranks", "name", "strength (logits)"], rows)
    for name, estimate in (found.covariates | ({"log nu (ties)": found.tie} if found.tie else {})).items():
        yield f"{name}: {shown(estimate)}"
    yield f"converged after {found.iterations} iterations" if found.converged else f"not fitted: {found.reason}"
    # Strengths that are not fitted give chances that mean nothing.
    if matrix and found.converged:
        names = [entry.name for entry in found.ranking]
        chances = found.win_probability
        against = [(one, *(f"{chances[one][two].value:.2f}" if one != two else "" for two in names)) for one in names]
        yield Grid(["against", *names], against)


def _ranks(entry: Ranked) -> str:
    """The ranks left open, and no place in the list: that is partly chance."""
    if entry.rank_low is None or entry.rank_high is None:
        return "?"
    return str(entry.rank_low) if entry.rank_low == entry.rank_high else f"{entry.rank_low}-{entry.rank_high}"


def _by_name(
    table: Columns, winner: str, sides: tuple[list[str], list[str]], ties: frozenset[str], missing: list[str]
) -> list[float | None]:
    found: list[float | None] = []
    for word, left, right, line in zip(words(table, winner, missing), *sides, table.lines, strict=True):
        lowered = "" if word is None else word.lower()
        if word is None:
            found.append(None)
        # Names before words: a model may be called A, and win as the right one.
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
    # Not centred: zero is "both sides alike", and must stay it.
    spread = float(np.std(known)) if known else 0.0
    return [None if x is None else x / spread if spread else 0.0 for x in values]
