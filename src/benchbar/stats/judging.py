"""Is a judge to be trusted: against people, point by point, beside other judges, towards its own kind, for its price."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean
from typing import Any

import click
import numpy as np

from benchbar.cli.options import NumberRange
from benchbar.cli.printing import plain, shown
from benchbar.records.errors import BadInputError, UserError
from benchbar.statistics import (
    MarkedPoint,
    agreement_per_cost,
    family_interaction,
    judges_side_by_side,
    pearson,
    point_treatment,
    same_family_bias,
    share,
    spearman,
)
from benchbar.statistics import correct as corrected
from benchbar.statistics.validation import PointTreatment
from benchbar.stats.stat import Column, Found, Grid, Values, Words, drawn_with, estimates, named, one_of, stat
from benchbar.tables.columns import Columns

OVERALL = "overall"
EVEN = 0.5


@stat(
    Column("judge", "The judge's marks, on every row."),
    Column("human", "People's marks, empty where nobody marked."),
    Column("probability", "Each row's recorded chance to be marked.", required=False),
    Column("stratum", "The task (or other stratum) that rows were drawn within.", drawn_with, required=False),
)
def correct(
    *, judge: Values, human: Values, probability: Values | None, stratum: list[object] | None, confidence: float
) -> Found:
    """What people would have said of all rows, from a judge on all and people on some.

    The rows that people marked must be a random sample, or carry the --probability with which they were chosen.

    benchbar stats correct marks.csv --judge judge_score --human human_score --stratum task
    """
    found = corrected(judge, human, probability=probability, strata=stratum, confidence=confidence)
    document = plain(found)
    # The paper's name, which is a reserved word in Python.
    document["lambda"] = document.pop("weight")
    rows = [
        ("judge alone", shown(found.judge_only)),
        ("people alone", shown(found.human_only)),
        ("corrected", shown(found.corrected)),
        ("Rogan-Gladen", shown(found.rogan_gladen)),
        ("lambda", "-" if found.weight is None else f"{found.weight:.3f}"),
        ("effective labels", "-" if found.effective_labels is None else f"{found.effective_labels:.0f}"),
    ]
    return Found(document, [Grid(["estimate", "value"], rows)], found.warnings)


@stat(
    Column("category", "The guidance point's category.", named),
    Column("referred", "1 where the judge refers to the point, 0 where not.", one_of(0, 1)),
    Column("right", "1 where people find its decision right, 0 where not.", one_of(0, 1)),
    Column("error", "The type of error, such as missed point or partly met.", named, required=False),
    Column("dialogue", "The dialogue that several points share.", named, required=False),
)
def points(
    *, category: Words, referred: Values, right: Values, error: Words | None, dialogue: Words | None, confidence: float
) -> Found:
    r"""How a judge treats guidance points, by category: referred to, judged right, and its errors by type.

    One row a point of one judgement that people checked.

    benchbar stats points checked.csv --category category --referred referred --right right \
      --error error_type --dialogue dialogue
    """
    # It would overwrite the row of all points.
    if OVERALL in category:
        raise UserError(f"--category: {OVERALL!r} is what all points together are called; rename the category")
    none: Words = [None] * len(category)
    marked = [
        MarkedPoint(kind or "(none)", _flag(refers), _flag(decides), fault or "", one or "")
        for kind, refers, decides, fault, one in zip(
            category, referred, right, error or none, dialogue or none, strict=True
        )
    ]
    found = point_treatment(marked, confidence=confidence)
    rows = [(name, *row) for name, treatment in found.items() for row in _treatment(treatment)]
    document = {OVERALL: found[OVERALL], "categories": {k: v for k, v in found.items() if k != OVERALL}}
    return Found(document, [Grid(["category", "share", "estimate"], rows)])


def _flag(value: float | None) -> bool | None:
    return None if value is None else value == 1


def _treatment(found: PointTreatment) -> list[tuple[str, str]]:
    return [
        ("referred to", shown(found.referred, percent=True)),
        ("judged right", shown(found.right, percent=True)),
        *estimates(found.errors, "error: ", percent=True),
    ]


@stat(
    Column("judge", "The judge's name.", named),
    Column("task", "The task.", named),
    Column("candidate", "The candidate that was judged.", named),
    Column("rate", "The candidate's rate under that judge."),
)
def judges(
    *,
    table: Columns,
    names: dict[str, str],
    judge: Words,
    task: Words,
    candidate: Words,
    rate: Values,
    confidence: float,
) -> Found:
    """Alternative judges side by side: rank correlation over candidates, and differences by task.

    benchbar stats judges rates.csv --judge judge --task task --candidate model --rate win_rate
    """
    rates: dict[str, dict[str, dict[str, float]]] = {}
    for line, one, kind, name, value in zip(table.lines, judge, task, candidate, rate, strict=True):
        if one is None or kind is None or name is None:
            raise BadInputError("judge, task and candidate are needed in each row", file=table.path, line=line)
        known = rates.setdefault(one, {}).setdefault(kind, {})
        if name in known:
            raise BadInputError(
                f"a second rate of {name} in {kind} by {one}", file=table.path, line=line, field=names["rate"]
            )
        if value is not None:
            known[name] = value
    # A comparison needs two.
    if len(rates) < 2:
        raise UserError(f"--judge {names['judge']}: {len(rates)} judge in the table; at least 2 are needed")
    found = judges_side_by_side(rates, confidence=confidence)

    def printed() -> Iterator[Grid | str]:
        rows = [(" / ".join(pair), shown(compared.rank_correlation)) for pair, compared in found.items()]
        yield Grid(["judges", "rank correlation over candidates"], rows)
        for (left, right), compared in found.items():
            for kind, gaps in compared.by_task.items():
                text = ", ".join(f"{name} {gap:+.3f}" for name, gap in gaps.items())
                yield f"{left} less {right}, {kind}: {text}"

    return Found({"pairs": found}, printed())


@stat(
    Column("first", "Numbers, one row a model (or other unit)."),
    Column("second", "The other numbers: turns, a general benchmark, another judge."),
)
def correlate(*, first: Values, second: Values, confidence: float) -> Found:
    """Pearson's and Spearman's correlation of two columns, with intervals and n.

    benchbar stats correlate models.csv --first turns --second win_rate
    """
    found = {
        "pearson": pearson(first, second, confidence=confidence),
        "spearman": spearman(first, second, confidence=confidence),
    }
    return Found(found, [Grid(["correlation", "estimate"], estimates(found))])


@stat(
    Column("judge", "1 where the judge prefers its own family's answer, 0 the other, 0.5 none.", one_of(1, 0, EVEN)),
    Column("human", "What people prefer, on the same scale.", one_of(1, 0, EVEN), required=False),
    Column("second", "A second judge of the other family.", one_of(1, 0, EVEN), required=False),
    Column("cluster", "What pairs were drawn with, such as their question.", named, required=False),
)
def family(
    *,
    judge: Values,
    human: Values | None,
    second: Values | None,
    cluster: Words | None,
    generator: np.random.Generator,
    confidence: float,
) -> Found:
    """Whether a judge favours answers of its own model family; one row a pair of an own with another answer.

    With --human: P(judge picks own | people pick own) - P(judge picks other | people pick other), 0 without a bias.
    Without people, --second judges the same pairs: the judge x family interaction, by sign flips. It shows that two
    judges differ, not which of them is right.

    benchbar stats family pairs.csv --judge judge --human people --cluster question
    benchbar stats family pairs.csv --judge judge_a --second judge_b
    """
    # People settle whether it is a bias; a second judge only whether two judges differ. Reporting both would invite the
    # weaker one.
    if (human is None) == (second is None):
        raise UserError("expected --human, or --second where people marked nothing, and not both")
    document: dict[str, Any]
    if human is not None:
        bias = same_family_bias(judge, human, generator, clusters=cluster, confidence=confidence)
        document, told = {"same_family_bias": bias}, shown(bias)
    else:
        tested = family_interaction(judge, second or [], generator, clusters=cluster, confidence=confidence)
        p_value = "–" if tested.test.p_value is None else f"{tested.test.p_value:.4f}"
        document, told = {"family_interaction": tested}, f"{shown(tested.difference)}, p = {p_value} ({tested.note})"
    return Found(document, [Grid(["test", "result"], [(name, told) for name in document])])


@stat(
    Column("form", "The judge's form or name: pairwise, checklist, grade, panel.", named),
    Column("agreed", "1 where it agreed with people on the item, 0 where not."),
    Column("cost", "What judging the item cost."),
    Column("cluster", "What items were drawn with.", named, required=False),
    options=[
        click.option("--chance", type=NumberRange(0, 1), default=EVEN, show_default=True, help="Agreement of a guess.")
    ],
)
def efficiency(
    *,
    table: Columns,
    form: Words,
    agreed: Values,
    cost: Values,
    cluster: Words | None,
    chance: float,
    confidence: float,
) -> Found:
    """Which form of judging is worth its cost: agreement with people above chance, per unit of cost.

    One row an item that a form judged and people marked.

    benchbar stats efficiency judged.csv --form form --agreed agreed --cost cost --cluster sample
    """
    rows: dict[str, list[tuple[float | None, float, object]]] = {}
    for name, right, paid, group, line in zip(form, agreed, cost, cluster or table.lines, table.lines, strict=True):
        if name is None or paid is None or paid < 0:
            raise BadInputError("a form and a cost of 0 or more are needed in each row", file=table.path, line=line)
        rows.setdefault(name, []).append((right, paid, group))
    forms = {
        name: (
            # Without a column of clusters the line stands in, so that every row is one of its own.
            share([right for right, _, _ in own], clusters=[group for *_, group in own], confidence=confidence),
            fmean(paid for _, paid, _ in own),
        )
        for name, own in rows.items()
    }
    found = agreement_per_cost(forms, chance=chance)
    told = [
        (
            name,
            shown(one.agreement, percent=True),
            f"{one.cost:.4g}",
            "–" if one.per_cost is None else f"{one.per_cost:.4g}",
        )
        for name, one in found.items()
    ]
    return Found({"forms": found}, [Grid(["form", "agreement", "cost of an item", "above chance per cost"], told)])
