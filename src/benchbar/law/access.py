"""Access labels: which documents of a corpus somebody may see, and a corpus of these alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from benchbar.records import Decision, LawVersion

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Hidden:
    """The documents that a set of labels does not open."""

    laws: frozenset[str]
    """law_ids."""
    decisions: tuple[int, ...]
    """Rows."""

    def __bool__(self) -> bool:
        """Whether there is any."""
        return bool(self.laws or self.decisions)


def labels_of(decisions: Sequence[Decision]) -> dict[int, tuple[str, ...]]:
    """The labels of the decisions that have any, by row."""
    return {row: one.stated.labels for row, one in enumerate(decisions) if one.stated.labels}


def hidden(versions: Iterable[LawVersion], decisions: Mapping[int, tuple[str, ...]], labels: Iterable[str]) -> Hidden:
    """What somebody with these labels must not see: each document that has a label which is not among them."""
    held = frozenset(labels)
    return Hidden(
        laws=frozenset(one.law_id for one in versions if not held.issuperset(one.stated.labels)),
        decisions=tuple(row for row, own in decisions.items() if not held.issuperset(own)),
    )


class Rows(Sequence[T], Generic[T]):
    """Some rows of another sequence, as a sequence of their own."""

    def __init__(self, whole: Sequence[T], rows: NDArray[np.int64]) -> None:
        """Row i is ``whole[rows[i]]``."""
        self._whole, self._rows = whole, rows

    def __len__(self) -> int:
        """The number of rows."""
        return len(self._rows)

    def __getitem__(self, index: int | slice) -> T | Sequence[T]:  # type: ignore[override]
        """One row, or the rows of a slice."""
        if isinstance(index, slice):
            return [self._whole[int(row)] for row in self._rows[index]]
        return self._whole[int(self._rows[index])]

    def __iter__(self) -> Iterator[T]:
        """The rows in order."""
        return (self._whole[int(row)] for row in self._rows)
