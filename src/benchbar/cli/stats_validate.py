"""`benchbar stats points`, `judges` and `correlate`: is the judge to be trusted, and what does it agree with."""

from __future__ import annotations

from pathlib import Path

import click

from benchbar.cli.command import Command
from benchbar.cli.printing import print_json, print_table, shown
from benchbar.cli.stats_options import TABLE, common
from benchbar.records.errors import BadInputError, UserError
from benchbar.statistics import MarkedPoint, judges_side_by_side, pearson, point_treatment, spearman
from benchbar.tables.columns import Table, numbers, read_table, words

OVERALL = "overall"


@click.command(cls=Command)
@click.argument("file", type=TABLE)
@click.option("--category", required=True, help="Column of the guidance point's category.")
@click.option("--referred", required=True, help="Column: 1 where the judge refers to the point, 0 where not.")
@click.option("--right", required=True, help="Column: 1 where people find its decision right, 0 where not.")
@click.option("--error", help="Column of the type of error, such as missed point or partly met.")
@click.option("--dialogue", help="Column of the dialogue that several points share.")
@common
def points(
    file: Path,
    category: str,
    referred: str,
    right: str,
    error: str | None,
    dialogue: str | None,
    seed: int,  # noqa: ARG001 - nothing is drawn here; the option is common to all
    confidence: float,
    missing: list[str],
    as_json: bool,  # noqa: FBT001 - click passes it by name
) -> None:
    r"""How a judge treats guidance points, by category: referred to, judged right, and its errors by type.

    One row a point of one judgement that people checked.

    benchbar stats points checked.csv --category category --referred referred --right right \
      --error error_type --dialogue dialogue
    """
    table = read_table(file)
    flags = [_flags(table, column, missing) for column in (referred, right)]
    kinds, errors, dialogues = (
        words(table, column) if column else [None] * len(table.lines) for column in (category, error, dialogue)
    )
    marked = [
        MarkedPoint(kind or "(none)", refers, decides, fault or "", one or "")
        for kind, refers, decides, fault, one in zip(kinds, *flags, errors, dialogues, strict=True)
    ]
    if any(point.category == OVERALL for point in marked):
        raise UserError(f"--category: {OVERALL!r} is what all points together are called; rename the category")
    found = point_treatment(marked, confidence=confidence)
    if as_json:
        print_json({OVERALL: found.pop(OVERALL), "categories": found})
        return
    rows = []
    for name, treatment in found.items():
        rows += [
            (name, "referred to", shown(treatment.referred, percent=True)),
            (name, "judged right", shown(treatment.right, percent=True)),
        ]
        rows += [(name, f"error: {fault}", shown(share, percent=True)) for fault, share in treatment.errors.items()]
    print_table(["category", "share", "estimate"], rows)


def _flags(table: Table, column: str, missing: list[str]) -> list[bool | None]:
    values = numbers(table, column, missing)
    for value, line in zip(values, table.lines, strict=True):
        if value not in (None, 0, 1):
            raise BadInputError(f"{value:g}; expected 0 or 1", file=table.path, line=line, field=column)
    return [None if value is None else value == 1 for value in values]


@click.command(cls=Command)
@click.argument("file", type=TABLE)
@click.option("--judge", required=True, help="Column of the judge's name.")
@click.option("--task", required=True, help="Column of the task.")
@click.option("--candidate", required=True, help="Column of the candidate that was judged.")
@click.option("--rate", required=True, help="Column of the candidate's rate under that judge.")
@common
def judges(
    file: Path,
    judge: str,
    task: str,
    candidate: str,
    rate: str,
    seed: int,  # noqa: ARG001 - as above
    confidence: float,
    missing: list[str],
    as_json: bool,  # noqa: FBT001
) -> None:
    """Alternative judges side by side: rank correlation over candidates, and differences by task.

    benchbar stats judges rates.csv --judge judge --task task --candidate model --rate win_rate
    """
    table = read_table(file)
    rates: dict[str, dict[str, dict[str, float]]] = {}
    columns = (words(table, judge), words(table, task), words(table, candidate), numbers(table, rate, missing))
    for line, one, kind, name, value in zip(table.lines, *columns, strict=True):
        if one is None or kind is None or name is None:
            raise BadInputError("judge, task and candidate are needed in each row", file=file, line=line)
        known = rates.setdefault(one, {}).setdefault(kind, {})
        if name in known:
            raise BadInputError(f"a second rate of {name} in {kind} by {one}", file=file, line=line, field=rate)
        if value is not None:
            known[name] = value
    if len(rates) < 2:  # noqa: PLR2004 - a comparison needs two
        raise UserError(f"--judge {judge}: {len(rates)} judge in the table; at least 2 are needed")
    found = judges_side_by_side(rates, confidence=confidence)
    if as_json:
        print_json({"pairs": found})
        return
    rows = [(" / ".join(pair), shown(compared.rank_correlation)) for pair, compared in found.items()]
    print_table(["judges", "rank correlation over candidates"], rows)
    for (left, right), compared in found.items():
        for kind, gaps in compared.by_task.items():
            text = ", ".join(f"{name} {gap:+.3f}" for name, gap in gaps.items())
            click.echo(f"{left} less {right}, {kind}: {text}")


@click.command(cls=Command)
@click.argument("file", type=TABLE)
@click.option("--first", required=True, help="Column of numbers, one row a model (or other unit).")
@click.option("--second", required=True, help="The other column: turns, a general benchmark, another judge.")
@common
def correlate(
    file: Path,
    first: str,
    second: str,
    seed: int,  # noqa: ARG001 - as above
    confidence: float,
    missing: list[str],
    as_json: bool,  # noqa: FBT001
) -> None:
    """Pearson's and Spearman's correlation of two columns, with intervals and n.

    benchbar stats correlate models.csv --first turns --second win_rate
    """
    table = read_table(file)
    columns = [numbers(table, column, missing) for column in (first, second)]
    found = {
        "pearson": pearson(*columns, confidence=confidence),
        "spearman": spearman(*columns, confidence=confidence),
    }
    if as_json:
        print_json(found)
    else:
        print_table(["correlation", "estimate"], [(name, shown(estimate)) for name, estimate in found.items()])
