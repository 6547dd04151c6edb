"""Agreement of two or more raters, raw and corrected for chance; items are the units, intervals by
bootstrap.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from benchbar.records import Estimate
from benchbar.records.errors import BadInputError
from benchbar.statistics.kappas import (
    Weights,
    alpha,
    alpha_interval,
    chance_contributions,
    coincidences,
    fleiss,
    gwet,
    kappa_of_tables,
    moments,
    ratio,
    similarity,
)
from benchbar.statistics.numbers import Floats, cluster_codes, normal_quantile
from benchbar.statistics.proportions import share, wilson_interval
from benchbar.statistics.rating_table import MISSING, Ratings, label_values
from benchbar.statistics.resampling import RESAMPLES, Statistic, bootstrapped

Scale = Literal["nominal", "ordinal", "interval"]


class Agreement:
    """Measures of one table of ratings, which share clusters, generator and confidence."""

    def __init__(
        self,
        table: Ratings,
        generator: np.random.Generator,
        *,
        clusters: Sequence[object] | None = None,
        tie: str | None = None,
        confidence: float = 0.95,
        resamples: int = RESAMPLES,
    ) -> None:
        """Keep what all measures need; ``tie`` is the label that stands for a draw."""
        # A misspelt tie would drop no pair, and print the plain agreement under the name of the one
        # without ties.
        if tie is not None and tie not in table.labels:
            raise BadInputError(f"no rating is {tie!r}; there are {', '.join(table.labels)}", field="ties")
        if clusters is not None and len(clusters) != len(table.codes):
            raise BadInputError(f"{len(clusters)} clusters for {len(table.codes)} items; expected one for each")
        self.table, self.confidence, self.resamples, self.generator = table, confidence, resamples, generator
        self.tie = None if tie is None else table.labels.index(tie)
        self.clusters = None if clusters is None else cluster_codes(clusters)

    def raw(self, pairs: Sequence[tuple[int, int]], *, without_ties: bool = False) -> Estimate:
        """The share of pairs of votes that agree, over the given pairs of columns.

        Rule of MT-bench (Zheng et al. 2023): each pair of votes on an item counts once; without ties, a
        pair is dropped if either vote is a tie.
        """
        name = "raw agreement without ties" if without_ties else "raw agreement"
        same, both = (np.zeros(len(self.table.codes)) for _ in range(2))
        # Ties are dropped pair by pair, not item by item: a third rater's tie must not take the votes of
        # two others away.
        for a, b in pairs:
            one, two = self.table.codes[:, a], self.table.codes[:, b]
            counted = (one != MISSING) & (two != MISSING)
            if without_ties:
                counted &= (one != self.tie) & (two != self.tie)
            both += counted
            same += counted & (one == two)
        # One pair of raters has one trial an item, so Wilson's interval holds; with more, votes on an
        # item depend on one another.
        if len(pairs) == 1:
            return self._of_one_pair(same, both, name)
        found = self._estimate(np.stack([same, both], axis=1), both > 0, ratio, name, "no item has both votes")
        if found.value is None or found.low is not None:
            return found
        # The bootstrap sees no variance where all agree; an item counts then as one trial, however many voted.
        low, high = wilson_interval(found.value, found.n, normal_quantile(self.confidence))
        return replace(found, low=low, high=high, method=f"{name}, Wilson score interval over items", reason="")

    def _of_one_pair(self, same: Floats, both: Floats, name: str) -> Estimate:
        flags = [bool(hit) if counted else None for hit, counted in zip(same, both, strict=True)]
        clusters = None if self.clusters is None else self.clusters.tolist()
        found = share(flags, clusters=clusters, confidence=self.confidence, unit="item")
        return replace(found, method=f"{name}, {found.method}")

    def fleiss_kappa(self) -> Estimate:
        """Fleiss' kappa; an item that some raters left out counts with the shares of those who rated it."""
        return self._chance_corrected(fleiss, similarity(len(self.table.labels), "none"), "Fleiss kappa")

    def gwet(self, weights: Weights = "none") -> Estimate:
        """Gwet's AC1, or AC2 with weights for ordered labels (Gwet, Handbook of Inter-Rater Reliability)."""
        name = "Gwet AC1" if weights == "none" else f"Gwet AC2, {weights} weights"
        table = similarity(len(self.table.labels), weights)
        return self._chance_corrected(gwet(table), table, name)

    def krippendorff_alpha(self, scale: Scale = "nominal") -> Estimate:
        """Krippendorff's alpha for any number of raters and missing ratings (Krippendorff 2011)."""
        counts = self.table.counts()
        size = len(self.table.labels)
        statistic: Statistic
        if scale == "interval":
            contributions, statistic = moments(counts, label_values(self.table.labels)), alpha_interval
        else:
            contributions, statistic = coincidences(counts), alpha(size, ordinal=scale == "ordinal")
        return self._estimate(
            contributions,
            counts.sum(axis=1) > 1,
            statistic,
            f"Krippendorff alpha, {scale}",
            "fewer than two different labels among pairable ratings: no disagreement can be expected",
        )

    def cohen_kappa(self, a: int, b: int, weights: Weights = "none") -> Estimate:
        """Cohen's kappa of the raters in two columns, weighted for ordered labels (Cohen 1960 and 1968)."""
        one, two = self.table.codes[:, a], self.table.codes[:, b]
        size = len(self.table.labels)
        both = (one != MISSING) & (two != MISSING)
        cells = np.zeros((len(one), size * size))
        cells[np.flatnonzero(both), one[both] * size + two[both]] = 1
        distance = 1 - similarity(size, weights)
        return self._estimate(
            cells,
            both,
            lambda sums: kappa_of_tables(sums.reshape(-1, size, size), distance),
            "Cohen kappa" if weights == "none" else f"Cohen kappa, {weights} weights",
            "both raters used one and the same label: chance agreement is 1",
        )

    def _chance_corrected(self, statistic: Statistic, table: Floats, name: str) -> Estimate:
        counts = self.table.counts()
        return self._estimate(
            chance_contributions(counts, table),
            counts.sum(axis=1) > 0,
            statistic,
            name,
            "no item has two ratings, or only one label was used and chance agreement is 1",
        )

    def _estimate(
        self, contributions: Floats, measured: NDArray[np.bool_], statistic: Statistic, method: str, why: str
    ) -> Estimate:
        return bootstrapped(
            contributions[measured],
            statistic,
            self.generator,
            method=method,
            codes=None if self.clusters is None else self.clusters[measured],
            resamples=self.resamples,
            confidence=self.confidence,
            n_missing=int((~measured).sum()),
            unit="item",
            why_undefined=why,
        )
