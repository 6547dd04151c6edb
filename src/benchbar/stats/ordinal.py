"""Graded risk: accuracy that knows how grave a miss is, from a table or a confusion matrix."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import msgspec
import numpy as np

from benchbar.cli.options import TABLE, split
from benchbar.records import decode
from benchbar.records.errors import BadInputError, UserError
from benchbar.statistics import OrdinalReport, ordinal_report
from benchbar.statistics.ordinal import grave_first
from benchbar.stats.stat import Column, Found, Grid, Words, drawn_with, estimates, stat
from benchbar.tables.columns import Columns, words
from benchbar.tables.encodings import read_text

# Each count becomes as many rows: a matrix with a billion in a cell would fill the memory.
MOST_ITEMS = 5_000_000


class Confusion(msgspec.Struct, forbid_unknown_fields=False):
    """A confusion matrix on disk: rows are the truth; an extra last column counts the unparsed."""

    labels: list[str]
    matrix: list[list[int]]


@stat(
    Column("truth", "The true label.", words, required=False),
    Column("predicted", "The predicted label; any other word is charged as the worst.", words, required=False),
    Column("cluster", "What items were drawn with.", drawn_with, required=False),
    needs_file=False,
    options=[
        click.option(
            "--labels", multiple=True, callback=split, help="From the mildest to the gravest: low,medium,high."
        ),
        click.option(
            "--confusion", type=TABLE, help='JSON {"labels": […], "matrix": rows of truth} in the place of FILE.'
        ),
        click.option(
            "--scores", type=TABLE, help="JSON matrix of scores 0 to 1, truth x prediction in the order of --labels."
        ),
    ],
)
def ordinal(
    *,
    table: Columns | None,
    truth: Words | None,
    predicted: Words | None,
    cluster: list[object] | None,
    labels: list[str],
    confusion: Path | None,
    scores: Path | None,
    generator: np.random.Generator,
    confidence: float,
    resamples: int = 2000,
) -> Found:
    """Measures of graded risk: missing a grave one weighs more than a false alarm.

    benchbar stats ordinal clauses.csv --truth level --predicted answer --labels low,medium,high
    benchbar stats ordinal --confusion matrix.json --labels low,medium,high --json
    """
    if confusion is not None:
        if table is not None:
            raise UserError("give FILE or --confusion, not both")
        labels, truth, predicted = _expanded(confusion, labels)
    elif truth is None or predicted is None or not labels:
        raise UserError("FILE with --truth, --predicted and --labels is needed, or --confusion")
    found = ordinal_report(
        truth,
        predicted,
        labels,
        generator,
        scores=decode(read_text(scores), list[list[float]], file=scores) if scores else None,
        clusters=cluster,
        confidence=confidence,
        resamples=resamples,
    )
    return Found({**found._asdict(), "labels": labels}, _printed(found, labels))


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
    # Order decides what counts as grave; the same labels in another order are a wish, others a mistake.
    if labels and sorted(labels) != sorted(given.labels):
        message = f"{', '.join(given.labels)}; --labels says {', '.join(labels)}"
        raise BadInputError(message, file=path, field="labels")
    pairs = [
        (true, said, n)
        for true, row in zip(given.labels, given.matrix, strict=True)
        # Without the last column nothing was unparsed, and the None is left over.
        for said, n in zip([*given.labels, None], row, strict=False)
    ]
    truth = [true for true, _, n in pairs for _ in range(n)]
    said = [said for _, said, n in pairs for _ in range(n)]
    return labels or _mildest_first(given.labels), list(truth), said


def _mildest_first(labels: list[str]) -> list[str]:
    """A file's own order, turned round where it begins with the gravest by its name."""
    return labels[::-1] if grave_first(labels) else labels


def _printed(found: OrdinalReport, labels: list[str]) -> Iterator[Grid]:
    rows = estimates(found._asdict())
    for label, measures in found.per_class.items():
        rows += estimates(measures._asdict(), f"{label} ")
    rows += estimates(found.leakage)
    for name, values in found.baselines.items():
        rows += estimates(values, f"{name}: ")
    yield Grid(["measure", "estimate"], rows)
    counts = ([label, *map(str, row)] for label, row in zip(labels, found.confusion, strict=True))
    yield Grid(["truth", *labels, "unparsed"], list(counts))
