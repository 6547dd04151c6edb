"""`benchbar stats ordinal`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec
import numpy as np

from benchbar.cli.command import Command
from benchbar.cli.printing import print_json, print_table, shown
from benchbar.cli.stats_options import TABLE, common, resampling, split
from benchbar.records import Estimate, decode
from benchbar.records.errors import BadInputError, UserError
from benchbar.statistics import OrdinalReport, ordinal_report
from benchbar.statistics.ordinal import grave_first
from benchbar.tables.columns import clusters, read_table, words
from benchbar.tables.rows import read_text

MOST_ITEMS = 5_000_000


class Confusion(msgspec.Struct, forbid_unknown_fields=False):
    """A confusion matrix on disk: rows are the truth; an extra last column counts the unparsed."""

    labels: list[str]
    matrix: list[list[int]]


@click.command(cls=Command)
@click.argument("file", type=TABLE, required=False)
@click.option("--truth", help="Column of the true label.")
@click.option("--predicted", help="Column of the predicted label; any other word is charged as the worst.")
@click.option("--labels", multiple=True, callback=split, help="From the mildest to the gravest: low,medium,high.")
@click.option("--confusion", type=TABLE, help='JSON {"labels": […], "matrix": rows of truth} in the place of FILE.')
@click.option("--scores", type=TABLE, help="JSON matrix of scores 0 to 1, truth x prediction in the order of --labels.")
@click.option("--cluster", help="Column of what items were drawn with.")
@resampling(2000)
@common
def ordinal(
    file: Path | None,
    truth: str | None,
    predicted: str | None,
    labels: list[str],
    confusion: Path | None,
    scores: Path | None,
    cluster: str | None,
    resamples: int,
    seed: int,
    confidence: float,
    missing: list[str],
    as_json: bool,  # noqa: FBT001 - click passes it by name
) -> None:
    """Measures of graded risk: missing a grave one weighs more than a false alarm.

    benchbar stats ordinal clauses.csv --truth level --predicted answer --labels low,medium,high
    benchbar stats ordinal --confusion matrix.json --labels low,medium,high --json
    """
    alike: list[object] | None = None
    if confusion is not None:
        if file is not None:
            raise UserError("give FILE or --confusion, not both")
        labels, true, said = _expanded(confusion, labels)
    else:
        if file is None or not (truth and predicted and labels):
            raise UserError("FILE with --truth, --predicted and --labels is needed, or --confusion")
        table = read_table(file)
        true, said = words(table, truth, missing), words(table, predicted, missing)
        alike = clusters(table, cluster)
    found = ordinal_report(
        true,
        said,
        labels,
        np.random.default_rng(seed),
        scores=decode(read_text(scores), list[list[float]], file=scores) if scores else None,
        clusters=alike,
        confidence=confidence,
        resamples=resamples,
    )
    if as_json:
        print_json({**found._asdict(), "labels": labels})
    else:
        _print(found, labels)


def _expanded(path: Path, labels: list[str]) -> tuple[list[str], list[str | None], list[str | None]]:
    """Truth and prediction of every item that a matrix counts."""
    given = decode(read_text(path), Confusion, file=path)
    size = len(given.labels)
    wide = {len(row) for row in given.matrix}
    if len(given.matrix) != size or not wide <= {size, size + 1} or len(wide) != 1:
        message = f"expected {size} rows of {size} counts, or {size + 1} with the unparsed last"
        raise BadInputError(message, file=path, field="matrix")
    counts = [n for row in given.matrix for n in row]
    if min(counts) < 0 or sum(counts) > MOST_ITEMS:
        raise BadInputError(f"counts from 0 up to {MOST_ITEMS} in all are read", file=path, field="matrix")
    if labels and sorted(labels) != sorted(given.labels):
        message = f"{', '.join(given.labels)}; --labels says {', '.join(labels)}"
        raise BadInputError(message, file=path, field="labels")
    pairs = [
        (true, said, n)
        for true, row in zip(given.labels, given.matrix, strict=True)
        for said, n in zip([*given.labels, None], row, strict=False)
    ]
    truth = [true for true, _, n in pairs for _ in range(n)]
    said = [said for _, said, n in pairs for _ in range(n)]
    return labels or _mildest_first(given.labels), list(truth), said


def _mildest_first(labels: list[str]) -> list[str]:
    """A file's own order, turned round where it begins with the gravest by its name."""
    return labels[::-1] if grave_first(labels) else labels


def _print(found: OrdinalReport, labels: list[str]) -> None:
    rows = [(name, shown(value)) for name, value in found._asdict().items() if isinstance(value, Estimate)]
    for label, measures in found.per_class.items():
        rows += [(f"{label} {name}", shown(value)) for name, value in measures._asdict().items()]
    baselines: dict[str, Any] = found.baselines
    for name, values in baselines.items():
        rows += [(f"{name}: {measure}", shown(value)) for measure, value in values.items()]
    print_table(["measure", "estimate"], rows)
    print_table(
        ["truth", *labels, "unparsed"],
        [[label, *map(str, row)] for label, row in zip(labels, found.confusion, strict=True)],
    )
