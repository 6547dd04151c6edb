"""How verdicts become a label: which orders count, how several judges are joined, from which margin on it is a tie.

A rule works on recorded verdicts: it asks nobody, and is fitted to labelled items by the margin alone.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from benchbar.measures.validation.aligning import Labelled
from benchbar.measures.validation.preferences import label_of
from benchbar.records import Reduction
from benchbar.scoring.panels import reduced_outcome
from benchbar.statistics.orders import OrderedOutcome

Verdicts = Mapping[str, Mapping[str, OrderedOutcome]]
"""Item to judge to the candidate's outcome under either order."""
Orders = Literal["both", "candidate_first", "reference_first"]


@dataclass(frozen=True)
class VerdictRule:
    """One way of reading the verdicts of some judges; a candidate of an alignment."""

    name: str
    verdicts: Verdicts
    judges: tuple[str, ...]
    orders: Orders = "both"
    joined: Reduction = "mean"
    margin: float | None = 0.0
    """An outcome so near to a half is a tie; None: fitted."""

    async def predict(self, train: Sequence[Labelled], items: Sequence[Labelled]) -> list[str | None]:
        """The labels by the margin that fits the training items best."""
        margin = self._margin(train)
        return [self.label(item.key, margin) for item in items]

    def fitted(self, train: Sequence[Labelled]) -> str:
        """The margin, where it is fitted."""
        return f"tie_margin = {self._margin(train):g}" if self.margin is None else ""

    def label(self, key: str, margin: float) -> str | None:
        """The label of one item; None where a judge gave no verdict in an order that counts."""
        outcomes = [self._outcome(self.verdicts.get(key, {}).get(judge)) for judge in self.judges]
        return label_of(reduced_outcome(outcomes, self.joined, tie_margin=margin))

    def _outcome(self, found: OrderedOutcome | None) -> float | None:
        if found is None:
            return None
        if self.orders == "both":
            one, two = found
            return None if one is None or two is None else fmean((one, two))
        return found.candidate_first if self.orders == "candidate_first" else found.reference_first

    def _margin(self, train: Sequence[Labelled]) -> float:
        if self.margin is not None:
            return self.margin
        # Between the outcomes that occur nothing changes: the middles are all margins that there are.
        apart = {
            round(abs(fmean(known) - 0.5), 9)
            for item in train
            if (known := [one for judge in self.judges if (one := self._known(item.key, judge)) is not None])
        }
        steps = sorted({0.0, *apart})
        grid = [0.0, *(fmean(pair) for pair in itertools.pairwise(steps))]
        hits = {margin: sum(self.label(item.key, margin) == item.label for item in train) for margin in grid}
        # Of equals the smallest: it calls the fewest items a tie.
        return max(grid, key=lambda margin: (hits[margin], -margin))

    def _known(self, key: str, judge: str) -> float | None:
        return self._outcome(self.verdicts.get(key, {}).get(judge))
