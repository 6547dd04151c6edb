"""`benchbar stats power`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import numpy as np

from benchbar.cli.command import Command
from benchbar.cli.printing import print_json, print_table
from benchbar.cli.stats_options import TABLE
from benchbar.records.errors import UserError
from benchbar.statistics import (
    best_repeats,
    minimum_detectable_effect,
    obrien_fleming,
    outcome_deviation,
    samples_needed,
    upper_bound_of_failures,
    variance_components,
)
from benchbar.tables.columns import Table, groups, numbers, read_table


@click.command(cls=Command)
@click.argument("file", type=TABLE, required=False)
@click.option("--n", type=click.IntRange(min=1), help="Samples planned; else the rows of FILE.")
@click.option("--sd", type=float, help="Standard deviation of one sample's outcome or paired difference.")
@click.option("--difference", help="Column of FILE whose standard deviation is taken.")
@click.option("--rate", default=0.5, show_default=True, help="Win rate, and")
@click.option("--tie-share", default=0.2, show_default=True, help="share of ties, that give the SD otherwise.")
@click.option("--effect", type=float, help="True difference that should be seen: prints the samples needed.")
@click.option("--power", "strength", default=0.8, show_default=True, help="Chance to see it.")
@click.option("--level", default=0.05, show_default=True, help="Two-sided chance of a false alarm.")
@click.option("--tests", default=1, show_default=True, help="Tests that share the level (Holm's first step).")
@click.option("--looks", default=4, show_default=True, help="Looks of O'Brien-Fleming early stopping.")
@click.option("--sample", help="Column of the sample, and")
@click.option("--mark", help="column of a judge's repeated marks: prints the best number of repeats.")
@click.option("--sample-cost", default=1.0, show_default=True, help="Cost of one more sample, and")
@click.option("--judge-cost", default=1.0, show_default=True, help="of one more judgement, in one currency.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
def power(
    file: Path | None,
    n: int | None,
    sd: float | None,
    difference: str | None,
    rate: float,
    tie_share: float,
    effect: float | None,
    strength: float,
    level: float,
    tests: int,
    looks: int,
    sample: str | None,
    mark: str | None,
    sample_cost: float,
    judge_cost: float,
    as_json: bool,  # noqa: FBT001 - click passes it by name
) -> None:
    """How small an effect a study can see, how many samples and repeats it needs, and when it may stop.

    benchbar stats power --n 50                    a gate on 50 comparisons
    benchbar stats power --effect 0.05 --tests 22  samples for 5 points in each of 22 tasks
    benchbar stats power marks.csv --sample id --mark score --sample-cost 4 --judge-cost 1
    """
    table = read_table(file) if file else None
    deviation, source = _deviation(table, sd, difference, rate, tie_share)
    count = n or (len(table.lines) if table and not mark else None)
    document: dict[str, Any] = {
        "standard_deviation": deviation,
        "standard_deviation_from": source,
        "power": strength,
        "level": level,
        "tests": tests,
        "n": count,
        "minimum_detectable_effect": count
        and minimum_detectable_effect(count, deviation, power=strength, level=level, tests=tests),
        "failure_bound": count and upper_bound_of_failures(0, count),
        "effect": effect,
        "samples_needed": None
        if effect is None
        else samples_needed(effect, deviation, power=strength, level=level, tests=tests),
        "looks": obrien_fleming(looks, level=level),
    }
    if mark or sample:
        document |= _repeats(table, sample, mark, sample_cost, judge_cost)
    if as_json:
        print_json(document)
    else:
        _print(document)


def _deviation(
    table: Table | None, sd: float | None, difference: str | None, rate: float, tie_share: float
) -> tuple[float, str]:
    if sd is not None:
        return sd, "given"
    if difference is None:
        return outcome_deviation(tie_share, rate), f"win rate {rate:g} with {tie_share:.0%} ties"
    if table is None:
        raise UserError("--difference needs FILE")
    values = [x for x in numbers(table, difference) if x is not None]
    if len(values) < 2 or len(set(values)) == 1:  # noqa: PLR2004 - a variance needs two
        raise UserError(f"--difference {difference}: at least two different values are needed")
    return float(np.std(values, ddof=1)), f"column {difference}, n={len(values)}"


def _repeats(
    table: Table | None, sample: str | None, mark: str | None, sample_cost: float, judge_cost: float
) -> dict[str, Any]:
    if table is None or sample is None or mark is None:
        raise UserError("the best number of repeats needs FILE, --sample and --mark")
    marks = numbers(table, mark)
    rows = [[x for x in (marks[i] for i in part) if x is not None] for part in groups(table, [sample]).values()]
    components = variance_components(rows)
    return {
        "variance_between_samples": components.between,
        "variance_within_sample": components.within,
        "best_repeats": best_repeats(components, sample_cost=sample_cost, judge_cost=judge_cost),
    }


def _print(document: dict[str, Any]) -> None:
    rows = [
        (
            "standard deviation",
            f"{document['standard_deviation']:.3f} ({document['standard_deviation_from']})",
        )
    ]
    if document["n"]:
        effect = document["minimum_detectable_effect"]
        rows.append((f"n = {document['n']} shows", f"{100 * effect:.1f} points at {document['power']:.0%} power"))
        rows.append(("0 failures bound the rate at", f"{100 * document['failure_bound'].high:.1f}%"))
    if document["samples_needed"]:
        rows.append((f"samples for {100 * document['effect']:.1f} points", str(document["samples_needed"])))
    if "best_repeats" in document:
        repeats = document["best_repeats"]
        rows.append(("best repeats", "undefined: samples do not differ" if repeats is None else str(repeats)))
    rows += [(f"stop at look {look.look} if |z| >", f"{look.boundary:.3f}") for look in document["looks"]]
    print_table(["what", "value"], rows)
