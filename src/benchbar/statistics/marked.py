"""What people would have said of all items, from automatic values and people's marks on some, valid at every look.

People's mean is that of the automatic values f plus that of their errors y - f. The first is learnt from all items, the second
from the marks, which come in random order: each is a betting confidence sequence of its own (see ``betting``), so that the
sum of their lower ends holds at every look, whether items were added in between, or marks, or both. An item that was
asked about with chance pi counts pibar/pi times among the errors, pibar being the mean chance (Zrnic and Candes, Active
statistical inference, 2024); only the ratio of chances matters, so the part of a queue that is marked so far may be any.

Half of the error budget goes to this sum, and half to the marks alone, which decide where automatic values are bad and
marks are many. Fixed parts, unlike the fitted weight of :func:`benchbar.statistics.correct`, keep the bounds valid at every look.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt
from typing import NamedTuple

import numpy as np

from benchbar.records import Estimate
from benchbar.records.errors import BadInputError
from benchbar.statistics.betting import METHOD, Missing, Units, lower_bound, units_of
from benchbar.statistics.clusters import codes_of, design_effect
from benchbar.statistics.further import EVEN, Further, drift, fewest_more
from benchbar.statistics.numbers import (
    Floats,
    Integers,
    Values,
    clustered_standard_error,
    gapped,
    standard_error,
    undefined,
    within,
)

MARKED = f"{METHOD}, human marks by inclusion probability"
Trust = tuple[float, ...]
BOTH: Trust = (0.0, 1.0)
"""How far automatic values are trusted: not at all, and fully. The error budget is divided evenly."""
PEOPLE: Trust = (0.0,)


class _Side(NamedTuple):
    """What bounds people's mean from below under one trust: trusted values of all items, and errors of the marked ones."""

    trusted: Units
    errors: Units
    least: float
    """No mean of errors lies below it."""
    error: float
    """Chance of being wrong that each part may have."""
    deviation: float | None = None
    """Of the error of one marked item."""

    def low(self, times: float = 1.0) -> float:
        """The lower bound, if there were ``times`` as many marks."""
        goal = -log(self.error)
        return lower_bound(self.trusted, goal) + lower_bound(self.errors, goal, times, least=self.least)


def marked_interval(
    automatic: Values,
    human: Values,
    probability: Values,
    *,
    clusters: Sequence[object] | None = None,
    trust: Trust = BOTH,
    missing: Missing = "omitted",
    confidence: float = 0.95,
    unit: str = "sample",
) -> Estimate:
    """The mean of human marks over all items, with an interval that holds for any number of marks and at every look.

    ``human`` is None where nobody marked, ``probability`` each item's recorded chance of being asked about. An item that
    nobody could be asked about (chance 0) counts with its automatic value, one that was marked all the same with its mark.
    Items without an automatic value and without a mark are ``missing``. n counts items; a few marks make it wide. With
    ``clusters`` the units are clusters of items, as in :func:`~benchbar.statistics.betting.betting_interval`. With
    ``trust=PEOPLE`` automatic values serve only items that nobody could be asked about.

    Raises:
        BadInputError: a value or chance outside 0 to 1, or lists of different lengths.
    """
    f, y, pi = _checked(automatic, human, probability)
    codes = codes_of(clusters, len(f))
    there = ~(np.isnan(f) & np.isnan(y))
    if not there.any():
        return undefined("nothing was measured", method=MARKED, n_missing=len(f), confidence=confidence, unit=unit)
    low, high = (max(one.low() for one in side) for side in _sides(f, y, pi, codes, trust, missing, confidence))
    high = 1 - high
    items = _items(np.nan_to_num(f), y, pi, trust[-1])[there]
    return Estimate(
        # Weighing may carry it off the scale, and each end of the interval rests on the trust that serves it best.
        value=min(max(float(items.mean()), low, 0.0), high, 1.0),
        low=max(low, 0.0),
        high=min(high, 1.0),
        standard_error=standard_error(items) if codes is None else clustered_standard_error(items, codes[there]),
        n=int(there.sum()),
        n_missing=int((~there).sum()),
        method=MARKED + ("" if there.all() or missing == "omitted" else ", missing values as the worst"),
        confidence=confidence,
        unit=unit if codes is None else "cluster",
        design_effect=design_effect(items, None if codes is None else codes[there]),
    )


def marks_needed(
    automatic: Values,
    human: Values,
    probability: Values,
    threshold: float,
    *,
    clusters: Sequence[object] | None = None,
    missing: Missing = "worst",
    confidence: float = 0.95,
    power: float = EVEN,
) -> Further | None:
    """How many further marks like these would put the interval on one side of the threshold, and on which.

    None where as many as there are items would not decide: then more items are needed. ``power`` as in
    :func:`~benchbar.statistics.betting.units_needed`.
    """
    f, y, pi = _checked(automatic, human, probability)
    lower, upper = _sides(f, y, pi, codes_of(clusters, len(f)), BOTH, missing, confidence)
    count = int((~np.isnan(y) & (pi > 0)).sum())

    def low(sides: list[_Side], marks: int) -> float:
        total = min(marks, len(f))
        return max(one.low(total / count) - drift(one.deviation, count, total, power) for one in sides)

    def above(marks: int) -> bool:
        return low(lower, marks) >= threshold

    def decided(marks: int) -> bool:
        return above(marks) or 1 - low(upper, marks) <= threshold

    more = fewest_more(decided, count) if count and decided(len(f)) else None
    return None if more is None else Further(more, above(count + more))


def _checked(automatic: Values, human: Values, probability: Values) -> tuple[Floats, Floats, Floats]:
    f, y, pi = gapped(automatic, "automatic"), gapped(human, "human"), gapped(probability, "probability")
    if not len(f) == len(y) == len(pi):
        raise BadInputError(
            f"{len(f)} automatic, {len(y)} human values and {len(pi)} chances; expected one of each per item"
        )
    for array, name in ((f, "automatic"), (y, "human"), (pi, "probability")):
        within(array, 0, 1, name)
    return f, y, pi


def _sides(
    f: Floats,
    y: Floats,
    pi: Floats,
    codes: Integers | None,
    trust: Trust,
    missing: Missing,
    confidence: float,
) -> tuple[list[_Side], list[_Side]]:
    """What bounds the mean from below, and what bounds its mirror image."""
    if missing == "omitted":
        # Of items without an automatic value only the marked ones are there: each counts as itself, not for others.
        kept = ~(np.isnan(f) & np.isnan(y))
        f, y, pi = f[kept], y[kept], np.where(np.isnan(f), 0.0, pi)[kept]
        codes = None if codes is None else codes[kept]
    error = (1 - confidence) / 2 / len(trust)
    return (
        [_side(f, y, pi, codes, one, error) for one in trust],
        [_side(1 - f, 1 - y, pi, codes, one, error) for one in trust],
    )


def _side(f: Floats, y: Floats, pi: Floats, codes: Integers | None, trust: float, error: float) -> _Side:
    # A missing automatic value counts as 0: unmarked it is the worst, and a mark makes up for it.
    f = np.nan_to_num(f)
    marked, asked = ~np.isnan(y), pi > 0
    # Without a recorded chance nothing can be weighed: the item counts as it stands.
    trusted = np.where(asked, trust * f, np.where(marked, np.nan_to_num(y), f))
    ratio = pi.mean() / np.where(asked, pi, np.inf)
    shift = trust * float(ratio.max(initial=0.0))
    drawn = marked & asked
    errors = ((y - trust * f) * ratio)[drawn]
    # Where all items count with people's marks alone, only one part can be wrong.
    parts = 2 if trusted.any() else 1
    of_marks = None if codes is None or not drawn.any() else codes[drawn]
    deviation = standard_error(errors) if of_marks is None else clustered_standard_error(errors, of_marks)
    return _Side(
        units_of(trusted, codes),
        units_of(errors, of_marks, shift=shift),
        -trust,
        error / parts,
        None if deviation is None else deviation * sqrt(len(errors)),
    )


def _items(f: Floats, y: Floats, pi: Floats, trust: float) -> Floats:
    """Each item's own estimate of its mark."""
    marked, asked = ~np.isnan(y), pi > 0
    said = np.nan_to_num(y)
    # Only a part of those who were drawn may be marked yet: all chances are lowered to the share that is.
    count = float(pi.sum())
    part = float((marked & asked).sum()) / count if count else 1.0
    drawn = trust * f + np.where(marked & asked, (said - trust * f) / np.where(asked, pi * max(part, 1e-12), 1.0), 0.0)
    return np.where(asked, drawn, np.where(marked, said, f))
