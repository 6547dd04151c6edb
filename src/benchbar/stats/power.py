"""How small an effect a study can see, how many samples it needs, and when it may stop."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import numpy as np

from benchbar.cli.command import section
from benchbar.records.errors import UserError
from benchbar.statistics import (
    Price,
    Study,
    best_repeats,
    cheapest_plan,
    detectable_effect,
    minimum_detectable_effect,
    obrien_fleming,
    outcome_deviation,
    samples_needed,
    upper_bound_of_failures,
    variance_components,
)
from benchbar.statistics.power import Plan
from benchbar.stats.stat import Column, Found, Grid, Values, Words, named, stat
from benchbar.tables.columns import Columns


@stat(
    Column("difference", "The difference whose standard deviation is taken.", required=False),
    Column("sample", "The sample, and with it", named, required=False),
    Column("mark", "a judge's repeated marks: prints the best number of repeats.", required=False),
    needs_file=False,
    options=[
        section(
            "Study",
            click.option("--n", type=click.IntRange(min=1), help="Samples planned; else the rows of FILE."),
            click.option("--sd", type=float, help="Standard deviation of one sample's outcome or paired difference."),
            click.option("--rate", default=0.5, show_default=True, help="Win rate, and"),
            click.option(
                "--tie-share", default=0.2, show_default=True, help="share of ties, that give the SD otherwise."
            ),
            click.option(
                "--clusters", type=click.IntRange(min=2), help="Sources, documents or templates of the samples."
            ),
            click.option("--correlation", default=0.1, show_default=True, help="Of samples within a cluster."),
            click.option(
                "--noise", default=0.0, show_default=True, help="SD of one judge's run, or rater, on a sample."
            ),
            click.option("--repeats", default=1, show_default=True, help="Runs, or raters, for each sample."),
            click.option(
                "--validity", default=1.0, show_default=True, help="Correlation of the marks with what people say."
            ),
            click.option("--sample-cost", default=1.0, show_default=True, help="Cost of one more sample, and"),
            click.option(
                "--judge-cost", default=1.0, show_default=True, help="of one more judgement, in one currency."
            ),
        ),
        section(
            "From a run with repeated dialogues",
            click.option(
                "--run",
                type=click.Path(path_type=Path),
                help="Its folder: says whether more samples or more repeats buy more, at the prices of the run.",
            ),
            click.option("--assistant", default="", help="Whose answers.  [default: the first candidate]"),
            click.option("--measure", default="point_score", show_default=True, help="Of which measure."),
            click.option(
                "--question-cost",
                default=0.0,
                show_default=True,
                help="What one more question costs to find and write, in the currency of the run's prices.",
            ),
        ),
        section(
            "Test",
            click.option(
                "--effect", type=float, help="True difference that should be seen: prints the samples needed."
            ),
            click.option("--power", "power", default=0.8, show_default=True, help="Chance to see it."),
            click.option("--level", default=0.05, show_default=True, help="Two-sided chance of a false alarm."),
            click.option(
                "--tests", default=1, show_default=True, help="Tests that share the level (Holm's first step)."
            ),
            click.option("--looks", default=4, show_default=True, help="Looks of O'Brien-Fleming early stopping."),
        ),
    ],
)
def power(
    *,
    table: Columns | None,
    names: dict[str, str],
    difference: Values | None,
    sample: Words | None,
    mark: Values | None,
    n: int | None,
    sd: float | None,
    rate: float,
    tie_share: float,
    effect: float | None,
    power: float,
    level: float,
    tests: int,
    looks: int,
    clusters: int | None,
    correlation: float,
    noise: float,
    repeats: int,
    validity: float,
    sample_cost: float,
    judge_cost: float,
    run: Path | None,
    assistant: str,
    measure: str,
    question_cost: float,
) -> Found:
    """How small an effect a study can see, how many samples and repeats it needs, and when it may stop.

    benchbar stats power --n 50                    a gate on 50 comparisons
    benchbar stats power --effect 0.05 --tests 22  samples for 5 points in each of 22 tasks
    benchbar stats power --effect 0.05 --n 60 --clusters 12 --noise 0.2 --sample-cost 0.5 --judge-cost 0.02
    benchbar stats power marks.csv --sample id --mark score --sample-cost 4 --judge-cost 1
    benchbar stats power --run runs/r --question-cost 2
    """
    if run is not None:
        from benchbar.stats.repeating import repeating, repeating_rows

        found = repeating(run, measure, assistant, question_cost)
        named_tuples = {name: value._asdict() for name, value in found.items() if hasattr(value, "_asdict")}
        return Found(found | named_tuples, [Grid(["what", "value"], repeating_rows(found))])
    deviation, source = _deviation(sd, difference, names, rate, tie_share)
    count = n or (len(table.lines) if table and not mark else None)
    at = {"power": power, "level": level, "tests": tests}
    study = _study(count, deviation, clusters, correlation, repeats, noise, validity)
    document = {"standard_deviation": deviation, "standard_deviation_from": source} | _reach(
        study, count, effect, Price(sample_cost, judge_cost), at, looks
    )
    if mark or sample:
        document |= _repeats(sample, mark, sample_cost, judge_cost)
    return Found(document, [Grid(["what", "value"], _rows(document))])


def _reach(
    study: Study, n: int | None, effect: float | None, price: Price, at: Mapping[str, Any], looks: int
) -> dict[str, Any]:
    """What ``n`` samples can see, and what an effect asks for; None where either was not named."""
    deviation = study.deviation
    return {
        **at,
        "n": n,
        "minimum_detectable_effect": n and minimum_detectable_effect(n, deviation, **at),
        "detectable_effect": (n and n > 1 and detectable_effect(study, **at)) or None,
        "cheapest": None if effect is None else cheapest_plan(study, effect, price, **at),
        "failure_bound": n and upper_bound_of_failures(0, n),
        "effect": effect,
        "samples_needed": None if effect is None else samples_needed(effect, deviation, **at),
        "looks": obrien_fleming(looks, level=at["level"]),
    }


def _study(
    n: int | None,
    deviation: float,
    clusters: int | None,
    correlation: float,
    repeats: int,
    noise: float,
    validity: float,
) -> Study:
    if not (0 <= correlation <= 1 and 0 < validity <= 1 and noise >= 0 and repeats >= 1):
        raise UserError(
            f"correlation {correlation}, validity {validity}, noise {noise}, {repeats} repeats; expected shares (validity above"
            " 0), no negative noise and at least one repeat"
        )
    if clusters and n and clusters > n:
        raise UserError(f"{clusters} clusters of {n} samples; expected at most one cluster a sample")
    # Without n only the shape counts: what is cheapest is looked for over all sizes.
    return Study(n or (5 * clusters if clusters else 2), deviation, clusters, correlation, repeats, noise, validity)


def _deviation(
    sd: float | None, difference: Values | None, names: dict[str, str], rate: float, tie_share: float
) -> tuple[float, str]:
    """The standard deviation of a sample's outcome, and where it is from: stated, measured, or of wins and ties."""
    if sd is not None:
        return sd, "given"
    if difference is None:
        return outcome_deviation(tie_share, rate), f"win rate {rate:g} with {tie_share:.0%} ties"
    values = [x for x in difference if x is not None]
    # A variance needs two.
    if len(values) < 2 or len(set(values)) == 1:
        raise UserError(f"--difference {names['difference']}: at least two different values are needed")
    return float(np.std(values, ddof=1)), f"column {names['difference']}, n={len(values)}"


def _repeats(sample: Words | None, mark: Values | None, sample_cost: float, judge_cost: float) -> dict[str, Any]:
    if sample is None or mark is None:
        raise UserError("the best number of repeats needs FILE, --sample and --mark")
    rows: dict[str | None, list[float]] = {}
    for name, value in zip(sample, mark, strict=True):
        rows.setdefault(name, []).extend([] if value is None else [value])
    components = variance_components(list(rows.values()))
    return {
        "variance_between_samples": components.between,
        "variance_within_sample": components.within,
        "best_repeats": best_repeats(components, sample_cost=sample_cost, judge_cost=judge_cost),
    }


def _rows(document: dict[str, Any]) -> list[tuple[str, str]]:
    rows = [
        (
            "standard deviation",
            f"{document['standard_deviation']:.3f} ({document['standard_deviation_from']})",
        )
    ]
    if document["n"]:
        # By t: the normal distribution promises too much of few samples.
        effect = document["detectable_effect"]
        shows = "nothing: two samples are the least" if effect is None else f"{100 * effect:.1f} points"
        rows.append((f"n = {document['n']} shows", f"{shows} at {document['power']:.0%} power"))
        rows.append(("0 failures bound the rate at", f"{100 * document['failure_bound'].high:.1f}%"))
    if document["samples_needed"]:
        rows.append((f"samples for {100 * document['effect']:.1f} points", str(document["samples_needed"])))
    if document["effect"]:
        plan = document["cheapest"]
        text = "none, up to 100,000 samples" if plan is None else _planned(plan)
        rows.append((f"cheapest study for {100 * document['effect']:.1f} points", text))
    if "best_repeats" in document:
        repeats = document["best_repeats"]
        rows.append(("best repeats", "undefined: samples do not differ" if repeats is None else str(repeats)))
    return [*rows, *((f"stop at look {look.look} if |z| >", f"{look.boundary:.3f}") for look in document["looks"])]


def _planned(plan: Plan) -> str:
    study = plan.study
    of = f" of {study.clusters} clusters" if study.clusters else ""
    times = f", {study.repeats} marks each" if study.repeats > 1 else ""
    return f"{study.n} samples{of}{times}: cost {plan.cost:g}, power {plan.power:.0%}"
