"""What several raters said of the same items, as a table of codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from benchbar.records.errors import BadInputError
from benchbar.statistics.numbers import Floats, Integers

MISSING = -1


class Ratings(NamedTuple):
    """Items x raters; a code is a position in ``labels``, -1 where a rater did not rate."""

    raters: tuple[str, ...]
    labels: tuple[str, ...]
    codes: Integers

    def of(self, *raters: str) -> Ratings:
        """The same items as seen by some of the raters."""
        return Ratings(raters, self.labels, self.codes[:, [self.position(rater) for rater in raters]])

    def position(self, rater: str) -> int:
        """The column of a rater."""
        if rater not in self.raters:
            raise BadInputError(f"no rater {rater!r}; there are {', '.join(self.raters)}")
        return self.raters.index(rater)

    def counts(self) -> Floats:
        """Items x labels: how many raters gave each label."""
        return np.stack([(self.codes == code).sum(axis=1) for code in range(len(self.labels))], axis=1).astype(float)


def ratings(columns: Mapping[str, Sequence[str | None]], labels: Sequence[str] | None = None) -> Ratings:
    """The columns of raters as codes; ``labels`` fixes order and vocabulary (needed for ordinal scales).

    Raises:
        BadInputError: columns of different lengths, or a rating that is not among the labels.
    """
    lengths = {len(column) for column in columns.values()}
    if len(lengths) != 1:
        raise BadInputError(f"raters rated {sorted(lengths)} items; expected the same items for each")
    known = tuple(labels) if labels else _labels(columns)
    code: dict[str | None, int] = {label: i for i, label in enumerate(known)} | {None: MISSING}
    table = np.empty((lengths.pop(), len(columns)), dtype=np.int64)
    for position, (rater, column) in enumerate(columns.items()):
        for row, label in enumerate(column):
            if label not in code:
                raise BadInputError(f"{label!r} in row {row + 1}; expected one of {', '.join(known)}", field=rater)
            table[row, position] = code[label]
    return Ratings(tuple(columns), known, table)


def _labels(columns: Mapping[str, Sequence[str | None]]) -> tuple[str, ...]:
    """The labels that occur, numbers in order of size before other words."""
    found = {label for column in columns.values() for label in column if label is not None}
    # As text "10" would come before "2", and weighted kappa depends on the order.
    return tuple(sorted(found, key=_by_size))


def _by_size(label: str) -> tuple[int, float, str]:
    try:
        return (0, float(label), label)
    except ValueError:
        return (1, 0.0, label)


def label_values(labels: Sequence[str]) -> Floats:
    """The labels as numbers, for interval scales.

    Raises:
        BadInputError: a label is not a finite number.
    """
    try:
        values = np.array([float(label) for label in labels])
    except ValueError as error:
        raise BadInputError(f"an interval scale needs numbers: {error}") from error
    if not np.isfinite(values).all():
        raise BadInputError("an interval scale needs finite numbers")
    return values


def majority(table: Ratings) -> Integers:
    """Each item's label with the most votes; -1 where several labels share the most, or nobody rated."""
    counts = table.counts()
    most = counts.max(axis=1)
    single = (counts == most[:, None]).sum(axis=1) == 1
    return np.where(single & (most > 0), counts.argmax(axis=1), MISSING)
