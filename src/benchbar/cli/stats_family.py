"""`benchbar stats family` and `worth`: does a judge favour its own, and which form of judging is worth its cost."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean

import click

from benchbar.cli.command import Command
from benchbar.cli.printing import print_json, print_table, shown
from benchbar.cli.stats_options import TABLE, common
from benchbar.records.errors import BadInputError, UserError
from benchbar.statistics import agreement_per_cost, family_interaction, same_family_bias, share
from benchbar.tables.columns import Table, numbers, read_table, words

EVEN = 0.5


@click.command(cls=Command)
@click.argument("file", type=TABLE)
@click.option(
    "--judge", required=True, help="Column: 1 where the judge prefers its own family's answer, 0 the other, 0.5 none."
)
@click.option("--human", help="Column of what people prefer, on the same scale.")
@click.option("--second", help="Column of a second judge of the other family, where people marked nothing.")
@click.option("--cluster", help="Column of what pairs were drawn with, such as their question.")
@common
def family(
    file: Path,
    judge: str,
    human: str | None,
    second: str | None,
    cluster: str | None,
    seed: int,
    confidence: float,
    missing: list[str],
    as_json: bool,  # noqa: FBT001 - click passes it by name
) -> None:
    """Whether a judge favours answers of its own model family; one row a pair of an own with another answer.

    With --human: P(judge picks own | people pick own) - P(judge picks other | people pick other), 0 without a bias.
    Without people, --second judges the same pairs: the judge x family interaction, by sign flips. It shows that two
    judges differ, not which of them is right.

    benchbar stats family pairs.csv --judge judge --human people --cluster question
    benchbar stats family pairs.csv --judge judge_a --second judge_b
    """
    import numpy as np

    if (human is None) == (second is None):
        raise UserError("expected --human, or --second where people marked nothing, and not both")
    table = read_table(file)
    clusters = words(table, cluster) if cluster else None
    generator = np.random.default_rng(seed)
    own = _preferences(table, judge, missing)
    if human:
        people = _preferences(table, human, missing)
        bias = same_family_bias(own, people, generator, clusters=clusters, confidence=confidence)
        _say({"same_family_bias": bias}, shown(bias), as_json=as_json)
        return
    other = _preferences(table, second or "", missing)
    tested = family_interaction(own, other, generator, clusters=clusters, confidence=confidence)
    p_value = "–" if tested.test.p_value is None else f"{tested.test.p_value:.4f}"
    _say({"family_interaction": tested}, f"{shown(tested.difference)}, p = {p_value} ({tested.note})", as_json=as_json)


def _say(found: dict[str, object], told: str, *, as_json: bool) -> None:
    if as_json:
        print_json(found)
    else:
        print_table(["test", "result"], [(name, told) for name in found])


def _preferences(table: Table, column: str, missing: list[str]) -> list[float | None]:
    values = numbers(table, column, missing)
    for value, line in zip(values, table.lines, strict=True):
        if value not in {None, 0, EVEN, 1}:
            raise BadInputError(f"{value:g}; expected 1, 0 or 0.5", file=table.path, line=line, field=column)
    return values


@click.command(cls=Command)
@click.argument("file", type=TABLE)
@click.option("--form", required=True, help="Column of the judge's form or name: pairwise, checklist, grade, panel.")
@click.option("--agreed", required=True, help="Column: 1 where it agreed with people on the item, 0 where not.")
@click.option("--cost", required=True, help="Column of what judging the item cost.")
@click.option("--cluster", help="Column of what items were drawn with.")
@click.option("--chance", type=click.FloatRange(0, 1), default=EVEN, show_default=True, help="Agreement of a guess.")
@common
def worth(
    file: Path,
    form: str,
    agreed: str,
    cost: str,
    cluster: str | None,
    chance: float,
    seed: int,  # noqa: ARG001 - nothing is drawn here; the option is common to all
    confidence: float,
    missing: list[str],
    as_json: bool,  # noqa: FBT001
) -> None:
    """Which form of judging is worth its cost: agreement with people above chance, per unit of cost.

    One row an item that a form judged and people marked.

    benchbar stats worth judged.csv --form form --agreed agreed --cost cost --cluster sample
    """
    table = read_table(file)
    names = words(table, form)
    columns = (numbers(table, agreed, missing), numbers(table, cost, missing))
    groups = words(table, cluster) if cluster else list(table.lines)
    rows: dict[str, list[tuple[float | None, float, object]]] = {}
    for name, right, paid, group, line in zip(names, *columns, groups, table.lines, strict=True):
        if name is None or paid is None or paid < 0:
            raise BadInputError("a form and a cost of 0 or more are needed in each row", file=file, line=line)
        rows.setdefault(name, []).append((right, paid, group))
    forms = {
        name: (
            share([right for right, _, _ in own], clusters=[group for *_, group in own], confidence=confidence),
            fmean(paid for _, paid, _ in own),
        )
        for name, own in rows.items()
    }
    found = agreement_per_cost(forms, chance=chance)
    if as_json:
        print_json({"forms": found})
        return
    told = [
        (
            name,
            shown(one.agreement, percent=True),
            f"{one.cost:.4g}",
            "–" if one.per_cost is None else f"{one.per_cost:.4g}",
        )
        for name, one in found.items()
    ]
    print_table(["form", "agreement", "cost of an item", "above chance per cost"], told)
