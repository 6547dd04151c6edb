"""Whether one of several raters marks differently from the others, by exchanging who gave which mark of an item.

If raters do not differ, each mark of an item might as well have come from any of its raters. A rater's mean distance from the
others, and mean signed distance, are compared with what such exchanges give. Source: Good, Permutation, Parametric and Bootstrap
Tests of Hypotheses (2005), chapter 3; the aim is that of the anomalous-user test of Chatbot Arena (Chiang et al., ICML 2024).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from benchbar.statistics.comparing import holm
from benchbar.statistics.numbers import Floats


class RaterTest(NamedTuple):
    """One rater against all others."""

    rater: str
    items: int
    """With a mark of this rater and of another one."""
    distance: float
    """Mean absolute difference from the mean of the others' marks."""
    leaning: float
    """The same with its sign: below 0 the rater is stricter than the others."""
    p_distance: float
    """Of so large a distance; adjusted by Holm over both tests of all raters."""
    p_leaning: float
    """Of so large a leaning either way; adjusted likewise."""


def rater_tests(
    rows: Sequence[Mapping[str, float]], generator: np.random.Generator, *, least: int = 5, draws: int = 10_000
) -> list[RaterTest]:
    """Each rater with at least ``least`` shared items against the others; a row is an item, rater to mark.

    Of two raters alone it cannot be told who is far from whom: distance says nothing there, and leaning is found of both.
    """
    found = []
    for rater in dict.fromkeys(name for row in rows for name in row):
        shared = [row for row in rows if rater in row and len(row) > 1]
        if len(shared) >= least:
            found.append(_against_others(rater, shared, generator, draws))
    adjusted = holm(
        {f"distance {place}": one.p_distance for place, one in enumerate(found)}
        | {f"leaning {place}": one.p_leaning for place, one in enumerate(found)}
    )
    return [
        one._replace(p_distance=adjusted[f"distance {place}"], p_leaning=adjusted[f"leaning {place}"])
        for place, one in enumerate(found)
    ]


def _against_others(
    rater: str, rows: Sequence[Mapping[str, float]], generator: np.random.Generator, draws: int
) -> RaterTest:
    own, signed, absolute = [], np.zeros(draws), np.zeros(draws)
    for row in rows:
        gaps = _gaps(list(row.values()))
        own.append(float(gaps[list(row).index(rater)]))
        # Of one rater alone an exchange is a draw of one of the item's marks.
        drawn = gaps[generator.integers(0, len(gaps), size=draws)]
        signed += drawn
        absolute += np.abs(drawn)
    leaning, distance = float(np.sum(own)), float(np.sum(np.abs(own)))
    return RaterTest(
        rater,
        len(rows),
        distance / len(rows),
        leaning / len(rows),
        # The observed marks count as drawn, so that no p-value is 0; sums in another order differ by rounding.
        p_distance=(1 + int((absolute >= distance - 1e-9).sum())) / (draws + 1),
        p_leaning=(1 + int((np.abs(signed) >= abs(leaning) - 1e-9).sum())) / (draws + 1),
    )


def _gaps(marks: Sequence[float]) -> Floats:
    """Each mark less the mean of the others."""
    array = np.asarray(marks, dtype=np.float64)
    return np.asarray(array - (array.sum() - array) / (len(array) - 1), dtype=np.float64)
